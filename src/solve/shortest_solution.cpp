#include "bristle/solve/shortest_solution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bristle/core/index.hpp"

namespace bristle {

using detail::at;

ShortestSolution::ShortestSolution(int most) {
  order_.resize(at(most));
  left_.resize(at(most));
  x_.resize(at(most));
  for (std::vector<double>* matrix : {&w_, &l_, &g_}) matrix->resize(at(most) * at(most));
}

void ShortestSolution::start(int rows) noexcept {
  n_ = rows;
  rank_ = 0;
  std::fill_n(w_.begin(), at(n_) * at(n_), 0.0);
}

void ShortestSolution::factor() noexcept {
  std::fill_n(l_.begin(), at(n_) * at(n_), 0.0);
  for (int i = 0; i < n_; ++i) {
    order_[at(i)] = i;
    left_[at(i)] = entry(i, i);
  }
  const double least = 10 * n_ * std::numeric_limits<double>::epsilon();
  // What is left of a diagonal entry, as a share of it.
  const auto share = [&](int i) {
    const int row = order_[at(i)];
    return entry(row, row) > 0 ? left_[at(row)] / entry(row, row) : 0.0;
  };
  for (rank_ = 0; rank_ < n_; ++rank_) {
    int best = rank_;
    for (int i = rank_ + 1; i < n_; ++i) {
      if (share(i) > share(best)) best = i;
    }
    if (!(share(best) > least)) break;
    std::swap(order_[at(best)], order_[at(rank_)]);
    for (int k = 0; k < rank_; ++k) std::swap(l(best, k), l(rank_, k));
    const int pivot = order_[at(rank_)];
    const double root = std::sqrt(left_[at(pivot)]);
    l(rank_, rank_) = root;
    for (int i = rank_ + 1; i < n_; ++i) {
      const int row = order_[at(i)];
      double sum = entry(row, pivot);
      for (int k = 0; k < rank_; ++k) sum -= l(i, k) * l(rank_, k);
      l(i, rank_) = sum / root;
      left_[at(row)] -= l(i, rank_) * l(i, rank_);
    }
  }
  if (rank_ < n_) factor_gram();
}

/// G = LᵀL, and its own Cholesky factor in its lower half.
void ShortestSolution::factor_gram() noexcept {
  for (int i = 0; i < rank_; ++i) {
    for (int j = 0; j <= i; ++j) {
      double sum = 0;
      for (int k = 0; k < n_; ++k) sum += l(k, i) * l(k, j);
      for (int k = 0; k < j; ++k) sum -= g(i, k) * g(j, k);
      g(i, j) = i == j ? std::sqrt(std::max(sum, 0.0)) : sum / g(j, j);
    }
  }
}

void ShortestSolution::solve_gram() noexcept {
  for (int i = 0; i < rank_; ++i) {
    for (int k = 0; k < i; ++k) x_[at(i)] -= g(i, k) * x_[at(k)];
    x_[at(i)] /= g(i, i);
  }
  for (int i = rank_ - 1; i >= 0; --i) {
    for (int k = i + 1; k < rank_; ++k) x_[at(i)] -= g(k, i) * x_[at(k)];
    x_[at(i)] /= g(i, i);
  }
}

void ShortestSolution::solve(std::span<double> b) noexcept {
  if (n_ == 1) {
    b[0] = entry(0, 0) > 0 ? b[0] / entry(0, 0) : 0.0;
    return;
  }
  if (rank_ == n_) {
    for (int i = 0; i < n_; ++i) {
      x_[at(i)] = b[at(order_[at(i)])];
      for (int k = 0; k < i; ++k) x_[at(i)] -= l(i, k) * x_[at(k)];
      x_[at(i)] /= l(i, i);
    }
    for (int i = n_ - 1; i >= 0; --i) {
      for (int k = i + 1; k < n_; ++k) x_[at(i)] -= l(k, i) * x_[at(k)];
      x_[at(i)] /= l(i, i);
    }
    for (int i = 0; i < n_; ++i) b[at(order_[at(i)])] = x_[at(i)];
    return;
  }
  for (int j = 0; j < rank_; ++j) {
    x_[at(j)] = 0;
    for (int i = 0; i < n_; ++i) x_[at(j)] += l(i, j) * b[at(order_[at(i)])];
  }
  solve_gram();
  solve_gram();
  for (int i = 0; i < n_; ++i) {
    double sum = 0;
    for (int j = 0; j < rank_; ++j) sum += l(i, j) * x_[at(j)];
    b[at(order_[at(i)])] = sum;
  }
}

}  // namespace bristle
