#include "bristle/contact/limit_curve.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "normal/reference.hpp"

namespace bristle {
namespace {

using testing::ContactReference;

/// Midpoint rule over rings and angles: nothing in common with the elliptic integrals.
LimitPoint brute(double k, double v, double spin) {
  const double r_gyr = 1 / std::sqrt(k + 2), omega = spin / r_gyr;
  LimitPoint sum;
  double mass = 0;
  constexpr int n = 600;
  for (int i = 0; i < n; ++i) {
    const double r = (i + 0.5) / n, p = std::pow(1 - r * r, k) * r;
    for (int j = 0; j < n; ++j) {
      const double angle = 2 * std::numbers::pi * (j + 0.5) / n;
      const double vx = v - omega * r * std::sin(angle), vy = omega * r * std::cos(angle);
      const double speed = std::hypot(vx, vy);
      mass += p;
      sum.force += p * vx / speed;
      sum.torque += p * r * (std::cos(angle) * vy - std::sin(angle) * vx) / speed;
    }
  }
  return {sum.force / mass, sum.torque / mass / r_gyr};
}

TEST(LimitCurve, DiscMatchesTheReference) {
  for (const auto& row : ContactReference::rows("s7_contensou_disc.csv")) {
    const LimitPoint p = disc_friction(0.002, row[0] * 0.0127);
    EXPECT_NEAR(p.force, row[3], 1e-11) << row[0];
    EXPECT_NEAR(p.torque, row[4], 1e-11) << row[0];
  }
}

TEST(LimitCurve, DiscIsContinuousWhereItsFormulasMeet) {
  for (const double e : {1e-3, 1e-2, 1.0}) {
    for (const bool fast_spin : {false, true}) {
      const auto at = [&](double x) {
        return fast_spin ? disc_friction(x, 1) : disc_friction(1, x);
      };
      const LimitPoint below = at(e * (1 - 1e-9)), above = at(e * (1 + 1e-9));
      EXPECT_NEAR(below.force, above.force, 1e-8);
      EXPECT_NEAR(below.torque, above.torque, 1e-8);
    }
  }
  EXPECT_EQ(disc_friction(1, 0).force, 1);
  EXPECT_NEAR(disc_friction(0, 1).torque, 2.0 / 3, 1e-15);
  EXPECT_NEAR(disc_friction(1e-9, 1).force, 1e-9, 1e-15);      // F = ε
  EXPECT_NEAR(disc_friction(1, 1e-9).torque, 0.25e-9, 1e-15);  // T = R²ω/(4v)
}

TEST(LimitCurve, ProfilesMatchBruteForce) {
  for (const double k : {0.0, 1.0, 2.0}) {
    for (const double beta : {0.05, 0.5, 0.9, 1.3}) {
      const LimitPoint p = profile_friction(k, std::cos(beta), std::sin(beta)),
                       q = brute(k, std::cos(beta), std::sin(beta));
      EXPECT_NEAR(p.force, q.force, 2e-6) << k << ' ' << beta;
      EXPECT_NEAR(p.torque, q.torque, 2e-6) << k << ' ' << beta;
    }
  }
}

TEST(LimitCurve, TablesFollowTheIntegrals) {
  for (const double k : {0.0, 1.0, 2.0}) {
    const LimitCurve curve(k);
    for (double beta = 0.003; beta < 1.57; beta += 0.0517) {
      const LimitPoint exact = profile_friction(k, std::cos(beta), std::sin(beta)),
                       p = curve.sliding(3 * std::cos(beta), 3 * std::sin(beta));
      EXPECT_NEAR(p.force, exact.force, 1e-5);
      EXPECT_NEAR(p.torque, exact.torque, 1e-5);
      EXPECT_NEAR(curve.gauge(0.5 * exact.force, -0.5 * exact.torque), 0.5, 1e-5);
    }
  }
  // Between two profiles: a blend.
  const LimitPoint between = profile_friction(0.5, 1, 1), p = LimitCurve(0.5).sliding(1, 1);
  EXPECT_NEAR(p.force, between.force, 3e-3);
  EXPECT_NEAR(p.torque, between.torque, 3e-3);
}

/// Maximal dissipation: of all wrenches that the patch can carry, sliding gives the one with the
/// most power, so that the curve is convex and its normal the motion.
TEST(LimitCurve, SlidingTakesTheMostPower) {
  const LimitCurve curve(1);
  for (double beta = 0.05; beta < 1.55; beta += 0.1) {
    const LimitPoint p = curve.sliding(std::cos(beta), std::sin(beta));
    const double power = p.force * std::cos(beta) + p.torque * std::sin(beta);
    for (double other = 0.02; other < 1.57; other += 0.05) {
      const LimitPoint q = curve.sliding(std::cos(other), std::sin(other));
      EXPECT_LE(q.force * std::cos(beta) + q.torque * std::sin(beta), power + 1e-7);
    }
  }
}

TEST(LimitCurve, ExponentComesFromTheDepths) {
  const auto same = [](const LimitCurve& a, const LimitCurve& b) {
    return std::abs(a.sliding(1, 1).force - b.sliding(1, 1).force) < 1e-15;
  };
  EXPECT_TRUE(same(LimitCurve::from_depths(1, 1), LimitCurve(0)));    // slab
  EXPECT_TRUE(same(LimitCurve::from_depths(0.5, 1), LimitCurve(1)));  // cap
  EXPECT_TRUE(same(LimitCurve::from_depths(0.25, 1), LimitCurve(2)));
  EXPECT_TRUE(same(LimitCurve::from_depths(0, 0), LimitCurve(0)));
}

/// The factors of the thesis are the unit circle; how far they are off is a known number.
TEST(LimitCurve, CircleIsOffByTheKnownAmount) {
  const auto known = ContactReference::entries("Contensou factors max error").front()["value"];
  double force = 0, torque = 0;
  const double r_gyr = 1 / std::numbers::sqrt2;
  for (double e = 1e-3; e < 1e3; e *= 1.001) {
    const LimitPoint p = disc_friction(e, 1);
    const double size = std::hypot(e, r_gyr);
    force = std::max(force, e / size - p.force);
    torque = std::max(torque, r_gyr * r_gyr / size - p.torque);
  }
  EXPECT_NEAR(force, known["max_dF"].get<double>(), 1e-5);
  EXPECT_NEAR(torque, known["max_dT_over_muNR"].get<double>(), 1e-5);
}

}  // namespace
}  // namespace bristle
