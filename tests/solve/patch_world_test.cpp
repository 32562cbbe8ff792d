// Bodies in contact over areas: restitution, sliding, rolling, patches that come and go.

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "bristle/shape/mesh_make.hpp"
#include "bristle/solve/run.hpp"
#include "bristle/system/world.hpp"

namespace bristle {
namespace {

RigidBody floor_body() {
  RigidBody body;
  body.name = "floor";
  body.shape = HalfSpace{};
  body.fixed = true;
  return body;
}
RigidBody solid(const Shape& shape, double mass, const Vector3& position) {
  RigidBody body;
  body.name = "body";
  body.shape = shape;
  body.mass = MassProperties::with_mass(shape, mass);
  const Vector3 centre = center_of_mass(shape);
  body.shape_at.position = -centre;
  body.pose.position = position + centre;
  return body;
}
World on_floor(RigidBody body, const VolumetricLaw& law) {
  World world;
  ContactPair pair;
  pair.a = world.add(std::move(body));
  pair.b = world.add(floor_body());
  pair.volumetric = law;
  world.pairs.push_back(std::move(pair));
  return world;
}
RunOptions for_time(double duration, double rtol = 1e-10) {
  RunOptions options;
  options.duration = duration;
  options.tolerance.rtol = rtol;
  options.samples = 200;
  return options;
}
VolumetricLaw law_of(double e) {
  VolumetricLaw law;
  law.e = e;
  law.k_v = 1e9;
  law.v_floor = 1e-6;
  law.mu_s = law.mu_k = 0;
  return law;
}

/// A free, central impact returns e v_i whatever the shape: the force is a function of depth alone.
class CentralImpact : public ::testing::TestWithParam<double> {};
TEST_P(CentralImpact, ReturnsTheRestitutionOfEveryShape) {
  const double e = GetParam();
  const Shape ball = Sphere{0.1};
  const Shape egg = Ellipsoid{{0.1, 0.1, 0.05}};
  const Shape post = Cylinder{0.05, 0.2};
  const Shape tip = Capsule{0.05, 0.1};
  const Shape facets = MeshShape{Mesh::make(make_sphere(0.1, 8))};
  for (const auto& [shape, height] :
       {std::pair{ball, 0.1}, std::pair{egg, 0.05}, std::pair{post, 0.1}, std::pair{tip, 0.1},
        std::pair{facets, 0.1}}) {
    World world = on_floor(solid(shape, 2, {0, 0, height + 0.01}), law_of(e));
    world.gravity.setZero();
    world.bodies[0].velocity = {0, 0, -0.7};
    const RunResult result = run(world, for_time(0.1));
    ASSERT_EQ(result.impacts.size(), 1u) << name(shape);
    EXPECT_NEAR(result.impacts[0].v_in, 0.7, 1e-9) << name(shape);
    EXPECT_NEAR(result.impacts[0].restitution(), e, 2e-8) << name(shape);
    EXPECT_NEAR(result.impacts[0].impulse, 2 * 0.7 * (1 + e), 1e-6) << name(shape);
    EXPECT_LT(result.energy.relative_error, 1e-7) << name(shape);
  }
}
/// e - alpha v_i at touch-down: 0.6 - 0.2 s/m · 0.7 m/s = 0.46, and at 0.2 m/s 0.56.
TEST(PatchWorld, RestitutionFallsWithTheSpeedOfTouchDown) {
  VolumetricLaw law = law_of(0.6);
  law.alpha = 0.2;
  for (const auto& [speed, restitution] : {std::pair{0.7, 0.46}, std::pair{0.2, 0.56}}) {
    World world = on_floor(solid(Sphere{0.1}, 2, {0, 0, 0.11}), law);
    world.gravity.setZero();
    world.bodies[0].velocity = {0, 0, -speed};
    const RunResult result = run(world, for_time(0.2));
    ASSERT_EQ(result.impacts.size(), 1u);
    EXPECT_NEAR(result.impacts[0].restitution(), restitution, 2e-8) << speed;
  }
}
INSTANTIATE_TEST_SUITE_P(Of, CentralImpact, ::testing::Values(0.2, 0.5, 0.9, 1.0));

TEST(PatchWorld, ABlockSlidesWithItsFrictionAndStops) {
  VolumetricLaw law = law_of(0.3);
  law.k_v = 9.81 / (0.1 * 0.06 * 1e-5);  // rests 10 µm deep
  law.mu_s = law.mu_k = 0.3;
  law.sigma0 = 1e4;
  law.sigma1 = 100;
  law.v_s = 1e-3;
  World world = on_floor(solid(Box{{0.1, 0.06, 0.04}}, 1, {0, 0, 0.02 - 1e-5}), law);
  world.bodies[0].velocity = {0.6, 0.8, 0};
  const RunResult result = run(world, for_time(0.5, 1e-9));
  // v0²/(2 μ g), apart from what the bristles stretch and the block tips.
  const double way = std::hypot(result.final("x"), result.final("y"));
  EXPECT_NEAR(way, 1 / (2 * 0.3 * 9.81), 3e-4);
  EXPECT_NEAR(result.final("y") / result.final("x"), 4.0 / 3, 1e-4);
  EXPECT_LT(result.final("slip"), 1e-6);
  EXPECT_NEAR(result.final("fn"), 9.81, 1e-6);
  EXPECT_LT(result.energy.relative_error, 1e-6);
}

/// Sliding shifts the pressure forwards: the moment of friction about the centre, μ N h, is carried
/// by the normal force acting μ h ahead.
TEST(PatchWorld, PressureMovesToTheLeadingEdge) {
  VolumetricLaw law = law_of(0.3);
  law.k_v = 9.81 / (0.1 * 0.06 * 1e-5);
  law.mu_s = law.mu_k = 0.3;
  law.v_s = 1e-3;
  World world = on_floor(solid(Box{{0.1, 0.06, 0.04}}, 1, {0, 0, 0.02 - 1e-5}), law);
  world.bodies[0].velocity = {2, 0, 0};
  const RunResult result = run(world, for_time(0.4, 1e-9));
  EXPECT_GT(result.final("vx"), 0.5);
  EXPECT_NEAR(result.final("cop_x") - result.final("x"), 0.3 * 0.02, 2e-5);
}

TEST(PatchWorld, RollingDiesAwayWithTheTensorChosen) {
  for (const auto& [tensor, alpha] :
       {std::pair{RollingTensor::J_s, 1.4595703058017294e-2}, std::pair{RollingTensor::M, 0.0}}) {
    VolumetricLaw law = law_of(0.5);
    law.damping = VolumetricDamping::constant;
    law.a = 0.5;
    law.mu_s = law.mu_k = 0.4;
    law.v_s = 0.01;
    law.tensor = tensor;
    World world = on_floor(solid(Sphere{0.1}, 2, {0, 0, 0.1 - 2.500089770657461e-4}), law);
    // Rolls on the radius from its centre to the plane.
    const double arm = 0.1 - 2.500089770657461e-4;
    world.bodies[0].velocity = {5 * arm, 0, 0};
    world.bodies[0].spin = {0, 5, 0};
    const RunResult result = run(world, for_time(2, 1e-10));
    // Torque k_V a J ω on a ball that rolls with this arm: (I + m r²) dω/dt.
    const double j = tensor == RollingTensor::J_s ? 1.634718742497937e-13 : 1.6333555763438753e-13;
    const double rate = 1e9 * 0.5 * j / (0.4 * 2 * 0.01 + 2 * arm * arm);
    EXPECT_NEAR(std::log(5 / result.final("wy")) / 2, rate, 2e-4 * rate);
    if (alpha > 0) {
      EXPECT_NEAR(rate * 5 / alpha, 1, 5e-3);
    }
  }
}

/// A table lands on one foot, then on the other: two patches with a memory each.
TEST(PatchWorld, FeetAreKeptApart) {
  // A table: the outline of a slab with two feet below it, extruded along y.
  const double w = 0.1, h = 0.02, t = 0.01, leg = 0.02, depth = 0.03;
  const std::vector<std::array<double, 2>> outline{
      {-w / 2, 0},      {-w / 2 + leg, 0}, {-w / 2 + leg, h}, {w / 2 - leg, h},
      {w / 2 - leg, 0}, {w / 2, 0},        {w / 2, h + t},    {-w / 2, h + t}};
  TriangleSoup table;
  const int n = static_cast<int>(outline.size());
  for (const double y : {-depth / 2, depth / 2}) {
    for (const auto& p : outline) table.vertices.push_back({p[0], y, p[1]});
  }
  // Front and back from a triangulation by hand of the 8-gon: left leg, bridge, right leg.
  const std::vector<std::array<int, 3>> face{{0, 1, 2}, {0, 2, 7}, {7, 2, 3},
                                             {7, 3, 6}, {3, 4, 5}, {3, 5, 6}};
  for (const auto& f : face) {
    table.triangles.push_back({f[0], f[1], f[2]});
    table.triangles.push_back({n + f[0], n + f[2], n + f[1]});
  }
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    table.triangles.push_back({i, n + i, n + j});
    table.triangles.push_back({i, n + j, j});
  }
  VolumetricLaw law = law_of(0.2);
  law.k_v = 1e10;
  law.mu_s = law.mu_k = 0.3;
  law.v_s = 1e-3;
  World world = on_floor(solid(MeshShape{Mesh::make(table)}, 0.5, {0, 0, 1e-3}), law);
  world.bodies[0].pose.rotation = Eigen::Quaterniond(Eigen::AngleAxisd(0.01, Vector3::UnitY()));
  const RunResult result = run(world, for_time(0.3, 1e-7));
  EXPECT_EQ(result.final("contact"), 2);
  EXPECT_NEAR(result.final("fn"), 0.5 * 9.81, 1e-2);
  EXPECT_NEAR(result.final("A"), 2 * leg * depth, 1e-4 * leg * depth + 1e-9);
  bool first = false, second = false;
  for (const RunEvent& event : result.events) {
    if (event.kind == "touch") (first ? second : first) = true;
  }
  EXPECT_TRUE(first && second);
  ASSERT_EQ(result.patches.size(), 1u);
  EXPECT_EQ(result.patches[0].centres.size(), 2u);
  EXPECT_LT(result.energy.relative_error, 1e-4);
}

/// The pressure of the picture adds up to the normal force.
TEST(PatchWorld, ThePictureAddsUp) {
  VolumetricLaw law = law_of(0.5);
  law.damping = VolumetricDamping::constant;
  law.a = 0;
  for (const Shape& shape :
       {Shape(Sphere{0.1}), Shape(MeshShape{Mesh::make(make_sphere(0.1, 32))})}) {
    World world = on_floor(solid(shape, 1, {0, 0, 0.099}), law);
    world.bodies[0].fixed = true;
    world.bodies[0].velocity = {1e-3, 0, 0};
    const RunResult result = run(world, for_time(0.01));
    ASSERT_EQ(result.patches.size(), 1u);
    const PatchView& view = result.patches[0];
    double sum = 0;
    for (const double p : view.pressure) sum += p * view.cell * view.cell;
    EXPECT_NEAR(sum / view.fn, 1, 0.01);
    EXPECT_GT(view.outline.size(), 40u);
    EXPECT_GT(view.friction.size(), 20u);
  }
}

/// The first instant, when the load is still even, says nothing of sliding.
TEST(PatchWorld, ThePictureIsOfTheMiddleOfTheWork) {
  VolumetricLaw law = law_of(0.3);
  law.mu_s = law.mu_k = 0.3;
  World world = on_floor(solid(Box{{0.1, 0.06, 0.04}}, 1, {0, 0, 0.01999}), law);
  world.bodies[0].velocity = {1, 0, 0};
  const RunResult result = run(world, for_time(0.6));
  ASSERT_EQ(result.patches.size(), 1u);
  // v = 1 − μ g t: half the energy is gone when v = √½.
  EXPECT_NEAR(result.patches[0].t, (1 - std::sqrt(0.5)) / (0.3 * 9.81), 0.01);
  EXPECT_GT(result.patches[0].centres[0][0] - result.patches[0].left,
            0.5 * result.patches[0].columns * result.patches[0].cell);
}

TEST(PatchWorld, RefusesWhatHasNoVolume) {
  World world = on_floor(solid(Sphere{0.1}, 1, {0, 0, 1}), law_of(0.5));
  world.bodies[0].shape = Point{};
  EXPECT_THROW(world.check(), InputError);
}

/// A box is moved along another, upright and 2 mm deep: its side passes that of the other.
TEST(PatchWorld, FlushPassesAreEvents) {
  World world;
  RigidBody below = solid(Box{{0.12, 0.2, 0.1}}, 1, {0, 0, 0});
  below.fixed = true;
  RigidBody above = solid(Box{{0.1, 0.08, 0.06}}, 1, {0, 0.01, 0.078});
  above.fixed = true;
  above.velocity = {0.1, 0, 0};
  ContactPair pair;
  pair.a = world.add(above);
  pair.b = world.add(below);
  pair.volumetric = law_of(0.5);
  world.pairs.push_back(pair);
  for (const char* method : {"event", "bristle"}) {
    RunOptions options = for_time(0.3, 1e-6);
    options.method = method;
    const RunResult result = run(world, options);
    int flush = 0;
    for (const RunEvent& event : result.events) {
      if (event.kind != "flush") continue;
      ++flush;
      EXPECT_NEAR(event.t, 0.1, 1e-9) << method;  // x = 0.01
      EXPECT_NEAR(event.value, 0.08 * 0.002, 1e-9) << method;
    }
    EXPECT_EQ(flush, 1) << method;
  }
}

/// Whatever the method, a body inside another is said to have no direction.
TEST(PatchWorld, ABodyInsideAnotherIsAnEvent) {
  World world;
  RigidBody around = solid(Box{{0.3, 0.3, 0.3}}, 1, {0, 0, 0});
  around.fixed = true;
  ContactPair pair;
  pair.a = world.add(solid(Box{{0.1, 0.1, 0.1}}, 1, {0, 0, 0}));
  pair.b = world.add(around);
  pair.volumetric = law_of(0.5);
  world.pairs.push_back(pair);
  for (const char* method : {"event", "bristle"}) {
    RunOptions options = for_time(0.02, 1e-6);
    options.method = method;
    int lost = 0;
    for (const RunEvent& event : run(world, options).events) {
      lost += event.kind == "no-direction" ? 1 : 0;
    }
    EXPECT_EQ(lost, 1) << method;
  }
}

}  // namespace
}  // namespace bristle
