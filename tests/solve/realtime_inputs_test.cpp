// Inputs of a step: what is set from outside acts as the same signal known beforehand would.

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "allocations.hpp"
#include "bristle/realtime/step.hpp"
#include "bristle/system/inputs.hpp"
#include "support/refusal.hpp"
#include "worlds.hpp"

namespace bristle {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::same_bits;
using testing_support::refusal;

std::vector<double> state(const RealTimeStep& core) {
  std::vector<double> numbers(static_cast<std::size_t>(core.state_size()));
  core.save(numbers);
  return numbers;
}

Scenario parsed(const std::string& text) {
  return read_scenario(Document::parse(text, "test.yaml"), "test");
}
Scenario pushed(const std::string& force) {
  return parsed(
      "bodies: {block: {mass: 1 kg}}\n"
      "forces: [{on: block, force: " +
      force +
      "}]\n"
      "contacts: [{between: [block, ground], load: 10 N}]\n"
      "friction: {law: stiction, mu_s: 0.25, mu_k: 0.2}\nduration: 2 s\n");
}

TEST(RealTimeInputs, AForceActsAsTheSameForceKnownBeforehand) {
  // Held below the static limit, let go, pulled back, released: stick and slip both ways.
  const std::string known =
      "[{value: 2 N, until: 0.2 s}, {value: 4 N, from: 0.2 s, until: 0.5 s}, "
      "{value: -3 N, from: 0.5 s, until: 1.1 s}]";
  RealTimeStep expected = realtime_step(pushed(known), 1000, {"x", "v", "F"});
  RealTimeStep core = realtime_step(pushed("{input: push, value: 2 N}"), 1000, {"x", "v", "F"});
  ASSERT_EQ(core.inputs().size(), 1u);
  EXPECT_EQ(core.inputs()[0].name, "push");
  EXPECT_EQ(core.inputs()[0].unit, "N");
  EXPECT_EQ(core.inputs()[0].start, 2);
  const std::size_t push = core.input("push");
  double furthest = 0;
  for (int i = 0; i < 1500; ++i) {
    const double t = i / 1000.0;
    core.set_input(push, t < 0.1995 ? 2 : (t < 0.4995 ? 4 : (t < 1.0995 ? -3 : 0)));
    core.step();
    expected.step();
    for (std::size_t k = 0; k < 3; ++k) {
      ASSERT_NEAR(core.outputs()[k], expected.outputs()[k], 1e-12) << "t = " << t;
    }
    furthest = std::max(furthest, core.outputs()[0]);
  }
  EXPECT_GT(furthest, 0.09);  // 2 m/s² for 0.3 s
}

TEST(RealTimeInputs, AMovingFrameKeepsTheWayItHasGone) {
  const auto dragged = [](const std::string& velocity) {
    return parsed("bodies: {block: {mass: 0.1 kg}}\nframes: {driver: {velocity: " + velocity +
                  "}}\nsprings: [{between: [block, driver], stiffness: 100 N/m}]\n"
                  "contacts: [{between: [block, ground], load: 1 N}]\n"
                  "friction: {law: lugre, mu_s: 0.25, mu_k: 0.2}\nduration: 3 s\n");
  };
  RealTimeStep expected = realtime_step(
      dragged("[{value: 4 mm/s, until: 1 s}, {value: -1 mm/s, from: 1 s}]"), 1000, {"x", "F"});
  RealTimeStep core = realtime_step(dragged("{input: speed, value: 4 mm/s}"), 1000, {"x", "F"});
  for (int i = 0; i < 3000; ++i) {
    if (i == 1000) core.set_input(0, -1e-3);
    core.step();
    expected.step();
    ASSERT_NEAR(core.outputs()[0], expected.outputs()[0], 1e-12) << i;
    ASSERT_NEAR(core.outputs()[1], expected.outputs()[1], 1e-9) << i;
  }
}

/// An arm that is told where to go, and the same arm that is told while it goes.
TEST(RealTimeInputs, AnArmIsLedWhileItMoves) {
  const std::vector<double> times{0, 0.3, 0.9}, speeds{5e-3, -1e-2, 2e-3};
  Scenario known = load_scenario("peg-in-hole"), led = known;
  const auto steer = [](Scenario& s, const Signal& first) {
    auto arm = s.world->mechanisms.front()->clone();
    int met = 0;
    arm->each_signal([&](Signal& signal) { signal = met++ == 0 ? first : Signal(); });
    EXPECT_EQ(met, 6);  // velocity and wrench, three each
    s.world->mechanisms.front() = std::move(arm);
  };
  steer(known, Signal::steps(times, speeds));
  steer(led, Signal::input(std::make_shared<SignalInput>(
                 SignalInput{.name = "speed", .unit = "m/s", .start = speeds[0]})));
  const std::vector<std::string> columns{"q1", "q2", "q3"};
  RealTimeStep expected = realtime_step(known, 1000, columns),
               core = realtime_step(led, 1000, columns);
  const double start = core.outputs()[0];
  double furthest = 0;
  for (int i = 0; i < 1500; ++i) {
    core.set_input(0, speeds[i < 300 ? 0 : (i < 900 ? 1 : 2)]);
    core.step();
    expected.step();
    for (std::size_t k = 0; k < 3; ++k) {
      ASSERT_NEAR(core.outputs()[k], expected.outputs()[k], 1e-9) << i << " " << columns[k];
    }
    furthest = std::max(furthest, std::abs(core.outputs()[0] - start));
  }
  EXPECT_GT(furthest, 1e-3);
}

TEST(RealTimeInputs, AreSavedAndRestoredWithTheRest) {
  const Scenario s = pushed("{input: push}");
  RealTimeStep core = realtime_step(s, 1000, {"x"}), other = realtime_step(s, 1000, {"x"});
  const auto go = [](RealTimeStep& step, int from, int to) {
    for (int i = from; i < to; ++i) {
      step.set_input(0, 4 * std::sin(0.01 * i));
      step.step();
    }
  };
  go(core, 0, 400);
  core.set_input(0, 3.5);  // set, and not yet followed
  other.restore(state(core));
  EXPECT_TRUE(same_bits(state(core), state(other)));
  core.step();
  other.step();
  go(core, 401, 900);
  go(other, 401, 900);
  EXPECT_TRUE(same_bits(state(core), state(other)));
}

TEST(RealTimeInputs, BelongToOneStepOnly) {
  const Scenario s = pushed("{input: push}");
  RealTimeStep one = realtime_step(s, 1000, {"x"}), two = realtime_step(s, 1000, {"x"});
  one.set_input(0, 5);
  for (int i = 0; i < 100; ++i) {
    one.step();
    two.step();
  }
  EXPECT_GT(one.outputs()[0], 0.01);
  EXPECT_EQ(two.outputs()[0], 0);
}

TEST(RealTimeInputs, AllocateNothingAndRefuseWhatIsNoNumber) {
  RealTimeStep core = realtime_step(pushed("{input: push}"), 1000, {"x"});
  const long before = counts_allocations() ? thread_allocations() : 0;
  for (int i = 0; i < 200; ++i) {
    EXPECT_TRUE(core.set_input(0, i % 2 == 0 ? 3 : -3));
    core.step();
  }
  if (counts_allocations()) {
    EXPECT_EQ(thread_allocations(), before);
  }
  const std::vector<double> here = state(core);
  EXPECT_FALSE(core.set_input(0, std::numeric_limits<double>::quiet_NaN()));
  EXPECT_FALSE(core.set_input(0, std::numeric_limits<double>::infinity()));
  EXPECT_FALSE(core.set_input(1, 1));
  EXPECT_TRUE(same_bits(here, state(core)));
}

TEST(RealTimeInputs, FaultsAreNamed) {
  EXPECT_THAT(refusal([] { pushed("{input: push, until: 1 s}"); }),
              AllOf(HasSubstr("test.yaml:2"), HasSubstr("until"), HasSubstr("cut in time")));
  EXPECT_THAT(refusal([] { realtime_step(pushed("{input: push}"), 1000).input("psh"); }),
              AllOf(HasSubstr("'psh'"), HasSubstr("did you mean 'push'")));
  EXPECT_THAT(refusal([] { realtime_step(pushed("1 N"), 1000).input("push"); }),
              HasSubstr("no signal of the scenario is an input"));
  EXPECT_THAT(
      refusal([] { realtime_step(pushed("[{input: push, value: 1 N}, {input: push}]"), 1000); }),
      AllOf(HasSubstr("'push'"), HasSubstr("starts at two values: 1 and 0")));
}

/// Outside of real time an input keeps the value it starts with.
TEST(RealTimeInputs, ARunKeepsTheirStart) {
  Signal signal = Signal::constant(1);
  const auto input = std::make_shared<SignalInput>(SignalInput{.name = "u", .start = 2});
  signal += Signal::input(input).scaled(3);
  EXPECT_EQ(signal.value(0.5), 7);
  EXPECT_EQ(signal.integral(0.5), 3.5);
  EXPECT_EQ(signal.slope(0.5), 0);
  EXPECT_TRUE(signal.breaks().empty());
  EXPECT_FALSE(signal.is_constant());
  input->set(0.5, -1);
  EXPECT_EQ(signal.value(0.5), -2);
  EXPECT_EQ(signal.integral(1.5), 3.5 - 2);
}

}  // namespace
}  // namespace bristle
