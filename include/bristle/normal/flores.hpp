#pragma once

/// Flores, Machado, Silva, Martins 2011.
///
///   f = k δ^p (1 + 8 (1 − e)/(5 e) · δ̇/v_i)
///
/// Limits: reaches plastic impacts; restitution low by up to 0.046, and its slope at e = 1 is 8/5
/// in place of 3/2.

#include "bristle/normal/law.hpp"

namespace bristle::normal {

template <class P = double>
struct Flores : RestitutionLaw<Flores<P>> {
  P k = P(1e6), p = P(1.5), e = P(0.5), alpha = P(0), v_floor = P(1e-3);
  static constexpr bool exact_restitution = false;

  static constexpr auto describe() {
    return description(
        Page{.name = "flores",
             .title = "Flores et al.",
             .source = "Flores, Machado, Silva, Martins 2011",
             .formula =
                 R"(f = k\,\delta^p\left(1 + \frac{8(1-e)}{5e}\,\frac{\dot\delta}{v_i}\right))",
             .use = "Soft materials over the whole range of e; comparison.",
             .limits = "Restitution up to 0.046 too low, near e = 0.24.",
             .printed = "",
             .advance = ""},
        restitution_fields<Flores>(), orders());
  }

  /// a v_i.
  template <class T>
  static T damping(const T& e) noexcept {
    return T(1.6) * (T(1) - e) / e;
  }

  bool operator==(const Flores&) const = default;
};

}  // namespace bristle::normal
