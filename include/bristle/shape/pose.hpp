#pragma once

/// Where a body is: its frame B seen from the world W. `rotation` is a unit quaternion and turns
/// body axes into world axes, x_W = position + R x_B.

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace bristle {

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;

struct Pose {
  Vector3 position = Vector3::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
};

/// The world place of a point given in the body's frame.
inline Vector3 apply(const Pose& pose, const Vector3& point) noexcept {
  return pose.position + pose.rotation * point;
}
/// The place in the body's frame of a point of the world.
inline Vector3 apply_inverse(const Pose& pose, const Vector3& point) noexcept {
  return pose.rotation.conjugate() * (point - pose.position);
}
/// The same for directions.
inline Vector3 rotate(const Pose& pose, const Vector3& direction) noexcept {
  return pose.rotation * direction;
}
inline Vector3 rotate_inverse(const Pose& pose, const Vector3& direction) noexcept {
  return pose.rotation.conjugate() * direction;
}

/// apply(compose(outer, inner), x) = apply(outer, apply(inner, x)).
inline Pose compose(const Pose& outer, const Pose& inner) noexcept {
  return {apply(outer, inner.position), outer.rotation * inner.rotation};
}
inline Pose inverse(const Pose& pose) noexcept {
  const Eigen::Quaterniond back = pose.rotation.conjugate();
  return {-(back * pose.position), back};
}

/// The body's axes in the world: columns of R, written out because a contact wants one or two of
/// them and never the matrix.
inline Vector3 axis_x(const Pose& pose) noexcept {
  const auto& q = pose.rotation;
  return {1 - 2 * (q.y() * q.y() + q.z() * q.z()), 2 * (q.x() * q.y() + q.w() * q.z()),
          2 * (q.x() * q.z() - q.w() * q.y())};
}
inline Vector3 axis_y(const Pose& pose) noexcept {
  const auto& q = pose.rotation;
  return {2 * (q.x() * q.y() - q.w() * q.z()), 1 - 2 * (q.x() * q.x() + q.z() * q.z()),
          2 * (q.y() * q.z() + q.w() * q.x())};
}
inline Vector3 axis_z(const Pose& pose) noexcept {
  const auto& q = pose.rotation;
  return {2 * (q.x() * q.z() + q.w() * q.y()), 2 * (q.y() * q.z() - q.w() * q.x()),
          1 - 2 * (q.x() * q.x() + q.y() * q.y())};
}

}  // namespace bristle
