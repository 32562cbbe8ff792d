// A contact under Armstrong's law that breaks away and turns back before it has left the band D_v.

#include <gtest/gtest.h>

#include "reference.hpp"

namespace bristle {
namespace {

using testing::Settings;
using testing::simulate;

/// Its stick spring swings: it breaks away at the top of a swing, where the driver cannot follow.
const Settings swinging{"friction.law=armstrong-7", "bodies.block.mass=0.137",
                        "springs.0.stiffness=83",   "v0=0.0031",
                        "friction.mu_s=0.31",       "friction.mu_k=0.22",
                        "friction.f_v=0.4",         "friction.k_t=1.3e4",
                        "friction.v_s=7e-4",        "friction.gamma=1.7",
                        "friction.dv=2.1e-4",       "duration=4.2 s"};

class ArmstrongTurn : public ::testing::TestWithParam<const char*> {};

TEST_P(ArmstrongTurn, ComesToRestWhereItTurns) {
  const RunResult result =
      simulate("mass-spring", swinging + Settings{"solver.method=" + std::string(GetParam())});
  EXPECT_EQ(result.metrics.at("slip_count"), 4);
  EXPECT_NEAR(result.metrics.at("first_slip_time"), 1.228337208, 1e-6);
  EXPECT_NEAR(result.final("t"), 4.2, 1e-12);
  EXPECT_LT(result.energy.relative_error, 1e-7);
  EXPECT_LT(result.steps, 200000);
  // Four slips: break-away, out of the band, rest. Before the last three of them one that turns
  // back before it is out of the band.
  ASSERT_EQ(result.events.size(), 4u * 3 + 3 * 2);
  for (std::size_t i = 1; i < result.events.size(); ++i) {
    EXPECT_GT(result.events[i].t - result.events[i - 1].t, 1e-4) << "chatters";
    EXPECT_FALSE(result.events[i].kind == "stick" && result.events[i - 1].kind == "stick");
  }
}

INSTANTIATE_TEST_SUITE_P(Adaptive, ArmstrongTurn, ::testing::Values("event", "rodas", "cvode"));

// Nothing but the turn of the slip ends it.
TEST_P(ArmstrongTurn, WithoutABandToo) {
  const RunResult result = simulate("mass-spring", {"friction.law=armstrong-7", "friction.dv=0",
                                                    "solver.method=" + std::string(GetParam())});
  EXPECT_GE(result.metrics.at("slip_count"), 2);
  EXPECT_LT(result.steps, 100000);
  EXPECT_LT(result.events.size(), 100u);
  EXPECT_LT(result.energy.relative_error, 1e-7);
}

TEST(ArmstrongTurn, TheFixedStepEndsThereToo) {
  const RunResult exact = simulate("mass-spring", swinging),
                  step = simulate("mass-spring",
                                  swinging + Settings{"solver.method=bristle", "solver.step=1e-5"});
  EXPECT_EQ(step.metrics.at("slip_count"), 4);
  EXPECT_NEAR(step.final("x"), exact.final("x"), 1e-3 * exact.final("x"));
}

}  // namespace
}  // namespace bristle
