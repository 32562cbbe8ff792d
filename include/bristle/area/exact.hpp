#pragma once

/// Coulomb friction on every element of a plane area, integrated exactly.
///
/// An area that slides with (v_x, v_y) at its pole and spins with ω rubs at each point r against
/// the velocity v_P = (v_x − y ω, v_y + x ω). In units of μN and with ∬σ = 1
///
///   T_s = ∬ σ v_P/|v_P| dA,   M_s = ∬ σ r × v_P/|v_P| dA        (Kudra and Awrejcewicz (2.2))
///
/// where T_sy has cosθ sinφ + x sinθ (the print repeats cosφ). The integrand jumps at the
/// instantaneous centre c of the motion. In polar coordinates about c nothing is singular: the
/// direction depends on the ray alone, and the area element brings a factor ρ. So triangles have a
/// closed form (three signed triangles with a tip at c), ellipses one integral over the lines
/// through c, whose chords are integrated in closed form, and evenly pressed discs complete
/// elliptic integrals. The friction on the body is −μN (T_s, M_s).
///
/// Limits: 0-homogeneous in the motion; no motion gives no friction (see AreaLaw for sticking).

#include "bristle/area/pressed_area.hpp"

namespace bristle {

struct ExactFriction {
  Planar wrench = Planar::Zero();  ///< (T_sx, T_sy, M_s), M_s in m
  double error = 0;                ///< estimated, of the largest component over its bound
  bool centre_inside = false;      ///< the instantaneous centre lies where there is pressure
};

/// Friction of the area under the motion (v_x, v_y, ω). Nothing allocates.
ExactFriction exact_friction(const PressedArea& area, const Planar& motion) noexcept;

/// The same by subdivision and Gauss points in x and y, to about `tolerance`: slow, shares nothing
/// with the other, and is there to check it.
ExactFriction friction_by_subdivision(const PressedArea& area, const Planar& motion,
                                      double tolerance);

/// c_{i,j,k} = ∬ x^i y^j (x² + y²)^{−k/2} σ dA, for i + j − k > −2. Good to 1e-13 of its scale.
double area_moment(const PressedArea& area, int i, int j, int k);

}  // namespace bristle
