#pragma once

// What must hold for every normal law, checked with random parameters, speeds and depths.
//
//   BRISTLE_TEST_NORMAL_LAW(Flores);
//
// gives a law all of it: never pulls, starts at zero, dissipates, has the right static limit, free
// impacts as the closed form says, exact derivatives, and the same answers by name.

#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include <ceres/jet.h>

#include "bristle/normal/any_normal.hpp"
#include "bristle/normal/impact.hpp"
#include "bristle/normal/laws.hpp"
#include "friction/random_cases.hpp"

namespace bristle::testing {

using NormalJet = ceres::Jet<double, 1>;

/// Laws that are known to jump to b v_i at touch-down.
template <class L>
inline constexpr bool jumps_at_touch_down = std::is_same_v<L, normal::KelvinVoigt<double>>;

template <class L>
void show_normal(const L& law, double v_i) {
  for_each_parameter(law, [](const Traits& t, const auto& m) {
    RC_LOG() << t.name << " = " << parameter_value(m) << "\n";
  });
  RC_LOG() << "v_i = " << v_i << "\n";
}

/// Approach speeds from nothing to fast.
inline double draw_approach() {
  static constexpr std::array<double, 5> odd{0.0, 5e-324, 1e-200, 1e-6, 1e3};
  if (*rc::gen::inRange(0, 8) == 0) return odd[static_cast<std::size_t>(*rc::gen::inRange(0, 5))];
  return draw_between(1e-5, 20);
}
inline double draw_rate(double v_i) {
  const double rate = draw_between(1e-6, 3) * std::max(v_i, 1e-3);
  return draw_bool() ? rate : -rate;
}

/// 1. Never adhesive, nothing without contact, finite for every approach speed.
template <class L>
void check_never_pulls() {
  const L law = draw_law<L>();
  const double v_i = draw_approach();
  show_normal(law, v_i);
  const Press<> press = law.latch(v_i);
  RC_ASSERT(std::isfinite(press.a) && std::isfinite(press.b));
  RC_ASSERT(press.k > 0 && press.a >= 0 && press.b >= 0);
  const double depth = draw_between(1e-9, 1e-1), rate = draw_rate(v_i);
  const double f = press.force(depth, rate);
  RC_ASSERT(std::isfinite(f) && f >= 0);
  for (const double none : {0.0, -depth, -std::numeric_limits<double>::infinity()}) {
    RC_ASSERT(press.force(none, rate) == 0);
    RC_ASSERT(press.stored(none) == 0);
    RC_ASSERT(press.dissipation(none, rate) == 0);
    RC_ASSERT(press.stiffness(none) == 0);
  }
}

/// 2. Continuous at touch-down, or known to jump.
template <class L>
void check_touch_down() {
  const L law = draw_law<L>();
  const double v_i = draw_approach(), depth = draw_between(1e-6, 1e-2);
  show_normal(law, v_i);
  const Press<> press = law.latch(v_i);
  const double share = 1e-6, shallow = press.force(share * depth, v_i);
  if constexpr (jumps_at_touch_down<L>) {
    RC_ASSERT(shallow >= press.b * v_i);
  } else {
    RC_ASSERT(shallow <= 1.0001 * share * press.force(depth, v_i));
  }
}

/// 3. Power goes into store and loss, and the loss is never negative.
template <class L>
void check_dissipates() {
  const L law = draw_law<L>();
  const double v_i = draw_approach(), depth = draw_between(1e-9, 1e-1), rate = draw_rate(v_i);
  show_normal(law, v_i);
  const Press<> press = law.latch(v_i);
  const double power = press.force(depth, rate) * rate;
  const double stored = press.elastic(depth) * rate, loss = press.dissipation(depth, rate);
  RC_ASSERT(loss >= 0);
  const double size = std::abs(power) + std::abs(stored) + loss;
  RC_ASSERT(std::abs(power - stored - loss) <= 1e-14 * size);
}

/// 4. k δ^p at rest; stiffness and stored energy are its slope and its integral.
template <class L>
void check_static_limit() {
  const L law = draw_law<L>();
  const double v_i = draw_approach(), depth = draw_between(1e-9, 1e-1);
  show_normal(law, v_i);
  const Press<> press = law.latch(v_i);
  const double elastic = press.k * std::pow(depth, press.p);
  RC_ASSERT(std::abs(press.force(depth, 0) - elastic) <= 1e-13 * elastic);
  const Press<NormalJet> dual{NormalJet(press.k), NormalJet(press.p), NormalJet(press.a),
                              NormalJet(press.b)};
  const NormalJet moving(depth, 0);
  const double slope = dual.elastic(moving).v[0], flow = dual.stored(moving).v[0];
  RC_ASSERT(std::abs(press.stiffness(depth) - slope) <= 1e-13 * slope);
  RC_ASSERT(std::abs(press.elastic(depth) - flow) <= 1e-13 * flow);
  const double rate = draw_rate(v_i);
  const double by_rate = dual.force(NormalJet(depth), NormalJet(rate, 0)).v[0];
  RC_ASSERT(std::abs(press.damping(depth, rate) - by_rate) <= 1e-13 * by_rate);
}

/// 5. A free impact ends as the closed form says, for any mass; it never returns more than it got.
template <class L>
void check_free_impact() {
  const L law = draw_law<L>();
  const double v_i = draw_between(1e-3, 10);
  show_normal(law, v_i);
  const Press<> press = law.latch(v_i);
  double mass = draw_between(1e-3, 1e3), expected = 0;
  if constexpr (jumps_at_touch_down<L>) {
    const double ratio = press.b > 0 ? draw_between(0.01, 0.9) : 0;
    if (ratio > 0) mass = std::pow(press.b / (2 * ratio), 2) / press.k;
    expected = normal::kelvin_voigt_restitution(ratio);
  } else {
    expected = normal::effective_restitution(press.a * v_i);
  }
  // The force of a damper in parallel has a corner where it stops pulling: finer steps for that.
  const double tolerance = jumps_at_touch_down<L> ? 1e-14 : 1e-12;
  const normal::Impact impact = normal::integrate_impact(press, mass, v_i, tolerance);
  RC_LOG() << "mass " << mass << " e " << impact.e << " expected " << expected << "\n";
  RC_ASSERT(std::abs(impact.e - expected) <= 1e-9);
  RC_ASSERT(impact.e <= 1 + 1e-9);
  if constexpr (normal::ExactRestitution<L>) {
    double floor = 0;
    if constexpr (requires { law.v_floor; }) floor = law.v_floor;
    if (v_i >= floor) RC_ASSERT(std::abs(impact.e - law.requested(v_i)) <= 1e-9);
  }
}

/// The law, a speed, a depth and a rate moved along a random line; S is double or a dual number.
template <template <class> class Law>
class NormalLine {
 public:
  NormalLine(const Law<double>& law, double v_i, double depth, double rate)
      : law_(law), v_i_(v_i), depth_(depth), rate_(rate) {
    for (int i = 0; i < 16; ++i) slopes_.push_back(2 * draw_share() - 1);
  }
  template <class S>
  S force(const S& eps) const {
    std::size_t next = 0;
    const auto along = [&](double x) { return S(S(x) + eps * S(slopes_[next++] * x)); };
    std::vector<double> values;
    for_each_parameter(law_, [&](const Traits&, const auto& m) { values.push_back(m); });
    Law<S> moved;
    std::size_t i = 0;
    for_each_parameter(moved, [&](const Traits& t, auto& m) {
      const double x = values[i++];
      // A parameter at the end of its range stays there.
      m = x == t.range.min || x == t.range.max ? S(x) : along(x);
    });
    const S v_i = along(v_i_), depth = along(depth_), rate = along(rate_);
    return moved.latch(v_i).force(depth, rate);
  }

 private:
  Law<double> law_;
  double v_i_, depth_, rate_;
  std::vector<double> slopes_;
};

/// 6. Exact derivatives with respect to parameters, approach speed, depth and rate.
template <template <class> class Law>
void check_normal_derivatives(int& smooth, int& kinks) {
  using L = Law<double>;
  const L law = draw_law<L>();
  const double v_i = draw_between(1e-4, 10), depth = draw_between(1e-6, 1e-2);
  const double rate = draw_rate(v_i);
  show_normal(law, v_i);
  const Press<> press = law.latch(v_i);
  const double elastic = press.elastic(depth);
  const double size = elastic * (1 + press.a * std::abs(rate)) + press.b * std::abs(rate);
  // Corners: the clamp of the force, the floor of the speed, the ends of the restitution.
  const double h = 1e-4;
  const double free = elastic * (1 + press.a * rate) + press.b * rate;
  bool corner = std::abs(free) < 0.02 * size;
  if constexpr (requires { law.v_floor; }) corner |= std::abs(v_i / law.v_floor - 1) < 10 * h;
  if constexpr (requires {
                  law.e;
                  law.alpha;
                }) {
    const double e = law.e - law.alpha * v_i;
    const double margin = 10 * h * (law.e + law.alpha * v_i);
    const bool moves = law.alpha > 0 || (law.e > 0 && law.e < 1);
    corner |= moves && (std::abs(e - normal::e_floor) < margin || std::abs(e - 1) < margin);
    // Where e(v_i) is a small difference of large numbers, a difference quotient sees nothing.
    corner |= e > normal::e_floor && e < 0.05 * (law.e + law.alpha * v_i);
  }
  if (corner) {
    ++kinks;
    return;
  }
  ++smooth;
  const NormalLine<Law> line(law, v_i, depth, rate);
  const double exact = line.force(NormalJet(0, 0)).v[0];
  const auto central = [&](double step) {
    return (line.force(step) - line.force(-step)) / (2 * step);
  };
  const double difference = (4 * central(h) - central(2 * h)) / 3;
  RC_LOG() << "exact " << exact << " difference " << difference << " size " << size << "\n";
  RC_ASSERT(std::abs(exact - difference) <= 1e-6 * (size + std::abs(exact)));
}

/// 7. By name: the same law, and out of range is refused with the parameter's name and range.
template <class L>
void check_by_name() {
  const L law = draw_law<L>();
  const double v_i = draw_approach();
  AnyNormal any(L::describe().page.name);
  for_each_parameter(law,
                     [&](const Traits& t, const auto& m) { any.set(t.name, parameter_value(m)); });
  any.check();
  RC_ASSERT(any.latch(v_i) == law.latch(v_i));
}
template <class L>
void check_normal_ranges() {
  AnyNormal law(L::describe().page.name);
  for (const Parameter& p : law.info().parameters) {
    std::vector<double> bad{std::nan(""), infinity};
    if (std::isfinite(p.range.min)) bad.push_back(p.range.min - 1);
    if (std::isfinite(p.range.min) && p.range.min_open) bad.push_back(p.range.min);
    if (std::isfinite(p.range.max)) bad.push_back(p.range.max + 1);
    for (const double value : bad) {
      try {
        law.set(p.name, value);
        ADD_FAILURE() << law.name() << "." << p.name << " accepted " << value;
      } catch (const InputError& error) {
        EXPECT_EQ(error.fault().key, p.name);
        EXPECT_EQ(error.fault().expected, expectation(p));
      }
    }
    EXPECT_NO_THROW(law.set(p.name, p.default_value)) << p.name;
  }
}

}  // namespace bristle::testing

#define BRISTLE_TEST_NORMAL_LAW(Law)                                                    \
  static_assert(bristle::normal::NormalLaw<bristle::normal::Law<double>>);              \
  TEST(Normal##Law, NeverPulls) {                                                       \
    using namespace bristle::testing;                                                   \
    for_random("never pulls", check_never_pulls<bristle::normal::Law<double>>);         \
  }                                                                                     \
  TEST(Normal##Law, TouchesDownSoftlyOrSaysSo) {                                        \
    using namespace bristle::testing;                                                   \
    for_random("touch-down", check_touch_down<bristle::normal::Law<double>>);           \
  }                                                                                     \
  TEST(Normal##Law, Dissipates) {                                                       \
    using namespace bristle::testing;                                                   \
    for_random("dissipates", check_dissipates<bristle::normal::Law<double>>);           \
  }                                                                                     \
  TEST(Normal##Law, HasTheRightStaticLimit) {                                           \
    using namespace bristle::testing;                                                   \
    for_random("static limit", check_static_limit<bristle::normal::Law<double>>);       \
  }                                                                                     \
  TEST(Normal##Law, ReboundsAsTheClosedFormSays) {                                      \
    using namespace bristle::testing;                                                   \
    for_random("free impact", check_free_impact<bristle::normal::Law<double>>);         \
  }                                                                                     \
  TEST(Normal##Law, HasExactDerivatives) {                                              \
    using namespace bristle::testing;                                                   \
    int smooth = 0, kinks = 0;                                                          \
    for_random("derivatives",                                                           \
               [&] { check_normal_derivatives<bristle::normal::Law>(smooth, kinks); }); \
    const int all = smooth + kinks;                                                     \
    const double chance = all < 1000 ? 3 * std::sqrt(0.2 * 0.8 * all) : 0;              \
    EXPECT_LE(kinks, all / 5 + chance);                                                 \
  }                                                                                     \
  TEST(Normal##Law, IsTheSameByName) {                                                  \
    using namespace bristle::testing;                                                   \
    for_random("by name", check_by_name<bristle::normal::Law<double>>);                 \
    check_normal_ranges<bristle::normal::Law<double>>();                                \
  }
