#include "bristle/realtime/run.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "bristle/core/error.hpp"
#include "bristle/core/hash.hpp"
#include "bristle/realtime/step.hpp"

namespace bristle {
namespace {

void check_numbers(const RealTimeRunOptions& options) {
  const auto refuse = [](const char* message, const char* key, double value, const char* expected) {
    throw InputError({.message = message,
                      .key = key,
                      .value = fmt::format("{:g}", value),
                      .expected = expected});
  };
  // Beyond, a timer's own wake-up takes longer than the period.
  if (!(options.rate > 0) || !(options.rate <= 1e5)) {
    refuse("out of range", "--rate", options.rate, "steps per second, more than 0, at most 1e5");
  }
  if (!(options.seconds > 0) || !std::isfinite(options.seconds)) {
    refuse("out of range", "--seconds", options.seconds, "a time, more than 0 s");
  }
  if (options.seconds * options.rate > most_realtime_steps) {
    refuse("too many steps", "--seconds", options.seconds, "at most 1e7 steps, seconds times rate");
  }
}

/// Laps of a scenario, one step at a time.
class Laps {
 public:
  Laps(RealTimeStep& core, double duration)
      : core_(core),
        steps_(std::max(1L, std::lround(duration / core.period()))),
        start_(static_cast<std::size_t>(core.state_size())),
        now_(start_.size()) {
    core_.save(start_);
  }
  /// Code and data come to where the loop will find them; then all is as it was.
  void warm_up() noexcept {
    for (long i = 0; i < std::min(steps_, 1000L); ++i) core_.step();
    core_.restore(start_);
  }
  void step() noexcept {
    if (done_ == steps_) {
      add_state();
      core_.restore(start_);
      done_ = 0;
      ++laps_;
    }
    core_.step();
    ++done_;
  }
  void add_state() noexcept {
    core_.save(now_);
    hash_.add(std::span<const double>(now_));
  }
  long laps() const noexcept { return laps_; }
  long steps() const noexcept { return steps_; }
  std::uint64_t hash() const noexcept { return hash_.value(); }

 private:
  RealTimeStep& core_;
  long steps_, done_ = 0, laps_ = 1;
  std::vector<double> start_, now_;
  Fnv1a hash_;
};

/// Steps that would miss their deadline even with the CPU time of their best lap. A lap repeats the
/// same work to the last bit: what a step took in one lap and not in another is not its own.
long missed_in_best_lap(std::vector<StepTiming> steps, std::size_t lap, double period) {
  std::vector<double> cpu;
  for (const StepTiming& step : steps) cpu.push_back(step.cpu);
  const std::vector<double> best = best_lap(cpu, lap);
  if (best.empty()) return -1;
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i].cpu = best[i % lap];
  return find_misses(steps, period).ours;
}

BudgetUse since(const BudgetUse& before, const BudgetUse& now) noexcept {
  return {now.steps - before.steps,
          now.touches - before.touches,
          now.substeps - before.substeps,
          now.sweeps - before.sweeps,
          now.payments - before.payments,
          now.paid - before.paid,
          now.behind};
}

}  // namespace

void check_realtime_run(const Scenario& scenario, const RealTimeRunOptions& options) {
  check_numbers(options);
  check_cpu(options.thread.cpu);
  (void)realtime_step(scenario, options.rate, options.columns);
}

RealTimeRun run_realtime(const Scenario& scenario, const RealTimeRunOptions& options) {
  check_realtime_run(scenario, options);
  RealTimeRun run;
  run.scenario = scenario.name;
  run.title = scenario.title;
  run.law = scenario.law;
  run.method = scenario.options.method == "auto" ? "bristle" : scenario.options.method;
  run.rate = options.rate;
  run.duration = scenario.options.duration;
  run.columns = options.columns;
  RealTimeStep core = realtime_step(scenario, options.rate, options.columns);
  Laps laps(core, run.duration);
  laps.warm_up();
  const BudgetUse before = core.budget_used_up();

  const RealTimeThread thread(options.thread);
  run.granted = thread.granted();
  LoopOptions loop{.rate = options.rate,
                   .steps = std::max(1L, std::lround(options.seconds * options.rate)),
                   .allocations = options.allocations,
                   .go_on = options.go_on};
  LoopOptions idle = loop;
  idle.steps = std::max(1L, std::lround(std::min(0.5, options.seconds / 10) * options.rate));
  const auto wait = [&] {
    const LoopResult empty = run_loop(idle, [] {});
    run.empty.insert(run.empty.end(), empty.timings.begin(), empty.timings.end());
    // Each stretch by itself: the second does not wait for the first.
    const Misses missed = find_misses(empty.timings, 1 / options.rate);
    run.missed_empty.ours += missed.ours;
    run.missed_empty.machine += missed.machine;
  };
  FixedWork fixed(1 / (30 * options.rate));
  loop.beside = [&] { fixed(); };
  wait();
  LoopResult timed = run_loop(loop, [&] { laps.step(); });
  wait();
  if (!core.finite()) {
    throw std::runtime_error(fmt::format(
        "the state is no longer finite after t = {:.6g} s: the step of {:g} s is too long; use a "
        "higher --rate or solver.method=bristle",
        core.time(), core.period()));
  }
  laps.add_state();
  run.steps = std::move(timed.timings);
  run.fixed = std::move(timed.beside);
  run.missed = find_misses(run.steps, 1 / options.rate);
  run.missed_best_lap =
      missed_in_best_lap(run.steps, static_cast<std::size_t>(laps.steps()), 1 / options.rate);
  run.allocations = timed.allocations;
  run.interrupted = timed.interrupted;
  run.laps = laps.laps();
  run.lap_steps = laps.steps();
  run.degraded = since(before, core.budget_used_up());
  run.most_substeps = core.most_substeps();
  run.state_hash = laps.hash();
  run.state_size = core.state_size();
  return run;
}

}  // namespace bristle
