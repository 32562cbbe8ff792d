#pragma once

/// What adaptive methods share about the size of their steps.

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>

#include <fmt/format.h>

#include "bristle/solve/equations.hpp"

namespace bristle::detail {

/// At most the rest of the way; the last two steps before the limit are made alike, so that no
/// sliver is left.
inline double fitted(double h, double rest) noexcept {
  if (h >= rest) return rest;
  return h > 0.5 * rest ? 0.5 * rest : h;
}

/// A first step over which y changes by a hundredth of itself, or of a weight where it is small.
template <class Weight>
double first_step(std::span<const double> y, std::span<const double> dy, Weight&& weight,
                  double rest) {
  double d0 = 0, d1 = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double w = weight(i);
    d0 += y[i] * y[i] / (w * w);
    d1 += dy[i] * dy[i] / (w * w);
  }
  return d1 > 0 ? std::min(rest, 0.01 * std::sqrt(std::max(d0, 1.0) / d1)) : rest;
}

/// The steps of a method of order 5(4): as long as the error of the last one advises, and shorter
/// each time the error is too large.
class StepSize {
 public:
  /// `name` is for the message where no step is short enough. With `predicts` the step also goes by
  /// Gustafsson's prediction: what the error did over the last step it does again.
  StepSize(const char* name, bool predicts) : name_(name), predicts_(predicts) {}

  void restart() noexcept {
    h_ = last_h_ = 0;
    rejected_ = false;
  }
  bool is_known() const noexcept { return h_ > 0; }
  void set(double h) noexcept { h_ = h; }
  /// The step to try next.
  double next(const Equations& equations, double rest) const {
    return fitted(std::min(h_, equations.longest_step()), rest);
  }
  /// The length of a step from t whose error, attempt(h), is at most 1; std::runtime_error if there
  /// is none.
  template <class Attempt>
  double take(const Equations& equations, double t, double rest, Attempt&& attempt) {
    const double shortest = 1e-16 * std::max(1.0, std::abs(t));
    // What the rates advise at the start may be no step at all: time would stand still.
    if (const double least = std::min(2 * shortest, rest); !(h_ >= least)) h_ = least;
    for (int tries = 0; tries < 200; ++tries) {
      const double h = next(equations, rest);
      const double error = attempt(h);
      double factor = 0.1;
      if (std::isfinite(error)) {
        factor = std::clamp(0.9 * std::pow(error, -0.2), 0.2, rejected_ ? 1.0 : 5.0);
      }
      if (error <= 1) {
        accept(h, error, factor);
        return h;
      }
      rejected_ = true;
      h_ = h * std::min(factor, 0.9);
      if (!(h_ > shortest)) break;
    }
    throw std::runtime_error(fmt::format(
        "the step of the {} became too small at t = {:.9g} s: the motion changes faster than "
        "solver.rtol can be kept; look for a parameter of extreme size, or try another "
        "solver.method",
        name_, t));
  }

 private:
  void accept(double h, double error, double factor) noexcept {
    if (predicts_) {
      if (last_h_ > 0) {
        const double trend = std::pow(last_error_ / (error * error), 0.2);
        factor = std::clamp(0.9 * (h / last_h_) * trend, 0.2, factor);
      }
      last_h_ = h;
      last_error_ = std::max(error, 1e-2);
    }
    if (h >= 0.99 * h_ || factor < 1) h_ = h * factor;
    rejected_ = false;
  }

  const char* name_;
  bool predicts_, rejected_ = false;
  double h_ = 0, last_h_ = 0, last_error_ = 1;
};

}  // namespace bristle::detail
