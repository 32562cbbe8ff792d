#pragma once

/// A convex polynomial of fourth degree for the limit surface (Zhou, Paolini, Bagnell and Mason
/// 2016), from the exact surface or from data.
///
///   H(w) = 1 on the surface,   ξ = H(w)^{1/4},   direction ∇H(w)
///
/// H is homogeneous in (T_x, T_y, M/L) with 15 coefficients. `sliding` is the inverse: the w that
/// makes most of w·t on H = 1, by Newton's method on the convex function H(y)/4 − y·t.
///
/// H must be convex, which the law checks. The fits, to an exact surface or to measured pushes, are
/// in push_fit.hpp and give nothing else.
///
/// Limits: associated by construction, also where the data are not. Two or more supports make a
/// surface with flats and edges that a quartic rounds off.

#include <array>

#include "bristle/area/law.hpp"

namespace bristle {

/// Coefficients of x^i y^j z^k, i + j + k = 4, by falling i, then falling j:
/// x⁴, x³y, x³z, x²y², x²yz, x²z², xy³, xy²z, xyz², xz³, y⁴, y³z, y²z², yz³, z⁴.
using Quartic = std::array<double, 15>;

class QuarticLaw final : public AreaLaw {
 public:
  /// In (T_x, T_y, M/length). Throws InputError if H is not convex.
  QuarticLaw(const Quartic& h, double length);

  std::string name() const override { return "quartic"; }
  Planar sliding(const Planar& motion) const noexcept override;
  Hold hold(const Planar& wrench) const noexcept override;
  bool is_associated() const noexcept override { return true; }
  const Quartic& coefficients() const noexcept { return h_; }

 private:
  Quartic h_;
};

/// H and its derivatives at a point.
struct QuarticValue {
  double value = 0;
  Planar gradient = Planar::Zero();
  Eigen::Matrix3d hessian = Eigen::Matrix3d::Zero();
};
QuarticValue quartic_value(const Quartic& h, const Planar& w) noexcept;
/// How far H is inside the convex quartics: the largest least eigenvalue of its Gram matrices
/// (push_fit.hpp) after its axes are scaled to 1 on x⁴, y⁴, z⁴. Convex if not below 0, but for
/// 1e-7; −1 if one of these coefficients is not positive.
double quartic_margin(const Quartic& h);

}  // namespace bristle
