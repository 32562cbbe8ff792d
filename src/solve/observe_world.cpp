#include "bristle/solve/observe.hpp"
#include "bristle/solve/world_dynamics.hpp"
#include "event_loop.hpp"
#include "methods.hpp"
#include "world_recorder.hpp"

namespace bristle {
namespace {

/// Reads the columns of a world wherever a time is passed.
class WorldObserver final : public detail::Follower {
 public:
  WorldObserver(WorldDynamics& dynamics, const RunOptions& options, std::span<const double> times,
                const std::vector<std::string>& columns, std::span<double> values)
      : rows_(dynamics, options),
        times_(times),
        values_(values),
        y_(static_cast<std::size_t>(dynamics.size())),
        work_(static_cast<std::size_t>(dynamics.quadratures())) {
    for (const std::string& name : columns) {
      wanted_.push_back(detail::column_at(rows_.columns(), name, "observe"));
    }
  }
  void start(double t, std::span<const double> y, std::span<const double> work) override {
    rows_.start(t, y, work);
    while (next_ < times_.size() && times_[next_] <= t) put(times_[next_], y, work);
  }
  void step(Integrator& integrator, double /*from*/, double to) override {
    while (next_ < times_.size() && times_[next_] <= to) {
      integrator.at(times_[next_], y_, work_);
      put(times_[next_], y_, work_);
    }
  }
  void jumped(double, std::span<const double>, std::span<const double>) override {}

 private:
  void put(double t, std::span<const double> y, std::span<const double> work) {
    const detail::Row& row = rows_.look(t, y, work);
    for (const std::size_t column : wanted_) values_[written_++] = row[column];
    ++next_;
  }

  detail::WorldRecorder rows_;
  std::span<const double> times_;
  std::span<double> values_;
  std::vector<double> y_, work_;
  std::vector<std::size_t> wanted_;
  std::size_t next_ = 0, written_ = 0;
};

}  // namespace

void observe(const World& world, const RunOptions& options, std::span<const double> times,
             const std::vector<std::string>& columns, std::span<double> values) {
  RunOptions used = options;
  check_method(world, used.method);
  if (used.method == "auto") used.method = default_method(world);
  used.duration = times.back();
  used.frames = 0;
  detail::check_duration(used.duration);
  WorldDynamics dynamics(world);
  const std::unique_ptr<Integrator> integrator =
      detail::make_integrator(dynamics, used.method, used);
  WorldObserver observer(dynamics, used, times, columns, values);
  RunResult ignored;
  detail::EventLoop(dynamics, *integrator, observer, used).go(ignored);
}

}  // namespace bristle
