#pragma once

/// What a laboratory would have logged: columns of a run with the noise and the resolution of their
/// instruments. In a scenario,
///
///   measurement:
///     seed: 12345
///     columns:
///       z:  {resolution: 1.22e-9}       # of an encoder, in the unit of the column
///       fn: {noise: 0.085}              # standard deviation
///       force: {sum: [F1, F2], noise: 0.1}   # a sensor that feels several contacts at once
///
/// `bristle run` then writes measured.csv beside trajectory.csv, sampled at the same times
/// (output.interval). The same seed gives the same noise.

#include <cstdint>
#include <string>
#include <vector>

#include "bristle/io/document.hpp"
#include "bristle/solve/run.hpp"

namespace bristle {

struct Measurement {
  struct Channel {
    std::string column;              ///< of the run, or, of a sum, what it is called
    double noise = 0;                ///< standard deviation of a normal distribution, SI
    double resolution = 0;           ///< values are rounded to multiples of this; 0: not
    double offset = 0;               ///< added to all values
    std::vector<std::string> sum{};  ///< columns that one sensor feels together; empty: none
  };
  std::uint64_t seed = 1;
  std::vector<Channel> channels{};
};

/// Empty without a section `measurement`.
Measurement read_measurement(const Node& node);
/// Time and the measured columns; InputError for a column that the run does not have, and for a sum
/// of unlike units.
std::vector<Column> measured(const Measurement& measurement, const RunResult& result);

}  // namespace bristle
