#include "track_times.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "allocations.hpp"
#include "bristle/core/error.hpp"
#include "bristle/realtime/loop.hpp"
#include "bristle/realtime/report.hpp"
#include "progress.hpp"

namespace bristle::cli {
namespace {

void check(const TrackTimesOptions& options, std::size_t samples) {
  const auto refuse = [](const char* key, double value, const char* expected) {
    throw InputError({.message = "out of range",
                      .key = key,
                      .value = fmt::format("{:g}", value),
                      .expected = expected});
  };
  if (!(options.rate >= 0) || !(options.rate <= 1e5)) {
    refuse("--rate", options.rate, "samples per second, at most 1e5; 0: one after the other");
  }
  if (options.laps < 1 ||
      static_cast<double>(options.laps) * static_cast<double>(samples) > most_realtime_steps) {
    refuse("--laps", options.laps, "1 or more, at most 1e7 samples together");
  }
}

std::vector<double> cpu_of(const LoopResult& loop) {
  std::vector<double> list;
  list.reserve(loop.timings.size());
  for (const StepTiming& timing : loop.timings) list.push_back(timing.cpu);
  return list;
}

std::vector<NamedTimes> lines(const TrackTimes& times) {
  std::vector<NamedTimes> list{{"sample, CPU", times.cpu}};
  std::vector<double> best = best_lap(times.cpu, times.lap);
  if (!best.empty()) list.push_back({"  in its best lap", std::move(best)});
  list.push_back({"clock alone", times.clock_only});
  return list;
}

std::string laps_text(const TrackTimes& times) {
  const std::size_t laps = times.lap == 0 ? 0 : times.cpu.size() / times.lap;
  return fmt::format(
      "{} of {} samples, {}", laps == 1 ? "1 lap" : fmt::format("{} laps", laps), times.lap,
      times.asked.rate > 0 ? fmt::format("{:g} a second, {}", times.asked.rate, times.scheduling)
                           : "one after the other");
}

}  // namespace

TrackTimes time_track(const TrackTask& task, const TrackTimesOptions& options) {
  const std::vector<TrackSample> samples = track_samples(task);
  check(options, samples.size());
  OnlineEstimator estimator(task.law, task.parameters, task.options);
  std::size_t next = 0;
  const auto step = [&] {
    if (next == 0) estimator.reset();
    take(estimator, samples[next]);
    next = next + 1 == samples.size() ? 0 : next + 1;
  };
  // Code and data come to where the laps will find them.
  for (std::size_t k = 0; k < std::min<std::size_t>(samples.size(), 1000); ++k) step();
  next = 0;

  TrackTimes times{.asked = options, .lap = samples.size()};
  std::optional<RealTimeThread> thread;
  if (options.rate > 0) {
    thread.emplace(RealTimeThread::Wish{.priority = 80});
    times.scheduling = thread->granted().scheduling;
  }
  const Interrupt interrupt;
  LoopOptions loop{.rate = options.rate,
                   .steps = static_cast<long>(samples.size()) * options.laps,
                   .allocations = counts_allocations() ? thread_allocations : nullptr,
                   .go_on = [] { return !Interrupt::asked(); }};
  const LoopResult timed = run_loop(loop, step);
  times.cpu = cpu_of(timed);
  times.allocations = timed.allocations;
  if (options.rate > 0) loop.steps = std::min(loop.steps, 1000L);  // a second of waiting will do
  times.clock_only = cpu_of(run_loop(loop, [] {}));
  return times;
}

std::string track_times_text(const TrackTimes& times) {
  return fmt::format("\n  {}; allocations: {}\n", laps_text(times),
                     allocations_text(times.allocations)) +
         times_text(lines(times));
}

nlohmann::ordered_json track_times_json(const TrackTimes& times) {
  using Json = nlohmann::ordered_json;
  Json json = json_of<Json>(summarise(times.cpu));
  const std::vector<double> best = best_lap(times.cpu, times.lap);
  json["best_lap"] = best.empty() ? Json() : json_of<Json>(summarise(best));
  json["clock"] = json_of<Json>(summarise(times.clock_only));
  json["lap_samples"] = times.lap;
  json["rate"] = times.asked.rate > 0 ? Json(times.asked.rate) : Json();
  json["allocations"] = times.allocations < 0 ? Json() : Json(times.allocations);
  return json;
}

void add_track_times(ReportPage& page, const TrackTimes& times) {
  const TimeSummary all = summarise(times.cpu);
  const std::vector<double> best = best_lap(times.cpu, times.lap);
  page.headlines.push_back({.label = "Worst sample",
                            .value = microseconds(all.max),
                            .unit = "µs",
                            .note = best.empty() ? "CPU time"
                                                 : fmt::format("CPU time; {} in its best lap",
                                                               microseconds(summarise(best).max))});
  page.headlines.push_back(
      {.label = "Allocations",
       .value = allocations_text(times.allocations),
       .note = "in all laps",
       .status = times.allocations > 0 ? Headline::Status::warn : Headline::Status::good});
  Figure bins{.caption = "Samples in each bin; the clock alone is read around nothing."};
  bins.panels.push_back({.x_label = "CPU time (µs)",
                         .y_label = "Samples",
                         .series = {},
                         .x_log = true,
                         .y_log = true});
  for (const NamedTimes& line : lines(times)) {
    bins.panels.front().series.push_back(time_histogram(line));
  }
  page.sections.push_back(
      {.title = "Time of a sample",
       .paragraphs = {fmt::format("{}. Every lap starts anew and repeats the same work: what a "
                                  "sample takes beyond its best lap is the machine's.",
                                  laps_text(times))},
       .tables = {times_table(lines(times))},
       .figures = {std::move(bins)}});
}

}  // namespace bristle::cli
