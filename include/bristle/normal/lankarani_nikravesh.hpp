#pragma once

/// Lankarani, Nikravesh 1990: damping from the energy lost, taken as small.
///
///   f = k δ^p (1 + 3/4 (1 − e²) δ̇/v_i)
///
/// Limits: derived for e near 1. Good above e ≈ 0.95; never below 0.66.

#include "bristle/normal/law.hpp"

namespace bristle::normal {

template <class P = double>
struct LankaraniNikravesh : RestitutionLaw<LankaraniNikravesh<P>> {
  P k = P(1e6), p = P(1.5), e = P(0.5), alpha = P(0), v_floor = P(1e-3);
  static constexpr bool exact_restitution = false;

  static constexpr auto describe() {
    return description(
        Page{
            .name = "lankarani-nikravesh",
            .title = "Lankarani–Nikravesh",
            .source = "Lankarani, Nikravesh 1990",
            .formula = R"(f = k\,\delta^p\left(1 + \tfrac34(1-e^2)\,\frac{\dot\delta}{v_i}\right))",
            .use = "Nearly elastic impacts; comparison with the many multibody codes that have it.",
            .limits = "Too elastic: e = 0.5 gives 0.73, and no e gives less than 0.66.",
            .printed = "",
            .advance = ""},
        restitution_fields<LankaraniNikravesh>(), orders());
  }

  /// a v_i.
  template <class T>
  static T damping(const T& e) noexcept {
    return T(0.75) * (T(1) - e * e);
  }

  bool operator==(const LankaraniNikravesh&) const = default;
};

}  // namespace bristle::normal
