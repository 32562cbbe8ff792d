#pragma once

/// A triangle as a point sees it: near ones are cut off from far ones, thin ones into better shaped
/// ones. Corners are relative to the piece's centroid, in units of the piece's size.

#include <algorithm>
#include <array>

#include "gauss.hpp"
#include "pieces.hpp"

namespace bristle::area_detail {

using Corners = std::array<Point2, 3>;

/// From here on, in units of the triangle's size, an integrand that is singular at the point is
/// smooth enough for Gauss points, while closed forms begin to lose digits.
inline constexpr double far_away = 3;

/// Calls `near(corners)` or `far(corners, distance)` on parts that make up the triangle. The closed
/// forms are differences of the size² of a triangle's longest side: a thin one is halved until it
/// is either far or stout.
template <class Near, class Far>
void visit_parts(const Corners& corners, const Point2& point, Near&& near, Far&& far,
                 int depth = 48) noexcept {
  const Point2 middle = (corners[0] + corners[1] + corners[2]) / 3;
  double size = 0;
  for (const Point2& corner : corners) size = std::max(size, (corner - middle).norm());
  const double distance = (point - middle).norm();
  if (!(distance < far_away * size)) return far(corners, distance / size);
  const double twice_area = cross(corners[1] - corners[0], corners[2] - corners[0]);
  if (twice_area > 0.05 * size * size || depth == 0) return near(corners);
  std::size_t longest = 0;
  double length = -1;
  for (std::size_t i = 0; i < 3; ++i) {
    const double side = (corners[(i + 1) % 3] - corners[i]).squaredNorm();
    if (side > length) {
      length = side;
      longest = i;
    }
  }
  const Point2 &a = corners[longest], &b = corners[(longest + 1) % 3],
               &c = corners[(longest + 2) % 3];
  const Point2 half = (a + b) / 2;
  visit_parts(Corners{a, half, c}, point, near, far, depth - 1);
  visit_parts(Corners{half, b, c}, point, near, far, depth - 1);
}

/// ∬ f dA by N × N points: (1−s) along one side, t across. f(r, weight) adds up itself.
template <int N, class F>
void over_triangle(const Corners& corners, F&& f) noexcept {
  const Point2 a = corners[1] - corners[0], b = corners[2] - corners[1];
  const double twice_area = cross(a, b);
  for (std::size_t i = 0; i < N; ++i) {
    const double s = gauss<N>.node[i], outer = gauss<N>.weight[i] * s * twice_area;
    for (std::size_t j = 0; j < N; ++j) {
      f(Point2(corners[0] + s * (a + gauss<N>.node[j] * b)), outer * gauss<N>.weight[j]);
    }
  }
}

/// A side seen from a point: r = d n + s t from the point, s from s0 to s1, n outwards; the signed
/// triangle with its tip at the point has the element d ds of twice its area.
struct Side {
  Point2 n, t;
  double d = 0, s0 = 0, s1 = 0;

  Side(const Point2& from, const Point2& to, const Point2& point) noexcept {
    const double length = (to - from).norm();
    t = (to - from) / length;
    n = -left(t);
    d = n.dot(from - point);
    s0 = t.dot(from - point);
    s1 = s0 + length;
  }
};

}  // namespace bristle::area_detail
