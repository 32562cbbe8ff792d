#pragma once

/// Normal laws: the one interface.
///
/// A law is a plain value type, `template <class P> struct Flores`, whose members are its
/// parameters (P their scalar, as in friction). It answers one question: how does a contact that
/// touched down at approach speed v_i ≥ 0 resist from then on?
///
///   Press<T> latch(v_i)   the force law of this contact, until the bodies part
///   T requested(v_i)      the restitution its parameters ask for (not kelvin-voigt, whose
///                         restitution depends on the mass)
///
/// v_i is latched: it stays what it was at touch-down, also when the contact becomes a lasting one.
/// T is P, or P is double. Nothing allocates, locks or throws.
///
/// A law asks for a restitution; what a free impact gives is `effective_restitution(a v_i)`
/// (restitution.hpp), whatever the mass, k and p. Only `gonthier` gives what it asks for
/// (`exact_restitution`); the others miss by up to 0.66 (docs/normal-laws.md). With gravity
/// acting during a soft contact the measured ratio is lower, and that is right.
///
/// What the restitution laws share is `RestitutionLaw`:
///
///   f = k δ^p (1 + u(e) δ̇/v_i),   e(v_i) = e − α v_i
///
/// with two floors. e(v_i) is held in [10⁻³, 1]: u grows as 1/e, so a perfectly plastic impact
/// would need an infinite force on the first touch, and e = 0 stands for e = 10⁻³, which returns a
/// millionth of the energy. v_i is held above v_floor in u/v_i: a contact made more slowly is
/// damped as if it had been made at v_floor, so that the force stays finite as v_i → 0 and a ball
/// that settles is not stopped by ever stiffer dampers. Below v_floor an impact is therefore more
/// elastic than e.

#include <concepts>

#include "bristle/core/describe.hpp"
#include "bristle/normal/press.hpp"
#include "bristle/normal/restitution.hpp"

namespace bristle::normal {

template <class L>
concept NormalLaw = requires(const L& law, double v) {
  { law.latch(v) } noexcept -> std::same_as<Press<double>>;
  L::describe();
};
template <class L>
concept AsksForRestitution = NormalLaw<L> && requires(const L& law, double v) {
  { law.requested(v) } noexcept -> std::same_as<double>;
};
/// Laws whose free impacts have the restitution that they ask for.
template <class L>
concept ExactRestitution = AsksForRestitution<L> && L::exact_restitution;

/// The least restitution that is asked of a damper.
inline constexpr double e_floor = 1e-3;

template <class T>
T held_between(const T& x, double low, double high) noexcept {
  return value_of(x) < low ? T(low) : value_of(x) > high ? T(high) : x;
}

/// Laws with a restitution e(v_i) = e − α v_i, which differ in u(e) only: the derived law has
/// k, p, e, alpha, v_floor and `static T damping(e)`.
template <class L>
struct RestitutionLaw {
  template <class T>
  T requested(const T& v_i) const noexcept {
    const L& law = static_cast<const L&>(*this);
    return held_between(T(law.e - law.alpha * v_i), e_floor, 1.0);
  }
  template <class T>
  Press<T> latch(const T& v_i) const noexcept {
    const L& law = static_cast<const L&>(*this);
    const T speed = larger(v_i, T(law.v_floor));
    return {T(law.k), T(law.p), T(L::damping(requested(v_i)) / speed), T(0)};
  }
  bool operator==(const RestitutionLaw&) const = default;
};

// ---- Parameters that laws share -----------------------------------------------------------------

/// k and p.
template <class L>
constexpr auto elastic_fields() {
  return fields(field(&L::k, "k", "k", "N/m^p", above(0), usual(1e4, 1e9), "contact stiffness"),
                field(&L::p, "p", "p", "1", at_least(1), usual(1, 2.5),
                      "exponent of the depth: 1 flat, 3/2 Hertz, 2 a cone")
                    .also("n"));
}
/// Those of a RestitutionLaw.
template <class L>
constexpr auto restitution_fields() {
  return std::tuple_cat(
      elastic_fields<L>(),
      fields(field(&L::e, "e", "e", "1", between(0, 1), usual(0.01, 1),
                   "restitution asked for, at low speed; below 0.001 counts as 0.001"),
             field(&L::alpha, "alpha", "α", "s/m", at_least(0), usual(0, 0.1),
                   "how fast restitution falls with speed: e(v_i) = e − α v_i"),
             field(&L::v_floor, "v_floor", "v_floor", "m/s", above(0), usual(1e-4, 1e-2),
                   "approach speed below which damping grows no further")));
}

}  // namespace bristle::normal
