#include "bristle/area/pressed_area.hpp"

#include <algorithm>
#include <numbers>

#include "pieces.hpp"

namespace bristle {
namespace {

using namespace area_detail;

/// Zeroth, first and second moments of the pressure about the pole.
struct Moments {
  double share = 0, second = 0;
  Point2 first = Point2::Zero();
};

/// ∬ of products of linear functions from their values at the corners:
/// ∬λ_iλ_j = A/12 (1 + δ_ij), ∬λ_iλ_jλ_k = A/60 (1 + δ_ij + δ_jk + δ_ik + 2δ_ijk).
void add(const TrianglePiece& t, Moments& sum) noexcept {
  double s = 0, squares = 0, pressed = 0;
  Point2 r = Point2::Zero(), sr = Point2::Zero();
  for (const Point2& corner : t.corner) {
    const double sigma = t.level + t.slope.dot(corner);
    s += sigma;
    r += corner;
    sr += sigma * corner;
    squares += corner.squaredNorm();
    pressed += sigma * corner.squaredNorm();
  }
  const double area = area_of(t);
  sum.share += area * s / 3;
  sum.first += area / 12 * (s * r + sr);
  sum.second += area / 60 * (s * r.squaredNorm() + 2 * sr.dot(r) + s * squares + 2 * pressed);
}

/// ⟨x'²⟩ = a²/4 under a flat pressure, a²/5 under Hertz's.
void add(const EllipsePiece& e, Moments& sum) noexcept {
  const double share = share_of(e), per = e.hertz ? 5 : 4;
  const Point2 k = turned(e.slope, -e.angle);
  const Point2 offset =
      turned({k.x() * e.a * e.a, k.y() * e.b * e.b}, e.angle) * (share / e.level / per);
  sum.share += share;
  sum.first += share * e.centre + offset;
  sum.second +=
      share * (e.centre.squaredNorm() + (e.a * e.a + e.b * e.b) / per) + 2 * e.centre.dot(offset);
}

void add(const PointPiece& p, Moments& sum) noexcept {
  sum.share += p.share;
  sum.first += p.share * p.place;
  sum.second += p.share * p.place.squaredNorm();
}

/// The farthest point of an ellipse: the best of many, then by golden section.
double reach_of(const EllipsePiece& e) noexcept {
  const double far = e.centre.norm();
  if (far == 0 || e.a == e.b) return far + std::max(e.a, e.b);
  const Point2 c = turned(e.centre, -e.angle);
  const auto at = [&](double phi) {
    return std::hypot(c.x() + e.a * std::cos(phi), c.y() + e.b * std::sin(phi));
  };
  constexpr int samples = 64;
  constexpr double step = 2 * std::numbers::pi / samples, golden = 0.6180339887498949;
  double best = 0;
  for (int i = 1; i < samples; ++i) {
    if (at(i * step) > at(best)) best = i * step;
  }
  double low = best - step, high = best + step;
  while (high - low > 1e-9) {
    const double a = high - golden * (high - low), b = low + golden * (high - low);
    (at(a) > at(b) ? high : low) = at(a) > at(b) ? b : a;
  }
  return at((low + high) / 2);
}

/// Left of the side from a to b. Neighbours that share the side see it the same way round, so that
/// a point on it belongs to exactly one of them.
bool is_left(Point2 a, Point2 b, const Point2& r) noexcept {
  const bool swapped = b.x() < a.x() || (b.x() == a.x() && b.y() < a.y());
  if (swapped) std::swap(a, b);
  const bool above = cross(b - a, r - a) >= 0;
  return above != swapped;
}

bool holds(const TrianglePiece& t, const Point2& r) noexcept {
  return is_left(t.corner[0], t.corner[1], r) && is_left(t.corner[1], t.corner[2], r) &&
         is_left(t.corner[2], t.corner[0], r);
}

double pressure_of(const EllipsePiece& e, const Point2& r) noexcept {
  const Point2 x = turned(r - e.centre, -e.angle);
  const double rest = 1 - (x.x() / e.a) * (x.x() / e.a) - (x.y() / e.b) * (x.y() / e.b);
  if (rest < 0) return 0;
  return (e.level + e.slope.dot(r - e.centre)) * (e.hertz ? std::sqrt(rest) : 1);
}

}  // namespace

void PressedArea::finish(std::string name) {
  const auto moments = [&] {
    Moments sum;
    for (const TrianglePiece& t : triangles_) add(t, sum);
    for (const EllipsePiece& e : ellipses_) add(e, sum);
    for (const PointPiece& p : points_) add(p, sum);
    return sum;
  };
  const Moments sum = moments();
  for (TrianglePiece& t : triangles_) {
    t.level /= sum.share;
    t.slope /= sum.share;
  }
  for (EllipsePiece& e : ellipses_) {
    e.level /= sum.share;
    e.slope /= sum.share;
  }
  for (PointPiece& p : points_) p.share /= sum.share;
  centre_ = sum.first / sum.share;
  gyration_ = std::sqrt(std::max(0.0, sum.second / sum.share));
  reach_ = 0;
  for (const TrianglePiece& t : triangles_) {
    for (const Point2& corner : t.corner) reach_ = std::max(reach_, corner.norm());
  }
  for (const EllipsePiece& e : ellipses_) {
    if (e.level > 0) reach_ = std::max(reach_, reach_of(e));  // not holes
  }
  for (const PointPiece& p : points_) reach_ = std::max(reach_, p.place.norm());
  name_ = std::move(name);
}

PressedArea PressedArea::moved(const Point2& shift, double angle) const {
  const auto place = [&](const Point2& r) { return Point2(turned(r, angle) + shift); };
  PressedArea area = *this;
  for (TrianglePiece& t : area.triangles_) {
    for (Point2& corner : t.corner) corner = place(corner);
    t.slope = turned(t.slope, angle);
    t.level -= t.slope.dot(shift);
  }
  for (EllipsePiece& e : area.ellipses_) {
    e.centre = place(e.centre);
    e.angle += angle;
    e.slope = turned(e.slope, angle);
  }
  for (PointPiece& p : area.points_) p.place = place(p.place);
  area.finish(name_);
  return area;
}

double PressedArea::pressure(const Point2& r) const noexcept {
  double sum = 0;
  for (const TrianglePiece& t : triangles_) {
    if (holds(t, r)) sum += t.level + t.slope.dot(r);
  }
  for (const EllipsePiece& e : ellipses_) sum += pressure_of(e, r);
  return sum;
}

bool PressedArea::is_round() const noexcept {
  return triangles_.empty() && points_.empty() &&
         std::all_of(ellipses_.begin(), ellipses_.end(),
                     [](const EllipsePiece& e) { return is_plain_disc(e) && e.centre.isZero(0); });
}

}  // namespace bristle
