#include "bristle/shape/touch_bore.hpp"

namespace bristle {

std::array<Touch, 2> touch_capsule_bore(const Capsule& capsule, const Pose& pose, const Bore& bore,
                                        const Pose& pose_bore) noexcept {
  const Vector3 half = 0.5 * capsule.length * axis_z(pose);
  return {touch_sphere_bore(capsule.radius, pose.position - half, bore, pose_bore),
          touch_sphere_bore(capsule.radius, pose.position + half, bore, pose_bore)};
}

}  // namespace bristle
