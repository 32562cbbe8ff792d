// Runs of many thousand impacts: what a step costs and what the books say do not depend on how many
// there have been.

#include <gtest/gtest.h>

#include "bristle/solve/integrator.hpp"
#include "bristle/solve/run.hpp"
#include "worlds.hpp"

namespace bristle {
namespace {

using testing::add_pair;
using testing::flat_floor;
using testing::friction_law;
using testing::normal_law;

constexpr double h = 1e-3, mass = 0.01, height = 1e-4;

/// A ball that bounces for ever, every 9 ms.
World bouncing() {
  World world;
  const Side ball = world.add(testing::body("ball", Sphere{0.01}, mass, {0, 0, 0.01 + height}));
  add_pair(world, ball, world.add(flat_floor()), normal_law(1e8, 1), friction_law(0.3));
  return world;
}

TEST(WorldStepLong, TenThousandBouncesKeepTheirEnergy) {
  RunOptions options;
  options.method = "bristle";
  options.step = h;
  options.duration = 100;
  options.samples = 1000;
  options.frames = 0;
  const RunResult result = run(bouncing(), options);
  const double energy = mass * testing::g * height;
  EXPECT_GT(result.metrics.at("impact_count"), 1e4);
  const std::vector<double>& total = result.column("E_total");
  for (const double e : total) ASSERT_NEAR(e, total.front(), 1e-6 * energy);
  // Each impact gives back what it takes, and the books see it.
  EXPECT_LT(result.energy.relative_error, 1e-9);
  for (const double w : result.column("E_error")) ASSERT_LT(w, 1e-6 * energy);
  const double lasting = result.impacts.back().v_in / result.impacts.front().v_in;
  EXPECT_NEAR(lasting, 1, 1e-6);
  for (const Impact& impact : result.impacts) {
    ASSERT_LT(std::abs(impact.lost), 1e-6 * energy);
    ASSERT_NEAR(impact.restitution(), 1, 1e-9);
  }
}

TEST(WorldStepLong, AStepLeavesTheImpactsBeforeItAlone) {
  WorldDynamics dynamics(bouncing());
  const auto step = make_world_step(dynamics, h);
  step->start(0, dynamics.initial(), std::vector<double>(6));
  const auto impacts = [&](std::size_t count) {
    while (dynamics.impacts.size() < count) step->step(1000);
  };
  impacts(20);
  // Whoever writes them anew in a later step overwrites this.
  for (std::size_t i = 0; i < 10; ++i) dynamics.impacts[i].slip_in = 1234;
  impacts(200);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(dynamics.impacts[i].slip_in, 1234) << i;
  for (std::size_t i = 1; i < dynamics.impacts.size(); ++i) {
    EXPECT_GT(dynamics.impacts[i].t, dynamics.impacts[i - 1].t);
    EXPECT_FALSE(std::isnan(dynamics.impacts[i - 1].t_out));
  }
}

TEST(WorldStepLong, ASavedStateDoesNotGrow) {
  WorldStepper ball(bouncing());
  const int size = ball.state_size();
  for (int i = 0; i < 20000; ++i) ball.step(h);
  EXPECT_GT(ball.impacts().size(), 2000u);
  EXPECT_EQ(ball.state_size(), size);
}

}  // namespace
}  // namespace bristle
