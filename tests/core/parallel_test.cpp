#include "bristle/core/parallel.hpp"

#include <numeric>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace bristle {
namespace {

TEST(InParallel, DoesEachPieceOfWorkOnce) {
  for (const int threads : {0, 1, 3, 50}) {
    std::vector<int> done(20, 0);
    in_parallel(done.size(), threads, [&](std::size_t i) { ++done[i]; });
    EXPECT_EQ(done, std::vector<int>(20, 1)) << threads;
  }
  in_parallel(0, 4, [](std::size_t) { FAIL() << "there is no work"; });
}

std::string fault_of(std::size_t count, int threads, std::size_t first) {
  try {
    in_parallel(count, threads, [&](std::size_t i) {
      if (i >= first) throw std::runtime_error("work " + std::to_string(i));
    });
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "none";
}

// An exception that leaves a thread ends the program.
TEST(InParallel, HandsOnWhatWorkThrows) {
  for (const int threads : {1, 2, 8}) {
    EXPECT_EQ(fault_of(100, threads, 99), "work 99") << threads;
    EXPECT_EQ(fault_of(100, threads, 100), "none") << threads;
    EXPECT_EQ(fault_of(100, threads, 0).substr(0, 5), "work ") << threads;
  }
  EXPECT_EQ(fault_of(100, 1, 7), "work 7");
}

TEST(InParallel, BeginsNothingAfterAFault) {
  std::atomic<int> begun = 0;
  EXPECT_THROW(in_parallel(1000000, 2,
                           [&](std::size_t) {
                             ++begun;
                             throw std::runtime_error("no");
                           }),
               std::runtime_error);
  EXPECT_LE(begun, 2);
}

}  // namespace
}  // namespace bristle
