// Many random worlds under the step: no energy from nowhere, nothing that is not a number. What
// runs here is a sample; BRISTLE_TEST_LONG asks for all of it.

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/draw.hpp"
#include "support/takes_long.hpp"
#include "worlds.hpp"

namespace bristle {
namespace {

using testing::add_pair;
using testing::body;
using testing::Draw;
using testing::energy;
using testing::flat_floor;
using testing::friction_law;
using testing::normal_law;
using testing_support::takes_long;

constexpr double h = 1e-3;

int scaled(int all, int some) {
#ifdef __SANITIZE_ADDRESS__
  (void)all;
  return std::max(1, some / 20);
#else
  return takes_long() ? all : some;
#endif
}

// ---- dropped balls ------------------------------------------------------------------------------

TEST(WorldStressBalls, DroppedForAMinute) {
  const int balls = scaled(1000, 100);
  const double seconds = takes_long() ? 60 : 30;
  double gained = -1e9, elastic_off = 0, fastest = 0;
  for (int i = 0; i < balls; ++i) {
    Draw draw(i);
    const double e = i % 10 == 0 ? 1 : (i % 10 == 1 ? 0 : draw.between(0, 1));
    World world;
    const double k = draw.decades(1e5, 1e9), height = draw.between(0.05, 1);
    const Side ball =
        world.add(body("ball", Sphere{0.1}, draw.decades(0.1, 10), {0, 0, 0.1 + height},
                       {draw.between(-1, 1), draw.between(-1, 1), 0}));
    add_pair(world, ball, world.add(flat_floor()), normal_law(k, e),
             friction_law(e == 1 ? 1e-9 : draw.between(0.05, 0.6)));
    WorldStepper stepper(world);
    const double start = energy(stepper), lowest = 0.1 * testing::g * world.bodies[0].mass.mass;
    double low = start;
    for (int s = 0; s < static_cast<int>(seconds / h); ++s) {
      stepper.step(h);
      const double now = energy(stepper);
      ASSERT_TRUE(std::isfinite(now)) << i << " at " << stepper.time();
      if (e == 1) {
        elastic_off = std::max(elastic_off, std::abs(now - start) / (start - lowest));
      } else {
        gained = std::max(gained, (now - low) / start);
      }
      low = std::min(low, now + stepper.bristles());
      if (s % 1000 == 0) stepper.clear_impacts();
    }
    if (e < 0.9) fastest = std::max(fastest, std::abs(stepper.velocity(0).z()));
  }
  RecordProperty("elastic", fmt::format("{:.2e}", elastic_off));
  RecordProperty("gained", fmt::format("{:.2e}", gained));
  RecordProperty("vertical speed in the end", fmt::format("{:.2e}", fastest));
  EXPECT_LT(elastic_off, 0.01);
  EXPECT_LT(gained, 1e-6);
  EXPECT_LT(fastest, 1e-6);
}

// A hundred at once are a hundred alone: islands do not disturb each other.
TEST(WorldStressBalls, TogetherAsAlone) {
  const int balls = scaled(1000, 100);
  World all;
  const Side floor_side = all.add(flat_floor());
  std::vector<World> alone;
  for (int i = 0; i < balls; ++i) {
    Draw draw(i);
    const RigidBody ball = body("ball", Sphere{0.1}, draw.decades(0.1, 10),
                                {3.0 * i, 0, draw.between(0.15, 1)}, {draw.between(-1, 1), 0, 0});
    const AnyNormal normal = normal_law(draw.decades(1e5, 1e9), draw.between(0.05, 0.95));
    World& own = alone.emplace_back();
    const Side here = own.add(ball), beneath = own.add(flat_floor());
    add_pair(own, here, beneath, normal, friction_law(0.3));
    add_pair(all, all.add(ball), floor_side, normal, friction_law(0.3));
  }
  WorldStepper together(all);
  for (int s = 0; s < 3000; ++s) together.step(h);
  for (int i = 0; i < balls; ++i) {
    WorldStepper one(alone[static_cast<std::size_t>(i)]);
    for (int s = 0; s < 3000; ++s) one.step(h);
    ASSERT_EQ(one.pose(0).position, together.pose(i + 1).position) << i;
    ASSERT_EQ(one.velocity(0), together.velocity(i + 1)) << i;
  }
}

// ---- random laws --------------------------------------------------------------------------------

AnyLaw random_bristles(Draw& draw, bool bounded) {
  AnyLaw law("gonthier");
  const double mu_k = draw.between(0.02, 0.6);
  law.set("mu_k", mu_k);
  law.set("mu_s", draw.between(mu_k, 0.6));
  law.set("sigma0", draw.decades(1e3, 1e7));
  law.set("sigma1", draw.decades(1, 1e4));
  law.set("sigma2", 0);
  law.set("v_s", draw.decades(1e-3, 1));
  law.set("tau_dw", draw.decades(1e-3, 10));
  law.set("bounded", bounded ? 1 : 0);
  law.check();
  return law;
}

World random_pendulum(Draw& draw) {
  World world;
  DoublePendulum arm;
  arm.l1 = draw.between(0.3, 0.8);
  arm.l2 = draw.between(0.2, 0.5);
  arm.m1 = draw.between(1, 5);
  arm.m2 = draw.between(0.5, 3);
  arm.set_mass(std::array{LinkMass::tip, LinkMass::rod,
                          LinkMass::middle}[static_cast<std::size_t>(draw.between(0, 2.999))]);
  arm.phi1 = draw.between(-1, 1);
  arm.phi2 = draw.between(-1, 1);
  arm.rate1 = draw.between(-3, 3);
  arm.rate2 = draw.between(-3, 3);
  const Side tip = world.add(arm);
  RigidBody low = flat_floor();
  // Below the tip as it starts, and within reach.
  const double start = arm.tip(arm.absolute({arm.phi1, arm.phi2})).z();
  low.pose.position.z() = std::min(start - 1e-3, -draw.between(0.6, 0.98) * (arm.l1 + arm.l2));
  const Side floor_side = world.add(low);
  add_pair(world, tip, floor_side, normal_law(draw.decades(1e5, 1e12), draw.between(0.05, 1)),
           random_bristles(draw, draw.between(0, 1) < 0.5));
  return world;
}

World random_ball(Draw& draw) {
  World world;
  const double tilt = draw.between(0, 0.6);
  world.gravity = testing::g * Vector3(std::sin(tilt), 0, -std::cos(tilt));
  RigidBody ball =
      body("ball", Sphere{draw.between(0.02, 0.3)}, draw.between(0.5, 5), Vector3::Zero(),
           {draw.between(-3, 3), draw.between(-3, 3), draw.between(-3, 1)});
  ball.pose.position.z() = std::get<Sphere>(ball.shape).radius + draw.between(1e-3, 0.5);
  ball.spin = Vector3(draw.between(-20, 20), draw.between(-20, 20), draw.between(-20, 20));
  const Side side = world.add(ball);
  add_pair(world, side, world.add(flat_floor()),
           normal_law(draw.decades(1e5, 1e12), draw.between(0.05, 1)),
           random_bristles(draw, draw.between(0, 1) < 0.5));
  return world;
}

/// Gains of motion, gravity and contact springs together over an earlier low and what the bristles
/// held then.
struct Gain {
  double largest = 0;
  int worst = -1;
};
template <class Make>
Gain stress(int first, int cases, double seconds, Make&& make) {
  Gain gain;
  for (int i = first; i < first + cases; ++i) {
    Draw draw(i);
    const World world = make(draw);
    WorldStepper stepper(world);
    double low = energy(stepper), most = 0;
    for (int s = 0; s < static_cast<int>(seconds / h); ++s) {
      stepper.step(h);
      const double now = energy(stepper);
      if (!std::isfinite(now)) {
        ADD_FAILURE() << "case " << i << " at " << stepper.time();
        return gain;
      }
      most = std::max(most, now - low);
      low = std::min(low, now + stepper.bristles());
    }
    if (most <= gain.largest) continue;
    gain.largest = most;
    gain.worst = i;
  }
  return gain;
}

void expect_no_gain(const Gain& gain) {
  ::testing::Test::RecordProperty("largest gain", fmt::format("{:.2e}", gain.largest));
  EXPECT_LT(gain.largest, 1e-3) << "case " << gain.worst;
}

// Some have their links in line, so that friction presses the tip down faster than the normal force
// lifts it, as in Painlevé's paradox.
TEST(WorldStressRandom, PendulumsGainNothing) {
  expect_no_gain(stress(0, scaled(2000, 200), 3, random_pendulum));
}
// Cases in which normal force and friction that did not agree once gained 0.3 to 46 J.
TEST(WorldStressRandom, PendulumsThatJamGainNothing) {
  for (const int worst : {544, 11160, 11978, 12659}) {
    expect_no_gain(stress(worst, 1, 3, random_pendulum));
  }
}
TEST(WorldStressRandom, BallsGainNothing) {
  expect_no_gain(stress(0, scaled(2000, 200), 3, random_ball));
}

}  // namespace
}  // namespace bristle
