#pragma once

/// Gauss–Legendre points on [0, 1], found by the compiler.

#include <array>
#include <numbers>

namespace bristle::area_detail {

template <int N>
struct Gauss {
  std::array<double, N> node{}, weight{};
};

/// For the first guesses of Newton's method only.
constexpr double rough_cosine(double x) noexcept {
  double term = 1, sum = 1;
  for (int i = 1; i < 30; ++i) {
    term *= -x * x / ((2.0 * i - 1) * (2.0 * i));
    sum += term;
  }
  return sum;
}

/// Newton's method on P_N, whose derivative follows from the same recurrence.
template <int N>
constexpr Gauss<N> make_gauss() noexcept {
  Gauss<N> rule;
  for (int i = 0; i < N; ++i) {
    double x = rough_cosine(std::numbers::pi * (i + 0.75) / (N + 0.5)), slope = 1;
    for (int pass = 0; pass < 8; ++pass) {
      double before = 1, p = x;
      for (int n = 2; n <= N; ++n) {
        const double next = ((2.0 * n - 1) * x * p - (n - 1.0) * before) / n;
        before = p;
        p = next;
      }
      slope = N * (before - x * p) / (1 - x * x);
      x -= p / slope;
    }
    rule.node[static_cast<std::size_t>(i)] = (1 - x) / 2;
    rule.weight[static_cast<std::size_t>(i)] = 1 / ((1 - x * x) * slope * slope);
  }
  return rule;
}

template <int N>
inline constexpr Gauss<N> gauss = make_gauss<N>();

}  // namespace bristle::area_detail
