#pragma once

/// Steps between what was measured and what is fitted. Each leaves a sentence in `steps`.
///
///   Recording rig = …;
///   remove_drift(rig, "force", {0.0, 0.4});
///   low_pass(rig, "position", 80.0, 5);
///   differentiate(rig, "position", "slip", {.points = 3, .degree = 2});   // central differences
///   decimate(rig, 10);
///
/// or, in the `prepare` of a recording,
///
///   - {crop: [1 s, 30 s]}
///   - {drift: force, rest: [0 s, 0.4 s]}
///   - {drift: [force, load], rest: [0 s, 0.4 s], last_rest: [29 s, 30 s]}
///   - {smooth: force, points: 11, degree: 2}
///   - {differentiate: position, to: slip, points: 21, degree: 3}
///   - {differentiate: position, to: acceleration, derivative: 2}
///   - {low_pass: [force, position], cutoff: 80 Hz, order: 4}
///   - {resample: 500 Hz, method: cubic}         # or linear
///   - {decimate: 10, filter: iir}               # or fir, none
///   - {still: slip, below: 3 um/s}              # what is smaller is noise about a rest: 0
///
/// Filters want uniform sampling: every step within 1 % of the median step, or an InputError names
/// the first sample that comes too early or late (`resample` mends it). Faults of the data are
/// InputErrors that name its file.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bristle/identify/filter.hpp"
#include "bristle/identify/recording.hpp"

namespace bristle {

inline constexpr double uniform_tolerance = 0.01;

/// The mean step, s, of a recording that is uniformly sampled.
double sampling_step(const Recording& recording);

/// From `start` to `end`, s, both included.
struct TimeSpan {
  double start = 0, end = 0;
};

void crop(Recording& recording, const TimeSpan& kept);

/// Takes out the mean over a rest.
void remove_drift(Recording& recording, std::string_view role, const TimeSpan& rest);
/// Takes out the straight line through the mean values and mean times of two rests.
void remove_drift(Recording& recording, std::string_view role, const TimeSpan& rest,
                  const TimeSpan& last_rest);

void smooth(Recording& recording, std::string_view role, const SavitzkyGolay& filter);
/// `filter.derivative` of 0 counts as 1.
void differentiate(Recording& recording, std::string_view role, std::string_view to,
                   SavitzkyGolay filter);
/// Butterworth, forwards and backwards; cutoff in Hz.
void low_pass(Recording& recording, std::string_view role, double cutoff, int order);

/// To a uniform rate, Hz, from the first sample on. Nothing is filtered: before going to a lower
/// rate, low_pass.
void resample(Recording& recording, double rate, Interpolation kind = Interpolation::cubic);
/// Keeps every `factor`-th sample of all columns.
void decimate(Recording& recording, int factor, AntiAlias kind = AntiAlias::iir);

/// Values of a smaller size are set to 0: laws that stick ask for the sign of the slip, which noise
/// about a rest has too.
void count_as_rest(Recording& recording, std::string_view role, double below);

/// The steps of a list, in their order.
void prepare(Recording& recording, const Node& steps);

/// Where each column comes from, with unit and gain, a sentence each: "force: column u in V, times
/// 35.15 N/V". Of the map `columns` of a recording.
std::vector<std::string> column_words(const Node& columns);
/// Puts them before the steps of recordings that were read from the entry or the list `data`.
void tell_columns(std::span<Recording> recordings, const Node& data);

}  // namespace bristle
