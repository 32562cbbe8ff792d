// The loop itself: its pace, and that it sees what a step allocates.

#include "bristle/realtime/loop.hpp"

#include <chrono>
#include <cstdlib>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "allocations.hpp"
#include "bristle/core/error.hpp"

namespace bristle {
namespace {

LoopOptions steps(long count) {
  LoopOptions options;
  options.rate = 1000;
  options.steps = count;
  if (counts_allocations()) options.allocations = thread_allocations;
  return options;
}

TEST(RealTimeLoop, KeepsThePaceOfTheClock) {
  int made = 0;
  const auto start = std::chrono::steady_clock::now();
  const LoopResult result = run_loop(steps(50), [&] { ++made; });
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(made, 50);
  EXPECT_EQ(result.timings.size(), 50u);
  EXPECT_GE(taken.count(), 0.049);
  EXPECT_FALSE(result.interrupted);
  for (const StepTiming& step : result.timings) {
    EXPECT_GE(step.cpu, 0);
    EXPECT_GE(step.wall, 0);
    EXPECT_GE(step.late, 0);
  }
}

TEST(RealTimeLoop, WithoutARateNoStepWaits) {
  LoopOptions options = steps(20000);
  options.rate = 0;
  int made = 0, beside = 0;
  options.beside = [&] { ++beside; };
  const LoopResult result = run_loop(options, [&] { ++made; });
  EXPECT_EQ(made, 20000);
  EXPECT_EQ(beside, 20000);
  ASSERT_EQ(result.timings.size(), 20000u);
  for (const StepTiming& step : result.timings) EXPECT_EQ(step.late, 0);
}

TEST(RealTimeLoop, CountsTheCpuTimeOfAStep) {
  volatile double sum = 0;
  const LoopResult result = run_loop(steps(5), [&] {
    for (int i = 0; i < 300000; ++i) sum = sum + 1;
  });
  for (const StepTiming& step : result.timings) EXPECT_GT(step.cpu, 3e-5);
}

TEST(RealTimeLoop, AllocatesNothingItself) {
  if (!counts_allocations()) GTEST_SKIP() << "allocations are not counted here";
  EXPECT_EQ(run_loop(steps(20), [] {}).allocations, 0);
}

TEST(RealTimeLoop, SeesAStepThatAllocates) {
  if (!counts_allocations()) GTEST_SKIP() << "allocations are not counted here";
  std::unique_ptr<double> kept;
  const LoopResult by_new =
      run_loop(steps(20), [&] { kept = std::make_unique<double>(kept ? *kept + 1 : 0); });
  EXPECT_EQ(by_new.allocations, 20);
  void* place = nullptr;
  const auto check = [&](const char* name, const std::function<void()>& step) {
    EXPECT_GE(run_loop(steps(5), step).allocations, 5) << name;
  };
  check("malloc", [&] {
    std::free(place);
    place = std::malloc(100);
  });
  check("calloc", [&] {
    std::free(place);
    place = std::calloc(10, 10);
  });
  std::size_t size = 100;
  check("realloc", [&] { place = std::realloc(place, size += 1000); });
  check("aligned_alloc", [&] {
    std::free(place);
    place = std::aligned_alloc(64, 128);
  });
  check("posix_memalign", [&] {
    std::free(place);
    EXPECT_EQ(posix_memalign(&place, 64, 128), 0);
  });
  std::free(place);
}

TEST(RealTimeLoop, EndsWhenAsked) {
  int left = 7;
  LoopOptions options = steps(1000);
  options.go_on = [&] { return left-- > 0; };
  const LoopResult result = run_loop(options, [] {});
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(result.timings.size(), 7u);
}

TEST(RealTimeLoop, TimesWhatIsDoneBesideWhereThereIsRoom) {
  FixedWork work(2e-4);
  LoopOptions options = steps(20);
  int made = 0;
  options.beside = [&] {
    work();
    ++made;
  };
  const LoopResult free = run_loop(options, [] {});
  EXPECT_GT(made, 0);
  EXPECT_EQ(free.beside.size(), static_cast<std::size_t>(made));
  // Only a lower bound can be relied upon: a busy machine makes anything longer.
  for (const double time : free.beside) EXPECT_GT(time, 1e-5);
  if (counts_allocations()) {
    EXPECT_EQ(free.allocations, 0);
  }
  FixedWork long_step(2e-3);
  made = 0;
  EXPECT_TRUE(run_loop(options, [&] { long_step(); }).beside.empty());
  EXPECT_EQ(made, 0);
}

TEST(RealTimeLoop, SaysWhatTheSystemGrants) {
  const std::vector<int> before = usable_cpus();
  {
    const RealTimeThread thread({.cpu = before.front(), .priority = 1});
    EXPECT_EQ(thread.granted().cpu, before.front());
    EXPECT_FALSE(thread.granted().memory.empty());
    EXPECT_FALSE(thread.granted().scheduling.empty());
    EXPECT_EQ(usable_cpus().size(), 1u);
  }
  EXPECT_EQ(usable_cpus(), before);
  EXPECT_THROW(RealTimeThread({.cpu = 100000}), InputError);
}

}  // namespace
}  // namespace bristle
