/// Friction of a triangle with a linear pressure.
///
/// About the instantaneous centre c, with q = r − c, ρ = |q| and σ = σ_c + g·q, the velocity is
/// along q turned left, whatever ρ. A signed triangle with its tip at c and the side
/// q = d n + s t has dA = (d/ρ²) ρ dρ ds, so that
///
///   ∬ σ q/ρ dA = d ∫ (σ_c/2 + g·q/3) q/ρ ds,   ∬ σ ρ dA = d ∫ (σ_c/3 + g·q/4) ρ ds.
///
/// What is left are ∫ds/ρ, a logarithm, and powers. If c is far Gauss points do: nothing is
/// singular then, and the closed form would lose digits.

#include "triangle.hpp"

namespace bristle::area_detail {
namespace {

/// ∫ over the side of 1/ρ, s/ρ, s²/ρ, ρ and sρ.
struct SideIntegrals {
  double j0 = 0, j1 = 0, j2 = 0, k0 = 0, k1 = 0;

  explicit SideIntegrals(const Side& side) noexcept {
    const double d = side.d, s0 = side.s0, s1 = side.s1;
    const double r0 = std::hypot(d, s0), r1 = std::hypot(d, s1);
    j0 = logarithm(std::abs(d), s0, s1, r0, r1);
    j1 = (s1 - s0) * ((s0 + s1) / (r0 + r1));
    const double bow = s1 * r1 - s0 * r0;
    j2 = (bow - d * d * j0) / 2;
    k0 = (bow + d * d * j0) / 2;
    k1 = j1 * (r0 * r0 + r0 * r1 + r1 * r1) / 3;
  }

 private:
  /// asinh(s1/d) − asinh(s0/d), without a difference of two large ones if s keeps its sign.
  static double logarithm(double d, double s0, double s1, double r0, double r1) noexcept {
    if (s0 < 0 && s1 > 0) return std::asinh(s1 / d) - std::asinh(s0 / d);
    if (s1 <= 0) return std::log1p((s1 - s0) * (1 - (s0 + s1) / (r0 + r1)) / (r1 - s1));
    return std::log1p((s1 - s0) * (1 + (s0 + s1) / (r0 + r1)) / (s0 + r0));
  }
};

struct Field {
  double level = 0;  ///< at the centroid
  Point2 slope = Point2::Zero();
};

/// ∬σ q/ρ and ∬σ ρ over one signed triangle with its tip at c.
void add_side(const Side& side, double level, const Point2& slope, Point2& along,
              double& about) noexcept {
  // d ln d → 0: a centre on the line of a side sees nothing of it.
  if (std::abs(side.d) < 1e-200 || side.s0 == side.s1) return;
  const SideIntegrals i(side);
  const double d = side.d, gn = slope.dot(side.n) * d, gt = slope.dot(side.t);
  const double across = level / 2 * d * i.j0 + d * (gn * i.j0 + gt * i.j1) / 3;
  const double down = level / 2 * i.j1 + (gn * i.j1 + gt * i.j2) / 3;
  along += d * (across * side.n + down * side.t);
  about += d * (level * i.k0 / 3 + (gn * i.k0 + gt * i.k1) / 4);
}

void add_near(const Quad& corners, const Point2& centre, const Field& field,
              PieceFriction& sum) noexcept {
  const double level = field.level + field.slope.dot(centre);
  Point2 along = Point2::Zero();
  double about = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    add_side(Side(corners[i], corners[(i + 1) % 4], centre), level, field.slope, along, about);
  }
  sum.force += left(along);
  sum.moment += about + centre.dot(along);  // c × left(along)
}

template <int N>
void add_far(const Wedge& wedge, const Point2& v, double omega, const Field& field,
             PieceFriction& sum) noexcept {
  over_wedge<N>(wedge, [&](const Point2& r, double weight) {
    const double vx = v.x() - omega * r.y(), vy = v.y() + omega * r.x();
    const double share = weight * (field.level + field.slope.dot(r)) / std::sqrt(vx * vx + vy * vy);
    sum.force += share * Point2(vx, vy);
    sum.moment += share * (r.x() * vy - r.y() * vx);
  });
}

}  // namespace

PieceFriction triangle_friction(const TrianglePiece& piece, const Point2& v,
                                double omega) noexcept {
  const Point2 middle = centroid(piece);
  Corners corners{piece.corner[0] - middle, piece.corner[1] - middle, piece.corner[2] - middle};
  double size = 0;
  for (const Point2& corner : corners) size = std::max(size, corner.norm());
  for (Point2& corner : corners) corner /= size;
  const double square = size * size;
  const Field field{(piece.level + piece.slope.dot(middle)) * square, piece.slope * square * size};
  PieceFriction sum;
  const auto far = [&](const Wedge& part, double distance) {
    if (distance > 25) return add_far<5>(part, v, omega, field, sum);
    return distance > 6 ? add_far<7>(part, v, omega, field, sum)
                        : add_far<10>(part, v, omega, field, sum);
  };
  if (!(v.norm() < far_away * std::abs(omega))) {
    const double distance = omega == 0 ? 1e300 : v.norm() / std::abs(omega);
    far({corners[0], corners[1] - corners[0], corners[2] - corners[1]}, distance);
  } else {
    const Point2 centre = left(v) / omega;
    PieceFriction close;
    Parts(
        corners, centre, [&](const Quad& part) { add_near(part, centre, field, close); }, far);
    const double sign = omega < 0 ? -1 : 1;
    sum.force += sign * close.force;
    sum.moment += sign * close.moment;
  }
  // Measured; thin triangles lose digits until they are cut (triangle.hpp).
  const double thin = 0.1 / cross(corners[1] - corners[0], corners[2] - corners[0]);
  sum.error = std::min(1e-14 * (1 + thin), 3e-13) * std::abs(share_of(piece));
  return sum;
}

}  // namespace bristle::area_detail
