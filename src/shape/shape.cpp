#include "bristle/shape/shape.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "bristle/shape/mesh.hpp"

namespace bristle {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double endless = std::numeric_limits<double>::infinity();

struct Name {
  std::string_view operator()(const Sphere&) const noexcept { return "sphere"; }
  std::string_view operator()(const HalfSpace&) const noexcept { return "half-space"; }
  std::string_view operator()(const Bore&) const noexcept { return "bore"; }
  std::string_view operator()(const Cylinder&) const noexcept { return "cylinder"; }
  std::string_view operator()(const Box&) const noexcept { return "box"; }
  std::string_view operator()(const Capsule&) const noexcept { return "capsule"; }
  std::string_view operator()(const Point&) const noexcept { return "point"; }
  std::string_view operator()(const Ellipsoid&) const noexcept { return "ellipsoid"; }
  std::string_view operator()(const Cone&) const noexcept { return "cone"; }
  std::string_view operator()(const MeshShape&) const noexcept { return "mesh"; }
  std::string_view operator()(const Wall&) const noexcept { return "wall"; }
};

struct BoundingRadius {
  double operator()(const Sphere& s) const noexcept { return s.radius; }
  double operator()(const HalfSpace&) const noexcept { return endless; }
  double operator()(const Bore&) const noexcept { return endless; }
  double operator()(const Cylinder& c) const noexcept {
    return std::hypot(c.radius, 0.5 * c.length);
  }
  double operator()(const Box& b) const noexcept { return 0.5 * b.size.norm(); }
  double operator()(const Capsule& c) const noexcept { return c.radius + 0.5 * c.length; }
  double operator()(const Point&) const noexcept { return 0; }
  double operator()(const Ellipsoid& e) const noexcept { return e.radii.maxCoeff(); }
  double operator()(const Cone& c) const noexcept { return std::hypot(c.radius, 0.5 * c.length); }
  double operator()(const MeshShape& m) const noexcept { return m.mesh->bounding_radius(); }
  double operator()(const Wall&) const noexcept { return endless; }
};

struct Volume {
  double operator()(const Sphere& s) const noexcept { return 4.0 / 3 * pi * std::pow(s.radius, 3); }
  double operator()(const HalfSpace&) const noexcept { return endless; }
  double operator()(const Bore&) const noexcept { return endless; }
  double operator()(const Cylinder& c) const noexcept {
    return pi * c.radius * c.radius * c.length;
  }
  double operator()(const Box& b) const noexcept { return b.size.prod(); }
  double operator()(const Capsule& c) const noexcept {
    return pi * c.radius * c.radius * (c.length + 4.0 / 3 * c.radius);
  }
  double operator()(const Point&) const noexcept { return 0; }
  double operator()(const Ellipsoid& e) const noexcept { return 4.0 / 3 * pi * e.radii.prod(); }
  double operator()(const Cone& c) const noexcept {
    return pi / 3 * c.radius * c.radius * c.length;
  }
  double operator()(const MeshShape& m) const noexcept { return m.mesh->volume(); }
  double operator()(const Wall&) const noexcept { return endless; }
};

}  // namespace

std::string_view name(const Shape& shape) noexcept { return std::visit(Name{}, shape); }
double bounding_radius(const Shape& shape) noexcept { return std::visit(BoundingRadius{}, shape); }
double volume(const Shape& shape) noexcept { return std::visit(Volume{}, shape); }
Vector3 center_of_mass(const Shape& shape) noexcept {
  if (const auto* mesh = std::get_if<MeshShape>(&shape)) return mesh->mesh->centroid();
  const auto* cone = std::get_if<Cone>(&shape);
  return cone == nullptr ? Vector3(Vector3::Zero()) : Vector3(0, 0, -0.25 * cone->length);
}

}  // namespace bristle
