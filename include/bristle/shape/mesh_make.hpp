#pragma once

/// Meshes by programme: closed, outward, without equal vertices. Lengths in metres, counts at least
/// what is said (smaller ones are raised). Vertices lie on the ideal surface, so convex bodies are
/// inscribed and lose volume with the square of the size of their triangles; boxes are exact.
///
///   const auto ball = Mesh::make(make_sphere(0.1, 64));  // 32 768 triangles

#include "bristle/shape/mesh.hpp"
#include "bristle/shape/shape.hpp"

namespace bristle {

/// An octahedron, each face cut into n² triangles and blown up: 8 n² triangles (n ≥ 1), whose
/// distance from the sphere is R/n² at most.
TriangleSoup make_sphere(double radius, int n);
TriangleSoup make_ellipsoid(const Vector3& semi_axes, int n);
/// A sphere with r = R (1 + bump f), |f| ≤ 1 with about `lobes` hills round the equator;
/// star-shaped for bump < 1.
TriangleSoup make_bumpy_sphere(double radius, double bump, int lobes, int n);
/// Centred, edges along the axes, cut into nx, ny, nz parts.
TriangleSoup make_box(const Vector3& size, int nx = 1, int ny = 1, int nz = 1);
/// Axis z, centred. `segments` (≥ 3) round the axis, `layers` along it.
TriangleSoup make_cylinder(double radius, double length, int segments, int layers = 1);
/// Axis z, tip at the origin, opening upwards to a flat base at z = height.
TriangleSoup make_cone(double radius, double height, int segments, int layers = 1);
/// Axis z, centred, straight part `length`; `segments` a multiple of 4.
TriangleSoup make_capsule(double radius, double length, int segments, int layers = 1);
/// About z: distance of the tube's middle from the axis, radius of the tube (smaller).
TriangleSoup make_torus(double radius, double tube, int segments, int tube_segments);
/// An L of two legs from the corner at the origin along +x and +y, extruded from z = 0; each side
/// of the outline is cut into `parts`.
TriangleSoup make_angle_profile(double leg, double thickness, double length, int parts = 1);

/// Teeth are trapezoids between root and tip circle; a bore of radius 0 is none. Axis z, centred.
struct SpurGear {
  int teeth = 12;
  double tip_radius = 0.05, root_radius = 0.04, width = 0.02, bore = 0;
};
TriangleSoup make_spur_gear(const SpurGear& gear, int points_per_tooth = 8, int layers = 1);

/// A trapezoidal thread: the radius goes from core to core + depth and back once a pitch, a quarter
/// of it at each flank. Axis z, right-handed.
struct Thread {
  double core = 0.004, depth = 0.0006, pitch = 0.00125;
};
/// Shank from z = 0 to `length`, then a hexagonal head.
struct Bolt {
  Thread thread{};
  double length = 0.02, head_radius = 0.0075, head_height = 0.005;
};
TriangleSoup make_bolt(const Bolt& bolt, int segments = 48, int layers_per_pitch = 16);
/// A hexagon from z = 0 to `height` whose thread is that of the bolt, larger by `clearance` in
/// radius: on the bolt without turning it fits where z agrees.
struct Nut {
  Thread thread{};
  double height = 0.0065, radius = 0.0075, clearance = 0.0001;
};
TriangleSoup make_nut(const Nut& nut, int segments = 48, int layers_per_pitch = 16);

/// Lower face at z = 0 with a chamfer of 45°, axis z.
struct Peg {
  double radius = 0.01, length = 0.05, chamfer = 0.001;
};
TriangleSoup make_peg(const Peg& peg, int segments, int layers = 1);
/// A square block below z = 0 with a round hole along z, chamfered at its mouth. A hole as deep as
/// the block goes through.
struct HoleBlock {
  double side = 0.06, height = 0.05, radius = 0.0101, chamfer = 0.001, depth = 0.05;
};
TriangleSoup make_hole_block(const HoleBlock& block, int segments, int layers = 1);

/// A bounded shape with all vertices on it and no triangle further from it than `chord`. InputError
/// for half-space, bore and point, which have no surface to be cut into triangles.
TriangleSoup tessellate(const Shape& shape, double chord);

}  // namespace bristle
