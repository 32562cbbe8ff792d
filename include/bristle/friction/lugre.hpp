#pragma once

/// LuGre, Canudas de Wit, Olsson, Åström, Lischinsky 1995.  z: mean bristle deflection.
///
///   ż = v − σ0 |v| z/g(v),   g = f_n [μ_k + (μ_s − μ_k) exp(−(v/v_s)²)],   F = σ0 z + σ1 ż + σ2 v
///
/// Limits: σ1 = σ2 = 0, μ_s = μ_k is `dahl` with n = 1; drifts under a varying load below
/// break-away (see `elasto-plastic`); passive if and only if σ2 ≥ σ1 (μ_s − μ_k)/μ_k.

#include "bristle/friction/bristle_dynamics.hpp"

namespace bristle {

template <class P = double>
struct LuGre : BristleLaw<LuGre<P>> {
  P mu_s = P(0.25), mu_k = P(0.2), sigma0 = P(1e5), sigma1 = P(316.22776601683796), sigma2 = P(0.4),
    v_s = P(1e-3);
  bool per_load = false;

  static constexpr auto describe() {
    return description(
        Page{
            .name = "lugre",
            .title = "LuGre",
            .source = "Canudas de Wit, Olsson, Åström, Lischinsky 1995 (1)–(3); Lin 2001 2.3.4",
            .formula =
                R"(\dot z = v - \frac{\sigma_0 |v|}{g(v)}\,z,\qquad g(v) = f_n\left[\mu_k + (\mu_s-\mu_k)e^{-(v/v_s)^2}\right],\qquad F = \sigma_0 z + \sigma_1 \dot z + \sigma_2 v)",
            .use =
                "Control and simulation with pre-sliding, stick–slip, a rate-dependent break-away "
                "and frictional lag in one smooth law.",
            .limits = "Drifts under a load that varies below break-away. Its own rate grows with "
                      "|v|, so explicit integrators need ever smaller steps. The lag loop inverts "
                      "when σ1 is large (Lin's set: above 0.7 mm/s). Not passive if "
                      "σ2 < σ1 (μ_s − μ_k)/μ_k.",
            .printed = "Lin writes g for g/σ0",
            .advance = "exact for frozen slip and load"},
        fields(
            field(&LuGre::mu_s, "mu_s", "μ_s", "1", above(0), usual(0.05, 1), "static coefficient"),
            field(&LuGre::mu_k, "mu_k", "μ_k", "1", above(0), usual(0.05, 1), "kinetic coefficient")
                .also("mu_d"),
            field(&LuGre::sigma0, "sigma0", "σ_0", "N/m", above(0), usual(1e3, 1e7),
                  "bristle stiffness")
                .per_load(),
            field(&LuGre::sigma1, "sigma1", "σ_1", "N s/m", at_least(0), usual(1, 1e3),
                  "bristle damping")
                .per_load(),
            field(&LuGre::sigma2, "sigma2", "σ_2", "N s/m", at_least(0), usual(0.01, 10),
                  "viscous coefficient")
                .per_load(),
            field(&LuGre::v_s, "v_s", "v_s", "m/s", above(0), usual(1e-4, 1e-1), "Stribeck speed"),
            flag(&LuGre::per_load, "per_load",
                 "sigma0, sigma1, sigma2 are per newton of load (Boos's form)")),
        orders(Order{"mu_s", "mu_k"}));
  }

  template <class T, int D>
  BristleTerms<T> terms(const Tangent<T, D>&, const T& speed, const T& fn,
                        const Tangent<T, D>&) const noexcept {
    const T k = this->scale(fn);
    return {sigma0 * k, sigma1 * k, sigma2 * k, this->level(speed, fn)};
  }
  template <class T, int D>
  Deflection<T, D> advance(const Slip<T, D>& slip, const Deflection<T, D>& state,
                           const T& dt) const noexcept {
    if (!loaded(slip.fn)) return {};
    const Polar<T, D> v = polar<T, D>(slip.v);
    return {approach<T, D>(this->relax(slip.fn, state).z, v,
                           this->steady_deflection(v.length, slip.fn), dt)};
  }
  /// At high speed with the bristle still at the static level, dissipation/|v|² tends to
  /// σ2 − σ1 (μ_s/μ_k − 1), so the condition is necessary; |σ0 z|/g ≤ μ_s/μ_k makes it sufficient.
  template <class T>
  bool passive(const T&) const noexcept {
    return sigma2 * mu_k >= sigma1 * (mu_s - mu_k);
  }
};

}  // namespace bristle
