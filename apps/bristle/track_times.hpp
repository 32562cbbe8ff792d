#pragma once

// How long the recursive estimator takes for a sample: a log, lap after lap, each from the start.
//
// A lap repeats the same work to the last bit. What a sample takes in one lap and not in another is
// the machine's: the clock of a thread's CPU time goes on while a hypervisor or an interrupt holds
// its processor. So each sample is told as it came, and in its best lap.

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "bristle/identify/track.hpp"
#include "bristle/report/page.hpp"

namespace bristle::cli {

struct TrackTimesOptions {
  int laps = 20;
  double rate = 0;  ///< samples a second against the wall clock; 0: one after the other
};

struct TrackTimes {
  TrackTimesOptions asked{};
  std::size_t lap = 0;                      ///< samples in one
  std::vector<double> cpu{}, clock_only{};  ///< of each sample, and of reading the clock, s
  long allocations = -1;                    ///< in all laps; −1: not counted
  std::string scheduling{};                 ///< empty unless against the wall clock
};

/// InputError for a rate or a number of laps that is none. Ctrl-C ends the laps early.
TrackTimes time_track(const TrackTask& task, const TrackTimesOptions& options);

std::string track_times_text(const TrackTimes& times);
nlohmann::ordered_json track_times_json(const TrackTimes& times);
void add_track_times(ReportPage& page, const TrackTimes& times);

}  // namespace bristle::cli
