#pragma once

/// The common volume of two posed analytic solids, to rounding or 1e-12:
///
///   std::array<Overlap, 1> piece;
///   if (overlap(Cylinder{0.05, 0.2}, rod, HalfSpace{}, floor, piece) == 1) {
///     const Patch patch = make_patch(piece[0]);
///   }
///
///   sphere, ellipsoid     – half-space   closed form: a cap, and its image under an affine map
///   box                   – half-space   clipped polyhedron, exact
///   cylinder, cone, capsule – half-space slices across the axis, which are discs cut by a line;
///                                        one integral, in every pose
///   sphere                – sphere       closed form: two caps
///   sphere                – bore         two integrals in polar coordinates of the bore
///   sphere                – cylinder     slices across the axis: two discs
///   box                   – box          clipped polyhedron, exact; flush faces included
///
/// All are convex, or (bore) in one piece, so there is one overlap or none. Depths far smaller than
/// the bodies lose no digits: V, p_c and the central moments of a contact of depth δ are right to
/// what the rounding of the poses leaves of δ itself.
///
/// A body that is wholly inside the other has S = 0 and the area of its surface as `wetted_area`:
/// `Patch::directed` is false. `wetted_area` is exact but for the ellipsoid, and for a sphere whose
/// centre is beyond the wall of a bore: there it is a bound from above.
///
/// Either order of the shapes will do: exchanging them turns `vector_area` round.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bristle/shape/overlap.hpp"
#include "bristle/shape/shape.hpp"

namespace bristle {

/// Writes the pieces of the common volume and says how many: 0 or 1. 0 as well for a pair that is
/// not supported.
int overlap(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
            std::span<Overlap> out) noexcept;

/// Whether the pair is supported.
bool can_overlap(const Shape& a, const Shape& b) noexcept;

/// "sphere – half-space", …: for messages.
std::vector<std::string> overlap_pairs();

/// The same overlap with A and B exchanged.
inline Overlap flipped(const Overlap& overlap) noexcept {
  Overlap other = overlap;
  other.vector_area = -overlap.vector_area;
  other.surface_height = -overlap.surface_height;
  return other;
}

// ---- the pairs, A first; nothing where the bodies do not overlap --------------------------------

/// The reference surface is the face of the half-space.
std::optional<Overlap> overlap_half_space(const Sphere& sphere, const Pose& pose,
                                          const Pose& half_space) noexcept;
std::optional<Overlap> overlap_half_space(const Ellipsoid& ellipsoid, const Pose& pose,
                                          const Pose& half_space) noexcept;
std::optional<Overlap> overlap_half_space(const Box& box, const Pose& pose,
                                          const Pose& half_space) noexcept;
std::optional<Overlap> overlap_half_space(const Cylinder& cylinder, const Pose& pose,
                                          const Pose& half_space) noexcept;
std::optional<Overlap> overlap_half_space(const Cone& cone, const Pose& pose,
                                          const Pose& half_space) noexcept;
std::optional<Overlap> overlap_half_space(const Capsule& capsule, const Pose& pose,
                                          const Pose& half_space) noexcept;

/// The reference surface is the plane of the common circle.
std::optional<Overlap> overlap_spheres(const Sphere& a, const Pose& pose_a, const Sphere& b,
                                       const Pose& pose_b) noexcept;

/// The reference surface is the tangent plane of the bore under the deepest point. `depth`, the
/// extent along n, is larger than the penetration: the wall curves round the sphere. A sphere as
/// wide as the bore or wider is all round in contact, and on the axis has no direction.
std::optional<Overlap> overlap_bore(const Sphere& sphere, const Pose& pose, const Bore& bore,
                                    const Pose& pose_bore) noexcept;

/// The reference surface goes through the point of the cylinder nearest to the centre of the
/// sphere, across n: the face, or the tangent plane of the side.
std::optional<Overlap> overlap_cylinder(const Sphere& sphere, const Pose& pose,
                                        const Cylinder& cylinder,
                                        const Pose& pose_cylinder) noexcept;

/// The reference surface is at the mean height of the curve in which the two surfaces meet,
/// weighted by the angle under which the centroid sees it, as for meshes. A face of A that is flush
/// with one of B counts half for either: S is the mean of its values on both sides of that pose.
std::optional<Overlap> overlap_boxes(const Box& a, const Pose& pose_a, const Box& b,
                                     const Pose& pose_b) noexcept;

}  // namespace bristle
