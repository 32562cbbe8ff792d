// A tree of oriented boxes. Each node is split at the median along the longest axis of its surface
// (the principal axes of the area, ∫(x − x̄)(x − x̄)ᵀ dS), so the tree of n triangles is no deeper
// than log2(n) + 1.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <Eigen/Eigenvalues>

#include "mesh_detail.hpp"

namespace bristle::mesh_detail {
namespace {

struct Piece {
  Vector3 centroid;
  double area;
  double key;  ///< by which a node is split
  int triangle;
};

class Builder {
 public:
  explicit Builder(const Surface& surface) : surface_(surface) {
    pieces_.reserve(surface.triangles.size());
    int number = 0;
    for (const Triangle& t : surface.triangles) {
      const Vector3 sum = vertex(t[0]) + vertex(t[1]) + vertex(t[2]);
      pieces_.push_back({sum / 3, 0.5 * twice_area(surface, t), 0, number++});
    }
    nodes_.reserve(2 * pieces_.size());
    nodes_.emplace_back();
    build(0, 0, static_cast<int>(pieces_.size()));
  }
  std::vector<MeshNode> take_nodes() { return std::move(nodes_); }
  const std::vector<Piece>& pieces() const { return pieces_; }

 private:
  const Vector3& vertex(int v) const { return surface_.vertices[static_cast<std::size_t>(v)]; }
  const Triangle& triangle(const Piece& p) const {
    return surface_.triangles[static_cast<std::size_t>(p.triangle)];
  }
  auto first(int i) { return pieces_.begin() + i; }

  void build(int number, int begin, int end) {
    const Matrix3 axes = end - begin == 1 ? leaf_axes(begin) : principal_axes(begin, end);
    MeshNode node = boxed(axes, begin, end);
    if (end - begin > 1) {
      const int middle = begin + (end - begin) / 2;
      const Vector3 along = node.axes.col(2);
      for (auto p = first(begin); p != first(end); ++p) p->key = along.dot(p->centroid);
      std::nth_element(first(begin), first(middle), first(end),
                       [](const Piece& a, const Piece& b) { return a.key < b.key; });
      node.child = static_cast<int>(nodes_.size());
      nodes_.emplace_back();
      nodes_.emplace_back();
      build(node.child, begin, middle);
      build(node.child + 1, middle, end);
    }
    nodes_[static_cast<std::size_t>(number)] = node;
  }

  /// The normal, the longest side, and what stands on both.
  Matrix3 leaf_axes(int at) const {
    const Triangle& t = triangle(pieces_[static_cast<std::size_t>(at)]);
    const Vector3 a = vertex(t[0]), b = vertex(t[1]), c = vertex(t[2]);
    Vector3 side = b - a;
    for (const Vector3& other : {Vector3(c - b), Vector3(a - c)}) {
      if (other.squaredNorm() > side.squaredNorm()) side = other;
    }
    Matrix3 axes;
    axes.col(0) = (b - a).cross(c - a);
    axes.col(2) = side;
    return right_handed(axes);
  }

  /// The thinnest first.
  Matrix3 principal_axes(int begin, int end) {
    double area = 0;
    Vector3 mean = Vector3::Zero();
    for (auto p = first(begin); p != first(end); ++p) {
      area += p->area;
      mean += p->area * p->centroid;
    }
    mean /= area > 0 ? area : 1;
    // ∫ r rᵀ over a triangle is area/12 (9 c cᵀ + Σ v vᵀ), all from the mean.
    double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
    const auto add = [&](double weight, const Vector3& v) {
      const Vector3 w = weight * v;
      xx += w.x() * v.x(), yy += w.y() * v.y(), zz += w.z() * v.z();
      xy += w.x() * v.y(), xz += w.x() * v.z(), yz += w.y() * v.z();
    };
    for (auto p = first(begin); p != first(end); ++p) {
      add(9 * p->area, p->centroid - mean);
      for (const int k : triangle(*p)) add(p->area, vertex(k) - mean);
    }
    Matrix3 spread;
    spread << xx, xy, xz, xy, yy, yz, xz, yz, zz;
    Eigen::SelfAdjointEigenSolver<Matrix3> solver;
    solver.computeDirect(spread);  // eigenvalues ascend
    return right_handed(solver.eigenvectors());
  }

  /// Keeps the first axis and what the third has across it; a direction that is not there (a
  /// degenerate triangle) is replaced.
  static Matrix3 right_handed(const Matrix3& rough) {
    Matrix3 axes;
    const double size = rough.col(0).norm();
    axes.col(0) = size > 0 ? Vector3(rough.col(0) / size) : Vector3::UnitX();
    Vector3 third = rough.col(2) - axes.col(0).dot(rough.col(2)) * axes.col(0);
    if (!(third.norm() > 1e-8 * rough.col(2).norm())) third = axes.col(0).unitOrthogonal();
    axes.col(2) = third.normalized();
    axes.col(1) = axes.col(2).cross(axes.col(0));
    return axes;
  }

  /// The smallest box along these axes, its own thinnest first, a little larger than rounding. A
  /// leaf has its normal first anyhow.
  MeshNode boxed(const Matrix3& axes, int begin, int end) {
    constexpr double endless = std::numeric_limits<double>::infinity();
    Vector3 low = Vector3::Constant(endless), high = -low;
    for (auto p = first(begin); p != first(end); ++p) {
      for (const int k : triangle(*p)) {
        const Vector3 v = axes.transpose() * vertex(k);
        low = low.cwiseMin(v);
        high = high.cwiseMax(v);
      }
    }
    const Vector3 half = (high - low) / 2, middle = (high + low) / 2;
    std::array<int, 3> order{0, 1, 2};
    std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return half[i] < half[j]; });
    MeshNode node;
    node.center = axes * middle;
    const double slack =
        8 * std::numeric_limits<double>::epsilon() * (middle.lpNorm<1>() + half.lpNorm<1>());
    for (int i = 0; i < 3; ++i) {
      node.axes.col(i) = axes.col(order[static_cast<std::size_t>(i)]);
      node.half[i] = half[order[static_cast<std::size_t>(i)]] + slack;
    }
    node.begin = begin, node.end = end;
    return node;
  }

  const Surface& surface_;
  std::vector<Piece> pieces_;
  std::vector<MeshNode> nodes_;
};

/// Vertices numbered as the triangles meet them, so that neighbours lie close in memory.
void renumber(Surface& s) {
  std::vector<int> number(s.vertices.size(), -1);
  std::vector<Vector3> vertices;
  vertices.reserve(s.vertices.size());
  for (Triangle& t : s.triangles) {
    for (int& k : t) {
      int& n = number[static_cast<std::size_t>(k)];
      if (n < 0) {
        n = static_cast<int>(vertices.size());
        vertices.push_back(s.vertices[static_cast<std::size_t>(k)]);
      }
      k = n;
    }
  }
  s.vertices = std::move(vertices);
}

}  // namespace

std::vector<MeshNode> build_tree(Surface& s) {
  if (s.triangles.empty()) return {};
  Builder builder(s);
  std::vector<Triangle> triangles;
  std::vector<int> source;
  triangles.reserve(s.triangles.size());
  source.reserve(s.triangles.size());
  for (const Piece& p : builder.pieces()) {
    triangles.push_back(s.triangles[static_cast<std::size_t>(p.triangle)]);
    source.push_back(s.source[static_cast<std::size_t>(p.triangle)]);
  }
  s.triangles = std::move(triangles);
  s.source = std::move(source);
  renumber(s);
  return builder.take_nodes();
}

}  // namespace bristle::mesh_detail
