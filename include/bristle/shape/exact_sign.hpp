#pragma once

/// Which side of a triangle a point lies on, and on which side one edge passes another: signs of
///   orient(a, b, c, d) = det(b − a, c − a, d − a),
/// six times the volume of the tetrahedron, positive where d is above the triangle a b c seen
/// counter-clockwise. They are right for all doubles between 1e-80 and 1e80 and for zero: first a
/// bound on the rounding error decides (prepared per triangle, then for the very numbers), and what
/// is left is computed exactly as a sum of non-overlapping doubles (Shewchuk 1997).
///
/// Ties do not exist for a pair of bodies A and B: B counts as moved by (ε, ε², ε³) with ε → 0+
/// (Edelsbrunner and Mücke 1990, for one moved body). A zero is then replaced by the sign of the
/// first component that is not zero of the determinant's derivative with respect to that motion.
/// Two bodies that touch in a face, an edge or a corner are thus always told to be either apart or
/// to overlap by nothing, and all answers fit together.

#include <algorithm>
#include <array>
#include <cmath>

#include "bristle/shape/pose.hpp"

namespace bristle {

/// A triangle prepared for many questions.
struct Facet {
  std::array<Vector3, 3> corner;
  Vector3 normal;  ///< (b − a) × (c − a) as rounded
  double bound;    ///< the error of `above` is below bound · |p − a|_max
};

namespace exact {

/// orient as a sum of exact parts, rounded once: right to the last bits, 0 only if it is 0.
double orient(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d) noexcept;
/// The sign of the first component of (b − a) × (d − c) that is not zero; 0 if all are.
int leading_sign(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d) noexcept;

/// Rounding error of a 3×3 determinant of differences, relative to the sum of its six products in
/// absolute value: two differences, two products and a difference in each minor (4 ε), then a
/// difference, a product and two sums (4 ε), ε = 2⁻⁵³; the rest is for the error of the bound.
inline constexpr double relative_bound = 12 * 0x1p-53;

/// The three sums |u_j v_k| + |u_k v_j| that bound the components of u × v.
inline Vector3 permanent(const Vector3& u, const Vector3& v) noexcept {
  return {std::abs(u.y() * v.z()) + std::abs(u.z() * v.y()),
          std::abs(u.z() * v.x()) + std::abs(u.x() * v.z()),
          std::abs(u.x() * v.y()) + std::abs(u.y() * v.x())};
}
double above_slow(const Facet& facet, const Vector3& p) noexcept;

}  // namespace exact

inline Facet make_facet(const Vector3& a, const Vector3& b, const Vector3& c) noexcept {
  const Vector3 u = b - a, v = c - a;
  return {{a, b, c}, u.cross(v), exact::relative_bound * exact::permanent(u, v).sum()};
}

/// orient(facet, p): its sign is exact, its value as good as doubles give it.
inline double above(const Facet& facet, const Vector3& p) noexcept {
  const Vector3 d = p - facet.corner[0];
  const double value = facet.normal.dot(d);
  return std::abs(value) > facet.bound * d.cwiseAbs().maxCoeff() ? value
                                                                 : exact::above_slow(facet, p);
}
/// A bound on the error of `above` where it was not computed exactly.
inline double above_error(const Facet& facet, const Vector3& p) noexcept {
  return facet.bound * (p - facet.corner[0]).cwiseAbs().maxCoeff();
}

/// orient(p, q, a, b) with an exact sign: positive where the edge a→b passes p→q counter-clockwise,
/// seen along p→q.
inline double passing(const Vector3& p, const Vector3& q, const Vector3& a,
                      const Vector3& b) noexcept {
  const Vector3 u = b - a, v = q - p, r = a - p;
  const double value = u.cross(v).dot(r);
  const double error = exact::relative_bound * exact::permanent(u, v).dot(r.cwiseAbs());
  if (std::abs(value) > error) return value;
  return error == 0 ? 0 : exact::orient(p, q, a, b);
}

// The same as decisions, with ties broken.

/// The tie-break of a vertex of B against a triangle of A: d/dε orient = N.
inline bool leans_up(const Facet& of_a) noexcept {
  return exact::leading_sign(of_a.corner[0], of_a.corner[1], of_a.corner[0], of_a.corner[2]) >= 0;
}
/// Whether an edge a→b of B passes an edge p→q of A counter-clockwise. The two must not be
/// parallel: they never are where each crosses the plane of a triangle of the other.
inline bool passes_left(const Vector3& p, const Vector3& q, const Vector3& a,
                        const Vector3& b) noexcept {
  const double value = passing(p, q, a, b);
  return value != 0 ? value > 0 : exact::leading_sign(a, b, p, q) >= 0;
}

}  // namespace bristle
