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

/// Four points on the rim at −z, then four on that at +z, in the same order: the deepest (lowest
/// along n), then 90°, 180° and 270° on, counted about the axis z of the cylinder. With s the sine
/// of the angle between axis and normal and h the height of the rim's centre their gaps are
///
///   h − R s,   h,   h + R s,   h:
///
/// continuous for every motion, though the points swing round quickly when a cylinder that stands
/// almost upright (s → 0) begins to lean another way. No choice of points can avoid that; the sum
/// of four equal loads does not notice. Exactly upright (s < 1e-9) they are counted from the
/// reference axis instead of the deepest point.
///
/// Lying, only the two deepest points touch; rolling on its side or on a rim is smooth. The 2nd and
/// 4th are no material points, and the level they mark turns with the lean: their gap rates differ
/// from n·v by ± R s φ̇, φ̇ the rate at which the deepest point travels round the rim. The mean of
/// the two is exact, so elastic forces do no false work.
std::array<Touch, 8> touch_cylinder_half_space(const Cylinder& cylinder, const Pose& pose,
                                               const Pose& half_space) noexcept;

}  // namespace bristle
