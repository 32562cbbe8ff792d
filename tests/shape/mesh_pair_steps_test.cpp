// Overlaps of meshes step after step: coherence, memory, continuity.

#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "shape/mesh_pairs.hpp"
#include "support/allocations.hpp"

namespace bristle::testing {
namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;

TEST(MeshPairSteps, CoherentStepsEqualFreshOnes) {
  Draw draw(23);
  for (const MeshScene& scene : mesh_scenes(4)) {
    MeshPair coherent(scene.a, scene.b), fresh(scene.a, scene.b, {.coherent = false});
    MeshPair cramped(scene.a, scene.b, {.front = 64});
    Pose a{}, b = scene.pose_b;
    Vector3 v = draw_vector(draw, 1e-3), turn = draw_vector(draw, 1e-2);
    for (int step = 0; step < 400; ++step) {
      if (step % 50 == 0) v = draw_vector(draw, 2e-3), turn = draw_vector(draw, 2e-2);
      if (step % 130 == 129) b.position = draw_vector(draw, 0.1);  // a jump
      b.position += v;
      if (b.position.norm() > 0.15) v = -v;
      b.rotation =
          (Quaterniond(AngleAxisd(turn.norm(), turn.normalized())) * b.rotation).normalized();
      a.position += 0.3 * v;
      const Total x = total(coherent, a, b), y = total(fresh, a, b), z = total(cramped, a, b);
      ASSERT_EQ(x.patches, y.patches) << step;
      ASSERT_NEAR(x.volume, y.volume, 1e-18 + 1e-14 * y.volume) << step;
      ASSERT_LT((x.area - y.area).norm(), 1e-16) << step;
      ASSERT_NEAR(z.volume, y.volume, 1e-18 + 1e-14 * y.volume) << step;
      ASSERT_EQ(coherent.work().segments, fresh.work().segments);
    }
  }
}

TEST(MeshPairSteps, PatchesKeepTheirOrderWhateverCameBefore) {
  const MeshPointer ring = Mesh::make(torus(1, 0.2, 48, 20));
  MeshPair straight(ring, ring), wandering(ring, ring);
  for (int i = 0; i < 50; ++i) {
    wandering.find({}, {Vector3(0.4 + 0.01 * i, 0.002 * i, 0.05), Quaterniond::Identity()});
  }
  const Pose b{Vector3(0.9, 0.1, 0.05), Quaterniond::Identity()};
  const auto one = straight.find({}, b), two = wandering.find({}, b);
  ASSERT_EQ(one.size(), 2U);
  ASSERT_EQ(two.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(one[i].moments.volume, two[i].moments.volume, 1e-16);
    EXPECT_LT((one[i].moments.centroid() - two[i].moments.centroid()).norm(), 1e-13);
  }
}

TEST(MeshPairSteps, StepsAllocateNothing) {
  MeshPair pair(Mesh::make(star(16, 0.1, 0.4, 5)), Mesh::make(ellipsoid(16, {0.1, 0.08, 0.05})));
  if (allocations() < 0) GTEST_SKIP() << "allocations are not counted under sanitizers";
  Pose b{{0.1, 0.05, 0.02}, Quaterniond(0.3, 0.5, -0.2, 0.7).normalized()};
  pair.prepare({}, b);
  const long before = allocations();
  double sum = 0;
  std::size_t segments = 0;
  for (int i = 0; i < 500; ++i) {
    b.position.x() -= i % 100 == 0 ? 0.02 : 1e-4;  // jumps too
    for (const Overlap& o : pair.find({}, b)) sum += o.moments.volume;
    segments += pair.segments().size();
  }
  EXPECT_EQ(allocations(), before);
  EXPECT_GT(sum, 0);
  EXPECT_GT(segments, 1000U);
}

TEST(MeshPairSteps, WhatDoesNotFitIsRefusedAndPreparedFor) {
  MeshPair pair(Mesh::make(star(16, 0.1, 0.4, 5)), Mesh::make(ellipsoid(16, {0.1, 0.08, 0.05})),
                {.crossings = 20});
  const Pose b{{0.05, 0.05, 0.02}, Quaterniond::Identity()};
  EXPECT_TRUE(pair.find({}, b).empty());
  EXPECT_EQ(pair.status(), MeshPairStatus::overflow);
  EXPECT_TRUE(pair.segments().empty());
  // What fits is found again.
  EXPECT_TRUE(pair.find({}, {Vector3(1, 0, 0), Quaterniond::Identity()}).empty());
  EXPECT_EQ(pair.status(), MeshPairStatus::ok);
  EXPECT_EQ(pair.prepare({}, b).size(), 1U);
  EXPECT_EQ(pair.status(), MeshPairStatus::ok);
  EXPECT_EQ(pair.find({}, b).size(), 1U);
  EXPECT_EQ(pair.status(), MeshPairStatus::ok);
}

/// B moves by at most h: |ΔV| ≤ h · (area of either body).
TEST(MeshPairSteps, VolumeIsContinuousAlongPaths) {
  Draw draw(24);
  for (const MeshScene& scene : mesh_scenes(8)) {
    MeshPair pair(scene.a, scene.b);
    const double area = std::min(scene.a->area(), scene.b->area());
    Pose b = scene.pose_b;
    const Vector3 v = draw_vector(draw, 1), turn = draw_vector(draw, 5);
    double last = total(pair, {}, b).volume;
    for (int step = 0; step < 300; ++step) {
      constexpr double h = 2e-4;
      b.position += h * v;
      b.rotation =
          (Quaterniond(AngleAxisd(h * turn.norm(), turn.normalized())) * b.rotation).normalized();
      const double moved = h * (v.norm() + turn.norm() * scene.b->bounding_radius());
      const double now = total(pair, {}, b).volume;
      ASSERT_LE(std::abs(now - last), moved * area + 1e-15);
      last = now;
    }
  }
}

/// The force Σ V n has a slope: half the step, half the increment. Events are exempt: where patches
/// merge or part the sum turns abruptly, as the law says it does.
TEST(MeshPairSteps, IncrementsOfTheForceHalveWithTheStep) {
  Draw draw(25);
  int checked = 0, events = 0;
  for (const MeshScene& scene : mesh_scenes(14)) {
    MeshPair pair(scene.a, scene.b);
    const Vector3 v = draw_vector(draw, 1), turn = draw_vector(draw, 5);
    const auto force = [&](double t, std::size_t& patches) {
      Pose b = scene.pose_b;
      b.position += t * v;
      b.rotation =
          (Quaterniond(AngleAxisd(t * turn.norm(), turn.normalized())) * b.rotation).normalized();
      Vector3 sum = Vector3::Zero();
      const auto overlaps = pair.find({}, b);
      for (const Overlap& o : overlaps) sum += o.moments.volume * make_patch(o).normal;
      patches = overlaps.size();
      return sum;
    };
    for (int i = 0; i < 40; ++i) {
      constexpr double h = 1e-6;
      const double t = 2.5e-4 * i;
      std::array<std::size_t, 3> patches{};
      const Vector3 f0 = force(t, patches[0]), f1 = force(t + h / 2, patches[1]),
                    f2 = force(t + h, patches[2]);
      if (patches[0] != patches[2] || patches[0] != patches[1]) {
        ++events;
        continue;
      }
      const double whole = (f2 - f0).norm(), half = (f1 - f0).norm();
      if (whole < 1e-14) continue;  // apart, or all but at an extremum
      EXPECT_GT(half, 0.45 * whole);
      EXPECT_LT(half, 0.55 * whole);
      ++checked;
    }
  }
  EXPECT_GT(checked, 350);
  EXPECT_LT(events, 10);
}

}  // namespace
}  // namespace bristle::testing
