#pragma once

// Meshes for tests, and the integrals over what of them lies below a plane: triangle by triangle in
// extended precision, by columns up to the plane, ∫ f dV = ∫ (∫₀ˢ f ds') N·n dS. The library sums
// cones instead, so the two have only the triangles in common.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "bristle/shape/mesh.hpp"
#include "bristle/shape/overlap.hpp"
#include "support/draw.hpp"

namespace bristle::testing {

using LongVector = Eigen::Matrix<long double, 3, 1>;
using LongMatrix = Eigen::Matrix<long double, 3, 3>;

inline LongMatrix long_rotation(const Eigen::Quaterniond& q) {
  return q.cast<long double>().toRotationMatrix();
}

/// World axes; moments about a given point of the world.
struct LongOverlap {
  long double volume = 0;
  LongVector first = LongVector::Zero();
  LongMatrix second = LongMatrix::Zero();
  long double cap = 0, wetted = 0, depth = 0;
};

/// Mean of f g h … over a triangle from values at its corners.
inline long double mean(const std::array<long double, 3>& f) { return (f[0] + f[1] + f[2]) / 3; }
inline long double mean(const std::array<long double, 3>& f, const std::array<long double, 3>& g) {
  long double both = 0;
  for (std::size_t i = 0; i < 3; ++i) both += f[i] * g[i];
  return (9 * mean(f) * mean(g) + both) / 12;
}
inline long double mean(const std::array<long double, 3>& f, const std::array<long double, 3>& g,
                        const std::array<long double, 3>& h) {
  long double all = 0, fg = 0, gh = 0, hf = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    all += f[i] * g[i] * h[i];
    fg += f[i] * g[i], gh += g[i] * h[i], hf += h[i] * f[i];
  }
  const long double F = 3 * mean(f), G = 3 * mean(g), H = 3 * mean(h);
  return (F * G * H + F * gh + G * hf + H * fg + 2 * all) / 60;
}

/// Adds a triangle below the plane; corners in axes of the plane, z the height.
inline void add_below(LongOverlap& sums, const std::array<LongVector, 3>& x) {
  const LongVector w = (x[1] - x[0]).cross(x[2] - x[0]) / 2;
  const auto component = [&](int i) {
    return std::array<long double, 3>{x[0][i], x[1][i], x[2][i]};
  };
  const auto u = component(0), v = component(1), s = component(2);
  const long double a = w.z();
  sums.volume += a * mean(s);
  sums.first += a * LongVector(mean(s, u), mean(s, v), mean(s, s) / 2);
  LongMatrix second;
  second << mean(s, u, u), mean(s, u, v), mean(s, s, u) / 2,  //
      mean(s, u, v), mean(s, v, v), mean(s, s, v) / 2,        //
      mean(s, s, u) / 2, mean(s, s, v) / 2, mean(s, s, s) / 3;
  sums.second += a * second;
  sums.cap -= a;
  sums.wetted += w.norm();
  for (const LongVector& p : x) sums.depth = std::max(sums.depth, -p.z());
}

inline LongOverlap long_overlap(const Mesh& mesh, const Pose& pose, const Pose& half_space,
                                const Vector3& about) {
  const LongMatrix plane = long_rotation(half_space.rotation);
  const LongMatrix turn = plane.transpose() * long_rotation(pose.rotation);
  const LongVector floor = half_space.position.cast<long double>();
  LongVector shift = plane.transpose() * (pose.position.cast<long double>() - floor);
  LongVector origin = plane.transpose() * (about.cast<long double>() - floor);
  const long double up = origin.z();  // how much `about` is off the plane
  origin.z() = 0;
  LongOverlap sums;
  for (const auto& t : mesh.triangles()) {
    std::array<LongVector, 3> x;
    for (std::size_t k = 0; k < 3; ++k) {
      x[k] = turn * mesh.vertices()[static_cast<std::size_t>(t[k])].cast<long double>() + shift -
             origin;
    }
    std::vector<LongVector> kept;
    for (std::size_t k = 0; k < 3; ++k) {
      const LongVector &p = x[k], &q = x[(k + 1) % 3];
      if (p.z() < 0) kept.push_back(p);
      if ((p.z() < 0) != (q.z() < 0)) kept.emplace_back(p + p.z() / (p.z() - q.z()) * (q - p));
    }
    for (std::size_t k = 2; k < kept.size(); ++k) add_below(sums, {kept[0], kept[k - 1], kept[k]});
  }
  sums.wetted += sums.cap;
  const LongVector d(0, 0, -up);
  sums.second +=
      sums.first * d.transpose() + d * sums.first.transpose() + sums.volume * d * d.transpose();
  sums.first += sums.volume * d;
  sums.first = plane * sums.first;
  sums.second = plane * sums.second * plane.transpose();
  return sums;
}

inline Eigen::Quaterniond any_rotation(Draw& draw) {
  Eigen::Quaterniond q;
  do {
    q.coeffs() << draw.between(-1, 1), draw.between(-1, 1), draw.between(-1, 1),
        draw.between(-1, 1);
  } while (q.norm() > 1 || q.norm() < 0.1);
  return q.normalized();
}
inline Vector3 any_vector(Draw& draw, double size) {
  const double x = draw.between(-size, size), y = draw.between(-size, size);
  return {x, y, draw.between(-size, size)};
}
inline Pose any_pose(Draw& draw, double size) {
  const Vector3 position = any_vector(draw, size);
  return {position, any_rotation(draw)};
}

/// A mesh over a half-space so that its deepest vertex is `depth` below.
struct Pressed {
  Pose mesh, half_space;
};
inline Pressed pressed(const Mesh& mesh, const Eigen::Quaterniond& rotation, const Pose& half_space,
                       double depth) {
  const Vector3 up = axis_z(half_space);
  double lowest = std::numeric_limits<double>::infinity();
  for (const Vector3& v : mesh.vertices()) lowest = std::min(lowest, up.dot(rotation * v));
  return {{half_space.position - (lowest + depth) * up, rotation}, half_space};
}

/// The surface of the cells (unit cubes from (i, j, k) on) for which `solid` is true. Cells that
/// share only an edge give a mesh with crowded edges.
inline TriangleSoup make_cells(const std::array<int, 3>& n,
                               const std::function<bool(int, int, int)>& solid) {
  TriangleSoup soup;
  const auto is_solid = [&](std::array<int, 3> c) {
    for (std::size_t a = 0; a < 3; ++a) {
      if (c[a] < 0 || c[a] >= n[a]) return false;
    }
    return solid(c[0], c[1], c[2]);
  };
  const auto add_face = [&](const std::array<int, 3>& c, std::size_t axis, int end) {
    const auto u = static_cast<int>((axis + 1) % 3), v = static_cast<int>((axis + 2) % 3);
    Vector3 a(c[0], c[1], c[2]);
    a[static_cast<int>(axis)] += end;
    const Vector3 eu = Vector3::Unit(u), ev = Vector3::Unit(v);
    const auto first = static_cast<int>(soup.vertices.size());
    soup.vertices.insert(soup.vertices.end(), {a, a + eu, a + eu + ev, a + ev});
    if (end == 1) {
      soup.triangles.push_back({first, first + 1, first + 2});
      soup.triangles.push_back({first, first + 2, first + 3});
    } else {
      soup.triangles.push_back({first, first + 2, first + 1});
      soup.triangles.push_back({first, first + 3, first + 2});
    }
  };
  for (int i = 0; i < n[0]; ++i) {
    for (int j = 0; j < n[1]; ++j) {
      for (int k = 0; k < n[2]; ++k) {
        if (!solid(i, j, k)) continue;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          for (const int end : {0, 1}) {
            std::array<int, 3> next{i, j, k};
            next[axis] += 2 * end - 1;
            if (!is_solid(next)) add_face({i, j, k}, axis, end);
          }
        }
      }
    }
  }
  soup.name = "cells";
  return soup;
}

}  // namespace bristle::testing
