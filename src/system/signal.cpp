#include "bristle/system/signal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "bristle/core/error.hpp"

namespace bristle {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double two_pi = 2 * std::numbers::pi;

/// The last knot at or before `time`; the first if there is none.
std::size_t knot(const std::vector<double>& t, double time) noexcept {
  const auto above = std::upper_bound(t.begin(), t.end(), time);
  return above == t.begin() ? 0 : static_cast<std::size_t>(above - t.begin()) - 1;
}

}  // namespace

Signal::Term::Term() : begin(-infinity), end(infinity), hold(infinity) {}

double Signal::Term::raw(double time) const noexcept {
  switch (kind) {
    case Kind::constant:
      return a;
    case Kind::input:
      return a * input->value;
    case Kind::ramp:
      return a * (time - start);
    case Kind::sine:
      return a * std::sin(two_pi * frequency * (time - start) + phase);
    case Kind::steps:
      return y[knot(t, time)];
    case Kind::table: {
      if (time <= t.front()) return y.front();
      if (time >= t.back()) return y.back();
      const std::size_t k = knot(t, time);
      return y[k] + (y[k + 1] - y[k]) * ((time - t[k]) / (t[k + 1] - t[k]));
    }
  }
  return 0;
}

double Signal::Term::raw_slope(double time) const noexcept {
  switch (kind) {
    case Kind::ramp:
      return a;
    case Kind::sine:
      return a * two_pi * frequency * std::cos(two_pi * frequency * (time - start) + phase);
    case Kind::table: {
      if (time < t.front() || time >= t.back()) return 0;
      const std::size_t k = knot(t, time);
      return (y[k + 1] - y[k]) / (t[k + 1] - t[k]);
    }
    default:
      return 0;
  }
}

double Signal::Term::raw_integral(double time) const noexcept {
  const double s = time - start;
  switch (kind) {
    case Kind::constant:
      return a * time;
    case Kind::input:
      return a * input->integral(time);
    case Kind::ramp:
      return a * s * s / 2;
    case Kind::sine: {
      if (frequency == 0) return a * std::sin(phase) * s;
      // −cos(ωs + φ)/ω from s = 0, written without cancellation for small s.
      const double half = std::numbers::pi * frequency * s;
      return a / (std::numbers::pi * frequency) * std::sin(half + phase) * std::sin(half);
    }
    default: {
      const std::size_t k = knot(t, time);
      const double mean = kind == Kind::steps ? y[k] : (y[k] + raw(time)) / 2;
      return area[k] + mean * (time - t[k]);
    }
  }
}

double Signal::Term::piece_integral(double from, double to) const noexcept {
  from = std::max(from, begin);
  to = std::min(to, end);
  if (!(to > from)) return 0;
  if (from >= hold) return raw(hold) * (to - from);
  if (to <= hold) return raw_integral(to) - raw_integral(from);
  return raw_integral(hold) - raw_integral(from) + raw(hold) * (to - hold);
}

double Signal::Term::value(double time) const noexcept {
  if (time < begin || time >= end) return 0;
  return raw(std::min(time, hold));
}
double Signal::Term::slope(double time) const noexcept {
  if (time < begin || time >= end || time >= hold) return 0;
  return raw_slope(time);
}
double Signal::Term::integral(double time) const noexcept {
  if (kind == Kind::input) return raw_integral(time);  // knows no earlier time than its last change
  return time >= 0 ? piece_integral(0, time) : -piece_integral(time, 0);
}

Signal Signal::constant(double value) {
  Signal signal;
  signal.constant_ = value;
  return signal;
}
Signal Signal::as_terms() const {
  Signal signal = *this;
  if (constant_ == 0) return signal;
  Term term;
  term.a = constant_;
  signal.terms_.push_back(std::move(term));
  signal.constant_ = 0;
  return signal;
}
Signal Signal::ramp(double rate, double start) {
  Signal signal;
  Term term;
  term.kind = Term::Kind::ramp;
  term.a = rate;
  term.start = start;
  term.begin = start;
  signal.terms_.push_back(std::move(term));
  return signal;
}
Signal Signal::sine(double amplitude, double frequency, double phase, double start) {
  Signal signal;
  Term term;
  term.kind = Term::Kind::sine;
  term.a = amplitude;
  term.frequency = frequency;
  term.phase = phase;
  term.start = start;
  term.begin = start > 0 ? start : -infinity;
  signal.terms_.push_back(std::move(term));
  return signal;
}
Signal Signal::table(std::vector<double> t, std::vector<double> value) {
  return sampled(Term::Kind::table, std::move(t), std::move(value));
}
Signal Signal::steps(std::vector<double> t, std::vector<double> value) {
  return sampled(Term::Kind::steps, std::move(t), std::move(value));
}
Signal Signal::sampled(Term::Kind kind, std::vector<double> t, std::vector<double> value) {
  Term term;
  term.kind = kind;
  term.area.assign(t.size(), 0);
  for (std::size_t k = 1; k < t.size(); ++k) {
    const double mean = kind == Term::Kind::steps ? value[k - 1] : (value[k] + value[k - 1]) / 2;
    term.area[k] = term.area[k - 1] + mean * (t[k] - t[k - 1]);
  }
  term.t = std::move(t);
  term.y = std::move(value);
  Signal signal;
  signal.terms_.push_back(std::move(term));
  return signal;
}

Signal Signal::input(std::shared_ptr<SignalInput> input) {
  Signal signal;
  Term term;
  term.kind = Term::Kind::input;
  term.a = 1;
  term.input = std::move(input);
  signal.terms_.push_back(std::move(term));
  return signal;
}
void Signal::each_input(const std::function<void(std::shared_ptr<SignalInput>&)>& see) {
  for (Term& term : terms_) {
    if (term.kind == Term::Kind::input) see(term.input);
  }
}
void Signal::refuse_windows() const {
  for (const Term& term : terms_) {
    if (term.kind != Term::Kind::input) continue;
    throw InputError(
        {.message = "an input cannot be cut in time",
         .key = "input",
         .value = term.input->name,
         .expected = "no from, until or hold_from beside it: whoever sets it decides"});
  }
}

Signal Signal::until(double time) const {
  refuse_windows();
  Signal signal = as_terms();
  for (Term& term : signal.terms_) term.end = std::min(term.end, time);
  return signal;
}
Signal Signal::from(double time) const {
  refuse_windows();
  Signal signal = as_terms();
  for (Term& term : signal.terms_) term.begin = std::max(term.begin, time);
  return signal;
}
Signal Signal::hold_from(double time) const {
  refuse_windows();
  Signal signal = *this;
  for (Term& term : signal.terms_) term.hold = std::min(term.hold, time);
  return signal;
}
Signal Signal::scaled(double factor) const {
  Signal signal = *this;
  signal.constant_ *= factor;
  for (Term& term : signal.terms_) {
    term.a *= factor;
    for (double& y : term.y) y *= factor;
    for (double& area : term.area) area *= factor;
  }
  return signal;
}
Signal& Signal::operator+=(const Signal& other) {
  constant_ += other.constant_;
  terms_.insert(terms_.end(), other.terms_.begin(), other.terms_.end());
  return *this;
}

double Signal::value_of_terms(double t) const noexcept {
  double sum = 0;
  for (const Term& term : terms_) sum += term.value(t);
  return sum;
}
double Signal::slope(double t) const noexcept {
  double sum = 0;
  for (const Term& term : terms_) sum += term.slope(t);
  return sum;
}
double Signal::integral_of_terms(double t) const noexcept {
  double sum = 0;
  for (const Term& term : terms_) sum += term.integral(t);
  return sum;
}

std::vector<double> Signal::breaks() const {
  std::vector<double> times;
  for (const Term& term : terms_) {
    for (const double time : {term.begin, term.end, term.hold}) {
      if (std::isfinite(time)) times.push_back(time);
    }
    times.insert(times.end(), term.t.begin(), term.t.end());
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}
double Signal::highest_frequency() const noexcept {
  double highest = 0;
  for (const Term& term : terms_) {
    if (term.kind == Term::Kind::sine) highest = std::max(highest, std::abs(term.frequency));
  }
  return highest;
}

}  // namespace bristle
