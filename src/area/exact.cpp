#include "bristle/area/exact.hpp"

#include <algorithm>
#include <limits>

#include "pieces.hpp"

namespace bristle {
namespace {

using namespace area_detail;

/// A piece of this centre and size, whose own friction `f(v, size ω)` gives.
template <class F>
void add_piece(const Planar& motion, const Point2& centre, double size, ExactFriction& sum,
               F&& f) noexcept {
  const double omega = motion.z();
  Point2 v = motion.head<2>() + omega * left(centre);
  const double spin = omega * size, scale = std::max(v.cwiseAbs().maxCoeff(), std::abs(spin));
  if (!(scale > 0)) return;
  v /= scale;
  const PieceFriction p = f(v, spin / scale);
  sum.wrench += Planar(p.force.x(), p.force.y(), size * p.moment + cross(centre, p.force));
  sum.error += p.error;
}

/// A support under the instantaneous centre does not slip: it adds nothing. Rounding decides
/// within a few units in the last place of the motion.
void add_point(const Planar& motion, const PointPiece& point, ExactFriction& sum) noexcept {
  const Point2 spin = motion.z() * left(point.place), v = motion.head<2>() + spin;
  const double rounding = 4e-16 * (motion.head<2>().norm() + spin.norm()), speed = v.norm();
  if (speed <= rounding) {
    sum.centre_inside = true;
    return;
  }
  const Point2 force = point.share / speed * v;
  sum.wrench += Planar(force.x(), force.y(), cross(point.place, force));
  sum.error += 1e-16 * point.share;
}

double size_of(const TrianglePiece& t) noexcept {
  const Point2 middle = centroid(t);
  double size = 0;
  for (const Point2& corner : t.corner) size = std::max(size, (corner - middle).norm());
  return size;
}

}  // namespace

ExactFriction exact_friction(const PressedArea& area, const Planar& motion) noexcept {
  ExactFriction sum;
  // The largest component first, then ω times a length: neither over- nor underflows.
  const double largest = motion.cwiseAbs().maxCoeff();
  if (largest == 0) return sum;
  if (!motion.allFinite()) {
    sum.wrench.setConstant(std::numeric_limits<double>::quiet_NaN());
    return sum;
  }
  const Planar scaled = motion / largest;
  for (const TrianglePiece& t : area.triangles()) {
    add_piece(scaled, centroid(t), size_of(t), sum,
              [&](const Point2& v, double spin) { return triangle_friction(t, v, spin); });
  }
  for (const EllipsePiece& e : area.ellipses()) {
    add_piece(scaled, e.centre, std::sqrt(e.a * e.b), sum,
              [&](const Point2& v, double spin) { return ellipse_friction(e, v, spin); });
  }
  for (const PointPiece& p : area.points()) add_point(scaled, p, sum);
  if (scaled.head<2>().norm() <= area.reach() * std::abs(scaled.z())) {
    const Point2 centre = left(scaled.head<2>()) / scaled.z();
    sum.centre_inside = sum.centre_inside || area.pressure(centre) > 0;
  }
  return sum;
}

double area_moment(const PressedArea& area, int i, int j, int k) {
  double sum = 0;
  for (const TrianglePiece& t : area.triangles()) sum += triangle_moment(t, i, j, k);
  for (const EllipsePiece& e : area.ellipses()) sum += ellipse_moment(e, i, j, k);
  for (const PointPiece& p : area.points()) {
    const double r = p.place.norm();
    if (r == 0 && i + j - k != 0) continue;
    // At the pole x^i y^j r^{−k} has no direction to go by: its mean over all of them would do, and
    // is what i = j = k = 0 needs.
    const double power = r == 0 ? (i == 0 && j == 0 ? 1 : 0) : std::pow(r, -k);
    sum += p.share * std::pow(p.place.x(), i) * std::pow(p.place.y(), j) * power;
  }
  return sum;
}

}  // namespace bristle
