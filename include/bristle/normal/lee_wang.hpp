#pragma once

/// Lee, Wang 1983.
///
///   f = k δ^p (1 + 3/4 (1 − e) δ̇/v_i)
///
/// Limits: half the damping of the exact law near e = 1; never below 0.66.

#include "bristle/normal/law.hpp"

namespace bristle::normal {

template <class P = double>
struct LeeWang : RestitutionLaw<LeeWang<P>> {
  P k = P(1e6), p = P(1.5), e = P(0.5), alpha = P(0), v_floor = P(1e-3);
  static constexpr bool exact_restitution = false;

  static constexpr auto describe() {
    return description(
        Page{.name = "lee-wang",
             .title = "Lee–Wang",
             .source = "Lee, Wang 1983",
             .formula = R"(f = k\,\delta^p\left(1 + \tfrac34(1-e)\,\frac{\dot\delta}{v_i}\right))",
             .use = "Comparison with mechanisms with clearance that have it.",
             .limits = "Too elastic everywhere: e = 0.9 gives 0.95, e = 0.5 gives 0.80, and no e "
                       "gives less than 0.66.",
             .printed = "",
             .advance = ""},
        restitution_fields<LeeWang>(), orders());
  }

  /// a v_i.
  template <class T>
  static T damping(const T& e) noexcept {
    return T(0.75) * (T(1) - e);
  }

  bool operator==(const LeeWang&) const = default;
};

}  // namespace bristle::normal
