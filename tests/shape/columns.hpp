#pragma once

// The common volume of two shapes as a sum over many parallel lines: on each, both bodies are
// intervals. Slow, right to four digits or so, and without a formula in common with the library.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "bristle/shape/overlap.hpp"
#include "bristle/shape/shape.hpp"

namespace bristle::testing {
namespace columns {

constexpr double endless = std::numeric_limits<double>::infinity();

struct Interval {
  double from = -endless, to = endless;
  double length() const { return to - from; }
};
using Intervals = std::vector<Interval>;

inline Intervals intersection(const Intervals& a, const Intervals& b) {
  Intervals both;
  for (const Interval& i : a) {
    for (const Interval& j : b) {
      const Interval k{std::max(i.from, j.from), std::min(i.to, j.to)};
      if (k.length() > 0) both.push_back(k);
    }
  }
  return both;
}

/// Where a t² + 2 b t + c ≤ 0.
inline Intervals where_negative(double a, double b, double c) {
  const double d = b * b - a * c;
  if (std::abs(a) < 1e-300) return {};
  if (d <= 0) return a > 0 ? Intervals{} : Intervals{{}};
  const double r = std::sqrt(d), t1 = (-b - r) / a, t2 = (-b + r) / a;
  const double low = std::min(t1, t2), high = std::max(t1, t2);
  if (a > 0) return {{low, high}};
  return {{-endless, low}, {high, endless}};
}
/// Where |p + t u| ≤ half.
inline Intervals slab(double p, double u, double half) {
  const double t1 = (-half - p) / u, t2 = (half - p) / u;
  return {{std::min(t1, t2), std::max(t1, t2)}};
}

/// The parts of the line p + t u, given in the shape's frame, that are inside.
struct OnLine {
  Vector3 p, u;

  Intervals ball(double radius, const Vector3& centre = Vector3::Zero()) const {
    const Vector3 q = p - centre;
    return where_negative(u.dot(u), q.dot(u), q.dot(q) - radius * radius);
  }
  Intervals round(double radius) const {
    return where_negative(u.x() * u.x() + u.y() * u.y(), p.x() * u.x() + p.y() * u.y(),
                          p.x() * p.x() + p.y() * p.y() - radius * radius);
  }
  Intervals operator()(const Sphere& s) const { return ball(s.radius); }
  Intervals operator()(const Ellipsoid& e) const {
    const OnLine scaled{p.cwiseQuotient(e.radii), u.cwiseQuotient(e.radii)};
    return scaled.ball(1);
  }
  Intervals operator()(const HalfSpace&) const {
    const double t = -p.z() / u.z();
    return u.z() > 0 ? Intervals{{-endless, t}} : Intervals{{t, endless}};
  }
  Intervals operator()(const Bore& b) const {
    const Intervals hole = round(b.radius);
    if (hole.empty()) return {{}};
    return {{-endless, hole[0].from}, {hole[0].to, endless}};
  }
  Intervals operator()(const Cylinder& c) const {
    return intersection(round(c.radius), slab(p.z(), u.z(), 0.5 * c.length));
  }
  Intervals operator()(const Box& b) const {
    Intervals in{{}};
    for (int i = 0; i < 3; ++i) in = intersection(in, slab(p[i], u[i], 0.5 * b.size[i]));
    return in;
  }
  Intervals operator()(const Capsule& c) const {
    const Vector3 end(0, 0, 0.5 * c.length);
    Interval hull{endless, -endless};
    for (const Intervals& part :
         {(*this)(Cylinder{c.radius, c.length}), ball(c.radius, end), ball(c.radius, -end)}) {
      for (const Interval& i : part) {
        hull = {std::min(hull.from, i.from), std::max(hull.to, i.to)};
      }
    }
    return hull.length() > 0 ? Intervals{hull} : Intervals{};
  }
  Intervals operator()(const Cone& c) const {
    // x² + y² ≤ (slope (L/2 − z))², between the base and the apex
    const double slope = c.radius / c.length, q = 0.5 * c.length - p.z(), s2 = slope * slope;
    const Intervals in = where_negative(u.x() * u.x() + u.y() * u.y() - s2 * u.z() * u.z(),
                                        p.x() * u.x() + p.y() * u.y() + s2 * q * u.z(),
                                        p.x() * p.x() + p.y() * p.y() - s2 * q * q);
    return intersection(in, slab(p.z(), u.z(), 0.5 * c.length));
  }
  Intervals operator()(const Point&) const { return {}; }
};

inline Intervals inside(const Shape& shape, const Pose& pose, const Vector3& p, const Vector3& u) {
  return std::visit(OnLine{apply_inverse(pose, p), rotate_inverse(pose, u)}, shape);
}

}  // namespace columns

/// Lines along `u`, n × n of them over the shadow of A, which has an end.
inline Moments add_columns(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                           const Vector3& u, int n) {
  const double r = bounding_radius(a), step = 2 * r / n;
  const Vector3 e1 = u.unitOrthogonal(), e2 = u.cross(e1);
  Moments sum;
  sum.about = pose_a.position;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const Vector3 across = ((i + 0.5) * step - r) * e1 + ((j + 0.5) * step - r) * e2;
      const Vector3 p = pose_a.position + across;
      const columns::Intervals of_a = columns::inside(a, pose_a, p, u);
      for (const auto& in : columns::intersection(of_a, columns::inside(b, pose_b, p, u))) {
        const double volume = step * step * in.length(), middle = 0.5 * (in.from + in.to);
        const Vector3 x = across + middle * u;
        sum.volume += volume;
        sum.first += volume * x;
        sum.second +=
            volume * (x * x.transpose() + in.length() * in.length() / 12 * u * u.transpose());
      }
    }
  }
  return sum;
}

}  // namespace bristle::testing
