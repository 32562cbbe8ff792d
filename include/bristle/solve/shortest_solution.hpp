#pragma once

/// W x = b for a symmetric W without negative eigenvalues, whatever its rank, in memory that is
/// there from the start.
///
/// Forces that hold several contacts at once: W = J M⁻¹ Jᵀ. Where contacts are redundant W is
/// singular and the smallest of all solutions is taken, x = W⁺ b. With the pivoted Cholesky factor
/// W = L Lᵀ (n rows, as many columns as W has rank) W⁺ = L (LᵀL)⁻² Lᵀ; at full rank two
/// substitutions do. A pivot counts as 0 by what is left of its own diagonal entry, so that light
/// and heavy bodies may meet.

#include <span>
#include <vector>

namespace bristle {

class ShortestSolution {
 public:
  /// Room for this many rows.
  explicit ShortestSolution(int most = 0);

  /// A matrix of zeros, which entry() fills.
  void start(int rows) noexcept;
  int rows() const noexcept { return n_; }
  int rank() const noexcept { return rank_; }
  double& entry(int row, int column) noexcept { return w_[place(row, column)]; }
  void factor() noexcept;
  /// b becomes x.
  void solve(std::span<double> b) noexcept;

 private:
  std::size_t place(int row, int column) const noexcept {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(n_) +
           static_cast<std::size_t>(column);
  }
  double& l(int row, int column) noexcept { return l_[place(row, column)]; }
  double& g(int row, int column) noexcept { return g_[place(row, column)]; }
  void factor_gram() noexcept;
  void solve_gram() noexcept;

  int n_ = 0, rank_ = 0;
  std::vector<int> order_;  ///< row of W that is row i of L
  std::vector<double> w_, l_, g_, left_, x_;
};

}  // namespace bristle
