#pragma once

/// What exact friction and moments need of each kind of piece. Not part of the public interface.

#include <cmath>

#include "bristle/area/pressed_area.hpp"

namespace bristle::area_detail {

/// A quarter turn to the left.
inline Point2 left(const Point2& a) noexcept { return {-a.y(), a.x()}; }
inline double cross(const Point2& a, const Point2& b) noexcept {
  return a.x() * b.y() - a.y() * b.x();
}
inline Point2 turned(const Point2& a, double angle) noexcept {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * a.x() - s * a.y(), s * a.x() + c * a.y()};
}

/// Friction of one piece: force, moment about its own centre over its own size, and the estimated
/// error of both.
struct PieceFriction {
  Point2 force = Point2::Zero();
  double moment = 0, error = 0;
};

/// `v` is the velocity of the piece's centre; (v, size ω) has a largest component of about 1. The
/// size is the farthest corner's distance from the centroid, and √(ab).
PieceFriction triangle_friction(const TrianglePiece& piece, const Point2& v, double omega) noexcept;
PieceFriction ellipse_friction(const EllipsePiece& piece, const Point2& v, double omega) noexcept;

double triangle_moment(const TrianglePiece& piece, int i, int j, int k) noexcept;
double ellipse_moment(const EllipsePiece& piece, int i, int j, int k) noexcept;

inline Point2 centroid(const TrianglePiece& t) noexcept {
  // From the first corner, so that places far from the pole cost no digits.
  return t.corner[0] + (t.corner[1] - t.corner[0] + (t.corner[2] - t.corner[0])) / 3;
}
inline double area_of(const TrianglePiece& t) noexcept {
  return cross(t.corner[1] - t.corner[0], t.corner[2] - t.corner[0]) / 2;
}
/// Share of the load.
inline double share_of(const TrianglePiece& t) noexcept {
  return area_of(t) * (t.level + t.slope.dot(centroid(t)));
}
double share_of(const EllipsePiece& e) noexcept;

/// Whether the disc has a closed form.
inline bool is_plain_disc(const EllipsePiece& e) noexcept {
  return e.a == e.b && e.slope.isZero(0);
}

}  // namespace bristle::area_detail
