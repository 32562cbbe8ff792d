#include "bristle/area/exact_law.hpp"

#include <cmath>
#include <utility>

#include <Eigen/LU>

namespace bristle {

double mean_distance(const PressedArea& area) {
  const double c = area_moment(area, 0, 0, -1);
  return c > 0 ? c : 1;
}

ExactAreaLaw::ExactAreaLaw(PressedArea area)
    : AreaLaw(mean_distance(area)), area_(std::move(area)) {}

Planar ExactAreaLaw::sliding(const Planar& motion) const noexcept {
  return exact_friction(area_, motion).wrench;
}

bool ExactAreaLaw::hold_on_face(const PointPiece& support, const Planar& wrench,
                                Hold& hold) const noexcept {
  const double x = support.place.x(), y = support.place.y();
  for (const double sense : {1.0, -1.0}) {
    const Planar motion = sense * Planar(y, -x, 1);
    // Slightly to either side the support's own friction is opposite; the mean is without it.
    const Planar aside = 1e-7 * length() * Planar(0.8, 0.6, 0);
    const Planar rest = 0.5 * (sliding(motion + aside) + sliding(motion - aside));
    Eigen::Matrix3d system;
    system.col(0) = wrench;
    system.col(1) = -support.share * Planar(1, 0, -y);
    system.col(2) = -support.share * Planar(0, 1, x);
    const Planar scale(1, 1, 1 / length());
    system = scale.asDiagonal() * system;
    const double size = wrench.cwiseProduct(scale).norm();
    if (!(std::abs(system.determinant()) > 1e-13 * size * support.share * support.share)) continue;
    const Planar found = system.inverse() * rest.cwiseProduct(scale);
    if (!(found[0] > 0) || found.tail<2>().squaredNorm() > 1) continue;
    hold = {1 / found[0], Planar(motion.x(), motion.y(), length() * motion.z()).normalized(), true};
    return true;
  }
  return false;
}

Hold ExactAreaLaw::hold(const Planar& wrench) const noexcept {
  Hold hold;
  for (const PointPiece& support : area_.points()) {
    if (hold_on_face(support, wrench, hold)) return hold;
  }
  return hold_by_newton(wrench);
}

}  // namespace bristle
