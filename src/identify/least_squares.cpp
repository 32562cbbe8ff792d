#include "bristle/identify/least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <ceres/ceres.h>

namespace bristle {
namespace {

/// The problem in coordinates, as Ceres sees it: one block of unknowns, one of residuals.
class Cost final : public ceres::CostFunction {
 public:
  Cost(const Problem& problem, const Coordinates& coordinates, const LeastSquaresOptions& options)
      : problem_(problem), coordinates_(coordinates), options_(options) {
    set_num_residuals(problem.residuals());
    mutable_parameter_block_sizes()->push_back(coordinates.size());
  }
  bool Evaluate(double const* const* blocks, double* residuals, double** jacobians) const override {
    const auto m = static_cast<std::size_t>(coordinates_.size());
    const auto n = static_cast<std::size_t>(problem_.residuals());
    const std::span<const double> x(blocks[0], m);
    const std::vector<double> p = coordinates_.parameters(x);
    if (jacobians == nullptr || jacobians[0] == nullptr) {
      if (!problem_.evaluate(p, {residuals, n})) return false;
      for (std::size_t k = 0; k < n; ++k) residuals[k] = damped(residuals[k]).value;
      return true;
    }
    const std::span<double> by(jacobians[0], n * m);
    if (!problem_.derivatives(p, {residuals, n}, by)) return false;
    coordinates_.pull_back(x, by);
    for (std::size_t k = 0; k < n && options_.loss != Loss::squares; ++k) {
      const Damped r = damped(residuals[k]);
      residuals[k] = r.value;
      for (std::size_t j = 0; j < m; ++j) by[k * m + j] *= r.slope;
    }
    return true;
  }

 private:
  /// A residual whose square is what the loss makes of it, and its slope by the residual itself.
  struct Damped {
    double value, slope;
  };
  Damped damped(double r) const noexcept {
    const double s = options_.loss_scale, size = std::abs(r);
    if (options_.loss == Loss::huber && size > s) {
      const double root = std::sqrt(2 * s * size - s * s);
      return {std::copysign(root, r), s / root};
    }
    if (options_.loss == Loss::cauchy && size > 1e-9 * s) {
      const double ratio = r / s, root = s * std::sqrt(std::log1p(ratio * ratio));
      return {std::copysign(root, r), size / ((1 + ratio * ratio) * root)};
    }
    return {r, 1};
  }

  const Problem& problem_;
  const Coordinates& coordinates_;
  const LeastSquaresOptions& options_;
};

/// Stops where the cost is low enough, or too high for too long.
class Enough final : public ceres::IterationCallback {
 public:
  explicit Enough(const LeastSquaresOptions& options) : options_(options) {}
  ceres::CallbackReturnType operator()(const ceres::IterationSummary& summary) override {
    const double cost = 2 * summary.cost;
    const bool low = cost <= options_.enough;
    const bool hopeless = cost > options_.hopeless && summary.iteration >= options_.patience;
    return low || hopeless ? ceres::SOLVER_TERMINATE_SUCCESSFULLY : ceres::SOLVER_CONTINUE;
  }

 private:
  const LeastSquaresOptions& options_;
};

}  // namespace

double sum_of_squares(const Problem& problem, const Coordinates& coordinates,
                      std::span<const double> x) {
  std::vector<double> r(static_cast<std::size_t>(problem.residuals()));
  if (!problem.evaluate(coordinates.parameters(x), r)) {
    return std::numeric_limits<double>::infinity();
  }
  double sum = 0;
  for (const double value : r) sum += value * value;
  return std::isfinite(sum) ? sum : std::numeric_limits<double>::infinity();
}

Minimum minimise(const Problem& problem, const Coordinates& coordinates, std::span<const double> x,
                 const LeastSquaresOptions& options, const std::vector<bool>& held) {
  Minimum result;
  result.x.assign(x.begin(), x.end());
  result.cost = sum_of_squares(problem, coordinates, x);
  if (!std::isfinite(result.cost) || result.x.empty()) return result;
  ceres::Problem ceres_problem;
  ceres_problem.AddResidualBlock(new Cost(problem, coordinates, options), nullptr, result.x.data());
  std::vector<int> constant;
  for (int j = 0; j < coordinates.size(); ++j) {
    const auto k = static_cast<std::size_t>(j);
    if (k < held.size() && held[k]) {
      constant.push_back(j);
      continue;
    }
    ceres_problem.SetParameterLowerBound(result.x.data(), j, coordinates.low()[k]);
    ceres_problem.SetParameterUpperBound(result.x.data(), j, coordinates.high()[k]);
  }
  if (static_cast<int>(constant.size()) == coordinates.size()) return result;
  if (!constant.empty()) {
    ceres_problem.SetManifold(result.x.data(),
                              new ceres::SubsetManifold(coordinates.size(), constant));
  }
  ceres::Solver::Options solver;
  solver.linear_solver_type = ceres::DENSE_QR;
  solver.max_num_iterations = options.iterations;
  solver.function_tolerance = options.tolerance;
  solver.parameter_tolerance = options.tolerance;
  solver.gradient_tolerance = 1e-300;  // residuals may be of any size
  // At a bound the step is cut back to it; a search along it would cost three slopes each time.
  solver.max_num_line_search_step_size_iterations = 0;
  solver.num_threads = 1;
  solver.logging_type = ceres::SILENT;
  Enough enough(options);
  solver.callbacks.push_back(&enough);
  ceres::Solver::Summary summary;
  ceres::Solve(solver, &ceres_problem, &summary);
  if (summary.IsSolutionUsable()) result.cost = 2 * summary.final_cost;
  result.iterations = static_cast<int>(summary.iterations.size());
  result.converged = summary.termination_type == ceres::CONVERGENCE;
  return result;
}

}  // namespace bristle
