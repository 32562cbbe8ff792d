// Where friction presses bodies together faster than they are driven apart, the load is enclosed.

#include "../../src/solve/agree.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace bristle::detail {
namespace {

// The normal law's answer P(f) to the friction F(f) = f under a load f. All meet P(f) = f at f = 3
// N, but at a power of the distance, so that the search comes nearer by a factor each time and ends
// no closer than it must.
TEST(Agree, LoadAndItsAnswerAreTheSameToABillionth) {
  for (const double power : {1.0, 2.0, 3.0, 4.0, 5.0}) {
    Site site;
    const auto answer = [&](double f) {
      return f + std::copysign(std::pow(std::abs(3 - f), power), 3 - f);
    };
    const Forces<double> found = enclose<double>(
        site, 0,
        [&](double friction) {
          PressStep pressed{};
          pressed.force = answer(friction);
          return pressed;
        },
        [](double f, double) { return f; });
    EXPECT_FALSE(site.flagged) << power;
    EXPECT_EQ(found.friction, found.f) << power;
    EXPECT_NEAR(answer(found.f), found.f, 1e-9 * found.f) << power;
    EXPECT_NEAR(found.f, 3, 2 * std::pow(3e-9, 1 / power)) << power;
  }
}

}  // namespace
}  // namespace bristle::detail
