#pragma once

/// Reset integrator, Haessig and Friedland 1991.  p: bristle deflection, p0 = μ_k f_n/k.
///
///   ṗ = 0 if (v > 0 and p ≥ p0) or (v < 0 and p ≤ −p0), else v
///   F = k p (1+a) + β ṗ while |p| < p0;   F = k p when saturated
///
/// Vector form: when |p| = p0 and p·v > 0 only the part of v along the circle remains
/// (reset_rule.hpp). Limits: a = β = 0 is `mdsf-bristle`. The static peak is (1+a) μ_k f_n.

#include "bristle/friction/reset_rule.hpp"

namespace bristle {

template <class P = double>
struct ResetIntegrator : ResetLaw<ResetIntegrator<P>> {
  P mu_k = P(0.2), k = P(2e4), a = P(0.25), beta = P(30);
  bool per_load = false;

  static constexpr auto describe() {
    return description(
        Page{
            .name = "reset-integrator",
            .title = "Reset integrator",
            .source = "Haessig and Friedland 1991; Lin 2001 (2.8)",
            .formula =
                R"(\dot p = \begin{cases}0 & (v>0,\ p\ge p_0)\ \text{or}\ (v<0,\ p\le -p_0)\\ v & \text{else}\end{cases},\qquad F = \begin{cases}(1+a)\,k p+\beta\dot p & |p|<p_0\\ k p & \text{saturated}\end{cases},\qquad p_0 = \frac{\mu_k f_n}{k})",
            .use =
                "Stick–slip of many contacts at low cost: one state, no exponential, true stick.",
            .limits =
                "The force jumps by a μ_k f_n at break-away, and again when slip reverses. No "
                "Stribeck effect. β hardly shows in the motion and cannot be identified from "
                "it.",
            .printed = "Lin's p0 is here μ_k f_n/k, so that the law works under a varying load; "
                       "Table 3.1 prints k = 1e-4 for 1e4 N/m",
            .advance = "exact for frozen slip and load, also in the plane"},
        fields(field(&ResetIntegrator::mu_k, "mu_k", "μ_k", "1", above(0), usual(0.05, 1),
                     "kinetic coefficient, k p0 = μ_k f_n")
                   .also("mu_d", "mu"),
               field(&ResetIntegrator::k, "k", "k", "N/m", above(0), usual(1e3, 1e7),
                     "bristle stiffness")
                   .also("k_r")
                   .per_load(),
               field(&ResetIntegrator::a, "a", "a", "1", at_least(0), usual(0.01, 1),
                     "stiction gain: the static peak is (1+a) μ_k f_n"),
               field(&ResetIntegrator::beta, "beta", "β", "N s/m", at_least(0), usual(0.1, 1e3),
                     "damping while sticking")
                   .per_load(),
               flag(&ResetIntegrator::per_load, "per_load", "k and beta are per newton of load")),
        orders());
  }

  auto coefficients() const noexcept {
    return typename ResetIntegrator::template Coefficients<P>{k, a, beta, mu_k, false};
  }
};

}  // namespace bristle
