#pragma once

/// Kudra and Awrejcewicz, on a line: regularised Coulomb with a static peak.
///
///   F = μ_k f_n v [ 1/√(v²+ε²) + η' ε³/(v²+ε²)² ]
///
/// η is the static peak over the kinetic level. With S = sin a at the peak v = ε tan a, setting the
/// derivative to zero gives 3 S³ = η (4 S² − 1) and η' = 1/((4 S² − 1) √(1 − S²)): a cubic with one
/// root in (1/2, 0.768), solved here in closed form. Peaks exist for η' > 1.14992888 (η → 1⁺);
/// η = 1 means no peak, η' = 0.
/// Limits: creeps; ε → 0 is Coulomb with a static level η μ_k.

#include "bristle/friction/law.hpp"

namespace bristle {

/// η'(η) for η ≥ 1.
template <class T>
T kudra_peak_factor(const T& eta) noexcept {
  using std::acos;
  using std::cos;
  using std::sqrt;
  if (!(value_of(eta) > 1.0)) return T(0);
  const T angle = acos(T(1) - T(243.0 / 128) / (eta * eta));
  T s = T(4.0 / 9) * eta * (T(1) + T(2) * cos((angle - T(2 * std::numbers::pi)) / T(3)));
  // One Newton step removes what the cancellation in 1 + 2 cos costs for large η.
  s -= (T(3) * s * s * s - eta * (T(4) * s * s - T(1))) / (T(9) * s * s - T(8) * eta * s);
  return T(1) / ((T(4) * s * s - T(1)) * sqrt(T(1) - s * s));
}

template <class P = double>
struct Kudra : VelocityLaw<Kudra<P>> {
  P mu_k = P(0.2), eps = P(1e-4), eta = P(1.25);

  static constexpr auto describe() {
    return description(
        Page{
            .name = "kudra-1d",
            .title = "Kudra–Awrejcewicz on a line",
            .source = "Kudra and Awrejcewicz 2012 (4.3), reduced to one direction",
            .formula =
                R"(F = \mu_k f_n\, v\left[\frac{1}{\sqrt{v^2+\varepsilon^2}} + \frac{\eta'\varepsilon^3}{(v^2+\varepsilon^2)^2}\right],\qquad 3S^3 = \eta(4S^2-1),\quad \eta' = \frac{1}{(4S^2-1)\sqrt{1-S^2}})",
            .use = "The one-dimensional member of the planar family: a smooth law with a chosen "
                   "ratio of static to kinetic friction.",
            .limits = "Creeps; the error of the regularisation is of order ε^(2/3). A peak factor "
                      "between 0 and 1.1499 gives no peak and cannot be asked for.",
            .printed =
                "the source prints cubics for η'(η), good to 1e-3 in η inside [1, 2.7] only; "
                "here η' is solved exactly. η = 2.7 is printed with η' = 6.7627, right is "
                "6.7085",
            .advance = "no memory"},
        fields(field(&Kudra::mu_k, "mu_k", "μ_k", "1", at_least(0), usual(0.05, 1),
                     "kinetic coefficient")
                   .also("mu", "mu_d"),
               field(&Kudra::eps, "eps", "ε", "m/s", above(0), usual(1e-5, 1e-1),
                     "speed over which the jump is spread"),
               field(&Kudra::eta, "eta", "η", "1", between(1, 1000), usual(1.01, 5),
                     "static peak over kinetic level; 1: no peak")),
        orders());
  }

  template <class T, int D>
  Tangent<T, D> steady(const Tangent<T, D>& v, const T& fn) const noexcept {
    using std::sqrt;
    if (!loaded(fn)) return zero<T, D>();
    const T peak(kudra_peak_factor(eta));
    return radial<T, D>(v, [&](const T& speed) -> T {
      const T x = speed / eps;
      if (value_of(x) > 1e75) return mu_k * fn;  // the fourth power would overflow
      const T square = x * x + T(1);
      return mu_k * fn * x * (T(1) / sqrt(square) + peak / (square * square));
    });
  }
  template <class T, int D>
  T bound(const Tangent<T, D>&, const T& fn) const noexcept {
    return mu_k * fn * eta;
  }
};

}  // namespace bristle
