#include "bristle/area/exact_law.hpp"

#include <cmath>
#include <utility>

#include <Eigen/LU>

namespace bristle {

double mean_distance(const PressedArea& area) {
  const double c = area_moment(area, 0, 0, -1);
  return c > 0 ? c : 1;
}

ExactAreaLaw::ExactAreaLaw(PressedArea area)
    : AreaLaw(mean_distance(area)), area_(std::move(area)) {}

Planar ExactAreaLaw::sliding(const Planar& motion) const noexcept {
  return exact_friction(area_, motion).wrench;
}

Planar ExactAreaLaw::Face::motion(double delta, double alpha) const noexcept {
  return {sense * support->place.y() + delta * std::cos(alpha),
          -sense * support->place.x() + delta * std::sin(alpha), sense};
}

bool ExactAreaLaw::make_face(const PointPiece& support, double sense, const Planar& wrench,
                             Face& face) const noexcept {
  face.support = &support;
  face.sense = sense;
  const double x = support.place.x(), y = support.place.y(), share = support.share;
  const Planar rest = beside(face, 0, 0) - share * Planar(1, 0, -y);
  Eigen::Matrix3d system;
  system.col(0) = wrench;
  system.col(1) = -share * Planar(1, 0, -y);
  system.col(2) = -share * Planar(0, 1, x);
  const Planar scale(1, 1, 1 / length());
  system = scale.asDiagonal() * system;
  const double size = wrench.cwiseProduct(scale).norm();
  if (!(std::abs(system.determinant()) > 1e-13 * size * share * share)) return false;
  const Planar found = system.inverse() * rest.cwiseProduct(scale);
  face.inverse_xi = found[0];
  face.force = found.tail<2>();
  return face.inverse_xi > 0;
}

Planar ExactAreaLaw::beside(const Face& face, double delta, double alpha) const noexcept {
  const Planar t = face.motion(delta, alpha);
  const Point2 creep(std::cos(alpha), std::sin(alpha));
  const auto at = [](const PointPiece& p, const Point2& way) -> Planar {
    return p.share * Planar(way.x(), way.y(), p.place.x() * way.y() - p.place.y() * way.x());
  };
  const bool solid = !area_.triangles().empty() || !area_.ellipses().empty();
  Planar sum = solid ? sliding(t) : Planar::Zero();
  for (const PointPiece& p : area_.points()) {
    const Point2 v(t.x() - p.place.y() * t.z(), t.y() + p.place.x() * t.z());
    const double speed = v.norm();
    const Planar own = speed > 1e-15 * length() ? at(p, v / speed) : Planar::Zero();
    const Planar wanted = &p == face.support ? at(p, creep) : own;
    sum += solid ? Planar(wanted - own) : wanted;
  }
  return sum;
}

Hold ExactAreaLaw::hold_towards(const Planar& motion, double xi) const noexcept {
  return {xi, Planar(motion.x(), motion.y(), length() * motion.z()).normalized(), true};
}

// Newton in (δ/L, α) from the face's own edge.
bool ExactAreaLaw::hold_beside(const Face& face, const Planar& wrench, Hold& hold) const noexcept {
  const Planar scale(1, 1, 1 / length());
  const Planar aim = wrench.cwiseProduct(scale);
  const double size = aim.norm();
  const Planar e = aim / size;
  const auto point = [&](const Point2& x) -> Planar {
    return beside(face, x[0] * length(), x[1]).cwiseProduct(scale);
  };
  const auto miss = [&](const Point2& x) -> Planar {
    const Planar w = point(x);
    return w / w.norm() - e;
  };
  Point2 x(0, std::atan2(face.force.y(), face.force.x()));
  Planar now = miss(x);
  for (int i = 0; i < 30 && now.norm() > 4e-16; ++i) {
    constexpr double h = 1e-6;
    Eigen::Matrix<double, 3, 2> slope;
    slope.col(0) = (miss(x + Point2(h, 0)) - miss(x - Point2(h, 0))) / (2 * h);
    slope.col(1) = (miss(x + Point2(0, h)) - miss(x - Point2(0, h))) / (2 * h);
    const Eigen::Matrix2d normal = slope.transpose() * slope;
    if (!(normal.determinant() > 1e-24 * normal.squaredNorm())) return false;
    Point2 step = -normal.inverse() * (slope.transpose() * now);
    if (step.norm() > 0.5) step *= 0.5 / step.norm();
    const Planar next = miss(x + step);
    if (!(next.norm() < now.norm())) break;
    x += step;
    now = next;
  }
  if (!(now.norm() < 1e-12) || x[0] < 0) return false;
  hold = hold_towards(face.motion(x[0] * length(), x[1]), size / point(x).norm());
  return true;
}

Hold ExactAreaLaw::hold(const Planar& wrench) const noexcept {
  Face face{};
  Hold hold;
  if (wrench.isZero(0)) return hold;
  for (const PointPiece& support : area_.points()) {
    for (const double sense : {1.0, -1.0}) {
      if (!make_face(support, sense, wrench, face)) continue;
      const double force = face.force.norm();
      if (force <= 1) return hold_towards(face.motion(0, 0), 1 / face.inverse_xi);
      if (force < 1.5 && hold_beside(face, wrench, hold)) return hold;
    }
  }
  return hold_by_newton(wrench);
}

}  // namespace bristle
