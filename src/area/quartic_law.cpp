#include "bristle/area/quartic_law.hpp"

#include <cmath>
#include <optional>

#include <Eigen/Dense>
#include <fmt/format.h>

#include "barrier.hpp"
#include "bristle/core/error.hpp"
#include "quartic_basis.hpp"

namespace bristle {
namespace {

using detail::Powers;

/// H with its axes scaled so that x⁴, y⁴ and z⁴ have the coefficient 1, if they are positive, which
/// they must be: convexity does not care.
std::optional<detail::Vector15> normalised(const Quartic& h) {
  if (!(h[0] > 0) || !(h[10] > 0) || !(h[14] > 0)) return std::nullopt;
  const auto fourth_root = [](double c) { return std::sqrt(std::sqrt(c)); };
  const Powers x(1 / fourth_root(h[0])), y(1 / fourth_root(h[10])), z(1 / fourth_root(h[14]));
  detail::Vector15 out;
  for (std::size_t n = 0; n < 15; ++n) {
    const auto [i, j, k] = detail::quartic_powers[n];
    out[static_cast<Eigen::Index>(n)] = h[n] * x.value(i) * y.value(j) * z.value(k);
  }
  return out;
}

/// The problem of quartic_margin: unknowns are the free part of Q and t, with Q − t I definite.
detail::MatrixCone margin_cone(const detail::Vector15& h) {
  const Eigen::Matrix<double, 81, 1> q = detail::gram_basis().leftCols<15>() * h;
  detail::MatrixCone cone{Eigen::Map<const Eigen::Matrix<double, 9, 9>>(q.data()),
                          Eigen::MatrixXd::Zero(81, 10)};
  cone.basis.leftCols<9>() = detail::gram_basis().rightCols<9>();
  for (Eigen::Index i = 0; i < 9; ++i) cone.basis(10 * i, 9) = -1;
  return cone;
}

/// Minus the last unknown.
detail::Objective minus_last() {
  return {[](const Eigen::VectorXd& p, double) { return -p[p.size() - 1]; },
          [](const Eigen::VectorXd& p, double) {
            const Eigen::Index n = p.size();
            return detail::Local{-p[n - 1], -Eigen::VectorXd::Unit(n, n - 1),
                                 Eigen::MatrixXd::Zero(n, n)};
          }};
}

}  // namespace

QuarticValue quartic_value(const Quartic& h, const Planar& w) noexcept {
  const Powers x(w.x()), y(w.y()), z(w.z());
  QuarticValue q;
  for (std::size_t n = 0; n < 15; ++n) {
    const auto [i, j, k] = detail::quartic_powers[n];
    const double c = h[n], xi = x.value(i), yj = y.value(j), zk = z.value(k);
    const double dx = c * x.slope(i), dy = c * y.slope(j), dz = c * z.slope(k);
    q.value += c * xi * yj * zk;
    q.gradient += Planar(dx * yj * zk, dy * xi * zk, dz * xi * yj);
    q.hessian(0, 0) += c * x.bend(i) * yj * zk;
    q.hessian(1, 1) += c * y.bend(j) * xi * zk;
    q.hessian(2, 2) += c * z.bend(k) * xi * yj;
    q.hessian(1, 0) += dx * y.slope(j) * zk;
    q.hessian(2, 0) += dx * z.slope(k) * yj;
    q.hessian(2, 1) += dy * z.slope(k) * xi;
  }
  q.hessian(0, 1) = q.hessian(1, 0);
  q.hessian(0, 2) = q.hessian(2, 0);
  q.hessian(1, 2) = q.hessian(2, 1);
  return q;
}

double quartic_margin(const Quartic& h) {
  const std::optional<detail::Vector15> scaled = normalised(h);
  if (!scaled || !scaled->allFinite()) return -1;
  const detail::MatrixCone cone = margin_cone(*scaled);
  Eigen::VectorXd start = Eigen::VectorXd::Zero(10);
  start[9] = -1 - cone.constant.norm();
  constexpr std::array mus{1e0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9};
  return detail::barrier_minimum(minus_last(), cone, start, mus)[9];
}

QuarticLaw::QuarticLaw(const Quartic& h, double length) : AreaLaw(length), h_(h) {
  const double margin = quartic_margin(h);
  if (!(margin > -1e-7) || !(length > 0)) {
    throw InputError({.message = "no limit surface: the quartic is not convex",
                      .value = fmt::format("margin {:.3g}", margin),
                      .expected = "a second derivative that is nowhere negative"});
  }
}

Planar QuarticLaw::sliding(const Planar& motion) const noexcept {
  Planar d(motion.x(), motion.y(), length() * motion.z());
  const double size = d.stableNorm();
  if (!(size > 0)) return Planar::Zero();
  d /= size;
  // The least of H(y)/4 − y·d; along d itself to begin with.
  Planar y = d / std::cbrt(quartic_value(h_, d).value);
  QuarticValue q = quartic_value(h_, y);
  for (int i = 0; i < 60; ++i) {
    const Planar slope = q.gradient / 4 - d;
    if (slope.norm() < 4e-16) break;
    Eigen::Matrix3d bend = q.hessian / 4;
    bend.diagonal().array() += 1e-14 * bend.trace();  // Hessians may vanish in some directions
    const Planar step = -bend.ldlt().solve(slope);
    const double before = q.value / 4 - y.dot(d), gain = slope.dot(step);
    double share = 1;
    QuarticValue next = quartic_value(h_, y + step);
    while (share > 1e-6 &&
           next.value / 4 - (y + share * step).dot(d) > before + 0.1 * share * gain + 1e-15) {
      share /= 2;
      next = quartic_value(h_, y + share * step);
    }
    y += share * step;
    q = next;
    if (share == 1 && step.norm() < 1e-9 * y.norm()) break;  // quadratic: the next is rounding
  }
  y /= std::sqrt(std::sqrt(q.value));
  y.z() *= length();
  return y;
}

Hold QuarticLaw::hold(const Planar& wrench) const noexcept {
  Planar w(wrench.x(), wrench.y(), wrench.z() / length());
  const double size = w.stableNorm();
  if (!(size > 0)) return {};
  const QuarticValue q = quartic_value(h_, w / size);
  return {size * std::sqrt(std::sqrt(q.value)), q.gradient.normalized(), q.value > 0};
}

}  // namespace bristle
