#pragma once

/// A triangle as a point sees it: as a whole, or cut across into strips if it is too thin for that.
/// Places are relative to the piece's centroid, in units of the piece's size.

#include <algorithm>
#include <array>

#include "gauss.hpp"
#include "pieces.hpp"

namespace bristle::area_detail {

using Corners = std::array<Point2, 3>;
using Quad = std::array<Point2, 4>;

/// The part of a triangle between two lines parallel to the side opposite its tip, at the fractions
/// `from` and `to` of the way there.
struct Wedge {
  Point2 tip, leg, base;  ///< leg: from the tip to the first corner, base: from there to the second
  double from = 0, to = 1;

  Quad corners() const noexcept {
    return {tip + from * leg, tip + to * leg, tip + to * (leg + base), tip + from * (leg + base)};
  }
};

/// From here on, in units of the part's size, an integrand that is singular at the point is smooth
/// enough for Gauss points, while closed forms begin to lose digits.
inline constexpr double far_away = 3;

/// Calls `near(quad)` or `far(wedge, distance)` on parts that make up a triangle. Closed forms are
/// differences of numbers of the order size² distance³: parts are halved until that is less than
/// 1e-13 of the whole.
template <class Near, class Far>
class Parts {
 public:
  Parts(const Corners& corners, const Point2& point, Near near, Far far) noexcept
      : point_(point.x(), point.y()), near_(near), far_(far) {
    whole_ = cross(corners[1] - corners[0], corners[2] - corners[0]);
    if (settle({corners[0], corners[1] - corners[0], corners[2] - corners[1]})) return;
    // Two wedges with their tips at the ends of the longest side and the height on it as a base.
    std::size_t longest = 0;
    for (std::size_t i = 1; i < 3; ++i) {
      if (side(corners, i).squaredNorm() > side(corners, longest).squaredNorm()) longest = i;
    }
    const Point2 &a = corners[longest], &b = corners[(longest + 1) % 3],
                 &c = corners[(longest + 2) % 3];
    const double share = (c - a).dot(b - a) / (b - a).squaredNorm();
    const Point2 foot = a + share * (b - a);
    visit({a, foot - a, c - foot}, 40);
    visit({b, c - b, foot - c}, 40);
  }

 private:
  static Point2 side(const Corners& corners, std::size_t i) noexcept {
    return corners[(i + 1) % 3] - corners[i];
  }

  /// Whether the part is fit for one or the other.
  bool settle(const Wedge& wedge) noexcept {
    const Quad quad = wedge.corners();
    const Point2 middle = (quad[0] + quad[1] + quad[2] + quad[3]) / 4;
    double size = 0;
    for (const Point2& corner : quad) size = std::max(size, (corner - middle).norm());
    const double distance = (point_ - middle).norm() / size;
    if (!(distance < far_away)) {
      far_(wedge, distance);
      return true;
    }
    const double loss = 0.003 * (0.1 + distance * distance * distance) * size * size;
    if (loss > whole_) return false;
    near_(quad);
    return true;
  }

  void visit(const Wedge& wedge, int depth) noexcept {
    if (settle(wedge)) return;
    if (depth == 0) return near_(wedge.corners());
    const double half = (wedge.from + wedge.to) / 2;
    visit({wedge.tip, wedge.leg, wedge.base, wedge.from, half}, depth - 1);
    visit({wedge.tip, wedge.leg, wedge.base, half, wedge.to}, depth - 1);
  }

  Point2 point_;
  Near near_;
  Far far_;
  double whole_ = 0;  ///< twice the area
};

/// ∬ f dA by N × N points: f(r, weight) adds up itself.
template <int N, class F>
void over_wedge(const Wedge& w, F&& f) noexcept {
  const double twice_area = cross(w.leg, w.base), depth = w.to - w.from;
  for (std::size_t i = 0; i < N; ++i) {
    const double s = w.from + depth * gauss<N>.node[i];
    const double outer = gauss<N>.weight[i] * depth * s * twice_area;
    for (std::size_t j = 0; j < N; ++j) {
      f(Point2(w.tip + s * (w.leg + gauss<N>.node[j] * w.base)), outer * gauss<N>.weight[j]);
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
    t = length > 0 ? Point2((to - from) / length) : Point2::UnitX();  // a wedge's tip is no side
    n = -left(t);
    d = n.dot(from - point);
    s0 = t.dot(from - point);
    s1 = s0 + length;
  }
};

}  // namespace bristle::area_detail
