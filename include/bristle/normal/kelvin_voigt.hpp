#pragma once

/// Kelvin–Voigt: a spring and a damper side by side.
///
///   f = max(0, k δ + b δ̇)
///
/// Limits: the force jumps to b v_i at touch-down and ends before the surfaces part, where k δ = −b
/// δ̇ (after that the clamp holds). The restitution of a free impact depends on the mass, through ζ
/// = b/(2 √(k m)), and not on the speed: `kelvin_voigt_restitution`.

#include <cmath>
#include <numbers>

#include "bristle/normal/law.hpp"

namespace bristle::normal {

template <class P = double>
struct KelvinVoigt {
  P k = P(1e5), b = P(100);
  static constexpr bool exact_restitution = false;

  static constexpr auto describe() {
    return description(
        Page{.name = "kelvin-voigt",
             .title = "Kelvin–Voigt",
             .source = "Goldsmith 1960; lift-off: Schwager, Pöschel 2007",
             .formula = R"(f = \max(0,\ k\,\delta + b\,\dot\delta))",
             .use = "Bumpers and pads that are built of a spring and a damper; comparison.",
             .limits =
                 "Discontinuous at touch-down: the force starts at b v_i. Restitution depends "
                 "on the mass. Ends before the surfaces part.",
             .printed = "",
             .advance = ""},
        fields(field(&KelvinVoigt::k, "k", "k", "N/m", above(0), usual(1e3, 1e8), "stiffness"),
               field(&KelvinVoigt::b, "b", "b", "N s/m", at_least(0), usual(1, 1e4), "damping")),
        orders());
  }

  template <class T>
  Press<T> latch(const T&) const noexcept {
    return {T(k), T(1), T(0), T(b)};
  }

  bool operator==(const KelvinVoigt&) const = default;
};

/// The restitution of a free impact with damping ratio ζ = b/(2 √(k m)) ≥ 0 when the contact ends
/// as soon as the force would pull (Schwager, Pöschel 2007).
inline double kelvin_voigt_restitution(double zeta) noexcept {
  const double w = std::sqrt(std::abs(1 - zeta * zeta));  // damped frequency over √(k/m)
  if (w < 1e-7) return std::exp(-2.0);
  if (zeta > 1) return std::exp(-2 * zeta / w * std::log(zeta + w));  // overdamped
  const double phase = 2 * std::atan2(w, zeta);                       // where k δ + b δ̇ = 0
  return std::exp(-zeta / w * phase);
}
/// The damping ratio that textbooks give for restitution e: right if the contact could pull.
inline double kelvin_voigt_ratio(double e) noexcept {
  const double log_e = std::log(e);
  return -log_e / std::sqrt(std::numbers::pi * std::numbers::pi + log_e * log_e);
}

}  // namespace bristle::normal
