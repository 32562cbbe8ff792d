#include "bristle/solve/observe.hpp"

#include <fmt/format.h>

#include "columns.hpp"
#include "event_loop.hpp"
#include "methods.hpp"
#include "sensitivity.hpp"
#include "tighten.hpp"

namespace bristle {
namespace {

/// Reads the columns wherever a time is passed, and their derivatives if there is a sensitivity.
class Observer final : public detail::Follower {
 public:
  Observer(Dynamics& dynamics, std::span<const double> times,
           const std::vector<std::string>& columns, std::span<double> values,
           detail::Sensitivity* sensitivity = nullptr, std::span<double> by = {})
      : f_(dynamics),
        columns_(dynamics),
        times_(times),
        values_(values),
        sensitivity_(sensitivity),
        by_(by),
        y_(static_cast<std::size_t>(dynamics.size())),
        no_work_(static_cast<std::size_t>(2 + 2 * dynamics.contacts())) {
    for (const std::string& name : columns) {
      wanted_.push_back(detail::column_at(columns_.list(), name, "observe"));
      all_states_ = all_states_ && columns_.state(wanted_.back()).has_value();
    }
  }
  void start(double t, std::span<const double> y, std::span<const double>) override {
    if (sensitivity_) sensitivity_->start();
    while (next_ < times_.size() && times_[next_] <= t) put(times_[next_], y);
  }
  void step(Integrator& integrator, double from, double to) override {
    if (sensitivity_) sensitivity_->step(integrator, from, to);
    while (next_ < times_.size() && times_[next_] <= to) {
      integrator.at(times_[next_], y_, {});
      put(times_[next_], y_);
    }
  }
  void before_jump(double t, std::span<const double> y, std::span<const bool> risen) override {
    if (sensitivity_) sensitivity_->before_jump(t, y, risen);
  }
  void jumped(double t, std::span<const double> y, std::span<const double>) override {
    if (sensitivity_) sensitivity_->after_jump(t, y);
  }

 private:
  void put(double t, std::span<const double> y) {
    columns_.fill(f_, t, y, no_work_, 0, row_);
    const std::size_t first = next_ * wanted_.size();
    for (std::size_t c = 0; c < wanted_.size(); ++c) values_[first + c] = row_[wanted_[c]];
    if (sensitivity_) put_derivatives(t, y, first);
    ++next_;
  }
  void put_derivatives(double t, std::span<const double> y, std::size_t first) {
    const Eigen::MatrixXd& s = sensitivity_->within(t);
    const int count = sensitivity_->parameters();
    for (int j = 0; j < count; ++j) {
      double sign = 1 / sensitivity_->reach(j);
      const auto slot = [&](std::size_t c) -> double& {
        return by_[(first + c) * static_cast<std::size_t>(count) + static_cast<std::size_t>(j)];
      };
      for (std::size_t c = 0; c < wanted_.size(); ++c) {
        const auto state = columns_.state(wanted_[c]);
        slot(c) = state ? s(static_cast<Eigen::Index>(*state), j) : 0;
      }
      if (all_states_) continue;
      sensitivity_->both_sides(j, y, s, [&](Dynamics& one, std::span<const double> there) {
        columns_.fill(one, t, there, no_work_, 0, row_);
        for (std::size_t c = 0; c < wanted_.size(); ++c) {
          if (!columns_.state(wanted_[c])) slot(c) += sign * row_[wanted_[c]];
        }
        sign = -sign;
      });
    }
  }

  Dynamics& f_;
  detail::Columns columns_;
  std::span<const double> times_;
  std::span<double> values_;
  detail::Sensitivity* sensitivity_;
  std::span<double> by_;
  std::vector<double> y_, no_work_;
  std::vector<std::size_t> wanted_;
  bool all_states_ = true;  ///< and no forces, which the laws have to be asked for
  detail::Row row_;
  std::size_t next_ = 0;
};

RunOptions used_options(const Rig& rig, const RunOptions& options, double end) {
  RunOptions used = options;
  check_method(rig, used.method);
  if (used.method == "auto") used.method = default_method(rig);
  used.duration = end;
  detail::check_duration(used.duration);
  if (!is_fixed_step(used.method)) {
    std::vector<std::string> ignored;
    used.tolerance = detail::tightened(rig, options.tolerance, ignored);
  }
  return used;
}

void go(Dynamics& dynamics, const RunOptions& used, Observer& observer) {
  const auto integrator = detail::make_integrator(dynamics, used.method, used);
  RunResult ignored;
  detail::EventLoop(dynamics, *integrator, observer, used).go(ignored);
}

Dynamics make_dynamics(const Rig& rig, const RunOptions& used) {
  Dynamics dynamics(rig, used.break_away);
  dynamics.keep_books(used.method != "event" && used.method != "rodas");
  return dynamics;
}

}  // namespace

void observe(const Rig& rig, const RunOptions& options, std::span<const double> times,
             const std::vector<std::string>& columns, std::span<double> values) {
  const RunOptions used = used_options(rig, options, times.back());
  Dynamics dynamics = make_dynamics(rig, used);
  Observer observer(dynamics, times, columns, values);
  go(dynamics, used, observer);
}

bool observe(const Rig& rig, const RunOptions& options, std::span<const double> times,
             const std::vector<std::string>& columns, std::span<double> values,
             std::span<const NudgedRig> parameters, std::span<double> by) {
  const std::string reason = insensitive_because(rig, options);
  if (!reason.empty()) throw InputError({.message = "no derivatives of this run: " + reason});
  const RunOptions used = used_options(rig, options, times.back());
  Dynamics dynamics = make_dynamics(rig, used);
  detail::Sensitivity sensitivity(dynamics, parameters, used.break_away);
  if (sensitivity.moves_breaks(used.duration)) {
    throw InputError({.message = "no derivatives of this run: a parameter moves a break in time"});
  }
  Observer observer(dynamics, times, columns, values, &sensitivity, by);
  go(dynamics, used, observer);
  return sensitivity.is_sound();
}

std::string insensitive_because(const Rig& rig, const RunOptions& options) {
  const std::string method = options.method == "auto" ? default_method(rig) : options.method;
  if (is_fixed_step(method)) return "the method has a fixed step";
  if (!rig.drives.empty()) return "a controller acts at samples";
  for (const Contact& contact : rig.contacts) {
    if (rig.axes(contact) > 1) return "a contact slides in a plane";
    if (contact.law.delay() > 0) {
      return fmt::format("law '{}' looks back in time", contact.law.name());
    }
    if (contact.law.info().can(Capability::memory) && !contact.load.is_constant()) {
      return fmt::format("law '{}' gives way under a load that varies", contact.law.name());
    }
  }
  return "";
}

}  // namespace bristle
