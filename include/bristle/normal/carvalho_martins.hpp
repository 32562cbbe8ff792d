#pragma once

/// Carvalho, Martins 2019: a rational fit to the exact relation.
///
///   f = k δ^p (1 + 3/2 (1 − e)(11 − e)/(1 + 9 e) · δ̇/v_i)
///
/// Limits: within 0.001 of the exact law above e = 0.4; 0.06 too elastic at e = 0.

#include "bristle/normal/law.hpp"

namespace bristle::normal {

template <class P = double>
struct CarvalhoMartins : RestitutionLaw<CarvalhoMartins<P>> {
  P k = P(1e6), p = P(1.5), e = P(0.5), alpha = P(0), v_floor = P(1e-3);
  static constexpr bool exact_restitution = false;

  static constexpr auto describe() {
    return description(
        Page{
            .name = "carvalho-martins",
            .title = "Carvalho–Martins",
            .source = "Carvalho, Martins 2019",
            .formula =
                R"(f = k\,\delta^p\left(1 + \tfrac32(1-e)\frac{11-e}{1+9e}\,\frac{\dot\delta}{v_i}\right))",
            .use = "The closest of the closed forms.",
            .limits = "Within 0.001 of the exact law above e = 0.4, within 0.03 above 0.1; e = 0 "
                      "gives 0.06.",
            .printed = "",
            .advance = ""},
        restitution_fields<CarvalhoMartins>(), orders());
  }

  /// a v_i.
  template <class T>
  static T damping(const T& e) noexcept {
    return T(1.5) * (T(1) - e) * (T(11) - e) / (T(1) + T(9) * e);
  }

  bool operator==(const CarvalhoMartins&) const = default;
};

}  // namespace bristle::normal
