#pragma once

/// One implicit step of a pressed contact: depth x and approach speed v over a time h, while
///
///   ẋ = v,   v̇ = b − w f,   f = max(0, k x^p (1 + a v) + c v)
///
/// b is what the speed would gain per second without this force, w the inverse mass that the force
/// sees. Two schemes:
///
/// *Conserving* (impacts). Without b the law has a first integral that does not know the time,
///
///   G(v) + w U(x) = const,   G = v/a − ln(1 + a v)/a²,   U = k x^{p+1}/(p+1):
///
/// it is the reason why restitution depends on e only. Both factors are replaced by their discrete
/// gradients, so the step keeps it to rounding, whatever h:
///
///   x' = x + C h P ΔG/Δv,   v' = v + C h (b − w P ΔU/Δx),   P = 1 + a (v + v')/2
///
/// C = 1 + h² w K P/12 (Quispel & McLaren 2008) makes the time error of fourth order for p = 1 and
/// much smaller for others (8e-4 of the duration at 20 steps for p = 3/2). For
/// h² w K ≫ 1 with strong damping it may gain energy: not for lasting contacts.
///
/// *Midpoint* (lasting contacts, and where the other finds nothing). ẋ = (v + v')/2, P at that
/// speed, C = 1: dissipative for any h.

#include <algorithm>
#include <cmath>

#include "bristle/normal/press.hpp"

namespace bristle {

struct PressStep {
  double force = 0;     ///< mean over the step: v' = v + h (b − w force)
  double v = 0;         ///< at the end
  double x = 0;         ///< at the end
  double lost = 0;      ///< dissipated by the law over the step, J
  bool settled = true;  ///< false: the search ended before it had found the speed
};

namespace detail {

/// ΔU/Δx, the mean elastic force between two depths, and its slope with the second of them.
struct MeanElastic {
  double force = 0, slope = 0;
};
/// Without cancellation.
inline MeanElastic mean_elastic(const Press<double>& press, double x0, double x1) noexcept {
  if (x1 <= 0) {
    if (x0 <= 0) return {};
    const double share = 1 / (x0 - x1), mean = press.stored(x0) * share;
    return {mean, mean * share};
  }
  if (x0 < 0) {
    const double share = 1 / (x1 - x0), mean = press.stored(x1) * share;
    return {mean, (press.elastic(x1) - mean) * share};
  }
  if (press.p == 1.5) {  // (r⁵ − s⁵)/(r² − s²) with r = √x0, s = √x1
    const double r = std::sqrt(x0), s = std::sqrt(x1), share = 1 / (r + s), rs = r * s;
    const double k = 0.4 * press.k * share;
    return {k * (x0 * x0 + x1 * x1 + rs * (x0 + x1) + x0 * x1),
            k * share * (r * (x0 + 2 * rs + 3 * x1) + 1.5 * s * x1)};
  }
  if (press.p == 1) return {0.5 * press.k * (x0 + x1), 0.5 * press.k};
  if (press.p == 2) {
    return {press.k * (x0 * x0 + x0 * x1 + x1 * x1) / 3, press.k * (x0 + 2 * x1) / 3};
  }
  const double middle = 0.5 * (x0 + x1), half = 0.5 * (x1 - x0);
  if (std::abs(half) > 0.02 * middle) {
    const double mean = (press.stored(x1) - press.stored(x0)) / (x1 - x0);
    return {mean, (press.elastic(x1) - mean) / (x1 - x0)};
  }
  const double off = half * 0.7745966692414834;  // Gauss–Legendre, three points
  return {(5 * press.elastic(middle - off) + 8 * press.elastic(middle) +
           5 * press.elastic(middle + off)) /
              18,
          0.5 * press.stiffness(middle + half / 3)};
}

/// P ΔG/Δv = (P − atanh(y)/y)/a with y = a Δv/(2P), P = 1 + a v̄: the rate at which the depth moves,
/// and its slope with v'. The series is v̄ − Δv y/(6P)·(1 + 3y²/5 + …).
struct MeanRate {
  double value = 0, slope = 0;
};
inline MeanRate mean_rate(double a, double v0, double v1, double p) noexcept {
  const double share = 1 / p, half = 0.5 * (v1 - v0), y = a * half * share, s = y * y;
  // atanh(y)/y = 1 + y² tail
  double tail, value;
  if (s < 0.04) {
    const double q = s * s;
    tail = (1.0 / 3 + q * (1.0 / 7 + q * (1.0 / 11 + q / 15))) +
           s * (1.0 / 5 + q * (1.0 / 9 + q / 13));
    value = 0.5 * (v0 + v1) - half * y * tail * share;
  } else {
    const double ratio = std::atanh(y) / y;
    tail = (ratio - 1) / s;
    value = (p - ratio) / a;
  }
  return {value, 0.5 - 0.5 * y * share * (1 / (1 + y) - tail * (1 - y))};
}

}  // namespace detail

namespace detail {

/// Force and stiffness of the contact at rest, with one root for Hertz's exponent.
struct Elasticity {
  double force = 0, stiffness = 0;
  Elasticity(const Press<double>& press, double x) noexcept {
    if (!(x > 0)) return;
    if (press.p == 1.5) {
      const double kr = press.k * std::sqrt(x);
      force = kr * x;
      stiffness = 1.5 * kr;
    } else {
      force = press.elastic(x);
      stiffness = press.p * force / x;
    }
  }
};

PressStep press_midpoint_search(const Press<double>& press, double x, double v, double h, double b,
                                double w, double guess) noexcept;

}  // namespace detail

/// Midpoint: x' = x + h (v + v')/2. Valid for x < 0 too.
inline PressStep press_midpoint(const Press<double>& press, double x, double v, double h, double b,
                                double w) noexcept {
  // Linearised about the start for a first guess.
  const detail::Elasticity at_start(press, x);
  const double p0 = std::max(0.0, 1 + press.a * v);
  const double stiff = 0.5 * h * at_start.stiffness * p0;
  const double slope = 0.5 * h * w * (stiff + at_start.force * press.a + press.b);
  const double gain = (b - w * (at_start.force * p0 + (stiff + press.b) * v)) / (1 + slope);
  const double v1 = v + h * gain, rate = 0.5 * (v + v1);
  const double force = (b - gain) / w;
  if (std::abs(2 * h * rate) < 1e-3 * x && force >= 0) {
    // At rest, or nearly: the guess is good to 1e-6, and dissipative as the rule itself.
    return {force, v1, x + h * rate,
            h * rate * (force - at_start.force - 0.5 * h * at_start.stiffness * rate)};
  }
  return detail::press_midpoint_search(press, x, v, h, b, w, v1);
}

/// The same by Newton's method from a guess of v', bracketed.
inline PressStep detail::press_midpoint_search(const Press<double>& press, double x, double v,
                                               double h, double b, double w,
                                               double guess) noexcept {
  double v1 = guess;
  double low = -1e300, high = 1e300, rate = 0, factor = 0, force = 0;
  detail::MeanElastic elastic;
  bool found = false;
  for (int i = 0; i < 30 && !found; ++i) {
    rate = 0.5 * (v + v1);
    factor = std::max(0.0, 1 + press.a * rate);
    const double x1 = x + h * rate;
    elastic = detail::mean_elastic(press, x, x1);
    force = elastic.force * factor + press.b * rate;
    const bool pulls = !(force > 0) || (x <= 0 && x1 <= 0);
    if (pulls) force = 0;
    const double g = v1 - v - h * (b - w * force);
    (g > 0 ? high : low) = v1;
    double slope = 1;
    if (!pulls) {
      slope += 0.5 * h * w *
               (h * elastic.slope * factor + (factor > 0 ? elastic.force * press.a : 0) + press.b);
    }
    const double next = v1 - g / slope;
    found = std::abs(next - v1) <= 1e-10 * (std::abs(v) + std::abs(next) + h * std::abs(b));
    if (found) break;
    v1 = next > low && next < high ? next : 0.5 * (low + high);
  }
  PressStep step;
  step.force = force;
  step.v = v + h * (b - w * force);
  step.x = x + h * 0.5 * (v + step.v);
  step.lost = h * rate * (force - elastic.force);
  step.settled = found;
  return step;
}

/// Conserving: the first integral of the law is kept. `k_top` is the largest stiffness of this
/// impact. Falls back on the midpoint where the bodies are torn apart faster than the law allows.
inline PressStep press_conserving(const Press<double>& press, double x, double v, double h,
                                  double b, double w, double k_top) noexcept {
  const double a = press.a;
  if (press.b != 0 || 1 + a * v <= 0) return press_midpoint(press, x, v, h, b, w);
  const double p0 = 1 + a * v;
  const double c = 1 + std::min(h * h * w * k_top * p0, 1.0) / 12, ch = c * h;
  const double k0 = press.stiffness(x), f0 = press.elastic(x);
  const double slope0 = 0.5 * h * w * (0.5 * h * k0 * p0 + f0 * a);
  double v1 = v + h * (b - w * (f0 * p0 + 0.5 * h * k0 * p0 * v)) / (1 + slope0);
  double low = a > 0 ? -1 / a : -1e300, high = 1e300, factor = 1, x1 = x, change = 0;
  detail::MeanElastic elastic;
  detail::MeanRate rate;
  if (!(v1 > low)) v1 = 0.5 * (low + v);
  bool found = false;
  for (int i = 0; i < 30 && !found; ++i) {
    factor = 1 + 0.5 * a * (v + v1);
    rate = detail::mean_rate(a, v, v1, factor);
    x1 = x + ch * rate.value;
    elastic = detail::mean_elastic(press, x, x1);
    const double g = v1 - v - ch * (b - w * elastic.force * factor);
    (g > 0 ? high : low) = v1;
    const double slope =
        1 + ch * w * (ch * elastic.slope * rate.slope * factor + 0.5 * elastic.force * a);
    change = -g / slope;
    const double next = v1 + change;
    // Newton's next change would be the square of this one, and is nothing.
    found = std::abs(change) <= 1e-8 * (std::abs(v) + std::abs(next));
    v1 = found || (next > low && next < high) ? next : 0.5 * (low + high);
  }
  const double deeper = ch * rate.slope * change;
  x1 += deeper;
  const bool pressed = x1 > 0 || x > 0;
  if (!found || !pressed) return press_midpoint(press, x, v, h, b, w);
  PressStep step;
  step.v = v1;
  step.x = x1;
  step.force = (b - (v1 - v) / h) / w;
  if (!(step.force >= 0)) return press_midpoint(press, x, v, h, b, w);
  factor += 0.5 * a * change;
  step.lost = ch * (elastic.force + elastic.slope * deeper) *
              (factor * 0.5 * (v + v1) - rate.value - rate.slope * change);
  return step;
}

}  // namespace bristle
