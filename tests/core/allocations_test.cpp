// The counter behind every "allocates nothing": it must see whatever way memory is asked for.

#include "support/allocations.hpp"

#include <cstdlib>
#include <memory>
#include <string>

#include <Eigen/Core>
#include <gtest/gtest.h>

namespace bristle {
namespace {

template <class Ask>
long counted(Ask&& ask) {
  const long before = testing::allocations();
  ask();
  return testing::allocations() - before;
}

TEST(Allocations, AreCountedWhateverAsksForThem) {
  if (testing::allocations() < 0) GTEST_SKIP() << "the sanitizers bring their own malloc";
  void* volatile kept = nullptr;  // so that the compiler does not leave the pair out
  const auto freed = [&](void* place) {
    kept = place;
    std::free(kept);
  };
  EXPECT_EQ(counted([] {}), 0);
  EXPECT_EQ(counted([&] { freed(std::malloc(100)); }), 1);
  EXPECT_EQ(counted([&] { freed(std::calloc(10, 10)); }), 1);
  EXPECT_EQ(counted([&] { freed(std::aligned_alloc(64, 128)); }), 1);
  EXPECT_EQ(counted([&] {
              void* place = nullptr;
              ASSERT_EQ(::posix_memalign(&place, 64, 128), 0);
              freed(place);
            }),
            1);
  EXPECT_EQ(counted([&] { kept = std::make_unique<double[]>(20).get(); }), 1);
  struct alignas(64) Wide {
    double x[8];
  };
  EXPECT_EQ(counted([&] { kept = std::make_unique<Wide>().get(); }), 1);
  int size = 30;
  EXPECT_EQ(counted([&] {
              Eigen::VectorXd x(size);
              kept = x.data();
            }),
            1);
  EXPECT_EQ(counted([&] { std::string(static_cast<std::size_t>(size) * 10, 'x'); }), 1);
}

}  // namespace
}  // namespace bristle
