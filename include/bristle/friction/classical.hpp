#pragma once

/// Lin's classical model: two straight lines and a level.
///
///   F = (F1/v1) v                                for |v| < v1
///     = [F2 + (F1−F2)/(v1−v2) (|v|−v2)] sgn v    for v1 ≤ |v| < v2
///     = F2 sgn v                                 beyond,          F1 = μ_1 f_n, F2 = μ_2 f_n
///
/// Three parametrisations: `levels` (v1, v2, μ_1, μ_2); `ratio` (v1, μ_1 with v2 = 2 v1 and
/// μ_2 = 0.8 μ_1); `slopes` (s1, s2, v1, v2 with μ_1 = s1 v1 and μ_2 = μ_1 + s2 (v2 − v1)).
/// Limits: viscous below v1, so it creeps under any load.

#include "bristle/friction/law.hpp"

namespace bristle {

template <class P = double>
struct Classical : VelocityLaw<Classical<P>> {
  enum class Form : std::uint8_t { levels, ratio, slopes };

  P v1 = P(1e-4), v2 = P(2e-4), mu_1 = P(0.25), mu_2 = P(0.2), s1 = P(2500), s2 = P(-500);
  Form form = Form::levels;

  static constexpr auto describe() {
    return description(
        Page{
            .name = "classical",
            .title = "Classical (piecewise linear)",
            .source = "Lin 2001 (2.1)",
            .formula =
                R"(F = \begin{cases} \dfrac{F_1}{v_1}\,v & |v| < v_1\\ \left[F_2 + \dfrac{F_1-F_2}{v_1-v_2}(|v|-v_2)\right]\operatorname{sgn} v & v_1 \le |v| < v_2\\ F_2 \operatorname{sgn} v & |v| \ge v_2\end{cases}\qquad F_i = \mu_i f_n)",
            .use = "The simplest curve with a static peak; closed-form solutions between its "
                   "corners make it a good test of solvers.",
            .limits = "Viscous below v1: creeps under any load. The motion hardly depends on v2, "
                      "which therefore cannot be identified from it.",
            .printed = "printed without '−v2' in the middle branch and without the sign for v < 0; "
                       "3.1.2 swaps F1 and F2",
            .advance = "no memory"},
        fields(
            field(&Classical::v1, "v1", "v_1", "m/s", above(0), usual(1e-5, 1e-3),
                  "speed of the static peak"),
            field(&Classical::v2, "v2", "v_2", "m/s", above(0), usual(2e-5, 1e-2),
                  "speed at which the kinetic level is reached (levels, slopes)"),
            field(&Classical::mu_1, "mu_1", "μ_1", "1", at_least(0), usual(0.05, 1),
                  "static peak, F1/f_n (levels, ratio)")
                .also("mu_s"),
            field(&Classical::mu_2, "mu_2", "μ_2", "1", at_least(0), usual(0.05, 1),
                  "kinetic level, F2/f_n (levels)")
                .also("mu_k", "mu_d"),
            field(&Classical::s1, "s1", "s_1", "s/m", above(0), usual(100, 1e4),
                  "slope up to v1 per newton of load (slopes)")
                .from("Lin 2001 3.1.2"),
            field(&Classical::s2, "s2", "s_2", "s/m", {}, usual(-1000, 10),
                  "slope between v1 and v2 per newton of load, negative for a falling branch "
                  "(slopes)")
                .from("Lin 2001 3.1.2"),
            choice(&Classical::form, "form", {"levels", "ratio", "slopes"},
                   "which parameters count: levels (v1, v2, mu_1, mu_2), ratio (v1, mu_1), slopes "
                   "(s1, s2, v1, v2)")),
        orders());
  }

  /// What a set of parameters in range can still get wrong; empty if nothing.
  const char* inconsistency() const noexcept {
    if (form != Form::ratio && !(v1 < v2)) return "v1 must be below v2";
    if (corners().mu_2 < P(0)) return "the slopes give a negative kinetic level at v2";
    return "";
  }

  struct Corners {
    P v1, v2, mu_1, mu_2;
  };
  Corners corners() const noexcept {
    switch (form) {
      case Form::ratio:
        return {v1, P(2) * v1, mu_1, P(0.8) * mu_1};
      case Form::slopes:
        return {v1, v2, s1 * v1, s1 * v1 + s2 * (v2 - v1)};
      case Form::levels:
        break;
    }
    return {v1, v2, mu_1, mu_2};
  }

  template <class T, int D>
  Tangent<T, D> steady(const Tangent<T, D>& v, const T& fn) const noexcept {
    if (!loaded(fn)) return zero<T, D>();
    const Corners c = corners();
    return radial<T, D>(v, [&](const T& speed) -> T {
      if (speed < T(c.v1)) return fn * (c.mu_1 / c.v1) * speed;
      if (speed < T(c.v2)) {
        return fn * (c.mu_2 + (c.mu_1 - c.mu_2) / (c.v1 - c.v2) * (speed - c.v2));
      }
      return fn * c.mu_2;
    });
  }
  template <class T, int D>
  T bound(const Tangent<T, D>&, const T& fn) const noexcept {
    const Corners c = corners();
    return fn * larger<T>(T(c.mu_1), T(c.mu_2));
  }
};

}  // namespace bristle
