#pragma once

// Posed pairs of meshes, and sums over what they share.

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "bristle/shape/mesh_pair.hpp"
#include "shape/solids.hpp"
#include "support/draw.hpp"

namespace bristle::testing {

using MeshPointer = std::shared_ptr<const Mesh>;

inline Vector3 draw_vector(Draw& draw, double size) {
  return {draw.between(-size, size), draw.between(-size, size), draw.between(-size, size)};
}
inline Pose draw_pose(Draw& draw, double size) {
  const Vector3 axis = draw_vector(draw, 1).normalized();
  return {draw_vector(draw, size), Eigen::Quaterniond(Eigen::AngleAxisd(draw.between(0, 3), axis))};
}

struct Total {
  double volume = 0;
  Vector3 first = Vector3::Zero();
  Matrix3 second = Matrix3::Zero();
  Vector3 area = Vector3::Zero();
  double wetted = 0;
  std::size_t patches = 0;
};
inline Total total(std::span<const Overlap> overlaps) {
  Total t;
  for (const Overlap& o : overlaps) {
    const Moments m = moved(o.moments, Vector3::Zero());
    t.volume += m.volume;
    t.first += m.first;
    t.second += m.second;
    t.area += o.vector_area;
    t.wetted += o.wetted_area;
  }
  t.patches = overlaps.size();
  return t;
}
inline Total total(MeshPair& pair, const Pose& a, const Pose& b) {
  const Total t = total(pair.find(a, b));
  EXPECT_EQ(pair.status(), MeshPairStatus::ok);
  return t;
}

/// Pairs that overlap, convex and not, with a pose of B that A's frame sees.
struct MeshScene {
  MeshPointer a, b;
  Pose pose_b;
};
inline std::vector<MeshScene> mesh_scenes(int count) {
  const std::vector<MeshPointer> solids{
      Mesh::make(ellipsoid(10, {0.1, 0.08, 0.05})), Mesh::make(star(12, 0.09, 0.4, 5)),
      Mesh::make(torus(0.08, 0.03, 30, 14)), Mesh::make(box({0.15, 0.1, 0.07}, 2))};
  Draw draw(21);
  std::vector<MeshScene> out;
  while (static_cast<int>(out.size()) < count) {
    const auto pick = [&] { return solids[std::size_t(draw.between(0, double(solids.size())))]; };
    MeshScene scene{pick(), pick(), draw_pose(draw, 0.1)};
    MeshPair pair(scene.a, scene.b);
    if (total(pair, {}, scene.pose_b).volume > 1e-8) out.push_back(scene);
  }
  return out;
}

}  // namespace bristle::testing
