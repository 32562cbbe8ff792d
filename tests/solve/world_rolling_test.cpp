// Resistance to rolling of whatever carries a sphere: free bodies, tips of pendulums (links of
// robots are tested beside MuJoCo), on planes that rest or turn.

#include <gtest/gtest.h>

#include "bristle/solve/run.hpp"
#include "worlds.hpp"

namespace bristle {
namespace {

using testing::add_pair;
using testing::flat_floor;
using testing::friction_law;
using testing::normal_law;

RunResult run_with(const World& world, const std::string& method, double duration, double step) {
  RunOptions options;
  options.method = method;
  options.step = step;
  options.duration = duration;
  options.samples = 200;
  options.frames = 0;
  return run(world, options);
}

/// A ball laid down on a plane that turns below it about its own upright axis, and about a level
/// one by a little.
World ball_on_turntable(double k_v) {
  World world;
  RigidBody ball = testing::body("ball", Sphere{0.05}, 1, {0.2, 0, 0.05 - 9.9e-6});
  const Side a = world.add(ball);
  RigidBody plane = flat_floor();
  plane.spin = {0, 0, 3};
  add_pair(world, a, world.add(plane), normal_law(1e7, 0.3), friction_law(0.5));
  if (k_v > 0) world.pairs[0].rolling = RollingResistance{k_v, 0.5, RollingTensor::J_s};
  return world;
}

TEST(WorldRolling, BothMethodsAgreeAndBalanceOnATurntable) {
  const World world = ball_on_turntable(1e6);
  const RunResult step = run_with(world, "bristle", 1, 1e-4),
                  adaptive = run_with(world, "event", 1, 1e-4);
  for (const char* name : {"x", "y"}) {
    EXPECT_NEAR(step.final(name), adaptive.final(name), 2e-4) << name;
  }
  EXPECT_LT(adaptive.energy.relative_error, 1e-7);
  EXPECT_LT(step.energy.relative_error, 1e-4);
  // It does something.
  const RunResult easy = run_with(ball_on_turntable(0), "event", 1, 1e-4);
  EXPECT_GT(std::abs(easy.final("x") - adaptive.final("x")), 1e-3);
}

/// The tip of a pendulum that drags over a plane.
World dragging(double k_v) {
  World world;
  DoublePendulum p;
  p.l1 = p.l2 = 0.3;
  p.m1 = p.m2 = 1;
  p.set_mass(LinkMass::rod);
  p.phi1 = 0.6;
  p.phi2 = -0.2;
  p.tip_radius = 0.02;
  p.pivot = {0, 0, 0.56};
  const Side tip = world.add(p);
  add_pair(world, tip, world.add(flat_floor()), normal_law(1e6, 0.2), friction_law(0.3));
  if (k_v > 0) world.pairs[0].rolling = RollingResistance{k_v, 3e4, RollingTensor::J_s};
  return world;
}

TEST(WorldRolling, OfTheTipOfAPendulum) {
  const World world = dragging(1e8);
  const RunResult step = run_with(world, "bristle", 0.25, 2e-5),
                  adaptive = run_with(world, "event", 0.25, 1e-4);
  ASSERT_GT(step.metrics.at("impact_count") + step.final("contact"), 0);
  const RunResult easy = run_with(dragging(0), "event", 0.25, 1e-4);
  const double braked = std::abs(easy.final("omega2") - adaptive.final("omega2"));
  EXPECT_GT(braked, 0.05);
  EXPECT_NEAR(step.final("omega2"), adaptive.final("omega2"), 0.02 * braked);
  EXPECT_LT(adaptive.energy.relative_error, 1e-7);
  EXPECT_LT(step.energy.relative_error, 1e-4);
}

}  // namespace
}  // namespace bristle
