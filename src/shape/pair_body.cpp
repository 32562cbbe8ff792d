#include "pair_body.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bristle::pair_detail {
namespace {

/// Below this a coordinate is 0: the exact signs multiply three of them.
constexpr double least_coordinate = 1e-80;

Vector3 cleaned(const Vector3& x) noexcept {
  return x.unaryExpr([](double c) { return std::abs(c) < least_coordinate ? 0.0 : c; });
}

/// Room for the rounding of 15 floats, with a body of this radius.
Box narrowed(const MeshNode& node, const Vector3& middle, double radius) {
  Box box{};
  for (int k = 0; k < 3; ++k) {
    box.center()[k] = static_cast<float>(node.center[k] - middle[k]);
    box.half()[k] = static_cast<float>(node.half[k] + 1e-6 * node.half.sum() + 3e-7 * radius);
    box.x()[k] = static_cast<float>(node.axes(0, k));
    box.y()[k] = static_cast<float>(node.axes(1, k));
    box.z()[k] = static_cast<float>(node.axes(2, k));
  }
  return box;
}

}  // namespace

Body::Body(std::shared_ptr<const Mesh> mesh, bool fixed) : mesh_(std::move(mesh)), fixed_(fixed) {
  const std::size_t vertices = mesh_->vertices().size(), triangles = mesh_->triangles().size();
  make_tree();
  make_corners();
  vertices_.resize(vertices);
  facets_.resize(triangles);
  vertex_step_.resize(vertices, 0);
  facet_step_.resize(triangles, 0);
  edge_marks_.resize(mesh_->edges().size());
  triangle_marks_.resize(triangles);
  vertex_marks_.resize(vertices);
  shell_steps_.resize(static_cast<std::size_t>(mesh_->shells()), 0);
  shell_vertex_.resize(shell_steps_.size());
  for (int t = 0; t < static_cast<int>(triangles); ++t) {
    prepare(t);
    per_area_.push_back(1 / at(facets_, t).normal.norm());
    at(shell_vertex_, at(mesh_->shell(), t)) = at(mesh_->triangles(), t)[0];
  }
}

void Body::make_tree() {
  const std::vector<MeshNode>& nodes = mesh_->tree();
  middle_ = nodes.front().center;
  for (const Vector3& v : mesh_->vertices()) radius_ = std::max(radius_, (v - middle_).norm());
  std::vector<int> level(nodes.size(), 0);
  tree_.reserve(nodes.size());
  children_.reserve(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    tree_.push_back(narrowed(nodes[i], middle_, radius_));
    children_.push_back(nodes[i].child >= 0 ? nodes[i].child : ~nodes[i].begin);
    depth_ = std::max(depth_, level[i]);
    if (nodes[i].child < 0) continue;
    at(level, nodes[i].child) = at(level, nodes[i].child + 1) = level[i] + 1;
  }
}

void Body::make_corners() {
  corner_start_.assign(mesh_->vertices().size() + 1, 0);
  for (const auto& t : mesh_->triangles()) {
    for (const int v : t) ++at(corner_start_, v + 1);
  }
  std::partial_sum(corner_start_.begin(), corner_start_.end(), corner_start_.begin());
  std::vector<int> place(corner_start_.begin(), corner_start_.end() - 1);
  corners_.resize(3 * mesh_->triangles().size());
  int number = 0;
  for (const auto& t : mesh_->triangles()) {
    for (int k = 0; k < 3; ++k) {
      at(corners_, at(place, t[static_cast<std::size_t>(k)])++) = 4 * number + k;
    }
    ++number;
  }
}

void Body::move(const Matrix3& rotation, const Vector3& position, std::uint32_t step) noexcept {
  step_ = step;
  if (!fixed_) placed_ = step;
  rotation_ = rotation;
  position_ = position;
}

void Body::forget() noexcept {
  if (!fixed_) {
    std::fill(vertex_step_.begin(), vertex_step_.end(), 0U);
    std::fill(facet_step_.begin(), facet_step_.end(), 0U);
  }
  std::fill(shell_steps_.begin(), shell_steps_.end(), 0U);
  for (EdgeMark& mark : edge_marks_) mark.step = 0;
  for (TriangleMark& mark : triangle_marks_) mark.step = 0;
  for (VertexMark& mark : vertex_marks_) mark.step = 0;
}

void Body::place(int v) noexcept {
  const Vector3& x = at(mesh_->vertices(), v);
  at(vertices_, v) = cleaned(fixed_ ? x : Vector3(rotation_ * x + position_));
  at(vertex_step_, v) = placed_;
}

void Body::prepare(int t) noexcept {
  at(facet_step_, t) = placed_;
  const auto& [a, b, c] = at(mesh_->triangles(), t);
  at(facets_, t) = make_facet(vertex(a), vertex(b), vertex(c));
}

}  // namespace bristle::pair_detail
