// Adaptive methods find every touch-down: of bodies that start just above a plane, at it or a
// little inside, of thin discs and edges, under every law that they take.

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bristle/solve/run.hpp"
#include "worlds.hpp"

namespace bristle {
namespace {

struct Start {
  std::string shape;
  int tilt = 0;  ///< degrees
  std::string gap, law = "gonthier";
  std::string spin = "[0.3, 9, 4]";

  Scenario scenario(const std::string& method = "event") const {
    const std::string text =
        "duration: 0.05 s\n"
        "bodies:\n"
        "  b: {shape: {" +
        shape + "}, mass: 0.4 kg, position: [0, 0, 0.2], spin: " + spin +
        ", rotation: {axis: [1, 0, 0], angle: " + std::to_string(tilt) +
        " deg}, touching: {body: table, gap: " + gap +
        "}}\n"
        "  table: {shape: {half-space: {}}, fixed: true}\n"
        "contacts: [{between: [b, table]}]\n"
        "normal: {law: gonthier, k: 1e8, e: 0.3}\n"
        "friction: {law: " +
        law +
        "}\n"
        "solver: {method: " +
        method +
        ", rtol: 1e-7}\n"
        "output: {interval: 0.25 ms, frames: 0}\n";
    return read_scenario(Document::parse(text, "start.yaml"), "start");
  }
};

/// No deeper than its weight and its speed explain, and pressed wherever it is inside.
void expect_held(const Start& start) {
  SCOPED_TRACE(
      fmt::format("{} at {} degrees, gap {}, {}", start.shape, start.tilt, start.gap, start.law));
  const Scenario scenario = start.scenario();
  const RunResult result = run(scenario, scenario.options);
  const std::vector<double>&gap = result.column("gap"), &touching = result.column("contact");
  for (std::size_t i = 0; i < gap.size(); ++i) {
    ASSERT_TRUE(gap[i] >= -1e-9 || touching[i] > 0) << "at " << result.column("t")[i] << " s";
    ASSERT_GT(gap[i], -2e-4) << "at " << result.column("t")[i] << " s";
  }
  EXPECT_LT(result.energy.relative_error, 1e-5);
}

const char* const gaps[] = {"1 um", "0", "-1 um"};

class EventContact : public ::testing::TestWithParam<const char*> {};

TEST_P(EventContact, HoldsAtEveryTiltAndHeight) {
  for (const int tilt : {0, 15, 45, 90}) {
    for (const char* gap : gaps) expect_held({GetParam(), tilt, gap});
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, EventContact,
                         ::testing::Values("sphere: {radius: 0.05}",
                                           "box: {size: [0.1, 0.08, 0.05]}",
                                           "cylinder: {radius: 0.0375, length: 0.0002}",
                                           "cylinder: {radius: 0.04, length: 0.1}",
                                           "capsule: {radius: 0.03, length: 0.1}"));

TEST(EventContact, HoldsUnderEveryLawItTakes) {
  int laws = 0;
  for (const std::string& law : AnyLaw::names()) {
    // Those that an adaptive method takes and that do not stiffen without bound at touch-down.
    const Start ball{"sphere: {radius: 0.05}", 0, "0", law};
    try {
      const Scenario automatic = ball.scenario("auto");
      if (default_method(automatic) != "event") continue;
    } catch (const InputError&) {
      continue;
    }
    ++laws;
    for (const char* gap : gaps) {
      expect_held({"cylinder: {radius: 0.0375, length: 0.0002}", 15, gap, law});
    }
  }
  EXPECT_GE(laws, 5);
}

// Neither approaching nor inside: it is there all the same, and lands at once.
TEST(EventContact, AThinDiscThatLiesThereDoesNotFallThrough) {
  expect_held(
      {"cylinder: {radius: 0.0375, length: 0.0002}", 15, "0", "gonthier", "[0, 15.899, 4.26]"});
}

// What is there at the start is damped as by a touch at the speed with which its weight would press
// it: whether it lies at the surface, a little inside, or as deep as it rests.
class StartsRolling : public ::testing::TestWithParam<const char*> {};

TEST_P(StartsRolling, AndGoesOn) {
  double slowest = 1, fastest = 0;
  for (const char* height : {"0.1", "0.099999", "0.09999", "0.0999", "0.09975"}) {
    const std::string text = fmt::format(
        "duration: 1 s\n"
        "bodies:\n"
        "  ball: {{shape: {{sphere: {{radius: 0.1}}}}, mass: 2 kg, position: [0, 0, {}], velocity: "
        "[1, 0, 0], spin: [0, 10, 0]}}\n"
        "  plane: {{shape: {{half-space: {{}}}}, fixed: true}}\n"
        "contacts: [{{between: [ball, plane]}}]\n"
        "volumetric: {{k_v: 1e9, e: 0.5, mu_s: 0.45, mu_k: 0.4, sigma0: 1e4, sigma1: 100, v_s: "
        "0.01}}\n"
        "solver: {{method: {}}}\n"
        "output: {{samples: 10, frames: 0}}\n",
        height, GetParam());
    const Scenario scenario = read_scenario(Document::parse(text, "ball.yaml"), "ball");
    const double speed = run(scenario, scenario.options).final("vx");
    slowest = std::min(slowest, speed);
    fastest = std::max(fastest, speed);
  }
  EXPECT_GT(slowest, 0.8);
  EXPECT_LT(fastest - slowest, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Methods, StartsRolling, ::testing::Values("event", "bristle"));

}  // namespace
}  // namespace bristle
