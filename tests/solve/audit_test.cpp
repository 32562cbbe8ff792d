// When a run says that it may be wrong: known amounts of energy from nowhere, and of hurried steps,
// on both sides of what is let pass.

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "bristle/scenario/scenario.hpp"
#include "bristle/solve/run.hpp"

namespace bristle {
namespace {

bool warns(const RunResult& result, const std::string& kind) {
  return std::any_of(result.warnings.begin(), result.warnings.end(),
                     [&](const RunWarning& w) { return w.kind == kind; });
}

/// A mass on a spring, ω = 10 rad/s, for a second by Euler's method, which multiplies its energy by
/// 1 + (ω h)² in each step: it gains about 100 h/s of it.
RunResult swing(double step) {
  Rig rig;
  const End mass = rig.add(Body{.name = "mass", .inertia = 1, .position = {0.1, 0}});
  rig.springs.push_back({mass, ground, 100, 0});
  RunOptions options;
  options.method = "euler";
  options.step = step;
  return run(rig, options);
}

TEST(Audit, EnergyOfAFixedStepMayRiseByAThousandth) {
  const RunResult much = swing(1.2e-5), little = swing(0.8e-5);
  EXPECT_NEAR(much.energy.gain / much.energy.largest, 1.2e-3, 2e-5);
  EXPECT_TRUE(warns(much, "energy-gain"));
  EXPECT_TRUE(warns(much, "energy-balance"));
  EXPECT_NEAR(little.energy.gain / little.energy.largest, 0.8e-3, 2e-5);
  EXPECT_FALSE(warns(little, "energy-gain"));
  EXPECT_FALSE(warns(little, "energy-balance"));
}

/// A block of 1 kg at −1 m/s on a contact that pushes it on with this force, for a metre.
RunResult pushed(double force) {
  Rig rig;
  const End block = rig.add(Body{.name = "block", .inertia = 1, .velocity = {-1, 0}});
  AnyLaw law("coulomb");
  law.set("mu_k", 0);
  Contact contact;
  contact.a = block;
  contact.b = ground;
  contact.law = law.asymmetric(law, force);
  contact.load = Signal::constant(1);
  rig.contacts.push_back(contact);
  RunOptions options;
  options.method = "bristle";
  return run(rig, options);
}

TEST(Audit, ALawThatDeliversAMillionthIsNamed) {
  const RunResult much = pushed(1e-6), little = pushed(1e-7);  // of 0.5 J
  EXPECT_NEAR(much.energy.contacts[0].by_friction, -1e-6, 1e-9);
  EXPECT_TRUE(warns(much, "not-passive"));
  EXPECT_FALSE(warns(little, "not-passive"));
}

RunResult hurried(const std::string& scenario, std::vector<Setting> settings) {
  settings.push_back({"solver.method", "bristle", "", 0});
  const Scenario made = load_scenario(scenario, settings);
  return run(made, made.options);
}

TEST(Audit, OneHurriedStepInAHundredIsLetPass) {
  for (const auto& [substeps, warned] : {std::pair{"2", true}, std::pair{"5", false}}) {
    const RunResult result =
        hurried("double-pendulum", {{"solver.budget.substeps", substeps, "", 0}});
    const double share = static_cast<double>(result.degraded.touches + result.degraded.substeps) /
                         static_cast<double>(result.steps);
    EXPECT_GT(share, 0.005);
    EXPECT_LT(share, 0.02);
    EXPECT_EQ(share > 0.01, warned);
    EXPECT_EQ(warns(result, "budget"), warned);
  }
}

TEST(Audit, StepsWhoseForcesHaveNotSettledAreNamed) {
  EXPECT_TRUE(warns(
      hurried("two-mass", {{"friction.law", "lugre", "", 0}, {"solver.budget.sweeps", "1", "", 0}}),
      "unsettled"));
  EXPECT_FALSE(warns(hurried("two-mass", {{"friction.law", "lugre", "", 0}}), "unsettled"));
}

}  // namespace
}  // namespace bristle
