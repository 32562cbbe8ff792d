#pragma once

/// Hunt, Crossley 1975: damping in proportion to the elastic force, set by the material.
///
///   f = k δ^p (1 + 1.5 α δ̇)
///
/// α is the slope of the restitution against speed, e ≈ 1 − α v_i at low speed.
///
/// Limits: the relation to α holds for α v_i ≪ 1 only: at α v_i = 0.5 the rebound is 0.66 v_i. No
/// latched speed enters, so nothing happens at v_i → 0: the softest law for a ball that settles.

#include "bristle/normal/law.hpp"

namespace bristle::normal {

template <class P = double>
struct HuntCrossley {
  P k = P(1e6), p = P(1.5), alpha = P(0.2);
  static constexpr bool exact_restitution = false;

  static constexpr auto describe() {
    return description(
        Page{.name = "hunt-crossley",
             .title = "Hunt–Crossley",
             .source = "Hunt, Crossley 1975",
             .formula = R"(f = k\,\delta^p\left(1 + \tfrac32\alpha\,\dot\delta\right))",
             .use =
                 "Materials whose restitution falls with speed, 1 − α v_i; contacts that come to "
                 "rest, since no impact speed enters.",
             .limits = "The restitution is 1 − α v_i for small α v_i only; above, the rebound is "
                       "higher: 0.66 where 0.5 was meant.",
             .printed = "",
             .advance = ""},
        std::tuple_cat(
            elastic_fields<HuntCrossley>(),
            fields(field(&HuntCrossley::alpha, "alpha", "α", "s/m", at_least(0), usual(0.01, 1),
                         "how fast restitution falls with speed: e ≈ 1 − α v_i"))),
        orders());
  }

  template <class T>
  T requested(const T& v_i) const noexcept {
    return held_between(T(T(1) - alpha * v_i), 0.0, 1.0);
  }
  template <class T>
  Press<T> latch(const T&) const noexcept {
    return {T(k), T(p), T(T(1.5) * alpha), T(0)};
  }

  bool operator==(const HuntCrossley&) const = default;
};

}  // namespace bristle::normal
