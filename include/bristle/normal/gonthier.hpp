#pragma once

/// Gonthier, McPhee, Lange, Piedbœuf 2004: the damping whose free impact has restitution e.
///
///   f = k δ^p (1 + (d/e) δ̇/v_i),   (1 + d/e)/(1 − d) = exp(d (1 + 1/e)),   d ≠ 0 unless e = 1
///
/// Limits: the rebound is e v_i whatever mass, k and p are; other forces during the contact, or
/// other contacts of the same body, change it. e = 0 is a limit (law.hpp). The paper's 1 − e² in
/// place of d is `gonthier-approximate`.

#include "bristle/normal/law.hpp"

namespace bristle::normal {

template <class P = double>
struct Gonthier : RestitutionLaw<Gonthier<P>> {
  P k = P(1e6), p = P(1.5), e = P(0.5), alpha = P(0), v_floor = P(1e-3);
  static constexpr bool exact_restitution = true;

  static constexpr auto describe() {
    return description(
        Page{
            .name = "gonthier",
            .title = "Gonthier (exact restitution)",
            .source = "Gonthier, McPhee, Lange, Piedbœuf 2004 (5), (9)–(11)",
            .formula =
                R"(f = k\,\delta^p\left(1 + \frac{d}{e}\frac{\dot\delta}{v_i}\right),\quad \frac{1+d/e}{1-d} = \exp\left(d\,(1+1/e)\right),\ d \in (0, 1])",
            .use = "The default. Whenever a restitution is given: a free impact returns exactly e "
                   "v_i, from nearly plastic to elastic, for any mass, stiffness and exponent.",
            .limits = "The restitution is that of an impact without other forces: gravity during a "
                      "soft contact, or a second contact of the same body, lower or change it. For "
                      "e < 0.1 the damping a v_i > 10 makes the first touch abrupt.",
            .printed = "the paper counts penetration negative in (4) and (28), which leaves x^1.5 "
                       "undefined; e stands for both the restitution and the base of the "
                       "exponential in (10)",
            .advance = ""},
        restitution_fields<Gonthier>(), orders());
  }

  /// a v_i.
  template <class T>
  static T damping(const T& e) noexcept {
    return restitution_damping(e);
  }

  bool operator==(const Gonthier&) const = default;
};

}  // namespace bristle::normal
