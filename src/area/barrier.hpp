#pragma once

// Convex minimisation over matrices that stay positive definite.
//
//   min f(p)  where  M(p) = M₀ + Σ p_k B_k  is positive semidefinite
//
// by Newton's method on f − μ log det M for falling μ. Backtracking keeps M positive definite. The
// problems here have some ten unknowns and a 9×9 matrix: no library is needed.

#include <functional>
#include <span>

#include <Eigen/Core>

namespace bristle::detail {

/// A value with its derivatives.
struct Local {
  double value = 0;
  Eigen::VectorXd gradient{};
  Eigen::MatrixXd hessian{};
};

/// M(p), its B_k as columns.
struct MatrixCone {
  Eigen::MatrixXd constant;
  Eigen::MatrixXd basis;

  Eigen::MatrixXd at(const Eigen::VectorXd& p) const;
};

/// f, which may smooth its kinks by what μ allows.
struct Objective {
  std::function<double(const Eigen::VectorXd& p, double mu)> value;
  std::function<Local(const Eigen::VectorXd& p, double mu)> local;
};

/// From a p where M is positive definite. The last of `mus` bounds what is lost, by μ times the
/// size of M.
Eigen::VectorXd barrier_minimum(const Objective& f, const MatrixCone& cone, Eigen::VectorXd p,
                                std::span<const double> mus);

}  // namespace bristle::detail
