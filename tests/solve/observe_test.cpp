// The motion at given times is that of a run.

#include "bristle/solve/observe.hpp"

#include <gmock/gmock.h>

#include "bristle/scenario/scenario.hpp"

namespace bristle {
namespace {

class ObserveTest : public testing::TestWithParam<const char*> {};

TEST_P(ObserveTest, SeesWhatARunRecords) {
  const std::string method = GetParam();
  for (const char* law : {"karnopp", "reset-integrator", "lugre"}) {
    if (method == "rk4" && std::string_view(law) == "karnopp") continue;  // refused: set-valued
    Scenario scenario =
        load_scenario("mass-spring", {{.key = "friction.law", .value = law, .file = {}}});
    RunOptions options = scenario.options;
    options.method = method;
    options.step = 1e-4;
    options.samples = 250;
    const RunResult result = run(scenario, options);
    const std::vector<double>& t = result.column("t");
    std::vector<double> values(2 * t.size());
    observe(scenario.rig, options, t, {"x", "F"}, values);
    // Fixed steps are the same ones; adaptive ones are chosen without the energies in view.
    const double near = is_fixed_step(method) ? 1e-15 : 1e-9;
    for (std::size_t k = 0; k < t.size(); ++k) {
      ASSERT_NEAR(values[2 * k], result.column("x")[k], near) << law << ' ' << t[k];
    }
    EXPECT_NEAR(values[2 * t.size() - 1], result.final("F"), 1e3 * near) << law;
  }
}
INSTANTIATE_TEST_SUITE_P(Methods, ObserveTest,
                         testing::Values("event", "rodas", "cvode", "bristle", "rk4"));

TEST(Observe, RefusesColumnsThereAreNot) {
  const Scenario scenario = load_scenario("mass-spring");
  std::vector<double> values(1);
  const double times[] = {1.0};
  EXPECT_THROW(observe(scenario.rig, scenario.options, times, {"y"}, values), InputError);
}

}  // namespace
}  // namespace bristle
