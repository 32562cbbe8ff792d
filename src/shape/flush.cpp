#include "bristle/shape/flush.hpp"

#include <algorithm>
#include <cmath>

#include "bristle/core/index.hpp"
#include "bristle/shape/mesh.hpp"

namespace bristle {

using detail::at;

namespace {

constexpr double parallel = 1e-9;  ///< rad; also of the size, for planes that are one
constexpr double smallest = 1e-2;  ///< of a mesh's surface

/// Groups of coplanar neighbours, each compared with the triangle it began with.
std::vector<FlatFace> faces_of(const Mesh& mesh) {
  const auto& triangles = mesh.triangles();
  const auto area_of = [&](int t) -> Vector3 {
    const auto& [a, b, c] = triangles[at(t)];
    const auto& v = mesh.vertices();
    return 0.5 * (v[at(b)] - v[at(a)]).cross(v[at(c)] - v[at(a)]);
  };
  std::vector<FlatFace> faces;
  std::vector<bool> seen(triangles.size(), false);
  std::vector<int> todo;
  for (int first = 0; first < static_cast<int>(triangles.size()); ++first) {
    if (seen[at(first)]) continue;
    const Vector3 normal = area_of(first).normalized();
    double area = 0;
    todo.assign(1, first);
    seen[at(first)] = true;
    while (!todo.empty()) {
      const int t = todo.back();
      todo.pop_back();
      area += area_of(t).norm();
      for (const int link : mesh.triangle_edges()[at(t)]) {
        const MeshEdge& edge = mesh.edges()[at(link / 2)];
        const int other = link % 2 == 0 ? edge.right : edge.left;
        if (seen[at(other)]) continue;
        const Vector3 next = area_of(other).normalized();
        if (next.dot(normal) < 0 || next.cross(normal).norm() > parallel) continue;
        seen[at(other)] = true;
        todo.push_back(other);
      }
    }
    if (area < smallest * mesh.area()) continue;
    faces.push_back({normal, normal.dot(mesh.vertices()[at(triangles[at(first)][0])])});
  }
  return faces;
}

FlatFace placed(const FlatFace& face, const Pose& pose) noexcept {
  const Vector3 n = rotate(pose, face.normal);
  return {n, face.offset + n.dot(pose.position)};
}

/// How far B's face lies in front of A's plane, NaN if they are not parallel.
double height(const FlatFace& a, const FlatFace& b) noexcept {
  if (a.normal.cross(b.normal).norm() > parallel) return std::nan("");
  return std::copysign(1.0, a.normal.dot(b.normal)) * b.offset - a.offset;
}

struct Shared {
  double volume = 0;
  Vector3 area = Vector3::Zero();
};
Shared shared(OverlapFinder& finder, const Pose& a, const Pose& b) noexcept {
  Shared sum;
  for (const Overlap& piece : finder.find(a, b)) {
    sum.volume += piece.moments.volume;
    sum.area += piece.vector_area;
  }
  return sum;
}

}  // namespace

std::vector<FlatFace> flat_faces(const Shape& shape) {
  const Vector3 up = Vector3::UnitZ();
  if (std::holds_alternative<HalfSpace>(shape)) return {{up, 0}};
  if (const auto* box = std::get_if<Box>(&shape)) {
    std::vector<FlatFace> faces;
    for (int i = 0; i < 3; ++i) {
      for (const double side : {-1.0, 1.0}) {
        faces.push_back({side * Vector3::Unit(i), 0.5 * box->size[i]});
      }
    }
    return faces;
  }
  if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
    return {{up, 0.5 * cylinder->length}, {-up, 0.5 * cylinder->length}};
  }
  if (const auto* cone = std::get_if<Cone>(&shape)) return {{-up, 0.5 * cone->length}};
  if (const auto* mesh = std::get_if<MeshShape>(&shape)) return faces_of(*mesh->mesh);
  return {};
}

FlushWatch::FlushWatch(const Shape& a, const Shape& b)
    : a_(flat_faces(a)),
      b_(flat_faces(b)),
      size_(std::min(bounding_radius(a), bounding_radius(b))) {}

std::optional<FlushPass> FlushWatch::between(const Poses& from, const Poses& to,
                                             OverlapFinder& finder) const noexcept {
  std::optional<FlushPass> first;
  for (const FlatFace& own : a_) {
    const FlatFace a0 = placed(own, from.a), a1 = placed(own, to.a);
    for (const FlatFace& other : b_) {
      const double h0 = height(a0, placed(other, from.b)), h1 = height(a1, placed(other, to.b));
      // Not where it began in the plane: that pass was the one before.
      const double in_plane = parallel * size_;
      const bool passes = h0 * h1 < 0 || std::abs(h1) <= in_plane;
      if (!passes || !(std::abs(h0) > in_plane)) continue;
      const double share = h0 / (h0 - h1);
      if (first && first->share <= share) continue;
      const auto seen = [&](double off) noexcept {
        Pose a = to.a;
        a.position += (h1 + off * parallel * size_) * a1.normal;
        return shared(finder, a, to.b);
      };
      const Shared before = seen(-1), after = seen(1);
      if (!(before.volume > 0) || !(after.volume > 0)) continue;
      // What S changes by without a jump, over as long a way.
      const double smooth = (seen(3).area - after.area).norm();
      const double jump = (after.area - before.area).norm();
      if (!(jump > 10 * smooth) || !(jump > parallel * size_ * size_)) continue;
      first = FlushPass{share, jump, a1.normal};
    }
  }
  return first;
}

}  // namespace bristle
