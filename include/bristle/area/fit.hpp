#pragma once

/// How well a law over an area does against the exact integral, and the best ratio laws.
///
///   const PressedArea disc = PressedArea::disc(0.01);
///   RatioFit fit = fit_ratio(disc, 0, 0, false);       // m = 1.744, b = 0.673 × 0.01
///   AreaLawErrors e = area_law_errors(EllipsoidLaw::of(disc), disc);
///
/// Both compare over the same directions of motion (v, a ω) = λ (cos θ, sin θ), v along φ, with the
/// mean of |ΔT|² + (ΔM/a)², a a length of the area:
///
///   round                 400 midpoints of θ in (0, π/2), one φ
///   mirror images of
///   themselves in x and y  90 midpoints of θ in (0, π/2), 13 φ from 0 to π/2
///   others                120 midpoints of θ in (−π/2, π/2), 24 φ all round
///
/// Directions near pure sliding count as much as those near pure spin, and θ depends on a: errors
/// and fits change a little with it.

#include <vector>

#include "bristle/area/pressed_area.hpp"
#include "bristle/area/ratio_law.hpp"

namespace bristle {

/// Motions, and the exact friction of an area under them.
struct AreaGrid {
  std::vector<Planar> motions, exact;
  double length = 1;  ///< a, m
  /// a = 0: the reach of the area.
  static AreaGrid of(const PressedArea& area, double length = 0);
};

/// In units of μN, torques over a μN.
struct AreaLawErrors {
  double rms = 0, max_norm = 0, max_force = 0, max_torque = 0;
  Planar worst = Planar::Zero();  ///< the motion of max_norm
};
AreaLawErrors area_law_errors(const AreaLaw& law, const AreaGrid& grid) noexcept;
AreaLawErrors area_law_errors(const AreaLaw& law, const PressedArea& area);

struct RatioFit {
  RatioPair force, torque;  ///< the same unless separate
  AreaLawErrors errors;
  bool at_bound = false;  ///< an exponent ran to 30: nearer and nearer to a maximum norm
};
/// The best (m, b) of I_{n1,n2}, by least squares from several starts. `separate`: one pair for the
/// force, one for the torque.
RatioFit fit_ratio(const RatioMoments& moments, const AreaGrid& grid, int n1, int n2,
                   bool separate);
RatioFit fit_ratio(const PressedArea& area, int n1, int n2, bool separate);
/// The best b for a given m, for I_{0,0} with m = 2 say.
RatioPair fit_ratio_weight(const RatioMoments& moments, const AreaGrid& grid, int n1, int n2,
                           double m);

}  // namespace bristle
