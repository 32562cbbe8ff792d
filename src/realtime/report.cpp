#include "bristle/realtime/report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace bristle {
namespace {

template <class Of>
std::vector<double> column(const std::vector<StepTiming>& steps, Of&& of) {
  std::vector<double> list;
  list.reserve(steps.size());
  for (const StepTiming& step : steps) list.push_back(of(step));
  return list;
}
std::vector<double> cpu(const std::vector<StepTiming>& steps) {
  return column(steps, [](const StepTiming& s) { return s.cpu; });
}
std::vector<double> wall(const std::vector<StepTiming>& steps) {
  return column(steps, [](const StepTiming& s) { return s.wall; });
}
std::vector<double> late(const std::vector<StepTiming>& steps) {
  return column(steps, [](const StepTiming& s) { return s.late; });
}

/// What each step needs, by the lap in which the machine disturbed it least.
std::vector<double> needed(const RealTimeRun& run) {
  return best_lap(cpu(run.steps), static_cast<std::size_t>(run.lap_steps));
}

constexpr std::size_t slow_steps_shown = 5;
std::vector<SlowStep> slowest(const RealTimeRun& run) {
  return slowest_steps(cpu(run.steps), static_cast<std::size_t>(run.lap_steps), slow_steps_shown);
}

std::string hash_text(const RealTimeRun& run) { return fmt::format("{:016x}", run.state_hash); }

std::vector<NamedTimes> lines(const RealTimeRun& run) {
  std::vector<NamedTimes> list{{"step, CPU", cpu(run.steps)}};
  std::vector<double> best = needed(run);
  if (!best.empty()) list.push_back({"  in its best lap", std::move(best)});
  if (!run.fixed.empty()) list.push_back({"fixed work, CPU", run.fixed});
  list.push_back({"step, wall", wall(run.steps)});
  list.push_back({"wake-up late", late(run.steps)});
  list.push_back({"empty loop, CPU", cpu(run.empty)});
  list.push_back({"empty loop, wall", wall(run.empty)});
  list.push_back({"empty loop, late", late(run.empty)});
  return list;
}

/// Every number by name, for the text and for the page.
std::vector<std::pair<std::string, std::string>> facts(const RealTimeRun& run) {
  return {
      {"law, method", fmt::format("{}; {}", run.law, run.method)},
      {"rate", fmt::format("{:g} Hz for {:g} s, {} of {:g} s{}", run.rate, run.seconds(),
                           run.laps == 1 ? "1 lap" : fmt::format("{} laps", run.laps), run.duration,
                           run.interrupted ? " (interrupted)" : "")},
      {"read in every step", fmt::format("{} columns", run.columns.size())},
      {"memory", run.granted.memory},
      {"scheduling",
       fmt::format("{}{}", run.granted.scheduling,
                   run.granted.cpu < 0 ? "" : fmt::format("; processor {}", run.granted.cpu))},
      {"allocations", allocations_text(run.allocations)},
      {"missed by the step",
       fmt::format("{}{}", run.missed.ours,
                   run.missed_best_lap < 0
                       ? ""
                       : fmt::format(" ({} in its best lap)", run.missed_best_lap))},
      {"missed by the machine",
       fmt::format("{} of {} (empty loop: {} of {})", run.missed.machine, run.steps.size(),
                   run.missed_empty.machine + run.missed_empty.ours, run.empty.size())},
      {"degraded steps", to_string(run.degraded)},
      {"most sub-steps", std::to_string(run.most_substeps)},
      {"state", fmt::format("{} ({} numbers)", hash_text(run), run.state_size)},
  };
}

nlohmann::ordered_json times_json(const std::vector<double>& times) {
  return json_of<nlohmann::ordered_json>(summarise(times));
}

nlohmann::ordered_json bins_json(const std::vector<double>& times) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const TimeBin& bin : time_bins(times)) {
    list.push_back({{"from", bin.from}, {"to", bin.to}, {"count", bin.count}});
  }
  return list;
}

}  // namespace

std::string microseconds(double seconds) {
  const double value = 1e6 * seconds;
  return fmt::format("{:.{}f}", value, value < 10 ? 2 : (value < 1000 ? 1 : 0));
}

std::string allocations_text(long allocations) {
  return allocations < 0 ? "not counted" : std::to_string(allocations);
}

std::string times_text(const std::vector<NamedTimes>& list) {
  std::string text =
      fmt::format("  {:<18}{:>9}{:>9}{:>9}{:>9}\n", "microseconds", "p50", "p99", "p99.9", "max");
  for (const auto& [name, times] : list) {
    const TimeSummary s = summarise(times);
    text += fmt::format("  {:<18}{:>9}{:>9}{:>9}{:>9}\n", name, microseconds(s.p50),
                        microseconds(s.p99), microseconds(s.p999), microseconds(s.max));
  }
  return text;
}

PageTable times_table(const std::vector<NamedTimes>& list) {
  PageTable table{"Times, µs", {"", "p50", "p99", "p99.9", "max", "mean"}, {}};
  for (const auto& [name, times] : list) {
    const TimeSummary s = summarise(times);
    table.rows.push_back({name, microseconds(s.p50), microseconds(s.p99), microseconds(s.p999),
                          microseconds(s.max), microseconds(s.mean)});
  }
  return table;
}

Series time_histogram(const NamedTimes& times, Series::Style style) {
  Series series{times.name, {}, {}, style};
  constexpr double none = 0.5;  // what a logarithmic axis shows of an empty bin
  const auto put = [&](double time, double count) {
    series.x.push_back(1e6 * time);
    series.y.push_back(std::max(count, none));
  };
  const std::vector<TimeBin> bins = time_bins(times.times);
  for (const TimeBin& bin : bins) {
    const double from = bin.from > 0 ? bin.from : bin.to / 2;  // the axis has no zero
    if (&bin == &bins.front()) put(from, 0);
    put(from, static_cast<double>(bin.count));
    put(bin.to, static_cast<double>(bin.count));
    if (&bin == &bins.back()) put(bin.to, 0);
  }
  return series;
}

std::string realtime_json(const RealTimeRun& run) {
  const TimeSummary step = summarise(cpu(run.steps));
  nlohmann::ordered_json json;
  json["scenario"] = run.scenario;
  json["law"] = run.law;
  json["method"] = run.method;
  json["rate"] = run.rate;
  json["period"] = 1 / run.rate;
  json["seconds"] = run.seconds();
  json["laps"] = run.laps;
  json["columns"] = run.columns.size();
  json["samples"] = step.samples;
  json["p50"] = step.p50;
  json["p99"] = step.p99;
  json["p999"] = step.p999;
  json["max"] = step.max;
  json["mean"] = step.mean;
  if (run.allocations >= 0) {
    json["allocations"] = run.allocations;
  } else {
    json["allocations"] = nullptr;
  }
  json["missed"] = run.missed.ours;
  json["missed_machine"] = run.missed.machine;
  json["degraded"] = {
      {"steps", run.degraded.steps},        {"touches", run.degraded.touches},
      {"substeps", run.degraded.substeps},  {"sweeps", run.degraded.sweeps},
      {"payments", run.degraded.payments},  {"energy_taken_back", run.degraded.paid},
      {"depth_behind", run.degraded.behind}};
  json["most_substeps"] = run.most_substeps;
  json["state_hash"] = hash_text(run);
  json["state_size"] = run.state_size;
  json["best_lap"] = nullptr;
  if (const std::vector<double> best = needed(run); !best.empty()) {
    json["best_lap"] = times_json(best);
    json["best_lap"]["missed"] = run.missed_best_lap;
  }
  json["slowest"] = nlohmann::ordered_json::array();
  for (const SlowStep& slow : slowest(run)) {
    json["slowest"].push_back({{"lap", slow.lap + 1},
                               {"t", static_cast<double>(slow.step) / run.rate},
                               {"cpu", slow.time},
                               {"best_lap", slow.best > 0 ? nlohmann::ordered_json(slow.best)
                                                          : nlohmann::ordered_json()}});
  }
  json["fixed"] = times_json(run.fixed);
  json["wall"] = times_json(wall(run.steps));
  json["late"] = times_json(late(run.steps));
  json["empty"] = {{"cpu", times_json(cpu(run.empty))},
                   {"wall", times_json(wall(run.empty))},
                   {"late", times_json(late(run.empty))},
                   {"missed", run.missed_empty.ours},
                   {"missed_machine", run.missed_empty.machine}};
  json["histogram"] = {{"cpu", bins_json(cpu(run.steps))},
                       {"wall", bins_json(wall(run.steps))},
                       {"empty_cpu", bins_json(cpu(run.empty))}};
  json["memory_locked"] = run.granted.memory_locked;
  json["scheduling"] = run.granted.scheduling;
  if (run.granted.cpu >= 0) {
    json["cpu"] = run.granted.cpu;
  } else {
    json["cpu"] = nullptr;
  }
  json["interrupted"] = run.interrupted;
  return json.dump(2) + "\n";
}

std::string realtime_text(const RealTimeRun& run) {
  std::string text = fmt::format("{}: {}\n", run.scenario, run.title);
  for (const auto& [name, value] : facts(run)) text += fmt::format("  {:<22} {}\n", name, value);
  text += "\n" + times_text(lines(run));
  text += "\n  the slowest steps: CPU time, and in their best lap\n";
  for (const SlowStep& slow : slowest(run)) {
    text += fmt::format("  lap {:>3}, from {:>8.4g} s {:>9} {:>9}\n", slow.lap + 1,
                        static_cast<double>(slow.step) / run.rate, microseconds(slow.time),
                        slow.best > 0 ? microseconds(slow.best) : "–");
  }
  // By the logarithm: one step in a hundred thousand is to be seen too.
  text += "\n  CPU time of a step, steps (bars by the logarithm)\n";
  const std::vector<TimeBin> bins = time_bins(cpu(run.steps));
  double most = 1;
  for (const TimeBin& bin : bins) most = std::max(most, static_cast<double>(bin.count));
  constexpr double width = 40;
  for (const TimeBin& bin : bins) {
    const double share =
        bin.count == 0 ? 0
                       : (1 + std::log10(static_cast<double>(bin.count))) / (1 + std::log10(most));
    text += fmt::format("  {:>6g} - {:<6g} us {:<40} {}\n", 1e6 * bin.from, 1e6 * bin.to,
                        std::string(static_cast<std::size_t>(std::lround(share * width)), '#'),
                        bin.count);
  }
  return text;
}

namespace {

std::string worst_note(const RealTimeRun& run, double worst) {
  const std::vector<double> best = needed(run);
  const std::string of = fmt::format("CPU time; {:.2g} % of the period", 100 * worst * run.rate);
  return best.empty()
             ? of
             : fmt::format("{}; {} in its best lap", of, microseconds(summarise(best).max));
}

}  // namespace

ReportPage realtime_page(const RealTimeRun& run) {
  using Status = Headline::Status;
  const TimeSummary step = summarise(cpu(run.steps));
  const auto status = [](bool good) { return good ? Status::good : Status::warn; };
  ReportPage page{.title = fmt::format("{} in real time", run.title),
                  .subtitle = fmt::format("{}, {}, {:g} Hz, {:g} s", run.scenario, run.law,
                                          run.rate, run.seconds())};
  page.headlines = {{.label = "Worst step",
                     .value = microseconds(step.max),
                     .unit = "µs",
                     .note = worst_note(run, step.max),
                     .status = status(step.max < 1 / run.rate)},
                    {.label = "99.9 % of steps",
                     .value = microseconds(step.p999),
                     .unit = "µs",
                     .note = "or less"},
                    {.label = "Missed by the step",
                     .value = std::to_string(run.missed.ours),
                     .note = fmt::format("by the machine: {}", run.missed.machine),
                     .status = status(run.missed.ours == 0)},
                    {.label = "Allocations",
                     .value = allocations_text(run.allocations),
                     .note = "in the whole loop",
                     .status = status(run.allocations <= 0)},
                    {.label = "Degraded steps",
                     .value = std::to_string(run.degraded.steps),
                     .note = fmt::format("most sub-steps: {}", run.most_substeps),
                     .status = status(run.degraded.steps == 0)}};
  Figure bins;
  bins.caption =
      "Steps in each bin. The empty loop wakes up and does nothing; the fixed work is the same "
      "every time.";
  bins.panels.push_back(
      {.x_label = "Time (µs)",
       .y_label = "Steps",
       .series = {time_histogram({"step, CPU", cpu(run.steps)}),
                  time_histogram({"step, wall", wall(run.steps)}, Series::Style::dashed),
                  time_histogram({"fixed work, CPU", run.fixed}),
                  time_histogram({"empty loop, CPU", cpu(run.empty)})},
       .x_log = true,
       .y_log = true});
  Figure course;
  Series each{"step, CPU", {}, {}};
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    each.x.push_back(static_cast<double>(i) / run.rate);
    each.y.push_back(1e6 * run.steps[i].cpu);
  }
  course.panels.push_back({.x_label = "Time (s)",
                           .y_label = "CPU time of a step (µs)",
                           .series = {std::move(each)},
                           .y_log = true});
  PageTable about{"The run", {"", ""}, {}};
  for (const auto& [name, value] : facts(run)) about.rows.push_back({name, value});
  page.sections.push_back(
      {.title = "Time of a step", .tables = {times_table(lines(run))}, .figures = {bins, course}});
  page.sections.push_back({.title = "The run", .tables = {about}});
  return page;
}

}  // namespace bristle
