#include "bristle/shape/chord.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "bristle/shape/mesh.hpp"

namespace bristle {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
using Chords = std::vector<Chord>;

struct Line {
  Vector3 o, d;
};

Chords meet(const Chord& a, const Chord& b) {
  const Chord both{std::max(a.from, b.from), std::min(a.to, b.to)};
  return both.to > both.from ? Chords{both} : Chords{};
}

/// a s² + 2 b s + c ≤ 0 with a ≥ 0.
Chords below_zero(double a, double b, double c) {
  if (a <= 1e-300) return c <= 0 ? Chords{{-infinity, infinity}} : Chords{};
  const double root = b * b - a * c;
  if (root <= 0) return {};
  const double r = std::sqrt(root);
  return {{(-b - r) / a, (-b + r) / a}};
}

/// low ≤ o + s d ≤ high.
Chord slab(double o, double d, double low, double high) {
  if (std::abs(d) < 1e-300) {
    return o >= low && o <= high ? Chord{-infinity, infinity} : Chord{1, -1};
  }
  const double s = (low - o) / d, t = (high - o) / d;
  return {std::min(s, t), std::max(s, t)};
}

Chords of(const Sphere& sphere, const Line& l) {
  return below_zero(l.d.squaredNorm(), l.o.dot(l.d),
                    l.o.squaredNorm() - sphere.radius * sphere.radius);
}
Chords of(const Ellipsoid& e, const Line& l) {
  return of(Sphere{1}, {l.o.cwiseQuotient(e.radii), l.d.cwiseQuotient(e.radii)});
}
Chords of(const HalfSpace&, const Line& l) {
  const Chord c = slab(l.o.z(), l.d.z(), -infinity, 0);
  return c.to > c.from ? Chords{c} : Chords{};
}
Chords of(const Bore& bore, const Line& l) {
  const Eigen::Vector2d o = l.o.head<2>(), d = l.d.head<2>();
  const Chords hole =
      below_zero(d.squaredNorm(), o.dot(d), o.squaredNorm() - bore.radius * bore.radius);
  if (hole.empty()) return {{-infinity, infinity}};
  return {{-infinity, hole[0].from}, {hole[0].to, infinity}};
}
/// Three planes.
Chords of(const Wall& wall, const Line& l) {
  Chord all{-infinity, infinity};
  const double w = wall.chamfer_width, h = wall.chamfer_height;
  const std::array<Vector3, 3> normals{Vector3(1, 0, 0), Vector3(0, 0, 1), Vector3(h, 0, w)};
  const std::array<double, 3> reach{0, 0, -w * h};
  for (std::size_t i = 0; i < 3; ++i) {
    const Chord c = slab(normals[i].dot(l.o), normals[i].dot(l.d), -infinity, reach[i]);
    all = {std::max(all.from, c.from), std::min(all.to, c.to)};
  }
  return all.to > all.from ? Chords{all} : Chords{};
}
Chords of(const Cylinder& c, const Line& l) {
  const Eigen::Vector2d o = l.o.head<2>(), d = l.d.head<2>();
  const Chords side = below_zero(d.squaredNorm(), o.dot(d), o.squaredNorm() - c.radius * c.radius);
  if (side.empty()) return {};
  return meet(side[0], slab(l.o.z(), l.d.z(), -c.length / 2, c.length / 2));
}
Chords of(const Box& box, const Line& l) {
  Chord all{-infinity, infinity};
  for (int i = 0; i < 3; ++i) {
    const Chord c = slab(l.o[i], l.d[i], -box.size[i] / 2, box.size[i] / 2);
    all = {std::max(all.from, c.from), std::min(all.to, c.to)};
  }
  return all.to > all.from ? Chords{all} : Chords{};
}
/// Convex: the hull of what the cylinder and the two end spheres give.
Chords of(const Capsule& capsule, const Line& l) {
  Chord all{infinity, -infinity};
  const auto add = [&](const Chords& list) {
    for (const Chord& c : list) all = {std::min(all.from, c.from), std::max(all.to, c.to)};
  };
  add(of(Cylinder{capsule.radius, capsule.length}, l));
  for (const double end : {-0.5, 0.5}) {
    add(of(Sphere{capsule.radius}, {l.o - Vector3(0, 0, end * capsule.length), l.d}));
  }
  return all.to > all.from ? Chords{all} : Chords{};
}
/// x² + y² ≤ t² (apex − z)²: the double cone, cut to the half with the base. Its lower nappe is
/// convex, so the line is inside between the first and the last of its crossings with the cone and
/// the base.
Chords of(const Cone& cone, const Line& l) {
  const double t = cone.radius / cone.length, top = cone.length / 2;
  const Chord height = slab(l.o.z(), l.d.z(), -top, top);
  const double a = l.d.head<2>().squaredNorm() - t * t * l.d.z() * l.d.z();
  const double h = top - l.o.z();
  const double b = l.o.head<2>().dot(l.d.head<2>()) + t * t * h * l.d.z();
  const double c = l.o.head<2>().squaredNorm() - t * t * h * h;
  std::vector<double> ends;
  const auto inside = [&](double s) {
    return a * s * s + 2 * b * s + c <= 0 && s >= height.from && s <= height.to;
  };
  if (const double root = b * b - a * c; root > 0 && std::abs(a) > 1e-300) {
    for (const double sign : {-1.0, 1.0}) ends.push_back((-b + sign * std::sqrt(root)) / a);
  } else if (std::abs(a) <= 1e-300 && std::abs(b) > 0) {
    ends.push_back(-c / (2 * b));
  }
  ends.push_back(height.from);
  ends.push_back(height.to);
  std::erase_if(ends, [](double s) { return !std::isfinite(s); });
  std::sort(ends.begin(), ends.end());
  Chords found;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    if (ends[i + 1] <= ends[i] || !inside((ends[i] + ends[i + 1]) / 2)) continue;
    if (!found.empty() && found.back().to >= ends[i]) {
      found.back().to = ends[i + 1];
    } else {
      found.push_back({ends[i], ends[i + 1]});
    }
  }
  return found;
}
Chords of(const Point&, const Line&) { return {}; }

/// Does the line pass left of an edge? By Plücker coordinates, the same for both triangles of the
/// edge, so that no line slips between them.
bool left_of(const Line& l, const Vector3& a, const Vector3& b) {
  return l.d.dot((a - l.o).cross(b - l.o)) > 0;
}
struct Crossing {
  double s;
  bool enters;
};
using Crossings = std::vector<Crossing>;

void cross(const Line& l, const Vector3& a, const Vector3& b, const Vector3& c, Crossings& list) {
  const bool ab = left_of(l, a, b), bc = left_of(l, b, c), ca = left_of(l, c, a);
  if (ab != bc || bc != ca) return;
  const Vector3 n = (b - a).cross(c - a);
  const double slope = n.dot(l.d);
  if (slope != 0) list.push_back({n.dot(a - l.o) / slope, slope < 0});
}
Chords between(Crossings list) {
  std::sort(list.begin(), list.end(),
            [](const Crossing& p, const Crossing& q) { return p.s < q.s; });
  Chords found;
  int inside = 0;
  double start = 0;
  for (const Crossing& crossing : list) {
    if (crossing.enters && inside++ == 0) start = crossing.s;
    if (!crossing.enters && --inside == 0 && crossing.s > start) {
      found.push_back({start, crossing.s});
    }
  }
  return found;
}
std::array<Vector3, 3> corners(const Mesh& mesh, const std::array<int, 3>& triangle) {
  const auto& x = mesh.vertices();
  return {x[static_cast<std::size_t>(triangle[0])], x[static_cast<std::size_t>(triangle[1])],
          x[static_cast<std::size_t>(triangle[2])]};
}
Chords of(const MeshShape& shape, const Line& l) {
  Crossings list;
  for (const auto& t : shape.mesh->triangles()) {
    const auto [a, b, c] = corners(*shape.mesh, t);
    cross(l, a, b, c, list);
  }
  return between(std::move(list));
}

/// Each triangle is drawn onto the cells below its bounding box.
std::vector<Chords> draw(const Mesh& mesh, const Pose& pose, const LineGrid& grid) {
  const Pose back = inverse(pose);
  const Vector3 origin = apply(back, grid.origin), e1 = rotate(back, grid.e1),
                e2 = rotate(back, grid.e2), d = rotate(back, grid.direction);
  std::vector<Crossings> lists(static_cast<std::size_t>(grid.columns * grid.rows));
  for (const auto& t : mesh.triangles()) {
    const auto [a, b, c] = corners(mesh, t);
    const auto range = [&](const Vector3& axis, int count) {
      const double x = axis.dot(a - origin), y = axis.dot(b - origin), z = axis.dot(c - origin);
      const double low = std::min({x, y, z}) / grid.cell, high = std::max({x, y, z}) / grid.cell;
      return std::pair{std::clamp(static_cast<int>(std::floor(low - 0.5)), 0, count),
                       std::clamp(static_cast<int>(std::ceil(high + 0.5)), 0, count)};
    };
    const auto [u0, u1] = range(e1, grid.columns);
    const auto [v0, v1] = range(e2, grid.rows);
    for (int v = v0; v < v1; ++v) {
      for (int u = u0; u < u1; ++u) {
        const Line line{origin + (u + 0.5) * grid.cell * e1 + (v + 0.5) * grid.cell * e2, d};
        cross(line, a, b, c, lists[static_cast<std::size_t>(v * grid.columns + u)]);
      }
    }
  }
  std::vector<Chords> all;
  all.reserve(lists.size());
  for (Crossings& list : lists) all.push_back(between(std::move(list)));
  return all;
}

}  // namespace

std::vector<Chord> chords(const Shape& shape, const Pose& pose, const Vector3& origin,
                          const Vector3& direction) {
  const Line line{apply_inverse(pose, origin), rotate_inverse(pose, direction)};
  return std::visit([&](const auto& s) { return of(s, line); }, shape);
}

std::vector<std::vector<Chord>> chords(const Shape& shape, const Pose& pose, const LineGrid& grid) {
  if (const auto* mesh = std::get_if<MeshShape>(&shape)) return draw(*mesh->mesh, pose, grid);
  std::vector<Chords> all;
  all.reserve(static_cast<std::size_t>(grid.columns * grid.rows));
  for (int v = 0; v < grid.rows; ++v) {
    for (int u = 0; u < grid.columns; ++u) {
      all.push_back(chords(shape, pose, grid.at(u, v), grid.direction));
    }
  }
  return all;
}

double common_length(const std::vector<Chord>& a, const std::vector<Chord>& b) noexcept {
  double sum = 0;
  for (const Chord& p : a) {
    for (const Chord& q : b) {
      sum += std::max(0.0, std::min(p.to, q.to) - std::max(p.from, q.from));
    }
  }
  return sum;
}

}  // namespace bristle
