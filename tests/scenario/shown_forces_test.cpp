// The friction that is shown is the force that acts: of a block that rests on an incline the one
// that carries it, of contacts that share a load their shares.

#include <numbers>

#include <gtest/gtest.h>

#include "bristle/realtime/step.hpp"
#include "reference.hpp"

namespace bristle {
namespace {

using testing::Settings;
using testing::simulate;

const double weight_along = 9.81 * std::sin(11.302 * std::numbers::pi / 180);

/// Method and law. Laws whose stick is a spring without damping swing for ever: their force does.
class RestingBlock : public ::testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(RestingBlock, ShowsWhatCarriesIt) {
  const auto& [method, law] = GetParam();
  const RunResult result =
      simulate("incline-hold",
               {"friction.law=" + std::string(law), "duration=2",
                "solver.method=" + std::string(method), "solver.step=1e-3", "output.samples=200"});
  const std::vector<double>& force = result.column("F");
  for (std::size_t i = force.size() / 2; i < force.size(); ++i) {
    ASSERT_NEAR(force[i], weight_along, 1e-6 * weight_along) << result.column("t")[i];
  }
}

INSTANTIATE_TEST_SUITE_P(
    Every, RestingBlock,
    ::testing::Combine(::testing::Values("event", "rodas", "cvode", "bristle"),
                       ::testing::Values("coulomb", "coulomb-viscous", "stiction", "stribeck",
                                         "karnopp", "reset-integrator", "mdsf-augmented", "lugre",
                                         "elasto-plastic", "gonthier", "classical", "brown-mcphee",
                                         "coulomb-regularised", "wang-rui", "kudra-1d")),
    [](const auto& test) {
      return testing::test_name(std::string(std::get<0>(test.param)) + "_" +
                                std::get<1>(test.param));
    });

Scenario two_brakes(double pull) {
  const std::string text =
      "duration: 0.05 s\n"
      "bodies: {block: {mass: 1 kg}}\n"
      "forces: [{on: block, force: " +
      std::to_string(pull) +
      " N}]\n"
      "contacts:\n"
      "  - {between: [block, ground], load: 10 N, friction: {law: coulomb, mu_k: 0.1}}\n"
      "  - {between: [block, ground], load: 10 N, friction: {law: coulomb, mu_k: 0.4}}\n"
      "solver: {method: bristle, step: 1 ms}\n"
      "output: {interval: 1 ms}\n";
  return read_scenario(Document::parse(text, "brakes.yaml"), "brakes");
}

// While it slides kinetic friction acts, also in the row before the step in which it stops.
TEST(SlidingBlock, ShowsKineticFrictionUntilItRests) {
  const char* text =
      "duration: 0.06 s\n"
      "bodies: {block: {mass: 1 kg, velocity: 0.0505 m/s}}\n"
      "forces: [{on: block, force: 0.5 N}]\n"
      "contacts: [{between: [block, ground], load: 10 N}]\n"
      "friction: {law: coulomb, mu_k: 0.2}\n"
      "solver: {method: bristle, step: 1 ms}\n"
      "output: {interval: 1 ms}\n";
  const Scenario scenario = read_scenario(Document::parse(text, "stop.yaml"), "stop");
  const RunResult result = run(scenario, scenario.options);
  const std::vector<double>&v = result.column("v"), &force = result.column("F");
  for (std::size_t i = 0; i < v.size(); ++i) {
    EXPECT_NEAR(force[i], v[i] > 1e-9 ? 2 : 0.5, 1e-12) << i;
  }
  EXPECT_EQ(v.back(), 0);
}

// Inside of the step in which it stops the mean force of that step: it took the momentum.
TEST(SlidingBlock, ShowsTheMeanForceInsideTheStepInWhichItStops) {
  const char* text =
      "duration: 0.06 s\n"
      "bodies: {block: {mass: 1 kg, velocity: 0.0505 m/s}}\n"
      "forces: [{on: block, force: 0.5 N}]\n"
      "contacts: [{between: [block, ground], load: 10 N}]\n"
      "friction: {law: coulomb, mu_k: 0.2}\n"
      "solver: {method: bristle, step: 1 ms}\n"
      "output: {interval: 0.25 ms}\n";
  const Scenario scenario = read_scenario(Document::parse(text, "stop.yaml"), "stop");
  const RunResult result = run(scenario, scenario.options);
  const std::vector<double>&v = result.column("v"), &force = result.column("F");
  std::size_t seen = 0;
  for (std::size_t i = 2; i + 2 < v.size(); ++i) {
    if (i % 4 == 0) continue;  // the ends of steps
    const double slowing = (v[i - 1] - v[i + 1]) / 0.5e-3;
    EXPECT_NEAR(force[i], 0.5 + slowing, i % 4 == 2 ? 1e-9 : 2) << i;
    seen += slowing > 0.1 && slowing < 1.4 ? 1 : 0;
  }
  EXPECT_GE(seen, 1u);
}

// A source that jumps at the end of a step shows its new side there.
TEST(SlidingBlock, ShowsTheNewSideOfAJump) {
  const char* text =
      "duration: 0.04 s\n"
      "bodies: {block: {mass: 1 kg}}\n"
      "forces: [{on: block, force: [0.5 N, {value: 0.5 N, from: 20 ms}]}]\n"
      "contacts: [{between: [block, ground], load: 10 N}]\n"
      "friction: {law: coulomb, mu_k: 0.2}\n"
      "solver: {method: bristle, step: 1 ms}\n"
      "output: {interval: 1 ms}\n";
  const Scenario scenario = read_scenario(Document::parse(text, "jump.yaml"), "jump");
  const RunResult result = run(scenario, scenario.options);
  const std::vector<double>& force = result.column("F");
  for (std::size_t i = 0; i < force.size(); ++i) {
    EXPECT_NEAR(force[i], i < 20 ? 0.5 : 1.0, 1e-9) << i;
  }
}

// One of them can hold 1 N, the other 4 N: no share may be more.
TEST(SharedLoad, NoShareIsMoreThanItsContactCanHold) {
  for (const double pull : {0.5, 1.5, 3.0, 4.5, 4.999}) {
    const Scenario scenario = two_brakes(pull);
    const RunResult result = run(scenario, scenario.options);
    const std::vector<double>&f1 = result.column("F1"), &f2 = result.column("F2");
    for (std::size_t i = 0; i < f1.size(); ++i) {
      ASSERT_NEAR(f1[i] + f2[i], pull, 1e-9) << pull;
      ASSERT_LE(f1[i], 1 + 1e-9) << pull;
      ASSERT_LE(f2[i], 4 + 1e-9) << pull;
    }
    EXPECT_NEAR(result.final("v"), 0, 1e-12);
  }
}

TEST(SharedLoad, NeitherInRealTime) {
  RealTimeStep core = realtime_step(two_brakes(4.5), 1000, {"F1", "F2"});
  for (int i = 0; i < 20; ++i) {
    core.step();
    const auto shown = core.outputs();
    ASSERT_NEAR(shown[0] + shown[1], 4.5, 1e-9);
    ASSERT_LE(shown[0], 1 + 1e-9);
  }
}

}  // namespace
}  // namespace bristle
