#include "bristle/system/signal.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace bristle {
namespace {

/// Value, slope and integral must belong together: checked by differences away from breaks.
void expect_consistent(const Signal& signal, double t) {
  const double d = 1e-6;
  EXPECT_NEAR(signal.slope(t), (signal.value(t + d) - signal.value(t - d)) / (2 * d), 1e-5) << t;
  EXPECT_NEAR(signal.value(t), (signal.integral(t + d) - signal.integral(t - d)) / (2 * d), 1e-5)
      << t;
}

TEST(Signal, ConstantIsItself) {
  const Signal signal = Signal::constant(3);
  EXPECT_EQ(signal.value(7), 3);
  EXPECT_EQ(signal.integral(2), 6);
  EXPECT_TRUE(signal.is_constant());
  EXPECT_TRUE(signal.breaks().empty());
  EXPECT_TRUE(Signal::constant(0).is_zero());
}

TEST(Signal, PulseStopsAtItsEnd) {
  const Signal pulse = Signal::constant(0.2).until(0.25);
  EXPECT_EQ(pulse.value(0.2499999), 0.2);
  EXPECT_EQ(pulse.value(0.25), 0);  // from the right
  EXPECT_DOUBLE_EQ(pulse.integral(1), 0.05);
  EXPECT_EQ(pulse.breaks(), std::vector<double>{0.25});
  EXPECT_FALSE(pulse.is_constant());
}

TEST(Signal, RampHoldsWhatItReached) {
  const Signal ramp = Signal::ramp(2, 1).hold_from(3);
  EXPECT_EQ(ramp.value(0.5), 0);
  EXPECT_DOUBLE_EQ(ramp.value(2), 2);
  EXPECT_DOUBLE_EQ(ramp.value(10), 4);
  EXPECT_DOUBLE_EQ(ramp.integral(3), 4);
  EXPECT_DOUBLE_EQ(ramp.integral(5), 12);
  EXPECT_EQ(ramp.slope(4), 0);
  EXPECT_EQ(ramp.breaks(), (std::vector<double>{1, 3}));
}

TEST(Signal, SineIntegratesWithoutCancellation) {
  const Signal sine = Signal::sine(1, 1);
  // ∫ sin(2πt) from 0 to t is πt² to leading order.
  const double t = 1e-9;
  EXPECT_NEAR(sine.integral(t) / (std::numbers::pi * t * t), 1, 1e-12);
  EXPECT_NEAR(sine.integral(1), 0, 1e-16);
  const Signal constant = Signal::sine(2, 0, std::numbers::pi / 2);
  EXPECT_DOUBLE_EQ(constant.integral(3), 6);
}

TEST(Signal, TableIsLinearBetweenItsPoints) {
  const Signal table = Signal::table({1, 2, 4}, {10, 20, 0});
  EXPECT_EQ(table.value(0), 10);
  EXPECT_DOUBLE_EQ(table.value(1.5), 15);
  EXPECT_DOUBLE_EQ(table.value(3), 10);
  EXPECT_EQ(table.value(9), 0);
  EXPECT_DOUBLE_EQ(table.integral(1), 10);
  EXPECT_DOUBLE_EQ(table.integral(4), 10 + 15 + 20);
  const Signal steps = Signal::steps({1, 2}, {5, 7});
  EXPECT_EQ(steps.value(1.999), 5);
  EXPECT_EQ(steps.value(2), 7);
  EXPECT_DOUBLE_EQ(steps.integral(3), 5 + 5 + 7);
}

TEST(Signal, SumsAndFactorsKeepTogether) {
  Signal sum = Signal::constant(1.55e-3);
  sum += Signal::sine(1.45e-3, 0.3, 0.7);
  sum += Signal::ramp(-0.2, 0.5).until(2);
  sum += Signal::table({0, 1, 3}, {1, -1, 4}).scaled(-0.5);
  for (const double t : {-0.7, 0.2, 0.9, 1.7, 2.6, 5.0}) expect_consistent(sum, t);
}

}  // namespace
}  // namespace bristle
