#pragma once

/// Scalars: what a formula may be written in.
///
/// Every law is a template over its scalar, so that the same formula gives a number (`double`) or
/// a number with exact derivatives (a dual number, for example `ceres::Jet`). A dual number must
/// offer the usual operators, the functions of <cmath> by argument-dependent lookup, comparison by
/// value, and its value as the member `a`.

#include <cmath>
#include <numbers>
#include <type_traits>

namespace bristle {

/// The plain value of a scalar: what branches look at.
inline double value_of(double x) noexcept { return x; }
template <class T>
  requires requires(const T& x) { x.a; }
double value_of(const T& x) noexcept {
  return value_of(x.a);
}

template <class T>
T smaller(const T& a, const T& b) noexcept {
  return b < a ? b : a;
}
template <class T>
T larger(const T& a, const T& b) noexcept {
  return a < b ? b : a;
}

/// e = exp(−x) and phi = (1 − exp(−x))/x, for x ≥ 0: the two numbers behind every exact step of a
/// linear relaxation. The series below 0.3 avoids the cancellation of 1 − exp(−x); its first
/// neglected term is 0.3¹²/13! ≈ 9e-17.
template <class T>
struct Decay {
  T e, phi;
};
template <class T>
Decay<T> decay(const T& x) noexcept {
  using std::exp;
  if (x < T(0.3)) {
    // Pairs of terms in x², so that the multiplications do not wait for each other.
    const T x2 = x * x;
    const T even =
        T(1) + x2 * (T(1.0 / 6) +
                     x2 * (T(1.0 / 120) +
                           x2 * (T(1.0 / 5040) + x2 * (T(1.0 / 362880) + x2 * T(1.0 / 39916800)))));
    const T odd =
        T(0.5) +
        x2 * (T(1.0 / 24) +
              x2 * (T(1.0 / 720) +
                    x2 * (T(1.0 / 40320) + x2 * (T(1.0 / 3628800) + x2 * T(1.0 / 479001600)))));
    const T phi = even - x * odd;
    return {T(1) - x * phi, phi};
  }
  const T e = exp(-x);
  return {e, (T(1) - e) / x};
}

}  // namespace bristle
