#pragma once

/// A convex polynomial of fourth degree for the limit surface (Zhou, Paolini, Bagnell and Mason
/// 2016), from the exact surface or from data.
///
///   H(w) = 1 on the surface,   ξ = H(w)^{1/4},   direction ∇H(w)
///
/// H is homogeneous in (T_x, T_y, M/L) with 15 coefficients. `sliding` is the inverse: the w that
/// makes most of w·t on H = 1, by Newton's method on the convex function H(y)/4 − y·t.
///
/// Convexity is by construction: the fit stays among sums of fourth powers Σ x_k (l_k·w)⁴, x_k ≥ 0,
/// each of which is convex. A quartic is such a sum exactly if the 6×6 matrix of its coefficients
/// (its catalecticant) is positive semidefinite, since in three variables every quartic that is
/// never negative is a sum of squares. There are convex quartics outside; limit surfaces of areas
/// are well inside.
///
/// Limits: associated by construction, also where the data are not. Two or more supports make a
/// surface with flats and edges that a quartic rounds off.

#include <array>
#include <span>
#include <vector>

#include "bristle/area/law.hpp"

namespace bristle {

/// Coefficients of x^i y^j z^k, i + j + k = 4, by falling i, then falling j:
/// x⁴, x³y, x³z, x²y², x²yz, x²z², xy³, xy²z, xyz², xz³, y⁴, y³z, y²z², yz³, z⁴.
using Quartic = std::array<double, 15>;

class QuarticLaw final : public AreaLaw {
 public:
  /// In (T_x, T_y, M/length). Throws InputError if H is not a sum of fourth powers.
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
/// The least eigenvalue of the catalecticant over the largest: not below 0 for sums of fourth
/// powers.
double quartic_margin(const Quartic& h);

/// A wrench on the surface, in units of μN, and the motion (v_x, v_y, ω) that goes with it; a zero
/// of either kind says that it is not known.
struct LimitSample {
  Planar wrench = Planar::Zero();
  Planar motion = Planar::Zero();
  double weight = 1;
};

struct QuarticFitOptions {
  double flow = 1;      ///< weight of the motions' directions (rad) beside the relative radius
  double ridge = 1e-6;  ///< pull towards the ball, for data that do not settle all coefficients
};
struct QuarticFit {
  Quartic coefficients{};
  double radius_rms = 0;  ///< of ξ − 1
  double angle_rms = 0;   ///< between motions and normals, rad
  bool at_bound = false;  ///< convexity cost something
};
/// Least squares over the samples. Throws InputError if there are none or a number is not finite.
QuarticFit fit_quartic(std::span<const LimitSample> samples, double length,
                       const QuarticFitOptions& options = {});
/// Samples of a law's limit surface, evenly over the sphere of (v_x, v_y, L ω).
std::vector<LimitSample> limit_samples(const AreaLaw& law, int count);

}  // namespace bristle
