#pragma once

/// Motion matching: a scenario against a record of where its bodies went.
///
///   MotionMatch problem({{scenario, recording}}, {.observe = {{"position", "x"}}});
///   Search search = find_minimum(problem);
///
/// The residual is the simulated column minus the measured one at each sample. Sought are the
/// parameters of the friction law, and any quantity of the scenario by its path. Stick–slip makes
/// this hard: least squares from a guess ends with the wrong number of slips. What the record says
/// without any simulation is therefore read first: friction along the recorded motion is the
/// applied force less m a; where it slides that is the kinetic level, and its peaks before each
/// slip are the static one (levels_of). Starts are drawn near these levels and all over the ranges
/// of everything else.
///
/// Bodies with shapes (worlds) are matched as well: bounces and slides of a thrown ball, say. No
/// levels are read from their records, and slopes are differences.

#include "bristle/identify/law_match.hpp"
#include "bristle/identify/recording.hpp"
#include "bristle/scenario/scenario.hpp"
#include "bristle/solve/observe.hpp"

namespace bristle {

/// A recording and the scenario that made it; its times are those of the scenario.
struct MotionRun {
  Scenario scenario;
  Recording recording;
};

/// A role of the recording and the column of the scenario's trajectory that it measures.
struct Observed {
  std::string role = "position", column = "x";
  double noise = 0;  ///< standard deviation; needed where several are observed, to weigh them
};

struct MotionMatchOptions {
  std::vector<Observed> observe{Observed{}};
  UnknownSettings parameters{};  ///< of the friction law
  NamedOrders orders{};          ///< of its parameters
  UnknownSettings quantities{};  ///< of the scenario, by path: "springs.0.stiffness"; SI
  std::map<std::string, std::string> units{};  ///< of the quantities
  double rtol = 1e-9;                          ///< of the simulation
  double rough_rtol = 1e-7;                    ///< of the first look at many starts
  bool levels = true;                          ///< starts near the levels read from the record
  double share = 1;  ///< of each recording, from its start, that is fitted
};

/// Friction along a recorded motion, sample by sample: applied force less m a.
struct RecordedFriction {
  std::vector<double> slip{}, force{}, load{};  ///< m/s, N, N; empty: the record does not tell
};
/// For a rig of bodies on a line with one contact, all of whose positions are recorded evenly in
/// time; else nothing is known.
RecordedFriction recorded_friction(const Rig& rig, const Recording& recording,
                                   const std::vector<Observed>& observe);
/// What that says of the law's levels.
FrictionLevels levels_of(const Rig& rig, const Recording& recording,
                         const std::vector<Observed>& observe);

class MotionMatch final : public LawMatch {
 public:
  /// InputError for a recording without the observed roles, scenarios without a friction law,
  /// columns and parameters there are not.
  MotionMatch(const std::vector<MotionRun>& runs, const MotionMatchOptions& options);

  bool evaluate(std::span<const double> p, std::span<double> r) const override;
  bool derivatives(std::span<const double> p, std::span<double> r,
                   std::span<double> by) const override;
  /// How derivatives are had: through the simulation, with the times of all changes of mode, or by
  /// central differences, and why.
  std::string slopes() const;
  /// With a looser tolerance.
  std::unique_ptr<Problem> rough(int residuals) const override;

  /// Observed columns of each run, sample by sample: all of it, what was not fitted too.
  std::vector<std::vector<double>> predict(std::span<const double> p) const;
  std::vector<Matched> match(std::span<const double> p) const override;
  /// Of the simulated run, between the samples too; the record's by recorded_friction().
  std::vector<ForceLoop> loops(std::span<const double> p) const override;
  std::string unit() const override;
  double held_out(std::span<const double> p) const override;
  /// The first run recorded more often, with less noise, for longer.
  std::vector<ProposedRecord> proposals(std::span<const double> p, double noise) const override;
  std::optional<FittedMotion> motion(std::span<const double> p) const override;
  /// The run with these parameters.
  Scenario scenario(std::size_t run, std::span<const double> p) const;
  const std::vector<MotionRun>& runs() const noexcept { return runs_; }
  const MotionMatchOptions& options() const noexcept { return options_; }
  const std::vector<FrictionLevels>& levels() const noexcept { return levels_; }

 private:
  struct Part {
    std::size_t first = 0, used = 0;  ///< residuals from `first` on, of so many samples
  };
  void add_run(const MotionRun& run);
  void add_quantities();
  void start_near_levels();
  Scenario with_quantities(std::size_t run, std::span<const double> p) const;
  Rig rig(std::size_t run, std::span<const double> p) const;
  RunOptions run_options(std::size_t run) const;
  std::vector<NudgedRig> nudged(std::size_t run, std::span<const double> p) const;
  bool exact_derivatives(std::span<const double> p, std::span<double> r,
                         std::span<double> by) const;
  void simulate(std::size_t run, std::span<const double> p, std::span<const double> times,
                std::span<double> values) const;
  void watch(const Scenario& scenario, const RunOptions& options, std::span<const double> times,
             std::span<double> values) const;

  std::vector<MotionRun> runs_;
  MotionMatchOptions options_;
  std::vector<std::string> columns_;
  std::vector<double> weights_;
  std::vector<std::string> paths_;  ///< of the quantities sought, after the law's parameters
  std::vector<Part> parts_;
  std::vector<FrictionLevels> levels_;
  std::string inexact_because_;  ///< why slopes are differences; empty: they are not
};

}  // namespace bristle
