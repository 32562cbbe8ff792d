#pragma once

/// A rigid flat cylinder on an elastic half-space, Sneddon 1965.
///
///   f = 2 r E* δ,   1/E* = Σ (1 − ν²)/E
///
/// Limits: the face lies flat and its whole area touches; no friction; the half-space is large
/// against r. Elastic: e = 1.

#include "bristle/normal/law.hpp"
#include "bristle/normal/materials.hpp"

namespace bristle::normal {

template <class P = double>
struct FlatPunch {
  P E_star = P(1e8), r = P(5e-3);
  static constexpr bool exact_restitution = true;

  static constexpr auto describe() {
    return description(
        Page{.name = "flat-punch",
             .title = "Flat punch",
             .source = "Sneddon 1965",
             .formula = R"(f = 2\,r\,E^*\,\delta)",
             .use = "Flat-ended pegs, feet and indenters pressed squarely on something softer.",
             .limits =
                 "Elastic: a free impact returns v_i. A tilted face touches at its edge first "
                 "and is not covered.",
             .printed = "",
             .advance = ""},
        fields(
            field(&FlatPunch::E_star, "E_star", "E^*", "Pa", above(0), usual(1e5, 1e11),
                  "effective modulus of the pair"),
            field(&FlatPunch::r, "r", "r", "m", above(0), usual(1e-4, 1e-1), "radius of the face")),
        orders());
  }

  template <class T>
  T requested(const T&) const noexcept {
    return T(1);
  }
  template <class T>
  Press<T> latch(const T&) const noexcept {
    return {T(flat_punch_stiffness(E_star, r)), T(1), T(0), T(0)};
  }

  bool operator==(const FlatPunch&) const = default;
};

}  // namespace bristle::normal
