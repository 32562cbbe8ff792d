// Rigs and worlds at a fixed rate: the same bytes, no allocation, and budgets that are counted.

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "allocations.hpp"
#include "bristle/realtime/step.hpp"
#include "bristle/solve/dynamics.hpp"
#include "worlds.hpp"

namespace bristle {
namespace {

using ::testing::HasSubstr;
using testing::same_bits;

Scenario scenario(const std::string& name, const std::vector<std::string>& settings = {}) {
  std::vector<Setting> split;
  for (const std::string& text : settings) {
    const auto equals = text.find('=');
    split.push_back({text.substr(0, equals), text.substr(equals + 1), "", 0});
  }
  return load_scenario(name, split);
}
RealTimeStep with_all(const Scenario& s, double rate = 1000) {
  return realtime_step(s, rate, realtime_columns(s));
}
std::vector<double> state(const RealTimeStep& core) {
  std::vector<double> numbers(static_cast<std::size_t>(core.state_size()));
  core.save(numbers);
  return numbers;
}
std::vector<double> seen(const RealTimeStep& core) {
  return {core.outputs().begin(), core.outputs().end()};
}

struct Case {
  std::string name;
  std::vector<std::string> settings{};
  int steps = 1500;
};
std::string text(const Case& c) {
  std::string all = c.name;
  for (const std::string& setting : c.settings) all += " " + setting;
  return all;
}

/// Worlds, and rigs with whatever can change in a step: modes, jumps, delays, drives, loads, gaps.
std::vector<Case> cases() {
  std::vector<Case> list{{"ball-incline"},
                         {"double-pendulum"},
                         {"ball-bore-3d"},
                         {"peg-in-hole"},
                         {"peg-in-hole-volumetric"},
                         {"two-mass"},
                         {"two-mass", {"friction.law=stiction"}},
                         {"turntable", {"solver.method=bristle"}},
                         {"drive", {"solver.method=bristle"}},
                         {"bowden-leben"},
                         {"oscillation"},
                         {"clutch", {"solver.method=bristle"}},
                         {"modelica-brake", {"solver.method=bristle"}},
                         {"modelica-gap", {"solver.method=bristle"}},
                         {"mass-spring", {"solver.method=rk4", "friction.law=brown-mcphee"}},
                         {"mass-spring", {"solver.method=semi-implicit"}}};
  for (const std::string& law : AnyLaw::names()) {
    list.push_back({"mass-spring", {"friction.law=" + law}});
  }
  return list;
}

TEST(RealTimeStep, AllocatesNothing) {
  if (!counts_allocations()) GTEST_SKIP() << "allocations are not counted here";
  for (const Case& c : cases()) {
    RealTimeStep core = with_all(scenario(c.name, c.settings));
    std::vector<double> numbers = state(core);
    const long before = thread_allocations();
    for (int i = 0; i < c.steps; ++i) core.step();
    core.save(numbers);
    core.restore(numbers);
    EXPECT_EQ(thread_allocations(), before) << text(c);
    EXPECT_TRUE(core.finite()) << text(c);
  }
}

TEST(RealTimeStep, RestoredElsewhereGoesOnWithTheSameBytes) {
  for (const Case& c : cases()) {
    const Scenario s = scenario(c.name, c.settings);
    RealTimeStep original = with_all(s), other = with_all(s);
    const std::vector<double> start = state(original);
    for (int round = 0; round < 3; ++round) {
      for (int i = 0; i < 331; ++i) original.step();
      other.restore(state(original));
      ASSERT_TRUE(same_bits(state(other), state(original))) << text(c);
      ASSERT_TRUE(same_bits(seen(other), seen(original))) << text(c);
      for (int i = 0; i < 97; ++i) {
        original.step();
        other.step();
      }
      ASSERT_TRUE(same_bits(state(other), state(original))) << text(c) << ", round " << round;
      ASSERT_TRUE(same_bits(seen(other), seen(original))) << text(c) << ", round " << round;
    }
    // And from the start, where it has been before.
    const std::vector<double> once = state(original);
    original.restore(start);
    for (int i = 0; i < 3 * (331 + 97); ++i) original.step();
    EXPECT_TRUE(same_bits(state(original), once)) << text(c);
  }
}

/// The same numbers as `bristle run` with the same step. (Whether bodies touch, and with what
/// force, a run reads one step later, when it knows what follows: worlds are compared up to there.)
TEST(RealTimeStep, ColumnsAreThoseOfARun) {
  for (const Case& c : std::vector<Case>{{"ball-incline"},
                                         {"double-pendulum"},
                                         {"mass-spring", {"friction.law=stiction"}},
                                         {"mass-spring"}}) {
    Scenario s = scenario(c.name, c.settings);
    s.options.method = "bristle";
    s.options.step = 1e-3;
    s.options.duration = 1;
    s.options.samples = 1000;
    const RunResult result = run(s, s.options);
    RealTimeStep core = with_all(s);
    for (std::size_t i = 1; i <= 1000; ++i) {
      core.step();
      for (std::size_t k = 1; k < core.columns().size(); ++k) {
        const std::string& name = core.columns()[k].name;
        if (name == "contact") break;
        const double expected = result.column(name)[i];
        ASSERT_NEAR(core.outputs()[k], expected, 1e-9 * (1 + std::abs(expected)))
            << text(c) << ", " << name << ", step " << i;
      }
    }
    EXPECT_NEAR(core.time(), 1, 1e-12);
  }
}

TEST(RealTimeStep, OnlyTheColumnsAskedFor) {
  const Scenario s = scenario("ball-incline");
  RealTimeStep core = realtime_step(s, 1000, {"vz", "t"});
  ASSERT_EQ(core.outputs().size(), 2u);
  for (int i = 0; i < 10; ++i) core.step();
  EXPECT_NEAR(core.outputs()[0], -0.0981, 1e-12);
  EXPECT_NEAR(core.outputs()[1], 0.01, 1e-12);
  EXPECT_EQ(realtime_step(s, 1000).outputs().size(), 0u);
  for (const Column& column : core.columns()) EXPECT_FALSE(column.name.starts_with("W_"));
  try {
    realtime_step(s, 1000, {"vq"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("'vq'"));
  }
}

TEST(RealTimeStep, ATinyBudgetIsUsedUpAndCounted) {
  RealTimeStep full = with_all(scenario("double-pendulum"));
  RealTimeStep tiny = with_all(scenario("double-pendulum", {"solver.budget.substeps=3"}));
  for (int i = 0; i < 4000; ++i) {
    full.step();
    tiny.step();
  }
  EXPECT_EQ(full.budget_used_up().steps, 0);
  EXPECT_GT(full.most_substeps(), 10);
  EXPECT_GT(tiny.budget_used_up().steps, 5);
  EXPECT_EQ(tiny.budget_used_up().steps, tiny.budget_used_up().substeps);
  EXPECT_LE(tiny.most_substeps(), 3 + 1);
  EXPECT_TRUE(tiny.finite());
}

TEST(RealTimeStep, SweepsOfARigAreCounted) {
  const std::vector<std::string> settings{"friction.law=lugre", "solver.budget.sweeps=1"};
  RealTimeStep one = with_all(scenario("two-mass", settings));
  RealTimeStep full = with_all(scenario("two-mass", {"friction.law=lugre"}));
  for (int i = 0; i < 1000; ++i) {
    one.step();
    full.step();
  }
  EXPECT_GT(one.budget_used_up().sweeps, 10);
  EXPECT_EQ(one.budget_used_up().steps, one.budget_used_up().sweeps);
  EXPECT_EQ(full.budget_used_up().steps, 0);
}

/// A drive that samples ten times in a step: as often as the budget says.
TEST(RealTimeStep, BreaksOfARigAreSubSteps) {
  const Scenario s = scenario("drive");
  const double sampling = Dynamics(s.rig).sampling_period();
  ASSERT_GT(sampling, 0);
  RealTimeOptions options;
  options.rate = 1 / (10 * sampling);
  RealTimeStep all(s.rig, options);
  options.budget.substeps = 4;
  RealTimeStep few(s.rig, options);
  for (int i = 0; i < 50; ++i) {
    all.step();
    few.step();
  }
  EXPECT_EQ(all.most_substeps(), 10);
  EXPECT_EQ(all.budget_used_up().steps, 0);
  EXPECT_EQ(few.most_substeps(), 4);
  EXPECT_EQ(few.budget_used_up().substeps, 50);
}

TEST(RealTimeStep, AStateThatDivergesEndsQuietly) {
  RealTimeStep core =
      with_all(scenario("mass-spring", {"solver.method=euler", "friction.law=lugre"}));
  for (int i = 0; i < 20000 && core.finite(); ++i) core.step();
  ASSERT_FALSE(core.finite());
  const double t = core.time();
  core.step();
  EXPECT_EQ(core.time(), t);
}

std::string refusal(const std::string& name, const std::vector<std::string>& settings = {}) {
  try {
    realtime_step(scenario(name, settings), 1000);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(RealTimeStep, MethodsThatCannotAreRefusedByName) {
  for (const char* method : {"cvode", "event", "rodas"}) {
    const std::string setting = std::string("solver.method=") + method;
    for (const char* name : {"ball-incline", "mass-spring"}) {
      const std::string why = refusal(name, {setting});
      EXPECT_THAT(why, HasSubstr(method));
      EXPECT_THAT(why, HasSubstr("no bound"));
      EXPECT_THAT(why, HasSubstr("solver.method=bristle"));
    }
  }
  EXPECT_THAT(refusal("ball-incline", {"solver.method=rk4"}), HasSubstr("touch-downs"));
  EXPECT_THAT(refusal("mass-spring", {"solver.method=rk4", "friction.law=stiction"}),
              HasSubstr("set-valued"));
}

TEST(StepBudget, IsReadAndChecked) {
  const Scenario s = scenario(
      "ball-incline", {"solver.budget={per_impact: 10, touches: 3, substeps: 80, sweeps: 5}"});
  EXPECT_EQ(s.options.budget.per_impact, 10);
  EXPECT_EQ(s.options.budget.touches, 3);
  EXPECT_EQ(s.options.budget.substeps, 80);
  EXPECT_EQ(s.options.budget.sweeps, 5);
  EXPECT_EQ(scenario("two-mass", {"solver.budget.sweeps=7"}).options.budget.rig_sweeps, 7);
  EXPECT_THROW(scenario("ball-incline", {"solver.budget.substeps=0"}), InputError);
  EXPECT_THROW(scenario("ball-incline", {"solver.budget.sweps=3"}), InputError);
  EXPECT_THROW(scenario("two-mass", {"solver.budget.touches=3"}), InputError);
}

TEST(StepBudget, ARunKeepsToIt) {
  // Up to the end of the first bounce.
  Scenario s = scenario("ball-incline", {"solver.method=bristle", "duration=0.35"});
  const RunResult full = run(s, s.options);
  s.options.budget.per_impact = 4;
  const RunResult coarse = run(s, s.options);
  ASSERT_EQ(full.impacts.size(), 1u);
  EXPECT_LT(coarse.evaluations, full.evaluations);
}

}  // namespace
}  // namespace bristle
