#include "bristle/solve/observe.hpp"

#include "columns.hpp"
#include "event_loop.hpp"
#include "methods.hpp"
#include "tighten.hpp"

namespace bristle {
namespace {

/// Reads the columns wherever a time is passed.
class Observer final : public detail::Follower {
 public:
  Observer(Dynamics& dynamics, std::span<const double> times,
           const std::vector<std::string>& columns, std::span<double> values)
      : f_(dynamics),
        columns_(dynamics),
        times_(times),
        values_(values),
        y_(static_cast<std::size_t>(dynamics.size())),
        no_work_(static_cast<std::size_t>(2 + 2 * dynamics.contacts())) {
    for (const std::string& name : columns) {
      wanted_.push_back(detail::column_at(columns_.list(), name, "observe"));
    }
  }
  void start(double t, std::span<const double> y, std::span<const double>) override {
    while (next_ < times_.size() && times_[next_] <= t) put(times_[next_], y);
  }
  void step(Integrator& integrator, double, double to) override {
    while (next_ < times_.size() && times_[next_] <= to) {
      integrator.at(times_[next_], y_, {});
      put(times_[next_], y_);
    }
  }
  void jumped(double, std::span<const double>, std::span<const double>) override {}

 private:
  void put(double t, std::span<const double> y) {
    columns_.fill(f_, t, y, no_work_, 0, row_);
    for (std::size_t c = 0; c < wanted_.size(); ++c) {
      values_[next_ * wanted_.size() + c] = row_[wanted_[c]];
    }
    ++next_;
  }

  Dynamics& f_;
  detail::Columns columns_;
  std::span<const double> times_;
  std::span<double> values_;
  std::vector<double> y_, no_work_;
  std::vector<std::size_t> wanted_;
  detail::Row row_;
  std::size_t next_ = 0;
};

}  // namespace

void observe(const Rig& rig, const RunOptions& options, std::span<const double> times,
             const std::vector<std::string>& columns, std::span<double> values) {
  RunOptions used = options;
  check_method(rig, used.method);
  if (used.method == "auto") used.method = default_method(rig);
  used.duration = times.back();
  detail::check_duration(used.duration);
  RunResult ignored;
  if (!is_fixed_step(used.method)) {
    used.tolerance = detail::tightened(rig, options.tolerance, ignored.notes);
  }
  Dynamics dynamics(rig, used.break_away);
  dynamics.keep_books(used.method != "event" && used.method != "rodas");
  const auto integrator = detail::make_integrator(dynamics, used.method, used);
  Observer observer(dynamics, times, columns, values);
  detail::EventLoop(dynamics, *integrator, observer, used).go(ignored);
}

}  // namespace bristle
