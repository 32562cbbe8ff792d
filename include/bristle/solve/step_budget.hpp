#pragma once

/// How much work a fixed step may do, in counts and never in time: so the same step gives the same
/// bytes on every machine, however loaded it is. A step that runs into its budget is finished with
/// less accuracy and on time, and is counted.

#include <string>

namespace bristle {

struct StepBudget {
  // Of worlds:
  int per_impact = 20;  ///< sub-steps per duration of an elastic impact
  int touches = 2;      ///< touch-downs located in one outer step
  int sweeps = 30;      ///< over the contacts of an island with several
  int looks = 4;        ///< at the geometry of two meshes in one outer step
  // Of rigs:
  int rig_sweeps = 50;  ///< over the contacts of a rig with several
  // Of both:
  int substeps = 160;  ///< of an island in one outer step; of a rig, between breaks of its sources
};

/// Steps that ran into their budget: in all, and into which one. And what a step did about energy
/// that its contacts had made of nothing: springs are pressed no further than the energy allows,
/// and the rest is taken back from the motion at once.
struct BudgetUse {
  long steps = 0;
  long touches = 0;   ///< went on with a contact closed late, or closed at once
  long substeps = 0;  ///< went to their end in one sub-step
  long sweeps = 0;    ///< took forces of several contacts that had not settled yet
  long payments = 0;  ///< steps that took back more than 1e-3 of the energy that was there
  double paid = 0;    ///< energy taken back in all, J
  double behind = 0;  ///< the most that a spring was pressed less than its shapes overlap, m
};
/// "3 (touch-downs 0, sub-steps 3, sweeps 0)", and the energy taken back where there was some.
std::string to_string(const BudgetUse& use);

}  // namespace bristle
