#pragma once

/// Vectors of the contact's tangent plane.
///
/// `Tangent<T, 1>` is the scalar form of a law (motion on a line), `Tangent<T, 2>` the vector form
/// in the tangent plane, `Tangent<T, 3>` the same with world components. Laws are written once, in
/// terms of `norm`, `direction` and `clip`; with one component these reduce to |v|, sgn v and a
/// clamp, without a square root.
///
/// All functions are safe from 1e-300 to 1e150, where v·v would underflow or overflow.

#include <Eigen/Core>

#include "bristle/core/scalar.hpp"

namespace bristle {

template <class T, int D>
using Tangent = Eigen::Matrix<T, D, 1>;

template <class T, int D>
Tangent<T, D> zero() noexcept {
  return Tangent<T, D>::Constant(T(0));
}

/// |v|. The derivative at v = 0 is taken as 0.
template <class T, int D>
T norm(const Tangent<T, D>& v) noexcept {
  using std::abs;
  using std::sqrt;
  if constexpr (D == 1) {
    return abs(v[0]);
  } else {
    const T square = v.squaredNorm();
    if (value_of(square) > 1e-280 && value_of(square) < 1e300) return sqrt(square);
    T largest = abs(v[0]);
    for (int i = 1; i < D; ++i) largest = larger<T>(largest, abs(v[i]));
    if (value_of(largest) == 0.0) return T(0);
    const Tangent<T, D> scaled = v / largest;
    return largest * sqrt(scaled.squaredNorm());
  }
}

/// v/|v|, and 0 at v = 0.
template <class T, int D>
Tangent<T, D> direction(const Tangent<T, D>& v) noexcept {
  if constexpr (D == 1) {
    return Tangent<T, D>::Constant(T(v[0] > T(0) ? 1.0 : v[0] < T(0) ? -1.0 : 0.0));
  } else {
    const T length = norm<T, D>(v);
    if (value_of(length) == 0.0) return zero<T, D>();
    return v / length;
  }
}

/// |v| and v/|v| at once.
template <class T, int D>
struct Polar {
  T length;
  Tangent<T, D> along;
};
template <class T, int D>
Polar<T, D> polar(const Tangent<T, D>& v) noexcept {
  if constexpr (D == 1) {
    return {norm<T, D>(v), direction<T, D>(v)};
  } else {
    const T length = norm<T, D>(v);
    if (value_of(length) == 0.0) return {T(0), zero<T, D>()};
    return {length, v / length};
  }
}

/// |v| > limit ≥ 0. Compared as squares where these cannot underflow: most vectors are short, and
/// need no root.
template <class T, int D>
bool longer(const Tangent<T, D>& v, const T& limit) noexcept {
  if (D > 1 && value_of(limit) > 1e-140) return v.squaredNorm() > limit * limit;
  return norm<T, D>(v) > limit;
}

/// v shortened to `limit` ≥ 0 where it is longer.
template <class T, int D>
Tangent<T, D> clip(const Tangent<T, D>& v, const T& limit) noexcept {
  if constexpr (D == 1) {
    return Tangent<T, D>::Constant(smaller<T>(larger<T>(v[0], T(-limit)), limit));
  } else {
    return longer<T, D>(v, limit) ? Tangent<T, D>(direction<T, D>(v) * limit) : v;
  }
}

/// The deflection z of a spring of the given stiffness, shortened to what `top` newton can hold.
/// The forces are compared, so that a spring within its limit costs no division.
template <class T, int D>
Tangent<T, D> held(const Tangent<T, D>& z, const T& stiffness, const T& top) noexcept {
  if (!longer<T, D>(stiffness * z, top)) return z;
  return direction<T, D>(z) * (top / stiffness);
}

/// f(|v|) v/|v| for an odd function f given on r ≥ 0. f must be smooth at 0: near v = 0 the slope
/// f(r)/r stands for f, which keeps the derivative at v = 0 exact.
template <class T, int D, class F>
Tangent<T, D> radial(const Tangent<T, D>& v, F&& f) noexcept {
  if constexpr (D == 1) {
    return Tangent<T, D>::Constant(v[0] < T(0) ? T(-f(T(-v[0]))) : T(f(v[0])));
  } else {
    T r = norm<T, D>(v);
    if (value_of(r) < 1e-100) r = T(1e-100);
    return v * (f(r) / r);
  }
}

}  // namespace bristle
