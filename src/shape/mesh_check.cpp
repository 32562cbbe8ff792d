#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "mesh_detail.hpp"

namespace bristle {
namespace mesh_detail {
namespace {

constexpr std::size_t listed = 3;  ///< offenders of each kind

std::string place(const Vector3& x) {
  return fmt::format("({:g}, {:g}, {:g})", x.x(), x.y(), x.z());
}

class Inspector {
 public:
  Inspector(const Surface& surface, const Connections& links) : s_(surface), links_(links) {}

  MeshReport run(const std::vector<int>& collapsed) {
    report_.vertices = static_cast<int>(s_.vertices.size());
    report_.triangles = static_cast<int>(s_.triangles.size() + collapsed.size());
    report_.shells = links_.shells;
    look_for_slivers(collapsed);
    report_.open_edges = list_edges(links_.open, "has one triangle only");
    report_.crowded_edges = list_edges(links_.crowded, "has more than two triangles");
    report_.flipped_edges = list_edges(links_.flipped, "joins triangles that run opposite ways");
    return report_;
  }

 private:
  const Vector3& vertex(int v) const { return s_.vertices[static_cast<std::size_t>(v)]; }

  void look_for_slivers(const std::vector<int>& collapsed) {
    for (const int t : collapsed)
      detail(report_.degenerate++, fmt::format("triangle {} has two equal corners", t));
    for (std::size_t t = 0; t < s_.triangles.size(); ++t) {
      const double area = twice_area(s_, s_.triangles[t]);
      report_.area += 0.5 * area;
      double longest = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        const Vector3 side = vertex(s_.triangles[t][(k + 1) % 3]) - vertex(s_.triangles[t][k]);
        longest = std::max(longest, side.squaredNorm());
      }
      if (area > 1e-14 * longest) continue;
      detail(report_.degenerate++, fmt::format("triangle {} has no area, at {}", s_.source[t],
                                               place(vertex(s_.triangles[t][0]))));
    }
  }

  int list_edges(const std::vector<int>& edges, const char* what) {
    for (std::size_t i = 0; i < std::min(edges.size(), listed); ++i) {
      const MeshEdge& e = links_.edges[static_cast<std::size_t>(edges[i])];
      report_.details.push_back(fmt::format("the edge from {} to {} of triangle {} {}",
                                            place(vertex(e.vertex[0])), place(vertex(e.vertex[1])),
                                            s_.source[static_cast<std::size_t>(e.left)], what));
    }
    return static_cast<int>(edges.size());
  }

  void detail(int number, const std::string& text) {
    if (number < static_cast<int>(listed)) report_.details.push_back(text);
  }

  const Surface& s_;
  const Connections& links_;
  MeshReport report_{};
};

}  // namespace

MeshReport inspect(const Surface& surface, const Connections& links,
                   const std::vector<MeshNode>& tree, const std::vector<int>& collapsed) {
  MeshReport report = Inspector(surface, links).run(collapsed);
  if (tree.empty()) return report;
  report.volume = enclosed(surface, links.shell, -1, tree.front().center).volume;
  return report;
}

}  // namespace mesh_detail

bool MeshReport::is_sound() const noexcept {
  return triangles > 0 && degenerate + open_edges + crowded_edges + flipped_edges +
                                  self_intersections + inverted_shells ==
                              0;
}

std::string MeshReport::summary() const { return details.empty() ? "sound" : details.front(); }

}  // namespace bristle
