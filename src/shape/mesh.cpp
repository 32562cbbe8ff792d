#include "bristle/shape/mesh.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "bristle/core/error.hpp"
#include "mesh_detail.hpp"

namespace bristle {
namespace mesh_detail {
namespace {

std::uint64_t hash(const Vector3& v) noexcept {
  std::uint64_t h = 0;
  for (int i = 0; i < 3; ++i) {
    h = (h ^ std::bit_cast<std::uint64_t>(v[i])) * 0x9e3779b97f4a7c15U;
    h ^= h >> 29;
  }
  return h;
}

/// A table of vertices by their coordinates, with open addressing.
class VertexTable {
 public:
  explicit VertexTable(std::size_t count) : slots_(std::bit_ceil(2 * count + 1), -1) {}
  /// The number of this vertex among those in `kept`, where it is put if it is new.
  int find_or_add(const Vector3& v, std::vector<Vector3>& kept) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = hash(v) & mask;
    while (slots_[i] >= 0) {
      if (kept[static_cast<std::size_t>(slots_[i])] == v) return slots_[i];
      i = (i + 1) & mask;
    }
    kept.push_back(v);
    slots_[i] = static_cast<int>(kept.size()) - 1;
    return slots_[i];
  }

 private:
  std::vector<int> slots_;
};

/// A set of numbers that can be joined.
class Groups {
 public:
  explicit Groups(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  int root(int i) noexcept {
    while (parent_[static_cast<std::size_t>(i)] != i) {
      int& up = parent_[static_cast<std::size_t>(i)];
      up = parent_[static_cast<std::size_t>(up)];
      i = up;
    }
    return i;
  }
  void join(int i, int j) noexcept {
    i = root(i), j = root(j);
    parent_[static_cast<std::size_t>(std::max(i, j))] = std::min(i, j);
  }

 private:
  std::vector<int> parent_;
};

/// A side of a triangle, from its vertex k to k + 1, filed under the lower of the two numbers.
struct Side {
  int upper;
  int at;  ///< 3·triangle + k
};
/// The sides whose lower vertex is v: sides[start[v]] … sides[start[v + 1]].
struct SideTable {
  std::vector<int> start;
  std::vector<Side> sides;
};
SideTable file_sides(const Surface& s) {
  SideTable table{std::vector<int>(s.vertices.size() + 1, 0),
                  std::vector<Side>(3 * s.triangles.size())};
  const auto lower = [](const Triangle& t, std::size_t k) {
    return static_cast<std::size_t>(std::min(t[k], t[(k + 1) % 3]));
  };
  for (const Triangle& t : s.triangles) {
    for (std::size_t k = 0; k < 3; ++k) ++table.start[lower(t, k) + 1];
  }
  std::partial_sum(table.start.begin(), table.start.end(), table.start.begin());
  std::vector<int> next(table.start.begin(), table.start.end() - 1);
  int at = 0;
  for (const Triangle& t : s.triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      auto& place = next[lower(t, k)];
      table.sides[static_cast<std::size_t>(place++)] = {std::max(t[k], t[(k + 1) % 3]), at++};
    }
  }
  return table;
}

/// Files one edge with all its sides, and what is wrong with it.
void add_edge(const Surface& s, std::span<const Side> sides, Connections& c) {
  const auto number = static_cast<int>(c.edges.size());
  const auto side = [&](std::size_t i) {
    const auto at = static_cast<std::size_t>(sides[i].at);
    return std::pair{s.triangles[at / 3], at % 3};
  };
  const auto [t, k] = side(0);
  MeshEdge edge{{t[k], t[(k + 1) % 3]}, sides[0].at / 3, -1};
  bool flipped = false;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const auto [u, m] = side(i);
    const bool same_way = u[m] == edge.vertex[0];
    const auto at = static_cast<std::size_t>(sides[i].at);
    c.triangle_edges[at / 3][at % 3] = 2 * number + (same_way ? 0 : 1);
    if (i == 0) continue;
    edge.right = sides[i].at / 3;
    flipped = flipped || same_way;
  }
  if (sides.size() == 1) c.open.push_back(number);
  if (sides.size() > 2) c.crowded.push_back(number);
  if (sides.size() == 2 && flipped) c.flipped.push_back(number);
  c.edges.push_back(edge);
}

void find_shells(Connections& c) {
  Groups groups(c.triangle_edges.size());
  for (const MeshEdge& e : c.edges) {
    if (e.right >= 0) groups.join(e.left, e.right);
  }
  c.shell.resize(c.triangle_edges.size());
  for (std::size_t t = 0; t < c.shell.size(); ++t) {
    const int root = groups.root(static_cast<int>(t));  // the lowest of its group, so numbered
    c.shell[t] = root == static_cast<int>(t) ? c.shells++ : c.shell[static_cast<std::size_t>(root)];
  }
}

}  // namespace

void require_readable(const TriangleSoup& soup) {
  constexpr double farthest = 1e9;  // m; products of six coordinates stay finite
  const auto count = static_cast<int>(soup.vertices.size());
  for (std::size_t i = 0; i < soup.vertices.size(); ++i) {
    const Vector3& v = soup.vertices[i];
    if (v.allFinite() && v.lpNorm<Eigen::Infinity>() <= farthest) continue;
    throw InputError({.message = fmt::format("vertex {} is {}", i,
                                             v.allFinite() ? "too far away" : "not finite"),
                      .file = soup.name,
                      .value = fmt::format("{:g} {:g} {:g}", v.x(), v.y(), v.z()),
                      .expected = fmt::format("coordinates up to {:g} m", farthest)});
  }
  for (std::size_t i = 0; i < soup.triangles.size(); ++i) {
    for (const int corner : soup.triangles[i]) {
      if (corner >= 0 && corner < count) continue;
      throw InputError({.message = fmt::format("triangle {} has no such vertex", i),
                        .file = soup.name,
                        .value = fmt::format("{}", corner),
                        .expected = fmt::format("0 to {}", count - 1)});
    }
  }
  if (soup.triangles.empty()) {
    throw InputError({.message = "a mesh without triangles", .file = soup.name});
  }
}

Surface weld(const TriangleSoup& soup, std::vector<int>& collapsed) {
  TriangleSoup clean = welded(soup);
  Surface s{std::move(clean.vertices), {}, {}};
  s.triangles.reserve(clean.triangles.size());
  s.source.reserve(clean.triangles.size());
  int at = 0;
  for (const Triangle& t : clean.triangles) {
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) {
      collapsed.push_back(at);
    } else {
      s.triangles.push_back(t);
      s.source.push_back(at);
    }
    ++at;
  }
  return s;
}

Connections connect(const Surface& s) {
  SideTable table = file_sides(s);
  Connections c;
  c.triangle_edges.resize(s.triangles.size());
  c.edges.reserve(s.triangles.size() * 3 / 2);
  for (std::size_t v = 0; v < s.vertices.size(); ++v) {
    const auto begin = table.sides.begin() + table.start[v];
    const auto end = table.sides.begin() + table.start[v + 1];
    std::sort(begin, end, [](const Side& a, const Side& b) {
      return a.upper != b.upper ? a.upper < b.upper : a.at < b.at;
    });
    for (auto first = begin; first != end;) {
      const auto last =
          std::find_if(first, end, [&](const Side& x) { return x.upper != first->upper; });
      add_edge(s, {first, last}, c);
      first = last;
    }
  }
  find_shells(c);
  return c;
}

double twice_area(const Surface& s, const Triangle& t) noexcept {
  const auto vertex = [&](int k) {
    return s.vertices[static_cast<std::size_t>(t[std::size_t(k)])];
  };
  const Vector3 a = vertex(0), b = vertex(1), c = vertex(2);
  return (b - a).cross(c - a).norm();
}

// Signed tetrahedra to a point: V += d/6, ∫r += d/24 Σ, ∫r rᵀ += d/120 (Σ Σᵀ + a aᵀ + b bᵀ + c cᵀ)
// with d = a·(b × c), Σ = a + b + c.
Moments enclosed(const Surface& s, const std::vector<int>& shell, int which,
                 const Vector3& about) noexcept {
  Moments m;
  m.about = about;
  for (std::size_t t = 0; t < s.triangles.size(); ++t) {
    if (which >= 0 && shell[t] != which) continue;
    const auto vertex = [&](std::size_t k) {
      return Vector3(s.vertices[static_cast<std::size_t>(s.triangles[t][k])] - about);
    };
    const Vector3 a = vertex(0), b = vertex(1), c = vertex(2), sum = a + b + c;
    const double d = a.dot(b.cross(c));
    m.volume += d / 6;
    m.first += d / 24 * sum;
    m.second += d / 120 *
                (sum * sum.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
  }
  return m;
}

}  // namespace mesh_detail

TriangleSoup welded(const TriangleSoup& soup) {
  mesh_detail::require_readable(soup);
  TriangleSoup clean{{}, {}, soup.name};
  clean.triangles.reserve(soup.triangles.size());
  mesh_detail::VertexTable table(soup.vertices.size());
  std::vector<int> number(soup.vertices.size(), -1);
  for (const auto& t : soup.triangles) {
    auto& w = clean.triangles.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) {
      int& n = number[static_cast<std::size_t>(t[k])];
      // −0 + 0 = 0: the two zeros are one place.
      const Vector3 v = soup.vertices[static_cast<std::size_t>(t[k])].array() + 0.0;
      if (n < 0) n = table.find_or_add(v, clean.vertices);
      w[k] = n;
    }
  }
  return clean;
}

MeshReport Mesh::check(const TriangleSoup& soup) {
  std::vector<int> collapsed;
  mesh_detail::Surface surface = mesh_detail::weld(soup, collapsed);
  const std::vector<MeshNode> tree = mesh_detail::build_tree(surface);
  return mesh_detail::inspect(surface, mesh_detail::connect(surface), tree, collapsed);
}

std::shared_ptr<const Mesh> Mesh::make(TriangleSoup soup) {
  std::vector<int> collapsed;
  mesh_detail::Surface surface = mesh_detail::weld(soup, collapsed);
  std::vector<MeshNode> tree = mesh_detail::build_tree(surface);
  mesh_detail::Connections links = mesh_detail::connect(surface);
  const MeshReport report = mesh_detail::inspect(surface, links, tree, collapsed);
  if (!report.is_sound()) {
    throw InputError({.message = report.summary(),
                      .file = soup.name,
                      .expected = "the closed surface of a solid, triangles counter-clockwise "
                                  "seen from outside"});
  }
  const std::shared_ptr<Mesh> mesh(new Mesh);
  const Moments m = mesh_detail::enclosed(surface, links.shell, -1, tree.front().center);
  mesh->volume_ = m.volume;
  mesh->centroid_ = m.centroid();
  mesh->central_ = m.central();
  mesh->area_ = report.area;
  for (const Vector3& v : surface.vertices) {
    mesh->bounding_radius_ = std::max(mesh->bounding_radius_, v.norm());
  }
  mesh->name_ = std::move(soup.name);
  mesh->vertices_ = std::move(surface.vertices);
  mesh->triangles_ = std::move(surface.triangles);
  mesh->edges_ = std::move(links.edges);
  mesh->triangle_edges_ = std::move(links.triangle_edges);
  mesh->shell_ = std::move(links.shell);
  mesh->shells_ = links.shells;
  mesh->tree_ = std::move(tree);
  return mesh;
}

}  // namespace bristle
