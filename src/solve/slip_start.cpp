// Which way a contact over an area starts to slip.

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include "bristle/core/index.hpp"
#include "bristle/solve/dynamics.hpp"

namespace bristle {

using detail::at;

/// Acceleration of the slip by 1 N, 1/kg: of the lightest of its directions.
double Dynamics::mobility(int contact) const noexcept {
  const Point& p = point(contact);
  double most = 0;
  for (int k = 0; k < p.axes; ++k) {
    double sum = 0;
    for (const Mechanics::Entry& e : mechanics_.slip_row(contact, k)) {
      if (e.coordinate >= 0)
        sum += e.factor * e.factor * mechanics_.inverse_mass()[at(e.coordinate)];
    }
    most = std::max(most, k == 2 ? sum * p.length * p.length : sum);
  }
  return most;
}

Planar Dynamics::outgoing(int contact, double t, std::span<const double> y) noexcept {
  Point& p = point(contact);
  if (!p.area) return p.force.normalized();
  const Planar first = p.area->hold(p.force).direction;
  const Planar way = p.way(Planar(first[0], first[1], first[2] / p.length));
  // As soon as it slips, friction drops to its kinetic level, and what accelerates the body is not
  // along the direction in which it let go.
  const Mode was = p.mode;
  const Planar along = p.along;
  const double least = 1e-9 * p.grip(p.force) * mobility(contact);
  set_mode(contact, Mode::slip);
  const Planar ray = turn_to_ray(contact, t, y, way, least);
  p.along = along;
  set_mode(contact, was);
  evaluate(t, y);
  --evaluations_;
  return ray;
}

/// The motion w that starts as it goes on: the acceleration a(w) under the friction of w is along
/// w. Newton's method for a/|a| − w = 0 on the sphere of directions; where that does not descend, a
/// step of the flow w' = a(w) − (a·w) w, whose stable rest is the ray. An acceleration below
/// `least` (no drop from static to kinetic friction) has no direction: then it starts as it let go.
Planar Dynamics::turn_to_ray(int contact, double t, std::span<const double> y, Planar way,
                             double least) noexcept {
  Point& p = point(contact);
  double size = 0;
  const auto miss = [&](const Planar& w) -> Planar {
    p.along = w;
    evaluate(t, y);
    --evaluations_;
    const Planar a = slip_acceleration(contact, t, y);
    size = p.speed(a);
    return size > 0 ? Planar(a / size - w) : Planar(Planar::Zero());
  };
  const auto scale = [&](const Planar& w) -> Planar { return {w[0], w[1], w[2] / p.length}; };
  Planar r = miss(way);
  if (!(size > least)) return way;
  double share = 0.5;
  for (int i = 0; i < 400 && p.speed(r) > 1e-13; ++i) {
    // Two directions across w, in coordinates in which all three components are speeds.
    const Planar w(way[0], way[1], way[2] * p.length);
    const Planar e1 = w.cross(Planar::Unit(std::abs(w[0]) < 0.6 ? 0 : 2)).normalized();
    const Planar e2 = w.cross(e1);
    const double d = 1e-7;
    const Planar r1 = (miss(p.way(way + d * scale(e1))) - r) / d;
    const Planar r2 = (miss(p.way(way + d * scale(e2))) - r) / d;
    const auto across = [&](const Planar& x) {
      return Eigen::Vector2d(p.inner(x, scale(e1)), p.inner(x, scale(e2)));
    };
    Eigen::Matrix2d slope;
    slope.col(0) = across(r1);
    slope.col(1) = across(r2);
    const Eigen::Vector2d step = slope.fullPivLu().solve(across(r));
    Planar next = p.way(way - step[0] * scale(e1) - step[1] * scale(e2));
    Planar r_next = next.allFinite() && step.norm() < 1 ? miss(next) : r;
    if (!(p.speed(r_next) < p.speed(r))) {
      next = p.way(way + share * r);
      r_next = miss(next);
      share = p.speed(r_next) < p.speed(r) ? std::min(1.0, 1.5 * share) : share / 2;
      if (share < 1e-12) break;
    }
    way = next;
    r = r_next;
  }
  unsettled_ += p.speed(r) > 1e-6 ? 1 : 0;
  return way;
}

}  // namespace bristle
