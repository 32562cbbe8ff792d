#pragma once

/// Stribeck: the drop from the static to the kinetic level spread over a speed v_s.
///
///   F = [μ_k f_n + (μ_s − μ_k) f_n exp(−(|v|/v_s)^γ) + β |v|^δ] sgn v,   any |F| ≤ μ_s f_n at v =
///   0
///
/// Limits: v_s → 0 is `stiction`; v_s → ∞ is `coulomb-viscous` at the static level.

#include "bristle/friction/coulomb_viscous.hpp"

namespace bristle {

template <class P = double>
struct Stribeck : SetValuedLaw<Stribeck<P>> {
  P mu_s = P(0.25), mu_k = P(0.2), v_s = P(1e-3), gamma = P(2), beta = P(0), delta = P(1);

  static constexpr auto describe() {
    return description(
        Page{
            .name = "stribeck",
            .title = "Stribeck",
            .source = "Stribeck 1902; Lin 2001 Fig. 2.1d",
            .formula =
                R"(F = \left[\mu_k f_n + (\mu_s-\mu_k) f_n\, e^{-(|v|/v_s)^{\gamma}} + \beta |v|^{\delta}\right]\operatorname{sgn} v,\qquad |F| \le \mu_s f_n \text{ at } v = 0)",
            .use = "Lubricated contacts: break-away, a falling branch that drives stick–slip, then "
                   "viscous growth.",
            .limits = "Set-valued at rest. γ = 2 is the usual Gaussian, γ = 1 the exponential of "
                      "Modelica's library.",
            .printed = "",
            .advance = "no memory"},
        fields(field(&Stribeck::mu_s, "mu_s", "μ_s", "1", at_least(0), usual(0.05, 1),
                     "static coefficient: break-away level"),
               field(&Stribeck::mu_k, "mu_k", "μ_k", "1", at_least(0), usual(0.05, 1),
                     "kinetic coefficient")
                   .also("mu_d"),
               field(&Stribeck::v_s, "v_s", "v_s", "m/s", above(0), usual(1e-4, 1e-1),
                     "Stribeck speed: width of the falling branch"),
               field(&Stribeck::gamma, "gamma", "γ", "1", above(0), usual(0.5, 2),
                     "shape of the falling branch: 2 Gaussian, 1 exponential")
                   .from("Armstrong-Hélouvry, Dupont, Canudas de Wit 1994"),
               field(&Stribeck::beta, "beta", "β", "N (s/m)^δ", at_least(0), usual(0.01, 10),
                     "viscous coefficient of |v|^δ"),
               field(&Stribeck::delta, "delta", "δ", "1", above_to(0, 1), usual(0.3, 1),
                     "power of the speed")
                   .from("Lin 2001 (1.5)")),
        orders(Order{"mu_s", "mu_k"}));
  }

  template <class T>
  T slip_level(const T& speed, const T& fn) const noexcept {
    using std::exp;
    using std::pow;
    const T ratio = speed / v_s;
    const T power = value_of(ratio) > 0.0 ? T(pow(ratio, T(gamma))) : T(0);
    // Far out nothing is left of the fall, and its slopes would be 0 · ∞.
    const T fall = value_of(power) < 700.0 ? T(exp(-power)) : T(0);
    return fn * (mu_k + (mu_s - mu_k) * fall) + power_viscous(beta, delta, speed);
  }
  template <class T>
  T stick_limit(const T& fn) const noexcept {
    return mu_s * fn;
  }
  P stick_band() const noexcept { return P(0); }
};

}  // namespace bristle
