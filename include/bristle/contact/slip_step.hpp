#pragma once

/// One implicit step of friction: the slip of a contact over a time h, while
///
///   v̇ = b − w F,
///
/// b what the slip would gain per second without friction, w the inverse mass that friction sees,
/// F the law's friction. The slip is frozen at v̂ over the step, the law solved exactly on that
/// straight path, and F̄(v̂) is the mean of its force:
///
///   v̂ = v + θ h (b − w F̄(v̂)),   θ = ½ + x/(12 + 2x),   x = h w ∂F̄/∂v
///
/// second order where friction is soft (θ → ½), L-stable where it is stiff (θ → 1).
///
/// Every law can be stepped so (`SlipSolver::make`). Laws of the form ż = κ(|v|) v − r(|v|) z need
/// one scalar root, |v̂(ν)| = ν; Gonthier's, the one of the 2004 contact model, is solved that way.
/// A set-valued law sticks if the force that brings its slip to rest is within its limit. The rest
/// go through a damped Newton method in the plane.

#include <memory>
#include <span>

#include "bristle/friction/any_law.hpp"

namespace bristle {

/// In the plane, or on a line (D = 1).
template <int D>
struct SlipProblemIn {
  Tangent<double, D> v, b;
  double w = 1, h = 1e-3, fn = 1;
};
template <int D>
struct SlipAnswerIn {
  using Vector = Tangent<double, D>;
  Tangent<double, D> force;  ///< F̄
  Tangent<double, D> slip;   ///< v̂
  /// How the force follows the free slip: ∂(w F)/∂v*, 1 when rigidly stuck, 0 when sliding.
  double grip = 0;
  bool slides = false;  ///< F̄ is at its limit, which goes with the load
  double theta = 0.5;   ///< v̂ = v + θ (v' − v)
  bool settled = true;  ///< false: the search ended before it had found the slip
};

using SlipProblem = SlipProblemIn<2>;
using SlipAnswer = SlipAnswerIn<2>;

/// The law of one contact with its state.
class SlipSolver {
 public:
  static std::unique_ptr<SlipSolver> make(const AnyLaw& law);
  virtual ~SlipSolver() = default;

  /// Does not change the state.
  virtual SlipAnswer solve(const SlipProblem& problem) noexcept = 0;
  /// The state over h with the slip and load of a step that has been solved.
  virtual void advance(const Tangent<double, 2>& slip, double fn, double h) noexcept = 0;
  /// The state turned by this angle about the normal, with the surfaces that carry it.
  virtual void turn(double angle) noexcept = 0;
  /// A fresh contact: unsheared, no time at rest.
  virtual void clear() noexcept = 0;
  virtual double stored(double fn) const noexcept = 0;
  /// The largest friction at this speed and load if the law is set-valued; infinity for the others.
  virtual double most(double, double) const noexcept { return infinity; }
  virtual double dissipation(const Tangent<double, 2>& slip, double fn) const noexcept = 0;

  /// Numbers to save: those of the law's state first, law_size() of them, then the solver's own.
  virtual int size() const noexcept = 0;
  virtual int law_size() const noexcept = 0;
  virtual void save(std::span<double> numbers) const noexcept = 0;
  virtual void restore(std::span<const double> numbers) noexcept = 0;
  virtual std::unique_ptr<SlipSolver> clone() const = 0;

 protected:
  SlipSolver() = default;
  SlipSolver(const SlipSolver&) = default;
  SlipSolver& operator=(const SlipSolver&) = default;
  SlipSolver(SlipSolver&&) = default;
  SlipSolver& operator=(SlipSolver&&) = default;
};

}  // namespace bristle
