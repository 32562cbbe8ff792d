#pragma once

/// LuGre with damping that fades with speed, Olsson 1996.
///
///   as `lugre`, with σ1(v) = σ1 exp(−(v/v_d)²)
///
/// Limits: v_d → ∞ is `lugre`. Passive if σ1 v_d ≤ 4 √(2e) μ_k f_n or as LuGre.

#include "bristle/friction/bristle_dynamics.hpp"

namespace bristle {

template <class P = double>
struct LuGreDamped : BristleLaw<LuGreDamped<P>> {
  P mu_s = P(0.25), mu_k = P(0.2), sigma0 = P(1e5), sigma1 = P(316.22776601683796), sigma2 = P(0.4),
    v_s = P(1e-3), v_d = P(1e-3);
  bool per_load = false;

  static constexpr auto describe() {
    return description(
        Page{
            .name = "lugre-damped",
            .title = "LuGre with fading damping",
            .source = "Olsson 1996; Canudas de Wit et al. 1995, remark on σ1(v)",
            .formula =
                R"(\dot z = v - \frac{\sigma_0 |v|}{g(v)}\,z,\qquad F = \sigma_0 z + \sigma_1 e^{-(v/v_d)^2}\, \dot z + \sigma_2 v,\qquad g(v) = f_n\left[\mu_k + (\mu_s-\mu_k)e^{-(v/v_s)^2}\right])",
            .use = "LuGre with a well damped stick phase that keeps the frictional lag the right "
                   "way round and is passive at high speed.",
            .limits = "Drifts under a varying load below break-away, like LuGre. Passive if "
                      "σ1 v_d ≤ 4√(2e) μ_k f_n, or as LuGre. One more parameter "
                      "that motion data hardly determines.",
            .printed = "",
            .advance = "exact for frozen slip and load"},
        fields(field(&LuGreDamped::mu_s, "mu_s", "μ_s", "1", above(0), usual(0.05, 1),
                     "static coefficient"),
               field(&LuGreDamped::mu_k, "mu_k", "μ_k", "1", above(0), usual(0.05, 1),
                     "kinetic coefficient")
                   .also("mu_d"),
               field(&LuGreDamped::sigma0, "sigma0", "σ_0", "N/m", above(0), usual(1e3, 1e7),
                     "bristle stiffness")
                   .per_load(),
               field(&LuGreDamped::sigma1, "sigma1", "σ_1", "N s/m", at_least(0), usual(1, 1e3),
                     "bristle damping at rest")
                   .per_load(),
               field(&LuGreDamped::sigma2, "sigma2", "σ_2", "N s/m", at_least(0), usual(0.01, 10),
                     "viscous coefficient")
                   .per_load(),
               field(&LuGreDamped::v_s, "v_s", "v_s", "m/s", above(0), usual(1e-4, 1e-1),
                     "Stribeck speed"),
               field(&LuGreDamped::v_d, "v_d", "v_d", "m/s", above(0), usual(1e-4, 1e-1),
                     "speed at which the damping has faded")
                   .from("Olsson 1996"),
               flag(&LuGreDamped::per_load, "per_load",
                    "sigma0, sigma1, sigma2 are per newton of load (Boos's form)")),
        orders(Order{"mu_s", "mu_k"}));
  }

  template <class T, int D>
  BristleTerms<T> terms(const Tangent<T, D>&, const T& speed, const T& fn,
                        const Tangent<T, D>&) const noexcept {
    const T k = this->scale(fn);
    return {sigma0 * k, sigma1 * k * gauss<T>(speed / v_d), sigma2 * k, this->level(speed, fn)};
  }
  template <class T, int D>
  Deflection<T, D> advance(const Slip<T, D>& slip, const Deflection<T, D>& state,
                           const T& dt) const noexcept {
    if (!loaded(slip.fn)) return {};
    const Polar<T, D> v = polar<T, D>(slip.v);
    return {approach<T, D>(this->relax(slip.fn, state).z, v,
                           this->steady_deflection(v.length, slip.fn), dt)};
  }
  /// With y = σ0 z/g, dissipation/|v| ≥ g y² − σ1(v)|v| (y − 1). The speed that maximises σ1(v)|v|
  /// gives σ1 v_d/√(2e), and (y − 1)/y² ≤ 1/4: passive if σ1 v_d/√(2e) ≤ 4 μ_k f_n. Sufficient, as
  /// is LuGre's own condition.
  template <class T>
  bool passive(const T& fn) const noexcept {
    const T k = this->scale(fn);
    return sigma2 * mu_k >= sigma1 * (mu_s - mu_k) ||
           T(sigma1 * k * v_d) <= T(mu_k * fn * (4 * std::sqrt(2 * std::numbers::e)));
  }
};

}  // namespace bristle
