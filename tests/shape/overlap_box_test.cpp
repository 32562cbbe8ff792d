// Boxes in special places, where faces, edges and corners coincide.

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "bristle/shape/overlap_pairs.hpp"
#include "shape/scenes.hpp"

namespace bristle::testing {
namespace {

const Box unit{{1, 1, 1}};

std::optional<Overlap> boxes(const Box& a, const Vector3& b_at, const Box& b = unit,
                             const Eigen::Quaterniond& turn = {1, 0, 0, 0}) {
  return overlap_boxes(a, {}, b, {b_at, turn});
}
Eigen::Quaterniond about(const Vector3& axis, double degrees) {
  return Eigen::Quaterniond(Eigen::AngleAxisd(degrees * std::numbers::pi / 180, axis.normalized()));
}

TEST(OverlapBoxes, ASlabBetweenFlushSides) {
  const Overlap o = *boxes(unit, {0, 0, 0.99});
  const Patch patch = make_patch(o);
  EXPECT_NEAR(patch.volume, 0.01, 1e-16);
  EXPECT_NEAR(patch.area, 1, 1e-15);
  EXPECT_LT((patch.normal - Vector3::UnitZ()).norm(), 1e-15);
  EXPECT_LT((patch.volume_centroid - Vector3(0, 0, 0.495)).norm(), 1e-15);
  EXPECT_NEAR(patch.depth, 0.01, 1e-15);
  EXPECT_NEAR(patch.surface_centroid.z(), 0.495, 1e-15);  // half-way, as both are flat
  EXPECT_NEAR(o.wetted_area, 2.04, 1e-14);
}

TEST(OverlapBoxes, TouchingIsNothing) {
  EXPECT_FALSE(boxes(unit, {0, 0, 1}));
  EXPECT_FALSE(boxes(unit, {1, 0.2, 0.3}));
  EXPECT_FALSE(boxes(unit, {1, 1, 0}));  // edge on edge
  EXPECT_FALSE(boxes(unit, {1, 1, 1}));  // corner on corner
  EXPECT_FALSE(boxes(unit, {0, 0, 1 + 1e-12}));
  EXPECT_FALSE(boxes(unit, {0, 0, 1.2}, unit, about({0, 0, 1}, 45)));
  EXPECT_TRUE(boxes(unit, {0, 0, 1 - 1e-12}));
}

TEST(OverlapBoxes, IdenticalOnesAreContained) {
  const Overlap o = *boxes(unit, Vector3::Zero());
  EXPECT_NEAR(o.moments.volume, 1, 1e-15);
  EXPECT_FALSE(make_patch(o).directed);
  EXPECT_NEAR(o.wetted_area, 6, 1e-14);
  for (const double tiny : {1e-17, 1e-15, 3e-15, 1e-14, 1e-12, 1e-9}) {
    for (const Vector3& way : {Vector3(1, 0, 0), Vector3(1, -1, 0), Vector3(1, 2, -3)}) {
      const Overlap near = *boxes(unit, tiny * way, unit, about({1, 2, 3}, tiny * 50));
      EXPECT_NEAR(near.moments.volume, 1, 10 * tiny + 1e-13) << tiny;
      EXPECT_NEAR(near.moments.central()(1, 1), 1.0 / 12, 10 * tiny + 1e-13) << tiny;
    }
  }
}

TEST(OverlapBoxes, OneInsideTheOther) {
  const Box small{{0.2, 0.3, 0.4}};
  const Eigen::Quaterniond turn = about({1, 2, 3}, 40);
  for (const Overlap& o : {*boxes(unit, {0.1, 0, 0.05}, small, turn),
                           *overlap_boxes(small, {{0.1, 0, 0.05}, turn}, unit, {})}) {
    EXPECT_NEAR(o.moments.volume / 0.024, 1, 1e-13);
    EXPECT_NEAR(o.wetted_area / (2 * (0.06 + 0.08 + 0.12)), 1, 1e-13);
    EXPECT_FALSE(make_patch(o).directed);
  }
}

/// A face of B slides past one of A: S jumps by twice the depth times the width, and is the mean of
/// its two values where they are flush.
TEST(OverlapBoxes, FlushFacesCountHalf) {
  const auto s = [&](double x) { return boxes(unit, {x, 0.3, 0.99})->vector_area; };
  const Vector3 before = s(-1e-9), flush = s(0), after = s(1e-9);
  EXPECT_NEAR(before.x() - after.x(), -2 * 0.7 * 0.01, 1e-9);
  EXPECT_LT((flush - 0.5 * (before + after)).norm(), 1e-8);
  const Overlap swapped = *overlap_boxes(unit, {{0, 0.3, 0.99}, {1, 0, 0, 0}}, unit, {});
  EXPECT_LT((swapped.vector_area + flush).norm(), 1e-15);
}

TEST(OverlapBoxes, EdgeAcrossEdge) {
  // Two edges cross at right angles, each box on its edge: the common part is a tetrahedron with
  // opposite edges 2d long and d apart, of the volume (2d)² d/6.
  const double d = 0.01, half = std::sqrt(0.5);
  const Pose low{{0, 0, -half + d / 2}, about({1, 0, 0}, 45)};
  const Pose high{{0, 0, half - d / 2}, about({0, 1, 0}, 45)};
  const Overlap o = *overlap_boxes(unit, low, unit, high);
  const Patch patch = make_patch(o);
  EXPECT_NEAR(patch.volume / (4 * d * d * d / 6), 1, 1e-11);
  EXPECT_LT((patch.normal - Vector3::UnitZ()).norm(), 1e-11);
  EXPECT_NEAR(patch.area / (2 * d * d), 1, 1e-11);
  EXPECT_NEAR(patch.depth / d, 1, 1e-11);
  EXPECT_NEAR(patch.surface_centroid.z(), 0, 1e-13);
}

TEST(OverlapBoxes, ACornerInAFace) {
  const Eigen::Quaterniond up =
      Eigen::Quaterniond::FromTwoVectors(Vector3(1, 1, 1), Vector3::UnitZ());
  const double d = 0.02;
  const Pose corner{{0.1, -0.2, 0.5 + std::sqrt(0.75) - d}, up};
  const Overlap exact = *overlap_half_space(unit, corner, {{0, 0, 0.5}, {1, 0, 0, 0}});
  const Overlap o = *overlap_boxes(unit, corner, Box{{3, 3, 1}}, {});
  const Patch p = make_patch(o), q = make_patch(exact);
  EXPECT_NEAR(p.volume / q.volume, 1, 1e-12);
  EXPECT_LT((p.surface_centroid - q.surface_centroid).norm(), 1e-13);
  EXPECT_LT((p.normal - q.normal).norm(), 1e-12);
  EXPECT_LT((p.J_V - q.J_V).norm() / q.J_V.norm(), 1e-11);
  EXPECT_NEAR(p.depth, d, 1e-14);
}

/// Lattice poses: right angles, equal sizes and places, with noise of all sizes.
TEST(OverlapBoxes, LatticePosesAreRightWithAndWithoutNoise) {
  SceneDraw draw(3);
  const auto pick = [&](int n) { return std::floor(draw.between(0, n)); };
  for (int k = 0; k < 4000; ++k) {
    const Box a{{1 + pick(2), 1 + pick(2), 1 + pick(2)}},
        b{{1 + pick(2), 1 + pick(2), 1 + pick(2)}};
    const Vector3 place(0.5 * pick(4) - 1, 0.5 * pick(4) - 1, 0.5 * pick(4) - 1);
    Vector3 axis = Vector3::Zero();
    axis[static_cast<int>(pick(3))] = 1;
    const double noise = k % 2 == 0 ? 0 : std::pow(10, draw.between(-17, -7));
    const Eigen::Quaterniond turn = about(axis, 90 * pick(4));
    const Vector3 size = (turn * b.size).cwiseAbs();
    const Vector3 low = (-0.5 * a.size).cwiseMax(place - 0.5 * size),
                  high = (0.5 * a.size).cwiseMin(place + 0.5 * size);
    const double expected = (high - low).cwiseMax(0).prod();
    const std::optional<Overlap> o =
        boxes(a, place + noise * draw.place(1), b, about(draw.place(1), 57 * noise) * turn);
    const double volume = o ? o->moments.volume : 0;
    ASSERT_NEAR(volume, expected, 40 * noise + 1e-12) << k;
    if (!o) continue;
    ASSERT_TRUE(o->vector_area.allFinite() && std::isfinite(o->surface_height)) << k;
    if (expected > 1e-3) {
      ASSERT_LT((o->moments.centroid() - 0.5 * (low + high)).norm(), 40 * noise + 1e-11) << k;
    }
  }
}

}  // namespace
}  // namespace bristle::testing
