#pragma once

/// Linear least squares, y = X θ + noise, with what is known about θ afterwards.
///
///   LinearProblem drive{.names = {"M", "Fv"}, .regressors = X, .measured = y};
///   const LinearFit fit = fit_linear(drive);
///   fit.estimate[0], fit.standard_error[0], fit.low[0], fit.high[0];   // the 95 % interval
///   relative_error(other, fit.estimate);                                // on data not fitted
///
/// θ minimises Σ w (y − Xθ)², by QR of the columns scaled to length 1. With residuals r of n
/// samples and p parameters, s² = Σ w r²/(n − p) and cov θ = s² (XᵀWX)⁻¹; intervals are Student's
/// t.
///
/// Standard errors hold if residuals are independent of one another. Filtered signals and models
/// that lack something leave residuals that are not: `autocorrelation` (of neighbours) then is far
/// from 0, and true errors are larger, by about √((1 + ρ)/(1 − ρ)).
///
/// What the data does not determine is said, not guessed: where columns depend on one another (to
/// 1e-10), the parameters concerned have an infinite standard error and `determined` false. Their
/// estimates are those of the shortest θ: good for predictions, without meaning one by one.

#include <string>
#include <vector>

#include <Eigen/Core>

namespace bristle {

struct LinearProblem {
  std::vector<std::string> names{};  ///< of the columns
  Eigen::MatrixXd regressors{};
  Eigen::VectorXd measured{};
  Eigen::VectorXd weights{};  ///< positive, of the squares; empty: all 1

  Eigen::Index samples() const noexcept { return measured.size(); }
  /// Some of the samples, for fits that leave others for a test.
  LinearProblem rows(Eigen::Index first, Eigen::Index count) const;
};

struct LinearFit {
  std::vector<std::string> names{};
  Eigen::VectorXd estimate{}, standard_error{};
  Eigen::VectorXd low{}, high{};  ///< 95 % intervals
  Eigen::MatrixXd covariance{};   ///< infinite on the diagonal of what is not determined
  std::vector<bool> determined{};

  Eigen::Index samples = 0, freedom = 0, rank = 0;
  double condition = 1;         ///< of the scaled columns; infinite if they are dependent
  Eigen::VectorXd residuals{};  ///< y − Xθ
  double residual_rms = 0;      ///< √(Σ r²/n)
  double relative_error = 0;    ///< ‖r‖/‖y‖
  double autocorrelation = 0;   ///< of residuals one sample apart
  double aic = 0, bic = 0;  ///< n ln(Σ w r²/n) + 2p, + p ln n; to compare fits of the same data

  bool all_determined() const noexcept { return rank == estimate.size(); }
};

/// InputError when there are fewer samples than parameters plus one, when numbers are not finite or
/// weights not positive; std::invalid_argument when the sizes do not fit together.
LinearFit fit_linear(const LinearProblem& problem);

/// ‖y − Xθ‖/‖y‖.
double relative_error(const LinearProblem& problem, const Eigen::VectorXd& estimate);

/// The error on the other half of the samples of what each half was fitted to.
struct HoldOut {
  double second_from_first = 0, first_from_second = 0;
};
HoldOut hold_out(const LinearProblem& problem);

/// The t that a Student-distributed number of that freedom stays within with `probability`, on both
/// sides: 1.96 for 0.95 and much freedom.
double student_t(double probability, double freedom);

}  // namespace bristle
