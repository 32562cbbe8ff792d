#pragma once

/// A scenario against the wall clock: how long its steps take, what they allocate, which deadlines
/// are missed and by whom, and a fingerprint of where it ends.
///
/// The scenario goes on as long as asked: at the end of its duration its start is restored, so that
/// 60 s of a scenario of 5 s are twelve laps of it. An empty loop, which wakes up and does nothing,
/// runs before and after: what it misses, nobody's step could have kept. Fixed work after every
/// step, always the same and of a thirtieth of a period, shows what the machine adds to a step.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bristle/realtime/loop.hpp"
#include "bristle/scenario/scenario.hpp"
#include "bristle/solve/step_budget.hpp"

namespace bristle {

struct RealTimeRunOptions {
  double rate = 1000, seconds = 10;
  std::vector<std::string> columns{};  ///< read in every step
  RealTimeThread::Wish thread{};
  long (*allocations)() noexcept = nullptr;
  std::function<bool()> go_on{};
};

struct RealTimeRun {
  std::string scenario{}, title{}, law{}, method{};
  double rate = 0, duration = 0;  ///< of the scenario
  std::vector<std::string> columns{};
  long laps = 0;       ///< begun
  long lap_steps = 0;  ///< in one
  std::vector<StepTiming> steps{}, empty{};
  std::vector<double> fixed{};  ///< CPU time of the fixed work, s
  Misses missed{}, missed_empty{};
  /// The same if every step takes what it took in its best lap; −1: there were not two laps.
  long missed_best_lap = -1;
  long allocations = 0;
  BudgetUse degraded{};
  int most_substeps = 0;
  std::uint64_t state_hash = 0;  ///< of the state at the end of every lap and of the run
  int state_size = 0;
  RealTimeThread::Granted granted{};
  bool interrupted = false;

  double seconds() const noexcept { return static_cast<double>(steps.size()) / rate; }
};

/// InputError for what cannot be run, before anything is.
void check_realtime_run(const Scenario& scenario, const RealTimeRunOptions& options);
/// The same, and std::runtime_error if the state is no longer finite.
RealTimeRun run_realtime(const Scenario& scenario, const RealTimeRunOptions& options);

/// Longest run, in steps: their times are kept.
inline constexpr double most_realtime_steps = 1e7;

}  // namespace bristle
