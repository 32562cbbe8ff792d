// Triangles of a mesh that cross each other. Two triangles
//   – with one common corner or none cross when a side of one goes through the other, or when they
//     lie in one plane and overlap. Where sides meet sides, or corners lie in the other's plane, no
//     side need go through: then it counts whether the two have a piece in common of the line in
//     which their planes meet, longer than rounding;
//   – with two or three common corners lie on each other when folded flat onto one another.
// Touching is not crossing: sides of points relative to planes are taken in extended precision
// where double does not decide, and what is zero even so is "on". Thin but true angles are left
// alone.

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "mesh_detail.hpp"

namespace bristle::mesh_detail {
namespace {

/// On which side of the plane (a, b, c) is d? +1: where the normal points.
int side(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d) noexcept {
  const Vector3 u = b - a, v = c - a, w = d - a;
  const double volume = w.dot(u.cross(v));
  const double bound = u.lpNorm<1>() * v.lpNorm<1>() * w.lpNorm<1>();
  if (std::abs(volume) > 1e-14 * bound) return volume > 0 ? 1 : -1;
  using Long = Eigen::Matrix<long double, 3, 1>;
  const Long al = a.cast<long double>(), ul = b.cast<long double>() - al,
             vl = c.cast<long double>() - al, wl = d.cast<long double>() - al;
  const long double fine = wl.dot(ul.cross(vl));
  if (std::abs(fine) <= 1e-18L * static_cast<long double>(bound)) return 0;
  return fine > 0 ? 1 : -1;
}

using Corners = std::array<Vector3, 3>;

/// The open segment goes through the inside of the triangle.
bool pierces(const Vector3& p, const Vector3& q, const Corners& t) noexcept {
  const int sp = side(t[0], t[1], t[2], p), sq = side(t[0], t[1], t[2], q);
  if (sp * sq >= 0) return false;
  const int s0 = side(p, q, t[0], t[1]);
  if (s0 == 0 || side(p, q, t[1], t[2]) != s0) return false;
  return side(p, q, t[2], t[0]) == s0;
}

/// Where t goes through the plane at `origin` with this unit normal: the ends of the cut. None
/// where it stays on one side; `thin` counts as on the plane.
std::optional<std::array<Vector3, 2>> cut(const Corners& t, const Vector3& origin,
                                          const Vector3& normal, double thin) noexcept {
  std::array<double, 3> h{};
  for (std::size_t k = 0; k < 3; ++k) {
    h[k] = normal.dot(t[k] - origin);
    if (std::abs(h[k]) < thin) h[k] = 0;
  }
  for (std::size_t k = 0; k < 3; ++k) {  // one corner alone on its side
    const std::size_t next = (k + 1) % 3, last = (k + 2) % 3;
    if (h[k] * h[next] > 0 || h[k] * h[last] > 0 || h[k] * h[next] + h[k] * h[last] == 0) continue;
    const auto towards = [&](std::size_t j) -> Vector3 {
      return t[k] + h[k] / (h[k] - h[j]) * (t[j] - t[k]);
    };
    return std::array{towards(next), towards(last)};
  }
  return std::nullopt;
}

/// Triangles of two planes that have a piece of a line in common, and go on at either side of it.
bool cut_alike(const Corners& s, const Corners& t) noexcept {
  const auto unit_normal = [](const Corners& x) -> Vector3 {
    return (x[1] - x[0]).cross(x[2] - x[0]).normalized();
  };
  double size = 0;
  for (const Corners* x : {&s, &t}) {
    for (const Vector3& corner : *x) size = std::max(size, (corner - s[0]).lpNorm<1>());
  }
  const Vector3 m = unit_normal(s), n = unit_normal(t);
  const auto of_s = cut(s, t[0], n, 1e-9 * size), of_t = cut(t, s[0], m, 1e-9 * size);
  if (!of_s || !of_t) return false;
  const Vector3 along = m.cross(n).normalized();
  const auto ends = [&](const std::array<Vector3, 2>& piece) {
    return std::minmax({along.dot(piece[0] - s[0]), along.dot(piece[1] - s[0])});
  };
  const auto [begin_s, end_s] = ends(*of_s);
  const auto [begin_t, end_t] = ends(*of_t);
  return std::min(end_s, end_t) - std::max(begin_s, begin_t) > 1e-6 * size;
}

/// Triangles of one plane: no side separates them. Distances within rounding count as touching.
bool overlap_in_plane(const Corners& s, const Corners& t) noexcept {
  const Vector3 normal = (s[1] - s[0]).cross(s[2] - s[0]);
  const auto separates = [&](const Corners& one, const Corners& other) {
    for (std::size_t k = 0; k < 3; ++k) {
      const Vector3& a = one[k];
      const Vector3 out = (one[(k + 1) % 3] - a).cross(normal);
      // `out` points away from the third corner for one sense of the triangle, towards it for the
      // other.
      const double inner = out.dot(one[(k + 2) % 3] - a);
      const double sign = inner > 0 ? -1 : 1, tiny = 1e-12 * std::abs(inner);
      const auto beyond = [&](const Vector3& x) { return sign * out.dot(x - a) >= -tiny; };
      if (std::all_of(other.begin(), other.end(), beyond)) return true;
    }
    return false;
  };
  return !separates(s, t) && !separates(t, s);
}

class Finder {
 public:
  Finder(const Surface& surface, const std::vector<MeshNode>& tree, int most)
      : s_(surface), tree_(tree), most_(most), low_(tree.size()), high_(tree.size()) {
    // Children come after their parents.
    for (std::size_t i = tree.size(); i-- > 0;) bound(i);
  }
  Crossings run() {
    within(0);
    return std::move(found_);
  }

 private:
  void bound(std::size_t i) {
    if (tree_[i].child >= 0) {
      const auto c = static_cast<std::size_t>(tree_[i].child);
      low_[i] = low_[c].cwiseMin(low_[c + 1]);
      high_[i] = high_[c].cwiseMax(high_[c + 1]);
      return;
    }
    const Corners t = corners(tree_[i].begin);
    low_[i] = t[0].cwiseMin(t[1]).cwiseMin(t[2]);
    high_[i] = t[0].cwiseMax(t[1]).cwiseMax(t[2]);
  }
  Corners corners(int triangle) const {
    const Triangle& t = s_.triangles[static_cast<std::size_t>(triangle)];
    const auto at = [&](std::size_t k) { return s_.vertices[static_cast<std::size_t>(t[k])]; };
    return {at(0), at(1), at(2)};
  }

  /// All pairs below a node.
  void within(std::size_t i) {
    if (tree_[i].child < 0) return;
    const auto c = static_cast<std::size_t>(tree_[i].child);
    within(c);
    within(c + 1);
    between(c, c + 1);
  }
  void between(std::size_t i, std::size_t j) {
    if (found_.count >= most_crossings || !found_.all_seen) return;
    if (--looks_ < 0) found_.all_seen = false;
    if ((low_[i].array() > high_[j].array()).any() || (low_[j].array() > high_[i].array()).any()) {
      return;
    }
    const int split_i = tree_[i].child, split_j = tree_[j].child;
    if (split_i < 0 && split_j < 0) {
      test(tree_[i].begin, tree_[j].begin);
    } else if (split_j < 0 ||
               (split_i >= 0 && tree_[i].end - tree_[i].begin >= tree_[j].end - tree_[j].begin)) {
      between(static_cast<std::size_t>(split_i), j);
      between(static_cast<std::size_t>(split_i) + 1, j);
    } else {
      between(i, static_cast<std::size_t>(split_j));
      between(i, static_cast<std::size_t>(split_j) + 1);
    }
  }

  void test(int i, int j) {
    // Common corners first, in the same order.
    Triangle a = s_.triangles[static_cast<std::size_t>(i)],
             b = s_.triangles[static_cast<std::size_t>(j)];
    int common = 0;
    for (int k = 0; k < 3; ++k) {
      const auto other = std::find(b.begin() + common, b.end(), a[static_cast<std::size_t>(k)]);
      if (other == b.end()) continue;
      std::swap(*other, b[static_cast<std::size_t>(common)]);
      std::swap(a[static_cast<std::size_t>(k)], a[static_cast<std::size_t>(common)]);
      ++common;
    }
    const auto at = [&](const Triangle& t) {
      const auto x = [&](std::size_t k) { return s_.vertices[static_cast<std::size_t>(t[k])]; };
      return Corners{x(0), x(1), x(2)};
    };
    if (!cross(at(a), at(b), common)) return;
    ++found_.count;
    if (static_cast<int>(found_.first.size()) < most_) found_.first.push_back({i, j});
  }

  static bool cross(const Corners& s, const Corners& t, int common) {
    if (common == 3) return true;
    if (common == 2) {
      const Vector3 along = s[1] - s[0], to = t[2] - s[0], normal = along.cross(s[2] - s[0]);
      const bool flat = std::abs(normal.dot(to)) <= 1e-13 * normal.norm() * to.norm();
      return flat && normal.dot(along.cross(to)) > 0;
    }
    const std::array<int, 3> of_t{side(s[0], s[1], s[2], t[0]), side(s[0], s[1], s[2], t[1]),
                                  side(s[0], s[1], s[2], t[2])};
    const auto [low, high] = std::minmax_element(of_t.begin(), of_t.end());
    if (*low == 0 && *high == 0) return overlap_in_plane(s, t);
    if (*low * *high >= 0) return false;
    for (std::size_t k = 0; k < 3; ++k) {
      if (pierces(s[k], s[(k + 1) % 3], t) || pierces(t[k], t[(k + 1) % 3], s)) return true;
    }
    return cut_alike(s, t);
  }

  const Surface& s_;
  const std::vector<MeshNode>& tree_;
  int most_;
  std::int64_t looks_ = most_looks(s_.triangles.size());
  std::vector<Vector3> low_, high_;
  Crossings found_{};
};

}  // namespace

Crossings find_crossings(const Surface& surface, const std::vector<MeshNode>& tree, int most) {
  return Finder(surface, tree, most).run();
}

}  // namespace bristle::mesh_detail
