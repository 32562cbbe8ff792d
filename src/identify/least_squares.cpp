#include "bristle/identify/least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <boost/random/sobol.hpp>
#include <ceres/ceres.h>

namespace bristle {
namespace {

/// The problem in coordinates, as Ceres sees it: one block of unknowns, one of residuals.
class Cost final : public ceres::CostFunction {
 public:
  Cost(const Problem& problem, const Coordinates& coordinates, double blur)
      : problem_(problem), coordinates_(coordinates), offsets_(around(coordinates, blur)) {
    set_num_residuals(problem.residuals());
    mutable_parameter_block_sizes()->push_back(coordinates.size());
  }
  bool Evaluate(double const* const* blocks, double* residuals, double** jacobians) const override {
    const auto m = static_cast<std::size_t>(coordinates_.size());
    const auto n = static_cast<std::size_t>(problem_.residuals());
    const std::span<const double> x(blocks[0], m);
    const std::span<double> r(residuals, n);
    double* slopes = jacobians == nullptr ? nullptr : jacobians[0];
    const std::span<double> by(slopes, slopes == nullptr ? 0 : n * m);
    if (offsets_.empty()) return look(x, r, by);
    std::vector<double> there(m), r_there(n), by_there(by.size());
    std::fill(r.begin(), r.end(), 0.0);
    std::fill(by.begin(), by.end(), 0.0);
    const double share = 1 / static_cast<double>(offsets_.size());
    for (const std::vector<double>& offset : offsets_) {
      for (std::size_t j = 0; j < m; ++j) {
        there[j] = std::clamp(x[j] + offset[j], coordinates_.low()[j], coordinates_.high()[j]);
      }
      if (!look(there, r_there, by_there)) return false;
      for (std::size_t k = 0; k < n; ++k) r[k] += share * r_there[k];
      for (std::size_t k = 0; k < by.size(); ++k) by[k] += share * by_there[k];
    }
    return true;
  }

 private:
  /// Points of a Sobol sequence and their mirror images, so that the mean of a plane is its middle.
  static std::vector<std::vector<double>> around(const Coordinates& c, double blur) {
    if (!(blur > 0)) return {};
    constexpr std::size_t pairs = 8;
    const auto m = static_cast<std::size_t>(c.size());
    boost::random::sobol engine(m);
    std::vector<std::vector<double>> offsets;
    for (std::size_t i = 0; i < pairs; ++i) {
      std::vector<double> offset(m), mirrored(m);
      for (std::size_t j = 0; j < m; ++j) {
        const double u = std::ldexp(static_cast<double>(engine()), -63) - 1;
        offset[j] = blur * u * (c.usual_high()[j] - c.usual_low()[j]);
        mirrored[j] = -offset[j];
      }
      offsets.push_back(std::move(offset));
      offsets.push_back(std::move(mirrored));
    }
    return offsets;
  }
  bool look(std::span<const double> x, std::span<double> r, std::span<double> by) const {
    const std::vector<double> p = coordinates_.parameters(x);
    if (by.empty()) return problem_.evaluate(p, r);
    if (!problem_.derivatives(p, r, by)) return false;
    coordinates_.pull_back(x, by);
    return true;
  }

  const Problem& problem_;
  const Coordinates& coordinates_;
  std::vector<std::vector<double>> offsets_;
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
  ceres_problem.AddResidualBlock(new Cost(problem, coordinates, options.blur), nullptr,
                                 result.x.data());
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
  solver.initial_trust_region_radius = options.trust;
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
  if (summary.IsSolutionUsable()) {
    result.cost =
        options.blur > 0 ? sum_of_squares(problem, coordinates, result.x) : 2 * summary.final_cost;
  }
  result.iterations = static_cast<int>(summary.iterations.size());
  result.converged = summary.termination_type == ceres::CONVERGENCE;
  return result;
}

}  // namespace bristle
