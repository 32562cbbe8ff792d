#pragma once

/// Stiction: a static level above the kinetic one.
///
///   F = (μ_k f_n + β |v|^δ) sgn v for v ≠ 0,   any |F| ≤ μ_s f_n at v = 0
///
/// Limits: the force drops from μ_s f_n to μ_k f_n the moment slip begins. μ_s = μ_k is
/// `coulomb-viscous`.

#include "bristle/friction/coulomb_viscous.hpp"

namespace bristle {

template <class P = double>
struct Stiction : SetValuedLaw<Stiction<P>> {
  P mu_s = P(0.25), mu_k = P(0.2), beta = P(0), delta = P(1);

  static constexpr auto describe() {
    return description(
        Page{
            .name = "stiction",
            .title = "Stiction",
            .source = "Lin 2001 Fig. 2.1c",
            .formula =
                R"(F = \left(\mu_k f_n + \beta |v|^{\delta}\right)\operatorname{sgn} v \;(v \ne 0),\qquad |F| \le \mu_s f_n \text{ at } v = 0)",
            .use = "Exact stick–slip of rigid contacts with a break-away level: the ideal against "
                   "which regularised laws are judged.",
            .limits = "Set-valued at rest; the force is discontinuous at break-away.",
            .printed = "",
            .advance = "no memory"},
        fields(field(&Stiction::mu_s, "mu_s", "μ_s", "1", at_least(0), usual(0.05, 1),
                     "static coefficient: break-away level"),
               field(&Stiction::mu_k, "mu_k", "μ_k", "1", at_least(0), usual(0.05, 1),
                     "kinetic coefficient")
                   .also("mu_d"),
               field(&Stiction::beta, "beta", "β", "N (s/m)^δ", at_least(0), usual(0.01, 10),
                     "viscous coefficient of |v|^δ"),
               field(&Stiction::delta, "delta", "δ", "1", above_to(0, 1), usual(0.3, 1),
                     "power of the speed")
                   .from("Lin 2001 (1.5)")),
        orders(Order{"mu_s", "mu_k"}));
  }

  template <class T>
  T slip_level(const T& speed, const T& fn) const noexcept {
    return mu_k * fn + power_viscous(beta, delta, speed);
  }
  template <class T>
  T stick_limit(const T& fn) const noexcept {
    return mu_s * fn;
  }
  P stick_band() const noexcept { return P(0); }
};

}  // namespace bristle
