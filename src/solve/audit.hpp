#pragma once

// What makes a run doubtful. Sums that close prove little: a step that books the work of the forces
// that it applied closes them whatever it does. So the signs are judged too: energy may not rise
// from nowhere, and a law that takes energy may not give any.

#include <algorithm>

#include "bristle/solve/run.hpp"

namespace bristle::detail {

/// How far energy rises above an earlier low.
class GainWatch {
 public:
  /// Energy of motion, gravity and springs, less what was put in; and what bristles hold besides,
  /// which may come back.
  void look(double t, double energy, double held) noexcept {
    if (energy - low_ > gain_) {
      gain_ = energy - low_;
      at_ = t;
    }
    low_ = std::min(low_, energy + std::max(0.0, held));
  }
  double gain() const noexcept { return gain_; }
  double at() const noexcept { return at_; }

 private:
  double low_ = infinity, gain_ = 0, at_ = 0;
};

/// Fills the warnings of a run from its books and counts. `areas`: it has contacts over areas.
void audit(RunResult& result, const RunOptions& options, bool areas);

}  // namespace bristle::detail
