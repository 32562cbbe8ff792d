// Bodies with shapes, matched to where they went: a ball thrown at an incline.

#include <cmath>
#include <random>

#include <gmock/gmock.h>

#include "bristle/identify/confidence.hpp"
#include "bristle/identify/motion_match.hpp"
#include "support/refusal.hpp"

namespace bristle {
namespace {

using ::testing::HasSubstr;

/// Positions of the ball at 100 Hz, with noise.
MotionRun thrown(const std::string& law, double noise, const std::string& e = "0.5") {
  MotionRun run{load_scenario("ball-incline", {{.key = "friction.law", .value = law, .file = {}},
                                               {.key = "e", .value = e, .file = {}}}),
                {}};
  std::vector<double> values(2 * 151), x, z;
  for (int k = 0; k <= 150; ++k) run.recording.t.push_back(0.01 * k);
  observe(*run.scenario.world, run.scenario.options, run.recording.t, {"x", "z"}, values);
  std::mt19937_64 engine(3);
  std::normal_distribution<double> normal;
  for (std::size_t k = 0; k < 151; ++k) {
    x.push_back(values[2 * k] + noise * normal(engine));
    z.push_back(values[2 * k + 1] + noise * normal(engine));
  }
  run.recording.put("position", x, dim::length);
  run.recording.put("height", z, dim::length);
  return run;
}

MotionMatchOptions sought() {
  MotionMatchOptions options;
  options.observe = {{.role = "position", .column = "x", .noise = 1e-4},
                     {.role = "height", .column = "z", .noise = 1e-4}};
  options.parameters["mu_k"] = {.start = 0.3, .low = 0.02, .high = 2};
  options.quantities["normal.e"] = {.start = 0.6, .low = 0.1, .high = 0.95};
  return options;
}

TEST(WorldMatch, ObservesWhatARunRecords) {
  const Scenario scenario = load_scenario("ball-incline");
  RunOptions options = scenario.options;
  options.duration = 1.2;
  options.samples = 120;
  const RunResult whole = run(scenario, options);
  std::vector<double> times(121), values(3 * 121);
  for (std::size_t k = 0; k < 121; ++k) times[k] = 0.01 * static_cast<double>(k);
  observe(*scenario.world, options, times, {"x", "vz", "fn"}, values);
  for (std::size_t k = 0; k < 121; ++k) {
    EXPECT_NEAR(values[3 * k], whole.column("x")[k], 1e-12) << k;
    EXPECT_NEAR(values[3 * k + 1], whole.column("vz")[k], 1e-9) << k;
    EXPECT_NEAR(values[3 * k + 2], whole.column("fn")[k], 1e-6) << k;
  }
  EXPECT_THROW(observe(*scenario.world, options, times, {"xx"}, values), InputError);
}

TEST(WorldMatch, FrictionAndRestitutionOfAThrownBall) {
  const MotionMatch problem({thrown("coulomb", 1e-4)}, sought());
  ASSERT_EQ(problem.size(), 2);
  EXPECT_THAT(problem.slopes(), HasSubstr("bodies with shapes"));
  Search s = find_minimum(problem, {.starts = 2, .screen = 16, .seed = 2});
  const Confidence c = confidence_of(problem, s, {.profile = false});
  const std::map<std::string, double> truth{{"mu_k", 0.4}, {"normal.e", 0.5}};
  for (const Estimate& e : c.parameters) {
    EXPECT_NEAR(e.value, truth.at(e.name), 3 * e.se) << e.name;
    EXPECT_EQ(e.verdict, Verdict::determined) << e.name << ' ' << e.reason;
  }
  EXPECT_LT(c.parameters[1].se, 1e-4);  // restitution shows in every bounce, friction in the first
  EXPECT_LT(std::sqrt(s.cost / problem.residuals()), 1.1);  // in standard deviations
}

TEST(WorldMatch, RefusesWhatHasNoLaw) {
  const auto refused = [](const std::vector<MotionRun>& runs) {
    return testing_support::refusal([&] { MotionMatch(runs, sought()); });
  };
  MotionRun block = thrown("coulomb", 0);
  block.scenario = load_scenario("block");  // over an area
  EXPECT_THAT(refused({block}), HasSubstr("no contact of the scenario has a friction law"));
  MotionRun rig = thrown("coulomb", 0);
  rig.scenario = load_scenario("mass-spring");
  EXPECT_THAT(refused({thrown("coulomb", 0), rig}), HasSubstr("cannot be mixed"));
}

}  // namespace
}  // namespace bristle
