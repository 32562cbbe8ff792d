#pragma once

// Random numbers of a test case: the same for the same seed, on every machine.

#include <cmath>
#include <cstdint>
#include <numbers>

#include <Eigen/Geometry>

#include "bristle/core/random.hpp"
#include "bristle/core/tangent.hpp"

namespace bristle::testing {

class Draw {
 public:
  explicit Draw(int seed) : seed_(static_cast<std::uint64_t>(seed)) {}

  double between(double low, double high) { return low + (high - low) * uniform(seed_, 0, ++n_); }
  /// Evenly in the logarithm.
  double decades(double low, double high) {
    return std::exp(between(std::log(low), std::log(high)));
  }
  /// Of this length, in any direction.
  Tangent<double, 2> vector(double length) {
    const double angle = between(0, 2 * std::numbers::pi);
    return length * Tangent<double, 2>(std::cos(angle), std::sin(angle));
  }

  /// Anywhere in a cube of this half width.
  Eigen::Vector3d place(double size) {
    const double x = between(-size, size), y = between(-size, size);
    return {x, y, between(-size, size)};
  }
  /// Any orientation as likely as any other (Shoemake 1992).
  Eigen::Quaterniond rotation() {
    const double turn = 2 * std::numbers::pi, u = between(0, 1), a = between(0, turn),
                 b = between(0, turn), p = std::sqrt(1 - u), q = std::sqrt(u);
    return {q * std::cos(b), p * std::sin(a), p * std::cos(a), q * std::sin(b)};
  }

 private:
  std::uint64_t seed_, n_ = 0;
};

}  // namespace bristle::testing
