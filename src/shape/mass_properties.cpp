#include "bristle/shape/mass_properties.hpp"

#include <cmath>
#include <limits>

#include "bristle/shape/mesh.hpp"

namespace bristle {
namespace {

constexpr double endless = std::numeric_limits<double>::infinity();

struct SquaredGyrationRadii {
  Vector3 operator()(const Sphere& s) const noexcept {
    return Vector3::Constant(0.4 * s.radius * s.radius);
  }
  Vector3 operator()(const HalfSpace&) const noexcept { return Vector3::Constant(endless); }
  Vector3 operator()(const Bore&) const noexcept { return Vector3::Constant(endless); }
  Vector3 operator()(const Wall&) const noexcept { return Vector3::Constant(endless); }
  Vector3 operator()(const Cylinder& c) const noexcept {
    const double r2 = c.radius * c.radius;
    const double across = r2 / 4 + c.length * c.length / 12;
    return {across, across, r2 / 2};
  }
  Vector3 operator()(const Box& b) const noexcept {
    const Vector3 square = b.size.cwiseAbs2() / 12;
    return Vector3::Constant(square.sum()) - square;
  }
  /// Shares of the mass: the straight part, and the two hemispheres, whose centres of mass are
  /// 3R/8 beyond its ends.
  Vector3 operator()(const Capsule& c) const noexcept {
    const double r = c.radius, r2 = r * r, l = c.length;
    const double ends = 4 * r / (3 * l + 4 * r), straight = 1 - ends;
    const double along = straight * r2 / 2 + ends * 0.4 * r2;
    const double across =
        straight * (r2 / 4 + l * l / 12) + ends * (0.4 * r2 + l * l / 4 + 0.375 * r * l);
    return {across, across, along};
  }
  Vector3 operator()(const Point&) const noexcept { return Vector3::Zero(); }
  Vector3 operator()(const Ellipsoid& e) const noexcept {
    const Vector3 square = e.radii.cwiseAbs2() / 5;
    return Vector3::Constant(square.sum()) - square;
  }
  Vector3 operator()(const Cone& c) const noexcept {
    const double r2 = c.radius * c.radius;
    const double across = 3.0 / 20 * r2 + 3.0 / 80 * c.length * c.length;
    return {across, across, 0.3 * r2};
  }
  Vector3 operator()(const MeshShape& m) const noexcept { return unit_inertia(*m.mesh).diagonal(); }

  static Matrix3 unit_inertia(const Mesh& mesh) noexcept {
    const Matrix3& c = mesh.central_moments();
    return (c.trace() * Matrix3::Identity() - c) / mesh.volume();
  }
};

}  // namespace

Vector3 squared_gyration_radii(const Shape& shape) noexcept {
  return std::visit(SquaredGyrationRadii{}, shape);
}

MassProperties MassProperties::with_mass(const Shape& shape, double mass) noexcept {
  MassProperties properties{.mass = mass};
  if (const auto* solid = std::get_if<MeshShape>(&shape)) {
    properties.inertia = mass * SquaredGyrationRadii::unit_inertia(*solid->mesh);
    return properties;
  }
  // The diagonal only: 0 · ∞ of a product of matrices would be NaN.
  properties.inertia.diagonal() = mass * squared_gyration_radii(shape);
  return properties;
}

MassProperties MassProperties::from_shape(const Shape& shape, double density) noexcept {
  return with_mass(shape, density * volume(shape));
}

}  // namespace bristle
