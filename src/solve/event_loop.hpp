#pragma once

// Drives an integrator from break to break and from event to event.

#include <memory>
#include <vector>

#include "bristle/solve/run.hpp"

namespace bristle::detail {

/// Watches a run: the recorders of rigs and of worlds.
class Follower {
 public:
  virtual ~Follower() = default;
  virtual void start(double t, std::span<const double> y, std::span<const double> work) = 0;
  /// The step [from, to] of the integrator has been accepted up to `to`.
  virtual void step(Integrator& integrator, double from, double to) = 0;
  /// The state is about to change by these guards; none: sources break at a time that is fixed.
  virtual void before_jump(double /*t*/, std::span<const double> /*y*/,
                           std::span<const bool> /*risen*/) {}
  /// After an event the state may have changed.
  virtual void jumped(double t, std::span<const double> y, std::span<const double> work) = 0;
};

class EventLoop {
 public:
  EventLoop(Equations& equations, Integrator& integrator, Follower& follower,
            const RunOptions& options);
  /// Runs to the end, or until the progress function says stop; fills in events and statistics.
  void go(RunResult& result);

 private:
  std::vector<double> segments() const;
  void begin_segment(double t);
  void restart();
  bool segment(double end);
  void require_way(double from);
  bool accept(double t);
  bool crosses(std::size_t g, double a, double b) const;
  double first_event(double from, double to);
  void guards_at(double t, std::vector<double>& values);
  bool any_crossing(const std::vector<double>& a, const std::vector<double>& b) const;
  double locate(double lo, double hi);
  void handle();
  void note_event_rate();

  const RunOptions& options_;
  Equations& equations_;
  Integrator& integrator_;
  Follower& follower_;
  std::vector<double> y_, work_, before_, after_, middle_;
  std::vector<bool> armed_;
  std::unique_ptr<bool[]> risen_;
  std::size_t two_way_from_ = 0, two_way_to_ = 0;
  double t_ = 0, many_ago_ = -1;
  long events_ = 0;
  int since_progress_ = 0;
  int still_ = 0;  ///< steps since time went on
  std::vector<RunEvent> list_;
  long restarts_ = 0;
  bool partial_ = false;
};

}  // namespace bristle::detail
