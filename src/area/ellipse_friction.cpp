/// Friction of an ellipse with a flat or Hertzian pressure times a linear one: lines through the
/// instantaneous centre (fan.hpp), along which the direction of slip is constant up to its sign and
/// the integrals over the chord are powers of its half length h.

#include "bristle/area/disc.hpp"
#include "fan.hpp"

namespace bristle::area_detail {
namespace {

constexpr double pi = std::numbers::pi;

PieceFriction disc(const EllipsePiece& piece, const Point2& v, double omega) noexcept {
  const double speed = v.norm(), spin = std::abs(omega), share = share_of(piece);
  const LimitPoint p = piece.hertz ? hertz_disc_friction(speed, spin) : disc_friction(speed, spin);
  PieceFriction sum;
  if (speed > 0) sum.force = share * p.force / speed * v;
  sum.moment = share * std::copysign(p.torque, omega);
  sum.error = 1e-15 * std::abs(share);
  return sum;
}

/// Force and moment per dx of the lines around this one.
void add_line(const Fan& fan, const Line& l, const DiscField& field, bool hertz,
              std::array<double, 3>& sum) noexcept {
  const double h2 = l.h * l.h;
  const double m0 = hertz ? pi / 2 * h2 : 2 * l.h, m2 = m0 * h2 / (hertz ? 4 : 3);
  // σ = flat + tilt s along the line, and t e = e s − f.
  const Point2 across = left(l.along);
  const double flat = field.level + field.slope.dot(across) * l.p, tilt = field.slope.dot(l.along);
  const double first = fan.e() * tilt * m2 - l.f * flat * m0,
               second = (fan.e() * flat - l.f * tilt) * m2;
  const double length = l.stretched.norm(), share = 1 / (l.n * l.n), force = share * first / length;
  const double arm = l.p * fan.stretch(fan.stretch(across)).dot(l.stretched);
  sum[0] -= force * l.stretched.y();
  sum[1] += force * l.stretched.x();
  sum[2] += force * arm + share * second * length / l.n;
}

}  // namespace

double share_of(const EllipsePiece& e) noexcept {
  return pi * e.a * e.b * e.level * (e.hertz ? 2.0 / 3 : 1);
}

PieceFriction ellipse_friction(const EllipsePiece& piece, const Point2& v, double omega) noexcept {
  if (is_plain_disc(piece)) return disc(piece, v, omega);
  const double sign = omega < 0 ? -1 : 1, spin = std::abs(omega);
  const double kappa = std::sqrt(std::sqrt(piece.a / piece.b));
  const Point2 c = left(turned(sign * v, -piece.angle));  // times spin
  const Point2 u(c.x() / (kappa * kappa), c.y() * (kappa * kappa));
  const double far = u.norm();
  if (far == 0 && spin == 0) return {};
  // Beyond 1e30 sizes lines are parallel.
  const bool outside = far > spin;
  const double e = outside ? std::max(spin / far, 1e-30) : 1;
  const Fan fan(kappa, outside ? Point2(u / far) : Point2(u / spin), e);
  const DiscField field(piece);
  const double scale = std::abs(share_of(piece));
  const double width = fan.delta() / e;
  const auto both = [&](double x) {
    std::array<double, 3> sum{};
    fan.at(x, [&](const Line& l) { add_line(fan, l, field, piece.hertz, sum); });
    return sum;
  };
  const auto [value, error] = fan.integral<3>(both, scale / width);
  PieceFriction sum;
  sum.force = sign * width * turned({value[0], value[1]}, piece.angle);
  sum.moment = sign * width * value[2];
  sum.error = error * scale;
  return sum;
}

}  // namespace bristle::area_detail
