#include "bristle/shape/touch_half_space.hpp"

namespace bristle {

std::array<Touch, 2> touch_capsule_half_space(const Capsule& capsule, const Pose& pose,
                                              const Pose& half_space) noexcept {
  const Ground ground(half_space);
  const Vector3 half = 0.5 * capsule.length * axis_z(pose);
  return {touch_sphere_half_space(capsule.radius, pose.position - half, ground),
          touch_sphere_half_space(capsule.radius, pose.position + half, ground)};
}

std::array<Touch, 8> touch_box_half_space(const Box& box, const Pose& pose,
                                          const Pose& half_space) noexcept {
  const Ground ground(half_space);
  const Vector3 x = 0.5 * box.size.x() * axis_x(pose);
  const Vector3 y = 0.5 * box.size.y() * axis_y(pose);
  const Vector3 z = 0.5 * box.size.z() * axis_z(pose);
  std::array<Touch, 8> corners;
  for (unsigned i = 0; i < 8; ++i) {
    const auto side = [i](unsigned bit) { return (i >> bit & 1U) != 0 ? 1.0 : -1.0; };
    corners[i] = ground.at(pose.position + side(0) * x + side(1) * y + side(2) * z);
  }
  return corners;
}

std::array<Touch, 6> touch_cylinder_half_space(const Cylinder& cylinder, const Pose& pose,
                                               const Pose& half_space) noexcept {
  const Ground ground(half_space);
  const Vector3 axis = axis_z(pose);
  Vector3 down = axis.dot(ground.normal) * axis - ground.normal;
  if (down.squaredNorm() < 1e-18) down = ground.reference - axis.dot(ground.reference) * axis;
  down *= cylinder.radius / down.norm();
  const Vector3 half = 0.5 * cylinder.length * axis;
  std::array<Touch, 6> rims;
  for (unsigned rim = 0; rim < 2; ++rim) {
    const Vector3 centre = rim == 0 ? Vector3(pose.position - half) : Vector3(pose.position + half);
    rims[3 * rim + 0] = ground.at(centre + down);
    rims[3 * rim + 1] = ground.at(centre - down);
    rims[3 * rim + 2] = ground.at(centre);
  }
  return rims;
}

}  // namespace bristle
