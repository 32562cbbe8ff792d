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
/// exp(−x²): 0 beyond x² = 700, where the library's exp would take its slow way through underflow.
template <class T>
T gauss(const T& x) noexcept {
  using std::exp;
  const T square = x * x;
  return square < T(700) ? T(exp(-square)) : T(0);
}

template <class T>
T larger(const T& a, const T& b) noexcept {
  return a < b ? b : a;
}

/// (1 − exp(−x))/x for 0 ≤ x < 0.3, where 1 − exp(−x) would cancel. The first neglected term is
/// 0.3¹²/13! ≈ 9e-17. Even and odd terms apart, so that the multiplications do not wait for each
/// other.
template <class T>
T phi_series(const T& x) noexcept {
  const T s = x * x;
  const T even =
      T(1) +
      s * (T(1.0 / 6) + s * (T(1.0 / 120) +
                             s * (T(1.0 / 5040) + s * (T(1.0 / 362880) + s * T(1.0 / 39916800)))));
  const T odd =
      T(0.5) + s * (T(1.0 / 24) +
                    s * (T(1.0 / 720) +
                         s * (T(1.0 / 40320) + s * (T(1.0 / 3628800) + s * T(1.0 / 479001600)))));
  return even - x * odd;
}

/// 1 − exp(−x) for x ≥ 0, to full relative accuracy: how far a linear relaxation has come.
template <class T>
T approached(const T& x) noexcept {
  using std::exp;
  if (x < T(0.3)) return x * phi_series(x);
  return x < T(700) ? T(T(1) - exp(-x)) : T(1);
}

/// e = exp(−x) and phi = (1 − exp(−x))/x, for x ≥ 0: the two numbers behind every exact step of a
/// linear relaxation.
template <class T>
struct Decay {
  T e, phi;
};
template <class T>
Decay<T> decay(const T& x) noexcept {
  using std::exp;
  if (x < T(0.3)) {
    const T phi = phi_series(x);
    return {T(1) - x * phi, phi};
  }
  const T e = x < T(700) ? T(exp(-x)) : T(0);
  return {e, (T(1) - e) / x};
}

/// (1 − phi(x))/x with phi as in Decay: the mean way of a relaxation that is fed at a constant
/// rate.
template <class T>
T fed_mean(const T& x, const T& phi) noexcept {
  if (x < T(0.05)) return T(0.5) - x * (T(1.0 / 6) - x * (T(1.0 / 24) - x * T(1.0 / 120)));
  return (T(1) - phi) / x;
}

}  // namespace bristle
