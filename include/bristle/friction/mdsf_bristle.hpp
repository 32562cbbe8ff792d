#pragma once

/// MDSF bristle model, Ma 1995: one spring per contact point.  s_max = μ f_n/k_f.
///
///   F = k_f s,   ṡ = v;  when |s| = s_max and s·v > 0 only the part of v along the circle remains
///
/// Limits: on a line, an elastic–perfectly plastic (Prandtl) element. The printed rule
/// s = s_max v/|v| jumps when slip reverses.

#include "bristle/friction/reset_rule.hpp"

namespace bristle {

template <class P = double>
struct MdsfBristle : ResetLaw<MdsfBristle<P>> {
  P mu = P(0.2), k_f = P(2e4);
  bool per_load = false;

  static constexpr auto describe() {
    return description(
        Page{
            .name = "mdsf-bristle",
            .title = "MDSF bristle",
            .source = "Ma 1995; Lin 2001 (2.6), (2.7)",
            .formula =
                R"(F = k_f s,\qquad \dot s = \begin{cases} v & |s| < s_{max}\ \text{or}\ s\cdot v \le 0\\ v - \dfrac{(v\cdot s)\,s}{|s|^2} & |s| = s_{max},\ s\cdot v>0\end{cases},\qquad s_{max} = \frac{\mu f_n}{k_f})",
            .use = "Space-manipulator contact dynamics: true stick in two directions with two "
                   "parameters.",
            .limits = "Static and kinetic level are the same; no damping while sticking.",
            .printed = "printed as s = s_max v/|v|, which jumps when slip reverses; the sign of "
                       "(2.6) is opposite to the other models",
            .advance = "exact for frozen slip and load, also in the plane"},
        fields(field(&MdsfBristle::mu, "mu", "μ", "1", above(0), usual(0.05, 1),
                     "friction coefficient")
                   .also("mu_k", "mu_d"),
               field(&MdsfBristle::k_f, "k_f", "k_f", "N/m", above(0), usual(1e3, 1e7),
                     "bristle stiffness")
                   .also("k")
                   .per_load(),
               flag(&MdsfBristle::per_load, "per_load", "k_f is per newton of load")),
        orders());
  }

  auto coefficients() const noexcept {
    return typename MdsfBristle::template Coefficients<P>{k_f, P(0), P(0), mu, true};
  }
};

}  // namespace bristle
