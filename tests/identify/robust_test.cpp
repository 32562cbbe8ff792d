// Medians and their bootstrap intervals.

#include "bristle/identify/robust.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "bristle/core/random.hpp"

namespace bristle {
namespace {

std::vector<double> normal_sample(std::size_t n, std::uint64_t seed) {
  std::vector<double> values;
  for (std::size_t k = 0; k < n; ++k) {
    const double u = uniform(seed, 1, k), w = uniform(seed, 2, k);
    values.push_back(std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * w));
  }
  return values;
}

TEST(Robust, QuantilesAreLinearBetweenSamples) {
  const std::vector<double> values = {4, 1, 3, 2};
  EXPECT_DOUBLE_EQ(median_value(values), 2.5);
  EXPECT_DOUBLE_EQ(quantile_of(values, 0), 1);
  EXPECT_DOUBLE_EQ(quantile_of(values, 1), 4);
  EXPECT_DOUBLE_EQ(quantile_of(values, 0.25), 1.75);
  EXPECT_DOUBLE_EQ(mean_value(values), 2.5);
  EXPECT_TRUE(std::isnan(median_value({})));
}

TEST(Robust, DeviationIsThatOfANormalSampleAndIgnoresOutliers) {
  std::vector<double> values = normal_sample(4000, 3);
  EXPECT_NEAR(robust_deviation(values), 1, 0.04);
  for (int k = 0; k < 200; ++k) values.push_back(1e6);
  EXPECT_NEAR(robust_deviation(values), 1.06, 0.06);
}

// Of a normal sample the median has the standard error √(π/2)/√n.
TEST(Robust, BootstrapOfTheMedianHasTheRightWidth) {
  const std::vector<double> values = normal_sample(400, 7);
  const Spread s = median_of(values, {.draws = 1000, .seed = 5});
  const double expected = 2 * 1.96 * std::sqrt(std::numbers::pi / 2) / 20;
  EXPECT_NEAR(s.high - s.low, expected, 0.35 * expected);
  EXPECT_LE(s.low, s.value);
  EXPECT_GE(s.high, s.value);
  const Spread mean = mean_of(values, {.draws = 1000, .seed = 5});
  EXPECT_NEAR(mean.high - mean.low, 2 * 1.96 / 20, 0.15 * 2 * 1.96 / 20);
}

TEST(Robust, IntervalsCoverAsOftenAsTheySay) {
  int covered = 0;
  constexpr int trials = 200;
  for (int i = 0; i < trials; ++i) {
    const Spread s = mean_of(normal_sample(40, 100 + static_cast<std::uint64_t>(i)),
                             {.draws = 200, .seed = static_cast<std::uint64_t>(i)});
    covered += s.low <= 0 && 0 <= s.high;
  }
  EXPECT_GE(covered, 0.88 * trials);
  EXPECT_LE(covered, 0.99 * trials);
}

TEST(Robust, TheSeedDecides) {
  const std::vector<double> values = normal_sample(50, 9);
  const Spread a = median_of(values, {.seed = 1}), b = median_of(values, {.seed = 1}),
               c = median_of(values, {.seed = 2});
  EXPECT_EQ(a.low, b.low);
  EXPECT_EQ(a.high, b.high);
  EXPECT_TRUE(a.low != c.low || a.high != c.high);
}

}  // namespace
}  // namespace bristle
