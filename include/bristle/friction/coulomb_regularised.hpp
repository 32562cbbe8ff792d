#pragma once

/// Coulomb, regularised: the jump at v = 0 replaced by a steep smooth function.
///
///   F = μ_k f_n tanh(v/ε),  or (2/π) atan(v/ε),  or v/√(v² + ε²)   times μ_k f_n
///
/// Limits: under any load it creeps, at ε atanh(F/μ_k f_n) for the first shape. ε → 0 is `coulomb`.

#include "bristle/friction/law.hpp"

namespace bristle {

template <class P = double>
struct CoulombRegularised : VelocityLaw<CoulombRegularised<P>> {
  enum class Shape : std::uint8_t { tanh, atan, sqrt };

  P mu_k = P(0.2), eps = P(1e-4);
  Shape shape = Shape::tanh;

  static constexpr auto describe() {
    return description(
        Page{
            .name = "coulomb-regularised",
            .title = "Coulomb, regularised",
            .source = "Kudra and Awrejcewicz 2012 (4.1) for the root; tanh and atan are common use",
            .formula =
                R"(F = \mu_k f_n \cdot \left\{\tanh\frac{v}{\varepsilon},\ \frac{2}{\pi}\arctan\frac{v}{\varepsilon},\ \frac{v}{\sqrt{v^2+\varepsilon^2}}\right\})",
            .use = "Quick estimates with any integrator where a slow creep at rest does no harm.",
            .limits = "Viscous below ε: never sticks. No static peak. Stiff for small ε.",
            .printed = "",
            .advance = "no memory"},
        fields(field(&CoulombRegularised::mu_k, "mu_k", "μ_k", "1", at_least(0), usual(0.05, 1),
                     "kinetic coefficient")
                   .also("mu_d", "mu"),
               field(&CoulombRegularised::eps, "eps", "ε", "m/s", above(0), usual(1e-5, 1e-1),
                     "speed over which the jump is spread")
                   .also("v_t"),
               choice(&CoulombRegularised::shape, "shape", {"tanh", "atan", "sqrt"},
                      "the smooth function; sqrt is Kudra's v/√(v²+ε²)")),
        orders());
  }

  template <class T, int D>
  Tangent<T, D> steady(const Tangent<T, D>& v, const T& fn) const noexcept {
    if (!loaded(fn)) return zero<T, D>();
    return radial<T, D>(v, [&](const T& speed) -> T { return mu_k * fn * step(T(speed / eps)); });
  }
  template <class T, int D>
  T bound(const Tangent<T, D>&, const T& fn) const noexcept {
    return mu_k * fn;
  }

 private:
  template <class T>
  T step(const T& x) const noexcept {
    using std::atan;
    using std::sqrt;
    using std::tanh;
    switch (shape) {
      case Shape::tanh:
        return tanh(x);
      case Shape::atan:
        return T(2 / std::numbers::pi) * atan(x);
      // Above 1e100 the square could overflow; the value is 1 long before.
      case Shape::sqrt:
        return value_of(x) > 1e100 ? T(1) : T(x / sqrt(x * x + T(1)));
    }
    return T(0);
  }
};

}  // namespace bristle
