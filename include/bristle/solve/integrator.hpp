#pragma once

/// Integrators of Equations: one step at a time, with the solution in between.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bristle/solve/equations.hpp"
#include "bristle/solve/step_budget.hpp"

namespace bristle {

class Dynamics;
class WorldDynamics;

struct Tolerance {
  double rtol = 1e-9;
  double atol =
      1;  ///< factor on the typical sizes of the components (Equations::scales) times rtol
};

class Integrator {
 public:
  virtual ~Integrator() = default;
  /// Begins afresh at t; y and the quadratures are copied.
  virtual void start(double t, std::span<const double> y, std::span<const double> quadratures) = 0;
  /// One step, not beyond `limit`; the time reached. std::runtime_error if the step fails.
  virtual double step(double limit) = 0;
  /// State and quadratures at a time within the last step.
  virtual void at(double t, std::span<double> y, std::span<double> quadratures) = 0;
  /// Fixed-step methods see events at the ends of steps only.
  virtual bool locates_events() const noexcept { return true; }
  /// The state at the end of the last step, where it may be changed between steps (else null).
  virtual double* state() noexcept { return nullptr; }
  virtual long steps() const noexcept = 0;
  /// Steps that had to do with less than they should have.
  virtual BudgetUse used_up() const noexcept { return {}; }
};

/// Dormand–Prince 5(4), adaptive, dense output of order 4.
std::unique_ptr<Integrator> make_dopri5(Equations& equations, const Tolerance& tolerance);
/// Rodas5P, a Rosenbrock method of order 5(4), adaptive, linearly implicit with the exact Jacobian:
/// for few unknowns that are stiff. Dense output of order 4.
std::unique_ptr<Integrator> make_rodas(Equations& equations, const Tolerance& tolerance);
/// SUNDIALS CVODES: BDF of order 1–5, Newton with the exact Jacobian, energies as quadratures.
std::unique_ptr<Integrator> make_cvode(Equations& equations, const Tolerance& tolerance);
/// "euler", "heun", "ode3" (Bogacki–Shampine), "rk4" with a fixed step.
std::unique_ptr<Integrator> make_explicit(Equations& equations, std::string_view method,
                                          double step);
/// Semi-implicit Euler: u' = u + h a(q, u), q' = q + h u', laws advanced with the new slip.
std::unique_ptr<Integrator> make_semi_implicit(Dynamics& dynamics, double step);
/// The step made for friction: averaged bristle force, implicit slip.
std::unique_ptr<Integrator> make_averaged(Dynamics& dynamics, double step,
                                          int sweeps = StepBudget{}.rig_sweeps);

/// The same two for bodies in contact (world_step.hpp has the second one without the books).
std::unique_ptr<Integrator> make_semi_implicit(WorldDynamics& dynamics, double step);
std::unique_ptr<Integrator> make_world_step(WorldDynamics& dynamics, double step,
                                            const StepBudget& budget = {});

}  // namespace bristle
