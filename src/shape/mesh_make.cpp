// Round things are stacks of rings of points, counter-clockwise seen from +z: going up a wall the
// outside is on the right hand, so a profile that runs up the outside, across the top and down the
// inside bounds the material between.

#include "bristle/shape/mesh_make.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include <fmt/format.h>

#include "bristle/core/error.hpp"

namespace bristle {
namespace {

using std::numbers::pi;

void add_triangle(TriangleSoup& soup, const Vector3& a, const Vector3& b, const Vector3& c) {
  const auto first = static_cast<int>(soup.vertices.size());
  soup.vertices.insert(soup.vertices.end(), {a, b, c});
  soup.triangles.push_back({first, first + 1, first + 2});
}

// ---- rings --------------------------------------------------------------------------------------

/// A ring of one point is the end of a stack.
using Ring = std::vector<Vector3>;

std::vector<Vector3> directions(int segments) {
  std::vector<Vector3> d;
  for (int j = 0; j < segments; ++j) {
    const double angle = 2 * pi * j / segments;
    d.emplace_back(std::cos(angle), std::sin(angle), 0);
  }
  return d;
}
Ring circle(double radius, double z, int segments) {
  Ring ring = directions(segments);
  for (Vector3& x : ring) x = Vector3(radius * x.x(), radius * x.y(), z);
  return ring;
}
Ring pole(double z) { return {Vector3(0, 0, z)}; }

void add_strip(TriangleSoup& soup, const Ring& low, const Ring& high) {
  const std::size_t n = std::max(low.size(), high.size());
  for (std::size_t j = 0; j < n; ++j) {
    const std::size_t k = (j + 1) % n;
    if (low.size() > 1) add_triangle(soup, low[j], low[k], high[high.size() > 1 ? k : 0]);
    if (high.size() > 1) add_triangle(soup, low[low.size() > 1 ? j : 0], high[k], high[j]);
  }
}

TriangleSoup stack(const std::vector<Ring>& rings, const char* name, bool closed = false) {
  TriangleSoup soup;
  for (std::size_t i = 1; i < rings.size(); ++i) add_strip(soup, rings[i - 1], rings[i]);
  if (closed) add_strip(soup, rings.back(), rings.front());
  soup.name = name;
  return welded(soup);
}

/// Rings from `from` to `to`, without the first.
void add_layers(std::vector<Ring>& rings, const Ring& from, const Ring& to, int layers) {
  const int count = std::max(layers, 1);
  for (int i = 1; i < count; ++i) {
    Ring ring(from.size());
    for (std::size_t j = 0; j < ring.size(); ++j) {
      ring[j] = from[j] + (to[j] - from[j]) * (static_cast<double>(i) / count);
    }
    rings.push_back(ring);
  }
  rings.push_back(to);
}

int at_least(int count, int least) { return std::max(count, least); }
int rounded_up(int count, int step) { return (std::max(count, step) + step - 1) / step * step; }

Ring lifted(Ring ring, double z) {
  for (Vector3& x : ring) x.z() = z;
  return ring;
}

/// A regular polygon with its corners at this radius, by points in the directions of a circle.
Ring polygon(int corners, double radius, double z, int segments) {
  Ring ring = directions(segments);
  const double sector = 2 * pi / corners;
  for (std::size_t j = 0; j < ring.size(); ++j) {
    const double angle = std::remainder(2 * pi * static_cast<double>(j) / segments, sector);
    // From a corner (angle 0) the side runs straight to the next.
    const double r = radius * std::cos(sector / 2) / std::cos(sector / 2 - std::abs(angle));
    ring[j] = Vector3(r * ring[j].x(), r * ring[j].y(), z);
  }
  return ring;
}

// ---- the octahedron -----------------------------------------------------------------------------

TriangleSoup blown_up(int n, const char* name,
                      const std::function<Vector3(const Vector3& direction)>& place) {
  n = at_least(n, 1);
  TriangleSoup soup;
  for (int face = 0; face < 8; ++face) {
    const int sx = (face & 1) != 0 ? -1 : 1, sy = (face & 2) != 0 ? -1 : 1,
              sz = (face & 4) != 0 ? -1 : 1;
    const auto at = [&](int i, int j) {
      return place(Vector3(sx * i, sy * j, sz * (n - i - j)).normalized());
    };
    const auto add = [&](const Vector3& a, const Vector3& b, const Vector3& c) {
      if (sx * sy * sz > 0) return add_triangle(soup, a, b, c);
      add_triangle(soup, a, c, b);
    };
    for (int i = 0; i < n; ++i) {
      for (int j = 0; i + j < n; ++j) {
        add(at(i, j), at(i + 1, j), at(i, j + 1));
        if (i + j + 1 < n) add(at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
      }
    }
  }
  soup.name = name;
  return welded(soup);
}

}  // namespace

TriangleSoup make_sphere(double radius, int n) {
  return blown_up(n, "sphere", [&](const Vector3& d) { return Vector3(radius * d); });
}
TriangleSoup make_ellipsoid(const Vector3& axes, int n) {
  return blown_up(n, "ellipsoid", [&](const Vector3& d) { return Vector3(axes.cwiseProduct(d)); });
}
TriangleSoup make_bumpy_sphere(double radius, double bump, int lobes, int n) {
  return blown_up(n, "bumpy sphere", [&](const Vector3& d) {
    const double f =
        std::sin(lobes * d.x()) * std::sin(lobes * d.y() + 1) * std::sin(lobes * d.z() + 2);
    return Vector3(radius * (1 + bump * f) * d);
  });
}

// ---- plane faces --------------------------------------------------------------------------------

TriangleSoup make_box(const Vector3& size, int nx, int ny, int nz) {
  const std::array<int, 3> n{at_least(nx, 1), at_least(ny, 1), at_least(nz, 1)};
  TriangleSoup soup;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (const int end : {0, n[axis]}) {
      const auto at = [&](int i, int j) {
        std::array<int, 3> k{};
        k[axis] = end, k[u] = i, k[v] = j;
        Vector3 x;
        for (std::size_t a = 0; a < 3; ++a) {
          x[static_cast<int>(a)] = size[static_cast<int>(a)] * (2 * k[a] - n[a]) / (2 * n[a]);
        }
        return x;
      };
      for (int i = 0; i < n[u]; ++i) {
        for (int j = 0; j < n[v]; ++j) {
          const Vector3 a = at(i, j), b = at(i + 1, j), c = at(i + 1, j + 1), d = at(i, j + 1);
          if (end > 0) {
            add_triangle(soup, a, b, c), add_triangle(soup, a, c, d);
          } else {
            add_triangle(soup, a, c, b), add_triangle(soup, a, d, c);
          }
        }
      }
    }
  }
  soup.name = "box";
  return welded(soup);
}

/// The outline is seen whole from the middle of the corner square.
TriangleSoup make_angle_profile(double leg, double thickness, double length, int parts) {
  const double t = thickness;
  const std::vector<Vector3> corners{{0, 0, 0}, {leg, 0, 0}, {leg, t, 0},
                                     {t, t, 0}, {t, leg, 0}, {0, leg, 0}};
  const int count = at_least(parts, 1);
  Ring low;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Vector3 &a = corners[k], &b = corners[(k + 1) % corners.size()];
    for (int i = 0; i < count; ++i)
      low.emplace_back(a + (b - a) * (static_cast<double>(i) / count));
  }
  std::vector<Ring> rings{{Vector3(t / 2, t / 2, 0)}, low};
  add_layers(rings, low, lifted(low, length), count);
  rings.push_back({Vector3(t / 2, t / 2, length)});
  return stack(rings, "angle profile");
}

// ---- round things -------------------------------------------------------------------------------

TriangleSoup make_cylinder(double radius, double length, int segments, int layers) {
  const Ring low = circle(radius, -length / 2, at_least(segments, 3));
  std::vector<Ring> rings{pole(-length / 2), low};
  add_layers(rings, low, lifted(low, length / 2), layers);
  rings.push_back(pole(length / 2));
  return stack(rings, "cylinder");
}

TriangleSoup make_cone(double radius, double height, int segments, int layers) {
  const int count = at_least(layers, 1);
  std::vector<Ring> rings{pole(0)};
  for (int i = 1; i <= count; ++i) {
    const double part = static_cast<double>(i) / count;
    rings.push_back(circle(radius * part, height * part, at_least(segments, 3)));
  }
  rings.push_back(pole(height));
  return stack(rings, "cone");
}

TriangleSoup make_capsule(double radius, double length, int segments, int layers) {
  const int around = rounded_up(segments, 4), quarter = around / 4;
  std::vector<Ring> rings{pole(-length / 2 - radius)};
  const auto parallel = [&](int i) {  // from the lower pole up
    const double angle = pi / 2 * i / quarter;
    return circle(radius * std::sin(angle), -length / 2 - radius * std::cos(angle), around);
  };
  for (int i = 1; i < quarter; ++i) rings.push_back(parallel(i));
  const Ring low = circle(radius, -length / 2, around);
  rings.push_back(low);
  add_layers(rings, low, lifted(low, length / 2), layers);
  for (int i = quarter - 1; i > 0; --i) {
    const Ring ring = parallel(i);
    rings.push_back(lifted(ring, -ring[0].z()));
  }
  rings.push_back(pole(length / 2 + radius));
  return stack(rings, "capsule");
}

TriangleSoup make_torus(double radius, double tube, int segments, int tube_segments) {
  const int count = at_least(tube_segments, 3);
  std::vector<Ring> rings;
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * pi * i / count;
    rings.push_back(
        circle(radius + tube * std::cos(angle), tube * std::sin(angle), at_least(segments, 3)));
  }
  return stack(rings, "torus", true);
}

TriangleSoup make_spur_gear(const SpurGear& gear, int points_per_tooth, int layers) {
  const int each = rounded_up(points_per_tooth, 4), segments = each * gear.teeth;
  Ring low = directions(segments);
  for (std::size_t j = 0; j < low.size(); ++j) {
    const double phase = static_cast<double>(j % static_cast<std::size_t>(each)) / each;
    // Tip, flank, root, flank: a quarter each.
    const double down = std::clamp(4 * std::abs(phase - 0.5) - 0.5, 0.0, 1.0);
    const double r = gear.root_radius + (gear.tip_radius - gear.root_radius) * down;
    low[j] = Vector3(r * low[j].x(), r * low[j].y(), -gear.width / 2);
  }
  const Ring high = lifted(low, gear.width / 2);
  std::vector<Ring> rings;
  if (gear.bore <= 0) rings.push_back(pole(-gear.width / 2));
  rings.push_back(low);
  add_layers(rings, low, high, layers);
  if (gear.bore <= 0) {
    rings.push_back(pole(gear.width / 2));
    return stack(rings, "spur gear");
  }
  const Ring top = circle(gear.bore, gear.width / 2, segments);
  rings.push_back(top);
  add_layers(rings, top, lifted(top, -gear.width / 2), layers);
  return stack(rings, "spur gear", true);
}

// ---- threads ------------------------------------------------------------------------------------

namespace {

Ring thread_ring(const Thread& thread, double wider, double z, int segments) {
  Ring ring = directions(segments);
  for (std::size_t j = 0; j < ring.size(); ++j) {
    const double turns = z / thread.pitch - static_cast<double>(j) / segments;
    const double phase = turns - std::floor(turns);
    const double out = std::clamp(4 * std::abs(phase - 0.5) - 0.5, 0.0, 1.0);
    const double r = thread.core + wider + thread.depth * out;
    ring[j] = Vector3(r * ring[j].x(), r * ring[j].y(), z);
  }
  return ring;
}
int thread_layers(const Thread& thread, double length, int per_pitch) {
  return at_least(static_cast<int>(std::ceil(length / thread.pitch * per_pitch)), 1);
}

}  // namespace

TriangleSoup make_bolt(const Bolt& bolt, int segments, int layers_per_pitch) {
  const int around = rounded_up(segments, 6);
  const int layers = thread_layers(bolt.thread, bolt.length, layers_per_pitch);
  std::vector<Ring> rings{pole(0)};
  for (int i = 0; i <= layers; ++i) {
    rings.push_back(thread_ring(bolt.thread, 0, bolt.length * i / layers, around));
  }
  rings.push_back(polygon(6, bolt.head_radius, bolt.length, around));
  rings.push_back(lifted(rings.back(), bolt.length + bolt.head_height));
  rings.push_back(pole(bolt.length + bolt.head_height));
  return stack(rings, "bolt");
}

TriangleSoup make_nut(const Nut& nut, int segments, int layers_per_pitch) {
  const int around = rounded_up(segments, 6);
  const int layers = thread_layers(nut.thread, nut.height, layers_per_pitch);
  std::vector<Ring> rings{polygon(6, nut.radius, 0, around)};
  rings.push_back(lifted(rings.back(), nut.height));
  for (int i = layers; i >= 0; --i) {
    rings.push_back(thread_ring(nut.thread, nut.clearance, nut.height * i / layers, around));
  }
  return stack(rings, "nut", true);
}

// ---- peg and hole -------------------------------------------------------------------------------

TriangleSoup make_peg(const Peg& peg, int segments, int layers) {
  const int around = at_least(segments, 3);
  std::vector<Ring> rings{pole(0)};
  if (peg.chamfer > 0) rings.push_back(circle(peg.radius - peg.chamfer, 0, around));
  const Ring low = circle(peg.radius, std::max(peg.chamfer, 0.0), around);
  rings.push_back(low);
  add_layers(rings, low, lifted(low, peg.length), layers);
  rings.push_back(pole(peg.length));
  return stack(rings, "peg");
}

TriangleSoup make_hole_block(const HoleBlock& block, int segments, int layers) {
  const int around = rounded_up(segments, 8);  // so that the corners of the square are met
  const bool through = block.depth >= block.height;
  const double floor = through ? -block.height : -block.depth;
  Ring square = directions(around);
  for (Vector3& x : square) {
    x *= block.side / 2 / x.cwiseAbs().maxCoeff();
    x.z() = -block.height;
  }
  std::vector<Ring> rings;
  if (!through) rings.push_back(pole(-block.height));
  rings.push_back(square);
  rings.push_back(lifted(square, 0));
  if (block.chamfer > 0) rings.push_back(circle(block.radius + block.chamfer, 0, around));
  const Ring mouth = circle(block.radius, -std::max(block.chamfer, 0.0), around);
  rings.push_back(mouth);
  add_layers(rings, mouth, lifted(mouth, floor), layers);
  if (!through) rings.push_back(pole(floor));
  return stack(rings, "block with a hole", through);
}

// ---- shapes -------------------------------------------------------------------------------------

namespace {

/// So many chords round a circle keep within `chord` of it: r (1 − cos(π/n)) ≤ chord.
int segments_for(double radius, double chord) {
  const double half = chord < radius ? std::acos(1 - chord / radius) : pi / 3;
  return at_least(static_cast<int>(std::ceil(pi / half)), 3);
}

struct Tessellate {
  double chord;

  TriangleSoup operator()(const Sphere& s) const {
    return make_sphere(s.radius, static_cast<int>(std::ceil(std::sqrt(s.radius / chord))));
  }
  TriangleSoup operator()(const Cylinder& c) const {
    return make_cylinder(c.radius, c.length, segments_for(c.radius, chord));
  }
  TriangleSoup operator()(const Box& b) const { return make_box(b.size); }
  /// On the hemispheres a triangle bends both ways, half of the chord for each.
  TriangleSoup operator()(const Capsule& c) const {
    return make_capsule(c.radius, c.length, segments_for(c.radius, chord / 2));
  }
  TriangleSoup operator()(const Ellipsoid& e) const {
    const double n = std::ceil(std::sqrt(e.radii.maxCoeff() / chord));
    return make_ellipsoid(e.radii, static_cast<int>(n));
  }
  /// make_cone stands on its tip, at the origin.
  TriangleSoup operator()(const Cone& c) const {
    TriangleSoup soup = make_cone(c.radius, c.length, segments_for(c.radius, chord));
    for (Vector3& v : soup.vertices) v = {v.x(), -v.y(), c.length / 2 - v.z()};
    return soup;
  }
  TriangleSoup operator()(const MeshShape& m) const {
    return {m.mesh->vertices(), m.mesh->triangles(), m.mesh->name()};
  }
  TriangleSoup operator()(const HalfSpace&) const { return refuse("half-space"); }
  TriangleSoup operator()(const Bore&) const { return refuse("bore"); }
  TriangleSoup operator()(const Wall&) const { return refuse("wall"); }
  TriangleSoup operator()(const Point&) const { return refuse("point"); }

 private:
  static TriangleSoup refuse(const char* shape) {
    throw InputError({.message = "a shape that cannot be cut into triangles",
                      .value = shape,
                      .expected = "sphere, ellipsoid, cylinder, cone, box or capsule"});
  }
};

}  // namespace

TriangleSoup tessellate(const Shape& shape, double chord) {
  if (!(chord > 0)) {
    throw InputError({.message = "chord error of a mesh",
                      .value = fmt::format("{}", chord),
                      .expected = "a positive length"});
  }
  return std::visit(Tessellate{chord}, shape);
}

}  // namespace bristle
