// One implicit step of a pressed contact, on its own.

#include "bristle/contact/press_step.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "bristle/normal/any_normal.hpp"
#include "bristle/normal/restitution.hpp"
#include "support/draw.hpp"

namespace bristle {
namespace {

using testing::Draw;

/// G(v) + w U(x) of the law k x^p (1 + a v).
double first_integral(const Press<double>& press, double x, double v, double w) {
  const double u = press.a * v;
  // v/a − ln(1 + a v)/a², without cancellation for small a v.
  const double g = std::abs(u) < 1e-3 ? v * v * (1.0 / 2 - u / 3 + u * u / 4 - u * u * u / 5)
                                      : (u - std::log1p(u)) / (press.a * press.a);
  return g + w * (x > 0 ? press.stored(x) : 0);
}

struct Scene {
  Press<double> press{};
  double w = 1, v_i = 1, deepest = 1, duration = 1, k_top = 1;
};
/// A random impact: exponent, restitution, stiffness, speed, mass.
Scene random_scene(Draw& draw, double e_least) {
  Scene s;
  const double ps[]{1, 1.5, 2, draw.between(1, 3)};
  const double p = ps[static_cast<std::size_t>(draw.between(0, 3.999))];
  const double e = draw.between(0, 1) < 0.1 ? 1 : draw.between(e_least, 1);
  s.v_i = draw.decades(1e-2, 10);
  s.w = 1 / draw.decades(0.01, 100);
  s.press = {draw.decades(1e3, 1e11), p, normal::restitution_damping(e) / s.v_i, 0};
  s.deepest = std::pow(0.5 * (p + 1) * s.v_i * s.v_i / (s.press.k * s.w), 1 / (p + 1));
  s.duration = 3 * s.deepest / s.v_i;
  s.k_top = s.press.stiffness(s.deepest);
  return s;
}

TEST(PressConserving, KeepsTheFirstIntegralForAnyStep) {
  double worst = 0;
  int conserved = 0;
  for (int i = 0; i < 2000; ++i) {
    Draw draw(i);
    const Scene s = random_scene(draw, 0.1);
    const double h = s.duration / draw.decades(6, 400);
    double x = 0, v = s.v_i;
    const double start = first_integral(s.press, x, v, s.w);
    for (int n = 0; n < 4000 && !(x <= 0 && v < 0); ++n) {
      const PressStep step = press_conserving(s.press, x, v, h, 0, s.w, s.k_top);
      ASSERT_GE(step.force, 0);
      ASSERT_NEAR(step.v, v - h * s.w * step.force, 1e-9 * s.v_i);
      x = step.x;
      v = step.v;
      worst = std::max(worst, std::abs(first_integral(s.press, x, v, s.w) / start - 1));
    }
    ASSERT_LT(v, 0) << i;
    ++conserved;
  }
  RecordProperty("worst", std::to_string(worst));
  EXPECT_EQ(conserved, 2000);
  EXPECT_LT(worst, 1e-10);
}

TEST(PressConserving, ReboundsWithTheRestitutionAskedFor) {
  for (const double e : {0.1, 0.3, 0.5, 0.9, 1.0}) {
    for (const int steps : {8, 20, 100}) {
      const Press<double> press{1e6, 1.5, normal::restitution_damping(e) / 2, 0};
      const double deepest = std::pow(1.25 * 4 / 1e6, 0.4), h = 2.9432 * deepest / 2 / steps;
      double x = 0, v = 2, lost = 0, impulse = 0;
      while (!(x <= 0 && v < 0)) {
        const PressStep step = press_conserving(press, x, v, h, 0, 1, press.stiffness(deepest));
        EXPECT_GE(step.lost, -1e-12);
        lost += step.lost;
        impulse += h * step.force;
        x = step.x;
        v = step.v;
      }
      EXPECT_NEAR(-v / 2, e, 1e-10) << steps;
      EXPECT_NEAR(lost, 0.5 * 4 * (1 - e * e), 1e-9) << e << ' ' << steps;
      EXPECT_NEAR(impulse, 2 * (1 + e), 1e-9) << e << ' ' << steps;
    }
  }
}

// The correction of the time is exact for a constant stiffness: fourth order for p = 1. With the
// largest stiffness of the impact in its place the other exponents keep second order.
TEST(PressConserving, OrderInTime) {
  const auto duration = [](double p, int steps) {
    const Press<double> press{1e6, p, 0, 0};
    const double deepest = std::pow(0.5 * (p + 1) / 1e6, 1 / (p + 1)), h = 3 * deepest / steps;
    double x = 0, v = 1, t = 0;
    while (!(x <= 0 && v < 0)) {
      const PressStep step = press_conserving(press, x, v, h, 0, 1, press.stiffness(deepest));
      x = step.x;
      v = step.v;
      t += h;
    }
    return t - x / v;
  };
  const auto order = [&](double p) {
    const double exact = duration(p, 6400);
    return std::log2(std::abs(duration(p, 10) - exact) / std::abs(duration(p, 20) - exact));
  };
  EXPECT_NEAR(duration(1, 6400), std::acos(-1.0) / 1e3, 1e-10);
  EXPECT_GT(order(1), 3.5);
  EXPECT_GT(order(1.5), 1.8);
  EXPECT_GT(order(2), 1.8);
  EXPECT_LT(std::abs(duration(1.5, 20) / duration(1.5, 6400) - 1), 1e-3);
}

TEST(PressMidpoint, NeverGainsEnergy) {
  for (int i = 0; i < 4000; ++i) {
    Draw draw(i);
    const Scene s = random_scene(draw, 0.02);
    // Up to a hundred times the contact's own time. Beyond that the tolerance of the root shows:
    // 3e-4 at ten thousand.
    const double h = s.duration * draw.decades(1e-2, 1e2);
    double x = draw.between(-1, 1) * s.deepest, v = draw.between(-1, 1) * s.v_i;
    const auto energy = [&] { return 0.5 * v * v / s.w + (x > 0 ? s.press.stored(x) : 0); };
    double before = energy();
    for (int n = 0; n < 20; ++n) {
      const PressStep step = press_midpoint(s.press, x, v, h, 0, s.w);
      ASSERT_GE(step.force, 0) << i;
      ASSERT_GE(step.lost, -1e-9 * before) << i;
      x = step.x;
      v = step.v;
      ASSERT_TRUE(std::isfinite(energy())) << i;
      ASSERT_LE(energy(), before * (1 + 1e-7)) << i << " step " << n;
      before = energy();
    }
  }
}

TEST(PressMidpoint, HoldsAWeightAtItsStaticDepth) {
  for (const double p : {1.0, 1.5, 2.0, 1.7}) {
    for (const double h : {1e-4, 1e-3, 1e-2}) {
      const Press<double> press{1e6, p, 20, 0};
      const double weight = 19.62, w = 0.5, depth = std::pow(weight / 1e6, 1 / p);
      const PressStep still = press_midpoint(press, depth, 0, h, w * weight, w);
      EXPECT_NEAR(still.force, weight, 1e-9 * weight);
      EXPECT_NEAR(still.v, 0, 1e-12);
      EXPECT_NEAR(still.x, depth, 1e-14);
      // And finds it from elsewhere.
      double x = 1.3 * depth, v = 0;
      for (int n = 0; n < 200000 / (h > 1e-3 ? 10 : 1); ++n) {
        const PressStep step = press_midpoint(press, x, v, h, w * weight, w);
        x = step.x;
        v = step.v;
      }
      EXPECT_NEAR(x, depth, 1e-3 * depth) << p << ' ' << h;
    }
  }
}

TEST(PressMidpoint, KelvinVoigtIsTheLinearOscillator) {
  // m = 1, ζ = 0.1: x(t) while pressed, from v = 1.
  const double k = 1e4, c = 20, omega = 100, zeta = 0.1, wd = omega * std::sqrt(1 - zeta * zeta);
  const Press<double> press{k, 1, 0, c};
  const double end = 0.02;
  const auto error = [&](int steps) {
    double x = 0, v = 1;
    for (int i = 0; i < steps; ++i) {
      const PressStep step = press_midpoint(press, x, v, end / steps, 0, 1);
      x = step.x;
      v = step.v;
    }
    return x - std::exp(-zeta * omega * end) * std::sin(wd * end) / wd;
  };
  EXPECT_LT(std::abs(error(2000)), 1e-7);
  EXPECT_NEAR(error(100) / error(200), 4, 0.1);  // second order
  // A plain damper leaves the conserving scheme to the midpoint.
  const PressStep a = press_midpoint(press, 1e-4, 0.5, 1e-4, 3, 2);
  const PressStep b = press_conserving(press, 1e-4, 0.5, 1e-4, 3, 2, k);
  EXPECT_EQ(a.v, b.v);
  EXPECT_EQ(a.x, b.x);
  // It never pulls.
  const PressStep parting = press_midpoint(press, 1e-5, -1, 1e-4, 0, 1);
  EXPECT_EQ(parting.force, 0);
  EXPECT_EQ(parting.v, -1);
}

TEST(PressMidpoint, OutOfTouchItFlies) {
  const Press<double> press{1e6, 1.5, 5, 0};
  const PressStep step = press_midpoint(press, -1e-3, 0.1, 1e-3, 2, 1);
  EXPECT_EQ(step.force, 0);
  EXPECT_DOUBLE_EQ(step.v, 0.1 + 2e-3);
  EXPECT_DOUBLE_EQ(step.x, -1e-3 + 1e-3 * (0.1 + 1e-3));
  EXPECT_EQ(step.lost, 0);
}

TEST(PressMeanElastic, IsTheSlopeOfTheStoredEnergy) {
  for (int i = 0; i < 2000; ++i) {
    Draw draw(i);
    const double ps[]{1, 1.5, 2, draw.between(1, 3)};
    const Press<double> press{1e6, ps[static_cast<std::size_t>(draw.between(0, 3.999))], 0, 0};
    const double x0 = draw.decades(1e-8, 1e-2), x1 = draw.between(-0.5, 3) * x0;
    const double expected = (press.stored(std::max(x1, 0.0)) - press.stored(x0)) / (x1 - x0);
    const auto mean = [&](double x) { return detail::mean_elastic(press, x0, x).force; };
    EXPECT_NEAR(mean(x1) / expected, 1, 1e-8) << press.p << ' ' << x1 / x0;
    const double close = x0 * (1 + 1e-9);
    EXPECT_NEAR(mean(close) / press.elastic(x0), 1, 2e-9 * press.p);
    const double d = 1e-5 * x0;
    if (std::abs(x1) < 2 * d) continue;  // where the force begins its slope may jump
    EXPECT_NEAR(
        detail::mean_elastic(press, x0, x1).slope / ((mean(x1 + d) - mean(x1 - d)) / (2 * d)), 1,
        1e-4)
        << press.p << ' ' << x1 / x0;
  }
}

// The slope of the rate at which the depth moves, against differences, on both sides of the series.
TEST(PressMeanRate, KnowsItsSlope) {
  for (int i = 0; i < 2000; ++i) {
    Draw draw(i);
    const double v0 = draw.between(-1, 1), v1 = draw.between(-1, 1);
    const double a = draw.decades(1e-3, 0.9);  // 1 + a v > 0
    const auto rate = [&](double v) { return detail::mean_rate(a, v0, v, 1 + 0.5 * a * (v0 + v)); };
    EXPECT_NEAR(rate(v1).slope, (rate(v1 + 1e-5).value - rate(v1 - 1e-5).value) / 2e-5, 1e-6)
        << a << ' ' << v0 << ' ' << v1;
  }
}

}  // namespace
}  // namespace bristle
