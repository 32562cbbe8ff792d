#pragma once

/// Coulomb friction at a number of small supports, each of which also resists being spun.
///
///   P(t) = Σ p_i √(|v_i|² + a²ω²),   v_i = (v_x − ω y_i, v_y + ω x_i),   Σ p_i = 1
///
/// is the power of friction in units of μN, and (T_s, M_s) its gradient. One support is Howe and
/// Cutkosky's soft finger: an ellipsoid with half-axes 1, 1, a; the limit surface of all is the sum
/// of theirs. A uniform disc of radius R has a = 2R/3 in pure spin. With a → 0 the supports become
/// the points of exact_law.hpp, whose limit surface has flats: there the area turns about one
/// support, and the least change of the wrench's direction changes nothing or all; a > 0 rounds
/// them off. For a wrench w
///
///   1/ξ = min P(t)  where  w·t = 1
///
/// and the direction is where the least is: a smooth convex problem in two unknowns.

#include <span>
#include <vector>

#include "bristle/area/law.hpp"

namespace bristle {

class SupportLaw final : public AreaLaw {
 public:
  /// Shares ≥ 0 of any sum > 0. Throws InputError for others, and for a torsion that is not
  /// positive.
  SupportLaw(std::span<const Point2> places, std::span<const double> shares, double torsion);

  std::string name() const override { return "supports"; }
  Planar sliding(const Planar& motion) const noexcept override;
  Hold hold(const Planar& wrench) const noexcept override;
  bool is_associated() const noexcept override { return true; }

  std::span<const Point2> places() const noexcept { return places_; }
  std::span<const double> shares() const noexcept { return shares_; }

 private:
  /// P with its derivatives in (v_x, v_y, L ω).
  struct Power {
    double value = 0;
    Planar gradient = Planar::Zero();
    Eigen::Matrix3d hessian = Eigen::Matrix3d::Zero();
  };
  double power(const Planar& scaled) const noexcept;
  Power power_and_derivatives(const Planar& scaled) const noexcept;

  std::vector<Point2> places_;
  std::vector<double> shares_;
  double torsion_;
};

}  // namespace bristle
