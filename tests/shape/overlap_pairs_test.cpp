// What holds for the overlap of every pair of shapes.

#include <algorithm>
#include <numbers>
#include <set>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "shape/columns.hpp"
#include "shape/overlap_scenes.hpp"
#include "support/allocations.hpp"

namespace bristle::testing {
namespace {

constexpr int cases = 100;

TEST(OverlapPairs, EveryNumberIsFiniteAndOfTheRightSign) {
  for_every_overlap(cases, [](const OverlapScene& scene, SceneDraw&) {
    const Overlap o = *scene.overlap();
    const Patch patch = make_patch(o);
    ASSERT_GT(o.moments.volume, 0) << scene.text();
    ASSERT_TRUE(o.moments.second.allFinite() && o.moments.about.allFinite()) << scene.text();
    ASSERT_TRUE(patch.directed) << scene.text();
    ASSERT_LE(patch.area, 0.5 * o.wetted_area * (1 + 1e-9)) << scene.text();
    ASSERT_GT(patch.depth, 0) << scene.text();
    const Eigen::SelfAdjointEigenSolver<Matrix3> central(o.moments.central());
    ASSERT_GT(central.eigenvalues().minCoeff(), 0) << scene.text();
    // About a point of the contact: central moments lose nothing.
    ASSERT_LT((o.moments.centroid() - o.moments.about).norm(), 6 * scene.size()) << scene.text();
  });
}

// ∂V/∂(position of B) = −S.
TEST(OverlapPairs, TheVectorAreaIsTheGradientOfTheVolume) {
  for_every_overlap(cases, [](const OverlapScene& scene, SceneDraw&) {
    const Overlap o = *scene.overlap();
    const double h = 2e-3 * std::min(make_patch(o).depth, 0.1);
    Vector3 gradient;
    for (int i = 0; i < 3; ++i) {
      const auto volume = [&](double x) {
        OverlapScene other = scene;
        other.pose_b.position[i] += x;
        return other.volume();
      };
      // Richardson: the next term of the difference is h⁴.
      const double coarse = (volume(2 * h) - volume(-2 * h)) / (4 * h);
      gradient[i] = (4 * (volume(h) - volume(-h)) / (2 * h) - coarse) / 3;
    }
    // Where an edge comes into contact V has a kink in its higher derivatives.
    ASSERT_LT((gradient + o.vector_area).norm(), 2e-6 * o.wetted_area) << scene.text();
  });
}

TEST(OverlapPairs, MovingTheWholeSceneMovesTheOverlapAndNothingElse) {
  for_every_overlap(cases, [](const OverlapScene& scene, SceneDraw& draw) {
    const Pose motion = draw.pose(1);
    const Overlap here = *scene.overlap(), there = *scene.moved_by(motion).overlap();
    const Patch p = make_patch(here), q = make_patch(there);
    // Poses are rounded to 1e-16 of their size, so depths and what follows from them are too.
    const double tolerance = 1e-12 * (1 + 0.01 / p.depth);
    const Matrix3 turn = motion.rotation.toRotationMatrix();
    ASSERT_NEAR(q.volume / p.volume, 1, tolerance) << scene.text();
    ASSERT_LT((there.vector_area - turn * here.vector_area).norm() / here.wetted_area, tolerance)
        << scene.text();
    ASSERT_LT((q.volume_centroid - apply(motion, p.volume_centroid)).norm(), tolerance)
        << scene.text();
    ASSERT_LT((q.surface_centroid - apply(motion, p.surface_centroid)).norm(), tolerance)
        << scene.text();
    // Second moments grow with the third power of the depth and get three times the room: the
    // largest seen is 5.9e-12 where `tolerance` is 4.55e-12.
    ASSERT_LT((q.J_V - turn * p.J_V * turn.transpose()).norm() / p.J_V.norm(), 3 * tolerance)
        << scene.text();
    ASSERT_LT((q.J_s - turn * p.J_s * turn.transpose()).norm() / p.J_s.norm(), 3 * tolerance)
        << scene.text();
    ASSERT_NEAR(there.wetted_area / here.wetted_area, 1, tolerance) << scene.text();
    ASSERT_NEAR(there.depth / here.depth, 1, tolerance) << scene.text();
  });
}

TEST(OverlapPairs, ExchangingTheShapesTurnsTheNormalRound) {
  for_every_overlap(cases, [](const OverlapScene& scene, SceneDraw&) {
    const Overlap one = *scene.overlap();
    const Overlap other = *OverlapScene{scene.b, scene.pose_b, scene.a, scene.pose_a}.overlap();
    const Patch p = make_patch(one), q = make_patch(other);
    // Only pairs of one kind are computed anew.
    const double tolerance = scene.a.index() == scene.b.index() ? 1e-12 * (1 + 0.01 / p.depth) : 0;
    ASSERT_LE((one.vector_area + other.vector_area).norm(), tolerance) << scene.text();
    ASSERT_LE(std::abs(p.volume - q.volume), tolerance) << scene.text();
    ASSERT_LE((p.surface_centroid - q.surface_centroid).norm(), tolerance) << scene.text();
    ASSERT_LE((p.J_s - q.J_s).norm(), tolerance) << scene.text();
  });
}

// |ΔV| ≤ (cross-section) · (way of the farthest point of A): V has no jumps.
TEST(OverlapPairs, TheVolumeIsContinuousAlongAnyPath) {
  constexpr int steps = 40;
  for_every_overlap(cases / 10, [](const OverlapScene& scene, SceneDraw& draw) {
    const double r = scene.size(), section = std::numbers::pi * r * r;
    const bool a_is_bounded = std::isfinite(bounding_radius(scene.a));
    const Twist twist = draw.twist();
    const double way =
        (twist.v.norm() + twist.omega.norm() * (a_is_bounded ? bounding_radius(scene.a)
                                                             : bounding_radius(scene.b))) /
        steps;
    double last = scene.volume();
    for (int k = 1; k <= steps; ++k) {
      OverlapScene next = scene;
      Pose& pose = a_is_bounded ? next.pose_a : next.pose_b;
      pose = moved(pose, twist, static_cast<double>(k) / steps);
      const double volume = next.volume();
      ASSERT_LE(std::abs(volume - last), 2 * section * way) << scene.text() << ' ' << k;
      last = volume;
    }
  });
}

TEST(OverlapPairs, AgreeWithSumsOverColumns) {
  for_every_overlap(4, [](const OverlapScene& drawn, SceneDraw& draw) {
    OverlapScene scene = drawn;
    const Patch patch = make_patch(*scene.overlap());
    if (patch.depth < 0.02) return;  // too fine for the columns
    if (!std::isfinite(bounding_radius(scene.a))) {
      scene = {scene.b, scene.pose_b, scene.a, scene.pose_a};
    }
    const Moments exact = bristle::moved(scene.overlap()->moments, scene.pose_a.position);
    const Moments sum =
        add_columns(scene.a, scene.pose_a, scene.b, scene.pose_b, draw.place(1).normalized(), 400);
    const double r = bounding_radius(scene.a), error = 1e-5 * r * r * r + 1e-4 * exact.volume;
    ASSERT_NEAR(sum.volume, exact.volume, error) << scene.text();
    ASSERT_LT((sum.first - exact.first).norm(), error * r) << scene.text();
    ASSERT_LT((sum.second - exact.second).norm(), error * r * r) << scene.text();
  });
}

// Cavalieri: over a half-space the section at every depth gives V and its moments along n.
TEST(OverlapPairs, TheSectionsOfABodyAddUpToItsVolume) {
  SceneDraw draw(11);
  for (const int kind : {0, 3, 4, 5, 7, 8}) {
    for (int k = 0; k < 6; ++k) {
      const OverlapScene scene = draw_overlap(draw, kind, 1, false);
      const Overlap o = *scene.overlap();
      const Vector3 n = axis_z(scene.pose_b), start = scene.pose_a.position;
      // Midpoints in the third root of the height over the lowest point, where the section is
      // small.
      constexpr int steps = 3000;
      double volume = 0, first = 0, second = 0;
      for (int i = 0; i < steps; ++i) {
        const double q = (i + 0.5) / steps, height = o.depth * q * q * q;
        const auto section = scene.with_a_at(start + (o.depth - height) * n).overlap();
        const double area = section ? section->vector_area.norm() : 0;
        const double slice = area * 3 * o.depth * q * q / steps, depth = o.depth - height;
        volume += slice;
        first += slice * depth;
        second += slice * depth * depth;
      }
      ASSERT_NEAR(volume / o.moments.volume, 1, 1e-5) << scene.text();
      ASSERT_NEAR(first / -n.dot(o.moments.first), 1, 1e-5) << scene.text();
      ASSERT_NEAR(second / n.dot(o.moments.second * n), 1, 1e-5) << scene.text();
    }
  }
}

TEST(OverlapPairs, NothingIsAllocated) {
  for_every_overlap(4, [](const OverlapScene& scene, SceneDraw&) {
    const long before = allocations();
    (void)scene.overlap();
    ASSERT_EQ(allocations(), before) << scene.text();
  });
}

TEST(OverlapPairs, KnownOnesAreListedOnce) {
  const std::vector<std::string> list = overlap_pairs();
  EXPECT_EQ(std::set<std::string>(list.begin(), list.end()).size(), list.size());
  EXPECT_EQ(list.size(), 10U);
  EXPECT_NE(std::find(list.begin(), list.end(), "cone – half-space"), list.end());
  EXPECT_TRUE(can_overlap(HalfSpace{}, Cone{}));
  EXPECT_FALSE(can_overlap(Point{}, HalfSpace{}));
  EXPECT_FALSE(can_overlap(HalfSpace{}, HalfSpace{}));
  std::array<Overlap, 1> out;
  EXPECT_EQ(overlap(Box{}, {}, Capsule{}, {}, out), 0);
}

}  // namespace
}  // namespace bristle::testing
