// Contacts with known answers, and the tangent basis.

#include "bristle/shape/touch.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "bristle/shape/touch_bore.hpp"
#include "bristle/shape/touch_half_space.hpp"
#include "bristle/shape/touch_solids.hpp"
#include "shape/scenes.hpp"

namespace bristle::testing {
namespace {

using std::numbers::pi;

Pose at(double x, double y, double z) { return {.position = {x, y, z}}; }
Pose turned(double angle, const Vector3& axis) {
  return {.rotation = Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis))};
}
Touch only(const Shape& a, const Pose& pa, const Shape& b, const Pose& pb) {
  std::array<Touch, 1> out;
  EXPECT_EQ(touches(a, pa, b, pb, out), 1);
  return out[0];
}
void expect_near(const Vector3& a, const Vector3& b, double tolerance = 1e-15) {
  EXPECT_LE((a - b).norm(), tolerance) << a.transpose() << " and " << b.transpose();
}

TEST(Touch, SphereOnPlane) {
  const Touch t = only(Sphere{0.1}, at(1, 2, 0.08), HalfSpace{}, {});
  expect_near(t.point, {1, 2, -0.02});
  expect_near(t.normal, {0, 0, 1});
  expect_near(t.reference, {1, 0, 0});
  EXPECT_NEAR(t.gap, -0.02, 1e-16);
}

TEST(Touch, SphereOnInclineTurnedAboutY) {
  const double angle = 20 * pi / 180;
  const Touch t = only(Sphere{0.1}, at(0, 0, 0.3), HalfSpace{}, turned(angle, Vector3::UnitY()));
  expect_near(t.normal, {std::sin(angle), 0, std::cos(angle)});
  expect_near(t.reference, {std::cos(angle), 0, -std::sin(angle)});
  EXPECT_NEAR(t.gap, 0.3 * std::cos(angle) - 0.1, 1e-15);
}

TEST(Touch, SphereInBore) {
  const Touch t = only(Sphere{0.1}, at(0.6, 0.8, 5), Bore{1.05}, {});
  expect_near(t.normal, {-0.6, -0.8, 0});
  expect_near(t.point, {0.66, 0.88, 5});
  expect_near(t.reference, {0, 0, 1});
  EXPECT_NEAR(t.gap, -0.05, 1e-15);
  expect_near(only(Sphere{0.1}, at(0, 0, 2), Bore{1}, {}).normal, {-1, 0, 0});
}

TEST(Touch, CapsuleOnPlaneAndInBore) {
  std::array<Touch, 2> end;
  const Capsule capsule{0.1, 1};
  ASSERT_EQ(touches(capsule, at(0, 0, 0.5), HalfSpace{}, {}, end), 2);
  EXPECT_NEAR(end[0].gap, -0.1, 1e-15);
  EXPECT_NEAR(end[1].gap, 0.9, 1e-15);
  ASSERT_EQ(touches(capsule, turned(pi / 2, Vector3::UnitY()), Bore{0.55}, {}, end), 2);
  for (const Touch& t : end) EXPECT_NEAR(t.gap, -0.05, 1e-15);
  expect_near(end[1].normal, {-1, 0, 0});
}

TEST(Touch, CornersOfABoxAreNumberedByTheirSides) {
  std::array<Touch, 8> corner;
  ASSERT_EQ(touches(Box{{1, 2, 3}}, at(0, 0, 1.5), HalfSpace{}, {}, corner), 8);
  expect_near(corner[0].point, {-0.5, -1, 0});
  expect_near(corner[1].point, {0.5, -1, 0});
  expect_near(corner[2].point, {-0.5, 1, 0});
  expect_near(corner[7].point, {0.5, 1, 3});
  EXPECT_NEAR(corner[4].gap, 3, 1e-15);
}

TEST(Touch, CylinderStandsOnThreePointsAndLiesOnTwo) {
  std::array<Touch, 6> rim;
  const Cylinder cylinder{0.5, 2};
  ASSERT_EQ(touches(cylinder, at(0, 0, 1), HalfSpace{}, {}, rim), 6);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(rim[i].gap, i < 3 ? 0 : 2, 1e-15);
  expect_near(rim[0].point, {0.5, 0, 0});
  expect_near(rim[1].point, {-0.5, 0, 0});
  expect_near(rim[2].point, {0, 0, 0});
  Pose lying = turned(pi / 2, Vector3::UnitX());
  lying.position.z() = 0.5;
  touches(cylinder, lying, HalfSpace{}, {}, rim);
  const std::array<double, 3> expected{0, 1, 0.5};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(rim[i].gap, expected[i % 3], 1e-15);
}

// A cylinder that leans the other way moves its points, but never their gaps.
TEST(Touch, GapsOfARimAreContinuousThroughUpright) {
  std::array<Touch, 6> rim, upright;
  touches(Cylinder{0.5, 2}, at(0, 0, 1), HalfSpace{}, {}, upright);
  SceneDraw draw(3);
  for (const double lean : {1e-3, 1e-6, 1e-8, 1e-9, 1e-10, 1e-14}) {
    for (int k = 0; k < 100; ++k) {
      const double phi = draw.between(0, 2 * pi);
      Pose pose = turned(lean, {std::cos(phi), std::sin(phi), 0});
      pose.position.z() = 1;
      touches(Cylinder{0.5, 2}, pose, HalfSpace{}, {}, rim);
      for (std::size_t i = 0; i < 6; ++i) {
        ASSERT_NEAR(rim[i].gap, upright[i].gap, 0.51 * lean + 1e-15);
      }
    }
  }
}

// Rolling on its side it always touches with the same two points, at the same depth.
TEST(Touch, ACylinderRollsWithoutBumps) {
  std::array<Touch, 6> rim;
  for (int k = 0; k < 1000; ++k) {
    Pose pose{.position = {0.01 * k, 0, 0.499},
              .rotation = Eigen::AngleAxisd(0.02 * k, Vector3::UnitY()) *
                          Eigen::AngleAxisd(pi / 2, Vector3::UnitX())};
    touches(Cylinder{0.5, 2}, pose, HalfSpace{}, {}, rim);
    for (std::size_t i = 0; i < 6; ++i) {
      if (i % 3 != 0) {
        ASSERT_GT(rim[i].gap, 0.4);
        continue;
      }
      ASSERT_NEAR(rim[i].gap, -0.001, 1e-14);
      ASSERT_NEAR(rim[i].point.x(), 0.01 * k, 1e-13);
    }
  }
}

TEST(Touch, SphereAtFaceEdgeAndInsideOfABox) {
  const Box box{{2, 2, 2}};
  const Touch face = only(Sphere{0.5}, at(0.2, 0.1, 1.4), box, {});
  expect_near(face.normal, {0, 0, 1});
  EXPECT_NEAR(face.gap, -0.1, 1e-15);
  const Touch edge = only(Sphere{0.5}, at(1.3, 0.1, 1.4), box, {});
  expect_near(edge.normal, {0.6, 0, 0.8});
  EXPECT_NEAR(edge.gap, 0, 1e-15);
  const Touch inside = only(Sphere{0.5}, at(0.1, -0.9, 0.2), box, {});
  expect_near(inside.normal, {0, -1, 0});
  EXPECT_NEAR(inside.gap, -0.6, 1e-15);
}

TEST(Touch, SphereBesideAboveAndInsideOfACylinder) {
  const Cylinder cylinder{1, 2};
  EXPECT_NEAR(only(Sphere{0.5}, at(0, 1.6, 0.3), cylinder, {}).gap, 0.1, 1e-15);
  expect_near(only(Sphere{0.5}, at(0.6, 0, -1.2), cylinder, {}).normal, {0, 0, -1});
  expect_near(only(Sphere{0.5}, at(1.3, 0, 1.4), cylinder, {}).normal, {0.6, 0, 0.8});
  const Touch inside = only(Sphere{0.5}, at(0.9, 0, 0.2), cylinder, {});
  expect_near(inside.normal, {1, 0, 0});
  EXPECT_NEAR(inside.gap, -0.6, 1e-15);
}

TEST(Touch, Spheres) {
  const Touch t = only(Sphere{1}, at(0, 0, 0), Sphere{2}, at(0, 0, -2.8));
  expect_near(t.normal, {0, 0, 1});
  expect_near(t.point, {0, 0, -0.9});  // half-way between −1 and −0.8
  EXPECT_NEAR(t.gap, -0.2, 1e-15);
  EXPECT_NEAR(only(Sphere{1}, {}, Sphere{2}, {}).gap, -3, 1e-15);
}

TEST(Touch, CapsulesCrossedAndParallel) {
  const Capsule capsule{0.2, 2};
  Pose above = turned(pi / 2, Vector3::UnitX());
  above.position.x() = 0.5;
  const Touch crossed = only(capsule, above, capsule, {});
  EXPECT_NEAR(crossed.gap, 0.1, 1e-15);
  expect_near(crossed.point, {0.25, 0, 0});
  const Touch parallel = only(capsule, at(0.5, 0, 1), capsule, {});
  EXPECT_NEAR(parallel.gap, 0.1, 1e-15);
  expect_near(parallel.point, {0.25, 0, 0.5});  // they overlap from 0 to 1
  const Touch in_line = only(capsule, at(0, 0, 3), capsule, turned(pi, Vector3::UnitX()));
  EXPECT_NEAR(in_line.gap, 0.6, 1e-15);
  EXPECT_TRUE(only(capsule, {}, capsule, {}).normal.allFinite());
}

TEST(Touch, DirectFunctionsAgreeWithTheTable) {
  SceneDraw draw(2);
  for (int k = 0; k < 1000; ++k) {
    const Pose a = draw.pose(1), b = draw.pose(1);
    const Touch plane = touch_sphere_half_space(0.3, a.position, b);
    EXPECT_EQ(plane.gap, only(Sphere{0.3}, a, HalfSpace{}, b).gap);
    EXPECT_EQ(plane.point, only(Sphere{0.3}, a, HalfSpace{}, b).point);
    EXPECT_EQ(touch_point_half_space(a.position, b).gap, only(Point{}, a, HalfSpace{}, b).gap);
    EXPECT_EQ(touch_sphere_bore(0.3, a.position, {2}, b).gap, only(Sphere{0.3}, a, Bore{2}, b).gap);
  }
}

TEST(TangentBasis, IsOrthonormalAndRightHanded) {
  SceneDraw draw(4);
  for (int k = 0; k < 10000; ++k) {
    const Vector3 n = draw.place(1).normalized();
    const Vector3 reference = k % 10 == 0 ? n : draw.place(1).normalized();
    const auto [e1, e2] = tangent_basis(n, reference);
    ASSERT_NEAR(e1.norm(), 1, 1e-14);
    ASSERT_NEAR(e1.dot(n), 0, 1e-9);
    ASSERT_NEAR(e1.cross(e2).dot(n), 1, 1e-14);
  }
}

// Round and along the bore the basis turns no faster than the contact does.
TEST(TangentBasis, TurnsSmoothlyInABore) {
  const Pose bore = SceneDraw(5).pose(1);
  TangentBasis last{Vector3::Zero(), Vector3::Zero()};
  constexpr int steps = 10000;
  for (int k = 0; k <= steps; ++k) {
    const double phi = 2 * pi * k / steps;
    const Pose ball = compose(bore, at(0.9 * std::cos(phi), 0.9 * std::sin(phi), phi));
    const Touch t = only(Sphere{0.1}, ball, Bore{1}, bore);
    const TangentBasis basis = tangent_basis(t.normal, t.reference);
    expect_near(basis.e1, axis_z(bore), 1e-14);
    if (k > 0) {
      ASSERT_NEAR((basis.e2 - last.e2).norm(), 2 * pi / steps, 1e-8);
    }
    last = basis;
  }
}

}  // namespace
}  // namespace bristle::testing
