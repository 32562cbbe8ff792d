#pragma once

/// Coulomb.
///
///   F = μ_k f_n sgn v,   any |F| ≤ μ_k f_n at v = 0
///
/// Limits: needs a solver that treats the set at v = 0 exactly; `coulomb-regularised` is the smooth
/// stand-in, and creeps.

#include "bristle/friction/law.hpp"

namespace bristle {

template <class P = double>
struct Coulomb : SetValuedLaw<Coulomb<P>> {
  P mu_k = P(0.2);

  static constexpr auto describe() {
    return description(
        Page{
            .name = "coulomb",
            .title = "Coulomb",
            .source = "Coulomb 1785; Lin 2001 Fig. 2.1a",
            .formula =
                R"(F = \mu_k f_n\,\operatorname{sgn} v,\qquad |F| \le \mu_k f_n \text{ at } v = 0)",
            .use =
                "Rigid contacts where only the sliding level matters; the limit that every other "
                "law must approach.",
            .limits = "Set-valued at rest: needs the event-driven or a time-stepping solver. No "
                      "static peak, no pre-sliding, no memory.",
            .printed = "",
            .advance = "no memory"},
        fields(field(&Coulomb::mu_k, "mu_k", "μ_k", "1", at_least(0), usual(0.05, 1),
                     "kinetic coefficient")
                   .also("mu_d", "mu")),
        orders());
  }

  template <class T>
  T slip_level(const T&, const T& fn) const noexcept {
    return mu_k * fn;
  }
  template <class T>
  T stick_limit(const T& fn) const noexcept {
    return mu_k * fn;
  }
  P stick_band() const noexcept { return P(0); }
};

}  // namespace bristle
