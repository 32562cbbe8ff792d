#include "barrier.hpp"

#include <cmath>
#include <limits>

#include <Eigen/Cholesky>

namespace bristle::detail {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// −log det M; infinite where M is not positive definite.
double barrier(const Eigen::LLT<Eigen::MatrixXd>& factor) {
  if (factor.info() != Eigen::Success) return infinity;
  return -2 * factor.matrixLLT().diagonal().array().log().sum();
}

/// Adds the barrier's derivatives: with C_k = L⁻¹ B_k L⁻ᵀ they are −tr C_k and tr C_k C_l.
void add_barrier(Local& f, const MatrixCone& cone, const Eigen::LLT<Eigen::MatrixXd>& factor,
                 double mu) {
  const Eigen::Index n = cone.constant.rows(), count = cone.basis.cols();
  Eigen::MatrixXd c(n * n, count);
  for (Eigen::Index k = 0; k < count; ++k) {
    Eigen::MatrixXd b = Eigen::Map<const Eigen::MatrixXd>(cone.basis.col(k).data(), n, n);
    factor.matrixL().solveInPlace(b);
    b.transposeInPlace();
    factor.matrixL().solveInPlace(b);
    f.gradient[k] -= mu * b.trace();
    c.col(k) = Eigen::Map<const Eigen::VectorXd>(b.data(), n * n);
  }
  f.hessian.noalias() += mu * c.transpose() * c;
}

Eigen::VectorXd newton_step(const Local& f) {
  Eigen::MatrixXd h = f.hessian;
  h.diagonal().array() += 1e-12 * h.trace() / static_cast<double>(h.rows());
  return -h.ldlt().solve(f.gradient);
}

}  // namespace

Eigen::MatrixXd MatrixCone::at(const Eigen::VectorXd& p) const {
  const Eigen::VectorXd sum = basis * p;
  return constant + Eigen::Map<const Eigen::MatrixXd>(sum.data(), constant.rows(), constant.cols());
}

Eigen::VectorXd barrier_minimum(const Objective& f, const MatrixCone& cone, Eigen::VectorXd p,
                                std::span<const double> mus) {
  for (const double mu : mus) {
    for (int i = 0; i < 30; ++i) {
      Local here = f.local(p, mu);
      const Eigen::LLT<Eigen::MatrixXd> factor(cone.at(p));
      const double start = here.value + mu * barrier(factor);
      add_barrier(here, cone, factor, mu);
      const Eigen::VectorXd step = newton_step(here);
      const double gain = -here.gradient.dot(step);
      double share = 1;
      const auto value = [&](const Eigen::VectorXd& q) {
        const double b = barrier(Eigen::LLT<Eigen::MatrixXd>(cone.at(q)));
        return b < infinity ? f.value(q, mu) + mu * b : infinity;
      };
      while (share > 1e-10 && !(value(p + share * step) <= start - 1e-4 * share * gain)) {
        share /= 2;
      }
      if (!(share > 1e-10)) break;
      p += share * step;
      if (gain < 1e-3 * mu) break;
    }
  }
  return p;
}

}  // namespace bristle::detail
