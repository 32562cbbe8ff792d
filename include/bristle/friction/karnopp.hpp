#pragma once

/// Karnopp 1985: stick inside a band of small velocity.
///
///   |v| ≤ D_v:  F = F_e while |F_e| ≤ μ_s f_n, else μ_s f_n sgn F_e   (v is set to 0 on entering)
///   |v| > D_v:  F = (μ_k f_n + σ2 |v|) sgn v
///
/// With v set to 0 in the band no work is done there: the law is passive as its solver applies it.
/// F_e is the force that would hold the contact still: the solver computes it for all contacts
/// together and books the kinetic energy that setting v to 0 removes.
/// Limits: D_v → 0 is `stiction`.

#include "bristle/friction/law.hpp"

namespace bristle {

template <class P = double>
struct Karnopp : SetValuedLaw<Karnopp<P>> {
  P mu_s = P(0.25), mu_k = P(0.2), dv = P(2e-4), sigma2 = P(0);

  static constexpr auto describe() {
    return description(
        Page{
            .name = "karnopp",
            .title = "Karnopp",
            .source = "Karnopp 1985; Lin 2001 (2.2)",
            .formula =
                R"(F = \begin{cases} F_e & |v| \le D_v,\ |F_e| \le \mu_s f_n\\ \mu_s f_n \operatorname{sgn} F_e & |v| \le D_v,\ |F_e| > \mu_s f_n\\ (\mu_k f_n + \sigma_2 |v|)\operatorname{sgn} v & |v| > D_v\end{cases})",
            .use = "True stick at a fixed step: the velocity band makes 'at rest' something a "
                   "numerical solution can reach.",
            .limits = "Needs the holding force F_e from the solver. Entering the band removes "
                      "kinetic energy (reset loss), and the break-away peak lasts until |v| leaves "
                      "the band. D_v → 0 is ideal stiction.",
            .printed = "printed without the sign of v, without the limit on F_e, and with three "
                       "values of D_v (2e-4, 2e-5, 1e-4 m/s)",
            .advance = "no memory"},
        fields(field(&Karnopp::mu_s, "mu_s", "μ_s", "1", at_least(0), usual(0.05, 1),
                     "static coefficient: largest holding force, F_H = μ_s f_n"),
               field(&Karnopp::mu_k, "mu_k", "μ_k", "1", at_least(0), usual(0.05, 1),
                     "kinetic coefficient, F_slip = μ_k f_n")
                   .also("mu_d"),
               field(&Karnopp::dv, "dv", "D_v", "m/s", at_least(0), usual(1e-6, 1e-2),
                     "half width of the band that counts as rest")
                   .from("Lin 2001 3.1.3"),
               field(&Karnopp::sigma2, "sigma2", "σ_2", "N s/m", at_least(0), usual(0.01, 10),
                     "viscous coefficient")),
        orders(Order{"mu_s", "mu_k"}));
  }

  template <class T>
  T slip_level(const T& speed, const T& fn) const noexcept {
    return mu_k * fn + sigma2 * speed;
  }
  template <class T>
  T stick_limit(const T& fn) const noexcept {
    return mu_s * fn;
  }
  P stick_band() const noexcept { return dv; }
};

}  // namespace bristle
