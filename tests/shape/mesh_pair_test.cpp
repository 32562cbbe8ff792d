// Overlaps of meshes: closed forms, touching poses, and what must hold for every pair.

#include "bristle/shape/mesh_pair.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "shape/mesh_pairs.hpp"

namespace bristle::testing {
namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;

// ---- closed forms -------------------------------------------------------------------------------

struct Named {
  const char* what;
  Vector3 place;  ///< of B, a cube of side 1; A is one about the origin
  double volume;
  Vector3 centroid;  ///< of the overlap
};

class MeshPairBoxes : public ::testing::TestWithParam<int> {};

TEST_P(MeshPairBoxes, TouchingPosesAreNoSpecialCases) {
  const MeshPointer cube = Mesh::make(box({1, 1, 1}, GetParam()));
  MeshPair pair(cube, cube);
  const std::vector<Named> poses{{"gap 0 above", {0, 0, 1}, 0, {}},
                                 {"gap 0 below", {0, 0, -1}, 0, {}},
                                 {"gap 0 beside, shifted", {-1, 0.25, 0.125}, 0, {}},
                                 {"edge on edge", {1, 1, 0}, 0, {}},
                                 {"edge on edge", {-1, 0, -1}, 0, {}},
                                 {"corner on corner", {1, 1, 1}, 0, {}},
                                 {"corner on corner", {-1, 1, -1}, 0, {}},
                                 {"identical", {0, 0, 0}, 1, {0, 0, 0}},
                                 {"half, four sides flush", {0, 0, 0.5}, 0.5, {0, 0, 0.25}},
                                 {"half, two sides flush", {0.5, 0, 0.5}, 0.25, {0.25, 0, 0.25}},
                                 {"thin, flush", {0, -0.9375, 0}, 0.0625, {0, -0.46875, 0}},
                                 {"general", {0.5, 0.3, 0.2}, 0.28, {0.25, 0.15, 0.1}}};
  for (const Named& pose : poses) {
    SCOPED_TRACE(pose.what);
    const auto overlaps = pair.find({}, {pose.place, Quaterniond::Identity()});
    ASSERT_EQ(pair.status(), MeshPairStatus::ok);
    ASSERT_EQ(overlaps.size(), pose.volume > 0 ? 1U : 0U);
    if (overlaps.empty()) continue;
    EXPECT_NEAR(overlaps[0].moments.volume, pose.volume, 2e-14);
    EXPECT_LT((overlaps[0].moments.centroid() - pose.centroid).norm(), 1e-13);
    const Vector3 size = Vector3::Ones() - pose.place.cwiseAbs();
    const Matrix3 central = overlaps[0].moments.central();
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(central(k, k), pose.volume * size[k] * size[k] / 12, 1e-14);
    }
    const double skin = 2 * (size.x() * size.y() + size.y() * size.z() + size.z() * size.x());
    EXPECT_NEAR(overlaps[0].wetted_area, skin, 1e-13);
  }
}

TEST_P(MeshPairBoxes, TurnedByHalfARightAngleWithItsEdgeInAFace) {
  const MeshPointer cube = Mesh::make(box({1, 1, 1}, GetParam()));
  MeshPair pair(cube, cube);
  const Quaterniond turned(AngleAxisd(std::numbers::pi / 4, Vector3::UnitX()));
  const double reach = std::sqrt(0.5);
  for (const double depth : {0.0, 0.01, 0.2}) {
    SCOPED_TRACE(depth);
    const Pose b{{0, 0, 0.5 + reach - depth}, turned};
    const auto overlaps = pair.find({}, b);
    ASSERT_EQ(overlaps.size(), depth > 0 ? 1U : 0U);
    if (overlaps.empty()) continue;
    // A wedge of right angle as long as the cube, flush at both ends.
    EXPECT_NEAR(overlaps[0].moments.volume, depth * depth, 2e-14);
    EXPECT_LT((overlaps[0].moments.centroid() - Vector3(0, 0, 0.5 - depth / 3)).norm(), 1e-12);
  }
}

TEST_P(MeshPairBoxes, InsideAndTouchingFromInside) {
  const MeshPointer big = Mesh::make(box({1, 1, 1}, GetParam()));
  const MeshPointer small = Mesh::make(box({0.5, 0.5, 0.5}, GetParam()));
  for (const bool exchanged : {false, true}) {
    MeshPair pair(exchanged ? small : big, exchanged ? big : small);
    for (const Vector3& place : {Vector3(0, 0, 0), Vector3(0, 0, 0.25), Vector3(-0.25, 0.25, 0.1),
                                 Vector3(0.25, 0.25, -0.25), Vector3(-0.25, -0.25, -0.25)}) {
      const auto overlaps = pair.find({}, {place, Quaterniond::Identity()});
      ASSERT_EQ(overlaps.size(), 1U);
      EXPECT_NEAR(overlaps[0].moments.volume, 0.125, 1e-14);
      EXPECT_NEAR(overlaps[0].wetted_area, 1.5, 1e-13);
      if (place.norm() == 0) {
        EXPECT_EQ(overlaps[0].vector_area.norm(), 0);
        EXPECT_FALSE(make_patch(overlaps[0]).directed);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Triangles, MeshPairBoxes, ::testing::Values(1, 4, 16));

/// NOTES.md, section 5: a cube's corner 1 cm deep in a half-space, here the face of a large box.
TEST(MeshPair, CornerOfACubeInAFaceIsAPyramid) {
  const MeshPointer cube = Mesh::make(box({0.1, 0.1, 0.1}, 3)), block = Mesh::make(box({2, 2, 2}));
  const Vector3 diagonal = Vector3::Ones().normalized();
  const Quaterniond turn = Quaterniond::FromTwoVectors(diagonal, -Vector3::UnitZ());
  const double reach = 0.05 * std::sqrt(3.0), depth = 0.01;
  const Pose pose_cube{{0.2, 0.1, 1 + reach - depth}, turn};
  for (const bool cube_first : {true, false}) {
    MeshPair pair(cube_first ? cube : block, cube_first ? block : cube);
    const auto overlaps = cube_first ? pair.find(pose_cube, {}) : pair.find({}, pose_cube);
    ASSERT_EQ(overlaps.size(), 1U);
    const Patch patch = make_patch(overlaps[0]);
    EXPECT_NEAR(patch.volume, 8.66025403784e-7, 1e-17);
    EXPECT_NEAR(patch.area, 2.59807621135e-4, 1e-14);
    EXPECT_NEAR(patch.depth, depth, 1e-13);
    EXPECT_NEAR(patch.r_gyr, 5.47722557505e-3, 1e-12);
    EXPECT_LT((patch.normal - Vector3(0, 0, cube_first ? -1 : 1)).norm(), 1e-12);
    EXPECT_LT((patch.volume_centroid - Vector3(0.2, 0.1, 1 - depth / 4)).norm(), 1e-12);
    // The curve lies in the face, and so does the centre of pressure.
    EXPECT_LT((patch.surface_centroid - Vector3(0.2, 0.1, 1)).norm(), 1e-12);
    EXPECT_NEAR(patch.J_V(0, 0), 1.6237976321e-11, 1e-19);
    EXPECT_NEAR(patch.J_s(0, 0), 1.84030398304e-11, 1e-19);
  }
}

/// The circle two spheres share: z = (d² + R² − r²) / 2d from the centre of the first.
TEST(MeshPair, SurfaceOfTwoSpheresIsThePlaneOfTheirCircle) {
  const double big = 0.1, small = 0.05, d = big + small - 0.01;
  MeshPair pair(Mesh::make(ellipsoid(40, Vector3::Constant(big))),
                Mesh::make(ellipsoid(40, Vector3::Constant(small))));
  const Quaterniond turn = Quaterniond(0.3, 0.5, -0.2, 0.7).normalized();
  const auto overlaps = pair.find({Vector3::Zero(), turn}, {Vector3(0, 0, d), turn.conjugate()});
  ASSERT_EQ(overlaps.size(), 1U);
  const Overlap& o = overlaps[0];
  const double circle = (d * d + big * big - small * small) / (2 * d);
  const double surface = o.surface_height + o.moments.about.z();
  EXPECT_NEAR(surface, circle, 1e-4);
  EXPECT_NEAR(o.depth, 0.01, 2e-4);
  EXPECT_NEAR(o.vector_area.norm() / (std::numbers::pi * (big * big - circle * circle)), 1, 0.02);
}

// ---- what holds for every pair ------------------------------------------------------------------

TEST(MeshPair, VectorAreaIsTheSlopeOfTheVolume) {
  for (const MeshScene& scene : mesh_scenes(20)) {
    MeshPair pair(scene.a, scene.b);
    const Total here = total(pair, {}, scene.pose_b);
    constexpr double h = 1e-7;
    for (int k = 0; k < 3; ++k) {
      Pose before = scene.pose_b, after = scene.pose_b;
      before.position[k] -= h;
      after.position[k] += h;
      const double slope =
          (total(pair, {}, after).volume - total(pair, {}, before).volume) / (2 * h);
      EXPECT_NEAR(slope, -here.area[k], 1e-7 * here.wetted);
    }
  }
}

TEST(MeshPair, ExchangingTheBodiesTurnsTheVectorAreaRound) {
  for (const MeshScene& scene : mesh_scenes(40)) {
    MeshPair pair(scene.a, scene.b), other(scene.b, scene.a);
    const Total one = total(pair, {}, scene.pose_b), two = total(other, scene.pose_b, {});
    EXPECT_EQ(one.patches, two.patches);
    EXPECT_NEAR(one.volume, two.volume, 1e-12 * one.volume);
    EXPECT_LT((one.first - two.first).norm(), 1e-13 * one.volume);
    EXPECT_LT((one.area + two.area).norm(), 1e-12 * one.wetted);
    EXPECT_NEAR(one.wetted, two.wetted, 1e-12 * one.wetted);
  }
}

TEST(MeshPair, MovingBothBodiesMovesTheResultAndNothingElse) {
  Draw draw(22);
  for (const MeshScene& scene : mesh_scenes(40)) {
    MeshPair pair(scene.a, scene.b);
    const auto found = pair.find({}, scene.pose_b);
    const std::vector<Overlap> here(found.begin(), found.end());
    const Pose motion = draw_pose(draw, 1);
    const auto there = pair.find(motion, compose(motion, scene.pose_b));
    ASSERT_EQ(here.size(), there.size());
    for (std::size_t i = 0; i < here.size(); ++i) {
      const Moments m = placed(here[i].moments, motion), n = moved(there[i].moments, m.about);
      const double size = here[i].wetted_area;
      EXPECT_NEAR(n.volume, m.volume, 1e-12 * m.volume + 1e-16 * size);
      EXPECT_LT((n.first - m.first).norm(), 1e-12 * m.volume);
      EXPECT_LT((n.second - m.second).norm(), 1e-12 * m.volume);
      EXPECT_LT((there[i].vector_area - rotate(motion, here[i].vector_area)).norm(), 1e-12 * size);
      EXPECT_NEAR(there[i].depth, here[i].depth, 1e-12);
    }
  }
}

TEST(MeshPair, SegmentsFormTheCurveOfEachPatch) {
  for (const MeshScene& scene : mesh_scenes(30)) {
    MeshPair pair(scene.a, scene.b);
    const auto overlaps = pair.find({}, scene.pose_b);
    std::vector<Vector3> twice(overlaps.size(), Vector3::Zero()), sum = twice;
    for (const MeshPairSegment& s : pair.segments()) {
      if (s.patch < 0) continue;
      const auto i = std::size_t(s.patch);
      const Vector3 about = overlaps[i].moments.about;
      twice[i] += (s.start - about).cross(s.end - about);
      sum[i] += s.end - s.start;
    }
    for (std::size_t i = 0; i < overlaps.size(); ++i) {
      EXPECT_LT(sum[i].norm(), 1e-14);
      EXPECT_LT((0.5 * twice[i] - overlaps[i].vector_area).norm(), 1e-16);
    }
  }
}

// ---- patches ------------------------------------------------------------------------------------

/// A bridge of two feet, which may stand on one triangle.
TriangleSoup bridge() {
  return mapped(cubes({{0, 0, 0}, {0, 0, 1}, {1, 0, 1}, {2, 0, 1}, {2, 0, 0}}),
                [](const Vector3& x) { return Vector3(x - Vector3(1.5, 0.5, 0)); });
}

TEST(MeshPair, TwoFeetOnOneTriangleAreTwoPatches) {
  MeshPair pair(Mesh::make(bridge()), Mesh::make(box({100, 100, 2})));
  const Quaterniond tilt(AngleAxisd(0.01, Vector3::UnitY()));
  // Off the diagonal of the face, and across it.
  for (const Vector3& place : {Vector3(20, -10, 0.9), Vector3(0.3, 0.2, 0.9)}) {
    const auto overlaps = pair.find({place, tilt}, {});
    ASSERT_EQ(overlaps.size(), 2U);
    EXPECT_EQ(pair.status(), MeshPairStatus::ok);
    double lower = 1e9, upper = 0;
    for (const Overlap& o : overlaps) {
      lower = std::min(lower, o.moments.volume);
      upper = std::max(upper, o.moments.volume);
      EXPECT_NEAR(std::abs((o.moments.centroid() - place).x()), 1, 0.02);
    }
    // Each foot: area 1/cos 0.01, mean depth at its middle 0.1 ± 0.01.
    const double depth = 0.1 * std::cos(0.01);
    EXPECT_NEAR(lower + upper, 2 * depth / std::cos(0.01) * 1, 1e-3);
    EXPECT_NEAR(upper - lower, 2 * std::tan(0.01), 1e-3);
  }
}

TEST(MeshPair, TwoToriMeetInTwoPlaces) {
  const MeshPointer ring = Mesh::make(torus(1, 0.2, 48, 20));
  MeshPair pair(ring, ring);
  // Turned by 90° and shifted by the radius: linked, they miss each other.
  const Pose linked{{1, 0, 0}, Quaterniond(AngleAxisd(std::numbers::pi / 2, Vector3::UnitX()))};
  EXPECT_TRUE(pair.find({}, linked).empty());
  EXPECT_EQ(pair.status(), MeshPairStatus::ok);
  const auto overlaps = pair.find({}, {Vector3(0.9, 0, 0.05), Quaterniond::Identity()});
  ASSERT_EQ(overlaps.size(), 2U);
  EXPECT_NEAR(overlaps[0].moments.volume, overlaps[1].moments.volume, 1e-14);
  EXPECT_NEAR(overlaps[0].moments.centroid().y(), -overlaps[1].moments.centroid().y(), 1e-13);
}

std::vector<std::array<int, 3>> hollow_cube() {
  std::vector<std::array<int, 3>> out;
  for (int i = 0; i < 27; ++i) {
    if (i != 13) out.push_back({i % 3, i / 3 % 3, i / 9});
  }
  return out;
}

TEST(MeshPair, CavityBelongsToThePieceAroundIt) {
  const MeshPointer hollow = Mesh::make(cubes(hollow_cube(), 2)),
                    around = Mesh::make(box({9, 9, 9}));
  const MeshPointer speck = Mesh::make(box({0.5, 0.5, 0.5}));
  const Pose middle{Vector3(1.5, 1.5, 1.5), Quaterniond::Identity()};
  for (const bool exchanged : {false, true}) {
    const auto find = [&](MeshPointer other, const Pose& pose) {
      MeshPair pair =
          exchanged ? MeshPair(std::move(other), hollow) : MeshPair(hollow, std::move(other));
      const auto o = exchanged ? pair.find(pose, {}) : pair.find({}, pose);
      EXPECT_EQ(pair.status(), MeshPairStatus::ok);
      return std::vector<Overlap>(o.begin(), o.end());
    };
    // Wholly inside: the solid is the hollow cube.
    auto overlaps = find(around, middle);
    ASSERT_EQ(overlaps.size(), 1U);
    EXPECT_NEAR(overlaps[0].moments.volume, 26, 1e-12);
    EXPECT_NEAR(overlaps[0].wetted_area, 60, 1e-11);
    // Cut beyond the cavity: 3 × 3 × 2.5 − 1.
    overlaps = find(around, {Vector3(1.5, 1.5, -2), Quaterniond::Identity()});
    ASSERT_EQ(overlaps.size(), 1U);
    EXPECT_NEAR(overlaps[0].moments.volume, 21.5, 1e-12);
    EXPECT_NEAR((overlaps[0].vector_area * (exchanged ? -1 : 1)).z(), -9, 1e-11);
    // In the cavity nothing is shared; in the wall all of it is.
    EXPECT_TRUE(find(speck, middle).empty());
    overlaps = find(speck, {Vector3(0.5, 1.5, 1.5), Quaterniond::Identity()});
    ASSERT_EQ(overlaps.size(), 1U);
    EXPECT_NEAR(overlaps[0].moments.volume, 0.125, 1e-14);
    // Half in the cavity, half in the wall.
    overlaps = find(speck, {Vector3(1, 1.5, 1.5), Quaterniond::Identity()});
    ASSERT_EQ(overlaps.size(), 1U);
    EXPECT_NEAR(overlaps[0].moments.volume, 0.0625, 1e-14);
  }
}

/// A cup standing upside down with its bottom cut by one large triangle: the loop of its inner wall
/// is a hole in that of the outer wall, and nothing else connects the two.
TEST(MeshPair, HoleInATriangleBelongsToTheLoopAroundIt) {
  Profile cup{{0, 0}, {1, 0}, {1, 2}, {0.5, 2}, {0.5, 0.25}, {0, 0.25}};
  MeshPair pair(Mesh::make(turned(cup, 24)), Mesh::make(box({50, 50, 4})));
  const auto overlaps = pair.find({Vector3(10, 3, 1), Quaterniond::Identity()}, {});
  ASSERT_EQ(overlaps.size(), 1U);
  const double polygon = 12 * std::sin(2 * std::numbers::pi / 24);
  EXPECT_NEAR(overlaps[0].moments.volume, polygon * (1 - 0.25 * 0.75), 1e-12);
  EXPECT_NEAR(overlaps[0].vector_area.z(), -polygon * 0.75, 1e-11);
  // Two of them, apart, each with its hole.
  TriangleSoup two = turned(cup, 24);
  const TriangleSoup second =
      mapped(turned(cup, 24), [](const Vector3& x) { return Vector3(x + Vector3(3, 0, 0.125)); });
  const auto shift = static_cast<int>(two.vertices.size());
  two.vertices.insert(two.vertices.end(), second.vertices.begin(), second.vertices.end());
  for (const auto& t : second.triangles) {
    two.triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
  }
  MeshPair both(Mesh::make(two), Mesh::make(box({50, 50, 4})));
  const auto found = both.find({Vector3(10, 3, 1), Quaterniond::Identity()}, {});
  ASSERT_EQ(found.size(), 2U);
  std::array<double, 2> volume{found[0].moments.volume, found[1].moments.volume};
  std::sort(volume.begin(), volume.end());
  EXPECT_NEAR(volume[0], polygon * (0.875 - 0.25 * 0.625), 1e-12);
  EXPECT_NEAR(volume[1], polygon * (1 - 0.25 * 0.75), 1e-12);
}

}  // namespace
}  // namespace bristle::testing
