#pragma once

/// Damping that gives a wanted restitution: the exact relation.
///
/// A body of mass m meets a rest at v_i under f = k δ^p (1 + a δ̇). Dividing m v dv = −f dδ by
/// 1 + a v and integrating from touch-down (v = v_i) to lift-off (v = −e v_i), both at δ = 0,
/// leaves
///
///   u − ln(1 + u) + e u + ln(1 − e u) = 0,   u = a v_i
///
/// without m, k and p. With d = e u it is (1 + d/e)/(1 − d) = exp(d (1 + 1/e)), Gonthier, McPhee,
/// Lange, Piedbœuf 2004 (9)–(11). d = 0 always solves it and is meant only at e = 1; the other root
/// rises from 0 at e = 1, where d ≈ 1.5 (1 − e), to 1 as e → 0, where u → 1/e grows without bound.
///
///   solve_d(0.5)                         // 0.7163752666356875
///   restitution_damping(0.5)             // u = d/e = 1.432750533271375, from the table
///   effective_restitution(1.432750533)   // 0.5
///
/// As printed, the relation overflows below e ≈ 0.0014, and below e ≈ 0.025 d is 1 to the last bit:
/// the solve works on q = −ln(1 − d) there, and on u, with the double root at 0 divided out, near
/// e = 1.

#include "bristle/core/scalar.hpp"

namespace bristle::normal {

/// d(e) for e in [0, 1] by iteration; absolute error below 1e-14, and relative too near e = 1.
double solve_d(double e) noexcept;

/// The restitution that a v_i = u ≥ 0 gives, by iteration; absolute error below 1e-14 for every u.
/// 1 for u = 0, 1/u for large u.
double effective_restitution(double u) noexcept;

namespace detail {
inline constexpr int restitution_pieces = 64, restitution_terms = 12;
/// d(e)/(1 − e), which runs from 1 to 3/2, in equal pieces of [0, 1]: powers of t in [−1, 1].
extern const double restitution_table[restitution_pieces][restitution_terms];
}  // namespace detail

/// d(e) for e in [0, 1], from the table: a few nanoseconds, absolute error below 1e-14.
template <class T>
T restitution_d(const T& e) noexcept {
  constexpr int n = detail::restitution_pieces;
  const double x = value_of(e);
  const int i = x < 1.0 ? (x > 0.0 ? static_cast<int>(n * x) : 0) : n - 1;
  const double* c = detail::restitution_table[i];
  const T t = e * T(2 * n) - T(2 * i + 1);
  const T t2 = t * t, t4 = t2 * t2;
  // Estrin's scheme: the multiplications do not wait for each other.
  const auto four = [&](const double* q) -> T {
    return (T(q[0]) + t * T(q[1])) + t2 * (T(q[2]) + t * T(q[3]));
  };
  return (T(1) - e) * (four(c) + t4 * (four(c + 4) + t4 * four(c + 8)));
}

/// u(e) = a v_i = d/e for e in (0, 1], from the table.
template <class T>
T restitution_damping(const T& e) noexcept {
  return restitution_d(e) / e;
}

}  // namespace bristle::normal
