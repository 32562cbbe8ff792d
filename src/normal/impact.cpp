#include "bristle/normal/impact.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace bristle::normal {
namespace {

enum { time = 0, place = 1, speed = 2 };
using State = std::array<double, 3>;

State operator+(const State& a, const State& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
State operator*(double s, const State& a) { return {s * a[0], s * a[1], s * a[2]}; }

class Flight {
 public:
  Flight(const Press<>& press, double mass, double v_i, double tolerance)
      : press_(press),
        mass_(mass),
        tolerance_(tolerance),
        now_{0, 0, v_i},
        scale_(scales(press, mass, v_i)),
        step_(1e-3 * scale_[time]) {}

  const State& now() const { return now_; }
  int steps() const { return steps_; }

  /// One step accepted, with time as the variable; not past the given bounds.
  template <class Allowed>
  void step_in_time(Allowed&& allowed) {
    for (;;) {
      count();
      const Tried tried = attempt(time, step_);
      const double next = step_ * growth(tried.error);
      if (tried.error <= 1 && allowed(tried.state)) {
        now_ = tried.state;
        step_ = next;
        return;
      }
      step_ = tried.error <= 1 ? 0.5 * step_ : next;
    }
  }
  /// On to the exact value `goal` of one of the variables, which must change monotonously.
  void reach(int variable, double goal) {
    const double direction = goal > now_[variable] ? 1 : -1;
    double step = 0.01 * std::abs(goal - now_[variable]);
    while (now_[variable] != goal) {
      count();
      const double left = std::abs(goal - now_[variable]);
      const bool last = step >= 0.999 * left;
      const Tried tried = attempt(variable, direction * (last ? left : step));
      if (tried.error <= 1) {
        now_ = tried.state;
        if (last) now_[variable] = goal;
      }
      step = (last ? left : step) * growth(tried.error);
    }
    step_ = 1e-3 * scale_[time];
  }

 private:
  struct Tried {
    State state;
    double error;
  };

  /// Those of an elastic impact.
  static State scales(const Press<>& press, double mass, double v_i) {
    const double n = press.p + 1;
    const double depth = std::pow(n * mass * v_i * v_i / (2 * press.k), 1 / n);
    return {depth / v_i, depth, v_i};
  }
  void count() {
    if (++steps_ > 2'000'000) throw std::runtime_error("the impact does not end");
  }
  static double growth(double error) {
    return std::clamp(0.9 * std::pow(std::max(error, 1e-10), -0.2), 0.2, 5.0);
  }

  State rate(int variable, const State& y) const {
    const State by_time{1, y[speed], -press_.force(y[place], y[speed]) / mass_};
    return (1 / by_time[variable]) * by_time;
  }

  /// Dormand and Prince 1980, order 5 with an error estimate of order 4.
  Tried attempt(int variable, double h) const {
    static constexpr double a[7][6] = {
        {},
        {1.0 / 5},
        {3.0 / 40, 9.0 / 40},
        {44.0 / 45, -56.0 / 15, 32.0 / 9},
        {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
        {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
        {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
    static constexpr double gap[7] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                      -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
    std::array<State, 7> k{};
    State y{};
    for (std::size_t i = 0; i < 7; ++i) {
      State change{};
      for (std::size_t j = 0; j < i; ++j) change = change + a[i][j] * k[j];
      y = now_ + h * change;
      k[i] = rate(variable, y);
    }
    State error{};
    for (std::size_t i = 0; i < 7; ++i) error = error + gap[i] * k[i];
    double worst = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double size = std::abs(h * error[i]) / (tolerance_ * scale_[i]);
      worst = size > worst || std::isnan(size) ? size : worst;
    }
    return {y, std::isnan(worst) ? 1e10 : worst};
  }

  Press<> press_;
  double mass_, tolerance_;
  State now_, scale_;
  double step_;
  int steps_ = 0;
};

}  // namespace

Impact integrate_impact(const Press<>& press, double mass, double v_i, double tolerance) {
  Flight flight(press, mass, v_i, tolerance);
  while (flight.now()[speed] > 0.5 * v_i) {
    flight.step_in_time([&](const State& y) { return y[speed] > 0.1 * v_i; });
  }
  flight.reach(speed, 0);
  const double depth = flight.now()[place];
  while (flight.now()[place] > 0.5 * depth) {
    flight.step_in_time([&](const State& y) { return y[place] > 0.1 * depth; });
  }
  flight.reach(place, 0);
  return {-flight.now()[speed] / v_i, depth, flight.now()[time], flight.steps()};
}

}  // namespace bristle::normal
