#pragma once

/// Somebody who looks on while parameters are sought, and may stop it.
///
///   Watch watch([&](const Stage& stage) { show(stage); return !stop; });
///   const WatchedProblem watched(problem, watch);
///   find_minimum(watched, options);   // told at every look at the model; ends soon once stopped
///
/// Once stopped, a watched problem cannot be evaluated any more: whatever works on it (starts,
/// polishing, a global search, profiles) meets failures only and ends after a few of them. What it
/// returns then means nothing; ask `watch.stopped()` before using it.

#include <atomic>
#include <functional>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <string>

#include "bristle/identify/problem.hpp"

namespace bristle {

/// What is going on.
struct Stage {
  std::string what{};    ///< "lugre", "profiles of lugre"
  int done = 0, of = 0;  ///< starts; 0 of 0: they are not counted
  double lowest = std::numeric_limits<double>::infinity();  ///< rms so far
  std::string unit{};                                       ///< of the rms
  long looks = 0;                                           ///< at the model, since the stage began
  double share = 0;                                         ///< of all the work, roughly
};

/// False stops. Called from any thread, but never twice at a time; cheap, or it slows the work.
using Watcher = std::function<bool(const Stage&)>;

class Watch {
 public:
  Watch() = default;
  explicit Watch(Watcher watcher) : watcher_(std::move(watcher)) {}

  /// What comes next.
  void begin(Stage stage);
  /// So many starts are done.
  void count(int done, int of, double lowest, double share);
  /// Tells the watcher. False once it wants to stop.
  bool goes_on();
  bool stopped() const noexcept { return stopped_; }

 private:
  Watcher watcher_{};
  std::mutex mutex_{};
  Stage stage_{};
  std::atomic<bool> stopped_{false};
};

/// The user has stopped the search; what was done stands in the log, where there is one.
struct SearchStopped : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A problem as it is, until somebody stops it.
class WatchedProblem final : public Problem {
 public:
  WatchedProblem(const Problem& problem, Watch& watch);

  int residuals() const noexcept override { return problem_.residuals(); }
  bool evaluate(std::span<const double> p, std::span<double> r) const override;
  bool derivatives(std::span<const double> p, std::span<double> r,
                   std::span<double> by) const override;
  std::unique_ptr<Problem> rough(int residuals) const override;
  double undamp(std::span<double> r, std::span<double> by) const override {
    return problem_.undamp(r, by);
  }

 private:
  std::unique_ptr<Problem> owned_{};  ///< of a rough version
  const Problem& problem_;
  Watch& watch_;
};

}  // namespace bristle
