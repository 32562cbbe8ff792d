#pragma once

/// What the times of many steps say: percentiles, a histogram, and whose fault a missed deadline
/// was.

#include <span>
#include <vector>

namespace bristle {

/// One step of a loop that is released every period, s.
struct StepTiming {
  double late = 0;  ///< from its release to when the loop was awake
  double wall = 0;  ///< from then to its end
  double cpu = 0;   ///< of the thread, in the same stretch
};

struct TimeSummary {
  double p50 = 0, p99 = 0, p999 = 0, max = 0, mean = 0;
  long samples = 0;
};
/// Of durations in any order; zeros if there are none.
TimeSummary summarise(std::vector<double> times);
/// As an object of a JSON library; seconds.
template <class Json>
Json json_of(const TimeSummary& s) {
  return {{"p50", s.p50}, {"p99", s.p99},   {"p999", s.p999},
          {"max", s.max}, {"mean", s.mean}, {"samples", s.samples}};
}
/// By nearest rank: the smallest that at least this share of all do not exceed. `sorted` is not
/// empty, `share` in [0, 1].
double percentile(std::span<const double> sorted, double share) noexcept;

/// Of a run that repeats the same `lap` steps: the shortest time of each step in all laps, which it
/// needs; what it took in others beside that is the machine's. Laps that were not finished are left
/// out; empty unless there are two.
std::vector<double> best_lap(std::span<const double> times, std::size_t lap);

/// A step that took long, and what it took in its best lap (0: there were not two laps).
struct SlowStep {
  long lap = 0, step = 0;  ///< both from 0
  double time = 0, best = 0;
};
/// The slowest first, at most `count`. Where `time` is far above `best`, the machine was in the
/// way; where it is not, the step has that much to do.
std::vector<SlowStep> slowest_steps(std::span<const double> times, std::size_t lap,
                                    std::size_t count);

struct TimeBin {
  double from = 0, to = 0;
  long count = 0;
};
/// Bins that end at 1, 2 and 5 times the powers of ten, from the first to the last that is not
/// empty. What is below 10 ns counts to the first.
std::vector<TimeBin> time_bins(std::span<const double> times);

/// A step misses its deadline if it ends after the next one's release. `ours`: it would have on a
/// machine that wakes the loop at once and lets it run, on which steps take their CPU time and wait
/// for one another only. All others are the machine's: late wake-ups, other programs, interrupts,
/// and what had to wait behind them.
struct Misses {
  long ours = 0, machine = 0;
};
Misses find_misses(std::span<const StepTiming> steps, double period) noexcept;

}  // namespace bristle
