#pragma once

/// Contact of a sphere (A) with the outside of a solid (B), and of two capsules. A point is a
/// sphere of radius 0. Distances are exact; with the centre of the sphere inside the solid the
/// nearest face pushes it out.
///
/// Between curved bodies no reference can be smooth everywhere. It is an axis of B: z where the
/// normal is more than 26° away from it, x elsewhere, so it changes only where a contact runs onto
/// the end of a capsule or the top of a box. For two spheres or two capsules, where A and B have
/// equal rights, it is an axis of the world chosen by the same rule.

#include "bristle/shape/touch.hpp"

namespace bristle {

/// The direction, among z and x, that is well away from n.
inline Vector3 reference_beside(const Vector3& normal, const Vector3& z,
                                const Vector3& x) noexcept {
  return std::abs(normal.dot(z)) < 0.9 ? z : x;
}

/// Two spheres; `apart` is the normal if the centres coincide.
inline Touch touch_sphere_sphere(double radius_a, const Vector3& centre_a, double radius_b,
                                 const Vector3& centre_b,
                                 const Vector3& apart = Vector3::UnitZ()) noexcept {
  const Vector3 between = centre_a - centre_b;
  const double distance = between.norm();
  const Vector3 normal = distance > 1e-300 ? Vector3(between / distance) : apart;
  const double gap = distance - radius_a - radius_b;
  return {centre_a - (radius_a + 0.5 * gap) * normal, normal, gap,
          reference_beside(normal, Vector3::UnitZ(), Vector3::UnitX())};
}

Touch touch_sphere_capsule(double radius, const Vector3& centre, const Capsule& capsule,
                           const Pose& pose) noexcept;
Touch touch_sphere_box(double radius, const Vector3& centre, const Box& box,
                       const Pose& pose) noexcept;
Touch touch_sphere_cylinder(double radius, const Vector3& centre, const Cylinder& cylinder,
                            const Pose& pose) noexcept;

/// One point, where the axes are nearest. Of parallel capsules that overlap, the middle of the
/// overlap; the point leaps along them when they tilt, the gap does not. Right while the axes have
/// not passed through each other.
Touch touch_capsule_capsule(const Capsule& a, const Pose& pose_a, const Capsule& b,
                            const Pose& pose_b) noexcept;

}  // namespace bristle
