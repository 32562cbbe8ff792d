// Fixed-step explicit methods: Euler, Heun, Bogacki–Shampine 3 ("ode3"), RK4, and semi-implicit
// Euler. They see events at the ends of their steps.

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "bristle/solve/dynamics.hpp"
#include "bristle/solve/world_dynamics.hpp"
#include "fixed_step.hpp"

namespace bristle {
namespace {

using detail::FixedStep;

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

class Explicit final : public FixedStep {
 public:
  Explicit(Equations& equations, const Tableau& tableau, double step)
      : FixedStep(equations, step), tableau_(tableau), stage_(size_) {
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
      equations_.rhs_and_quadrature(t_ + tableau_.c[at_s] * h, state_of(stage_), state_of(k_[at_s]),
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
  SemiImplicit(Dynamics& dynamics, double step)
      : FixedStep(dynamics, step), f_(dynamics), rate_(size_) {}

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
      ContactSlip slip =
          f_.slip_of(c, t_ + h, state_of(y_).first(dofs), state_of(y_).subspan(dofs, dofs));
      if (f_.is_hybrid(c) && state.mode() >= 0) {
        slip.f_e = f_.holding_force(c, t_, state_of(old_));
      }
      state.put(z);
      state.advance(slip, h);
      state.get(z);
    }
  }

  Dynamics& f_;
  std::vector<double> rate_;
};

/// Velocities first, then places with the new velocities; bristles with the new slip too.
class WorldSemiImplicit final : public FixedStep {
 public:
  WorldSemiImplicit(WorldDynamics& dynamics, double step)
      : FixedStep(dynamics, step), f_(dynamics), rate_(size_) {}

 private:
  void take(double h) override {
    f_.rhs(t_, state_of(old_), state_of(rate_));
    for (const WorldDynamics::Mover& m : f_.movers()) {
      for (int k = 0; k < m.speeds; ++k) {
        const auto i = static_cast<std::size_t>(m.u + k);
        y_[i] += h * rate_[i];
      }
    }
    f_.rhs_and_quadrature(t_, state_of(y_), state_of(rate_), quadratures_of(rate_));
    for (const WorldDynamics::Mover& m : f_.movers()) {
      for (int k = 0; k < m.places; ++k) {
        const auto i = static_cast<std::size_t>(m.q + k);
        y_[i] += h * rate_[i];
      }
    }
    for (int s = 0; s < f_.sites(); ++s) {
      const auto z = static_cast<std::size_t>(f_.site(s).z);
      for (std::size_t k = 0; k < f_.site(s).dz.size(); ++k) y_[z + k] += h * rate_[z + k];
    }
    for (std::size_t i = n_; i < size_; ++i) y_[i] += h * rate_[i];
  }

  WorldDynamics& f_;
  std::vector<double> rate_;
};

}  // namespace

std::unique_ptr<Integrator> make_semi_implicit(WorldDynamics& dynamics, double step) {
  return std::make_unique<WorldSemiImplicit>(dynamics, step);
}
std::unique_ptr<Integrator> make_explicit(Equations& equations, std::string_view method,
                                          double step) {
  for (const Tableau& tableau : tableaus) {
    if (tableau.name == method) return std::make_unique<Explicit>(equations, tableau, step);
  }
  throw std::logic_error("no such explicit method");
}
std::unique_ptr<Integrator> make_semi_implicit(Dynamics& dynamics, double step) {
  return std::make_unique<SemiImplicit>(dynamics, step);
}

}  // namespace bristle
