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

}  // namespace bristle
