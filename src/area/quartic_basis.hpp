#pragma once

// Quartic forms in three variables as vectors of 15 coefficients, and the matrices by which one is
// seen to be convex.

#include <array>

#include <Eigen/Dense>

#include "bristle/core/planar.hpp"

namespace bristle::detail {

/// Of x^i y^j z^k.
struct Power {
  int i, j, k;
};
constexpr std::array<Power, 15> quartic_powers{{{4, 0, 0},
                                                {3, 1, 0},
                                                {3, 0, 1},
                                                {2, 2, 0},
                                                {2, 1, 1},
                                                {2, 0, 2},
                                                {1, 3, 0},
                                                {1, 2, 1},
                                                {1, 1, 2},
                                                {1, 0, 3},
                                                {0, 4, 0},
                                                {0, 3, 1},
                                                {0, 2, 2},
                                                {0, 1, 3},
                                                {0, 0, 4}}};

/// 1, x, x², x³, x⁴, and with two leading zeros for derivatives: at[2 + n] = xⁿ.
struct Powers {
  std::array<double, 7> at;
  explicit Powers(double x) noexcept : at{0, 0, 1, x, x * x, x * x * x, x * x * x * x} {}
  double value(int n) const noexcept { return at[static_cast<std::size_t>(n) + 2]; }
  double slope(int n) const noexcept { return n * at[static_cast<std::size_t>(n) + 1]; }
  double bend(int n) const noexcept { return n * (n - 1) * at[static_cast<std::size_t>(n)]; }
};

using Vector15 = Eigen::Matrix<double, 15, 1>;

/// H(w) and ∇H(w) as linear functions of the coefficients.
struct QuarticBasis {
  Vector15 value;
  Eigen::Matrix<double, 3, 15> gradient;
  explicit QuarticBasis(const Planar& w) noexcept;
};

/// (x² + y² + z²)².
Vector15 ball_quartic() noexcept;

/// y·H''(x) y = m·Q m with m = (y₁x₁, y₁x₂, y₁x₃, y₂x₁, …). Column k < 15 is the 9×9 matrix (by
/// columns) of the k-th coefficient; the other nine span what of Q the form leaves free, the minors
/// y_i x_p y_j x_q − y_i x_q y_j x_p. If some Q is positive semidefinite the form is convex, and if
/// it is convex there is one: Ahmadi, Blekherman and Parrilo, Convex ternary quartics are
/// SOS-convex.
using GramBasis = Eigen::Matrix<double, 81, 24>;
const GramBasis& gram_basis();
/// The free part that makes Q of the ball positive definite: Q = 4 I + 8 e eᵀ, e = vec(I).
const Eigen::Matrix<double, 9, 1>& ball_gram();

}  // namespace bristle::detail
