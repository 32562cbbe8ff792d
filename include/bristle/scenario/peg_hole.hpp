#pragma once

/// What a rig for pegs and holes logs of a run (Lin 2001, chapter 5 and Appendix B): in a scenario,
///
///   peg: {of: arm.peg, a: left, b: right}
///
/// names the peg, a box that turns in the x–z plane, and the two walls of the hole: its front
/// corner slides on `a`, its edge over the root of the chamfer of `b`. The hole goes down along −z
/// of the walls. To the columns of the run it adds
///
///   depth, lean           of the deeper corner below the mouth; of the peg, towards b
///   a_across, a_along     force of the peg on the wall, into it and inwards along the hole
///   b_across, b_along
///   X_a, X_b              where the two contacts are (peg_geometry.hpp)
///   stage                 0 no contact, 1 chamfer crossing, 2 one-point, 3 two-point contact
///
/// and an event at every change of stage. These are the columns that the recipe `peg-hole` of
/// `bristle identify` reads.

#include <string>

#include "bristle/io/document.hpp"
#include "bristle/solve/run.hpp"
#include "bristle/system/world.hpp"

namespace bristle {

enum class PegStage { none, chamfer, one_point, two_point };
/// "no contact", "chamfer crossing", "one-point contact", "two-point contact".
const char* to_string(PegStage stage) noexcept;

struct PegHole {
  std::string peg{};             ///< prefix of the columns of its place
  double width = 0, length = 0;  ///< of the peg
  double root = 0;               ///< of b's chamfer, below the mouth
  double mouth = 0;              ///< height z of the mouth
  double side = 1;               ///< +1: b lies towards +x of a
  int pair_a = 0, pair_b = 0, pairs = 2;
  double shortest = 5e-3;  ///< stages shorter than this are bounces, s

  /// By the height of the deeper corner and by what touches.
  PegStage stage(double depth, bool on_a, bool on_b) const noexcept;
};

/// InputError if what it names is not a box and two walls that it touches.
PegHole read_peg_hole(const Node& node, const World& world);
void add_peg_log(const PegHole& hole, RunResult& result);

}  // namespace bristle
