#include "bristle/area/support_law.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "bristle/core/error.hpp"

namespace bristle {
namespace {

/// The torque of pure spin about the origin, which makes spins comparable with slips.
double spin_torque(std::span<const Point2> places, std::span<const double> shares, double torsion) {
  double sum = 0, total = 0;
  for (std::size_t i = 0; i < std::min(places.size(), shares.size()); ++i) {
    sum += shares[i] * std::hypot(places[i].x(), places[i].y(), torsion);
    total += shares[i];
  }
  return sum > 0 && total > 0 ? sum / total : 1;
}

using Matrix32 = Eigen::Matrix<double, 3, 2>;

Matrix32 tangents(const Planar& d) noexcept {
  int least = 0;
  d.cwiseAbs().minCoeff(&least);
  Matrix32 t;
  t.col(0) = d.cross(Planar::Unit(least)).normalized();
  t.col(1) = d.cross(t.col(0));
  return t;
}

}  // namespace

SupportLaw::SupportLaw(std::span<const Point2> places, std::span<const double> shares,
                       double torsion)
    : AreaLaw(spin_torque(places, shares, torsion)),
      places_(places.begin(), places.end()),
      shares_(shares.begin(), shares.end()),
      torsion_(torsion) {
  if (places.empty() || places.size() != shares.size()) {
    throw InputError({.message = "supports need a share of the load each",
                      .value = fmt::format("{} places, {} shares", places.size(), shares.size())});
  }
  if (!(torsion > 0)) {
    throw InputError({.message = "the torsional radius of a support must be positive",
                      .value = fmt::format("{:g} m", torsion)});
  }
  double sum = 0;
  for (const double share : shares) {
    sum += share >= 0 ? share : std::nan("");
  }
  if (!(sum > 0) || !std::isfinite(sum)) {
    throw InputError({.message = "shares of the load must not be negative, nor all be zero"});
  }
  for (double& share : shares_) share /= sum;
}

double SupportLaw::power(const Planar& scaled) const noexcept {
  const double omega = scaled.z() / length();
  double sum = 0;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    sum += shares_[i] * std::sqrt(Planar(scaled.x() - omega * places_[i].y(),
                                         scaled.y() + omega * places_[i].x(), torsion_ * omega)
                                      .squaredNorm());
  }
  return sum;
}

SupportLaw::Power SupportLaw::power_and_derivatives(const Planar& scaled) const noexcept {
  Power p;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const double y = places_[i].y() / length(), x = places_[i].x() / length(),
                 a = torsion_ / length();
    const Planar u(scaled.x() - scaled.z() * y, scaled.y() + scaled.z() * x, scaled.z() * a);
    const double q = u.norm();
    if (!(q > 0) || shares_[i] == 0) continue;
    const double c = shares_[i] / q;
    // J = [1 0 −y; 0 1 x; 0 0 a]: Jᵀu and JᵀJ.
    const Planar g(u.x(), u.y(), -y * u.x() + x * u.y() + a * u.z());
    p.value += shares_[i] * q;
    p.gradient += c * g;
    Eigen::Matrix3d s;
    s << 1, 0, -y, 0, 1, x, -y, x, x * x + y * y + a * a;
    p.hessian += c * (s - g * g.transpose() / (q * q));
  }
  return p;
}

Planar SupportLaw::sliding(const Planar& motion) const noexcept {
  Planar scaled(motion.x(), motion.y(), length() * motion.z());
  const double size = scaled.stableNorm();
  if (!(size > 0)) return Planar::Zero();
  Planar w = power_and_derivatives(scaled / size).gradient;
  w.z() *= length();
  return w;
}

Hold SupportLaw::hold(const Planar& wrench) const noexcept {
  Planar e(wrench.x(), wrench.y(), wrench.z() / length());
  const double size = e.stableNorm();
  if (!(size > 0)) return {};
  e /= size;
  const Matrix32 across = tangents(e);
  Planar v = e;
  Power now = power_and_derivatives(v);
  bool found = false;
  for (int i = 0; i < 100 && !found; ++i) {
    const Eigen::Vector2d slope = across.transpose() * now.gradient;
    Eigen::Matrix2d bend = across.transpose() * now.hessian * across;
    bend.diagonal().array() += 1e-14 * bend.trace() + 1e-300;
    const double det = bend.determinant();
    Eigen::Vector2d step(-(bend(1, 1) * slope[0] - bend(0, 1) * slope[1]) / det,
                         -(bend(0, 0) * slope[1] - bend(1, 0) * slope[0]) / det);
    if (!step.allFinite()) step = -slope * (v.norm() / now.value);
    const double gain = -slope.dot(step);
    double share = 1;
    while (share > 1e-12 &&
           power(v + share * across * step) > now.value * (1 + 2e-16) - 1e-4 * share * gain) {
      share /= 2;
    }
    found = step.norm() < 1e-9 * v.norm() || gain < 1e-30 * now.value;  // quadratic: rounding next
    if (!(share > 1e-12)) {
      found = found || gain < 1e-14 * now.value;
      break;
    }
    v += share * across * step;
    now = power_and_derivatives(v);
  }
  return {size / now.value, v.normalized(), found};
}

}  // namespace bristle
