#pragma once

/// Friction coefficients from runs from rest and at steady speeds, along a line or, brought to the
/// radius of gyration, about an axis.

#include "recipe_kit.hpp"

namespace bristle::recipes {

struct BreakAwayOptions {
  double share = 0.5;  ///< of the peak, up to which σ0 and σ1 are fitted
  /// A law that is matched to the whole runs besides, and what is known of it.
  std::optional<AnyLaw> law{};
  ForceMatchOptions match{};
};

/// Recordings with position, slip, load and force; adds fits, tables, figures and assumptions.
void find_break_away(const BreakAwayOptions& options, Findings& findings, Watch& watch);
BreakAwayOptions read_break_away(const Document& document);

/// Recordings with slip, load and force, each at a steady speed.
void find_steady_speed(Findings& findings);

}  // namespace bristle::recipes
