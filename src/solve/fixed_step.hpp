#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "bristle/solve/integrator.hpp"

namespace bristle::detail {

/// What fixed steps share: the vectors at both ends, and a straight line or a cubic in between.
class FixedStep : public Integrator {
 public:
  FixedStep(Equations& equations, double step)
      : equations_(equations),
        n_(static_cast<std::size_t>(equations.size())),
        size_(n_ + static_cast<std::size_t>(equations.quadratures())),
        h_(step),
        y_(size_),
        old_(size_) {}

  void start(double t, std::span<const double> y, std::span<const double> quadratures) override {
    t_ = t_old_ = start_ = t;
    taken_ = 0;
    std::copy(y.begin(), y.end(), y_.begin());
    std::copy(quadratures.begin(), quadratures.end(), y_.begin() + static_cast<long>(n_));
  }
  double step(double limit) override {
    if (!advance(limit)) {
      throw std::runtime_error(
          "the state is no longer finite: the step is too long for this method; use a shorter "
          "solver.step or solver.method=bristle");
    }
    return t_;
  }
  /// The same without an exception: false if the state is no longer finite.
  bool advance(double limit) noexcept {
    // The grid stays where it is: a step is cut only by what breaks the equations.
    const double rest = limit - t_;
    const bool last = rest <= h_ * (1 + 1e-9);
    old_ = y_;
    t_old_ = t_;
    take(last ? rest : h_);
    // From the start, not from the step before: a million steps leave no sliver at the end.
    t_ = last ? limit : start_ + h_ * static_cast<double>(++taken_);
    ++steps_;
    for (std::size_t i = 0; i < n_; ++i) {
      if (!std::isfinite(y_[i]) || std::abs(y_[i]) > 1e100) return false;
    }
    return true;
  }
  void at(double t, std::span<double> y, std::span<double> quadratures) override {
    const double s = t_ > t_old_ ? (t - t_old_) / (t_ - t_old_) : 1;
    const auto value = [&](std::size_t i) {
      return t >= t_ ? y_[i] : old_[i] + s * (y_[i] - old_[i]);
    };
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = value(i);
    for (std::size_t i = 0; i < quadratures.size(); ++i) quadratures[i] = value(n_ + i);
  }
  bool locates_events() const noexcept override { return false; }
  double* state() noexcept override { return y_.data(); }
  long steps() const noexcept override { return steps_; }

  /// What the next step depends on beside the equations. Both move on to the next free or unread
  /// number.
  int memory() const noexcept { return 1 + static_cast<int>(size_) + own_memory(); }
  void save(double*& next) const noexcept {
    *next++ = t_;
    for (const double number : y_) *next++ = number;
    save_own(next);
  }
  void restore(const double*& next) noexcept {
    t_ = t_old_ = start_ = *next++;
    taken_ = 0;
    for (double& number : y_) number = *next++;
    restore_own(next);
  }

 protected:
  /// y_ over h, from time t_.
  virtual void take(double h) = 0;
  virtual int own_memory() const noexcept { return 0; }
  virtual void save_own(double*&) const noexcept {}
  virtual void restore_own(const double*&) noexcept {}

  std::span<double> state_of(std::vector<double>& v) const { return std::span(v).first(n_); }
  std::span<double> quadratures_of(std::vector<double>& v) const {
    return std::span(v).subspan(n_);
  }

  Equations& equations_;
  std::size_t n_, size_;
  double h_, t_ = 0, t_old_ = 0, start_ = 0;
  long taken_ = 0;
  std::vector<double> y_, old_;
  long steps_ = 0;
};

}  // namespace bristle::detail
