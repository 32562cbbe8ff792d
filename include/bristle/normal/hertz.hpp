#pragma once

/// Hertz 1882: two smooth elastic bodies, no loss.
///
///   f = k δ^(3/2),   k = 4/3 E* √R,   1/E* = Σ (1 − ν²)/E,   1/R = Σ 1/R_i
///
/// k is given, or E* and R are (materials.hpp has the sums).
///
/// Limits: contact radius √(R δ) small against R; no friction, no adhesion, no plastic flow.
/// Elastic: e = 1.

#include "bristle/normal/law.hpp"
#include "bristle/normal/materials.hpp"

namespace bristle::normal {

template <class P = double>
struct Hertz {
  P k = P(1e6), E_star = P(0), R = P(0);
  static constexpr bool exact_restitution = true;

  static constexpr auto describe() {
    return description(
        Page{.name = "hertz",
             .title = "Hertz",
             .source = "Hertz 1882",
             .formula = R"(f = k\,\delta^{3/2},\quad k = \tfrac43 E^*\sqrt{R})",
             .use =
                 "Elastic bodies with curved surfaces when losses do not matter; the static limit "
                 "of the damped laws with p = 3/2.",
             .limits = "Elastic: a free impact returns v_i. Shallow contacts only, √(R δ) ≪ R.",
             .printed = "",
             .advance = ""},
        fields(field(&Hertz::k, "k", "k", "N/m^(3/2)", above(0), usual(1e4, 1e9),
                     "contact stiffness, unless E_star and R are given"),
               field(&Hertz::E_star, "E_star", "E^*", "Pa", at_least(0), usual(1e5, 1e11),
                     "effective modulus of the pair; 0: k is given"),
               field(&Hertz::R, "R", "R", "m", at_least(0), usual(1e-3, 1),
                     "effective radius of the pair; 0: k is given")),
        orders());
  }
  const char* inconsistency() const noexcept {
    const bool one = (value_of(E_star) > 0.0) != (value_of(R) > 0.0);
    return one ? "E_star and R go together: give both, or k alone" : "";
  }

  template <class T>
  T requested(const T&) const noexcept {
    return T(1);
  }
  template <class T>
  Press<T> latch(const T&) const noexcept {
    const bool of_bodies = value_of(E_star) > 0.0 && value_of(R) > 0.0;
    return {of_bodies ? T(hertz_stiffness(E_star, R)) : T(k), T(1.5), T(0), T(0)};
  }

  bool operator==(const Hertz&) const = default;
};

}  // namespace bristle::normal
