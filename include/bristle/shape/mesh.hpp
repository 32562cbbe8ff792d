#pragma once

/// A closed triangle mesh: the surface of a solid. Triangles run counter-clockwise seen from
/// outside. `Mesh` is what contact works with and holds only sound meshes; raw triangles as they
/// come from a file or a program are a `TriangleSoup`, and `Mesh::make` checks them.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "bristle/shape/pose.hpp"

namespace bristle {

struct TriangleSoup {
  std::vector<Vector3> vertices{};
  std::vector<std::array<int, 3>> triangles{};
  std::string name = "mesh";  ///< for messages: the file it came from
};

/// Equal vertices made one (no tolerance: equal to the last bit), unused ones dropped; triangles
/// are kept, in their order.
TriangleSoup welded(const TriangleSoup& soup);

/// What is wrong with a soup, if anything. The first few offenders of each kind are listed by
/// triangle, with their places.
///
/// A solid may have cavities: shells inside an odd number of others, whose triangles run the other
/// way round so that normals point out of the material. Shells may touch, also in a common vertex;
/// triangles must not cross or lie on each other, not even as neighbours folded flat.
struct MeshReport {
  int vertices = 0, triangles = 0, shells = 0;
  int degenerate = 0;          ///< triangles without area
  int open_edges = 0;          ///< edges with one triangle
  int crowded_edges = 0;       ///< edges with three or more triangles
  int flipped_edges = 0;       ///< neighbours that run against each other
  int self_intersections = 0;  ///< pairs of triangles that cross, of which 1000 are counted
  int inverted_shells = 0;     ///< outer shells with their inside out, or cavities that are not so
  int flat_shells = 0;         ///< shells without volume: two sheets on each other
  bool tangled = false;  ///< too many triangles or shells lie across one another to be checked
  double volume = 0, area = 0;
  std::vector<std::string> details{};

  bool is_sound() const noexcept;
  /// "not watertight: 12 open edges, the first at …"
  std::string summary() const;
};

/// Edge e runs from vertex[0] to vertex[1]; left is the triangle that has it in that direction,
/// right the one that has it the other way round.
struct MeshEdge {
  std::array<int, 2> vertex;
  int left, right;
};

/// A node of a tree of oriented boxes over the triangles. Triangles are ordered so that each node
/// owns a contiguous range; the two children of node i are `child` and `child + 1`.
struct MeshNode {
  Vector3 center;          ///< of the box, mesh frame
  Matrix3 axes;            ///< columns; the first is the thinnest, a leaf's normal
  Vector3 half;            ///< half sizes along the axes
  int child = -1;          ///< −1: a leaf
  int begin = 0, end = 0;  ///< its triangles
};

/// Immutable once made, shared between bodies.
class Mesh {
 public:
  /// Checks, welds equal vertices, orders triangles and builds edges and tree. InputError with the
  /// report's summary where the soup is not the surface of a solid.
  static std::shared_ptr<const Mesh> make(TriangleSoup soup);
  /// The check alone. Crossing triangles are looked for with the tree: O(n log n).
  static MeshReport check(const TriangleSoup& soup);

  const std::string& name() const noexcept { return name_; }
  const std::vector<Vector3>& vertices() const noexcept { return vertices_; }
  const std::vector<std::array<int, 3>>& triangles() const noexcept { return triangles_; }
  const std::vector<MeshEdge>& edges() const noexcept { return edges_; }
  /// Edge k of triangle t joins its vertices k and k+1: 2·edge, or 2·edge + 1 where it runs against
  /// the edge's direction.
  const std::vector<std::array<int, 3>>& triangle_edges() const noexcept { return triangle_edges_; }
  /// Connected pieces of the surface; shell of each triangle.
  int shells() const noexcept { return shells_; }
  const std::vector<int>& shell() const noexcept { return shell_; }
  /// Root first.
  const std::vector<MeshNode>& tree() const noexcept { return tree_; }

  double volume() const noexcept { return volume_; }
  double area() const noexcept { return area_; }
  Vector3 centroid() const noexcept { return centroid_; }
  /// ∫ (x − c)(x − c)ᵀ dV, c the centroid.
  const Matrix3& central_moments() const noexcept { return central_; }
  /// Largest distance of a vertex from the origin.
  double bounding_radius() const noexcept { return bounding_radius_; }

 private:
  Mesh() = default;
  std::string name_;
  std::vector<Vector3> vertices_;
  std::vector<std::array<int, 3>> triangles_;
  std::vector<MeshEdge> edges_;
  std::vector<std::array<int, 3>> triangle_edges_;
  std::vector<int> shell_;
  std::vector<MeshNode> tree_;
  int shells_ = 0;
  double volume_ = 0, area_ = 0, bounding_radius_ = 0;
  Vector3 centroid_ = Vector3::Zero();
  Matrix3 central_ = Matrix3::Zero();
};

}  // namespace bristle
