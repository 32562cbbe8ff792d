#pragma once

/// What a run against the wall clock leaves behind: JSON, text for a terminal, a page.

#include <string>

#include "bristle/realtime/run.hpp"
#include "bristle/report/page.hpp"

namespace bristle {

/// The contract of the command line; times in seconds, of the thread's CPU time unless said.
std::string realtime_json(const RealTimeRun& run);
/// A table and a histogram.
std::string realtime_text(const RealTimeRun& run);
ReportPage realtime_page(const RealTimeRun& run);

// Pieces of these, for other loops that are timed.

/// Durations under a name, s.
struct NamedTimes {
  std::string name{};
  std::vector<double> times{};
};
/// Median, 99 %, 99.9 % and the worst of each, in microseconds.
std::string times_text(const std::vector<NamedTimes>& list);
PageTable times_table(const std::vector<NamedTimes>& list);
/// Bins as a line of steps: how many are in each, over microseconds; both axes are logarithmic.
Series time_histogram(const NamedTimes& times, Series::Style style = Series::Style::line);
/// A time with the digits that matter, in microseconds.
std::string microseconds(double seconds);
/// A count, or that nobody counted (−1).
std::string allocations_text(long allocations);

}  // namespace bristle
