#pragma once

// Normal force and friction of one contact, each of which needs the other.

#include <cmath>

#include "world_parts.hpp"

namespace bristle::detail {

/// Of normal force and friction of one contact until they agree.
inline constexpr int most_passes = 6;

inline double dot(double a, double b) noexcept { return a * b; }
inline double dot(const Vector2& a, const Vector2& b) noexcept { return a.dot(b); }
inline double size(double a) noexcept { return std::abs(a); }
inline double size(const Vector2& a) noexcept { return a.norm(); }
inline double none(double) noexcept { return 0; }
inline Vector2 none(const Vector2&) noexcept { return Vector2::Zero(); }
/// Change of the force of a contact that holds, per change of its load.
inline double held(double c, double grip, double wt) noexcept { return c * grip / wt; }
inline Vector2 held(const Vector2& c, double grip, double wt) noexcept { return c * (grip / wt); }

/// What a contact sees of the bodies. T is a vector of the tangent plane, or its one component
/// where all happens in one plane.
template <class T>
struct Seen {
  double wn = 0, wt = 0;  ///< inverse mass along n, and the largest across it
  T c;                    ///< of tangents against n
  double bn = 0;          ///< approach gained per second without this contact
  bool coupled = true, uneven = true;
};
template <class T>
struct Forces {
  double f;
  T friction;
};

/// Where friction drives the bodies together faster than the normal force drives them apart
/// (Painlevé's paradox) nothing can be linearised. The load f that friction answers with F(f), and
/// that the normal law answers to F(f), is enclosed: at f = 0 the answer is not below it, and a
/// contact that holds answers with less than its load in the end.
template <class T, class SolvePress, class SolveSlip>
Forces<T> enclose(Site& s, T friction, SolvePress&& solve_press, SolveSlip&& solve_slip) noexcept {
  constexpr int most = 60;
  double low = 0, high = 0, at_low = 0, at_high = 0, load = 0;
  int side = 0;
  for (int i = 0; i < most; ++i) {
    friction = solve_slip(load, friction);
    s.pressed = solve_press(friction);
    const double over = s.pressed.force - load;
    if (std::abs(over) <= 1e-9 * load || (load == 0 && over <= 0)) return {load, friction};
    // Illinois, once there are two ends: a secant that halves the end that stays.
    if (over > 0) {
      low = load;
      at_low = over;
      if (side == 1) at_high *= 0.5;
      side = 1;
    } else {
      high = load;
      at_high = over;
      if (side == -1) at_low *= 0.5;
      side = -1;
    }
    if (high == 0) {
      load = 2 * (load + over);
      side = 0;
      continue;
    }
    load = low + (high - low) * at_low / (at_low - at_high);
    if (!(load > low && load < high)) load = 0.5 * (low + high);
  }
  s.flagged = true;  // between two answers, neither of which fits
  return {s.pressed.force, friction};
}

/// Normal force and friction of one contact together, from a guess: friction is linearised in the
/// normal force, the normal law solved, then friction, until both agree. `solve_slip(f, guess)` is
/// the friction under the load f.
template <class T, class SolveSlip>
Forces<T> agree(Site& s, const Seen<T>& seen, Forces<T> guess, double h, bool conserve, int passes,
                SolveSlip&& solve_slip) noexcept {
  const auto press = [&](double b, double w) {
    return conserve && s.impact ? press_conserving(s.press, s.x, s.vn0, h, b, w, s.k_top)
                                : press_midpoint(s.press, s.x, s.vn0, h, b, w);
  };
  const auto search = [&] {
    return enclose<T>(
        s, guess.friction,
        [&](const T& friction) { return press(seen.bn + dot(seen.c, friction), seen.wn); },
        solve_slip);
  };
  for (int pass = 0; pass < passes; ++pass) {
    // Friction follows the normal force: in proportion where it slides, by its grip where it holds.
    T follow = none(guess.friction);
    if (seen.coupled && !s.answer.slides) {
      follow = held(seen.c, s.answer.grip, seen.wt);
    } else if (seen.coupled && guess.f > 0) {
      follow = guess.friction / guess.f;
    }
    const double w = seen.wn - dot(seen.c, follow);
    if (w < 0.05 * seen.wn) return search();
    s.pressed = press(seen.bn + dot(seen.c, T(guess.friction - follow * guess.f)), w);
    const double f = s.pressed.force;
    const T expected = guess.friction + follow * (f - guess.f);
    guess = {f, solve_slip(f, guess.friction)};
    if (!seen.coupled && !seen.uneven) return guess;
    const double off = size(T(guess.friction - expected));
    if (off <= 0.002 * (size(guess.friction) + 0.02 * f)) return guess;
  }
  // One of several contacts is asked again when the others have moved.
  return passes < most_passes ? guess : search();
}

}  // namespace bristle::detail
