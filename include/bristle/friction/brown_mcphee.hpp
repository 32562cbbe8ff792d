#pragma once

/// Brown and McPhee 2016: a smooth curve with a static peak at v_t.
///
///   F = f_n [ μ_k tanh(4 v/v_t) + (μ_s−μ_k)(v/v_t) / ((v/(2 v_t))² + 3/4)² ]
///       + μ_v v tanh(4 f_n/f_nt)
///
/// Limits: F(v_t) = μ_s f_n to 7e-4 μ_k f_n; creeps below the peak.

#include "bristle/friction/law.hpp"

namespace bristle {

template <class P = double>
struct BrownMcPhee : VelocityLaw<BrownMcPhee<P>> {
  P mu_s = P(0.25), mu_k = P(0.2), v_t = P(1e-4), mu_v = P(0), f_nt = P(1);

  static constexpr auto describe() {
    return description(
        Page{
            .name = "brown-mcphee",
            .title = "Brown–McPhee",
            .source = "Brown and McPhee 2016; Chaturvedi et al. (1)",
            .formula =
                R"(F = f_n\left[\mu_k \tanh\frac{4v}{v_t} + \frac{(\mu_s-\mu_k)\,v/v_t}{\left((v/2v_t)^2+\tfrac34\right)^2}\right] + \mu_v v \tanh\frac{4 f_n}{f_{nt}})",
            .use = "Multibody models in control loops: one smooth formula with physical levels, a "
                   "static peak and viscous friction.",
            .limits = "Creeps below v_t. The peak misses μ_s f_n by up to 7e-4 μ_k f_n.",
            .printed = "printed with tanh(v/v_t) and without the viscous term; without the 4 the "
                       "peak is 0.226 instead of 0.25",
            .advance = "no memory"},
        fields(field(&BrownMcPhee::mu_s, "mu_s", "μ_s", "1", at_least(0), usual(0.05, 1),
                     "static coefficient: the peak at v_t"),
               field(&BrownMcPhee::mu_k, "mu_k", "μ_k", "1", at_least(0), usual(0.05, 1),
                     "kinetic coefficient")
                   .also("mu_d"),
               field(&BrownMcPhee::v_t, "v_t", "v_t", "m/s", above(0), usual(1e-5, 1e-1),
                     "transition speed, where the peak is")
                   .from("Haug 2018 recommends 10 to 20 times the step, in m/s"),
               field(&BrownMcPhee::mu_v, "mu_v", "μ_v", "N s/m", at_least(0), usual(0.01, 10),
                     "viscous coefficient"),
               field(&BrownMcPhee::f_nt, "f_nt", "f_nt", "N", above(0), usual(0.1, 100),
                     "load over which the viscous part fades out as contact is lost")),
        orders(Order{"mu_s", "mu_k"}));
  }

  template <class T, int D>
  Tangent<T, D> steady(const Tangent<T, D>& v, const T& fn) const noexcept {
    using std::tanh;
    if (!loaded(fn)) return zero<T, D>();
    const T viscous = mu_v * tanh(T(4) * fn / f_nt);
    return radial<T, D>(v, [&](const T& speed) -> T {
      const T x = speed / v_t;
      T peak(0);
      if (value_of(x) < 1e75) {  // beyond, the fourth power would overflow and the peak is 0
        const T well = T(0.25) * x * x + T(0.75);
        peak = (mu_s - mu_k) * x / (well * well);
      }
      return fn * (mu_k * tanh(T(4) * x) + peak) + viscous * speed;
    });
  }
  /// The second term peaks at μ_s − μ_k where v = v_t, the first never exceeds μ_k.
  template <class T, int D>
  T bound(const Tangent<T, D>& v, const T& fn) const noexcept {
    return mu_s * fn + mu_v * norm<T, D>(v);
  }
};

}  // namespace bristle
