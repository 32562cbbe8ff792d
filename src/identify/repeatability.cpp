#include "bristle/identify/repeatability.hpp"

#include <algorithm>
#include <cmath>

namespace bristle {
namespace {

constexpr std::size_t fewest_cycles = 3;
constexpr std::size_t fewest_phases = 16;
// How far cycles may differ: in length, in their motion, in their load.
constexpr double alike_lengths = 0.05, alike_motions = 0.02, alike_loads = 0.05;

/// What the share `share` of the values is below.
double quantile_of(std::vector<double> values, double share) {
  const auto k = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + k, values.end());
  return values[static_cast<std::size_t>(k)];
}

/// Times at which x rises through `high` after it was below `low`.
std::vector<double> rises(const std::vector<double>& t, const std::vector<double>& x, double low,
                          double high) {
  std::vector<double> times;
  bool was_low = false;
  for (std::size_t k = 1; k < x.size(); ++k) {
    was_low = was_low || x[k - 1] < low;
    const bool passes = x[k - 1] < high && x[k] >= high;
    if (!was_low || !passes) continue;
    times.push_back(t[k - 1] + (high - x[k - 1]) / (x[k] - x[k - 1]) * (t[k] - t[k - 1]));
    was_low = false;
  }
  return times;
}

double at_time(const std::vector<double>& t, const std::vector<double>& y, double time) {
  const auto after = std::upper_bound(t.begin() + 1, t.end() - 1, time);
  const auto k = static_cast<std::size_t>(after - t.begin());
  return y[k - 1] + (time - t[k - 1]) / (t[k] - t[k - 1]) * (y[k] - y[k - 1]);
}

/// s of the formula, for cycles that begin at these times; the last one is an end only.
double spread_about_mean_cycle(const std::vector<double>& t, const std::vector<double>& y,
                               const std::vector<double>& begins, std::size_t phases) {
  const std::size_t cycles = begins.size() - 1;
  const auto length = [&](std::size_t i) { return begins[i + 1] - begins[i]; };
  // One more phase than there are: the end of a cycle, beyond its last sample.
  std::vector<double> phase(phases + 1), mean(phases + 1, 0.0);
  for (std::size_t p = 0; p <= phases; ++p) {
    phase[p] = static_cast<double>(p) / static_cast<double>(phases);
    for (std::size_t i = 0; i < cycles; ++i) {
      mean[p] += at_time(t, y, begins[i] + phase[p] * length(i)) / static_cast<double>(cycles);
    }
  }
  // Between samples noise would be averaged away: the samples themselves are compared.
  double sum = 0, count = 0;
  std::size_t i = 0;
  for (std::size_t k = 0; k < t.size(); ++k) {
    if (t[k] < begins.front()) continue;
    while (i < cycles && t[k] >= begins[i + 1]) ++i;
    if (i == cycles) break;
    const double off = y[k] - at_time(phase, mean, (t[k] - begins[i]) / length(i));
    sum += off * off;
    ++count;
  }
  const auto n = static_cast<double>(cycles);
  return std::sqrt(sum / count * n / (n - 1));
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

double deviation_of(const std::vector<double>& values) {
  const double mean = mean_of(values);
  double sum = 0;
  for (const double v : values) sum += (v - mean) * (v - mean);
  return std::sqrt(sum / static_cast<double>(values.size()));
}

}  // namespace

std::optional<Repeatability> repeatability_of(const Recording& r) {
  const bool has_position = r.has("position");
  if (!r.has("force") || !(has_position || r.has("slip")) || r.size() < 2) return {};
  const std::vector<double>& motion = r.at(has_position ? "position" : "slip");
  const double low = quantile_of(motion, 0.02), high = quantile_of(motion, 0.98);
  if (!(high > low)) return {};
  std::vector<double> begins = rises(r.t, motion, low + (high - low) / 4, high - (high - low) / 4);
  if (begins.size() < fewest_cycles + 2) return {};
  begins.erase(begins.begin());
  std::vector<double> lengths;
  for (std::size_t i = 1; i < begins.size(); ++i) lengths.push_back(begins[i] - begins[i - 1]);
  const double period = quantile_of(lengths, 0.5);
  for (const double length : lengths) {
    if (std::abs(length - period) > alike_lengths * period) return {};
  }
  const double step = (r.t.back() - r.t.front()) / static_cast<double>(r.size() - 1);
  const auto phases = static_cast<std::size_t>(period / step);
  if (phases < fewest_phases) return {};
  const auto spread = [&](const std::vector<double>& y) {
    return spread_about_mean_cycle(r.t, y, begins, phases);
  };
  if (spread(motion) > alike_motions * deviation_of(motion)) return {};
  if (r.has("load")) {
    const std::vector<double>& load = r.at("load");
    if (spread(load) > alike_loads * std::abs(mean_of(load))) return {};
  }
  return Repeatability{spread(r.at("force")), period, static_cast<int>(lengths.size())};
}

}  // namespace bristle
