#include "bristle/identify/watch.hpp"

#include <algorithm>

namespace bristle {

void Watch::begin(Stage stage) {
  const std::lock_guard lock(mutex_);
  stage_ = std::move(stage);
}

void Watch::count(int done, int of, double lowest, double share) {
  const std::lock_guard lock(mutex_);
  stage_.done = done;
  stage_.of = of;
  stage_.lowest = lowest;
  stage_.share = std::max(stage_.share, share);  // another round must not look like a step back
}

bool Watch::goes_on() {
  if (stopped_) return false;
  if (!watcher_) return true;
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return true;  // another thread is telling
  ++stage_.looks;
  if (!watcher_(stage_)) stopped_ = true;
  return !stopped_;
}

WatchedProblem::WatchedProblem(const Problem& problem, Watch& watch)
    : problem_(problem), watch_(watch) {
  unknowns_ = problem.unknowns();
  orders_ = problem.orders();
  kinked_ = problem.is_kinked();
}

bool WatchedProblem::evaluate(std::span<const double> p, std::span<double> r) const {
  // Asked again: slopes that are wanted of a point which could be evaluated should be had.
  return watch_.goes_on() && problem_.evaluate(p, r) && !watch_.stopped();
}

bool WatchedProblem::derivatives(std::span<const double> p, std::span<double> r,
                                 std::span<double> by) const {
  if (!watch_.stopped()) {
    watch_.goes_on();  // if not, from the next look on: least squares complains of slopes that fail
    return problem_.derivatives(p, r, by);
  }
  // Who does not ask whether it failed works on with numbers.
  std::fill(r.begin(), r.end(), 0.0);
  std::fill(by.begin(), by.end(), 0.0);
  return false;
}

std::unique_ptr<Problem> WatchedProblem::rough(int residuals) const {
  std::unique_ptr<Problem> inner = problem_.rough(residuals);
  if (!inner) return nullptr;
  auto made = std::make_unique<WatchedProblem>(*inner, watch_);
  made->owned_ = std::move(inner);
  return made;
}

}  // namespace bristle
