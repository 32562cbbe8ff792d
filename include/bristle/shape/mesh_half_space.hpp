#pragma once

/// The common volume of a mesh (A) and a half-space (B), exact for the triangles as they are.
///
///   MeshHalfSpace finder(mesh);                       // at set-up; owns all its memory
///   for (const Overlap& o : finder.find(body, floor)) // no allocation, no throw
///     push(make_patch(o));
///
/// Cones to a point p0 of the plane fill the volume: those over the cap have no height, so the cap
/// need not be known. With r = x − p0 and the surface of the mesh below the plane,
///
///   V = ⅓ ∫ r·N dS,   ∫ r dV = ¼ ∫ r (r·N) dS,   ∫ r rᵀ dV = ⅕ ∫ r rᵀ (r·N) dS,
///   area of the cap = −∫ n·N dS.
///
/// Only triangles that cross the plane are clipped. Whole branches of the tree below the plane are
/// summed from tensors ∫N, ∫N y, ∫N y y, ∫(y·N) y y made at set-up, so the cost follows the rim of
/// the contact, not its area. p0 lies above the deepest point of the patch: shallow patches lose no
/// accuracy to the size of the body (V keeps about ε a/δ, patch size a, depth δ, ε = 1e-16).
///
/// Which pieces belong together. A patch is a connected component of the solid below the plane:
///   – triangles that share an edge with an end below the plane belong to one piece of surface;
///   – a hole in the cap (a loop that runs clockwise) joins the piece whose loop encloses it next;
///   – a cavity wholly below the plane (a closed shell, inside out) joins what lies under it.
/// Nothing is below that is not strictly so: a face flush with the plane has no overlap.
///
/// A body wholly below the plane has V but no direction: S = 0, `wetted_area` is its surface.
/// Patches come in an order that depends on the mesh and the poses alone.

#include <memory>
#include <span>

#include "bristle/shape/mesh.hpp"
#include "bristle/shape/overlap.hpp"

namespace bristle {

class MeshHalfSpace {
 public:
  explicit MeshHalfSpace(std::shared_ptr<const Mesh> mesh);
  ~MeshHalfSpace();
  MeshHalfSpace(MeshHalfSpace&&) noexcept;
  MeshHalfSpace& operator=(MeshHalfSpace&&) noexcept;
  MeshHalfSpace(const MeshHalfSpace&) = delete;
  MeshHalfSpace& operator=(const MeshHalfSpace&) = delete;

  /// One overlap for each patch, empty when they are apart; valid until the next call. `depth` is
  /// that of the deepest vertex, `surface_height` 0: `moments.about` lies on the plane.
  std::span<const Overlap> find(const Pose& mesh, const Pose& half_space) noexcept;

  const Mesh& mesh() const noexcept;

  struct Work;

 private:
  std::unique_ptr<Work> work_;
};

}  // namespace bristle
