#pragma once

/// Hu, Guo 2015.
///
///   f = k δ^p (1 + 3 (1 − e)/(2 e) · δ̇/v_i)
///
/// Limits: right slope at e = 1 and reaches plastic impacts; low by up to 0.035 near e = 0.2.

#include "bristle/normal/law.hpp"

namespace bristle::normal {

template <class P = double>
struct HuGuo : RestitutionLaw<HuGuo<P>> {
  P k = P(1e6), p = P(1.5), e = P(0.5), alpha = P(0), v_floor = P(1e-3);
  static constexpr bool exact_restitution = false;

  static constexpr auto describe() {
    return description(
        Page{.name = "hu-guo",
             .title = "Hu–Guo",
             .source = "Hu, Guo 2015",
             .formula =
                 R"(f = k\,\delta^p\left(1 + \frac{3(1-e)}{2e}\,\frac{\dot\delta}{v_i}\right))",
             .use = "The best of the simplest closed forms: good above e = 0.5.",
             .limits = "Restitution up to 0.035 too low, near e = 0.2.",
             .printed = "",
             .advance = ""},
        restitution_fields<HuGuo>(), orders());
  }

  /// a v_i.
  template <class T>
  static T damping(const T& e) noexcept {
    return T(1.5) * (T(1) - e) / e;
  }

  bool operator==(const HuGuo&) const = default;
};

}  // namespace bristle::normal
