#pragma once

/// What adaptive methods share about the size of their steps.

#include <algorithm>
#include <cmath>
#include <span>

namespace bristle::detail {

/// At most the rest of the way; the last two steps before the limit are made alike, so that no
/// sliver is left.
inline double fitted(double h, double rest) noexcept {
  if (h >= rest) return rest;
  return h > 0.5 * rest ? 0.5 * rest : h;
}

/// A first step over which y changes by a hundredth of itself, or of a weight where it is small.
template <class Weight>
double first_step(std::span<const double> y, std::span<const double> dy, Weight&& weight,
                  double rest) {
  double d0 = 0, d1 = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double w = weight(i);
    d0 += y[i] * y[i] / (w * w);
    d1 += dy[i] * dy[i] / (w * w);
  }
  return d1 > 0 ? std::min(rest, 0.01 * std::sqrt(std::max(d0, 1.0) / d1)) : rest;
}

}  // namespace bristle::detail
