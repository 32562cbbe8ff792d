#pragma once

/// Coulomb friction over a round patch that slides and spins at once.
///
/// A patch with pressure p(r) = p_0 (1 − r²/R²)^k that slides with v and spins with ω carries less
/// force than μN and less torque than in pure spin; the pair (force, torque) runs along a curve,
/// the limit curve, as the ratio of the two speeds changes. In units of the patch itself,
///
///   u = (|v|, r_gyr |ω|) = |u| (cos β, sin β),   w = (F, τ/r_gyr) / (μ N),
///
/// the curve is nearly the unit circle, which is what the thesis's Contensou factors say
/// (Boos 2011 (4.31)–(4.34)). The uniform disc (k = 0) has a closed form (area/disc.hpp), and any
/// other pressure that falls outwards is a heap of uniform discs. k = 0 is a flat punch, 1 the cap
/// of a sphere, about 2 a cone; `from_depths` reads it off the patch.
///
/// Limits: patches that are not round are treated as round ones with the same radius of gyration.

#include "bristle/area/disc.hpp"

namespace bristle {

/// Pressure (1 − r²/R²)^k, by quadrature over discs: force in μN, torque in μN r_gyr, v and spin =
/// r_gyr ω in the same unit.
LimitPoint profile_friction(double k, double v, double spin) noexcept;

/// The curve of one profile or of a blend of two, from tables made once; lookups are a few
/// nanoseconds and good to 1e-5.
class LimitCurve {
 public:
  /// k in [0, 2].
  explicit LimitCurve(double k) noexcept;
  /// k from the ratio of mean to largest depth, 1/(k+1) for these profiles.
  static LimitCurve from_depths(double mean, double largest) noexcept;

  /// Friction while sliding: v ≥ 0, spin ≥ 0, not both 0.
  LimitPoint sliding(double v, double spin) const noexcept;
  /// The gauge ξ of a wrench: 1 on the curve, below 1 inside.
  double gauge(double force, double torque) const noexcept;

 private:
  int first_;     ///< table of the smaller k
  double share_;  ///< of the next one
};

}  // namespace bristle
