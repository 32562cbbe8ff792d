#pragma once

/// The recipe `drive`: mass and friction of a drive from one record, by inverse dynamics and, where
/// its controller is known, by matching the closed loop.
///
///   recipe: drive
///   title: EMPS
///   data:
///     file: emps.csv
///     columns:
///       time:      {column: t, unit: s}
///       position:  {column: qm, unit: m}
///       reference: {column: qg, unit: m}                  # for the closed loop
///       force:     {column: vir, unit: V, gain: 35.15065188 N/V}
///   controller:                                           # u = kv (kp (r − q) − v̂)
///     position_gain: 160.18 1/s
///     velocity_gain: 243.45 V s/m
///     force_gain: 35.15065188 N/V
///     limit: 10 V
///     velocity_span: 2          # v̂ = (q_k − q_(k−2))/(2 Δt); 0: the true velocity
///   closed_loop: true           # the default where there is a controller
///   laws:                       # terms of drive.hpp; these two are the default
///     symmetric:  [acceleration, viscous, coulomb, offset]
///     asymmetric: [acceleration, viscous+, coulomb+, viscous-, coulomb-]
///   grow: asymmetric            # terms are added to this law; the default is the last one
///   candidates: [[quadratic+, quadratic-], [position+, position-]]    # a default list; [] : none
///   fit_share: 0.5              # the rest is held out
///   settle: 50                  # errors are also given without so many first samples
///   inverse: {cutoff: 80 Hz, order: 5, factor: 10, trim: 10}
///   search: {starts: 1, seed: 1, threads: 0}              # besides the inverse dynamics' answer
///   profile: false              # intervals by profile; they take minutes
///
/// The richer law grows one group of terms at a time: the one that lowers the inner error most,
/// which is the error of halves of the fitted part on each other, and as long as it falls by 1 %.
/// The held-out part has no say in it. Of groups that differ in their speeds only, one is taken;
/// the closed loop then seeks its speed as well.

#include <optional>

#include "bristle/identify/confidence.hpp"
#include "bristle/identify/drive_loop.hpp"
#include "bristle/identify/recipe.hpp"

namespace bristle {

struct DriveCandidate {
  std::string name{};
  std::vector<std::string> terms{};
};

struct DriveTask {
  std::string title{};
  Recording recording{};
  std::optional<DriveController> controller{};  ///< none: inverse dynamics only
  std::vector<DriveCandidate> laws{};
  int grow = -1;  ///< law that grows; −1: none
  std::vector<TermGroup> candidates{};
  double share = 0.5;
  std::size_t settle = 50;
  DriveOptions inverse{};
  SearchOptions search{};
  ConfidenceOptions confidence{};
};

/// One law on one record. Errors are relative; NaN where there is no such thing.
struct DriveFit {
  DriveCandidate law{};
  double inner_error = 0;           ///< of the part that is fitted, by which laws grow
  LinearFit inverse{};              ///< of all samples
  Eigen::VectorXd inverse_force{};  ///< measured, as it was filtered and decimated for that
  Confidence inverse_confidence{};
  double inverse_held_out = 0;

  std::optional<Search> search{};  ///< of the closed loop, all samples
  Confidence confidence{};
  LoopErrors errors{}, settled{}, held_out{};
  LoopRun run{};
};

struct DriveResult {
  std::vector<DriveFit> fits{};  ///< in the order of the task, then those that grew
  int chosen = 0;                ///< lowest inner error
};

DriveTask read_drive(const Document& document);
/// SearchStopped if the watch says so.
DriveResult identify_drive(const DriveTask& task, Watch& watch);
RecipeResult drive_report(const DriveTask& task, const DriveResult& result);
RecipeResult run_drive(const Document& document, Watch& watch);

}  // namespace bristle
