#pragma once

/// Contact inside a bore: A is the body in the hole, B the bore. The normal points from the wall to
/// the axis, the reference is the axis: they are perpendicular wherever A is, so the tangent basis
/// (along the bore, round it) turns smoothly as A goes round.
///
/// A must be narrower than the bore. On the axis itself the wall is equally near on all sides; the
/// normal is then −x of the bore.

#include <array>

#include "bristle/shape/touch.hpp"

namespace bristle {

inline Touch touch_sphere_bore(double radius, const Vector3& centre, const Bore& bore,
                               const Pose& pose) noexcept {
  const Vector3 axis = axis_z(pose);
  const Vector3 from = centre - pose.position;
  const Vector3 off = from - axis.dot(from) * axis;
  const double distance = off.norm();
  const Vector3 normal = distance > 1e-300 ? Vector3(off / -distance) : Vector3(-axis_x(pose));
  return {centre - radius * normal, normal, bore.radius - radius - distance, axis};
}
inline Touch touch_point_bore(const Vector3& point, const Bore& bore, const Pose& pose) noexcept {
  return touch_sphere_bore(0, point, bore, pose);
}

/// The end spheres at −z and +z: a straight axis is farthest out at its ends.
std::array<Touch, 2> touch_capsule_bore(const Capsule& capsule, const Pose& pose, const Bore& bore,
                                        const Pose& pose_bore) noexcept;

}  // namespace bristle
