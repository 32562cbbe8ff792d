#pragma once

/// Functions of time for sources, drives and loads: value, slope and running integral, all exact.
///
///   Signal v = Signal::constant(0.2).until(0.25);         // a pulse of 0.25 s
///   v += Signal::sine(1e-3, 2.0);                         // and 1 mm/s at 2 Hz on top
///   v.integral(1.0);                                      // the way gone after 1 s
///
/// A signal is a constant plus a sum of terms. Where a term starts, stops or bends there is a
/// break, at which solvers restart: no step ever straddles one.
///
/// A term may also be an input: a value that is set from outside while time goes on
/// (RealTimeStep::set_input) and held in between. All signals that share it see the change.

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace bristle {

/// The present of an input; its past is only kept as an integral.
struct SignalInput {
  std::string name{}, unit{"1"};
  double start = 0;            ///< its value until it is set
  double value = start;        ///< from `since` on
  double since = 0, area = 0;  ///< ∫ from 0 to `since`

  void set(double t, double to) noexcept {
    area += value * (t - since);
    since = t;
    value = to;
  }
  double integral(double t) const noexcept { return area + value * (t - since); }
};

class Signal {
 public:
  Signal() = default;  ///< zero
  static Signal constant(double value);
  /// rate·(t − start) from `start` on.
  static Signal ramp(double rate, double start = 0);
  /// amplitude·sin(2π frequency (t − start) + phase) from `start` on.
  static Signal sine(double amplitude, double frequency, double phase = 0, double start = 0);
  /// Straight lines between the points; constant before the first and after the last.
  static Signal table(std::vector<double> t, std::vector<double> value);
  /// Jumps to value[k] at t[k] and holds it (zero-order hold); value[0] before the first.
  static Signal steps(std::vector<double> t, std::vector<double> value);

  static Signal input(std::shared_ptr<SignalInput> input);

  /// The same, but zero from `time` on (or before it). An input has no windows: InputError.
  Signal until(double time) const;
  Signal from(double time) const;
  /// The same, but holding from `time` on the value it had there.
  Signal hold_from(double time) const;
  Signal scaled(double factor) const;
  Signal& operator+=(const Signal& other);

  // Most signals of a rig are constants, asked at every evaluation: they are answered in place.
  double value(double t) const noexcept {
    return terms_.empty() ? constant_ : constant_ + value_of_terms(t);
  }
  /// Derivative; at a break that of the right-hand side.
  double slope(double t) const noexcept;
  /// ∫ from 0 to t.
  double integral(double t) const noexcept {
    return terms_.empty() ? constant_ * t : constant_ * t + integral_of_terms(t);
  }
  /// Sorted, without duplicates.
  std::vector<double> breaks() const;
  /// Of its sines, 1/s; 0 if it has none.
  double highest_frequency() const noexcept;
  /// Every input among its terms; the function may put another in its place.
  void each_input(const std::function<void(std::shared_ptr<SignalInput>&)>& see);
  bool is_constant() const noexcept { return terms_.empty(); }
  bool is_zero() const noexcept { return terms_.empty() && constant_ == 0; }

 private:
  struct Term {
    enum class Kind { constant, ramp, sine, table, steps, input };
    Kind kind = Kind::constant;
    double a = 0, frequency = 0, phase = 0, start = 0;
    double begin, end, hold;  ///< active in [begin, end); held from `hold` on
    std::vector<double> t{}, y{}, area{};
    std::shared_ptr<SignalInput> input{};  ///< `a` times its value

    Term();
    double raw(double time) const noexcept;
    double raw_slope(double time) const noexcept;
    double raw_integral(double time) const noexcept;  ///< an antiderivative, continuous
    double piece_integral(double from, double to) const noexcept;
    double value(double time) const noexcept;
    double slope(double time) const noexcept;
    double integral(double time) const noexcept;
  };
  double value_of_terms(double t) const noexcept;
  double integral_of_terms(double t) const noexcept;
  /// The same with its constant as a term, which can begin and end.
  Signal as_terms() const;
  void refuse_windows() const;
  static Signal sampled(Term::Kind kind, std::vector<double> t, std::vector<double> value);

  double constant_ = 0;
  std::vector<Term> terms_;
};

}  // namespace bristle
