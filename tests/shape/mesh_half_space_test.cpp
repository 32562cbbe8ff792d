#include "bristle/shape/mesh_half_space.hpp"

#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bristle/shape/mesh_make.hpp"
#include "shape/mesh_scenes.hpp"
#include "support/allocations.hpp"

namespace bristle::testing {
namespace {

using MeshPointer = std::shared_ptr<const Mesh>;

std::vector<MeshPointer> bodies() {
  SpurGear gear;
  gear.bore = 0.01;
  return {Mesh::make(make_sphere(0.1, 4)),
          Mesh::make(make_sphere(0.1, 32)),
          Mesh::make(make_ellipsoid({0.1, 0.06, 0.04}, 20)),
          Mesh::make(make_bumpy_sphere(0.1, 0.3, 7, 24)),
          Mesh::make(make_box({0.1, 0.2, 0.05})),
          Mesh::make(make_box({0.1, 0.2, 0.05}, 12, 20, 7)),
          Mesh::make(make_cylinder(0.05, 0.2, 40, 6)),
          Mesh::make(make_angle_profile(0.1, 0.02, 0.2, 6)),
          Mesh::make(make_torus(0.1, 0.03, 40, 20)),
          Mesh::make(make_spur_gear(gear, 12, 5)),
          Mesh::make(make_bolt({}, 24, 8)),
          Mesh::make(make_hole_block({}, 40, 6))};
}

/// Everything against the sums in extended precision. `about` and the poses are rounded to ε of
/// their size, which shows in the first moments of small patches.
void expect_exact(const Mesh& mesh, const Pressed& at, const Overlap& found, double tolerance,
                  const std::string& what) {
  const LongOverlap exact = long_overlap(mesh, at.mesh, at.half_space, found.moments.about);
  const double v = static_cast<double>(exact.volume);
  const Matrix3 second = exact.second.cast<double>();
  const double size = std::sqrt(second.trace() / v);
  const double rounding = 1e-15 * (at.mesh.position.norm() + mesh.bounding_radius());
  EXPECT_NEAR(found.moments.volume, v, tolerance * v) << what;
  EXPECT_LE((found.moments.first - exact.first.cast<double>()).norm(),
            (tolerance * size + rounding) * v)
      << what;
  EXPECT_LE((found.moments.second - second).norm(), (tolerance * size + 4 * rounding) * size * v)
      << what;
  const double cap = static_cast<double>(exact.cap);
  EXPECT_LE((found.vector_area + cap * axis_z(at.half_space)).norm(),
            tolerance * cap + 1e-15 * found.wetted_area)
      << what;
  EXPECT_NEAR(found.wetted_area, static_cast<double>(exact.wetted),
              tolerance * static_cast<double>(exact.wetted))
      << what;
  const double depth = static_cast<double>(exact.depth);
  EXPECT_NEAR(found.depth, depth, tolerance * depth + rounding) << what;
}

TEST(MeshHalfSpace, AgreesWithSumsInExtendedPrecision) {
  Draw draw(1);
  for (const MeshPointer& mesh : bodies()) {
    MeshHalfSpace finder(mesh);
    for (int i = 0; i < 40; ++i) {
      const Pose floor = any_pose(draw, 1);
      const double depth = draw.decades(1e-6, 1.5) * mesh->bounding_radius();
      const Pressed at = pressed(*mesh, any_rotation(draw), floor, depth);
      const auto patches = finder.find(at.mesh, at.half_space);
      ASSERT_FALSE(patches.empty()) << mesh->name() << " " << depth;
      expect_exact(*mesh, at, together(patches), 1e-12,
                   mesh->name() + " at " + std::to_string(depth) + " m, case " + std::to_string(i));
    }
  }
}

TEST(MeshHalfSpace, VolumeGrowsByTheAreaOfTheCap) {
  Draw draw(2);
  for (const MeshPointer& mesh : bodies()) {
    MeshHalfSpace finder(mesh);
    for (int i = 0; i < 10; ++i) {
      const double r = mesh->bounding_radius(), depth = draw.between(0.05, 0.8) * r, h = 1e-6 * r;
      const auto rotation = any_rotation(draw);
      const auto at = [&](double d) {
        const Pressed p = pressed(*mesh, rotation, {}, d);
        return together(finder.find(p.mesh, p.half_space));
      };
      const double slope = (at(depth + h).moments.volume - at(depth - h).moments.volume) / (2 * h);
      const double area = at(depth).vector_area.norm();
      EXPECT_NEAR(slope, area, 1e-5 * r * r) << mesh->name();
    }
  }
}

TEST(MeshHalfSpace, MovesWithTheBodies) {
  Draw draw(3);
  for (const MeshPointer& mesh : bodies()) {
    MeshHalfSpace finder(mesh);
    for (int i = 0; i < 20; ++i) {
      const double depth = draw.between(0.05, 0.5) * mesh->bounding_radius();
      const Pressed at = pressed(*mesh, any_rotation(draw), any_pose(draw, 0.1), depth);
      const Pose motion = any_pose(draw, 0.1);
      const std::vector<Overlap> before = [&] {
        const auto patches = finder.find(at.mesh, at.half_space);
        return std::vector<Overlap>(patches.begin(), patches.end());
      }();
      const auto after = finder.find(compose(motion, at.mesh), compose(motion, at.half_space));
      ASSERT_EQ(after.size(), before.size());
      const Overlap a = together(before), b = together(after);
      // Composed poses are themselves rounded: a height by about ε of the distances.
      const double v = a.moments.volume, slack = 1e-12 + 1e-15 / depth;
      EXPECT_NEAR(b.moments.volume, v, slack * v) << mesh->name();
      const double size = mesh->bounding_radius();
      EXPECT_LE((b.moments.centroid() - apply(motion, a.moments.centroid())).norm(), slack * size);
      EXPECT_LE((b.vector_area - rotate(motion, a.vector_area)).norm(), slack * a.wetted_area);
      const Matrix3 r = motion.rotation.toRotationMatrix();
      EXPECT_LE((b.moments.central() - r * a.moments.central() * r.transpose()).norm(),
                slack * size * size * v);
    }
  }
}

TEST(MeshHalfSpace, ApartOrJustTouchingIsNoOverlap) {
  MeshHalfSpace finder(Mesh::make(make_box({1, 1, 1}, 3, 3, 3)));
  EXPECT_TRUE(finder.find({.position = {0, 0, 0.5}}, {}).empty());
  EXPECT_TRUE(finder.find({.position = {0, 0, 0.6}}, {}).empty());
  EXPECT_TRUE(finder.find({.position = {0, 0, 1e9}}, {}).empty());
  MeshHalfSpace ball(Mesh::make(make_sphere(1, 4)));
  EXPECT_TRUE(ball.find({.position = {0, 0, 1}}, {}).empty());
}

TEST(MeshHalfSpace, VerticesAndFacesOnThePlane) {
  // Quarters of a unit cube: the plane goes through a layer of vertices and edges.
  MeshHalfSpace finder(Mesh::make(make_box({1, 1, 1}, 4, 4, 4)));
  for (const double z : {-0.25, 0.0, 0.25}) {
    const auto patches = finder.find({.position = {0, 0, z}}, {});
    ASSERT_EQ(patches.size(), 1U);
    EXPECT_NEAR(patches[0].moments.volume, 0.5 - z, 1e-15);
    EXPECT_NEAR(patches[0].vector_area.z(), -1, 1e-15);
    EXPECT_NEAR(patches[0].moments.centroid().z(), -(0.5 - z) / 2, 1e-15);
    EXPECT_EQ(patches[0].depth, 0.5 - z);
  }
  // The upper face flush: still a cap, whose height is that of the plane.
  const auto sunk = finder.find({.position = {0, 0, -0.5}}, {});
  ASSERT_EQ(sunk.size(), 1U);
  EXPECT_NEAR(sunk[0].moments.volume, 1, 1e-15);
  EXPECT_NEAR(sunk[0].vector_area.z(), -1, 1e-15);
}

TEST(MeshHalfSpace, WhollyBelowHasVolumeAndNoDirection) {
  for (const MeshPointer& mesh : bodies()) {
    MeshHalfSpace finder(mesh);
    const auto patches = finder.find({.position = {0, 0, -1}}, {});
    ASSERT_EQ(patches.size(), 1U) << mesh->name();
    const Overlap& o = patches[0];
    EXPECT_NEAR(o.moments.volume, mesh->volume(), 1e-13 * mesh->volume());
    EXPECT_LE((o.moments.centroid() - mesh->centroid() - Vector3(0, 0, -1)).norm(), 1e-13);
    EXPECT_LE((o.moments.central() - mesh->central_moments()).norm(),
              1e-12 * o.moments.second.norm());
    EXPECT_EQ(o.vector_area, Vector3::Zero());
    EXPECT_NEAR(o.wetted_area, mesh->area(), 1e-13 * mesh->area());
    EXPECT_FALSE(make_patch(o).directed);
  }
}

TEST(MeshHalfSpace, AllocatesNothing) {
  if (allocations() < 0) GTEST_SKIP() << "allocations are not counted under sanitizers";
  Draw draw(4);
  for (const MeshPointer& mesh : bodies()) {
    MeshHalfSpace finder(mesh);
    const long before = allocations();
    std::size_t patches = 0;
    for (int i = 0; i < 100; ++i) {
      const Pressed at =
          pressed(*mesh, any_rotation(draw), {}, draw.decades(1e-4, 1) * mesh->bounding_radius());
      patches += finder.find(at.mesh, at.half_space).size();
    }
    EXPECT_EQ(allocations(), before) << mesh->name();
    EXPECT_GE(patches, 100U);
  }
}

// ---- patches ------------------------------------------------------------------------------------

Pose sunk_by(double depth) { return {.position = {0, 0, -depth}}; }

TEST(MeshHalfSpace, FourFeetAreFourPatchesUntilTheTableTopIsReached) {
  const auto is_table = [](int i, int j, int k) {
    return k == 2 || ((i == 0 || i == 4) && (j == 0 || j == 4));
  };
  MeshHalfSpace finder(Mesh::make(make_cells({5, 5, 3}, is_table)));
  const auto feet = finder.find(sunk_by(0.25), {});
  ASSERT_EQ(feet.size(), 4U);
  Vector3 middle = Vector3::Zero();
  for (const Overlap& foot : feet) {
    EXPECT_NEAR(foot.moments.volume, 0.25, 1e-15);
    EXPECT_NEAR(foot.vector_area.z(), -1, 1e-15);
    EXPECT_NEAR(foot.depth, 0.25, 1e-15);
    EXPECT_NEAR(foot.wetted_area, 3, 1e-14);
    EXPECT_LE((foot.moments.central().diagonal() - Vector3(1 / 48.0, 1 / 48.0, 0.25 / 192)).norm(),
              1e-15);
    middle += foot.moments.centroid() / 4;
  }
  EXPECT_LE((middle - Vector3(2.5, 2.5, -0.125)).norm(), 1e-14);
  EXPECT_EQ(finder.find(sunk_by(2), {}).size(), 4U);
  const auto whole = finder.find(sunk_by(2.5), {});
  ASSERT_EQ(whole.size(), 1U);
  EXPECT_NEAR(whole[0].moments.volume, 8 + 12.5, 1e-13);
}

TEST(MeshHalfSpace, PatchesComeInTheSameOrderFromAnyHistory) {
  const MeshPointer mesh = Mesh::make(make_bumpy_sphere(0.1, 0.3, 12, 40));
  MeshHalfSpace one(mesh), other(mesh);
  Draw draw(5);
  std::size_t most = 0;
  for (int i = 0; i < 50; ++i) {
    const Pressed at = pressed(*mesh, any_rotation(draw), {}, 0.01);
    (void)other.find(any_pose(draw, 0.1), {});
    const auto a = one.find(at.mesh, {}), b = other.find(at.mesh, {});
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k) {
      EXPECT_EQ(a[k].moments.volume, b[k].moments.volume);
      EXPECT_EQ(a[k].moments.first, b[k].moments.first);
    }
    most = std::max(most, a.size());
  }
  EXPECT_GE(most, 2U) << "the bumps should touch one by one";
}

TEST(MeshHalfSpace, APocketIsAHoleInTheCap) {
  // Open at the top, so that its wall hangs on the outer one above the plane only; in the pocket
  // stands a pillar.
  const auto solid = [](int i, int j, int k) {
    const bool pocket = i >= 1 && i <= 5 && j >= 1 && j <= 5 && k >= 1;
    const bool pillar = i == 3 && j == 3 && k >= 1;
    return !pocket || pillar;
  };
  MeshHalfSpace finder(Mesh::make(make_cells({7, 7, 4}, solid)));
  const auto patches = finder.find(sunk_by(2.5), {});
  ASSERT_EQ(patches.size(), 1U);
  EXPECT_NEAR(patches[0].moments.volume, 49 + 1.5 * (49 - 25 + 1), 1e-13);
  EXPECT_NEAR(patches[0].vector_area.z(), -(49 - 25 + 1), 1e-13);
  // Upside down the wall and the pillar stand on the plane by themselves.
  const Pose turned{{0, 7, 4 - 2.5}, Eigen::Quaterniond(0, 1, 0, 0)};
  const auto apart = finder.find(turned, {});
  ASSERT_EQ(apart.size(), 2U);
  const double first = apart[0].moments.volume, second = apart[1].moments.volume;
  EXPECT_NEAR(std::min(first, second), 2.5, 1e-14);
  EXPECT_NEAR(std::max(first, second), 2.5 * 24, 1e-13);
}

TEST(MeshHalfSpace, CavitiesBelongToWhatIsAroundThem) {
  // Two blocks side by side, the right one hollow, and a loose block in the hollow.
  const auto solid = [](int i, int j, int k) {
    if (i < 3) return i < 2;
    const bool hollow = i >= 4 && i <= 8 && j >= 1 && j <= 5 && k >= 1 && k <= 5;
    const bool loose = i == 6 && j == 3 && k >= 2 && k <= 3;
    return !hollow || loose;
  };
  MeshHalfSpace finder(Mesh::make(make_cells({10, 7, 7}, solid)));
  ASSERT_EQ(finder.mesh().shells(), 4);
  const auto volumes = [&](double depth) {
    std::vector<double> v;
    for (const Overlap& o : finder.find(sunk_by(depth), {})) v.push_back(o.moments.volume);
    std::sort(v.begin(), v.end());
    return v;
  };
  const auto expect = [](const std::vector<double>& found, const std::vector<double>& wanted) {
    ASSERT_EQ(found.size(), wanted.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 1e-12);
  };
  expect(volumes(0.5), {7.0, 24.5});
  expect(volumes(1.5), {21.0, 49 + 0.5 * 24});
  expect(volumes(2.5), {0.5, 35.0, 49 + 1.5 * 24});
  expect(volumes(6.5), {2.0, 91.0, 49 * 6.5 - 125});  // the cavity wholly below
  expect(volumes(7.5), {2.0, 98.0, 343.0 - 125});
}

}  // namespace
}  // namespace bristle::testing
