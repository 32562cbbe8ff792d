#pragma once

/// MDSF bristle model with stiction and damping, Lin 2001 5.2.2.  s_max = μ f_n/k_f.
///
///   F = k_f s + β ṡ + α k_f s [|s| < s_max],   ṡ as in `mdsf-bristle`
///
/// Limits: on a line this is `reset-integrator` with k = k_f, a = α; α = β = 0 is `mdsf-bristle`.

#include "bristle/friction/reset_rule.hpp"

namespace bristle {

template <class P = double>
struct MdsfAugmented : ResetLaw<MdsfAugmented<P>> {
  P mu = P(0.297), k_f = P(1.85e5), alpha = P(0.28), beta = P(68);
  bool per_load = false;

  static constexpr auto describe() {
    return description(
        Page{
            .name = "mdsf-augmented",
            .title = "MDSF augmented",
            .source = "Lin 2001 5.2.2",
            .formula =
                R"(F = k_f s + \beta\dot s + \alpha k_f s\,[\,|s|<s_{max}\,],\qquad \dot s\ \text{as MDSF bristle},\qquad s_{max} = \frac{\mu f_n}{k_f})",
            .use = "Peg-in-hole and other constrained tasks of manipulators: the law identified "
                   "from the test-bed's two-point contacts.",
            .limits =
                "As the reset integrator. The defaults are the values identified for the peg.",
            .printed =
                "printed with |s| in both conditions, which locks the bristle at −s_max; the "
                "order of α and β differs between text and tables; k = 1.85e6 in 5.5.1 "
                "against 1.85e5 in Table 5.4",
            .advance = "exact for frozen slip and load, also in the plane"},
        fields(field(&MdsfAugmented::mu, "mu", "μ", "1", above(0), usual(0.05, 1),
                     "friction coefficient")
                   .also("mu_k", "mu_d"),
               field(&MdsfAugmented::k_f, "k_f", "k_f", "N/m", above(0), usual(1e3, 1e7),
                     "bristle stiffness")
                   .also("k")
                   .per_load(),
               field(&MdsfAugmented::alpha, "alpha", "α", "1", at_least(0), usual(0.01, 1),
                     "stiction gain: the static peak is (1+α) μ f_n")
                   .also("a"),
               field(&MdsfAugmented::beta, "beta", "β", "N s/m", at_least(0), usual(0.1, 1e3),
                     "bristle damping")
                   .per_load(),
               flag(&MdsfAugmented::per_load, "per_load", "k_f and beta are per newton of load")),
        orders());
  }

  auto coefficients() const noexcept {
    return typename MdsfAugmented::template Coefficients<P>{k_f, alpha, beta, mu, true};
  }
};

}  // namespace bristle
