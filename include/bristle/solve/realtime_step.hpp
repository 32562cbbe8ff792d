#pragma once

/// A rig or a world at a fixed rate, to be embedded in a loop of your own.
///
///   RealTimeOptions options;
///   options.rate = 1000;
///   options.columns = {"x", "fn"};
///   RealTimeStep core(world, options);           // everything is allocated and checked here
///   for (;;) {
///     core.set_input(0, force);                  // where the scenario has inputs
///     core.step();                               // 1 ms on: noexcept, no allocation, no lock
///     const double x = core.outputs()[0], fn = core.outputs()[1];
///   }
///
/// A step costs at most what its budget (step_budget.hpp) counts: sub-steps, touch-downs, sweeps;
/// never a number that depends on the state alone, never time. A step that runs into its budget is
/// finished with less accuracy and counted in budget_used_up(). So a state and a number of steps
/// give the same bytes wherever and whenever they are made.
///
/// A rig's sources may break (a force that sets in, a drive that samples): a step is cut there, as
/// often as its budget of sub-steps allows. Breaks are known up to options.duration; later ones
/// take effect with the step into which they fall.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bristle/solve/run.hpp"
#include "bristle/solve/step_budget.hpp"
#include "bristle/system/rig.hpp"
#include "bristle/system/world.hpp"

namespace bristle {

struct RealTimeOptions {
  double rate = 1000;  ///< steps per second
  /// `bristle`; for rigs also the explicit steps. `auto` means `bristle`.
  std::string method = "auto";
  double duration = 1;  ///< for which breaks of the sources are prepared, s
  StepBudget budget{};
  double break_away = 1;               ///< as in RunOptions
  std::vector<std::string> columns{};  ///< that outputs() gives, by their names in a trajectory
};

/// What may be set from outside: a signal of the rig or world that is an input (signal.hpp).
struct RealTimeInput {
  std::string name{}, unit{};
  double start = 0;  ///< its value until it is set
};

namespace detail {
class RealTimeCore;
}

class RealTimeStep {
 public:
  /// InputError for a method that cannot, a rate that is none, or a column that there is none of.
  RealTimeStep(const World& world, const RealTimeOptions& options);
  RealTimeStep(const Rig& rig, const RealTimeOptions& options);
  RealTimeStep(RealTimeStep&&) noexcept;
  RealTimeStep& operator=(RealTimeStep&&) noexcept;
  ~RealTimeStep();

  /// One step of 1/rate. Nothing is allocated, nothing throws. Once the state is no longer finite
  /// it does nothing.
  void step() noexcept;
  double time() const noexcept;
  double period() const noexcept;
  bool finite() const noexcept;

  /// Each step has inputs of its own, even if several were made of the same world.
  const std::vector<RealTimeInput>& inputs() const noexcept;
  /// The place of an input in that list; InputError for a name that is not there.
  std::size_t input(const std::string& name) const;
  /// From now on and until it is set again: a sampled control is one that does so before every
  /// step. What has been set before the step counts, not in which order. False, and nothing
  /// changes, for a place that is none or a value that is not finite.
  bool set_input(std::size_t place, double value) noexcept;

  /// The columns asked for, in their order, at time(). Works since the start (W_…) and the energy
  /// error are not among those of a world: a state that is restored does not know them.
  std::span<const double> outputs() const noexcept;
  /// What could be asked for, with units. `t` is the first.
  const std::vector<Column>& columns() const noexcept;

  /// Everything that the next step depends on, as state_size() numbers.
  int state_size() const noexcept;
  void save(std::span<double> numbers) const noexcept;
  /// The outputs follow.
  void restore(std::span<const double> numbers) noexcept;

  /// Of all steps since it was made: how many ran into their budget, and the most sub-steps in one.
  BudgetUse budget_used_up() const noexcept;
  int most_substeps() const noexcept;

 private:
  std::unique_ptr<detail::RealTimeCore> core_;
};

/// InputError if the method cannot run in real time, with the reason and what to use instead.
void check_realtime(const Rig& rig, const std::string& method);
void check_realtime(const World& world, const std::string& method);

}  // namespace bristle
