#pragma once

/// I_{0,0}: friction over an area as a ratio with numerators linear in the motion.
///
///   T_sx = (v_x − b c_{0,1,1} ω)/Λ,   T_sy = (v_y + b c_{1,0,1} ω)/Λ
///   M_s  = (b c_{0,0,−1} ω − c_{0,1,0} v_x + c_{1,0,0} v_y)/Λ,    Λ = (|v|^m + b^m |ω|^m)^{1/m}
///
/// Kudra and Awrejcewicz (3.4), where the print's exponent m−1 is 1/m. c are moments of the
/// pressure, c_{i,j,k} = ∬ x^i y^j (x²+y²)^{−k/2} σ. In matrix form s = A t/Λ(t), and hence
///
///   ξ = Λ(A⁻¹ w),   direction A⁻¹ w
///
/// in closed form. Of a round area it is exact in pure sliding and pure spin; b, in m, sets which
/// way the area slips and m the shape of the limit surface |T|^m + |M/c|^m = 1: m = 2 is Howe and
/// Cutkosky's ellipsoid, and only b = c then dissipates most.
///
/// Limits: convex for m ≥ 1 only. On a uniform disc the best (m, b) is (1.744, 0.673 R) with errors
/// up to 0.11 μN; the example of the source, (2, R), is off by up to 0.24.

#include <Eigen/Core>

#include "bristle/area/law.hpp"

namespace bristle {

/// Moments of the pressure that I_{0,0} asks for; those of a uniform disc of radius 1.
struct LinearMoments {
  double c01 = 0, c10 = 0;            ///< c_{0,1,1}, c_{1,0,1}: mean direction of the points
  double distance = 2.0 / 3;          ///< c_{0,0,−1}: mean distance from the pole, m
  double centre_x = 0, centre_y = 0;  ///< c_{1,0,0}, c_{0,1,0}: centre of pressure, m
};

class LinearRatioLaw final : public AreaLaw {
 public:
  /// m > 0, b > 0 in m.
  LinearRatioLaw(const LinearMoments& c, double m, double b);

  std::string name() const override { return "I00"; }
  Planar sliding(const Planar& motion) const noexcept override;
  double speed(const Planar& motion) const noexcept override;
  Planar speed_gradient(const Planar& motion) const noexcept override;
  Eigen::Matrix3d derivative(const Planar& motion) const noexcept override;
  Hold hold(const Planar& wrench) const noexcept override;
  bool is_associated() const noexcept override;

  double m() const noexcept { return m_; }
  double b() const noexcept { return b_; }

 private:
  Eigen::Matrix3d a_, inverse_;
  double m_, b_;
  bool flat_;  ///< A has no inverse: all pressure in one point
};

}  // namespace bristle
