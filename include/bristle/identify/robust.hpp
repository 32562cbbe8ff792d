#pragma once

/// Numbers of a sample that a few bad ones do not spoil, and how sure they are.
///
///   const Spread e = median_of(values, {.seed = 1});
///   e.value, e.low, e.high;        // 95 % interval by bootstrap (Efron 1979): percentiles of the
///                                  // medians of samples drawn with replacement
///   mean_of(values).value          // the same for the mean
///
/// The same seed gives the same interval. Empty samples give NaN.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace bristle {

/// Linear between the order statistics; share in [0, 1].
double quantile_of(std::span<const double> values, double share);
double median_value(std::span<const double> values);
double mean_value(std::span<const double> values);
/// 1.4826 times the median distance from the median: the standard deviation, for a normal sample.
double robust_deviation(std::span<const double> values);

struct BootstrapOptions {
  int draws = 1000;
  std::uint64_t seed = 1;
  double coverage = 0.95;
};

/// A statistic of a sample with its bootstrap interval.
struct Spread {
  double value = 0, low = 0, high = 0;
  double deviation = 0;  ///< of single values, robust
  int count = 0;
};

using Statistic = std::function<double(std::span<const double>)>;
Spread bootstrap(std::span<const double> values, const Statistic& statistic,
                 const BootstrapOptions& options = {});
Spread median_of(std::span<const double> values, const BootstrapOptions& options = {});
Spread mean_of(std::span<const double> values, const BootstrapOptions& options = {});

}  // namespace bristle
