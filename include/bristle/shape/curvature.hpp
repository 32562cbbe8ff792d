#pragma once

/// How two surfaces part around their contact, for Hertz's laws: the gap grows as
/// ½(k1 x² + k2 y²), with k1 ≥ k2 the principal relative curvatures (those of the two surfaces
/// added, concave ones negative).

#include <optional>

#include "bristle/shape/shape.hpp"

namespace bristle {

struct RelativeCurvature {
  double k1 = 0, k2 = 0;  ///< 1/m
};

/// At the contact of a sphere with a half-space, sphere or bore; nothing for other pairs, whose
/// curvature depends on where they touch or is none (corners), and nothing for a sphere that fills
/// its bore.
std::optional<RelativeCurvature> relative_curvature(const Shape& a, const Shape& b) noexcept;

/// R = 1/√(k1 k2) for f = (4/3) E* √R δ^{3/2}: R of a sphere on a plane, R1 R2/(R1 + R2) of two
/// spheres; both exact within Hertz's theory. In a bore the patch is an ellipse, and this R makes
/// the force too small, by 1 % where the sphere has half the bore's radius and 10 % at nine tenths.
double effective_radius(const RelativeCurvature& curvature) noexcept;

}  // namespace bristle
