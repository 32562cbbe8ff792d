#pragma once

// What MeshHalfSpace keeps between and during calls. Everything is in the frame of the mesh.

#include <cstdint>
#include <limits>
#include <vector>

#include "bristle/shape/mesh_half_space.hpp"
#include "surface_tensors.hpp"

namespace bristle {
namespace mesh_detail {

/// The plane seen from the mesh: heights above it. n and the height of one point, the anchor, are
/// rounded from extended precision, so heights are right to ε |x − anchor|.
struct Plane {
  std::array<long double, 3> n{};
  long double offset = 0;  ///< n·x + offset is the height of x
  Vector3 normal = Vector3::Zero(), anchor = Vector3::Zero();
  double anchor_height = 0;

  static Plane seen_from(const Pose& mesh, const Pose& half_space) noexcept;
  void drop_anchor(const Vector3& x) noexcept;
  double height(const Vector3& x) const noexcept {
    return anchor_height + (normal.x() * (x.x() - anchor.x()) + normal.y() * (x.y() - anchor.y()) +
                            normal.z() * (x.z() - anchor.z()));
  }
};

/// A box of the tree in one line of the cache: three half edges and the centre (from the centre of
/// the mesh), by coordinates. `child` and `child + 1`, or −1 at a leaf of a few triangles.
struct alignas(64) FlatBox {
  Eigen::Array4f x, y, z;
  int child = -1, begin = 0, end = 0;
  int tensors = -1;  ///< where its sums are; −1: it has none
};

/// A triangle with corners on both sides; bit k of `below` is set when corner k is below.
struct RimTriangle {
  int triangle, below;
  std::array<double, 3> height;
};
/// Triangles below the plane, connected with each other: a branch of the tree with its tensors, or
/// a single triangle.
struct InsidePart {
  int begin, end;
  int tensors, box;  ///< −1: a single triangle
  float low;         ///< no vertex is lower
};

struct Deepest {
  double height = std::numeric_limits<double>::infinity();
  int vertex = -1;
};

}  // namespace mesh_detail

struct MeshHalfSpace::Work {
  explicit Work(std::shared_ptr<const Mesh> shared);

  std::span<const Overlap> find(const Pose& pose, const Pose& half_space) noexcept;

  // ---- set-up
  void flatten(int box);
  void make_tensors(int number);
  bool connected(int begin, int end);

  // ---- one call
  struct Reach {
    float low, high;
  };
  void aim() noexcept;
  Reach reach(const mesh_detail::FlatBox& box) const noexcept;
  void find_deepest(int from, mesh_detail::Deepest& best) const noexcept;
  mesh_detail::Deepest deepest_of(std::span<const int> parts) const noexcept;
  void offer(int begin, int end, mesh_detail::Deepest& best) const noexcept;
  double lowest_of_box(int box) const noexcept;
  void collect() noexcept;
  void collect_triangles(int begin, int end) noexcept;
  void anchor(std::span<const int> parts) noexcept;
  Overlap overlap_of(std::span<const int> parts, const Pose& pose, const Vector3& normal) noexcept;

  // ---- patches (mesh_half_space_patches.cpp)
  bool one_loop() const noexcept;
  int next_on_rim(int i) const noexcept;
  void split() noexcept;
  void join_neighbours() noexcept;
  void trace_loops() noexcept;
  void join_holes() noexcept;
  bool loop_encloses(int loop, double u, double v) const noexcept;
  void join_cavities() noexcept;
  int part_under(const Vector3& x, int own_shell) const noexcept;
  void sort_by_patches() noexcept;
  int root(int part) noexcept;
  void join(int a, int b) noexcept;

  const Vector3& corner(int triangle, std::size_t k) const noexcept {
    return mesh->vertices()[static_cast<std::size_t>(
        mesh->triangles()[static_cast<std::size_t>(triangle)][k])];
  }

  std::shared_ptr<const Mesh> mesh;
  Vector3 center;   ///< of the mesh: boxes are placed from it
  double size = 0;  ///< of the mesh about it
  std::vector<mesh_detail::FlatBox> boxes;
  std::vector<int> node_of_box;  ///< in Mesh::tree()
  std::vector<mesh_detail::SurfaceTensors> tensors;
  /// Triangles next to the branch of tensors[i]: outer[outer_start[i]] … outer[outer_start[i + 1]].
  std::vector<int> outer, outer_start;
  std::vector<std::array<int, 3>> neighbours;  ///< across side k of each triangle
  std::vector<bool> inside_out;                ///< shells: boundaries of cavities

  mesh_detail::Plane plane;
  Eigen::Array4f nx, ny, nz;        ///< the normal, four times
  float box_height = 0, slack = 0;  ///< of the centre; rounding in `float`
  std::vector<int> queue;           ///< of boxes
  std::vector<mesh_detail::RimTriangle> rim;
  std::vector<mesh_detail::InsidePart> inside;

  /// Parts are numbered rim first, then inside. part_of is right for triangles that are in a part.
  std::vector<int> part_of, parent, patch_of;
  /// The parts of patch i: sorted[start[i]] … sorted[start[i + 1]], those of the rim first.
  std::vector<int> sorted, start;
  struct LoopPoint {
    double u, v;
    int loop;
  };
  struct Loop {
    double area;
    int first;  ///< rim triangle
  };
  std::vector<LoopPoint> points;
  std::vector<Loop> loops;
  std::vector<Overlap> overlaps;
};

}  // namespace bristle
