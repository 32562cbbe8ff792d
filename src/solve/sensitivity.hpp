#pragma once

// How a run moves with its parameters: S = dy/dp, followed beside the run.
//
//   between events   S' = (∂f/∂y) S + ∂f/∂p
//   at an event      τ = dt*/dp = −(dg/dp along S)/(dg/dt along the run),
//                    S⁺ = d/dp [handle(t*, y⁻)] − f⁺ τ       (the event moves too: saltation)
//
// ∂f/∂y is the exact Jacobian of the equations, and so is ∂f/∂p for parameters of a friction law,
// in dual numbers. Beside that a parameter is known by two systems in which it is a little larger
// and a little smaller; they are asked for their guards and jumps (and their rates, where it is a
// mass or a spring) at one and the same point of the run and never run themselves. What is compared
// are values of formulas, not results of runs: good to some seven digits, whatever the tolerance of
// the run.
//
// Each step that the integrator has made is gone over once more on its own solution, by Radau IIA
// of order 5. That is one linear system for all parameters, and L-stable: stiff laws ask for no
// shorter steps than they have. Where a law has a kink, ∂f/∂y jumps without an event: the step is
// halved until the jump hardly counts.

#include <array>
#include <memory>
#include <vector>

#include <Eigen/LU>

#include "bristle/solve/dynamics.hpp"
#include "bristle/solve/integrator.hpp"
#include "bristle/solve/observe.hpp"

namespace bristle::detail {

class Sensitivity {
 public:
  using RowMatrix = Dynamics::RowMatrix;

  /// `dynamics` is the one that runs; `break_away` as it was made with.
  Sensitivity(Dynamics& dynamics, std::span<const NudgedRig> nudged, double break_away);

  int parameters() const noexcept { return static_cast<int>(nudges_.size()); }
  /// Whether a source breaks at another time for another value: then time is no event of ours.
  bool moves_breaks(double duration) const;
  /// Once the run has settled at its start.
  void start();
  /// Over a step of the run, up to `to`.
  void step(Integrator& run, double from, double to);
  /// Before and after the state may jump. `risen` are the guards behind it; none: a break, whose
  /// time is fixed.
  void before_jump(double t, std::span<const double> y, std::span<const bool> risen);
  void after_jump(double t, std::span<const double> y);
  /// S at a time within the last step.
  const Eigen::MatrixXd& within(double t);
  /// Calls f(dynamics, y) for parameter j a little larger and a little smaller, with the state that
  /// follows it; their difference over `reach(j)` is a derivative.
  template <class F>
  void both_sides(int j, std::span<const double> y, const Eigen::MatrixXd& s, F&& f) {
    Nudge& n = nudges_[static_cast<std::size_t>(j)];
    f(*n.up, moved(y, s.col(j), n.above));
    f(*n.down, moved(y, s.col(j), -n.below));
  }
  double reach(int j) const noexcept {
    const Nudge& n = nudges_[static_cast<std::size_t>(j)];
    return n.above + n.below;
  }
  /// False once an event was met that only touches its guard: there is no derivative beyond it.
  bool is_sound() const noexcept { return sound_; }

 private:
  struct Nudge {
    std::unique_ptr<Dynamics> up, down;
    double above = 0, below = 0;
    bool of_law = false;  ///< its ∂f/∂p is exact
  };
  void find_law_parameters(std::span<const NudgedRig> nudged);
  std::span<const double> moved(std::span<const double> y,
                                const Eigen::Ref<const Eigen::VectorXd>& way, double by);
  void copy_modes();
  void rates_by_parameters(double t, std::span<const double> y, Eigen::Ref<RowMatrix> by);
  void go(Integrator& run, double from, double to, int halvings);
  bool jumps_within(double length) const;
  double apart(const RowMatrix& a, const RowMatrix& b) const;
  double guard_rate(double t, std::span<const double> y, std::size_t guard);
  void find_shifts(double t, std::span<const double> y);

  /// S over [from, from + length]: S at its start and its rates K at the three stages.
  struct Piece {
    double from = 0, length = 0;
    Eigen::MatrixXd start;
    RowMatrix rates;
  };

  Dynamics& f_;
  std::vector<Nudge> nudges_;
  std::vector<Dynamics::LawParameters> laws_;
  Eigen::MatrixXd s_, dense_;  ///< state × parameters: at the end of the last step, and within it
  std::vector<Piece> pieces_;  ///< of the last step
  std::size_t used_ = 0;       ///< how many of them
  double from_ = 0;
  std::array<RowMatrix, 4> jacobians_;  ///< at the start and at the stages
  bool knows_start_ = false;            ///< the first of them
  RowMatrix matrix_;
  Eigen::PartialPivLU<RowMatrix> lu_;
  std::vector<double> memory_, y_, moved_, up_, down_, guards_up_, guards_down_, scales_;
  // Of the jump under way:
  std::vector<double> before_, rate_before_, rate_after_;
  std::unique_ptr<bool[]> risen_;
  std::size_t guards_ = 0;  ///< behind it; 0: a break
  Eigen::VectorXd shift_;
  std::vector<RunEvent> ignored_;
  bool sound_ = true;
};

}  // namespace bristle::detail
