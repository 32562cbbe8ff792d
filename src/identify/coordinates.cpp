#include "bristle/identify/coordinates.hpp"

#include <algorithm>
#include <cmath>

namespace bristle {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// The least difference between two ordered parameters, as a share of the greater one's range.
constexpr double least_share = 1e-9;
/// Differences above this share are seen logarithmically, smaller ones plainly: down there a
/// logarithm would leave nothing for a step to act on.
constexpr double small_share = 1e-2;

}  // namespace

Coordinates::Coordinates(const Problem& problem) : Coordinates(problem, -1) {}

Coordinates::Coordinates(const Problem& problem, int lead) {
  const std::vector<Unknown>& unknowns = problem.unknowns();
  const std::size_t m = unknowns.size();
  base_.assign(m, -1);
  std::vector<bool> above(m, true);
  for (const UnknownOrder& order : problem.orders()) {
    if (base_[at(order.greater)] < 0) base_[at(order.greater)] = order.smaller;
  }
  // The chain from the leading one downwards is counted from its other end.
  int from = -1;
  for (int j = lead; j >= 0;) {
    const int next = base_[at(j)];
    base_[at(j)] = from;
    above[at(j)] = false;
    from = j;
    j = next != lead ? next : -1;
  }
  for (std::size_t j = 0; j < m; ++j) add(unknowns, j, above[j]);
  // Chains a ≥ b ≥ c: as often as there are unknowns is enough.
  std::vector<bool> done(m, false);
  while (order_.size() < m) {
    const std::size_t before = order_.size();
    for (std::size_t j = 0; j < m; ++j) {
      if (done[j] || (base_[j] >= 0 && !done[at(base_[j])])) continue;
      done[j] = true;
      order_.push_back(static_cast<int>(j));
    }
    if (order_.size() == before) break;  // a circle: the rest stands on its own
  }
}

/// The range of parameter j's coordinate, counted from its base if it has one.
void Coordinates::add(const std::vector<Unknown>& unknowns, std::size_t j, bool above) {
  const Unknown& u = unknowns[j];
  top_.push_back(u.high);
  bottom_.push_back(u.low);
  if (base_[j] >= 0) {
    const Unknown& greater = above ? u : unknowns[at(base_[j])];
    const Unknown& smaller = above ? unknowns[at(base_[j])] : u;
    const double span = std::max(greater.high - smaller.low, 1e-300);
    const double most_usual = std::max(greater.usual_high, 1e-300);
    kind_.push_back(above ? Kind::above : Kind::below);
    scale_.push_back(small_share * most_usual);
    const auto x_of = [&](double gap) { return std::log1p(gap / scale_.back()); };
    low_.push_back(x_of(least_share * most_usual));
    high_.push_back(x_of(span));
    const double apart = greater.usual_low - smaller.usual_high;
    const double most = apart > 0 ? greater.usual_high - smaller.usual_low : greater.usual_high;
    usual_low_.push_back(x_of(std::max(apart, 1e-3 * most_usual)));
    usual_high_.push_back(x_of(std::min(most, span)));
  } else if (u.log) {
    kind_.push_back(Kind::log);
    scale_.push_back(1);
    low_.push_back(std::log(std::max(u.low, 1e-300)));
    high_.push_back(std::log(u.high));
    usual_low_.push_back(std::log(std::max(u.usual_low, 1e-300)));
    usual_high_.push_back(std::log(u.usual_high));
  } else {
    kind_.push_back(Kind::plain);
    scale_.push_back(1);
    low_.push_back(u.low);
    high_.push_back(u.high);
    usual_low_.push_back(u.usual_low);
    usual_high_.push_back(u.usual_high);
  }
  usual_low_.back() = std::clamp(usual_low_.back(), low_.back(), high_.back());
  usual_high_.back() = std::clamp(usual_high_.back(), low_.back(), high_.back());
}

std::vector<double> Coordinates::parameters(std::span<const double> x) const {
  std::vector<double> p(x.size());
  for (const int i : order_) {
    const std::size_t j = at(i);
    switch (kind_[j]) {
      case Kind::plain:
        p[j] = x[j];
        break;
      case Kind::log:
        p[j] = std::exp(x[j]);
        break;
      case Kind::above:
        p[j] = p[at(base_[j])] + scale_[j] * std::expm1(x[j]);
        break;
      case Kind::below:
        p[j] = p[at(base_[j])] - scale_[j] * std::expm1(x[j]);
        break;
    }
    // Rounding of exp and log must not leave the range.
    p[j] = std::clamp(p[j], bottom_[j], std::max(top_[j], bottom_[j]));
  }
  return p;
}

std::vector<double> Coordinates::coordinates(std::span<const double> p) const {
  std::vector<double> x(p.size());
  for (std::size_t j = 0; j < p.size(); ++j) {
    if (base_[j] >= 0) {
      const double gap = (kind_[j] == Kind::above ? 1 : -1) * (p[j] - p[at(base_[j])]);
      x[j] = std::log1p(std::max(gap, 0.0) / scale_[j]);
    } else {
      x[j] = kind_[j] == Kind::log ? std::log(std::max(p[j], 1e-300)) : p[j];
    }
    x[j] = std::clamp(x[j], low_[j], high_[j]);
  }
  return x;
}

void Coordinates::pull_back(std::span<const double> x, std::span<double> by) const {
  const std::size_t m = x.size(), n = by.size() / m;
  std::vector<double> slope(m, 1.0);  // of each parameter by its own coordinate
  for (std::size_t j = 0; j < m; ++j) {
    if (kind_[j] != Kind::plain) slope[j] = scale_[j] * std::exp(x[j]);
    if (kind_[j] == Kind::below) slope[j] = -slope[j];
  }
  for (std::size_t k = 0; k < n; ++k) {
    double* row = by.data() + k * m;
    // From what is counted to its base, which moves both.
    for (std::size_t i = m; i-- > 0;) {
      const std::size_t j = at(order_[i]);
      if (base_[j] >= 0) row[at(base_[j])] += row[j];
      row[j] *= slope[j];
    }
  }
}

}  // namespace bristle
