#include "bristle/area/disc.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace bristle {
namespace {

constexpr double pi = std::numbers::pi;

/// The integrals B, D and C of the header.
struct Elliptic {
  double b = 0, d = 0, c = 0;
};

/// By the arithmetic-geometric mean: K = π/(2 a_∞), and with c_{n+1} = c_n²/(4 a_{n+1}), c_0² = q,
/// D = K (½ + Σ_{n≥1} 2^{n−1} c_n²/q). C takes another 1/q out of that sum, which begins with q².
Elliptic elliptic(double q, double complement) noexcept {  // complement = √(1 − q) > 0
  double a = (1 + complement) / 2, g = std::sqrt(complement);
  const double first = 1 / (4 * a);  // c_1/q
  double c = q * first, power = 2, sum = 2 * first * first;
  while (c > 1e-9 * a) {
    const double mean = (a + g) / 2;
    g = std::sqrt(a * g);
    c = c * c / (4 * mean);
    a = mean;
    power *= 2;
    sum += power * (c / q) * (c / q);
  }
  const double big_k = pi / (a + g), s = q * sum / 2;
  return {big_k * (0.5 - s), big_k * (0.5 + s), big_k * sum};
}

/// Σ_n (±½)_n/n! e^{2n} / ((2n+1)(2n+3)[(2n+5)]), the two integrals for e ≤ ½.
LimitPoint hertz_series(double e) noexcept {
  const double q = e * e;
  double root = 1, inverse = 1, force = 0, torque = 0;
  for (int n = 0; n < 40; ++n) {
    const double odd = (2 * n + 1) * (2 * n + 3);
    force += root / odd;
    torque += inverse / (odd * (2 * n + 5));
    root *= q * (n - 0.5) / (n + 1);
    inverse *= q * (n + 0.5) / (n + 1);
    if (inverse < std::numeric_limits<double>::epsilon()) break;
  }
  return {3 * force, 3 * e * torque};
}

/// p = sin φ/e.
LimitPoint hertz_closed(double e) noexcept {
  const double a = std::asin(e), cosine = std::sqrt((1 - e) * (1 + e)), q = e * e;
  const double sc = e * cosine, sin2 = 2 * sc, sin4 = 2 * sin2 * (1 - 2 * q);
  const double force = 0.75 / e * (a + sc - (a / 4 - sin4 / 16) / q);
  const double fourth = (0.75 * a - sin2 / 2 + sin4 / 16) / (q * q);
  return {force, 3.0 / 16 * (2 * a - 2 * (a - sc) / q + fourth)};
}

}  // namespace

LimitPoint disc_friction(double v, double omega_r) noexcept {
  if (!(v > 0)) return {0, omega_r > 0 ? 2.0 / 3 : 0};
  if (!(omega_r > 0)) return {1, 0};
  const bool spins = v <= omega_r;
  const double e = spins ? v / omega_r : omega_r / v, q = e * e, rest = (1 - e) * (1 + e);
  if (rest <= 0) return {8 / (3 * pi), 8 / (9 * pi)};
  const auto [b, d, c] = elliptic(q, std::sqrt(rest));
  const double force = 4 / (3 * pi) * (2 * b + rest * d);
  if (!spins) return {force, 4 * e / (9 * pi) * (2 * b + rest * c)};
  return {e * force, 4 / (9 * pi) * ((3 - q) * b + rest * (3 - 2 * q) * d)};
}

LimitPoint hertz_disc_friction(double v, double omega_r) noexcept {
  if (!(v > 0)) return {0, omega_r > 0 ? 3 * pi / 16 : 0};
  if (!(omega_r > 0)) return {1, 0};
  if (v <= omega_r) {
    const double k = v / omega_r, q = k * k;
    return {3 * pi / 32 * k * (4 - q), 3 * pi / 128 * (8 - 8 * q + 3 * q * q)};
  }
  const double e = omega_r / v;
  return e < 0.5 ? hertz_series(e) : hertz_closed(e);
}

}  // namespace bristle
