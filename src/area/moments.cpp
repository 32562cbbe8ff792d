/// c_{ijk} of triangles and ellipses, the integrals of x^i y^j ρ^{−k} σ.
///
/// The integrand without σ is homogeneous of the degree n = i + j − k, so a signed triangle with
/// its tip at the pole is one integral over its side, as in triangle_friction.cpp:
///
///   ∬ x^i y^j ρ^{−k} (σ_0 + g·r) dA = d ∫ x^i y^j ρ^{−k} (σ_0/(n+2) + g·r/(n+3)) ds
///
/// taken with s = |d| sinh θ, in which nothing is singular. An ellipse takes all lines through the
/// pole.

#include <cstdlib>

#include "fan.hpp"
#include "triangle.hpp"

namespace bristle::area_detail {
namespace {

double power(double x, int n) noexcept {
  double result = 1;
  for (int m = std::abs(n); m > 0; m /= 2, x *= x) {
    if (m % 2 == 1) result *= x;
  }
  return n < 0 ? 1 / result : result;
}

struct Kernel {
  int i = 0, j = 0, k = 0;
  int degree() const noexcept { return i + j - k; }
  double operator()(const Point2& r) const noexcept {
    return power(r.x(), i) * power(r.y(), j) * power(r.norm(), -k);
  }
};

/// ∫ f over [from, to] in panels no longer than `longest`.
template <class F>
double panels(double from, double to, double longest, F&& f) noexcept {
  const int count = std::max(1, static_cast<int>(std::ceil((to - from) / longest)));
  const double step = (to - from) / count;
  double sum = 0;
  for (int m = 0; m < count; ++m) {
    for (std::size_t n = 0; n < 20; ++n) {
      sum += step * gauss<20>.weight[n] * f(from + (m + gauss<20>.node[n]) * step);
    }
  }
  return sum;
}

double near_side(const Side& side, const Kernel& kernel, double level,
                 const Point2& slope) noexcept {
  const double d = std::abs(side.d);
  if (d < 1e-200 || side.s0 == side.s1) return 0;
  const int n = kernel.degree();
  const auto f = [&](double theta) {
    const Point2 r = side.d * side.n + d * std::sinh(theta) * side.t;
    return kernel(r) * (level / (n + 2) + slope.dot(r) / (n + 3)) * d * std::cosh(theta);
  };
  return side.d * panels(std::asinh(side.s0 / d), std::asinh(side.s1 / d), 1.0, f);
}

/// ∫ over the chord of σ t^{i+j} |t|^{1−k}, with s = h sin φ so that its ends are smooth.
double chord(const Line& l, double f, const DiscField& field, bool hertz,
             const Kernel& kernel) noexcept {
  const double flat = field.level + field.slope.dot(left(l.along)) * l.p,
               tilt = field.slope.dot(l.along);
  const int n = kernel.degree() + 1;
  const bool odd = (kernel.k + n) % 2 == 0;  // i + j = k + n − 1
  const auto along = [&](double phi) {
    const double s = l.h * std::sin(phi), c = l.h * std::cos(phi), t = s - f;
    const double size = power(std::abs(t), n) * (odd && t < 0 ? -1 : 1);
    return (flat + tilt * s) * size * c * (hertz ? c : 1);
  };
  constexpr double quarter = std::numbers::pi / 2;
  const double longest = std::min(2.0, 10.0 / (n + 4));
  const double split = std::asin(std::clamp(f / std::max(l.h, 1e-300), -1.0, 1.0));
  return panels(-quarter, split, longest, along) + panels(split, quarter, longest, along);
}

}  // namespace

double triangle_moment(const TrianglePiece& piece, int i, int j, int k) noexcept {
  const Point2 middle = centroid(piece);
  Corners corners{piece.corner[0] - middle, piece.corner[1] - middle, piece.corner[2] - middle};
  double size = 0;
  for (const Point2& corner : corners) size = std::max(size, corner.norm());
  for (Point2& corner : corners) corner /= size;
  const Point2 pole = -middle / size;
  const double square = size * size, level = piece.level * square;
  const Point2 slope = piece.slope * square * size;
  const Kernel kernel{i, j, k};
  double sum = 0;
  const auto near = [&](const Quad& part) {
    for (std::size_t n = 0; n < 4; ++n) {
      sum += near_side(Side(part[n], part[(n + 1) % 4], pole), kernel, level, slope);
    }
  };
  const auto far = [&](const Wedge& part, double) {
    over_wedge<20>(part, [&](const Point2& x, double weight) {
      const Point2 r = x - pole;
      sum += weight * kernel(r) * (level + slope.dot(r));
    });
  };
  Parts(corners, pole, near, far);
  return sum * power(size, kernel.degree());
}

double ellipse_moment(const EllipsePiece& piece, int i, int j, int k) noexcept {
  const double kappa = std::sqrt(std::sqrt(piece.a / piece.b)), unit = std::sqrt(piece.a * piece.b);
  const Point2 c = -turned(piece.centre, -piece.angle), u(c.x() / piece.a, c.y() / piece.b);
  const double far = u.norm();
  const bool outside = far > 1;
  const double e = outside ? 1 / far : 1;
  const Fan fan(kappa, outside ? Point2(u / far) : u, e);
  const DiscField field(piece);
  const Kernel kernel{i, j, k};
  const auto both = [&](double x) {
    std::array<double, 1> sum{};
    fan.at(x, [&](const Line& l) {
      const Point2 direction = turned(l.stretched / l.n, piece.angle);
      sum[0] += kernel(direction) * chord(l, l.f / e, field, piece.hertz, kernel) / (l.n * l.n);
    });
    return sum;
  };
  const double scale = std::abs(share_of(piece)) * power(far + 1, kernel.degree());
  return fan.delta() * fan.integral<1>(both, scale / fan.delta()).value[0] *
         power(unit, kernel.degree());
}

}  // namespace bristle::area_detail
