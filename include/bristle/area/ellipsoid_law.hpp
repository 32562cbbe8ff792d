#pragma once

/// An ellipsoid for the limit surface: Howe and Cutkosky 1996, and the Contensou factors.
///
///   s = B t/√(t·B t),   w·B⁻¹ w = 1 on the surface,   ξ = √(w·B⁻¹ w),   direction B⁻¹ w
///
/// It is the gradient of √(t·B t), so it dissipates most for the wrench it gives. About the centre
/// of pressure c̄ the half-axes are μN, μN and the torque of pure spin:
///
///   B = Gᵀ diag(1, 1, a²) G,   G t = (v + ω Jc̄, ω)
///
///   ellipsoid   a = ∬σ |r − c̄|, exact in pure sliding and in pure spin about c̄
///   contensou   a the radius of gyration about c̄: the factors C_v = |v|/√(v² + a²ω²) and C_ω of
///               Gonthier and Boos are this ellipsoid
///
/// Limits: on a uniform disc the exact surface lies up to 6.6 % inside the first (annulus 8.8 %),
/// and for a given motion the force is off by up to 0.12 μN. Areas longer than wide get a force
/// that does not know which way they lie.

#include <string>

#include "bristle/area/law.hpp"
#include "bristle/area/pressed_area.hpp"

namespace bristle {

class EllipsoidLaw final : public AreaLaw {
 public:
  /// B must be symmetric and positive definite; throws InputError otherwise.
  EllipsoidLaw(const Eigen::Matrix3d& b, std::string name = "ellipsoid");
  static EllipsoidLaw of(const PressedArea& area);
  static EllipsoidLaw contensou(const PressedArea& area);

  std::string name() const override { return name_; }
  Planar sliding(const Planar& motion) const noexcept override;
  double speed(const Planar& motion) const noexcept override;
  Planar speed_gradient(const Planar& motion) const noexcept override { return sliding(motion); }
  Eigen::Matrix3d derivative(const Planar& motion) const noexcept override;
  Hold hold(const Planar& wrench) const noexcept override;
  bool is_associated() const noexcept override { return true; }
  const Eigen::Matrix3d& matrix() const noexcept { return b_; }  ///< B

 private:
  Eigen::Matrix3d b_, inverse_;
  std::string name_;
};

}  // namespace bristle
