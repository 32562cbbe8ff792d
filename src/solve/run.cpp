#include "bristle/solve/run.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "bristle/core/names.hpp"
#include "recorder.hpp"

namespace bristle {
namespace {

const std::vector<std::string> methods{"auto",          "rodas", "cvode", "event", "euler",
                                       "semi-implicit", "heun",  "ode3",  "rk4",   "bristle"};

bool any_contact(const Rig& rig, Capability capability) {
  return std::any_of(rig.contacts.begin(), rig.contacts.end(),
                     [&](const Contact& contact) { return contact.law.info().can(capability); });
}

std::string law_with(const Rig& rig, Capability capability) {
  for (const Contact& contact : rig.contacts) {
    if (contact.law.info().can(capability)) return std::string(contact.law.name());
  }
  return "";
}

/// In the plane the direction of a slow slip turns at F/(m |v|). Without a drop from static to
/// kinetic friction slip starts so slowly that this is stiff.
bool turns_stiffly(const Rig& rig, const Contact& contact) {
  if (!contact.law.info().can(Capability::set_valued) || rig.axes(contact) == 1) return false;
  const StickSet set = contact.law.stick_set(1.0);
  return set.band == 0 && contact.law.steady(1e-12, 1.0) > 0.999 * set.max;
}

std::unique_ptr<Integrator> make_integrator(Dynamics& dynamics, const std::string& method,
                                            const RunOptions& options) {
  if (method == "rodas") return make_rodas(dynamics, options.tolerance);
  if (method == "cvode") return make_cvode(dynamics, options.tolerance);
  if (method == "event") return make_dopri5(dynamics, options.tolerance);
  if (method == "semi-implicit") return make_semi_implicit(dynamics, options.step);
  if (method == "bristle") return make_averaged(dynamics, options.step);
  return make_explicit(dynamics, method, options.step);
}

/// One run on its way.
class Runner {
 public:
  Runner(const Rig& rig, const RunOptions& options, const std::string& method)
      : options_(options),
        dynamics_(rig, options.break_away),
        integrator_(make_integrator(dynamics_, method, options)),
        y_(dynamics_.initial()),
        work_(static_cast<std::size_t>(dynamics_.quadratures())),
        before_(static_cast<std::size_t>(dynamics_.guards())),
        after_(before_.size()),
        middle_(before_.size()),
        armed_(before_.size()),
        risen_(std::make_unique<bool[]>(before_.size())) {
    result_.method = method;
    dynamics_.locate_modes(integrator_->locates_events());
    two_way_from_ = static_cast<std::size_t>(dynamics_.two_way_guards().first);
    two_way_to_ = static_cast<std::size_t>(dynamics_.two_way_guards().second);
  }

  RunResult go() {
    detail::Recorder recorder(dynamics_, options_);
    if (dynamics_.mechanics().sampling_period() > 0) dynamics_.mechanics().sample(0, positions());
    dynamics_.settle(0, y_, result_.events);
    recorder.start(0, y_, work_);
    for (const double end : segments()) {
      if (!segment(end, recorder)) break;
      if (end >= options_.duration) break;
      begin_segment(end);
      recorder.jumped(t_, y_, work_);
    }
    integrator_->at(t_, y_, work_);
    result_.t_end = t_;
    result_.steps = integrator_->steps();
    result_.evaluations = dynamics_.evaluations();
    recorder.finish(result_);
    return std::move(result_);
  }

 private:
  std::span<const double> positions() const {
    return std::span(y_).first(static_cast<std::size_t>(dynamics_.dofs()));
  }
  /// Ends of the stretches over which the equations are smooth in time.
  std::vector<double> segments() const {
    std::vector<double> ends = dynamics_.mechanics().breaks(options_.duration);
    const double period = dynamics_.mechanics().sampling_period();
    if (period > 0) {
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
  void begin_segment(double t) {
    const double period = dynamics_.mechanics().sampling_period();
    if (period > 0) {
      const double k = std::round(t / period);
      if (std::abs(t - k * period) <= 1e-9 * period) {
        dynamics_.mechanics().sample(static_cast<int>(k), positions());
      }
    }
    dynamics_.set_horizon(std::numeric_limits<double>::infinity());
    dynamics_.settle(t, y_, result_.events);
  }

  void restart() {
    integrator_->start(t_, y_, work_);
    dynamics_.guard_values(t_, y_, before_);
    // A guard that starts at or above 0 belongs to the event just handled: it must fall first.
    for (std::size_t g = 0; g < before_.size(); ++g) armed_[g] = before_[g] < 0;
    ++result_.restarts;
  }

  /// Runs to `end`; false if the caller has asked to stop.
  bool segment(double end, detail::Recorder& recorder) {
    dynamics_.set_horizon(end);
    restart();
    while (t_ < end) {
      const double from = t_;
      const double to = integrator_->step(end);
      const double event = first_event(from, to);
      recorder.step(*integrator_, from, std::min(event, to));
      t_ = std::min(event, to);
      integrator_->at(t_, y_, work_);
      if (event <= to) {
        handle(recorder);
      } else if (accept(to)) {
        restart();
      }
      if (options_.progress && ++since_progress_ >= 64) {
        since_progress_ = 0;
        if (!options_.progress(t_)) {
          result_.partial = true;
          return false;
        }
      }
    }
    return true;
  }
  bool accept(double t) {
    const bool changed = dynamics_.accept(t, y_, result_.events);
    for (std::size_t g = 0; g < after_.size(); ++g) {
      if (after_[g] < 0) armed_[g] = true;
    }
    std::swap(before_, after_);
    return changed;
  }

  /// Gaps are events in both directions; for all others the guard must rise.
  bool crosses(std::size_t g, double a, double b) const {
    if (g >= two_way_from_ && g < two_way_to_) return (a < 0) != (b < 0);
    // One that did not fall after its own event has to be looked at again.
    return armed_[g] ? a < 0 && b >= 0 : b > 0 && b > a;
  }

  /// The first event in (from, to], or a time after `to`. Fixed steps see them at their end.
  double first_event(double from, double to) {
    const double never = std::numeric_limits<double>::infinity();
    if (before_.empty()) return never;
    guards_at(to, after_);
    if (!integrator_->locates_events()) {
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
  void guards_at(double t, std::vector<double>& values) {
    integrator_->at(t, y_, {});
    dynamics_.guard_values(t, y_, values);
  }
  bool any_crossing(const std::vector<double>& a, const std::vector<double>& b) const {
    for (std::size_t g = 0; g < a.size(); ++g) {
      if (crosses(g, a[g], b[g])) return true;
    }
    return false;
  }
  /// Bisection sped up by regula falsi on the guard that crosses first; the right end is returned,
  /// where the guard has risen.
  double locate(double lo, double hi) {
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

  void handle(detail::Recorder& recorder) {
    for (std::size_t g = 0; g < before_.size(); ++g) risen_[g] = crosses(g, before_[g], after_[g]);
    note_event_rate();
    dynamics_.handle(t_, y_, {risen_.get(), before_.size()}, result_.events);
    recorder.jumped(t_, y_, work_);
    restart();
  }
  /// Infinitely many events in a finite time (Zeno) cannot be run through.
  void note_event_rate() {
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

  const RunOptions& options_;
  Dynamics dynamics_;
  std::unique_ptr<Integrator> integrator_;
  std::vector<double> y_, work_, before_, after_, middle_;
  std::vector<bool> armed_;
  std::unique_ptr<bool[]> risen_;
  std::size_t two_way_from_ = 0, two_way_to_ = 0;
  double t_ = 0, many_ago_ = -1;
  long events_ = 0;
  int since_progress_ = 0;
  RunResult result_;
};

}  // namespace

const std::vector<double>& RunResult::column(std::string_view name) const {
  std::vector<std::string> names;
  for (const Column& column : columns) {
    if (column.name == name) return column.values;
    names.push_back(column.name);
  }
  throw InputError({.message = "no such column",
                    .value = std::string(name),
                    .expected = one_of(names),
                    .nearest = nearest_name(name, names)});
}
bool RunResult::has(std::string_view name) const {
  return std::any_of(columns.begin(), columns.end(),
                     [&](const Column& column) { return column.name == name; });
}

const std::vector<std::string>& run_methods() { return methods; }
bool is_fixed_step(std::string_view method) {
  return method != "auto" && method != "rodas" && method != "cvode" && method != "event";
}

std::string default_method(const Rig& rig) {
  if (any_contact(rig, Capability::random)) return "semi-implicit";
  if (std::any_of(rig.contacts.begin(), rig.contacts.end(),
                  [&](const Contact& contact) { return turns_stiffly(rig, contact); })) {
    return "cvode";
  }
  if (any_contact(rig, Capability::set_valued) || any_contact(rig, Capability::hybrid) ||
      rig.contacts.empty() || !rig.drives.empty()) {
    return "event";
  }
  // A step of `rodas` solves with a full matrix anew, which only few unknowns repay.
  constexpr std::size_t few = 10;
  return rig.bodies.size() + rig.contacts.size() <= few ? "rodas" : "cvode";
}

void check_method(const Rig& rig, const std::string& method) {
  if (std::find(methods.begin(), methods.end(), method) == methods.end()) {
    throw InputError({.message = "unknown method",
                      .key = "solver.method",
                      .value = method,
                      .expected = one_of(methods),
                      .nearest = nearest_name(method, methods)});
  }
  if (method == "auto") return;
  const auto refuse = [&](const std::string& reason, const std::string& instead) {
    throw InputError(
        {.message = reason, .key = "solver.method", .value = method, .expected = instead});
  };
  if (any_contact(rig, Capability::random) && !is_fixed_step(method)) {
    refuse(
        fmt::format("law '{}' is random: its bonds snap at steps, which an adaptive method would "
                    "take again and again",
                    law_with(rig, Capability::random)),
        "solver.method=semi-implicit or bristle with a fixed solver.step");
  }
  if (any_contact(rig, Capability::random) && method != "semi-implicit" && method != "bristle") {
    refuse(fmt::format("law '{}' has no rate that '{}' could integrate: its bonds snap",
                       law_with(rig, Capability::random), method),
           "solver.method=semi-implicit or bristle");
  }
  const bool is_explicit = is_fixed_step(method) && method != "bristle";
  if (any_contact(rig, Capability::set_valued) && is_explicit) {
    refuse(fmt::format("law '{}' is set-valued: at rest its force is whatever holds the contact, "
                       "which an explicit step cannot find (it would chatter)",
                       law_with(rig, Capability::set_valued)),
           "solver.method=event, rodas, cvode or bristle, or a law without a jump at v = 0");
  }
  if (!rig.stops.empty() && is_fixed_step(method)) {
    refuse("a hard stop needs a method that finds the moment of impact",
           "solver.method=event, rodas or cvode");
  }
}

RunResult run(const Rig& rig, const RunOptions& options) {
  check_method(rig, options.method);
  const std::string method = options.method == "auto" ? default_method(rig) : options.method;
  if (!(options.duration > 0) || !std::isfinite(options.duration)) {
    throw InputError({.message = "a run needs a duration above 0",
                      .key = "duration",
                      .value = fmt::format("{:g}", options.duration)});
  }
  return Runner(rig, options, method).go();
}

}  // namespace bristle
