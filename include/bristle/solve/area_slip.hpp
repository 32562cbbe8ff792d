#pragma once

/// The slip of a contact over an area in a step of the averaged force
/// (src/solve/averaged_step.cpp).
///
/// Friction is f(Λ) T_s(v). Λ T_s is of degree 1 in the motion, so that Λ T_s = G v with its own
/// derivative G, which knows the direction of v only (Euler's theorem). On the straight path of a
/// step the force is then (f/Λ) G v̂, and with X = h W (f/Λ) G
///
///   v̂ = v + Θ (v_free − v − X v̂),   Θ = (3 + X)(6 + X)⁻¹,
///   i.e.  (6 + 4X + X²) v̂ = 3 (v + v_free) + X v_free.
///
/// Θ is ½ + x/(12 + 2x) of the step on a line, as a function of a matrix: without other forces the
/// slip after the step is (6 + 4X + X²)⁻¹ (6 − 2X) v, Padé's (1, 2) approximant of e^(−X) v. So
/// each motion that friction damps by itself, slip or spin, has its own share of implicitness:
/// second order where it is soft, gone within the step where it is stiff. One θ for all, by the
/// largest eigenvalue of X, would take the slip of a light wheel by Euler's method because its spin
/// is stiff. A component that nothing moves (a row of zeros in W) keeps the mean of both ends.
///
/// For a given G this is one equation for one number, Λ(v̂) = s with X = X(s): it is solved inside a
/// bracket, which is there whatever f does, and where f has a peak the root next to the last slip
/// is taken. G follows the direction of v̂; as G v is exact to second order in a change of
/// direction, that is Newton's method for it, damped where it does not gain. Numerators that are
/// linear in the motion (I00) take one pass.

#include "bristle/area/law.hpp"
#include "bristle/friction/any_law.hpp"

namespace bristle {

struct AreaStep {
  const AreaLaw& area;
  const AnyLaw& law;
  double fn = 1;
  double slowest = 0;            ///< m/s: below, the law is asked as if it slipped so fast
  Planar now = Planar::Zero();   ///< slip at the start of the step
  Planar free = Planar::Zero();  ///< and at its end without this friction
  Eigen::Matrix3d mobility = Eigen::Matrix3d::Zero();  ///< h W
};

struct AreaSlip {
  Planar slip = Planar::Zero(), force = Planar::Zero();
  int evaluations = 0;  ///< of the friction law
  bool settled = true;  ///< false: directions have not settled within the number of passes
};

/// The slip v̂ and its force, from the slip `start` on.
AreaSlip solve_area_slip(const AreaStep& step, const Planar& start) noexcept;

/// Whether slip ends within the step: with the friction that it has now,
///   v̇ = (v_free − v)/h − W f T_s(v)
/// is followed in the time dt/|v|, in which neither direction nor ln|v| is singular at rest. With
/// spin a motion can come to rest where kinetic friction could not hold it: whether the static one
/// is to be asked is seen from the way into rest only.
bool comes_to_rest(const AreaStep& step, int& evaluations) noexcept;

}  // namespace bristle
