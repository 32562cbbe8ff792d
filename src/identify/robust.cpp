#include "bristle/identify/robust.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bristle/core/random.hpp"

namespace bristle {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr double normal_consistent = 1.4826022185056018;  // 1/Φ⁻¹(3/4)

double quantile_of_sorted(std::span<const double> sorted, double share) {
  const double at = std::clamp(share, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

double quantile_of(std::span<const double> values, double share) {
  if (values.empty()) return none;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return quantile_of_sorted(sorted, share);
}

double median_value(std::span<const double> values) { return quantile_of(values, 0.5); }

double mean_value(std::span<const double> values) {
  double sum = 0;
  for (const double x : values) sum += x;
  return values.empty() ? none : sum / static_cast<double>(values.size());
}

double robust_deviation(std::span<const double> values) {
  const double middle = median_value(values);
  std::vector<double> distances;
  distances.reserve(values.size());
  for (const double x : values) distances.push_back(std::abs(x - middle));
  return normal_consistent * median_value(distances);
}

Spread bootstrap(std::span<const double> values, const Statistic& statistic,
                 const BootstrapOptions& options) {
  Spread spread{statistic(values), none, none, robust_deviation(values),
                static_cast<int>(values.size())};
  if (values.empty() || options.draws < 1) return spread;
  const auto n = static_cast<double>(values.size());
  std::vector<double> drawn(values.size()), results;
  for (int i = 0; i < options.draws; ++i) {
    for (std::size_t k = 0; k < drawn.size(); ++k) {
      const double u = uniform(options.seed, static_cast<std::uint64_t>(i), k);
      drawn[k] = values[static_cast<std::size_t>(u * n)];
    }
    results.push_back(statistic(drawn));
  }
  const double tail = (1 - options.coverage) / 2;
  spread.low = quantile_of(results, tail);
  spread.high = quantile_of(results, 1 - tail);
  return spread;
}

Spread median_of(std::span<const double> values, const BootstrapOptions& options) {
  return bootstrap(values, median_value, options);
}

Spread mean_of(std::span<const double> values, const BootstrapOptions& options) {
  return bootstrap(values, mean_value, options);
}

}  // namespace bristle
