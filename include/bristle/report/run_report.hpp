#pragma once

/// What a run leaves on disk: summary.json, and a page to show a colleague.

#include <string>
#include <utility>
#include <vector>

#include "bristle/report/page.hpp"
#include "bristle/solve/run.hpp"

namespace bristle {

/// How far a run is from one with tighter tolerance or half the step, for each final value and
/// metric.
struct CheckedValue {
  std::string name;
  double value = 0, finer = 0;
};

/// What the result does not know about itself.
struct RunDescription {
  std::string scenario{}, title{}, source{}, text{}, law{};
  std::string normal_law{};   ///< of worlds
  double rtol = 0, step = 0;  ///< that of the method used; the other is 0
  double slip_speed = 0;      ///< below a quarter of it a contact is drawn as sticking
  std::vector<PageTable> parameters{};
  std::vector<CheckedValue> check{};
  double wall_seconds = -1;  ///< negative: not measured
};

/// The contract of the command line; the same run gives the same bytes.
std::string summary_json(const RunDescription& run, const RunResult& result);
ReportPage run_page(const RunDescription& run, const RunResult& result);
/// Stretches of time in which contact `c` sticks.
std::vector<Band> stick_bands(const RunResult& result, int contact, double slip_speed);

/// Stretches of time in which the bodies of pair `pair` touch, and those in which they also stick.
std::vector<Band> contact_bands(const RunResult& result, int pair, double slip_speed);
/// Every impact: when, how fast in and out, what it took.
PageTable impact_table(const RunResult& result);
/// The animated view of a world; without an animation where there is nothing to see.
Section scene_section(const RunResult& result);
/// The paths of all bodies in perspective, with their projection on the ground; no panel where none
/// moves.
Figure path_figure(const RunResult& result);
/// A contact patch seen along its normal: pressure, outline, centre of pressure, friction.
Picture patch_picture(const PatchView& view);
/// True for runs of bodies with shapes.
bool is_world(const RunResult& result);

/// One line of a comparison.
struct ComparedRun {
  RunDescription description{};
  RunResult result{};
};
/// Laws side by side: final values, slips, energy error, cost.
PageTable compare_table(const std::vector<ComparedRun>& runs);
ReportPage compare_page(const std::vector<ComparedRun>& runs);
std::string compare_json(const std::vector<ComparedRun>& runs);

}  // namespace bristle
