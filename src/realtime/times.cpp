#include "bristle/realtime/times.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace bristle {

double percentile(std::span<const double> sorted, double share) noexcept {
  const auto count = static_cast<double>(sorted.size());
  // A share such as 0.999 is not exact in binary: 999 of 1000 must not become 1000.
  const double rank = std::ceil(share * count * (1 - 1e-12));
  return sorted[static_cast<std::size_t>(std::clamp(rank, 1.0, count)) - 1];
}

TimeSummary summarise(std::vector<double> times) {
  if (times.empty()) return {};
  std::sort(times.begin(), times.end());
  TimeSummary made;
  made.p50 = percentile(times, 0.5);
  made.p99 = percentile(times, 0.99);
  made.p999 = percentile(times, 0.999);
  made.max = times.back();
  made.mean = std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
  made.samples = static_cast<long>(times.size());
  return made;
}

std::vector<double> best_lap(std::span<const double> times, std::size_t lap) {
  if (lap == 0 || times.size() < 2 * lap) return {};
  std::vector<double> best(times.begin(), times.begin() + static_cast<long>(lap));
  for (std::size_t i = lap; i < times.size() / lap * lap; ++i) {
    double& time = best[i % lap];
    // A clock that a host corrects may stand still or go back: that is no time.
    if (times[i] > 0 && (times[i] < time || !(time > 0))) time = times[i];
  }
  return best;
}

std::vector<SlowStep> slowest_steps(std::span<const double> times, std::size_t lap,
                                    std::size_t count) {
  std::vector<std::size_t> order(times.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  count = std::min(count, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<long>(count), order.end(),
                    [&](std::size_t a, std::size_t b) {
                      return times[a] != times[b] ? times[a] > times[b] : a < b;
                    });
  const std::vector<double> best = best_lap(times, lap);
  const std::size_t length = lap == 0 ? times.size() + 1 : lap;
  std::vector<SlowStep> list;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t step = order[k] % length;
    list.push_back({static_cast<long>(order[k] / length), static_cast<long>(step), times[order[k]],
                    best.empty() ? 0 : best[step]});
  }
  return list;
}

std::vector<TimeBin> time_bins(std::span<const double> times) {
  constexpr double shortest = 1e-8, longest = 1e4;
  std::vector<TimeBin> bins;
  double from = 0;
  for (int decade = -8; decade <= 4; ++decade) {
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double to = digit * std::pow(10.0, decade);
      bins.push_back({from, to, 0});
      from = to;
    }
  }
  for (const double time : times) {
    const double kept = std::clamp(time, shortest, longest);
    const auto bin = std::lower_bound(bins.begin(), bins.end(), kept,
                                      [](const TimeBin& b, double t) { return b.to < t; });
    ++bin->count;
  }
  const auto filled = [](const TimeBin& bin) { return bin.count > 0; };
  bins.erase(std::find_if(bins.rbegin(), bins.rend(), filled).base(), bins.end());
  bins.erase(bins.begin(), std::find_if(bins.begin(), bins.end(), filled));
  return bins;
}

Misses find_misses(std::span<const StepTiming> steps, double period) noexcept {
  Misses misses;
  double left = 0;  // of the steps before, at the release of this one, on a machine of our own
  for (const StepTiming& step : steps) {
    const double ends = left + step.cpu;
    if (ends > period) {
      ++misses.ours;
    } else if (step.late + step.wall > period) {
      ++misses.machine;
    }
    left = std::max(0.0, ends - period);
  }
  return misses;
}

}  // namespace bristle
