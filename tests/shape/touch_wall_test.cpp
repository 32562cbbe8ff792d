#include "bristle/shape/touch_wall.hpp"

#include <random>

#include <gtest/gtest.h>

namespace bristle {
namespace {

constexpr Wall wall{2e-3, 3e-3};
const Box peg{{12e-3, 12e-3, 40e-3}};

/// From x towards z.
Pose placed(double x, double z, double angle) {
  return {{x, 0, z}, Eigen::Quaterniond(Eigen::AngleAxisd(-angle, Vector3::UnitY()))};
}

TEST(TouchWall, ABoxBesideTheFaceIsSeenAlongX) {
  const auto touch = touch_box_wall(peg, placed(6e-3 + 1e-4, -40e-3, 0), wall, {});
  // Corners at −x, above and below; the wall's root.
  for (const int i : {0, 2}) {
    EXPECT_NEAR(touch[static_cast<std::size_t>(i)].gap, 1e-4, 1e-15);
    EXPECT_TRUE(touch[static_cast<std::size_t>(i)].normal.isApprox(Vector3::UnitX()));
  }
  EXPECT_GT(touch[4].gap, 10e-3);  // the root is above the box
}

TEST(TouchWall, AFlushBoxIsHeldByACornerAndTheRoot) {
  // Upper end above the root: what both share goes from the lower corner to the root.
  const auto touch = touch_box_wall(peg, placed(6e-3 - 1e-5, -10e-3, 0), wall, {});
  EXPECT_NEAR(touch[0].gap, -1e-5, 1e-15);
  EXPECT_NEAR(touch[4].gap, -1e-5, 1e-15);
  EXPECT_TRUE(touch[4].normal.isApprox(Vector3::UnitX()));
  EXPECT_TRUE(touch[4].point.isApprox(Vector3(0, 0, -3e-3)));
  EXPECT_GT(touch[1].gap, 0);
  EXPECT_GT(touch[3].gap, 0);
}

TEST(TouchWall, ACornerOnTheChamferIsPushedAlongItsNormal) {
  // The lower left corner in the middle of the chamfer, 10 um deep.
  const Vector3 normal = Vector3(3, 0, 2).normalized();
  const Vector3 corner = Vector3(-1e-3, 0, -1.5e-3) - 1e-5 * normal;
  const auto touch =
      touch_box_wall(peg, placed(corner.x() + 6e-3, corner.z() + 20e-3, 0), wall, {});
  EXPECT_NEAR(touch[0].gap, -1e-5, 1e-14);
  EXPECT_TRUE(touch[0].normal.isApprox(normal, 1e-12));
}

TEST(TouchWall, ALeaningEdgeIsPushedAcrossItself) {
  // An edge that leans to the right at its lower end and rests on the root.
  const double lean = 0.1;
  const Vector3 x(std::cos(lean), 0, std::sin(lean)), z(-std::sin(lean), 0, std::cos(lean));
  const Vector3 centre = Vector3(0, 0, -3e-3) + (6e-3 - 2e-5) * x - 5e-3 * z;
  const auto touch = touch_box_wall(peg, placed(centre.x(), centre.z(), lean), wall, {});
  EXPECT_NEAR(touch[4].gap, -2e-5, 1e-15);
  EXPECT_TRUE(touch[4].normal.isApprox(x, 1e-12));
}

/// What the step counts on: the rate of every gap is n·(v_A − v_B) at its point.
TEST(TouchWall, GapsFollowTheVelocityAtTheirPoints) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> draw(-1, 1);
  int seen = 0;
  for (int k = 0; k < 2000; ++k) {
    const Pose fixed{{1e-3, 0, -2e-3},
                     Eigen::Quaterniond(Eigen::AngleAxisd(draw(random), Vector3::UnitY()))};
    const double x = 12e-3 * draw(random), z = 12e-3 * draw(random), angle = draw(random);
    const double vx = draw(random), vz = draw(random), w = 50 * draw(random), h = 1e-9;
    const auto before =
                   touch_box_wall(peg, placed(x - h * vx, z - h * vz, angle - h * w), wall, fixed),
               after =
                   touch_box_wall(peg, placed(x + h * vx, z + h * vz, angle + h * w), wall, fixed),
               now = touch_box_wall(peg, placed(x, z, angle), wall, fixed);
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (!before[i].normal.isApprox(after[i].normal, 1e-4)) continue;  // across a bisector
      const Vector3 arm = now[i].point - Vector3(x, 0, z);
      const Vector3 v = Vector3(vx, 0, vz) + Vector3(0, -w, 0).cross(arm);
      ASSERT_NEAR((after[i].gap - before[i].gap) / (2 * h), now[i].normal.dot(v), 2e-5)
          << "candidate " << i << " of case " << k;
      ++seen;
    }
  }
  EXPECT_GT(seen, 8000);
}

TEST(TouchWall, ASharpEdgeCountsOnce) {
  const auto touch = touch_box_wall(peg, placed(6e-3 - 1e-5, -10e-3, 0), Wall{}, {});
  EXPECT_NEAR(touch[4].gap, -1e-5, 1e-15);
  EXPECT_GT(touch[5].gap, 1e-3);
}

/// Distances of corners never jump, wherever the box goes.
TEST(TouchWall, GapsAreContinuous) {
  for (const Wall& shape : {wall, Wall{}}) {
    std::array<double, 6> last{};
    for (int k = 0; k <= 20000; ++k) {
      const double s = 1e-6 * k;
      const auto touch =
          touch_box_wall(peg, placed(8e-3 - s, 21e-3 - 2 * s, 0.3 - 20 * s), shape, {});
      for (std::size_t i = 0; i < 6; ++i) {
        if (k > 0) {
          ASSERT_NEAR(touch[i].gap, last[i], 4e-6) << i << " at " << s;
        }
        last[i] = touch[i].gap;
      }
    }
  }
}

}  // namespace
}  // namespace bristle
