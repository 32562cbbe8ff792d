/// Friction by plain subdivision: each piece is mapped from a square on which its pressure is
/// smooth, and the square is quartered until Gauss points on a cell and on its quarters agree. Only
/// the neighbourhood of the instantaneous centre needs many cells.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bristle/area/exact.hpp"
#include "gauss.hpp"
#include "pieces.hpp"

namespace bristle {
namespace {

using namespace area_detail;

/// A place, and the load on the element of the unit square that is mapped to it.
struct Sample {
  Point2 place;
  double share = 0;
};

Sample sample(const TrianglePiece& t, double s, double w) noexcept {
  const Point2 a = t.corner[1] - t.corner[0], b = t.corner[2] - t.corner[1],
               r = t.corner[0] + s * (a + w * b);
  return {r, s * cross(a, b) * (t.level + t.slope.dot(r))};
}

/// x' = a sin α, y' = b cos α sin β: all square roots are cosines.
Sample sample(const EllipsePiece& e, double s, double w) noexcept {
  constexpr double pi = std::numbers::pi;
  const double alpha = pi * (s - 0.5), beta = pi * (w - 0.5);
  const double ca = std::cos(alpha), cb = std::cos(beta);
  const Point2 r = turned({e.a * std::sin(alpha), e.b * ca * std::sin(beta)}, e.angle);
  const double element = pi * pi * e.a * e.b * ca * ca * cb;
  return {e.centre + r, element * (e.level + e.slope.dot(r)) * (e.hertz ? ca * cb : 1)};
}

struct Cell {
  double s = 0, w = 0, size = 1;
};

template <class Piece>
class Subdivision {
 public:
  Subdivision(const Piece& piece, const Planar& motion, double length, double tolerance) noexcept
      : piece_(piece),
        motion_(motion.x(), motion.y(), motion.z()),
        length_(length),
        tolerance_(tolerance) {}

  /// `total` is the wrench of the whole cell.
  void refine(const Cell& cell, const Planar& total, int depth, ExactFriction& sum) const noexcept {
    const double half = cell.size / 2;
    Cell quarter[4];
    Planar part[4], together = Planar::Zero();
    for (int i = 0; i < 4; ++i) {
      quarter[i] = {cell.s + (i % 2 == 0 ? 0 : half), cell.w + (i < 2 ? 0 : half), half};
      part[i] = wrench(quarter[i]);
      together += part[i];
    }
    const Planar change = together - total;
    const double error = std::max(change.head<2>().norm(), std::abs(change.z()) / length_);
    if (error <= tolerance_ || depth == 0) {
      sum.wrench += together;
      sum.error += error;
      return;
    }
    for (int i = 0; i < 4; ++i) refine(quarter[i], part[i], depth - 1, sum);
  }

  Planar wrench(const Cell& cell) const noexcept {
    constexpr std::size_t n = 6;
    Planar sum = Planar::Zero();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        const Sample at = sample(piece_, cell.s + cell.size * gauss<n>.node[i],
                                 cell.w + cell.size * gauss<n>.node[j]);
        const Point2 v = motion_.head<2>() + motion_.z() * left(at.place);
        const double speed = v.norm();
        if (!(speed > 0)) continue;
        const Point2 force = gauss<n>.weight[i] * gauss<n>.weight[j] * at.share / speed * v;
        sum += Planar(force.x(), force.y(), cross(at.place, force));
      }
    }
    return cell.size * cell.size * sum;
  }

 private:
  const Piece& piece_;
  Planar motion_;
  double length_, tolerance_;
};

}  // namespace

ExactFriction friction_by_subdivision(const PressedArea& area, const Planar& motion,
                                      double tolerance) {
  ExactFriction sum;
  if (motion.isZero(0)) return sum;
  const Planar scaled = motion / motion.cwiseAbs().maxCoeff();
  constexpr int deepest = 26;
  // Some tens of cells share the error that is allowed.
  const double each = tolerance / 50;
  const auto add = [&](const auto& piece) {
    const Subdivision cells(piece, scaled, area.reach(), each);
    cells.refine({}, cells.wrench({}), deepest, sum);
  };
  for (const TrianglePiece& t : area.triangles()) add(t);
  for (const EllipsePiece& e : area.ellipses()) add(e);
  for (const PointPiece& p : area.points()) {
    const Point2 v = scaled.head<2>() + scaled.z() * left(p.place);
    if (!(v.norm() > 0)) continue;
    const Point2 force = p.share * v.normalized();
    sum.wrench += Planar(force.x(), force.y(), cross(p.place, force));
  }
  const Point2 centre = left(scaled.head<2>()) / scaled.z();
  sum.centre_inside = scaled.z() != 0 && area.pressure(centre) > 0;
  return sum;
}

}  // namespace bristle
