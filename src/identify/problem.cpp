#include "bristle/identify/problem.hpp"

#include <algorithm>
#include <cmath>

namespace bristle {

bool Problem::derivatives(std::span<const double> p, std::span<double> r,
                          std::span<double> by) const {
  if (!evaluate(p, r)) return false;
  differences(p, r, 6e-6, by);  // as fits residuals that are rounded to 1e-16
  return true;
}

void Problem::differences(std::span<const double> p, std::span<const double> r, double step,
                          std::span<double> by) const {
  const std::size_t n = r.size(), m = p.size();
  std::vector<double> moved(p.begin(), p.end()), up(n), down(n);
  for (std::size_t j = 0; j < m; ++j) {
    const Unknown& u = unknowns_[j];
    const double size = u.log ? std::abs(p[j]) : std::max(std::abs(p[j]), 1e-3 * (u.high - u.low));
    const double h = step * size;
    const double above = std::min(p[j] + h, u.high), below = std::max(p[j] - h, u.low);
    const auto side = [&](double to, std::vector<double>& out) {
      moved[j] = to;
      const bool fine = to != p[j] && evaluate(moved, out);
      if (!fine) std::copy(r.begin(), r.end(), out.begin());
      moved[j] = p[j];
      return fine ? to : p[j];
    };
    // A side that cannot be evaluated leaves the other; without both, nothing is known.
    const double span = side(above, up) - side(below, down);
    for (std::size_t k = 0; k < n; ++k) {
      by[k * m + j] = span > 0 ? (up[k] - down[k]) / span : 0;
    }
  }
}

}  // namespace bristle
