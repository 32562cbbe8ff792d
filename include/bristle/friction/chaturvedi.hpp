#pragma once

/// Chaturvedi, Sandu, Mukherjee: Wang–Rui with its constants from load and coefficients.
///
///   F = μ_s f_n sin(C atan(B v + 2 (B v − atan B v)))
///   B = min(100, 50 exp(0.2 (μ_s − μ_k) f_n)) s/m,   C = 2 − (2/π) asin(μ_k/μ_s)
///
/// Limits: peak μ_s f_n, F → μ_k f_n. The exponent of B is dimensional (f_n in newton).

#include "bristle/friction/wang_rui.hpp"

namespace bristle {

template <class P = double>
struct Chaturvedi : VelocityLaw<Chaturvedi<P>> {
  P mu_s = P(0.25), mu_k = P(0.2);

  static constexpr auto describe() {
    return description(
        Page{
            .name = "chaturvedi",
            .title = "Chaturvedi–Sandu–Mukherjee",
            .source = "Chaturvedi, Sandu, Mukherjee (3), (4)",
            .formula =
                R"(F = \mu_s f_n \sin\left(C \arctan\left(Bv + 2(Bv - \arctan Bv)\right)\right),\quad B = \min\left(100,\ 50\,e^{0.2(\mu_s-\mu_k)f_n}\right),\quad C = 2 - \tfrac{2}{\pi}\arcsin\tfrac{\mu_k}{\mu_s})",
            .use = "A smooth curve with a static peak when nothing is known of the transition "
                   "speed: it follows from the load and the two coefficients.",
            .limits =
                "Creeps. The peak lies where 3x − 2 atan x = tan(π/2C), x = B v: at 0.025 m/s with "
                "the defaults, faster as μ_k → μ_s; nothing below that speed sticks. The exponent "
                "of B needs f_n in newton.",
            .printed = "the algorithm for C is a figure missing from the source; C is its fixed "
                       "point sin(Cπ/2) = μ_k/μ_s on the falling branch. 'B = 100 corresponds to "
                       "v_t = 0.015' holds only for μ_k/μ_s near 0.88",
            .advance = "no memory"},
        fields(field(&Chaturvedi::mu_s, "mu_s", "μ_s", "1", above(0), usual(0.05, 1),
                     "static coefficient: the peak"),
               field(&Chaturvedi::mu_k, "mu_k", "μ_k", "1", at_least(0), usual(0.05, 1),
                     "kinetic coefficient: the level at high speed")
                   .also("mu_d")),
        orders(Order{"mu_s", "mu_k"}));
  }

  P shape_factor() const noexcept {
    using std::asin;
    return P(2) - P(2 / std::numbers::pi) * asin(mu_k / mu_s);
  }
  template <class T>
  T stiffness_factor(const T& fn) const noexcept {
    using std::exp;
    return smaller<T>(T(100), T(50) * exp(T(0.2) * (mu_s - mu_k) * fn));
  }

  template <class T, int D>
  Tangent<T, D> steady(const Tangent<T, D>& v, const T& fn) const noexcept {
    if (!loaded(fn)) return zero<T, D>();
    const T B = stiffness_factor(fn);
    const T C(shape_factor());
    return radial<T, D>(
        v, [&](const T& speed) -> T { return mu_s * fn * magic_formula<T>(B, C, T(-2), speed); });
  }
  template <class T, int D>
  T bound(const Tangent<T, D>&, const T& fn) const noexcept {
    return mu_s * fn;
  }
};

}  // namespace bristle
