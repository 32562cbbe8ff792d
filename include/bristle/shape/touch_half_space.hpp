#pragma once

/// Contact with a half-space: A is the body, B the half-space, n its outward normal, the reference
/// its x axis. Normal and reference do not depend on A at all, so the tangent basis is constant
/// on a plane at rest.

#include <array>

#include "bristle/shape/touch.hpp"

namespace bristle {

/// A half-space with what every contact with it needs worked out.
struct Ground {
  Vector3 origin, normal, reference;

  explicit Ground(const Pose& pose) noexcept
      : origin(pose.position), normal(axis_z(pose)), reference(axis_x(pose)) {}
  double height(const Vector3& point) const noexcept { return normal.dot(point - origin); }
  Touch at(const Vector3& point) const noexcept {
    return {point, normal, height(point), reference};
  }
};

/// The centre is A's position: a sphere looks the same from everywhere.
inline Touch touch_sphere_half_space(double radius, const Vector3& centre,
                                     const Ground& plane) noexcept {
  return {centre - radius * plane.normal, plane.normal, plane.height(centre) - radius,
          plane.reference};
}
inline Touch touch_sphere_half_space(double radius, const Vector3& centre,
                                     const Pose& half_space) noexcept {
  return touch_sphere_half_space(radius, centre, Ground(half_space));
}
inline Touch touch_point_half_space(const Vector3& point, const Pose& half_space) noexcept {
  return Ground(half_space).at(point);
}

/// The end spheres at −z and +z.
std::array<Touch, 2> touch_capsule_half_space(const Capsule& capsule, const Pose& pose,
                                              const Pose& half_space) noexcept;

/// The corners, material points of the box.
std::array<Touch, 8> touch_box_half_space(const Box& box, const Pose& pose,
                                          const Pose& half_space) noexcept;

/// Three points of the face at −z, then three of that at +z, in the same order: the deepest point
/// of its rim (lowest along n), the one opposite to it, and the centre of the face. With s the sine
/// of the angle between axis and normal and h the height of the centre their gaps are
///
///   h − R s,   h + R s,   h.
///
/// The first two are the lowest and the highest of the rim, the third is a point of the body: so
/// the gap of each changes by n·v of the body there, and elastic forces do no false work although
/// the first two travel round the rim. Standing, the three carry equal loads, and sliding friction
/// resists a turn about the axis as an even pressure would, by ⅔ μ N R.
///
/// When a cylinder that stands almost upright (s → 0) begins to lean another way, the first two
/// swing round quickly; no choice of points can avoid that. When it rocks through upright they
/// change places. Exactly upright (s < 1e-9) they are counted from the reference axis.
///
/// Lying, only the two deepest points touch; rolling on its side or on a rim is smooth.
std::array<Touch, 6> touch_cylinder_half_space(const Cylinder& cylinder, const Pose& pose,
                                               const Pose& half_space) noexcept;

}  // namespace bristle
