// Areas handed over by volumetric contacts, against the closed forms they must come near.

#include "bristle/contact/patch_area.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "bristle/area/exact.hpp"
#include "bristle/contact/limit_curve.hpp"
#include "bristle/core/error.hpp"
#include "bristle/shape/overlap_finder.hpp"

namespace bristle {
namespace {

PressedArea area_of(const Shape& a, const Pose& pose_a, const Shape& b, int cells) {
  OverlapFinder finder(a, b);
  const Patch patch = make_patch(together(finder.find(pose_a, Pose{})));
  return patch_area(patch, a, pose_a, b, Pose{}, cells);
}

TEST(PatchArea, ShallowCapOfASphereHasTheParaboloidsFriction) {
  // Depth falls as 1 − r²/R² when the cap is shallow: the profile k = 1 of the limit curves.
  const double radius = 0.1, depth = 1e-5;
  const Pose pose{Vector3(0, 0, radius - depth), Eigen::Quaterniond::Identity()};
  double last = 1;
  for (const int cells : {24, 48, 96}) {
    const PressedArea area = area_of(Sphere{radius}, pose, HalfSpace{}, cells);
    EXPECT_NEAR(area.centre().norm(), 0, 1e-3 * area.reach());
    double most = 0;
    for (const double ratio : {0.2, 0.5, 1.0, 2.0}) {
      const double r_gyr = area.gyration();
      const LimitPoint expected = profile_friction(1, ratio, 1);
      const Planar found = exact_friction(area, {ratio, 0, 1 / r_gyr}).wrench;
      most = std::max({most, std::abs(found[0] - expected.force),
                       std::abs(found[2] / r_gyr - expected.torque)});
    }
    EXPECT_LT(most, 5.0 / (cells * cells)) << cells;  // second order
    EXPECT_LT(most, last);
    last = most;
  }
}

TEST(PatchArea, FlushBoxIsARectangle) {
  const Pose pose{Vector3(0, 0, 0.05 - 1e-4), Eigen::Quaterniond::Identity()};
  const PressedArea area = area_of(Box{Vector3(0.2, 0.1, 0.1)}, pose, HalfSpace{}, 64);
  const PressedArea exact = PressedArea::rectangle(0.2, 0.1);
  for (const Planar& motion : {Planar(1, 0, 5), Planar(0.3, 0.4, 10), Planar(0, 1, 20)}) {
    const Planar a = exact_friction(area, motion).wrench, b = exact_friction(exact, motion).wrench;
    EXPECT_NEAR(a[0], b[0], 0.02);
    EXPECT_NEAR(a[1], b[1], 0.02);
    EXPECT_NEAR(a[2], b[2], 0.02 * 0.1);
  }
}

TEST(PatchArea, WithoutADirectionThereIsNoPlane) {
  Patch patch;
  patch.directed = false;
  EXPECT_THROW(patch_area(patch, Sphere{0.1}, Pose{}, HalfSpace{}, Pose{}), InputError);
}

}  // namespace
}  // namespace bristle
