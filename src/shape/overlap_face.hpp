#pragma once

// What the overlaps with a half-space have in common.

#include "bristle/shape/overlap.hpp"
#include "bristle/shape/shape.hpp"

namespace bristle::detail {

/// A frame on the face of a half-space: z along its outward normal.
struct FaceFrame {
  Vector3 origin = Vector3::Zero();
  Matrix3 axes = Matrix3::Identity();  ///< columns, world
};
/// With the axes of the half-space, its origin where `point` meets the face along the normal.
FaceFrame face_below(const Vector3& point, const Pose& half_space) noexcept;
/// n·(x − face)
double height_over(const Pose& half_space, const Vector3& point) noexcept;

/// The part of a body under the face, in the face's frame, about its origin. z ≤ 0.
struct Immersed {
  double volume = 0;
  Vector3 first = Vector3::Zero();
  Matrix3 second = Matrix3::Zero();
  double area = 0;    ///< of the cut, in the face
  double wetted = 0;  ///< of the body's surface below the face
  double depth = 0;   ///< of its deepest point
};
/// In the world. The moments are taken about the point of the face above the centroid.
Overlap laid_out(const Immersed& part, const FaceFrame& frame) noexcept;

/// A body that is wholly inside another: its own volume and moments, no direction.
Overlap swallowed(const Shape& shape, const Pose& pose, double depth) noexcept;

/// Exact but for the ellipsoid: there 4π times the product of the two larger half-axes, which is
/// not less. Infinite for half-space and bore.
double surface_area(const Shape& shape) noexcept;

}  // namespace bristle::detail
