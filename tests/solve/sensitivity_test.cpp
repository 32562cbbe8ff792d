// Derivatives through a run, against differences of whole runs: over stick, break-away, slip and
// stick again, with the times of these moving.

#include <algorithm>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "bristle/scenario/scenario.hpp"
#include "bristle/solve/observe.hpp"

namespace bristle {
namespace {

Scenario dragged(const std::string& law) {
  Scenario made = load_scenario("mass-spring", {{.key = "friction.law", .value = law, .file = {}}});
  // As an identification does: explicit steps are no use to a stiff bristle.
  if (law == "reset-integrator") made.options.method = "rodas";
  return made;
}

std::vector<double> every(double step, double end) {
  std::vector<double> times;
  for (int k = 0; k * step <= end; ++k) times.push_back(k * step);
  return times;
}

struct Change {
  std::function<void(Rig&, double factor)> apply;
  std::string law_parameter{};
};

Change of_law(const std::string& name) {
  return {[name](Rig& rig, double factor) {
            AnyLaw& law = rig.contacts.front().law;
            law.set(name, law.get(name) * factor);
          },
          name};
}

NudgedRig nudged(const Rig& rig, const Change& change, double value, double share) {
  NudgedRig n{rig, rig, share * value, share * value, change.law_parameter};
  change.apply(n.up, 1 + share);
  change.apply(n.down, 1 - share);
  return n;
}

struct Case {
  std::string law;
  std::vector<std::string> parameters;
  double share = 1e-5;  ///< of a parameter, that whole runs are compared over
};

class ThroughARun : public ::testing::TestWithParam<Case> {};

/// Every column at every sample, each against the largest of its derivatives.
void expect_as_differences(const Scenario& scenario, const std::vector<Change>& changes,
                           const std::vector<double>& of_value, double share) {
  const std::vector<double> times = every(0.0097, 3);
  const std::vector<std::string> columns{"x", "v"};
  RunOptions options = scenario.options;
  options.tolerance.rtol = 1e-12;
  std::vector<NudgedRig> small, wide;
  for (std::size_t j = 0; j < changes.size(); ++j) {
    small.push_back(nudged(scenario.rig, changes[j], of_value[j], 1e-8));
    wide.push_back(nudged(scenario.rig, changes[j], of_value[j], share));
  }
  const std::size_t n = times.size() * columns.size(), m = changes.size();
  std::vector<double> values(n), alone(n), by(n * m), up(n), down(n);
  ASSERT_TRUE(observe(scenario.rig, options, times, columns, values, small, by));
  observe(scenario.rig, options, times, columns, alone);
  EXPECT_EQ(values, alone);
  for (std::size_t j = 0; j < m; ++j) {
    observe(wide[j].up, options, times, columns, up);
    observe(wide[j].down, options, times, columns, down);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      double most = 0, gap = 0;
      for (std::size_t k = c; k < n; k += columns.size()) {
        const double slope = (up[k] - down[k]) / (wide[j].above + wide[j].below);
        most = std::max(most, std::abs(slope));
        gap = std::max(gap, std::abs(by[k * m + j] - slope));
      }
      EXPECT_GT(most, 0) << j << ' ' << columns[c];
      EXPECT_LT(gap, 1e-4 * most) << "parameter " << j << ", column " << columns[c];
    }
  }
}

TEST_P(ThroughARun, AsDifferencesOfRuns) {
  const Scenario scenario = dragged(GetParam().law);
  std::vector<Change> changes;
  std::vector<double> of_value;
  for (const std::string& name : GetParam().parameters) {
    changes.push_back(of_law(name));
    of_value.push_back(scenario.rig.contacts.front().law.get(name));
  }
  // The spring too: a parameter need not be the law's.
  changes.push_back({[](Rig& rig, double factor) { rig.springs.front().stiffness *= factor; }});
  of_value.push_back(scenario.rig.springs.front().stiffness);
  expect_as_differences(scenario, changes, of_value, GetParam().share);
}

/// Before anything slips a parameter of friction shows in the bristle only: exact slopes have all
/// digits where differences of formulas keep seven.
TEST(Sensitivity, LawParametersAreSeenInDualNumbers) {
  const Scenario scenario = dragged("lugre");
  RunOptions options = scenario.options;
  options.tolerance.rtol = 1e-12;
  const std::vector<double> times = every(0.01, 2);
  const auto slopes = [&](const std::string& law_parameter, double share) {
    Change change = of_law("sigma0");
    change.law_parameter = law_parameter;
    std::vector<double> values(times.size()), by(times.size());
    const NudgedRig n = nudged(scenario.rig, change, 1e5, share);
    EXPECT_TRUE(observe(scenario.rig, options, times, {"x"}, values, {&n, 1}, by));
    return by;
  };
  // However far the two rigs are apart, between events they are not asked.
  EXPECT_EQ(slopes("sigma0", 1e-3), slopes("sigma0", 1e-9));
  EXPECT_NE(slopes("", 1e-3), slopes("", 1e-9));
}

INSTANTIATE_TEST_SUITE_P(
    Laws, ThroughARun,
    ::testing::Values(Case{"lugre", {"mu_s", "mu_k", "sigma0", "sigma1", "sigma2", "v_s"}, 2e-6},
                      Case{"karnopp", {"mu_s", "mu_k", "dv"}},
                      Case{"reset-integrator", {"mu_k", "k", "a", "beta"}},
                      Case{"classical", {"mu_1", "mu_2", "v1", "v2"}},
                      Case{"stiction", {"mu_s", "mu_k"}}),
    [](const auto& made) {
      std::string name = made.param.law;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

}  // namespace
}  // namespace bristle
