#include "bristle/identify/linear.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include <Eigen/QR>
#include <Eigen/SVD>
#include <fmt/format.h>

#include "bristle/core/error.hpp"

namespace bristle {
namespace {

constexpr double dependent = 1e-10;  // singular values below this share of the largest count as 0
constexpr double confidence = 0.95;
constexpr double infinite = std::numeric_limits<double>::infinity();

void require_sound(const LinearProblem& problem) {
  const Eigen::Index samples = problem.regressors.rows(), parameters = problem.regressors.cols();
  if (problem.measured.size() != samples ||
      static_cast<Eigen::Index>(problem.names.size()) != parameters ||
      (problem.weights.size() != 0 && problem.weights.size() != samples)) {
    throw std::invalid_argument(
        fmt::format("linear fit of {} names, {} x {} regressors, {} measured values and {} weights",
                    problem.names.size(), samples, parameters, problem.measured.size(),
                    problem.weights.size()));
  }
  if (parameters == 0 || samples <= parameters) {
    throw InputError({.message = fmt::format("{} samples for {} parameters", samples, parameters),
                      .expected = "more samples than parameters"});
  }
  if (!problem.measured.allFinite()) {
    throw InputError({.message = "a measured value is not a finite number"});
  }
  for (Eigen::Index j = 0; j < parameters; ++j) {
    if (problem.regressors.col(j).allFinite()) continue;
    throw InputError({.message = "a value of this regressor is not a finite number",
                      .key = problem.names[static_cast<std::size_t>(j)]});
  }
  if (problem.weights.size() != 0 &&
      !((problem.weights.array() > 0.0).all() && problem.weights.allFinite())) {
    throw InputError({.message = "a weight is not a positive number"});
  }
}

/// Neighbours' products over squares.
double autocorrelation_of(const Eigen::VectorXd& r) {
  const double squares = r.squaredNorm();
  const Eigen::Index n = r.size() - 1;
  return squares > 0.0 ? r.head(n).dot(r.tail(n)) / squares : 0.0;
}

/// θ and (XᵀWX)⁻¹ from the triangle of the QR decomposition, in columns of length 1.
class Solution {
 public:
  Solution(const Eigen::MatrixXd& x, const Eigen::VectorXd& y) {
    const Eigen::Index p = x.cols();
    length_ = x.colwise().norm().transpose();
    for (double& length : length_) length = length > 0.0 ? length : 1.0;  // a column of zeros
    const Eigen::HouseholderQR<Eigen::MatrixXd> qr(x * length_.cwiseInverse().asDiagonal());
    const Eigen::MatrixXd triangle = qr.matrixQR().topRows(p).triangularView<Eigen::Upper>();
    const Eigen::VectorXd rotated = (qr.householderQ().adjoint() * y).head(p);
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(triangle,
                                                Eigen::ComputeFullU | Eigen::ComputeFullV);
    const Eigen::VectorXd& sizes = svd.singularValues();
    const double largest = sizes[0];
    rank = (sizes.array() > dependent * largest).count();
    condition = rank == p ? largest / sizes[p - 1] : infinite;
    const Eigen::MatrixXd kept = svd.matrixV().leftCols(rank);
    const Eigen::VectorXd inverse = sizes.head(rank).cwiseInverse();
    estimate =
        unscaled(kept * inverse.asDiagonal() * svd.matrixU().leftCols(rank).transpose() * rotated);
    const Eigen::MatrixXd root = length_.cwiseInverse().asDiagonal() * kept * inverse.asDiagonal();
    inverse_normal = root * root.transpose();
    free = svd.matrixV().rightCols(p - rank).rowwise().norm();
  }

  Eigen::VectorXd estimate{};
  Eigen::MatrixXd inverse_normal{};
  Eigen::VectorXd free{};  ///< how far each parameter may move with no change of Xθ, of 1
  Eigen::Index rank = 0;
  double condition = 1;

 private:
  Eigen::VectorXd unscaled(const Eigen::VectorXd& scaled) const {
    return scaled.cwiseQuotient(length_);
  }

  Eigen::VectorXd length_{};
};

void judge(LinearFit& fit, const Solution& solution, double variance) {
  const double t = student_t(confidence, static_cast<double>(fit.freedom));
  const Eigen::Index p = fit.estimate.size();
  constexpr double moves = 1e-6;
  fit.covariance = variance * solution.inverse_normal;
  fit.standard_error.resize(p);
  for (Eigen::Index j = 0; j < p; ++j) {
    const bool determined = !(solution.free[j] > moves);
    if (!determined) fit.covariance(j, j) = infinite;
    fit.determined.push_back(determined);
    fit.standard_error[j] = std::sqrt(fit.covariance(j, j));
  }
  fit.low = fit.estimate - t * fit.standard_error;
  fit.high = fit.estimate + t * fit.standard_error;
}

}  // namespace

LinearProblem LinearProblem::rows(Eigen::Index first, Eigen::Index count) const {
  return {
      .names = names,
      .regressors = regressors.middleRows(first, count),
      .measured = measured.segment(first, count),
      .weights = weights.size() == 0 ? weights : Eigen::VectorXd(weights.segment(first, count))};
}

LinearFit fit_linear(const LinearProblem& problem) {
  require_sound(problem);
  const bool weighted = problem.weights.size() != 0;
  const Eigen::VectorXd root = weighted ? Eigen::VectorXd(problem.weights.cwiseSqrt())
                                        : Eigen::VectorXd::Ones(problem.samples());
  const Solution solution = weighted ? Solution(root.asDiagonal() * problem.regressors,
                                                root.cwiseProduct(problem.measured))
                                     : Solution(problem.regressors, problem.measured);
  LinearFit fit{.names = problem.names, .estimate = solution.estimate};
  fit.samples = problem.samples();
  fit.rank = solution.rank;
  fit.freedom = fit.samples - fit.rank;
  fit.condition = solution.condition;
  fit.residuals = problem.measured - problem.regressors * fit.estimate;
  const auto n = static_cast<double>(fit.samples), p = static_cast<double>(fit.rank);
  const double squares = fit.residuals.cwiseProduct(root).squaredNorm();
  fit.residual_rms = fit.residuals.norm() / std::sqrt(n);
  fit.relative_error = relative_error(problem, fit.estimate);
  fit.autocorrelation = autocorrelation_of(fit.residuals);
  fit.aic = n * std::log(squares / n) + 2.0 * p;
  fit.bic = n * std::log(squares / n) + p * std::log(n);
  judge(fit, solution, squares / static_cast<double>(fit.freedom));
  return fit;
}

double relative_error(const LinearProblem& problem, const Eigen::VectorXd& estimate) {
  const double error = (problem.measured - problem.regressors * estimate).norm();
  return error > 0.0 ? error / problem.measured.norm() : 0.0;
}

HoldOut hold_out(const LinearProblem& problem) {
  const Eigen::Index half = problem.samples() / 2;
  const LinearProblem first = problem.rows(0, half),
                      second = problem.rows(half, problem.samples() - half);
  return {.second_from_first = relative_error(second, fit_linear(first).estimate),
          .first_from_second = relative_error(first, fit_linear(second).estimate)};
}

}  // namespace bristle
