#pragma once

// One of the two bodies of a MeshPair: its mesh in the frame of A, what is looked up often, and the
// marks of the present step. Not installed.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "bristle/shape/exact_sign.hpp"
#include "bristle/shape/mesh.hpp"

namespace bristle::pair_detail {

template <class T>
T& at(std::vector<T>& v, int i) noexcept {
  return v[static_cast<std::size_t>(i)];
}
template <class T>
const T& at(const std::vector<T>& v, int i) noexcept {
  return v[static_cast<std::size_t>(i)];
}

inline int next(int k) noexcept { return k == 2 ? 0 : k + 1; }

/// An oriented box in one cache line, a little larger than the mesh's own so that float will do.
/// Three numbers each; the axes are stored by component, so that three projections are one vector
/// operation. A load of four floats takes one too many, which is never used.
struct alignas(64) Box {
  std::array<float, 16> number{};

  float* center() noexcept { return number.data(); }    ///< from the middle of the body
  float* half() noexcept { return number.data() + 3; }  ///< along the axes, ascending
  float* x() noexcept { return number.data() + 6; }     ///< x()[k] is the x component of axis k
  float* y() noexcept { return number.data() + 9; }
  float* z() noexcept { return number.data() + 12; }
  const float* center() const noexcept { return number.data(); }
  const float* half() const noexcept { return number.data() + 3; }
  const float* x() const noexcept { return number.data() + 6; }
  const float* y() const noexcept { return number.data() + 9; }
  const float* z() const noexcept { return number.data() + 12; }
  Vector3 axis(int k) const noexcept { return {x()[k], y()[k], z()[k]}; }
};

/// How far two things of A and B are surely apart (≤ 0: not known to be), and in which direction: a
/// unit vector in A's frame, from A's to B's.
struct Separation {
  float gap = 0;
  Eigen::Vector3f axis = Eigen::Vector3f::Zero();
};

struct EdgeMark {
  std::uint32_t step = 0;
  int first = 0;  ///< crossing; sorted: place in `Curve::order`
  int count = 0;
};
struct TriangleMark {
  std::uint32_t step = 0;
  int segment = 0;  ///< the first of its list; −1: wholly inside the other body
};
struct VertexMark {
  std::uint32_t step = 0;
  int component = 0;  ///< of inside vertices that hang together; −1: outside
};

class Body {
 public:
  /// `fixed`: this is A, whose frame is used, so it is placed once and for all.
  Body(std::shared_ptr<const Mesh> mesh, bool fixed);

  /// A step begins, with the body's frame seen from A.
  void move(const Matrix3& rotation, const Vector3& position, std::uint32_t step) noexcept;
  /// Steps are counted in 32 bits: the marks of long ago are wiped before numbers come again.
  void forget() noexcept;

  /// Where a vertex is, rounded once: every question of a step sees the same place.
  const Vector3& vertex(int v) noexcept {
    if (at(vertex_step_, v) != placed_) place(v);
    return at(vertices_, v);
  }
  const Facet& facet(int t) noexcept {
    if (at(facet_step_, t) != placed_) prepare(t);
    return at(facets_, t);
  }
  /// 1/|N| of the facet, which turns `above` into a distance.
  double per_area(int t) const noexcept { return at(per_area_, t); }

  const Mesh& mesh() const noexcept { return *mesh_; }
  const Box& box(int node) const noexcept { return at(tree_, node); }
  /// The first of the two below a node; a leaf: ~triangle.
  int child(int node) const noexcept { return at(children_, node); }
  int depth() const noexcept { return depth_; }
  /// Of the tree's root, mesh frame; and the largest distance of a vertex from it.
  const Vector3& middle() const noexcept { return middle_; }
  double radius() const noexcept { return radius_; }

  /// From A's frame to that of the mesh, seen from its middle; and for directions back again.
  Vector3 local(const Vector3& x) const noexcept {
    return rotation_.transpose() * (x - position_) - middle_;
  }
  Vector3 turned(const Vector3& direction) const noexcept { return rotation_ * direction; }

  /// Corners at a vertex, as 4·triangle + k; corner k starts the side k of its triangle, and all
  /// edges of the vertex start at one of its corners.
  const int* corners_begin(int v) const noexcept { return corners_.data() + at(corner_start_, v); }
  const int* corners_end(int v) const noexcept {
    return corners_.data() + at(corner_start_, v + 1);
  }
  /// Some vertex of a shell.
  int shell_vertex(int shell) const noexcept { return at(shell_vertex_, shell); }

  EdgeMark& edge(int e) noexcept { return at(edge_marks_, e); }
  TriangleMark& triangle(int t) noexcept { return at(triangle_marks_, t); }
  VertexMark& vertex_mark(int v) noexcept { return at(vertex_marks_, v); }
  std::uint32_t& shell_step(int s) noexcept { return at(shell_steps_, s); }
  bool is_crossed(int e) const noexcept { return at(edge_marks_, e).step == step_; }
  bool is_touched(int t) const noexcept { return at(triangle_marks_, t).step == step_; }
  /// The component of an inside vertex; −1 where it is outside or not known to be inside.
  int component(int v) const noexcept {
    const VertexMark& mark = at(vertex_marks_, v);
    return mark.step == step_ ? mark.component : -1;
  }
  std::uint32_t step() const noexcept { return step_; }

 private:
  void place(int v) noexcept;
  void prepare(int t) noexcept;
  void make_tree();
  void make_corners();

  std::shared_ptr<const Mesh> mesh_;
  bool fixed_;
  int depth_ = 0;
  double radius_ = 0;
  Vector3 middle_ = Vector3::Zero();
  std::vector<Box> tree_{};
  std::vector<int> children_{};
  std::vector<int> corner_start_{}, corners_{}, shell_vertex_{};
  std::vector<double> per_area_{};

  std::uint32_t step_ = 0;
  std::uint32_t placed_ = 1;  ///< the step of the places: A's are those of the first
  Matrix3 rotation_ = Matrix3::Identity();
  Vector3 position_ = Vector3::Zero();
  std::vector<Vector3> vertices_{};
  std::vector<Facet> facets_{};
  std::vector<std::uint32_t> vertex_step_{}, facet_step_{}, shell_steps_{};
  std::vector<EdgeMark> edge_marks_{};
  std::vector<TriangleMark> triangle_marks_{};
  std::vector<VertexMark> vertex_marks_{};
};

}  // namespace bristle::pair_detail
