#pragma once

/// Zhiying, Qishao 2006: Lankarani–Nikravesh with a correction for plastic impacts.
///
///   f = k δ^p (1 + 3/4 (1 − e²) exp(2 (1 − e)) δ̇/v_i)
///
/// Limits: within 0.03 of the exact law above e ≈ 0.3; never below 0.17.

#include "bristle/normal/law.hpp"

namespace bristle::normal {

template <class P = double>
struct ZhiyingQishao : RestitutionLaw<ZhiyingQishao<P>> {
  P k = P(1e6), p = P(1.5), e = P(0.5), alpha = P(0), v_floor = P(1e-3);
  static constexpr bool exact_restitution = false;

  static constexpr auto describe() {
    return description(
        Page{
            .name = "zhiying-qishao",
            .title = "Zhiying–Qishao",
            .source = "Zhiying, Qishao 2006",
            .formula =
                R"(f = k\,\delta^p\left(1 + \tfrac34(1-e^2)\exp(2(1-e))\,\frac{\dot\delta}{v_i}\right))",
            .use = "Comparison; impacts with e above 0.4.",
            .limits =
                "Off by up to 0.03 above e = 0.3; too elastic below it: no e gives less than 0.17.",
            .printed = "",
            .advance = ""},
        restitution_fields<ZhiyingQishao>(), orders());
  }

  /// a v_i.
  template <class T>
  static T damping(const T& e) noexcept {
    using std::exp;
    return T(0.75) * (T(1) - e * e) * exp(T(2) * (T(1) - e));
  }

  bool operator==(const ZhiyingQishao&) const = default;
};

}  // namespace bristle::normal
