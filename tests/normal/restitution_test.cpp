// The relation between damping and restitution: solve, table and inverse.

#include "bristle/normal/restitution.hpp"

#include <cmath>
#include <limits>

#include <ceres/jet.h>
#include <gtest/gtest.h>

#include "bristle/normal/kelvin_voigt.hpp"

namespace bristle::normal {
namespace {

/// The relation divided by u², in which the double root at u = 0 is gone, times u²/(e u): close to
/// the root it is the error of d. In long double, so that its own rounding does not count.
long double residual(long double e, long double d) {
  const long double u = d / e;
  const long double value = u - std::log1p(u) + d + std::log1p(-d);
  const long double slope = u / (1 + u) / e - d / (1 - d);  // with d
  return value / slope;
}

TEST(Restitution, SolveSatisfiesTheRelation) {
  // Above 0.05, where 1 − d has digits, and below 0.9, where the difference of logarithms has.
  for (int i = 50; i <= 900; ++i) {
    const double e = i / 1000.0;
    EXPECT_LE(std::abs(residual(e, solve_d(e))), 1e-14) << e;
  }
}

TEST(Restitution, SolveHasTheRightEnds) {
  EXPECT_EQ(solve_d(1), 0);
  EXPECT_EQ(solve_d(0), 1);
  EXPECT_EQ(solve_d(1e-3), 1);
  EXPECT_EQ(solve_d(1e-300), 1);
  // d = 3/2 x + c x³ with x = 1 − e: the next terms of the expansion are small.
  for (const double x : {1e-15, 1e-12, 1e-9, 1e-6, 1e-5}) {
    const double e = 1 - x;
    EXPECT_NEAR(solve_d(e) / (1 - e), 1.5, 1e-14 + 0.2 * x) << x;
    EXPECT_NEAR(restitution_d(e) / (1 - e), 1.5, 1e-14 + 0.2 * x) << x;
  }
}

TEST(Restitution, BranchesOfTheSolveMeet) {
  const double below = std::nextafter(0.5, 0), above = std::nextafter(0.5, 1);
  EXPECT_NEAR(solve_d(below), solve_d(above), 2e-15);
}

TEST(Restitution, TableAgreesWithTheSolve) {
  double worst = 0, worst_relative = 0;
  const int n = 20000;
  for (int i = 1; i <= n; ++i) {
    const double e = static_cast<double>(i) / n;
    const double solved = solve_d(e), read = restitution_d(e);
    worst = std::max(worst, std::abs(read - solved));
    if (e < 1) worst_relative = std::max(worst_relative, std::abs(read - solved) / solved);
  }
  RecordProperty("worst", std::to_string(worst * 1e15) + "e-15");
  EXPECT_LE(worst, 1e-14);
  EXPECT_LE(worst_relative, 1e-14);
  // Edges of the pieces, both sides; and the ends.
  for (int i = 0; i <= detail::restitution_pieces; ++i) {
    const double edge = static_cast<double>(i) / detail::restitution_pieces;
    for (const double e : {std::nextafter(edge, 0), edge, std::nextafter(edge, 1)}) {
      EXPECT_NEAR(restitution_d(e), solve_d(e), 1e-14) << e;
    }
  }
  EXPECT_EQ(restitution_d(1.0), 0);
  EXPECT_EQ(restitution_damping(1.0), 0);
}

TEST(Restitution, TableHasTheRightSlope) {
  using Jet = ceres::Jet<double, 1>;
  for (int i = 30; i < 1000; ++i) {
    const double e = i / 1000.0, u = solve_d(e) / e;
    // By implicit differentiation of the relation.
    const double by_u = u / (1 + u) - e * e * u / (1 - e * u);
    const double by_e = u - u / (1 - e * u);
    if (1 - e * u < 1e-6) continue;  // no digits left in 1 − d
    const double slope = -by_e / by_u;
    EXPECT_NEAR(restitution_damping(Jet(e, 0)).v[0], slope, 1e-8 * std::abs(slope)) << e;
  }
}

TEST(Restitution, InverseUndoesIt) {
  const int n = 20000;
  double worst = 0;
  for (int i = 1; i <= n; ++i) {
    const double e = static_cast<double>(i) / n;
    worst = std::max(worst, std::abs(effective_restitution(solve_d(e) / e) - e));
    worst = std::max(worst, std::abs(effective_restitution(restitution_damping(e)) - e));
  }
  EXPECT_LE(worst, 1e-14);
}

TEST(Restitution, InverseIsRightAtBothEnds) {
  EXPECT_EQ(effective_restitution(0), 1);
  EXPECT_EQ(effective_restitution(std::numeric_limits<double>::infinity()), 0);
  for (const double u : {1e-300, 1e-160, 1e-12, 1e-9, 2e-9, 1e-8, 1e-6}) {
    // e = 1 − 2/3 u + 4/9 u² − …
    EXPECT_NEAR(effective_restitution(u), 1 - u * (2.0 / 3 - u * 4.0 / 9), 1e-15) << u;
  }
  for (const double u : {50.0, 1e3, 1e9, 1e100, 1e299, 1e305}) {
    EXPECT_NEAR(effective_restitution(u) * u, 1, 1e-15) << u;
  }
  double before = 1;
  for (double u = 1e-6; u < 1e6; u *= 1.07) {
    const double e = effective_restitution(u);
    EXPECT_LT(e, before) << u;
    before = e;
  }
}

TEST(Restitution, KelvinVoigtIsContinuousAndKnown) {
  EXPECT_EQ(kelvin_voigt_restitution(0), 1);
  EXPECT_NEAR(kelvin_voigt_restitution(1), std::exp(-2), 1e-15);
  EXPECT_NEAR(kelvin_voigt_restitution(1 - 1e-9), std::exp(-2), 1e-8);
  EXPECT_NEAR(kelvin_voigt_restitution(1 + 1e-9), std::exp(-2), 1e-8);
  // The textbook ratio is right to first order in the loss only.
  EXPECT_NEAR(kelvin_voigt_restitution(kelvin_voigt_ratio(0.999)), 0.999, 1e-5);
  EXPECT_GT(kelvin_voigt_restitution(kelvin_voigt_ratio(0.5)), 0.53);
}

}  // namespace
}  // namespace bristle::normal
