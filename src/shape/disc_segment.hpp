#pragma once

// A disc cut by a line, as slices of round bodies are.

#include <array>
#include <cmath>
#include <numbers>

namespace bristle::detail {

/// The part of a disc within `height` of a point V of its rim, measured along the radius: u from V
/// to the centre, v across. No digits are lost where it is thin.
struct DiscSegment {
  double area = 0;
  double u = 0, uu = 0, vv = 0;  ///< ∫u, ∫u², ∫v²
  double half_angle = 0;         ///< of its arc, seen from the centre: 0 … π
  double chord = 0;
};

/// Σ c_j x^j / (j + p) with c_j the coefficients of (1 − x)^q.
template <int terms>
constexpr std::array<double, terms> integrated_binomial(double q, double p) noexcept {
  std::array<double, terms> series{};
  double c = 1;
  for (int j = 0; j < terms; ++j) {
    series[static_cast<std::size_t>(j)] = c / (j + p);
    c *= (j - q) / (j + 1);
  }
  return series;
}

template <std::size_t terms>
constexpr double polynomial(const std::array<double, terms>& c, double x) noexcept {
  double sum = 0;
  for (std::size_t j = terms; j-- > 0;) sum = sum * x + c[j];
  return sum;
}

/// Thin: half the chord at u is √(2ρu) √(1 − u/2ρ); its series, integrated. x = height/2ρ.
inline DiscSegment thin_segment(double radius, double height, double x) noexcept {
  constexpr int terms = 20;  // 0.15^20 is rounding
  constexpr auto area = integrated_binomial<terms>(0.5, 1.5);
  constexpr auto u = integrated_binomial<terms>(0.5, 2.5);
  constexpr auto uu = integrated_binomial<terms>(0.5, 3.5);
  constexpr auto vv = integrated_binomial<terms>(1.5, 2.5);
  const double root = std::sqrt(2 * radius * height), scale = 2 * height * root;
  DiscSegment s;
  s.area = scale * polynomial(area, x);
  s.u = scale * height * polynomial(u, x);
  s.uu = scale * height * height * polynomial(uu, x);
  s.vv = scale / 3 * root * root * polynomial(vv, x);
  s.half_angle = 2 * std::asin(std::sqrt(x));
  s.chord = 2 * root * std::sqrt(1 - x);
  return s;
}

/// `height` from 0 (nothing) to 2 radius (all).
inline DiscSegment disc_segment(double radius, double height) noexcept {
  if (!(height > 0) || !(radius > 0)) return {};
  const double x = std::fmin(height / (2 * radius), 1);
  if (x < 0.15) return thin_segment(radius, height, x);
  // Of the smaller part: near the whole disc √x has no digits left for what is missing.
  const double angle =
      x < 0.5 ? 2 * std::asin(std::sqrt(x)) : std::numbers::pi - 2 * std::asin(std::sqrt(1 - x));
  const double sine = 2 * std::sqrt(x * (1 - x)), cosine = 1 - 2 * x, sc = sine * cosine;
  const double r2 = radius * radius;
  const double toward = 2.0 / 3 * radius * r2 * sine * sine * sine;  // ∫ of the distance y = ρ − u
  const double square = 0.25 * r2 * r2 * (angle - sc * (1 - 2 * sine * sine));  // ∫y²
  DiscSegment s;
  s.area = r2 * (angle - sc);
  s.u = radius * s.area - toward;
  s.uu = r2 * s.area - 2 * radius * toward + square;
  s.vv = 0.25 * r2 * r2 * (angle - sc - 2.0 / 3 * sine * sine * sc);
  s.half_angle = angle;
  s.chord = 2 * radius * sine;
  return s;
}

}  // namespace bristle::detail
