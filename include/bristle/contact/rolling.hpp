#pragma once

/// Rolling resistance of a sphere on a plane, from the damping of a volumetric contact (Boos 2011
/// (2.10); print lacks the minus):
///
///   τ_r = −k_V a J ω_t
///
/// ω_t is the spin across the normal, a the damping of the contact, k_V its volumetric stiffness.
/// The sphere sinks in to a depth d at which k_V V(d) carries the load. J is a second moment of the
/// cap V about its centre, across the normal:
///
///   M     ∫ δ(s) ρ² dS over the plane: what springs and dampers in the plane really give
///   J_s   M + h² V, with h the depth of the cap's centroid (the paper's surface tensor)
///   J_V   the inertia tensor of the volume itself
///
/// They differ by less than 0.5 % for shallow contacts.

#include <cmath>
#include <numbers>

namespace bristle {

enum class RollingTensor { M, J_s, J_V };

struct RollingResistance {
  double k_v = 0;  ///< N/m³
  double a = 0;    ///< s/m
  RollingTensor tensor = RollingTensor::M;
};

/// A sphere of radius R cut off at depth d.
struct SphereCap {
  double volume = 0, centroid = 0;  ///< depth of the centroid below the plane
  double m = 0, j_s = 0, j_v = 0;   ///< second moments across the normal

  SphereCap(double radius, double depth) noexcept {
    // With s the height above the cut, from the deepest ring outwards every integrand is a
    // polynomial in s; nothing cancels.
    const double d = depth, b = radius - d, pi = std::numbers::pi;
    volume = pi * d * d * (3 * radius - d) / 3;
    if (!(volume > 0)) return;
    centroid = pi * d * d * d * (b / 3 + d / 4) / volume;
    m = pi * d * d * d * ((2 * radius - d) * b / 6 + d * ((3 * radius - 2 * d) / 12 + d / 20));
    const double square = centroid * centroid * volume;
    j_s = m + square;
    j_v = m + 2 * pi / 3 * d * d * d * d * (b / 4 + d / 5) - square;
  }
};

/// The depth at which the cap has this volume.
inline double cap_depth(double radius, double volume) noexcept {
  if (!(volume > 0)) return 0;
  double d = std::sqrt(volume / (std::numbers::pi * radius));
  for (int i = 0; i < 20; ++i) {
    const double v = std::numbers::pi * d * d * (3 * radius - d) / 3;
    const double step = (v - volume) / (std::numbers::pi * d * (2 * radius - d));
    d -= step;
    if (std::abs(step) <= 1e-15 * d) break;
  }
  return d;
}

/// k_V a J under the load fn, N m s: torque per unit of spin.
inline double rolling_coefficient(const RollingResistance& law, double radius, double fn) noexcept {
  if (!(fn > 0) || !(law.k_v > 0)) return 0;
  const SphereCap cap(radius, cap_depth(radius, fn / law.k_v));
  const double j = law.tensor == RollingTensor::M
                       ? cap.m
                       : (law.tensor == RollingTensor::J_s ? cap.j_s : cap.j_v);
  return law.k_v * law.a * j;
}

}  // namespace bristle
