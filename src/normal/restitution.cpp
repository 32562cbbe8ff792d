#include "bristle/normal/restitution.hpp"

#include <cmath>
#include <limits>

namespace bristle::normal {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// r(x) = (x²/2 − x + ln(1 + x))/x³ = 1/3 − x/4 + x²/5 − …, for x > −1: what is left of the
/// logarithm without its first two terms.
double log_rest(double x) {
  if (std::abs(x) >= 0.5) return (0.5 * x * x - x + std::log1p(x)) / (x * x * x);
  double sum = 0;
  for (int n = 52; n >= 0; --n) sum = 1.0 / (n + 3) - x * sum;
  return sum;
}

/// q − 1 + exp(−q) = q²/2 − q³/6 + …
double exp_rest(double q) {
  if (q >= 0.5) return q + std::expm1(-q);
  double sum = 0;
  for (int n = 15; n >= 2; --n) sum = 1.0 - q * sum / (n + 1);
  return 0.5 * q * q * sum;
}

/// u for e above one half. With ln(1 + x) = x − x²/2 + x³ r(x) the relation becomes
/// u [r(u) + e³ r(−e u)] = (1 − e²)/2, in which nothing cancels; u ≈ 1.5 (1 − e)/(1 − e + e²).
double solve_u_of_elastic(double e) {
  const double target = 0.5 * (1 - e) * (1 + e), cube = e * e * e;
  const auto rest = [&](double u) { return log_rest(u) + cube * log_rest(-e * u); };
  double u0 = 1.5 * (1 - e) / (1 - e + e * e);
  double u1 = target / rest(u0);
  double h0 = u0 * rest(u0) - target;
  for (int i = 0; i < 50; ++i) {
    const double h1 = u1 * rest(u1) - target;
    if (h1 == h0 || std::abs(u1 - u0) <= epsilon * u1) break;
    const double next = u1 - h1 * (u1 - u0) / (h1 - h0);
    u0 = u1;
    h0 = h1;
    u1 = next;
  }
  return u1;
}

/// d for e up to one half: ln(1 + d/e) + q = d (1 + 1/e) in q = −ln(1 − d), which stays finite
/// where 1 − d underflows. Newton from above the root, where the curve bends upwards.
double solve_d_of_damped(double e) {
  const double sum = 1 + 1 / e;
  double q = sum;
  for (int i = 0; i < 100; ++i) {
    const double d = -std::expm1(-q);
    const double residual = std::log1p(d / e) + q - d * sum;
    const double slope = 1 + std::exp(-q) * (1 / (e + d) - sum);
    const double step = residual / slope;
    q -= step;
    if (std::abs(step) <= 2 * epsilon * q) break;
  }
  return -std::expm1(-q);
}

}  // namespace

double solve_d(double e) noexcept {
  if (e >= 1.0) return 0.0;
  if (e < 0.01) return 1.0;  // 1 − d < 1e-42
  return e > 0.5 ? e * solve_u_of_elastic(e) : solve_d_of_damped(e);
}

double effective_restitution(double u) noexcept {
  if (u < 1e-9) return 1 - 2.0 / 3 * u;
  if (u > 1e300) return 1 / u;
  // The right side of q − 1 + exp(−q) = u − ln(1 + u), with 1 − e u = exp(−q).
  const double loss = u < 0.5 ? u * u * (0.5 - u * log_rest(u)) : u - std::log1p(u);
  const double small = std::sqrt(2 * loss);
  double q = loss < 2 ? small + loss / 3 : loss + 1;
  for (int i = 0; i < 100; ++i) {
    const double step = (exp_rest(q) - loss) / -std::expm1(-q);
    q -= step;
    if (std::abs(step) <= 2 * epsilon * q) break;
  }
  return -std::expm1(-q) / u;
}

}  // namespace bristle::normal
