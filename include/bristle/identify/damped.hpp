#pragma once

/// Residuals of which large ones count less: a problem around another one.
///
///   const Damped damped(problem, {Loss::huber, 0.3});
///   Search search = find_minimum(damped, …);  Confidence c = confidence_of(damped, search);
///
/// Everything that is done with it sees the same cost, Σ d² with d² = 2 ρ(r):
///
///   squares   ρ = r²/2
///   huber     ρ = r²/2 up to the scale s, s|r| − s²/2 above       ψ = ρ' = r, or ±s
///   cauchy    ρ = s²/2 ln(1 + r²/s²)                              ψ = r/(1 + r²/s²)
///
/// Intervals are those of an M-estimate (Huber 1981, 7.6): pseudo-residuals K ψ/ψ̄' stand for r,
/// where ψ̄' is the mean slope of ψ, K = 1 + m/n var(ψ')/ψ̄'², and Σ d² rises by ψ̄' times as much as
/// Σ r² would.
///
/// Limits: of samples that are wrong, not of slow misfits; ψ̄' must be positive, that is, most
/// residuals below the scale.

#include "bristle/identify/problem.hpp"

namespace bristle {

/// How far residuals count: as squares, or less when they are large.
enum class Loss { squares, huber, cauchy };

struct LossOptions {
  Loss loss = Loss::squares;
  double scale = 1;  ///< residuals above this count less
};
/// The scale at which a loss keeps 95 % of the efficiency of squares under normal noise, as a
/// multiple of its standard deviation.
double usual_scale(Loss loss);

class Damped final : public Problem {
 public:
  /// `problem` must outlive it.
  Damped(const Problem& problem, const LossOptions& options);

  int residuals() const noexcept override { return problem_->residuals(); }
  bool evaluate(std::span<const double> p, std::span<double> r) const override;
  bool derivatives(std::span<const double> p, std::span<double> r,
                   std::span<double> by) const override;
  std::unique_ptr<Problem> rough(int residuals) const override;
  double undamp(std::span<double> r, std::span<double> by) const override;

 private:
  const Problem* problem_;
  std::shared_ptr<const Problem> owned_;  ///< of a rough version
  LossOptions options_;
};

}  // namespace bristle
