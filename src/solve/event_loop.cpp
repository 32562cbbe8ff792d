#include "event_loop.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace bristle::detail {

EventLoop::EventLoop(Equations& equations, Integrator& integrator, Follower& follower,
                     const RunOptions& options)
    : options_(options),
      equations_(equations),
      integrator_(integrator),
      follower_(follower),
      y_(equations.initial()),
      work_(static_cast<std::size_t>(equations.quadratures())),
      before_(static_cast<std::size_t>(equations.guards())),
      after_(before_.size()),
      middle_(before_.size()),
      armed_(before_.size()),
      risen_(std::make_unique<bool[]>(before_.size())) {
  equations_.locate_modes(integrator_.locates_events());
  two_way_from_ = static_cast<std::size_t>(equations_.two_way_guards().first);
  two_way_to_ = static_cast<std::size_t>(equations_.two_way_guards().second);
}

void EventLoop::go(RunResult& result) {
  if (equations_.sampling_period() > 0) equations_.sample(0, y_);
  equations_.settle(0, y_, list_);
  follower_.start(0, y_, work_);
  for (const double end : segments()) {
    if (!segment(end)) break;
    if (end >= options_.duration) break;
    follower_.before_jump(t_, y_, {});
    begin_segment(end);
    follower_.jumped(t_, y_, work_);
  }
  integrator_.at(t_, y_, work_);
  result.t_end = t_;
  result.steps = integrator_.steps();
  result.evaluations = equations_.evaluations();
  result.restarts = restarts_;
  result.partial = partial_;
  result.events = std::move(list_);
}

/// Ends of the stretches over which the equations are smooth in time.
std::vector<double> EventLoop::segments() const {
  std::vector<double> ends = equations_.breaks(options_.duration);
  const double period = equations_.sampling_period();
  if (period > 0) {
    constexpr double most = 1e8;
    if (options_.duration / period > most) {
      throw InputError({.message = fmt::format("{:.3g} periods of the sampled controller",
                                               options_.duration / period),
                        .key = "duration",
                        .value = fmt::format("{:g}", options_.duration),
                        .expected = fmt::format("at most {:g} periods", most)});
    }
    const auto count = static_cast<long>(std::floor(options_.duration / period * (1 + 1e-12)));
    for (long k = 1; k <= count; ++k) ends.push_back(static_cast<double>(k) * period);
  }
  ends.push_back(options_.duration);
  std::sort(ends.begin(), ends.end());
  const double slack = 1e-12 * options_.duration;
  ends.erase(
      std::unique(ends.begin(), ends.end(), [&](double a, double b) { return b - a <= slack; }),
      ends.end());
  std::erase_if(ends, [&](double t) { return t > options_.duration; });
  ends.back() = options_.duration;
  return ends;
}

void EventLoop::begin_segment(double t) {
  const double period = equations_.sampling_period();
  if (period > 0) {
    const double k = std::round(t / period);
    if (std::abs(t - k * period) <= 1e-9 * period) equations_.sample(static_cast<int>(k), y_);
  }
  equations_.set_horizon(std::numeric_limits<double>::infinity());
  equations_.settle(t, y_, list_);
}

void EventLoop::restart() {
  integrator_.start(t_, y_, work_);
  equations_.guard_values(t_, y_, before_);
  // A guard that starts at or above 0 belongs to the event just handled: it must fall first.
  for (std::size_t g = 0; g < before_.size(); ++g) armed_[g] = before_[g] < 0;
  ++restarts_;
}

/// Runs to `end`; false if the caller has asked to stop.
bool EventLoop::segment(double end) {
  equations_.set_horizon(end);
  restart();
  while (t_ < end) {
    const double from = t_;
    const double to = integrator_.step(end);
    const double event = first_event(from, to);
    follower_.step(integrator_, from, std::min(event, to));
    t_ = std::min(event, to);
    integrator_.at(t_, y_, work_);
    require_way(from);
    if (event <= to) {
      handle();
    } else if (accept(to)) {
      restart();
    }
    if (options_.progress && ++since_progress_ >= 64) {
      since_progress_ = 0;
      if (!options_.progress(t_)) {
        partial_ = true;
        return false;
      }
    }
  }
  return true;
}

/// A run goes on in time, and its state stays a number.
void EventLoop::require_way(double from) {
  const auto lost =
      std::find_if_not(y_.begin(), y_.end(), [](double x) { return std::isfinite(x); });
  if (lost != y_.end()) {
    throw std::runtime_error(
        fmt::format("the motion is not finite at t = {:.9g} s (state {} of {}): look for a "
                    "parameter of extreme size, or try a shorter solver.step",
                    t_, lost - y_.begin() + 1, y_.size()));
  }
  constexpr int most = 10000;
  still_ = t_ > from ? 0 : still_ + 1;
  if (still_ < most) return;
  throw std::runtime_error(
      fmt::format("{} steps without any way in time at t = {:.9g} s: look for a parameter of "
                  "extreme size, or try another solver.method",
                  most, t_));
}

bool EventLoop::accept(double t) {
  const bool changed = equations_.accept(t, y_, list_);
  for (std::size_t g = 0; g < after_.size(); ++g) {
    if (after_[g] < 0) armed_[g] = true;
  }
  std::swap(before_, after_);
  return changed;
}

/// Gaps are events in both directions; for all others the guard must rise.
bool EventLoop::crosses(std::size_t g, double a, double b) const {
  if (g >= two_way_from_ && g < two_way_to_) return (a < 0) != (b < 0);
  // One that did not fall after its own event has to be looked at again.
  return armed_[g] ? a < 0 && b >= 0 : b > 0 && b > a;
}

/// The first event in (from, to], or a time after `to`. Fixed steps see them at their end.
double EventLoop::first_event(double from, double to) {
  const double never = std::numeric_limits<double>::infinity();
  if (before_.empty()) return never;
  guards_at(to, after_);
  if (!integrator_.locates_events()) {
    return any_crossing(before_, after_) ? to : never;
  }
  // The middle too, so that a guard that rises and falls again within a step is not missed.
  const double half = from + (to - from) / 2;
  guards_at(half, middle_);
  for (std::size_t g = 0; g < middle_.size(); ++g) {
    if (middle_[g] < 0 && !armed_[g]) armed_[g] = true;
  }
  double lo = from, hi = to;
  if (any_crossing(before_, middle_)) {
    hi = half;
    after_ = middle_;
  } else if (any_crossing(middle_, after_)) {
    lo = half;
    before_ = middle_;
  } else {
    return never;
  }
  return locate(lo, hi);
}

void EventLoop::guards_at(double t, std::vector<double>& values) {
  integrator_.at(t, y_, {});
  equations_.guard_values(t, y_, values);
}

bool EventLoop::any_crossing(const std::vector<double>& a, const std::vector<double>& b) const {
  for (std::size_t g = 0; g < a.size(); ++g) {
    if (crosses(g, a[g], b[g])) return true;
  }
  return false;
}

/// Bisection sped up by regula falsi on the guard that crosses first; the right end is returned,
/// where the guard has risen.
double EventLoop::locate(double lo, double hi) {
  std::vector<double> at_lo = before_, at_hi = after_;
  const double smallest = 2e-15 * std::max(1.0, std::abs(hi));
  for (int i = 0; i < 200 && hi - lo > smallest; ++i) {
    double t = lo + (hi - lo) / 2;
    if (i % 3 != 2) {
      double guess = hi;
      for (std::size_t g = 0; g < at_lo.size(); ++g) {
        if (!crosses(g, at_lo[g], at_hi[g])) continue;
        guess = std::min(guess, lo + (hi - lo) * at_lo[g] / (at_lo[g] - at_hi[g]));
      }
      // A little to either side in turn, so that both ends move in.
      const double nudge = 0.01 * (hi - lo) * (i % 2 == 0 ? 1 : -1);
      if (hi - lo > 1e3 * smallest)
        guess += nudge * std::min(1.0, std::abs(guess - lo) / (hi - lo));
      if (guess > lo && guess < hi) t = guess;
    }
    if (!(t > lo && t < hi)) break;
    guards_at(t, middle_);
    if (any_crossing(at_lo, middle_)) {
      hi = t;
      at_hi = middle_;
    } else {
      lo = t;
      at_lo = middle_;
    }
  }
  before_ = at_lo;
  after_ = at_hi;
  return hi;
}

void EventLoop::handle() {
  for (std::size_t g = 0; g < before_.size(); ++g) risen_[g] = crosses(g, before_[g], after_[g]);
  note_event_rate();
  const std::span<const bool> risen(risen_.get(), before_.size());
  follower_.before_jump(t_, y_, risen);
  equations_.handle(t_, y_, risen, list_);
  follower_.jumped(t_, y_, work_);
  restart();
}

/// Infinitely many events in a finite time (Zeno) cannot be run through.
void EventLoop::note_event_rate() {
  constexpr int many = 1000;
  if (++events_ % many != 0) return;
  if (t_ - many_ago_ < 1e-9 * options_.duration) {
    throw std::runtime_error(
        fmt::format("{} changes of mode within {:.3g} s at t = {:.9g} s: the contacts chatter; "
                    "try solver.break_away=1.001, or another law",
                    many, t_ - many_ago_, t_));
  }
  many_ago_ = t_;
}

}  // namespace bristle::detail
