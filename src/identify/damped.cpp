#include "bristle/identify/damped.hpp"

#include <algorithm>
#include <cmath>

namespace bristle {
namespace {

/// A residual whose square is twice the loss, and its slope by the residual itself.
struct Counted {
  double value, slope;
};
Counted count(double r, const LossOptions& options) noexcept {
  const double s = options.scale, size = std::abs(r);
  if (options.loss == Loss::huber && size > s) {
    const double root = std::sqrt(2 * s * size - s * s);
    return {std::copysign(root, r), s / root};
  }
  if (options.loss == Loss::cauchy && size > 1e-9 * s) {
    const double ratio = r / s, root = s * std::sqrt(std::log1p(ratio * ratio));
    return {std::copysign(root, r), size / ((1 + ratio * ratio) * root)};
  }
  return {r, 1};
}

/// The residual that counts as d.
double residual_of(double d, const LossOptions& options) noexcept {
  const double s = options.scale, size = std::abs(d);
  if (options.loss == Loss::huber && size > s) {
    return std::copysign((size * size + s * s) / (2 * s), d);
  }
  if (options.loss == Loss::cauchy)
    return std::copysign(s * std::sqrt(std::expm1(d * d / (s * s))), d);
  return d;
}

/// ψ = ρ' and ψ'.
Counted influence(double r, const LossOptions& options) noexcept {
  const double s = options.scale;
  if (options.loss == Loss::huber && std::abs(r) > s) return {std::copysign(s, r), 0};
  if (options.loss == Loss::cauchy) {
    const double u2 = r * r / (s * s), w = 1 + u2;
    return {r / w, (1 - u2) / (w * w)};
  }
  return {r, 1};
}

}  // namespace

double usual_scale(Loss loss) {
  // Huber 1981; Holland and Welsch 1977.
  return loss == Loss::huber ? 1.345 : 2.385;
}

Damped::Damped(const Problem& problem, const LossOptions& options)
    : problem_(&problem), options_(options) {
  unknowns_ = problem.unknowns();
  orders_ = problem.orders();
  kinked_ = problem.is_kinked();
}

bool Damped::evaluate(std::span<const double> p, std::span<double> r) const {
  if (!problem_->evaluate(p, r)) return false;
  for (double& value : r) value = count(value, options_).value;
  return true;
}

bool Damped::derivatives(std::span<const double> p, std::span<double> r,
                         std::span<double> by) const {
  if (!problem_->derivatives(p, r, by)) return false;
  const std::size_t m = p.size();
  for (std::size_t k = 0; k < r.size(); ++k) {
    const Counted counted = count(r[k], options_);
    r[k] = counted.value;
    for (std::size_t j = 0; j < m; ++j) by[k * m + j] *= counted.slope;
  }
  return true;
}

std::unique_ptr<Problem> Damped::rough(int residuals) const {
  std::shared_ptr<const Problem> inner = problem_->rough(residuals);
  if (inner == nullptr) return nullptr;
  auto made = std::make_unique<Damped>(*inner, options_);
  made->owned_ = std::move(inner);
  return made;
}

double Damped::undamp(std::span<double> r, std::span<double> by) const {
  const std::size_t n = r.size(), m = by.size() / std::max<std::size_t>(n, 1);
  double sum = 0, squares = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const double residual = residual_of(r[k], options_), slope = count(residual, options_).slope;
    for (std::size_t j = 0; j < m; ++j) by[k * m + j] /= slope;
    const Counted psi = influence(residual, options_);
    r[k] = psi.value;
    sum += psi.slope;
    squares += psi.slope * psi.slope;
  }
  const auto count_of = static_cast<double>(std::max<std::size_t>(n, 1));
  // Where hardly a residual is below the scale there is no such estimate: intervals become wide.
  const double mean = std::max(sum / count_of, 0.01);
  const double spread = std::max(0.0, squares / count_of - mean * mean);
  const double correction = 1 + static_cast<double>(m) / count_of * spread / (mean * mean);
  for (double& value : r) value *= correction / mean;
  return mean;
}

}  // namespace bristle
