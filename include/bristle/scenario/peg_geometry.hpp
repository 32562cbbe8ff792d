#pragma once

/// Two-point contact of a peg in a hole: Lin 2001, Appendix B (Figures B.1, B.2).
///
/// The peg, of width d, leans by θ. Its front corner slides along the face of one wall (point a),
/// its other edge over the root of the chamfer of the other wall (point b). h* is the depth of the
/// lower corner, counted from the mouth; the root lies x_root below the mouth. Then
///
///   X_a = h* − d sin θ            of the corner, along the wall
///   X_b = (h* − x_root)/cos θ     of the root, along the peg from its tip
///
/// The figure is not in the text: what h* and the printed x_a count from is our reading. Walls
/// measure the force of the peg on them across the hole, into the wall, and along it, inwards. At a
/// the wall is the tangent, at b the peg's edge:
///
///   N_a = A_across                          F_a = A_along
///   N_b = B_across cos θ + B_along sin θ    F_b = B_along cos θ − B_across sin θ

#include <cmath>

namespace bristle {

struct PegPoint {
  double along_a = 0, along_b = 0;  ///< X_a, X_b
};
inline PegPoint peg_contacts(double depth, double angle, double width, double root) {
  return {depth - width * std::sin(angle), (depth - root) / std::cos(angle)};
}

/// Normal and friction of a force across and along the hole, on an edge that leans by `angle`.
struct PegForce {
  double normal = 0, friction = 0;
};
inline PegForce on_edge(double across, double along, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {across * c + along * s, along * c - across * s};
}
/// The other way round: across and along.
inline PegForce off_edge(double normal, double friction, double angle) {
  return on_edge(normal, friction, -angle);
}

}  // namespace bristle
