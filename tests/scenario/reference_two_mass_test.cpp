// One mass on another, two contacts (Lin 2001, section 3.2), both springs at the driver.

#include <tuple>

#include <fmt/format.h>

#include "reference.hpp"

namespace bristle {
namespace {

using testing::Allowed;
using testing::expect_reference;
using testing::Settings;
using testing::simulate;
using testing::Variant;

const std::vector<Variant> variants{
    {"classical", "classical"}, {"karnopp", "karnopp"}, {"reset", "reset-integrator"}};

class ReferenceTwoMass : public ::testing::TestWithParam<std::tuple<Variant, const char*>> {};

TEST_P(ReferenceTwoMass, PositionsVelocitiesAndPeaks) {
  const auto& [variant, method] = GetParam();
  const Settings settings =
      variant.all() + Settings{"solver.method=" + std::string(method), "solver.rtol=1e-10"};
  const RunResult pulse = simulate("two-mass", settings + Settings{"duration=0.25"});
  const RunResult whole = simulate("two-mass", settings);
  const std::string entry = "tm.C." + variant.entry + ".";
  const double allowed = Allowed::of(method).x;
  expect_reference(pulse.final("x1"), entry + "x1_025", allowed);
  expect_reference(pulse.final("x2"), entry + "x2_025", allowed);
  expect_reference(whole.final("x1"), entry + "x1_1", allowed);
  expect_reference(whole.final("x2"), entry + "x2_1", allowed);
  // The reference reads extremes from samples.
  expect_reference(whole.metrics.at("slip1_max"), entry + "vr1_max", 1e-6);
  expect_reference(whole.metrics.at("slip1_min"), entry + "vr1_min", 1e-6);
  expect_reference(whole.metrics.at("v2_max"), entry + "v2_max", 1e-6);
  expect_reference(whole.metrics.at("v2_min"), entry + "v2_min", 1e-6);
  expect_reference(whole.metrics.at("peak_friction1"), entry + "F1_peak", 1e-6);
  expect_reference(whole.metrics.at("peak_friction2"), entry + "F2_peak", 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Law, ReferenceTwoMass,
                         ::testing::Combine(::testing::ValuesIn(variants),
                                            ::testing::Values("event", "rodas", "cvode")),
                         testing::VariantAndMethodName());

// `classical` with v1, v2 → 0 is `stiction`: by CVODE it must come to meet the set-valued law by
// events, here through many changes between stick and slip in both contacts.
TEST(TwoMassConvergence, RegularisedByCvodeToSetValuedByEvents) {
  const RunResult exact =
      simulate("two-mass", {"friction.law=stiction", "solver.method=event", "solver.rtol=1e-10"});
  double coarser1 = 0, coarser2 = 0;
  for (const double v1 : {1e-4, 1e-5, 1e-6}) {
    Settings settings{"friction.law=classical", "solver.method=cvode", "solver.rtol=1e-10"};
    for (const int contact : {0, 1}) {
      const std::string law = fmt::format("contacts.{}.laws.classical.", contact);
      settings =
          settings + Settings{law + fmt::format("v1={}", v1), law + fmt::format("v2={}", 2 * v1)};
    }
    const RunResult result = simulate("two-mass", settings);
    const double off1 = std::abs(result.final("x1") - exact.final("x1"));
    const double off2 = std::abs(result.final("x2") - exact.final("x2"));
    // Metres per m/s: 0.05 to 0.11 and 0.06 to 0.1.
    EXPECT_LT(off1, 0.15 * v1) << v1;
    EXPECT_LT(off2, 0.15 * v1) << v1;
    if (coarser1 > 0) {
      EXPECT_GT(coarser1 / off1, 5) << v1;
      EXPECT_GT(coarser2 / off2, 5) << v1;
    }
    coarser1 = off1;
    coarser2 = off2;
  }
  EXPECT_LT(std::max(coarser1, coarser2), 1.5e-7);
}

}  // namespace
}  // namespace bristle
