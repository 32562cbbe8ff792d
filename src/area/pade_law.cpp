#include "bristle/area/pade_law.hpp"

#include <cmath>

namespace bristle {

struct PadeLaw::Ends {
  double v, spin, sense;       ///< |v|, |ω|, sgn ω
  Eigen::Vector2d e, n;        ///< along v, and a quarter turn on
  Eigen::Vector2d spin_force;  ///< ςT_0
  double spin_torque, slide_torque;
  double se, ce;  ///< e·S e, e·C e
  double force_gap, torque_gap;
};

PadeLaw::PadeLaw(const RatioMoments& moments, Order order) noexcept
    : AreaLaw(moments.linear.distance > 0 ? moments.linear.distance : 1),
      c_(moments),
      order_(order) {}

PadeLaw::Ends PadeLaw::ends(const Planar& motion) const noexcept {
  Ends a{};
  a.v = std::hypot(motion.x(), motion.y());
  a.spin = std::abs(motion.z());
  a.sense = motion.z() < 0 ? -1 : 1;
  a.e = a.v > 0 ? Eigen::Vector2d(motion.head<2>() / a.v) : Eigen::Vector2d(1, 0);
  a.n = {-a.e.y(), a.e.x()};
  a.spin_force = a.sense * Eigen::Vector2d(-c_.linear.c01, c_.linear.c10);
  a.spin_torque = a.sense * c_.linear.distance;
  a.slide_torque = -a.n.x() * c_.linear.centre_x - a.n.y() * c_.linear.centre_y;
  // A line that moves across itself has none of either; the floor keeps 0/0 away.
  const double length = c_.linear.distance, least = 1e-12;
  a.se = std::fmax(a.e.dot(c_.spin * a.e), least / length);
  a.ce = std::fmax(a.e.dot(c_.second * a.e), least * length * length);
  a.force_gap = 1 - a.e.dot(a.spin_force);
  a.torque_gap = c_.linear.distance - a.sense * a.slide_torque;
  return a;
}

Planar PadeLaw::sliding(const Planar& motion) const noexcept {
  const double size = std::hypot(motion.x(), motion.y(), length() * motion.z());
  if (!(size > 0)) return Planar::Zero();
  const Ends a = ends(motion / size);
  const double v = a.v, w = a.spin;
  if (order_ == Order::first) {
    const double p = a.force_gap * w, q = a.torque_gap * v;
    const Eigen::Vector2d t = (a.se * v * a.e + p * a.spin_force) / (a.se * v + p);
    const double m = (a.ce * w * a.spin_torque + q * a.slide_torque) / (a.ce * w + q);
    return {t.x(), t.y(), m};
  }
  const double c = a.e.x() * c_.linear.centre_x + a.e.y() * c_.linear.centre_y;
  const double gt = 0.5 * a.ce / a.force_gap, bt = gt * a.se / a.force_gap;
  const double gm = 0.5 * a.se / a.torque_gap, bm = gm * a.ce / a.torque_gap;
  const Eigen::Vector2d t =
      (v * (v + bt * w) * a.e + v * w * a.sense * c * a.n + gt * w * w * a.spin_force) /
      (v * v + bt * v * w + gt * w * w);
  const double m = (w * (w + bm * v) * a.spin_torque + gm * v * v * a.slide_torque) /
                   (w * w + bm * v * w + gm * v * v);
  return {t.x(), t.y(), m};
}

}  // namespace bristle
