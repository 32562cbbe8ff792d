#pragma once

/// Limit surfaces from pairs of a wrench and the motion it caused (Zhou, Paolini, Bagnell and Mason
/// 2016), measured in pushes or taken from another law.
///
///   std::vector<LimitSample> pairs = …;
///   const QuarticFit fit = fit_quartic(pairs, 0.05, {.lambda = 2});
///   const QuarticLaw law(fit.coefficients, 0.05);
///   mean_angle(law, others, 0.05);                        // rad, on pairs it has not seen
///
/// A surface H(w) = 1, w = (T_x, T_y, M/L), is to pass through the wrenches and to have the motions
/// V = (v_x, v_y, Lω)/|·| for normals. With δ_i the distance of ∇H(w_i) from the ray along V_i,
///
///   quartic     min  λ‖h‖ + β √Σ (H(w_i) − 1)² + √Σ δ_i²,      H convex
///   ellipsoid   min  λ‖A‖ + β Σ |w_i·A w_i − 1| + Σ δ_i,       A positive definite, δ of A w
///
/// Both are convex problems; the norms are smoothed a little and the matrices are kept positive
/// definite by a barrier. A quartic in three variables is convex exactly if its second derivative
/// is a sum of squares, that is if one of its 9×9 Gram matrices is positive semidefinite (Ahmadi,
/// Blekherman and Parrilo, arXiv 2404.14440): 15 coefficients and 9 free entries are all there is
/// to find, and no convex quartic is left out.
///
/// λ holds back coefficients that few pairs leave open; it belongs to the unit of the wrenches
/// (values from 0.1 to 16 suit a few newtons) and is best chosen with pairs that are put aside. λ =
/// 0 suits many pairs without noise.
///
/// Limits: a fit knows only what the pairs show: motions that no push excites are guessed. Where
/// the places that carry the load are known, support_fit.hpp does better with fewer.

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "bristle/area/quartic_law.hpp"

namespace bristle {

/// A wrench (T_x, T_y, M) on the surface, in any unit (laws of areas: in units of μN), and the
/// motion (v_x, v_y, ω) that goes with it. A motion of zero says that it is not known.
struct LimitSample {
  Planar wrench = Planar::Zero();
  Planar motion = Planar::Zero();
};

struct LimitFitOptions {
  double lambda = 0;  ///< weight of the coefficients' norm
  double beta = 1;    ///< weight of passing through the wrenches
};

struct QuarticFit {
  Quartic coefficients{};
  double radius_rms = 0;  ///< of ξ − 1
  double angle_rms = 0;   ///< between motions and normals, rad
};
/// Throws InputError if there are no pairs or a number is not finite.
QuarticFit fit_quartic(std::span<const LimitSample> samples, double length,
                       const LimitFitOptions& options = {});

struct EllipsoidFit {
  Eigen::Matrix3d a = Eigen::Matrix3d::Identity();  ///< w·A w = 1 in (T_x, T_y, M/L)
  double length = 1;                                ///< L

  /// B of EllipsoidLaw, in (T_x, T_y, M).
  Eigen::Matrix3d b() const;
};
EllipsoidFit fit_ellipsoid(std::span<const LimitSample> samples, double length,
                           const LimitFitOptions& options = {});

/// The same weights for wrenches of any size and unit: those of wrenches over `size`, their root
/// mean square, for a form of that degree (4 or 2). λ = 0.1, β = 3 is what λ = 4, β = 1 is to
/// wrenches of 3.5 N and a quartic.
LimitFitOptions for_wrenches_of(double size, int degree, const LimitFitOptions& relative) noexcept;
/// Root mean square of (T_x, T_y, M/L); samples without a wrench are left out.
double wrench_size(std::span<const LimitSample> samples, double length) noexcept;

using LimitFitter = std::function<std::unique_ptr<AreaLaw>(std::span<const LimitSample>)>;
/// Angles between the motion of each sample and that predicted by a law fitted to the others, rad:
/// sample i is left out with all j ≡ i modulo `folds`; folds = 0 leaves out one at a time. At least
/// two samples and two folds.
std::vector<double> left_out_angles(std::span<const LimitSample> samples, double length,
                                    std::size_t folds, const LimitFitter& fit);

/// Samples of a law's limit surface, evenly over the sphere of (v_x, v_y, L ω).
std::vector<LimitSample> limit_samples(const AreaLaw& law, int count);

/// (v_x, v_y, Lω)/|·| of a motion; zero of none.
Planar unit_motion(const Planar& motion, double length) noexcept;
/// The unit motion that the law gives for a wrench.
Planar predicted_motion(const AreaLaw& law, const Planar& wrench, double length) noexcept;
/// Angle between two unit motions, rad.
double motion_angle(const Planar& a, const Planar& b) noexcept;
/// Mean angle between the motions and those that the law predicts, rad; samples without a motion
/// are left out.
double mean_angle(const AreaLaw& law, std::span<const LimitSample> samples, double length) noexcept;

}  // namespace bristle
