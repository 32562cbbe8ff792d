#pragma once

/// Gonthier's law with d ≈ 1 − e² in place of the root.
///
///   f = k δ^p (1 + (1 − e²)/e · δ̇/v_i)
///
/// Limits: exact at e → 0 and e = 1; 0.032 too little restitution at e ≈ 0.77. Near e = 1 the slope
/// of d is 2 instead of 3/2: a third too much damping.

#include "bristle/normal/law.hpp"

namespace bristle::normal {

template <class P = double>
struct GonthierApproximate : RestitutionLaw<GonthierApproximate<P>> {
  P k = P(1e6), p = P(1.5), e = P(0.5), alpha = P(0), v_floor = P(1e-3);
  static constexpr bool exact_restitution = false;

  static constexpr auto describe() {
    return description(
        Page{
            .name = "gonthier-approximate",
            .title = "Gonthier, approximate",
            .source = "Gonthier, McPhee, Lange, Piedbœuf 2004, after (11)",
            .formula = R"(f = k\,\delta^p\left(1 + \frac{1-e^2}{e}\,\frac{\dot\delta}{v_i}\right))",
            .use =
                "To compare with results that used the closed form. The exact law costs no more.",
            .limits = "Restitution up to 0.032 too low, near e = 0.77.",
            .printed = "",
            .advance = ""},
        restitution_fields<GonthierApproximate>(), orders());
  }

  /// a v_i.
  template <class T>
  static T damping(const T& e) noexcept {
    return (T(1) - e * e) / e;
  }

  bool operator==(const GonthierApproximate&) const = default;
};

}  // namespace bristle::normal
