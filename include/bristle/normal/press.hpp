#pragma once

/// What a pressed contact does between touch-down and lift-off.
///
///   f = max(0, k δ^p (1 + a δ̇) + b δ̇),   δ > 0 the depth, δ̇ > 0 while approaching
///
/// A normal law makes one when the bodies touch (`latch`, see law.hpp); it then serves until they
/// part. The force never pulls. With b = 0 it starts and ends at 0 with the depth, smoothly for
/// p > 1. It is a smooth function of depth and rate wherever it is positive.
///
/// Energy: the power f δ̇ goes into `stored` (k δ^(p+1)/(p+1)) and into `dissipation`, which is
/// never negative. Where the clamp holds, the stored energy that the bodies no longer take up is
/// lost; with b = 0 and a from a restitution law that does not happen in a free impact, since
/// 1 + a δ̇ stays positive.

#include <type_traits>

#include "bristle/core/scalar.hpp"

namespace bristle {

template <class T = double>
struct Press {
  T k = T(0);    ///< stiffness, N/m^p
  T p = T(1.5);  ///< exponent: 1 linear or flat, 3/2 Hertz, 2 a cone
  T a = T(0);    ///< damping in proportion to the elastic force, s/m
  T b = T(0);    ///< plain damping, N s/m

  /// k δ^p, the force at rest.
  T elastic(const T& depth) const noexcept { return touches(depth) ? T(k * power(depth)) : T(0); }
  T force(const T& depth, const T& rate) const noexcept {
    if (!touches(depth)) return T(0);
    const T f = k * power(depth) * (T(1) + a * rate) + b * rate;
    return value_of(f) > 0.0 ? f : T(0);
  }
  /// Energy that comes back if the depth goes back, J.
  T stored(const T& depth) const noexcept {
    return touches(depth) ? T(k * power(depth) * depth / (p + T(1))) : T(0);
  }
  /// Slope of the force at rest with depth, N/m.
  T stiffness(const T& depth) const noexcept {
    return touches(depth) ? T(k * p * power(depth) / depth) : T(0);
  }
  /// Slope of the force with the rate, N s/m; 0 where the clamp holds.
  T damping(const T& depth, const T& rate) const noexcept {
    if (!touches(depth)) return T(0);
    const T elastic = k * power(depth), slope = elastic * a + b;
    return value_of(elastic + slope * rate) > 0.0 ? slope : T(0);
  }
  /// force·rate − d(stored)/dt, W: never negative.
  T dissipation(const T& depth, const T& rate) const noexcept {
    if (!touches(depth)) return T(0);
    const T elastic = k * power(depth), slope = elastic * a + b;
    if (value_of(elastic + slope * rate) > 0.0) return slope * rate * rate;
    return -elastic * rate;  // no force, while the depth goes back
  }

  bool operator==(const Press&) const = default;

 private:
  static bool touches(const T& depth) noexcept { return value_of(depth) > 0.0; }
  /// δ^p. Not shortened for dual numbers, whose exponent may have a derivative.
  T power(const T& depth) const noexcept {
    using std::pow;
    if constexpr (std::is_same_v<T, double>) {
      if (p == 1.5) return depth * std::sqrt(depth);
      if (p == 1.0) return depth;
      if (p == 2.0) return depth * depth;
    }
    return pow(depth, p);
  }
};

}  // namespace bristle
