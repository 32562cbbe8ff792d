#pragma once

/// What two bodies of closed triangle meshes share, convex or not:
///
///   MeshPair pair(peg, block);
///   pair.prepare(pose_peg, pose_block);            // at set-up: may allocate
///   for (const Overlap& overlap : pair.find(pose_peg, pose_block)) …   // in the loop: never does
///
/// Method. The boundary of A ∩ B is the part of A's surface inside B and of B's inside A; the two
/// meet in closed curves of segments, one in each pair of triangles that cross. The inside part of
/// a triangle T is bounded by its segments and by the inside intervals of its sides, and the
/// integral of a polynomial over the solid is the sum, over these pieces x→y, of that over the
/// signed tetrahedra (o, q_T, x, y): o is any point, q_T any in T. Holes and several loops in one
/// triangle need no special care, and no Boolean of the meshes is built. All decisions are signs
/// that are computed exactly (exact_sign.hpp), in A's frame, into which B's vertices are rounded
/// once: touching faces, edges and corners and identical bodies are no special cases. Volumes are
/// right to about 1e-13 of the smaller body. Thinner overlaps than rounding can tell, 1e-15 of A's
/// size, are nothing.
///
/// Patches. One Overlap per connected piece of the common volume, in an order that depends on the
/// pose only. A void (a cavity of a body inside the other) belongs to the piece around it. A body
/// wholly inside the other has vector_area 0.
///
/// Cost. Triangles that cannot touch are found with trees of boxes. What was found apart by s is
/// not looked at again before the bodies have moved by s, so a step in coherent motion costs what
/// is really close. The first step, and a jump by more than a tenth of the smaller body's radius,
/// goes through the trees once; that is also the bound of any step, besides the curve itself.
/// `make bench` measures: ellipsoids of 5 000 triangles each 1 mm deep 16 µs a step (93 µs through
/// the trees), a peg in a hole with 0.1 mm of play 0.4 ms (4 to 8 ms). A body wholly inside the
/// other costs all of its triangles. Results agree either way up to the order of sums.
///
/// Meshes must be sound (Mesh::make sees to that): closed, not crossing themselves.

#include <memory>
#include <span>

#include "bristle/shape/mesh.hpp"
#include "bristle/shape/overlap.hpp"

namespace bristle {

struct MeshPairOptions {
  /// Room for crossings of an edge with a triangle; the curve has as many segments. 0: the number
  /// of triangles of both, at least 1 024 and at most 65 536 (some 250 bytes each).
  int crossings = 0;
  /// Room for pairs of boxes remembered from step to step. 0: 64 per triangle, at least 16 384 and
  /// at most 4 194 304 (26 bytes each). What does not fit costs time, not correctness.
  int front = 0;
  /// False: every step goes through the trees from their roots.
  bool coherent = true;
};

enum class MeshPairStatus {
  ok,
  overflow,      ///< more crossings than there is room for: no result; `prepare` makes room
  inconsistent,  ///< the curve is not closed: a mesh crosses itself; no result
};

/// A piece of the curve in which the surfaces meet, world frame. Seen from outside of A, the part
/// of A inside B lies on its left.
struct MeshPairSegment {
  Vector3 start, end;
  int patch;  ///< index of its Overlap; −1: of a piece too thin to be one
};

/// What the last step did.
struct MeshPairWork {
  long boxes = 0;      ///< pairs of boxes compared
  long triangles = 0;  ///< pairs of triangles compared
  int segments = 0;
  int inside = 0;  ///< vertices of either body inside the other
  int rays = 0;    ///< cast to see whether a vertex is inside
  int front = 0;   ///< pairs of boxes remembered
};

class MeshPair {
 public:
  MeshPair(std::shared_ptr<const Mesh> a, std::shared_ptr<const Mesh> b,
           const MeshPairOptions& options = {});
  MeshPair(MeshPair&&) noexcept;
  MeshPair& operator=(MeshPair&&) noexcept;
  ~MeshPair();

  /// The pieces of the common volume. Valid until the next call; empty where nothing is shared or
  /// the status is not `ok`. Allocates nothing.
  std::span<const Overlap> find(const Pose& a, const Pose& b) noexcept;

  /// The same with as much room as it takes, and twice as much again for the steps that follow.
  std::span<const Overlap> prepare(const Pose& a, const Pose& b);

  MeshPairStatus status() const noexcept;
  /// The curves of the last find, in the world.
  std::span<const MeshPairSegment> segments() noexcept;
  MeshPairWork work() const noexcept;

  const std::shared_ptr<const Mesh>& a() const noexcept;
  const std::shared_ptr<const Mesh>& b() const noexcept;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace bristle
