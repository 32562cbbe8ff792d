#include "bristle/shape/touch_solids.hpp"

#include <algorithm>
#include <cmath>

namespace bristle {
namespace {

/// The nearest point of a solid's surface seen from a point x in the solid's frame: x is `distance`
/// (< 0 inside) along `normal` from it.
struct Nearest {
  double distance;
  Vector3 normal;
};

Touch touch_ball(double radius, const Vector3& centre, const Nearest& nearest,
                 const Pose& pose) noexcept {
  const Vector3 normal = rotate(pose, nearest.normal);
  const Vector3 reference = reference_beside(nearest.normal, Vector3::UnitZ(), Vector3::UnitX());
  return {centre - radius * normal, normal, nearest.distance - radius, rotate(pose, reference)};
}

/// Outside: along the shortest way to the box. Inside: out through the nearest face.
Nearest nearest_of_box(const Vector3& half, const Vector3& x) noexcept {
  const Vector3 outside = x - x.cwiseMax(-half).cwiseMin(half);
  const double distance = outside.norm();
  if (distance > 0) return {distance, outside / distance};
  Eigen::Index face = 0;
  const double depth = (half - x.cwiseAbs()).minCoeff(&face);
  return {-depth, std::copysign(1.0, x[face]) * Vector3::Unit(face)};
}

/// In the half-plane through the axis a cylinder is a rectangle: a box in (ρ, z).
Nearest nearest_of_cylinder(const Cylinder& cylinder, const Vector3& x) noexcept {
  const double rho = std::hypot(x.x(), x.y());
  const Vector3 out = rho > 1e-300 ? Vector3(x.x() / rho, x.y() / rho, 0) : Vector3::UnitX();
  const double beside = rho - cylinder.radius;
  const double above = std::abs(x.z()) - 0.5 * cylinder.length;
  const Vector3 up(0, 0, std::copysign(1.0, x.z()));
  if (beside > 0 && above > 0) {
    const double distance = std::hypot(beside, above);
    return {distance, (beside / distance) * out + (above / distance) * up};
  }
  return beside > above ? Nearest{beside, out} : Nearest{above, up};
}

/// Where two segments c ± h d are nearest, as coordinates along d (Ericson 2005, 5.1.9).
struct Nearby {
  double s, t;
};

/// Parallel axes: the middle of the overlap, or the ends that face each other.
Nearby nearest_of_parallel(double along, double cosine, double half_a, double half_b) noexcept {
  const double low = std::max(-half_a, along - half_b), high = std::min(half_a, along + half_b);
  const double s = std::clamp(0.5 * (low + high), -half_a, half_a);
  return {s, std::clamp((s - along) * cosine, -half_b, half_b)};
}

Nearby nearest_of_segments(const Vector3& a, const Vector3& da, double half_a, const Vector3& b,
                           const Vector3& db, double half_b) noexcept {
  const Vector3 between = b - a;
  const double cosine = da.dot(db), along_a = da.dot(between), along_b = db.dot(between);
  const double square = da.cross(db).squaredNorm();
  if (square < 1e-20) return nearest_of_parallel(along_a, cosine > 0 ? 1 : -1, half_a, half_b);
  const double s = std::clamp((along_a - cosine * along_b) / square, -half_a, half_a);
  const double t = std::clamp(s * cosine - along_b, -half_b, half_b);
  return {std::clamp(t * cosine + along_a, -half_a, half_a), t};
}

}  // namespace

Touch touch_sphere_capsule(double radius, const Vector3& centre, const Capsule& capsule,
                           const Pose& pose) noexcept {
  const Vector3 x = apply_inverse(pose, centre);
  const double half = 0.5 * capsule.length;
  const Vector3 from_axis = x - Vector3(0, 0, std::clamp(x.z(), -half, half));
  const double distance = from_axis.norm();
  const Vector3 normal = distance > 1e-300 ? Vector3(from_axis / distance) : Vector3::UnitX();
  return touch_ball(radius, centre, {distance - capsule.radius, normal}, pose);
}

Touch touch_sphere_box(double radius, const Vector3& centre, const Box& box,
                       const Pose& pose) noexcept {
  return touch_ball(radius, centre, nearest_of_box(0.5 * box.size, apply_inverse(pose, centre)),
                    pose);
}

Touch touch_sphere_cylinder(double radius, const Vector3& centre, const Cylinder& cylinder,
                            const Pose& pose) noexcept {
  return touch_ball(radius, centre, nearest_of_cylinder(cylinder, apply_inverse(pose, centre)),
                    pose);
}

Touch touch_capsule_capsule(const Capsule& a, const Pose& pose_a, const Capsule& b,
                            const Pose& pose_b) noexcept {
  const Vector3 da = axis_z(pose_a), db = axis_z(pose_b);
  const auto [s, t] =
      nearest_of_segments(pose_a.position, da, 0.5 * a.length, pose_b.position, db, 0.5 * b.length);
  Vector3 across = da.cross(db);
  if (across.squaredNorm() < 1e-20) across = axis_x(pose_b);
  return touch_sphere_sphere(a.radius, pose_a.position + s * da, b.radius, pose_b.position + t * db,
                             across.normalized());
}

}  // namespace bristle
