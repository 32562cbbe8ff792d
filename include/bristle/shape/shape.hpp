#pragma once

/// Shapes in their own frames. Sizes are full lengths and radii, in metres and positive; whoever
/// reads them from a user checks that.

#include <memory>
#include <string_view>
#include <variant>

#include "bristle/shape/pose.hpp"

namespace bristle {

class Mesh;

/// Centred at the origin.
struct Sphere {
  double radius = 1;
};
/// Solid is z ≤ 0; the outward normal of its face is +z.
struct HalfSpace {};
/// An endless cylindrical hole along z; solid is what lies outside the radius.
struct Bore {
  double radius = 1;
};
/// Axis z, centred; `length` from face to face.
struct Cylinder {
  double radius = 1, length = 1;
};
/// Edges along the axes, centred.
struct Box {
  Vector3 size = Vector3::Ones();
};
/// A cylinder with two hemispheres for ends. Axis z, centred; `length` is that of the straight
/// part, so the whole is length + 2 radius long.
struct Capsule {
  double radius = 1, length = 1;
};
/// Half-axes along x, y, z; centred.
struct Ellipsoid {
  Vector3 radii = Vector3::Ones();
};
/// Axis z; the base, of this radius, lies at z = −length/2, the apex at +length/2. Its centre of
/// mass is not the origin.
struct Cone {
  double radius = 1, length = 1;
};
/// A closed triangle mesh, in its own frame. Its centre of mass is where the triangles put it.
struct MeshShape {
  std::shared_ptr<const Mesh> mesh{};
};
/// Solid for x ≤ 0, z ≤ 0, endless along y and downwards; its edge is cut off by a chamfer from
/// (−width, 0) to (0, −height). Two that face each other make a hole.
struct Wall {
  double chamfer_width = 0, chamfer_height = 0;
};
/// A point without extent at the origin, such as the tip of a pendulum.
struct Point {};

using Shape = std::variant<Sphere, HalfSpace, Bore, Cylinder, Box, Capsule, Point, Ellipsoid, Cone,
                           MeshShape, Wall>;

/// As in input files: "sphere", "half-space", …
std::string_view name(const Shape& shape) noexcept;

/// Radius of the smallest sphere about the origin that holds the shape; infinite for half-space,
/// bore and wall.
double bounding_radius(const Shape& shape) noexcept;

/// Infinite for half-space, bore and wall, 0 for a point.
double volume(const Shape& shape) noexcept;

/// In the shape's frame, of uniform density: the origin for all but meshes and the cone, which has
/// it a quarter of its length above the base. For half-space, bore and wall, which have none, the
/// origin.
Vector3 center_of_mass(const Shape& shape) noexcept;

}  // namespace bristle
