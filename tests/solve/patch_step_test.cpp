// Contacts over areas by the step for real time: impacts, holding, sliding, settling, driven pairs,
// and that its work is bounded.

#include <cmath>

#include <gtest/gtest.h>

#include "bristle/area/disc.hpp"
#include "bristle/shape/mesh_make.hpp"
#include "bristle/solve/run.hpp"
#include "support/allocations.hpp"
#include "worlds.hpp"

namespace bristle {
namespace {

using testing::degree;
using testing::flat_floor;
using testing::g;
using testing::same_bits;
using testing::saved;
using testing::world_of;

constexpr double h = 1e-3;

VolumetricLaw bouncing(double e, double k_v) {
  VolumetricLaw law;
  law.e = e;
  law.k_v = k_v;
  law.v_floor = 1e-6;
  law.mu_s = law.mu_k = 0;
  return law;
}
VolumetricLaw rubbing() {
  VolumetricLaw law;
  law.k_v = 1.635e8;  // a block of 1 kg on 0.1 m by 0.06 m rests 10 µm deep
  law.e = 0.3;
  law.mu_s = 0.35;
  law.mu_k = 0.3;
  law.v_s = 1e-3;
  return law;
}
World on_floor(const Shape& shape, double mass, const Vector3& position, const VolumetricLaw& law) {
  World world;
  ContactPair pair;
  pair.a = world.add(testing::body("body", shape, mass, position));
  pair.b = world.add(flat_floor());
  pair.volumetric = law;
  world.pairs.push_back(std::move(pair));
  return world;
}
const Box block_shape{{0.1, 0.06, 0.04}};

// ---- impacts ------------------------------------------------------------------------------------

/// Largest error of the restitution over 20 phases of the step grid.
double worst_restitution(const Shape& shape, double top, double e, double k_v) {
  double worst = 0;
  for (int phase = 0; phase < 20; ++phase) {
    World world = on_floor(shape, 2, {0, 0, top + 1e-3}, bouncing(e, k_v));
    world.gravity.setZero();
    world.bodies[0].velocity = {0, 0, -0.7};
    WorldStepper stepper(world);
    stepper.step((phase + 0.5) / 20 * h);
    for (int i = 0; i < 200 && stepper.impacts().empty(); ++i) stepper.step(h);
    if (stepper.impacts().size() != 1) return infinity;
    worst = std::max(worst, std::abs(stepper.impacts()[0].restitution() - e));
  }
  return worst;
}

/// Stiff and soft: an impact takes from a part of a step to many steps.
class PatchImpact : public ::testing::TestWithParam<double> {};
TEST_P(PatchImpact, ReturnsWhatIsAskedFor) {
  const double e = GetParam();
  for (const double k_v : {1e7, 1e9, 1e11}) {
    EXPECT_LT(worst_restitution(Sphere{0.1}, 0.1, e, k_v), 1e-4) << k_v;
    EXPECT_LT(worst_restitution(block_shape, 0.02, e, k_v), 1e-4) << k_v;
  }
}
INSTANTIATE_TEST_SUITE_P(Of, PatchImpact, ::testing::Values(0.2, 0.5, 0.7, 0.9, 1.0));

/// Meshes are looked at a few times in an impact, and the model does the rest.
TEST(PatchStep, MeshesBounceWithFewLooks) {
  const Shape ball = MeshShape{Mesh::make(make_sphere(0.1, 16))};
  EXPECT_LT(worst_restitution(ball, 0.1, 0.5, 1e7), 1e-3);
  EXPECT_LT(worst_restitution(ball, 0.1, 0.5, 1e9), 5e-3);
}

/// A ball that rolls and spins as it lands: where it is at the end of its flight counts, not where
/// it was when it left the ground.
TEST(PatchStep, SpinningBodiesDoNotGainEnergyAtImpacts) {
  VolumetricLaw law = rubbing();
  law.e = 0.82;
  law.k_v = 8e11;
  World world = on_floor(Sphere{0.05}, 0.8, {0, 0, 0.15}, law);
  world.bodies[0].velocity = {0.66, -0.2, -1.24};
  world.bodies[0].spin = {-8.7, 1.9, -3.6};
  WorldStepper stepper(world);
  double least = stepper.kinetic() + stepper.potential();
  const double first = least;
  for (int i = 0; i < 1500; ++i) {
    stepper.step(h);
    if (stepper.read_area(0).patches > 0) continue;
    const double now = stepper.kinetic() + stepper.potential();
    ASSERT_LT(now, least + 1e-4 * first) << i;
    least = std::min(least, now);
  }
  EXPECT_GT(stepper.impacts().size(), 2u);
}

// ---- holding and sliding ------------------------------------------------------------------------

World incline(double share_of_friction_angle) {
  World world = on_floor(block_shape, 1, {0, 0, 0.02 - 1e-5}, rubbing());
  const double angle = share_of_friction_angle * std::atan(0.35);
  world.gravity = g * Vector3(std::sin(angle), 0, -std::cos(angle));
  return world;
}
TEST(PatchStep, ABlockHoldsOnAnIncline) {
  WorldStepper stepper(incline(0.8));
  for (int i = 0; i < 2000; ++i) stepper.step(h);
  const double from = stepper.pose(0).position.x();
  for (int i = 0; i < 8000; ++i) stepper.step(h);
  EXPECT_LT(std::abs(stepper.pose(0).position.x() - from), 1e-12);
  EXPECT_EQ(stepper.most_looks(), 1);
  // Its weight acts at the height of its centre: the pressure is further down the slope.
  const double angle = 0.8 * std::atan(0.35);
  EXPECT_NEAR(stepper.read_area(0).point.x() - stepper.pose(0).position.x(), 0.02 * std::tan(angle),
              1e-5);
}
TEST(PatchStep, ABlockSlidesDownASteeperOne) {
  WorldStepper stepper(incline(1.2));
  for (int i = 0; i < 1000; ++i) stepper.step(h);
  const double from = stepper.velocity(0).x();
  for (int i = 0; i < 2000; ++i) stepper.step(h);
  const double angle = 1.2 * std::atan(0.35), a = g * (std::sin(angle) - 0.3 * std::cos(angle));
  EXPECT_NEAR((stepper.velocity(0).x() - from) / 2, a, 1e-4 * a);
}

TEST(PatchStep, ABlockSlidesTurnsAndStopsAsTheAdaptiveMethodHasIt) {
  const World world = world_of("block");
  RunOptions options;
  options.duration = 0.6;
  options.samples = 600;
  const RunResult exact = run(world, options);
  options.method = "bristle";
  const RunResult stepped = run(world, options);
  EXPECT_NEAR(stepped.final("x"), exact.final("x"), 1e-6);
  EXPECT_NEAR(stepped.final("y"), exact.final("y"), 1e-6);
  EXPECT_NEAR(stepped.final("fn"), g, 1e-6);
  const auto &cop = stepped.column("cop_x"), &cop_exact = exact.column("cop_x");
  for (std::size_t i = 20; i < 360; ++i) EXPECT_NEAR(cop[i], cop_exact[i], 5e-5) << i;
  EXPECT_LT(stepped.energy.relative_error, 1e-8);
  EXPECT_EQ(stepped.impacts.size(), 1u);
}

TEST(PatchStep, RollingDiesAwayAsTheAdaptiveMethodHasIt) {
  const World world = world_of("rolling-volumetric");
  RunOptions options;
  options.duration = 2;
  options.samples = 20;
  const RunResult exact = run(world, options);
  options.method = "bristle";
  const RunResult stepped = run(world, options);
  const double lost = 5 - exact.final("wy");
  EXPECT_NEAR(stepped.final("wy"), exact.final("wy"), 1e-3 * lost);
}

/// The step's own forces: a trajectory of driven bodies shows the law's, whatever the method.
TEST(PatchStep, ADiscThatSlidesAndSpinsHasTheExactFriction) {
  WorldStepper stepper(world_of("slip-spin", {"coupling=disc"}));
  for (int i = 0; i < 2000; ++i) stepper.step(h);
  const double spin = 0.1 * (2 - 0.5 * h);  // in the middle of the last step
  const LimitPoint exact = disc_friction(2e-3, 12.7e-3 * spin);
  const WorldStepper::PatchReading read = stepper.read_area(0);
  EXPECT_NEAR(read.fn, 26, 1e-9);
  EXPECT_NEAR(read.friction.norm(), 0.4 * 26 * exact.force, 1e-4 * 26);
  EXPECT_NEAR(-read.torque.z(), 0.4 * 26 * 12.7e-3 * exact.torque, 1e-4 * 26 * 12.7e-3);
}

// ---- settling -----------------------------------------------------------------------------------

/// Dropped askew, it lands on a corner, rocks, and lies still: the books say where the energy went.
TEST(PatchStep, ABlockDroppedAskewComesToRest) {
  for (const double tilt : {0.02, 0.3}) {
    World world = on_floor(block_shape, 1, {0, 0, 0.06}, rubbing());
    world.bodies[0].pose.rotation =
        Eigen::Quaterniond(Eigen::AngleAxisd(tilt, Vector3(1, 2, 0).normalized()));
    WorldStepper stepper(world);
    stepper.keep_books(true);
    const double first = stepper.kinetic() + stepper.potential();
    double off = 0, taken = 0;
    for (int i = 0; i < 1500; ++i) {
      stepper.step(h);
      const auto books = stepper.books();
      const double motion = stepper.kinetic() + stepper.potential();
      off = std::max(off, std::abs(motion + books[0] + books[2] - first));
      ASSERT_GE(books[3], taken - 1e-12) << i;  // damping only takes
      taken = books[3];
    }
    EXPECT_LT(off, 1e-3 * first) << tilt;
    EXPECT_LT(stepper.kinetic(), 1e-15) << tilt;
    EXPECT_NEAR(stepper.read_area(0).fn, g, 1e-6) << tilt;
    EXPECT_EQ(stepper.read_area(0).patches, 1) << tilt;
  }
}

World tower(double k_v) {
  World world;
  Side below = world.add(flat_floor());
  for (int i = 0; i < 3; ++i) {
    const Side next = world.add(testing::body("block", Box{{0.1 - 0.01 * i, 0.08, 0.04}}, 1,
                                              {0.002 * i, 0.001 * i, 0.021 + 0.0402 * i}));
    ContactPair pair;
    pair.a = next;
    pair.b = below;
    pair.volumetric = rubbing();
    pair.volumetric->k_v = k_v;
    world.pairs.push_back(pair);
    below = next;
  }
  return world;
}
TEST(PatchStep, ATowerStands) {
  for (const double k_v : {1e8, 1e10}) {
    WorldStepper stepper(tower(k_v));
    for (int i = 0; i < 1000; ++i) stepper.step(h);
    EXPECT_LT(stepper.kinetic(), 1e-12) << k_v;
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(stepper.read_area(i).fn, (3 - i) * g, 1e-3) << k_v;
  }
}

// ---- driven bodies, bounds, state ---------------------------------------------------------------

TEST(PatchStep, GearsPushAsTheAdaptiveMethodHasIt) {
  const World world = world_of("gears");
  RunOptions options;
  options.duration = 0.3;
  options.samples = 600;
  options.tolerance.rtol = 1e-6;
  const RunResult exact = run(world, options);
  const auto &t = exact.column("t"), &fn = exact.column("fn");
  WorldStepper stepper(world);
  double off = 0, all = 0;
  for (int i = 0; i < 300; ++i) {
    stepper.step(h);
    const auto k = static_cast<std::size_t>(
        std::lower_bound(t.begin(), t.end(), (i + 0.5) * h - 1e-9) - t.begin());
    off += std::pow(stepper.read_area(0).fn - fn[k], 2);
    all += fn[k] * fn[k];
  }
  EXPECT_GT(all, 0);
  EXPECT_LT(std::sqrt(off / all), 1e-3);
  EXPECT_LE(stepper.most_looks(), 2);
}

/// A mesh and a ball that tumble on a belt, and a block that holds on to it.
World busy_world() {
  World world;
  RigidBody belt = flat_floor();
  belt.velocity = {0.3, 0.1, 0};
  const Side ground = world.add(belt);
  const auto add = [&](const Shape& shape, const Vector3& position) {
    ContactPair pair;
    pair.a = world.add(testing::body("body", shape, 1, position, {0.1, 0, -0.5}));
    pair.b = ground;
    pair.volumetric = rubbing();
    world.pairs.push_back(pair);
    return pair.a;
  };
  add(MeshShape{Mesh::make(make_box({0.1, 0.06, 0.04}, 2, 2, 2))}, {0, 0, 0.08});
  world.bodies.back().spin = {3, 2, 1};
  add(Sphere{0.05}, {1, 0, 0.06});
  add(block_shape, {2, 0, 0.02 - 1e-5});
  return world;
}

TEST(PatchStep, StepsAllocateNothingAndLooksAreCounted) {
  if (testing::allocations() < 0) GTEST_SKIP() << "allocations are not counted under sanitizers";
  WorldStepper stepper(busy_world());
  const long before = testing::allocations();
  for (int i = 0; i < 600; ++i) stepper.step(h);
  EXPECT_EQ(testing::allocations(), before);
  WorldStepper gears(world_of("gears"));
  for (int i = 0; i < 5; ++i) gears.step(h);
  const long later = testing::allocations();
  for (int i = 0; i < 100; ++i) gears.step(h);
  EXPECT_EQ(testing::allocations(), later);

  // Meshes: those of the budget and four more.
  World alone = busy_world();
  alone.pairs.resize(1);
  WorldStepper mesh(alone);
  for (int i = 0; i < 600; ++i) mesh.step(h);
  EXPECT_LE(mesh.most_looks(), StepBudget{}.looks + 4);
  EXPECT_GT(mesh.substeps(), 600 / 2);
}

TEST(PatchStep, RestoredElsewhereGoesOnWithTheSameBits) {
  const World world = busy_world();
  WorldStepper original(world);
  for (int i = 0; i < 400; ++i) {
    original.step(h);
    if (i % 57 != 0) continue;
    const std::vector<double> now = saved(original);
    WorldStepper other(world), ahead(original);
    other.restore(now);
    ASSERT_TRUE(same_bits(saved(other), now)) << i;
    for (int k = 0; k < 60; ++k) {
      other.step(h);
      ahead.step(h);
    }
    ASSERT_TRUE(same_bits(saved(other), saved(ahead))) << i;
    EXPECT_EQ(other.read_area(0).force, ahead.read_area(0).force) << i;
  }
}

}  // namespace
}  // namespace bristle
