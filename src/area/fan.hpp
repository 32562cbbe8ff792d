#pragma once

/// All straight lines through a point that meet an ellipse.
///
/// In units of √(ab) the ellipse is A' times the unit disc, A' = D², D = diag(κ, 1/κ),
/// κ = (a/b)^¼. A line through the point A'u has a direction A'w/|w| with w = D⁻¹y, |y| = 1, and
/// meets the disc's points  p w⊥/|w| + s w/|w|,  s² < h² = 1 − p². The angle of y lies halfway
/// between those of the disc and of the ellipse; in it a slender ellipse looks least slender. It
/// runs over middle ± Δ: all lines if the point is inside, and those between the two tangents if
/// not, so that a rule blind to its ends converges wherever the point is, the rim included.
///
/// A point far away has |u| = 1/e with e → 0 and Δ → 0. Lengths t = s − f from the point are given
/// as t e = e s − f', and Δ/e stays finite: there is no other case for parallel lines.

#include <cmath>
#include <numbers>

#include "pieces.hpp"
#include "quadrature.hpp"

namespace bristle::area_detail {

struct Line {
  Point2 along;      ///< unit vector of the disc, w/|w|
  Point2 stretched;  ///< A'w = Dy
  double n = 0;      ///< |w|; the element of the disc's angle is Δ dx/n²
  double p = 0, h = 0;
  double f = 0;  ///< f' = e u·along
};

class Fan {
 public:
  /// e u = direction, |direction| ≤ 1; direction/e is the point. e < 1 means outside and asks for
  /// |direction| = 1.
  Fan(double kappa, const Point2& direction, double e) noexcept
      : kappa_(kappa), u_(direction.x(), direction.y()), e_(e), outside_(e < 1) {
    const Point2 squeezed = shrink(u_);
    const double g = squeezed.norm();
    middle_ = g > 0 ? Point2(squeezed / g) : Point2::UnitX();
    if (outside_) find_tangents();
  }

  double e() const noexcept { return e_; }
  double delta() const noexcept { return delta_; }
  /// From well inside, lines all round are smooth and periodic; near the rim and from outside it is
  /// the ends that matter.
  template <std::size_t N, class F>
  Integral<N> integral(F&& f, double scale) const noexcept {
    const bool round = !outside_ && u_.squaredNorm() < 0.9;
    return round ? integrate<N>(Even{}, f, scale) : integrate<N>(TanhSinh::rule(), f, scale);
  }
  Point2 shrink(const Point2& y) const noexcept { return {y.x() / kappa_, y.y() * kappa_}; }
  Point2 stretch(const Point2& y) const noexcept { return {y.x() * kappa_, y.y() / kappa_}; }

  /// The lines at x and −x in (−1, 1): f is asked for both.
  template <class F>
  void at(double x, F&& f) const noexcept {
    const double c = std::cos(delta_ * x), s = std::sin(delta_ * x);
    f(line(c, s));
    f(line(c, -s));
  }

 private:
  Line line(double c, double s) const noexcept {
    const Point2 y = c * middle_ + s * left(middle_), w = shrink(y);
    Line l;
    l.stretched = stretch(y);
    l.n = w.norm();
    l.along = w / l.n;
    l.p = outside_ ? (p_middle_ * c - p_side_ * s) / l.n : u_.dot(left(l.along));
    l.h = std::sqrt(std::max(0.0, (1 - l.p) * (1 + l.p)));
    l.f = u_.dot(l.along);
    return l;
  }

  /// Tangents touch at ±δ from u with sin δ = e, in the basis (D⁻¹u, its left) at (r, ±g²e − k r)
  /// with r = cos δ and D⁻²u = g²u + k u⊥. p w is linear in y and ∓1 there; written so that
  /// nothing cancels for e → 0 nor for e → 1.
  void find_tangents() noexcept {
    const Point2 twice = shrink(shrink(u_));
    const double g2 = twice.dot(u_), k = twice.dot(left(u_)), r = std::sqrt((1 - e_) * (1 + e_));
    const Point2 high = Point2(r, g2 * e_ - k * r).normalized(),
                 low = Point2(r, -g2 * e_ - k * r).normalized();
    delta_ = std::atan2(2 * r * g2 * e_, r * r * (1 + k * k) - g2 * g2 * e_ * e_) / 2;
    const Point2 half =
        delta_ < std::numbers::pi / 4 ? Point2(high + low) : Point2(-left(high - low));
    const Point2 basis = middle_;
    const auto place = [&](const Point2& m) { return Point2(m.x() * basis + m.y() * left(basis)); };
    middle_ = place(half.normalized());
    const double n = shrink(place(high)).norm() + shrink(place(low)).norm(),
                 sine = std::sin(delta_);
    p_side_ = n / (2 * sine);
    p_middle_ = -2 * sine / n * left(middle_).dot(shrink(shrink(middle_)));
  }

  double kappa_;
  Point2 u_, middle_;
  double e_, delta_ = std::numbers::pi / 2, p_middle_ = 0, p_side_ = 0;
  bool outside_;
};

/// σ ab on the disc: (level + slope · ξ), for Hertz times √(1 − ξ²).
struct DiscField {
  double level = 0;
  Point2 slope = Point2::Zero();

  explicit DiscField(const EllipsePiece& e) noexcept : level(e.level * e.a * e.b) {
    const Point2 k = turned(e.slope, -e.angle);
    slope = Point2(k.x() * e.a, k.y() * e.b) * (e.a * e.b);
  }
};

}  // namespace bristle::area_detail
