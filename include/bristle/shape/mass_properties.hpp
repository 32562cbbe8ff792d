#pragma once

/// Mass and inertia of solid shapes of uniform density. Inertia is about the centre of mass, which
/// is the origin of the shape's frame for every shape but the cone (`center_of_mass`, shape.hpp).

#include "bristle/shape/shape.hpp"

namespace bristle {

struct MassProperties {
  double mass = 0;
  Matrix3 inertia = Matrix3::Zero();  ///< about the centre of mass, body axes

  /// Half-space and bore have no bound: mass and inertia are infinite (a body that cannot be
  /// moved). A point has neither.
  static MassProperties from_shape(const Shape& shape, double density) noexcept;
  /// A solid of the given mass. Half-space and bore keep infinite inertia; a point has none.
  static MassProperties with_mass(const Shape& shape, double mass) noexcept;
};

/// Inertia per unit mass: squares of the radii of gyration about x, y, z.
Vector3 squared_gyration_radii(const Shape& shape) noexcept;

}  // namespace bristle
