#pragma once

/// Columns of a rig's motion at given times, and nothing else: no books, no metrics. For those who
/// ask for it thousands of times, such as an identification.

#include <span>
#include <string>
#include <vector>

#include "bristle/solve/run.hpp"

namespace bristle {

/// values[k · columns + c] = column c at times[k]. Times ascend from 0 on; the last one ends the
/// run. Columns are named as in run(); energies are not among them. Of the options count method,
/// step, tolerance and break_away. Fails as run() does.
void observe(const Rig& rig, const RunOptions& options, std::span<const double> times,
             const std::vector<std::string>& columns, std::span<double> values);

}  // namespace bristle
