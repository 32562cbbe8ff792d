#pragma once

/// Wang and Rui 2000: the magic formula of tyres as a friction curve.
///
///   F = μ_s f_n sin(C atan(B v − E (B v − atan B v)))
///
/// Limits: peak μ_s f_n where the argument of sin is π/2 (only if C > 1); F → μ_s f_n sin(C π/2).

#include "bristle/friction/law.hpp"

namespace bristle {

/// sin(C atan(Bv − E(Bv − atan Bv))) for v ≥ 0.
template <class T>
T magic_formula(const T& B, const T& C, const T& E, const T& speed) noexcept {
  using std::atan;
  using std::sin;
  const T x = B * speed;
  return sin(C * atan(x - E * (x - atan(x))));
}

template <class P = double>
struct WangRui : VelocityLaw<WangRui<P>> {
  P mu_s = P(0.25), B = P(12880), C = P(1.409665529398267), E = P(-2);

  static constexpr auto describe() {
    return description(
        Page{.name = "wang-rui",
             .title = "Wang–Rui",
             .source = "Wang and Rui 2000; Chaturvedi et al. (2)",
             .formula =
                 R"(F = \mu_s f_n \sin\left(C \arctan\left(Bv - E(Bv - \arctan Bv)\right)\right))",
             .use = "A smooth curve whose shape is tuned by hand: B sets the slope, C the level at "
                    "high speed, E the sharpness of the peak.",
             .limits = "Creeps. The kinetic level is not a parameter: it is μ_s sin(C π/2). For "
                       "C ≤ 1 there is no peak.",
             .printed = "",
             .advance = "no memory"},
        fields(field(&WangRui::mu_s, "mu_s", "μ_s", "1", at_least(0), usual(0.05, 1),
                     "static coefficient: the peak"),
               field(&WangRui::B, "B", "B", "s/m", above(0), usual(10, 1e5), "stiffness factor"),
               field(&WangRui::C, "C", "C", "1", above_to(0, 2), usual(0.5, 2), "shape factor"),
               field(&WangRui::E, "E", "E", "1", at_most(1), usual(-5, 1), "curvature factor")),
        orders());
  }

  template <class T, int D>
  Tangent<T, D> steady(const Tangent<T, D>& v, const T& fn) const noexcept {
    if (!loaded(fn)) return zero<T, D>();
    return radial<T, D>(v, [&](const T& speed) -> T {
      return mu_s * fn * magic_formula<T>(T(B), T(C), T(E), speed);
    });
  }
  template <class T, int D>
  T bound(const Tangent<T, D>&, const T& fn) const noexcept {
    return mu_s * fn;
  }
};

}  // namespace bristle
