#pragma once

// Random laws, slips and states, and how often to draw them.
//
// The number of cases per property comes from the environment variable BRISTLE_TEST_CASES, the seed
// from BRISTLE_TEST_SEED.

#include <cmath>
#include <cstdint>
#include <sstream>
#include <string_view>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "bristle/friction/law.hpp"

namespace bristle::testing {

int random_cases();
/// The same for every run unless BRISTLE_TEST_SEED says otherwise: a number, or "random".
std::uint64_t random_seed();

/// Runs a RapidCheck property random_cases() times and reports to GoogleTest.
template <class F>
void for_random(const char* what, F&& property) {
  rc::detail::TestMetadata metadata;
  metadata.id = what;
  metadata.description = what;
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = random_cases();
  params.seed = random_seed();
  const rc::detail::TestResult result =
      rc::detail::checkTestable(std::forward<F>(property), metadata, params);
  if (result.template is<rc::detail::SuccessResult>()) return;
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  FAIL() << what << ": " << message.str();
}

inline double draw_share() { return *rc::gen::inRange(0, 1 << 30) / double(1 << 30); }
inline bool draw_bool() { return *rc::gen::inRange(0, 2) == 1; }
/// Between a and b, by ratio where both are positive.
inline double draw_between(double a, double b) {
  const double share = draw_share();
  return a > 0 && b > 0 ? a * std::pow(b / a, share) : a + (b - a) * share;
}

/// Parameters from the usual ranges, ordered as the law demands; consistent or not.
template <class L>
L draw_any_law(bool with_ends) {
  L law{};
  for_each_parameter(law, [&](const Traits& traits, auto& member) {
    double value = draw_between(traits.usual.min, traits.usual.max);
    if (traits.kind != Kind::real)
      value =
          std::floor(traits.usual.min + draw_share() * (traits.usual.max - traits.usual.min + 1));
    if (traits.kind != Kind::real) value = std::min(value, traits.usual.max);
    // Ends of the range are where formulas degenerate: visit them often.
    const bool to_end = with_ends && traits.kind == Kind::real && *rc::gen::inRange(0, 8) == 0;
    const bool low = std::isfinite(traits.range.min) && !traits.range.min_open;
    const bool high = std::isfinite(traits.range.max) && !traits.range.max_open;
    if (to_end && low) value = traits.range.min;
    if (to_end && high && (!low || draw_bool())) value = traits.range.max;
    assign_parameter(member, value);
  });
  for (const Order& order : L::describe().orders) {
    double greater = 0, smaller = 0;
    for_each_parameter(law, [&](const Traits& t, auto& m) {
      if (std::string_view(t.name) == order.greater) greater = parameter_value(m);
      if (std::string_view(t.name) == order.smaller) smaller = parameter_value(m);
    });
    if (with_ends ? greater >= smaller : greater > smaller) continue;
    if (greater == smaller && !with_ends) smaller *= 1.01;  // a tie is an end of the range too
    for_each_parameter(law, [&](const Traits& t, auto& m) {
      if (std::string_view(t.name) == order.greater) assign_parameter(m, smaller);
      if (std::string_view(t.name) == order.smaller) assign_parameter(m, greater);
    });
  }
  return law;
}

template <class L>
L draw_law(bool with_ends = true) {
  L law = draw_any_law<L>(with_ends);
  if constexpr (requires { law.inconsistency(); }) {
    for (int i = 0; i < 100 && *law.inconsistency() != '\0'; ++i) law = draw_any_law<L>(with_ends);
    RC_PRE(*law.inconsistency() == '\0');
  }
  return law;
}

template <int D>
Tangent<double, D> draw_vector(double least, double most) {
  Tangent<double, D> v;
  for (int i = 0; i < D; ++i) v[i] = 2 * draw_share() - 1;
  const double size = norm<double, D>(v);
  if (size == 0) v[0] = 1;
  return direction<double, D>(v) * draw_between(least, most);
}

template <int D>
Slip<double, D> draw_slip() {
  Slip<double, D> slip;
  slip.v = draw_vector<D>(1e-7, 1);
  slip.fn = draw_between(1e-3, 1e3);
  slip.f_e = draw_vector<D>(1e-6, 10) * slip.fn;
  slip.v_lag = draw_vector<D>(1e-7, 1);
  return slip;
}

/// A state that the law can really be in: reached by a few random steps.
template <int D, class L>
auto draw_state(const L& law, double fn) {
  auto state = law.template initial<double, D>(fn);
  const int steps = *rc::gen::inRange(0, 5);
  for (int i = 0; i < steps; ++i) {
    Slip<double, D> slip = draw_slip<D>();
    slip.fn = fn;
    const double path = draw_between(1e-9, 1e-3);
    state = advance_state(law, slip, state, path / norm<double, D>(slip.v));
  }
  return state;
}

}  // namespace bristle::testing
