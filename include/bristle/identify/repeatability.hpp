#pragma once

/// How well a rig that is driven round and round repeats itself: the floor under every fit.
///
///   F̄(φ) = mean over n cycles of F_i(φ),   s² = n/(n − 1) · mean over all samples of (F − F̄(φ))²
///
/// with the phase φ = (t − t_i)/(t_{i+1} − t_i) within a cycle. A law that answers the same motion
/// under the same load with the same force cannot come closer to the record than s in the long run,
/// whatever its parameters.
///
/// A cycle begins at t_i, where the position (without one, the slip) rises through ¾ of its range
/// after it was below ¼; the range leaves out 2 % of the samples at either end, so that spikes do
/// not count. The first whole cycle still shows what came before the record, and is left out.
/// Nothing is said of a record that does not repeat: fewer than three further cycles, cycles of
/// less than 16 samples, lengths that differ by more than 5 % of the median one, a motion that
/// strays from its own mean cycle by more than 2 % of its standard deviation (a law may well follow
/// such differences), a load that strays by more than 5 % of its mean.

#include <optional>

#include "bristle/identify/recording.hpp"

namespace bristle {

struct Repeatability {
  double rms = 0;     ///< s, in the unit of the force
  double period = 0;  ///< s, the median
  int cycles = 0;     ///< that were compared
};

/// Of the force. None where the recording has no force or no motion, or does not repeat.
std::optional<Repeatability> repeatability_of(const Recording& recording);

}  // namespace bristle
