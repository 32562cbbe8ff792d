#pragma once

// What making and checking a mesh share. Not installed.

#include <array>
#include <cstdint>
#include <vector>

#include "bristle/shape/mesh.hpp"
#include "bristle/shape/overlap.hpp"

namespace bristle::mesh_detail {

using Triangle = std::array<int, 3>;

/// Triangles over vertices that differ, in the order of the tree.
struct Surface {
  std::vector<Vector3> vertices{};
  std::vector<Triangle> triangles{};
  std::vector<int> source{};  ///< where each triangle stands in the soup
};

/// InputError where an index is out of range or a coordinate is not a number.
void require_readable(const TriangleSoup& soup);

/// Equal vertices become one, unused ones are dropped. Triangles that lose a corner by it are
/// listed in `collapsed` and left out.
Surface weld(const TriangleSoup& soup, std::vector<int>& collapsed);

/// The tree over the triangles, which are put into its order; vertices are numbered as the
/// triangles meet them.
std::vector<MeshNode> build_tree(Surface& surface);

/// How the triangles hang together. Edges with one triangle have right = −1; of a crowded edge only
/// two triangles are kept.
struct Connections {
  std::vector<MeshEdge> edges{};
  std::vector<Triangle> triangle_edges{};
  std::vector<int> shell{};  ///< of each triangle
  int shells = 0;
  /// Edges that are not shared by exactly two triangles running against each other.
  std::vector<int> open{}, crowded{}, flipped{};
};
Connections connect(const Surface& surface);

/// ∫1, ∫r, ∫r rᵀ over what a shell encloses; which = −1: all of them.
Moments enclosed(const Surface& surface, const std::vector<int>& shell, int which,
                 const Vector3& about) noexcept;

double twice_area(const Surface& surface, const Triangle& triangle) noexcept;

/// Pairs of triangles that cross, or that lie on each other; at most `most` are listed. Counting
/// ends at `most_crossings`, and looking where boxes of triangles overlap more often than those of
/// any solid do: checking n triangles takes n log n then.
inline constexpr int most_crossings = 1000;
struct Crossings {
  int count = 0;
  std::vector<std::array<int, 2>> first{};
  bool all_seen = true;
};
/// How many pairs of n things may be looked at, each costing less than a microsecond.
inline std::int64_t most_looks(std::size_t n) {
  return 20'000'000 + 200 * static_cast<std::int64_t>(n);
}
Crossings find_crossings(const Surface& surface, const std::vector<MeshNode>& tree, int most);

/// Everything `Mesh::check` reports; `surface` in the order of the tree.
MeshReport inspect(const Surface& surface, const Connections& links,
                   const std::vector<MeshNode>& tree, const std::vector<int>& collapsed);

}  // namespace bristle::mesh_detail
