#include "bristle/contact/limit_curve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace bristle {
namespace {

constexpr double pi = std::numbers::pi;

// ---- Tables over the quarter circle ---------------------------------------------------------

constexpr int intervals = 256;
constexpr std::array<double, 3> exponents{0, 1, 2};

/// A smooth function on [0, π/2], by cubics through four neighbours.
struct QuarterTable {
  std::array<double, intervals + 1> value{};

  double operator()(double angle) const noexcept {
    const double x = std::clamp(angle * (2 / pi) * intervals, 0.0, static_cast<double>(intervals));
    const auto i = static_cast<std::size_t>(std::clamp(static_cast<int>(x), 1, intervals - 2));
    const double t = x - static_cast<double>(i);
    const double a = value[i - 1], b = value[i], c = value[i + 1], d = value[i + 2];
    return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
  }
};

struct Profile {
  QuarterTable force, torque;  ///< over β, the angle of the motion
  QuarterTable radius;         ///< over α, the angle of the wrench

  explicit Profile(double k) noexcept {
    for (int i = 0; i <= intervals; ++i) {
      const double beta = pi / 2 * i / intervals;
      const LimitPoint p = profile_friction(k, std::cos(beta), std::sin(beta));
      force.value[static_cast<std::size_t>(i)] = p.force;
      torque.value[static_cast<std::size_t>(i)] = p.torque;
    }
    for (int i = 0; i <= intervals; ++i) {
      radius.value[static_cast<std::size_t>(i)] = radius_at(pi / 2 * i / intervals);
    }
  }
  /// At the motion whose wrench points in this direction, by bisection: α grows with β.
  double radius_at(double alpha) const noexcept {
    double low = 0, high = pi / 2;
    for (int i = 0; i < 52; ++i) {
      const double beta = (low + high) / 2;
      (std::atan2(torque(beta), force(beta)) < alpha ? low : high) = beta;
    }
    return std::hypot(force(low), torque(low));
  }
};

const Profile& profile(int i) noexcept {
  static const std::array<Profile, 3> profiles{Profile(exponents[0]), Profile(exponents[1]),
                                               Profile(exponents[2])};
  return profiles[static_cast<std::size_t>(i)];
}

}  // namespace

/// p = (1−r²)^k, R = 1, is a heap of discs of radius a with the weight −p'(a) = 2 k a (1−a²)^(k−1);
/// ∬p = π/(k+1) and r_gyr² = 1/(k+2).
LimitPoint profile_friction(double k, double v, double spin) noexcept {
  const double r_gyr = 1 / std::sqrt(k + 2), omega = spin / r_gyr;
  if (k == 0) {
    const LimitPoint p = disc_friction(v, omega);
    return {p.force, p.torque / r_gyr};
  }
  // a = sin φ takes the end-point behaviour out; the kink of the disc at a = v/ω is between panels.
  constexpr std::array<double, 4> node{0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                       0.9602898564975363};
  constexpr std::array<double, 4> weight{0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                         0.1012285362903763};
  const double split = v < omega ? std::asin(v / omega) : pi / 4;
  LimitPoint sum;
  const auto panel = [&](double from, double to) {
    const double half = (to - from) / 2, middle = (to + from) / 2;
    for (std::size_t i = 0; i < node.size(); ++i) {
      for (const double side : {-1.0, 1.0}) {
        const double phi = middle + side * half * node[i], a = std::sin(phi), c = std::cos(phi);
        const double mass = (k + 1) * 2 * k * a * a * a * std::pow(c, 2 * k - 1) * weight[i] * half;
        const LimitPoint p = disc_friction(v, omega * a);
        sum.force += mass * p.force;
        sum.torque += mass * p.torque * a / r_gyr;
      }
    }
  };
  // Panels halve towards the kink, where the disc has a logarithm.
  constexpr int panels = 10;
  for (const auto [edge, far] : {std::array{split, 0.0}, std::array{split, pi / 2}}) {
    double outer = far;
    for (int i = 0; i < panels; ++i) {
      const double inner = i == panels - 1 ? edge : edge + (outer - edge) / 2;
      panel(std::min(inner, outer), std::max(inner, outer));
      outer = inner;
    }
  }
  return sum;
}

LimitCurve::LimitCurve(double k) noexcept {
  const double held = std::clamp(k, 0.0, 2.0);
  first_ = held < 1 ? 0 : 1;
  share_ = held - first_;
}

LimitCurve LimitCurve::from_depths(double mean, double largest) noexcept {
  return LimitCurve(mean > 0 ? largest / mean - 1 : 0);
}

LimitPoint LimitCurve::sliding(double v, double spin) const noexcept {
  const double beta = std::atan2(spin, v);
  const Profile &p = profile(first_), &q = profile(first_ + 1);
  const auto blend = [&](double a, double b) { return a + share_ * (b - a); };
  return {blend(p.force(beta), q.force(beta)), blend(p.torque(beta), q.torque(beta))};
}

double LimitCurve::gauge(double force, double torque) const noexcept {
  const double size = std::hypot(force, torque);
  if (!(size > 0)) return 0;
  const double alpha = std::atan2(std::abs(torque), std::abs(force));
  const double a = profile(first_).radius(alpha), b = profile(first_ + 1).radius(alpha);
  return size / (a + share_ * (b - a));
}

}  // namespace bristle
