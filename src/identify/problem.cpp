#include "bristle/identify/problem.hpp"

#include <algorithm>
#include <cmath>

namespace bristle {

bool Problem::derivatives(std::span<const double> p, std::span<double> r,
                          std::span<double> by) const {
  if (!evaluate(p, r)) return false;
  const std::size_t n = r.size(), m = p.size();
  std::vector<double> moved(p.begin(), p.end()), up(n), down(n);
  for (std::size_t j = 0; j < m; ++j) {
    const Unknown& u = unknowns_[j];
    const double size = u.log ? std::abs(p[j]) : std::max(std::abs(p[j]), 1e-3 * (u.high - u.low));
    const double h = 6e-6 * size;
    const double above = std::min(p[j] + h, u.high), below = std::max(p[j] - h, u.low);
    moved[j] = above;
    const bool first = evaluate(moved, up);
    moved[j] = below;
    if (!first || !evaluate(moved, down)) return false;
    moved[j] = p[j];
    for (std::size_t k = 0; k < n; ++k) by[k * m + j] = (up[k] - down[k]) / (above - below);
  }
  return true;
}

}  // namespace bristle
