#include "bristle/area/linear_ratio_law.hpp"

#include <cmath>
#include <limits>

#include <Eigen/LU>
#include <fmt/format.h>

#include "bristle/core/error.hpp"

namespace bristle {

LinearRatioLaw::LinearRatioLaw(const LinearMoments& c, double m, double b)
    : AreaLaw(c.distance > 0 ? c.distance : 1), m_(m), b_(b) {
  if (!(m > 0) || !(b > 0) || !std::isfinite(m) || !std::isfinite(b)) {
    throw InputError({.message = fmt::format("I00 with m = {}, b = {}", m, b),
                      .expected = "finite numbers above 0"});
  }
  a_ << 1, 0, -b * c.c01,  //
      0, 1, b * c.c10,     //
      -c.centre_y, c.centre_x, b * c.distance;
  const double det = a_.determinant();
  flat_ = !(std::abs(det) > 1e-14 * b * c.distance);
  inverse_ = flat_ ? Eigen::Matrix3d::Zero() : Eigen::Matrix3d(a_.inverse());
}

double LinearRatioLaw::speed(const Planar& motion) const noexcept {
  const double v = std::hypot(motion.x(), motion.y()), spin = b_ * std::abs(motion.z());
  if (m_ == 2) return std::hypot(v, spin);
  const double large = std::fmax(v, spin), small = std::fmin(v, spin);
  if (!(small > 0)) return large;
  return large * std::pow(1 + std::pow(small / large, m_), 1 / m_);
}

Planar LinearRatioLaw::speed_gradient(const Planar& motion) const noexcept {
  const double total = speed(motion);
  if (!(total > 0)) return Planar::Zero();
  if (m_ == 2) return Planar(motion.x(), motion.y(), b_ * b_ * motion.z()) / total;
  const double v = std::hypot(motion.x(), motion.y()), spin = b_ * std::abs(motion.z());
  const double along = v > 0 ? std::pow(v / total, m_ - 1) / v : 0;
  const double about = spin > 0 ? std::pow(spin / total, m_ - 1) : 0;
  return {along * motion.x(), along * motion.y(), std::copysign(b_ * about, motion.z())};
}

Planar LinearRatioLaw::sliding(const Planar& motion) const noexcept {
  const double total = speed(motion);
  return total > 0 ? Planar(a_ * (motion / total)) : Planar::Zero();
}

Eigen::Matrix3d LinearRatioLaw::derivative(const Planar& motion) const noexcept {
  const double total = speed(motion);
  if (!(total > 0)) return Eigen::Matrix3d::Zero();
  const Planar unit = motion / total;
  return a_ * ((Eigen::Matrix3d::Identity() - unit * speed_gradient(motion).transpose()) / total);
}

Hold LinearRatioLaw::hold(const Planar& wrench) const noexcept {
  if (flat_) return {std::numeric_limits<double>::infinity(), Planar::UnitX(), wrench.isZero(0)};
  Planar motion = inverse_ * wrench;
  const double xi = speed(motion);
  if (!(xi > 0)) return {};
  motion.z() *= length();
  return {xi, motion.stableNormalized(), true};
}

bool LinearRatioLaw::is_associated() const noexcept {
  // A t/√(t·B t) is the gradient of √(t·B t) where A = B = diag(1, 1, b²).
  return m_ == 2 && std::abs(a_(2, 2) - b_ * b_) <= 1e-14 * b_ * b_ && a_(0, 2) == 0 &&
         a_(1, 2) == 0 && a_(2, 0) == 0 && a_(2, 1) == 0;
}

}  // namespace bristle
