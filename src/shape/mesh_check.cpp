#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "mesh_detail.hpp"

namespace bristle {
namespace mesh_detail {
namespace {

constexpr int listed = 3;  ///< offenders of each kind

std::string place(const Vector3& x) {
  return fmt::format("({:g}, {:g}, {:g})", x.x(), x.y(), x.z());
}

/// One connected piece of the surface.
struct Shell {
  Vector3 low = Vector3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  std::vector<int> triangles{};
  double volume = 0, area = 0;
};

class Inspector {
 public:
  Inspector(const Surface& surface, const Connections& links, const std::vector<MeshNode>& tree)
      : s_(surface), links_(links), tree_(tree) {}

  MeshReport run(const std::vector<int>& collapsed) {
    report_.vertices = static_cast<int>(s_.vertices.size());
    report_.triangles = static_cast<int>(s_.triangles.size() + collapsed.size());
    report_.shells = links_.shells;
    report_.open_edges = list_edges(links_.open, "has one triangle only");
    report_.crowded_edges = list_edges(links_.crowded, "has more than two triangles");
    report_.flipped_edges = list_edges(links_.flipped, "joins triangles that run opposite ways");
    look_for_slivers(collapsed);
    if (tree_.empty()) return report_;
    look_for_crossings();
    report_.volume = enclosed(s_, links_.shell, -1, tree_.front().center).volume;
    // Inside and outside mean something for closed surfaces only.
    if (report_.open_edges + report_.crowded_edges + report_.flipped_edges == 0) look_at_shells();
    return report_;
  }

 private:
  const Vector3& vertex(int v) const { return s_.vertices[static_cast<std::size_t>(v)]; }
  const Triangle& triangle(int t) const { return s_.triangles[static_cast<std::size_t>(t)]; }
  int source(int t) const { return s_.source[static_cast<std::size_t>(t)]; }
  Vector3 middle(int t) const {
    return (vertex(triangle(t)[0]) + vertex(triangle(t)[1]) + vertex(triangle(t)[2])) / 3;
  }
  void detail(int number, const std::string& text) {
    if (number < listed) report_.details.push_back(text);
  }

  int list_edges(const std::vector<int>& edges, const char* what) {
    const auto count = static_cast<int>(edges.size());
    for (int i = 0; i < std::min(count, listed); ++i) {
      const MeshEdge& e =
          links_.edges[static_cast<std::size_t>(edges[static_cast<std::size_t>(i)])];
      detail(i, fmt::format("the edge of triangle {} from {} to {} {}", source(e.left),
                            place(vertex(e.vertex[0])), place(vertex(e.vertex[1])), what));
    }
    return count;
  }

  /// Twice the area is the longest side times the height on it: a height of 1e-14 sides is
  /// rounding.
  void look_for_slivers(const std::vector<int>& collapsed) {
    for (const int t : collapsed) {
      detail(report_.degenerate++, fmt::format("triangle {} has two equal corners", t));
    }
    for (int t = 0; t < static_cast<int>(s_.triangles.size()); ++t) {
      const double area = twice_area(s_, triangle(t));
      report_.area += 0.5 * area;
      double longest = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        const Vector3 side = vertex(triangle(t)[(k + 1) % 3]) - vertex(triangle(t)[k]);
        longest = std::max(longest, side.squaredNorm());
      }
      if (area > 1e-14 * longest) continue;
      detail(report_.degenerate++, fmt::format("triangle {} at {} has no area", source(t),
                                               place(vertex(triangle(t)[0]))));
    }
  }

  void look_for_crossings() {
    const Crossings crossings = find_crossings(s_, tree_, listed);
    report_.self_intersections = crossings.count;
    report_.tangled = !crossings.all_seen;
    for (const auto& [a, b] : crossings.first) {
      detail(0, fmt::format("triangles {} and {} cross or lie on each other at {}", source(a),
                            source(b), place(middle(a))));
    }
  }

  /// A shell inside an odd number of others bounds a cavity and must be inside out.
  void look_at_shells() {
    const std::vector<Shell> shells = gather_shells();
    for (std::size_t i = 0; i < shells.size(); ++i) {
      const Shell& shell = shells[i];
      const Vector3 point = middle(shell.triangles.front());
      if (std::abs(shell.volume) <= 1e-12 * std::pow(shell.area, 1.5)) {
        detail(report_.flat_shells++,
               fmt::format("the shell of triangle {} at {} encloses no volume",
                           source(shell.triangles.front()), place(point)));
        continue;
      }
      int around = 0;
      for (std::size_t j = 0; j < shells.size() && !report_.tangled; ++j) {
        if (j != i && contains(shells[j], point)) ++around;
      }
      if (report_.tangled) return;
      if ((shell.volume > 0) == (around % 2 == 0)) continue;
      detail(report_.inverted_shells++,
             fmt::format("the shell of triangle {} at {} {}", source(shell.triangles.front()),
                         place(point),
                         around % 2 == 0 ? "is inside out"
                                         : "bounds a cavity and must have its normals into it"));
    }
  }

  std::vector<Shell> gather_shells() const {
    std::vector<Shell> shells(static_cast<std::size_t>(links_.shells));
    const Vector3 center = tree_.front().center;
    for (int t = 0; t < static_cast<int>(s_.triangles.size()); ++t) {
      Shell& shell = shells[static_cast<std::size_t>(links_.shell[static_cast<std::size_t>(t)])];
      shell.triangles.push_back(t);
      const Triangle& k = triangle(t);
      for (const int v : k) {
        shell.low = shell.low.cwiseMin(vertex(v));
        shell.high = shell.high.cwiseMax(vertex(v));
      }
      const Vector3 a = vertex(k[0]) - center, b = vertex(k[1]) - center, c = vertex(k[2]) - center;
      shell.volume += a.dot(b.cross(c)) / 6;
      shell.area += 0.5 * twice_area(s_, k);
    }
    return shells;
  }

  /// By the solid angle under which the point sees the shell: ±4π from inside (Van Oosterom and
  /// Strackee 1983).
  bool contains(const Shell& shell, const Vector3& x) {
    if (--looks_ < 0) report_.tangled = true;
    if ((x.array() < shell.low.array()).any() || (x.array() > shell.high.array()).any()) {
      return false;
    }
    looks_ -= static_cast<std::int64_t>(shell.triangles.size());
    double angle = 0;
    for (const int t : shell.triangles) {
      const Triangle& k = triangle(t);
      const Vector3 a = vertex(k[0]) - x, b = vertex(k[1]) - x, c = vertex(k[2]) - x;
      const double la = a.norm(), lb = b.norm(), lc = c.norm();
      angle += 2 * std::atan2(a.dot(b.cross(c)),
                              la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
    }
    return std::abs(angle) > 2 * std::numbers::pi;
  }

  const Surface& s_;
  const Connections& links_;
  const std::vector<MeshNode>& tree_;
  MeshReport report_{};
  std::int64_t looks_ = most_looks(s_.triangles.size());
};

}  // namespace

MeshReport inspect(const Surface& surface, const Connections& links,
                   const std::vector<MeshNode>& tree, const std::vector<int>& collapsed) {
  return Inspector(surface, links, tree).run(collapsed);
}

}  // namespace mesh_detail

bool MeshReport::is_sound() const noexcept {
  return triangles > 0 && !tangled &&
         degenerate + open_edges + crowded_edges + flipped_edges + self_intersections +
                 inverted_shells + flat_shells ==
             0;
}

std::string MeshReport::summary() const {
  if (is_sound()) return fmt::format("sound: {} triangles, {} shells", triangles, shells);
  std::string text = open_edges + crowded_edges > 0 ? "not watertight: " : "";
  const char* comma = "";
  const auto add = [&](int count, const char* one, const char* many) {
    if (count == 0) return;
    text += fmt::format("{}{} {}", comma, count, count == 1 ? one : many);
    comma = ", ";
  };
  add(open_edges, "open edge", "open edges");
  add(crowded_edges, "edge with more than two triangles", "edges with more than two triangles");
  add(flipped_edges, "edge where the sense of the triangles turns",
      "edges where the sense of the triangles turns");
  add(degenerate, "triangle without area", "triangles without area");
  add(self_intersections, "pair of crossing triangles",
      self_intersections < mesh_detail::most_crossings ? "pairs of crossing triangles"
                                                       : "and more pairs of crossing triangles");
  add(inverted_shells, "shell with its inside out", "shells with their inside out");
  add(flat_shells, "shell without volume", "shells without volume");
  if (tangled) {
    text += fmt::format("{}too many triangles that lie across one another to be checked", comma);
  }
  if (!details.empty()) text += "; " + details.front();
  return text;
}

}  // namespace bristle
