#include "bristle/area/ratio_law.hpp"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "bristle/area/exact.hpp"
#include "bristle/core/error.hpp"

namespace bristle {
namespace {

Eigen::Vector2d turned(const Eigen::Vector2d& e) noexcept { return {-e.y(), e.x()}; }

/// T_2 in one direction, from the even part of T(k): differences at k and k/2, extrapolated.
Eigen::Vector2d bend_along(const PressedArea& area, const Eigen::Vector2d& e, double k) {
  const Planar at_rest = exact_friction(area, Planar::UnitZ()).wrench;
  const auto second = [&](double h) -> Eigen::Vector2d {
    const Planar there = exact_friction(area, {h * e.x(), h * e.y(), 1}).wrench;
    const Planar back = exact_friction(area, {-h * e.x(), -h * e.y(), 1}).wrench;
    return (0.5 * (there + back) - at_rest).head<2>() / (h * h);
  };
  const Eigen::Vector2d coarse = second(k), fine = second(k / 2), finest = second(k / 4);
  if ((finest - fine).norm() > 0.6 * (fine - coarse).norm() + 1e-6 / (k * k) * 1e-6) {
    throw InputError({.message = "the friction of '" + area.name() +
                                 "' has no second derivative at pure spin about the pole",
                      .expected = "a pole inside the area or away from it, not on an edge"});
  }
  return (4 * finest - fine) / 3;
}

bool is_positive(const RatioPair& p) {
  return p.m > 0 && p.b > 0 && std::isfinite(p.m) && std::isfinite(p.b);
}

}  // namespace

double power_norm(double x, double y, double m) noexcept {
  if (m == 2) return std::sqrt(x * x + y * y);
  if (m == 1) return x + y;
  const double large = std::fmax(x, y), small = std::fmin(x, y);
  if (!(small > 0)) return large;
  return large * std::pow(1 + std::pow(small / large, m), 1 / m);
}

RatioMoments RatioMoments::of(const PressedArea& area, bool with_bend) {
  const auto c = [&](int i, int j, int k) { return area_moment(area, i, j, k); };
  RatioMoments r;
  r.linear = {c(0, 1, 1), c(1, 0, 1), c(0, 0, -1), c(1, 0, 0), c(0, 1, 0)};
  r.spin << c(2, 0, 3), c(1, 1, 3), c(1, 1, 3), c(0, 2, 3);
  r.second << c(2, 0, 0), c(1, 1, 0), c(1, 1, 0), c(0, 2, 0);
  r.third = {c(3, 0, 0), c(2, 1, 0), c(1, 2, 0), c(0, 3, 0)};
  if (!with_bend || area.is_round()) return r;
  const double third = std::numbers::pi / 3, k = 0.04 * r.linear.distance;
  const Eigen::Vector2d t0 = bend_along(area, {1, 0}, k);
  const Eigen::Vector2d t1 = bend_along(area, {std::cos(third), std::sin(third)}, k);
  const Eigen::Vector2d t2 = bend_along(area, {std::cos(2 * third), std::sin(2 * third)}, k);
  r.bend = {(t0 + t1 + t2) / 3, (2 * t0 - t1 - t2) / 3, (t1 - t2) / std::numbers::sqrt3};
  return r;
}

RatioLaw::RatioLaw(const RatioMoments& moments, int n1, int n2, RatioPair force, RatioPair torque)
    : AreaLaw(moments.linear.distance > 0 ? moments.linear.distance : 1),
      c_(moments),
      n1_(n1),
      n2_(n2),
      force_(force),
      torque_(torque) {
  if (n1 < 0 || n2 < 0 || n1 + n2 > 2) {
    throw InputError({.message = fmt::format("no approximation I_{{{},{}}}", n1, n2),
                      .expected = "orders from 0 whose sum is at most 2"});
  }
  if (!is_positive(force) || !is_positive(torque)) {
    throw InputError({.message = fmt::format("I_{{{},{}}} with m = {}, b = {} and m = {}, b = {}",
                                             n1, n2, force.m, force.b, torque.m, torque.b),
                      .expected = "finite numbers above 0"});
  }
}

std::string RatioLaw::name() const {
  const bool shared = force_.m == torque_.m && force_.b == torque_.b;
  return fmt::format("I{}{}{}", n1_, n2_, shared ? "" : "-separate");
}

Eigen::Vector2d RatioLaw::bend(const Eigen::Vector2d& e) const noexcept {
  const double cos2 = e.x() * e.x() - e.y() * e.y(), sin2 = 2 * e.x() * e.y();
  return c_.bend[0] + cos2 * c_.bend[1] + sin2 * c_.bend[2];
}

Planar RatioLaw::sliding_end(int i, const Eigen::Vector2d& e) const noexcept {
  const Eigen::Vector2d n = turned(e), centre(c_.linear.centre_x, c_.linear.centre_y);
  if (i == 0) return {e.x(), e.y(), -n.dot(centre)};
  const Eigen::Vector2d ce = c_.second * e;
  if (i == 1) {
    const Eigen::Vector2d t = e.dot(centre) * n;
    return {t.x(), t.y(), e.dot(ce)};
  }
  const Eigen::Vector2d t = n.dot(ce) * n - 0.5 * e.dot(ce) * e;
  const double x = e.x(), y = e.y();  // ∬σ (Je·r)(e·r)², with Je = (−y, x)
  const double m = -y * x * x * c_.third[0] + (x * x * x - 2 * x * y * y) * c_.third[1] +
                   (2 * x * x * y - y * y * y) * c_.third[2] + x * y * y * c_.third[3];
  return {t.x(), t.y(), 1.5 * m};
}

Planar RatioLaw::spinning_end(int j, const Eigen::Vector2d& e) const noexcept {
  if (j == 0) return {-c_.linear.c01, c_.linear.c10, c_.linear.distance};
  const Eigen::Vector2d se = c_.spin * e;
  if (j == 1) return {se.x(), se.y(), 0};
  const Eigen::Vector2d t = bend(e);
  return {t.x(), t.y(), -0.5 * e.dot(se)};
}

RatioLaw::Parts RatioLaw::parts(const Planar& motion) const noexcept {
  const int n = n1_ + n2_ + 1;
  const double v = std::hypot(motion.x(), motion.y()), omega = motion.z();
  const Eigen::Vector2d e = v > 0 ? Eigen::Vector2d(motion.head<2>() / v) : Eigen::Vector2d(1, 0);
  const double v_to[] = {1, v, v * v, v * v * v};
  const double w_to[] = {1, omega, omega * omega, omega * omega * omega};
  Parts p{Planar::Zero(), Planar::Zero(), v_to[n], std::abs(w_to[n])};
  for (int i = 0; i <= n2_; ++i) p.low += v_to[n - i] * w_to[i] * sliding_end(i, e);
  for (int j = 0; j <= n1_; ++j) p.high += v_to[j] * w_to[n - j] * spinning_end(j, e);
  if (n == 2 && omega < 0) p.high = -p.high;
  return p;
}

Planar RatioLaw::sliding(const Planar& motion) const noexcept {
  const double size = std::hypot(motion.x(), motion.y(), length() * motion.z());
  if (!(size > 0)) return Planar::Zero();
  const Parts p = parts(motion / size);
  Planar f = (p.low + force_.b * p.high) / power_norm(p.v, force_.b * p.spin, force_.m);
  if (force_.m != torque_.m || force_.b != torque_.b) {
    f.z() = (p.low.z() + torque_.b * p.high.z()) / power_norm(p.v, torque_.b * p.spin, torque_.m);
  }
  return f;
}

double RatioLaw::speed(const Planar& motion) const noexcept {
  const int n = n1_ + n2_ + 1;
  const double v = std::hypot(motion.x(), motion.y());
  const double root = n == 1 ? force_.b : n == 2 ? std::sqrt(force_.b) : std::cbrt(force_.b);
  return power_norm(v, root * std::abs(motion.z()), force_.m * n);
}

}  // namespace bristle
