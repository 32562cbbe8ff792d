#pragma once

/// Marhefka, Orin 1999: Hunt–Crossley damping set from e at each impact.
///
///   f = k δ^p (1 + 1.5 (1 − e) δ̇/v_i)
///
/// Limits: the first term of the exact relation in 1 − e. Good above e ≈ 0.95; at e = 0 it still
/// returns 0.48.

#include "bristle/normal/law.hpp"

namespace bristle::normal {

template <class P = double>
struct MarhefkaOrin : RestitutionLaw<MarhefkaOrin<P>> {
  P k = P(1e6), p = P(1.5), e = P(0.5), alpha = P(0), v_floor = P(1e-3);
  static constexpr bool exact_restitution = false;

  static constexpr auto describe() {
    return description(
        Page{.name = "marhefka-orin",
             .title = "Marhefka–Orin",
             .source = "Marhefka, Orin 1999; Hunt, Crossley 1975 with α = (1 − e)/v_i",
             .formula = R"(f = k\,\delta^p\left(1 + \tfrac32(1-e)\,\frac{\dot\delta}{v_i}\right))",
             .use = "Nearly elastic impacts, e > 0.95; comparison with simulators that have it.",
             .limits = "Too elastic: e = 0.5 gives 0.66, and no e gives less than 0.48.",
             .printed = "",
             .advance = ""},
        restitution_fields<MarhefkaOrin>(), orders());
  }

  /// a v_i.
  template <class T>
  static T damping(const T& e) noexcept {
    return T(1.5) * (T(1) - e);
  }

  bool operator==(const MarhefkaOrin&) const = default;
};

}  // namespace bristle::normal
