#include "bristle/area/ellipsoid_law.hpp"

#include <cmath>
#include <utility>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "bristle/area/exact.hpp"
#include "bristle/core/error.hpp"

namespace bristle {
namespace {

/// B of an ellipsoid about the centre of pressure whose torque there is at most `torque`.
Eigen::Matrix3d about_centre(const PressedArea& area, double torque) {
  const Point2 c = area.centre();
  Eigen::Matrix3d g = Eigen::Matrix3d::Identity();
  g(0, 2) = -c.y();
  g(1, 2) = c.x();
  return g.transpose() * Planar(1, 1, torque * torque).asDiagonal() * g;
}

}  // namespace

EllipsoidLaw::EllipsoidLaw(const Eigen::Matrix3d& b, std::string name)
    : AreaLaw(b(2, 2) > 0 ? std::sqrt(b(2, 2)) : 1), b_(b), name_(std::move(name)) {
  const Eigen::LLT<Eigen::Matrix3d> factor(b);
  if (factor.info() != Eigen::Success || !b.isApprox(b.transpose(), 1e-12)) {
    throw InputError({.message = "no ellipsoid for a limit surface: is all pressure in one point?",
                      .expected = "a symmetric, positive definite matrix"});
  }
  inverse_ = b.inverse();
}

EllipsoidLaw EllipsoidLaw::of(const PressedArea& area) {
  const double torque = area_moment(area.moved(-area.centre()), 0, 0, -1);
  return {about_centre(area, torque), "ellipsoid"};
}

EllipsoidLaw EllipsoidLaw::contensou(const PressedArea& area) {
  const double squared = area.gyration() * area.gyration() - area.centre().squaredNorm();
  return {about_centre(area, std::sqrt(std::fmax(squared, 0))), "contensou"};
}

double EllipsoidLaw::speed(const Planar& motion) const noexcept {
  const double size = motion.stableNorm();
  if (!(size > 0)) return 0;
  const Planar unit = motion / size;
  return size * std::sqrt(unit.dot(b_ * unit));
}

Planar EllipsoidLaw::sliding(const Planar& motion) const noexcept {
  const double total = speed(motion);
  return total > 0 ? Planar(b_ * (motion / total)) : Planar::Zero();
}

Eigen::Matrix3d EllipsoidLaw::derivative(const Planar& motion) const noexcept {
  const double total = speed(motion);
  if (!(total > 0)) return Eigen::Matrix3d::Zero();
  const Planar s = b_ * (motion / total);
  return (b_ - s * s.transpose()) / total;
}

Hold EllipsoidLaw::hold(const Planar& wrench) const noexcept {
  Planar motion = inverse_ * wrench;
  const double xi = speed(motion);  // √(w·B⁻¹ w)
  if (!(xi > 0)) return {};
  motion.z() *= length();
  return {xi, motion.stableNormalized(), true};
}

}  // namespace bristle
