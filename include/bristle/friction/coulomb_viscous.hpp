#pragma once

/// Coulomb with viscous friction.
///
///   F = (μ_k f_n + β |v|^δ) sgn v,   any |F| ≤ μ_k f_n at v = 0,   0 < δ ≤ 1
///
/// Limits: δ < 1 has an infinite slope at v = 0; β = 0 is `coulomb`.

#include "bristle/friction/law.hpp"

namespace bristle {

/// β |v|^δ, finite derivative wherever v ≠ 0.
template <class T, class P>
T power_viscous(const P& beta, const P& delta, const T& speed) noexcept {
  using std::pow;
  if (value_of(speed) == 0.0) return T(0);
  return beta * pow(speed, T(delta));
}

template <class P = double>
struct CoulombViscous : SetValuedLaw<CoulombViscous<P>> {
  P mu_k = P(0.2), beta = P(0.4), delta = P(1);

  static constexpr auto describe() {
    return description(
        Page{
            .name = "coulomb-viscous",
            .title = "Coulomb with viscous friction",
            .source = "Lin 2001 (1.5), Fig. 2.1b",
            .formula =
                R"(F = \left(\mu_k f_n + \beta |v|^{\delta}\right)\operatorname{sgn} v,\qquad |F| \le \mu_k f_n \text{ at } v = 0)",
            .use = "Lubricated sliding in one direction at moderate speed; drives whose friction "
                   "grows with speed.",
            .limits = "Set-valued at rest. For δ < 1 the slope at v = 0 is infinite. β is not "
                      "scaled by the load.",
            .printed = "",
            .advance = "no memory"},
        fields(field(&CoulombViscous::mu_k, "mu_k", "μ_k", "1", at_least(0), usual(0.05, 1),
                     "kinetic coefficient")
                   .also("mu_d", "mu"),
               field(&CoulombViscous::beta, "beta", "β", "N (s/m)^δ", at_least(0), usual(0.01, 10),
                     "viscous coefficient of |v|^δ"),
               field(&CoulombViscous::delta, "delta", "δ", "1", above_to(0, 1), usual(0.3, 1),
                     "power of the speed: 1/3, 2/3 or 1 in the literature")
                   .from("Lin 2001 (1.5)")),
        orders());
  }

  template <class T>
  T slip_level(const T& speed, const T& fn) const noexcept {
    return mu_k * fn + power_viscous(beta, delta, speed);
  }
  template <class T>
  T stick_limit(const T& fn) const noexcept {
    return mu_k * fn;
  }
  P stick_band() const noexcept { return P(0); }
};

}  // namespace bristle
