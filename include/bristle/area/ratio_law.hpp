#pragma once

/// I_{n1,n2}: ratios of polynomials in v and ω that match the exact friction at both ends.
///
///   f = Σ a_{f,i} v^{n−i} ω^i / (|v|^{mn} + b^m |ω|^{mn})^{1/m},   n = n1 + n2 + 1 ≤ 3
///
/// for f = T_sx, T_sy, M_s (Kudra and Awrejcewicz (3.1)–(3.3); the print's exponent m−1 is 1/m).
/// The n+1 coefficients of each depend on the direction e of v and match the exact friction to
/// order n1 in k = v/ω at pure spin and to order n2 in κ = ω/v at pure sliding:
///
///   spin     T = T_0 + S e k + T_2(e) k² …,         M = c_{0,0,−1} − ½ e·S e k² …
///   sliding  T = e + (e·c̄) Je κ + [Je (Je·C e) − ½ e (e·C e)] κ² …
///            M = e·Jc̄ + e·C e κ + 3/2 ∬σ (Je·r)(e·r)² κ² …
///
/// T_0 = ∬σ Jr/|r|, S = ∬σ rrᵀ/|r|³, C = ∬σ rrᵀ, c̄ the centre of pressure, J a quarter turn. The
/// matching needs mn > max(n1, n2). For even n the terms of the spin's end carry sgn ω (the print
/// says odd). m and b, in m^n, may be one pair or one for the force and another for the torque, and
/// come from a fit (fit.hpp).
///
/// T_2 as an integral, ∬σ (…)/|r|², has no absolute limit at the pole; it exists by symmetry where
/// the pressure is smooth there. I_{2,0} is the only one to need it and takes it from differences
/// of the exact friction; an area with an edge through the pole has none and is refused.
///
/// Limits: on a uniform disc (one pair, rms error) I_{0,0} 0.076, I_{1,0} 0.062, I_{0,1} 0.048,
/// I_{1,1} 0.021, but I_{2,0} and I_{0,2} 0.165: their numerators change sign, so the limit surface
/// folds and `hold` is not unique. I_{0,0} with two pairs has 0.019. None is associated.

#include <array>

#include "bristle/area/linear_ratio_law.hpp"
#include "bristle/area/pressed_area.hpp"

namespace bristle {

/// What the ends of the exact friction are, to second order.
struct RatioMoments {
  LinearMoments linear;
  Eigen::Matrix2d spin = Eigen::Matrix2d::Identity();           ///< S, 1/m
  Eigen::Matrix2d second = 0.25 * Eigen::Matrix2d::Identity();  ///< C, m²
  std::array<double, 4> third{};                                ///< c_{3,0,0} … c_{0,3,0}, m³
  /// T_2(φ) = bend[0] + bend[1] cos 2φ + bend[2] sin 2φ, 1/m².
  std::array<Eigen::Vector2d, 3> bend{Eigen::Vector2d::Zero(), Eigen::Vector2d::Zero(),
                                      Eigen::Vector2d::Zero()};

  /// `with_bend` costs a few exact frictions and throws InputError where there is no T_2.
  static RatioMoments of(const PressedArea& area, bool with_bend = false);
};

/// Exponent and weight of the spin in the denominator.
struct RatioPair {
  double m = 2, b = 1;
};

class RatioLaw final : public AreaLaw {
 public:
  RatioLaw(const RatioMoments& moments, int n1, int n2, RatioPair pair)
      : RatioLaw(moments, n1, n2, pair, pair) {}
  /// Separate pairs. Throws InputError for orders beyond n = 3 and pairs that are not positive.
  RatioLaw(const RatioMoments& moments, int n1, int n2, RatioPair force, RatioPair torque);

  std::string name() const override;
  Planar sliding(const Planar& motion) const noexcept override;
  double speed(const Planar& motion) const noexcept override;
  RatioPair force_pair() const noexcept { return force_; }
  RatioPair torque_pair() const noexcept { return torque_; }

  /// Numerators without b: the friction is (low + b high)/‖(v^n, b |ω|^n)‖_m.
  struct Parts {
    Planar low, high;
    double v, spin;  ///< v^n, |ω|^n
  };
  Parts parts(const Planar& motion) const noexcept;

 private:
  Eigen::Vector2d bend(const Eigen::Vector2d& e) const noexcept;
  /// Coefficients of κ^i at pure sliding and of k^j at pure spin.
  Planar sliding_end(int i, const Eigen::Vector2d& e) const noexcept;
  Planar spinning_end(int j, const Eigen::Vector2d& e) const noexcept;

  RatioMoments c_;
  int n1_, n2_;
  RatioPair force_, torque_;
};

/// (x^m + y^m)^{1/m} of numbers that are not negative.
double power_norm(double x, double y, double m) noexcept;

}  // namespace bristle
