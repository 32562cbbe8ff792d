// Percentiles, bins, and whose fault a missed deadline was.

#include "bristle/realtime/times.hpp"

#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bristle {
namespace {

TEST(StepTimes, PercentilesByNearestRank) {
  std::vector<double> times(1000);
  std::iota(times.rbegin(), times.rend(), 1.0);  // 1000 down to 1
  const TimeSummary s = summarise(times);
  EXPECT_EQ(s.p50, 500);
  EXPECT_EQ(s.p99, 990);
  EXPECT_EQ(s.p999, 999);
  EXPECT_EQ(s.max, 1000);
  EXPECT_DOUBLE_EQ(s.mean, 500.5);
  EXPECT_EQ(s.samples, 1000);
  EXPECT_EQ(summarise({}).samples, 0);
  EXPECT_EQ(summarise({}).max, 0);
}

TEST(StepTimes, PercentilesOfFew) {
  const std::vector<double> three{1, 2, 7};
  EXPECT_EQ(percentile(three, 0), 1);
  EXPECT_EQ(percentile(three, 1.0 / 3), 1);
  EXPECT_EQ(percentile(three, 0.5), 2);
  EXPECT_EQ(percentile(three, 0.99), 7);
  EXPECT_EQ(percentile(three, 1), 7);
  const TimeSummary one = summarise({4});
  EXPECT_EQ(one.p50, 4);
  EXPECT_EQ(one.p999, 4);
}

TEST(StepTimes, BinsHoldEveryTime) {
  const std::vector<double> times{0, 1.5e-6, 2e-6, 2.1e-6, 4e-5};
  const std::vector<TimeBin> bins = time_bins(times);
  long sum = 0;
  for (const TimeBin& bin : bins) sum += bin.count;
  EXPECT_EQ(sum, 5);
  EXPECT_EQ(bins.front().count, 1);  // the 0
  EXPECT_EQ(bins.back().count, 1);
  EXPECT_DOUBLE_EQ(bins.back().to, 5e-5);
  for (const TimeBin& bin : bins) {
    EXPECT_TRUE(bin.count < 2 || bin.to == 2e-6);  // an edge belongs to the bin below
  }
  EXPECT_TRUE(time_bins({}).empty());
}

TEST(StepTimes, TheSlowestStepsAndWhatTheyNeed) {
  const std::vector<double> times{5, 2, 9, 1, 6,
                                  3, 6, 1, 7};  // two laps of four, and one more step
  const std::vector<SlowStep> slow = slowest_steps(times, 4, 3);
  ASSERT_EQ(slow.size(), 3U);
  EXPECT_EQ(slow[0].lap, 0);
  EXPECT_EQ(slow[0].step, 2);
  EXPECT_EQ(slow[0].time, 9);
  EXPECT_EQ(slow[0].best, 6);
  EXPECT_EQ(slow[1].lap, 2);
  EXPECT_EQ(slow[1].step, 0);
  EXPECT_EQ(slow[1].best, 5);
  EXPECT_EQ(slow[2].lap, 1);  // the first of equals
  EXPECT_EQ(slow[2].step, 0);
  EXPECT_EQ(slowest_steps(times, 0, 99).size(), times.size());
  EXPECT_EQ(slowest_steps(times, 9, 1)[0].best, 0);
  EXPECT_TRUE(slowest_steps({}, 4, 3).empty());
}

TEST(StepTimes, TheBestLapOfEachStep) {
  const std::vector<double> times{5, 2, 9, 1, 8, 3, 6, 7, 0.5};  // two laps of four and a rest
  EXPECT_THAT(best_lap(times, 4), ::testing::ElementsAre(5, 2, 6, 1));
  EXPECT_TRUE(best_lap(times, 5).empty());
  // A clock that went back has measured nothing.
  EXPECT_THAT(best_lap(std::vector<double>{0, 3, 4, -1}, 2), ::testing::ElementsAre(4, 3));
  EXPECT_TRUE(best_lap(times, 0).empty());
}

constexpr double period = 1e-3;

TEST(StepTimes, DeadlinesKept) {
  const std::vector<StepTiming> steps(10, {.late = 1e-4, .wall = 5e-4, .cpu = 4e-4});
  const Misses misses = find_misses(steps, period);
  EXPECT_EQ(misses.ours, 0);
  EXPECT_EQ(misses.machine, 0);
}

TEST(StepTimes, AStepLongerThanItsPeriodIsOurs) {
  std::vector<StepTiming> steps(10, {.late = 0, .wall = 1e-5, .cpu = 1e-5});
  steps[4] = {.late = 0, .wall = 1.2e-3, .cpu = 1.1e-3};
  const Misses misses = find_misses(steps, period);
  EXPECT_EQ(misses.ours, 1);
  EXPECT_EQ(misses.machine, 0);
}

TEST(StepTimes, WhatWaitsBehindOurStepIsOursToo) {
  std::vector<StepTiming> steps(5, {.late = 0, .wall = 1e-5, .cpu = 1e-5});
  steps[1] = {.late = 0, .wall = 3.5e-3, .cpu = 3.5e-3};
  steps[2] = {.late = 2.5e-3, .wall = 1e-5, .cpu = 1e-5};
  steps[3] = {.late = 1.51e-3, .wall = 1e-5, .cpu = 1e-5};
  steps[4] = {.late = 0.52e-3, .wall = 1e-5, .cpu = 1e-5};
  const Misses misses = find_misses(steps, period);
  EXPECT_EQ(misses.ours, 3);
  EXPECT_EQ(misses.machine, 0);
}

TEST(StepTimes, LateWakeUpsAndOtherProgramsAreTheMachines) {
  std::vector<StepTiming> steps(6, {.late = 0, .wall = 1e-5, .cpu = 1e-5});
  steps[1] = {.late = 2.5e-3, .wall = 1e-5, .cpu = 1e-5};   // woken late
  steps[2] = {.late = 1.51e-3, .wall = 1e-5, .cpu = 1e-5};  // behind it
  steps[4] = {.late = 0, .wall = 4e-3, .cpu = 2e-5};        // another program ran
  const Misses misses = find_misses(steps, period);
  EXPECT_EQ(misses.ours, 0);
  EXPECT_EQ(misses.machine, 3);
}

}  // namespace
}  // namespace bristle
