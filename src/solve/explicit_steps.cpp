// Fixed-step explicit methods: Euler, Heun, Bogacki–Shampine 3 ("ode3"), RK4, and semi-implicit
// Euler. They see events at the ends of their steps.

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "bristle/solve/integrator.hpp"

namespace bristle {
namespace {

struct Tableau {
  std::string_view name;
  int stages;
  std::array<double, 4> c, b;
  std::array<std::array<double, 3>, 4> a;
};
constexpr std::array<Tableau, 4> tableaus{{
    {"euler", 1, {}, {1}, {}},
    {"heun", 2, {0, 1}, {0.5, 0.5}, {{{}, {1}}}},
    {"ode3", 3, {0, 0.5, 0.75}, {2.0 / 9, 3.0 / 9, 4.0 / 9}, {{{}, {0.5}, {0, 0.75}}}},
    {"rk4",
     4,
     {0, 0.5, 0.5, 1},
     {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6},
     {{{}, {0.5}, {0, 0.5}, {0, 0, 1}}}},
}};

/// What fixed steps share: the vectors at both ends, and a straight line or a cubic in between.
class FixedStep : public Integrator {
 public:
  FixedStep(Dynamics& dynamics, double step)
      : f_(dynamics),
        n_(static_cast<std::size_t>(dynamics.size())),
        size_(n_ + static_cast<std::size_t>(dynamics.quadratures())),
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
      if (!std::isfinite(y_[i]) || std::abs(y_[i]) > 1e100) {
        throw std::runtime_error(
            "the state is no longer finite: the step is too long for this method; use a shorter "
            "solver.step or solver.method=bristle");
      }
    }
    return t_;
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

 protected:
  /// y_ over h, from time t_.
  virtual void take(double h) = 0;

  std::span<double> state_of(std::vector<double>& v) const { return std::span(v).first(n_); }
  std::span<double> quadratures_of(std::vector<double>& v) const {
    return std::span(v).subspan(n_);
  }

  Dynamics& f_;
  std::size_t n_, size_;
  double h_, t_ = 0, t_old_ = 0, start_ = 0;
  long taken_ = 0;
  std::vector<double> y_, old_;
  long steps_ = 0;
};

class Explicit final : public FixedStep {
 public:
  Explicit(Dynamics& dynamics, const Tableau& tableau, double step)
      : FixedStep(dynamics, step), tableau_(tableau), stage_(size_) {
    for (auto& k : k_) k.resize(size_);
  }

 private:
  void take(double h) override {
    for (int s = 0; s < tableau_.stages; ++s) {
      const auto at_s = static_cast<std::size_t>(s);
      stage_ = old_;
      for (std::size_t j = 0; j < at_s; ++j) {
        const double a = h * tableau_.a[at_s][j];
        for (std::size_t i = 0; i < size_; ++i) stage_[i] += a * k_[j][i];
      }
      f_.rhs_and_quadrature(t_ + tableau_.c[at_s] * h, state_of(stage_), state_of(k_[at_s]),
                            quadratures_of(k_[at_s]));
    }
    for (int s = 0; s < tableau_.stages; ++s) {
      const double b = h * tableau_.b[static_cast<std::size_t>(s)];
      for (std::size_t i = 0; i < size_; ++i) y_[i] += b * k_[static_cast<std::size_t>(s)][i];
    }
  }

  const Tableau& tableau_;
  std::vector<double> stage_;
  std::array<std::vector<double>, 4> k_;
};

class SemiImplicit final : public FixedStep {
 public:
  SemiImplicit(Dynamics& dynamics, double step) : FixedStep(dynamics, step), rate_(size_) {}

 private:
  void take(double h) override {
    const auto dofs = static_cast<std::size_t>(f_.dofs());
    f_.rhs(t_, state_of(old_), state_of(rate_));
    for (std::size_t i = 0; i < dofs; ++i) y_[dofs + i] += h * rate_[dofs + i];
    // Work of the forces just used, over the way that the new velocity goes.
    f_.quadrature(t_, state_of(y_), quadratures_of(rate_));
    for (std::size_t i = n_; i < size_; ++i) y_[i] += h * rate_[i];
    for (std::size_t i = 0; i < dofs; ++i) y_[i] += h * y_[dofs + i];
    for (int c = 0; c < f_.contacts(); ++c) {
      FrictionState& state = f_.friction(c);
      const auto z = state_of(y_).subspan(static_cast<std::size_t>(f_.state_start(c)),
                                          static_cast<std::size_t>(state.size()));
      state.put(z);
      state.advance(
          f_.slip_of(c, t_ + h, state_of(y_).first(dofs), state_of(y_).subspan(dofs, dofs)), h);
      state.get(z);
    }
  }

  std::vector<double> rate_;
};

}  // namespace

std::unique_ptr<Integrator> make_explicit(Dynamics& dynamics, std::string_view method,
                                          double step) {
  for (const Tableau& tableau : tableaus) {
    if (tableau.name == method) return std::make_unique<Explicit>(dynamics, tableau, step);
  }
  throw std::logic_error("no such explicit method");
}
std::unique_ptr<Integrator> make_semi_implicit(Dynamics& dynamics, double step) {
  return std::make_unique<SemiImplicit>(dynamics, step);
}

}  // namespace bristle
