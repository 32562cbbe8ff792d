#pragma once

// Closed meshes to test with. Corners are repeated; Mesh::make welds them.

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>
#include <vector>

#include "bristle/shape/mesh.hpp"

namespace bristle::testing {

inline void add_triangle(TriangleSoup& soup, const Vector3& a, const Vector3& b, const Vector3& c) {
  if (a == b || b == c || c == a) return;
  const auto first = static_cast<int>(soup.vertices.size());
  soup.vertices.insert(soup.vertices.end(), {a, b, c});
  soup.triangles.push_back({first, first + 1, first + 2});
}
inline void add_quad(TriangleSoup& soup, const Vector3& a, const Vector3& b, const Vector3& c,
                     const Vector3& d) {
  add_triangle(soup, a, b, c);
  add_triangle(soup, a, c, d);
}

/// The solid made of unit cubes at integer places, each square of its surface split into n × n.
/// Cubes must not meet in an edge only.
inline TriangleSoup cubes(const std::vector<std::array<int, 3>>& places, int n = 1) {
  TriangleSoup soup;
  const auto is_full = [&](const std::array<int, 3>& p) {
    for (const auto& q : places) {
      if (p == q) return true;
    }
    return false;
  };
  for (const auto& place : places) {
    for (std::size_t k = 0; k < 3; ++k) {
      for (const int side : {-1, 1}) {
        auto beside = place;
        beside[k] += side;
        if (is_full(beside)) continue;
        const std::size_t u = (k + 1) % 3, v = (k + 2) % 3;
        const auto corner = [&](int i, int j) {
          std::array<double, 3> x{};
          x[k] = place[k] + (side > 0 ? 1 : 0);
          x[u] = place[u] + double(i) / n;
          x[v] = place[v] + double(j) / n;
          return Vector3(x[0], x[1], x[2]);
        };
        for (int i = 0; i < n; ++i) {
          for (int j = 0; j < n; ++j) {
            const Vector3 a = corner(i, j), b = corner(i + 1, j), c = corner(i + 1, j + 1),
                          d = corner(i, j + 1);
            side > 0 ? add_quad(soup, a, b, c, d) : add_quad(soup, a, d, c, b);
          }
        }
      }
    }
  }
  return soup;
}

template <class Map>
TriangleSoup mapped(TriangleSoup soup, Map&& map) {
  for (Vector3& x : soup.vertices) x = map(x);
  return soup;
}

/// Centred, 12 n² triangles.
inline TriangleSoup box(const Vector3& size, int n = 1) {
  return mapped(cubes({{0, 0, 0}}, n),
                [&](const Vector3& x) { return Vector3((x.array() - 0.5) * size.array()); });
}

/// Directions over the sphere, 8 n² triangles, each at the distance asked for.
inline TriangleSoup ball(int n, const std::function<Vector3(const Vector3&)>& place) {
  TriangleSoup soup;
  const auto at = [&](int i, int j, double sx, double sy, double sz) {
    const Vector3 x(sx * (n - i - j), sy * i, sz * j);
    return place(x.normalized());
  };
  for (int octant = 0; octant < 8; ++octant) {
    const double sx = (octant & 1) != 0 ? -1 : 1, sy = (octant & 2) != 0 ? -1 : 1,
                 sz = (octant & 4) != 0 ? -1 : 1;
    const bool flip = sx * sy * sz < 0;
    const auto add = [&](const Vector3& a, const Vector3& b, const Vector3& c) {
      flip ? add_triangle(soup, a, c, b) : add_triangle(soup, a, b, c);
    };
    for (int i = 0; i < n; ++i) {
      for (int j = 0; i + j < n; ++j) {
        add(at(i, j, sx, sy, sz), at(i + 1, j, sx, sy, sz), at(i, j + 1, sx, sy, sz));
        if (i + j + 1 < n) {
          add(at(i + 1, j, sx, sy, sz), at(i + 1, j + 1, sx, sy, sz), at(i, j + 1, sx, sy, sz));
        }
      }
    }
  }
  for (Vector3& x : soup.vertices) x = x.array() + 0.0;
  return soup;
}
inline TriangleSoup ellipsoid(int n, const Vector3& half) {
  return ball(n, [&](const Vector3& d) { return Vector3(d.cwiseProduct(half)); });
}
/// A ball with bumps: not convex.
inline TriangleSoup star(int n, double radius, double bump, int arms) {
  return ball(n, [=](const Vector3& d) {
    const double phi = std::atan2(d.y(), d.x());
    const double across = d.x() * d.x() + d.y() * d.y();
    return Vector3(radius * (1 + bump * std::cos(arms * phi) * across * across) * d);
  });
}

using Profile = std::vector<std::pair<double, double>>;
/// (r, z) points turned about z in n steps; solid is on the left of the profile. It is closed if
/// its last point is its first, and must begin and end on the axis otherwise.
inline TriangleSoup turned(const Profile& profile, int n) {
  TriangleSoup soup;
  const auto at = [&](const std::pair<double, double>& p, int i) {
    const double phi = 2 * std::numbers::pi * (i % n) / n;
    return Vector3(p.first * std::cos(phi), p.first * std::sin(phi), p.second);
  };
  for (std::size_t k = 0; k + 1 < profile.size(); ++k) {
    for (int i = 0; i < n; ++i) {
      add_quad(soup, at(profile[k], i), at(profile[k], i + 1), at(profile[k + 1], i + 1),
               at(profile[k + 1], i));
    }
  }
  return soup;
}
/// Straight parts of a profile in pieces no longer than `step`.
inline Profile refined(const Profile& profile, double step) {
  Profile out{profile.front()};
  for (std::size_t k = 0; k + 1 < profile.size(); ++k) {
    const auto [r0, z0] = profile[k];
    const auto [r1, z1] = profile[k + 1];
    const int m = std::max(1, static_cast<int>(std::ceil(std::hypot(r1 - r0, z1 - z0) / step)));
    for (int i = 1; i < m; ++i) {
      out.emplace_back(r0 + (r1 - r0) * i / m, z0 + (z1 - z0) * i / m);
    }
    out.push_back(profile[k + 1]);
  }
  return out;
}

inline TriangleSoup torus(double big, double small, int n, int m) {
  Profile circle;
  for (int i = 0; i <= m; ++i) {
    const double phi = 2 * std::numbers::pi * (i % m) / m;
    circle.emplace_back(big + small * std::cos(phi), small * std::sin(phi));
  }
  return turned(circle, n);
}
inline TriangleSoup cylinder(double radius, double length, int n, double step) {
  const double h = length / 2;
  return turned(refined({{0, -h}, {radius, -h}, {radius, h}, {0, h}}, step), n);
}
/// A tube, or a block with a round hole.
inline TriangleSoup tube(double inner, double outer, double length, int n, double step) {
  const double h = length / 2;
  return turned(refined({{inner, -h}, {outer, -h}, {outer, h}, {inner, h}, {inner, -h}}, step), n);
}

}  // namespace bristle::testing
