#pragma once

/// Herbert, McWhannell 1977.
///
///   f = k δ^p (1 + 6 (1 − e)/((2 e − 1)² + 3) · δ̇/v_i)
///
/// Limits: good above e ≈ 0.8; never below 0.48.

#include "bristle/normal/law.hpp"

namespace bristle::normal {

template <class P = double>
struct HerbertMcWhannell : RestitutionLaw<HerbertMcWhannell<P>> {
  P k = P(1e6), p = P(1.5), e = P(0.5), alpha = P(0), v_floor = P(1e-3);
  static constexpr bool exact_restitution = false;

  static constexpr auto describe() {
    return description(
        Page{
            .name = "herbert-mcwhannell",
            .title = "Herbert–McWhannell",
            .source = "Herbert, McWhannell 1977",
            .formula =
                R"(f = k\,\delta^p\left(1 + \frac{6(1-e)}{(2e-1)^2+3}\,\frac{\dot\delta}{v_i}\right))",
            .use = "Comparison with gear models that have it.",
            .limits = "Too elastic: e = 0.5 gives 0.59, and no e gives less than 0.48.",
            .printed = "",
            .advance = ""},
        restitution_fields<HerbertMcWhannell>(), orders());
  }

  /// a v_i.
  template <class T>
  static T damping(const T& e) noexcept {
    const T w = T(2) * e - T(1);
    return T(6) * (T(1) - e) / (w * w + T(3));
  }

  bool operator==(const HerbertMcWhannell&) const = default;
};

}  // namespace bristle::normal
