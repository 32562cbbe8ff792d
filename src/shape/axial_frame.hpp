#pragma once

// A sphere seen from the axis of a bore or cylinder.

#include <cmath>

#include "bristle/shape/overlap.hpp"

namespace bristle::detail {

/// x from the axis to the centre of the sphere, z along the axis. `origin` is the point of the axis
/// level with the origin of the round body.
struct AxialFrame {
  Vector3 origin;
  Matrix3 axes;   ///< columns, world
  double offset;  ///< of the sphere's centre from the axis
  double along;   ///< its place on the axis

  AxialFrame(const Pose& round, const Vector3& centre) noexcept : origin(round.position) {
    const Vector3 z = axis_z(round), from = centre - round.position;
    along = z.dot(from);
    const Vector3 off = from - along * z;
    offset = off.norm();
    Vector3 x = offset > 1e-300 ? Vector3(off / offset) : axis_x(round);
    x = (x - x.dot(z) * z).normalized();
    axes << x, z.cross(x), z;
  }
  Vector3 point(const Vector3& local) const noexcept { return origin + axes * local; }
  Vector3 direction(const Vector3& local) const noexcept { return axes * local; }
  /// Moments given in this frame.
  Moments placed(const Moments& m) const noexcept {
    return {point(m.about), m.volume, axes * m.first, axes * m.second * axes.transpose()};
  }
};

}  // namespace bristle::detail
