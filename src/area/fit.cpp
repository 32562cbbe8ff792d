#include "bristle/area/fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "bristle/area/exact.hpp"

namespace bristle {
namespace {

constexpr double pi = std::numbers::pi;

/// Whether the friction is its own mirror image, in x (sign.x = −1) or in y: told by a few motions.
bool is_mirrored(const PressedArea& area, const Planar& sign) {
  const double a = area.reach();
  for (const Planar& t : {Planar(0.3, 0.7, 0.9 / a), Planar(-0.5, 0.2, 2 / a),
                          Planar(0.9, 0.1, -0.8 / a), Planar(0.1, 0.6, 0.4 / a)}) {
    const Planar w = exact_friction(area, t).wrench;
    const Planar m = exact_friction(area, sign.cwiseProduct(t)).wrench.cwiseProduct(sign) - w;
    if (std::hypot(m.x(), m.y(), m.z() / a) > 1e-10) return false;
  }
  return true;
}

struct Spread {
  int thetas, phis;
  double theta_from, phi_step;
};

Spread spread_for(const PressedArea& area) {
  if (area.is_round()) return {400, 1, 0, 0};
  if (is_mirrored(area, {-1, 1, -1}) && is_mirrored(area, {1, -1, -1})) {
    return {90, 13, 0, pi / 24};
  }
  return {120, 24, -pi / 2, pi / 12};
}

// ---- Least squares in (ln m, ln b)
// ---------------------------------------------------------------

constexpr double most_m = 30, least_m = 0.05;

/// One row per component and motion.
struct Row {
  double exact, low, high;  ///< divided by a where they are torques
  double v, spin;           ///< v^n, |ω|^n
};

double residual(const Row& r, const RatioPair& p) {
  return (r.low + p.b * r.high) / power_norm(r.v, p.b * r.spin, p.m) - r.exact;
}

double sum_of_squares(const std::vector<Row>& rows, const RatioPair& p) {
  double sum = 0;
  for (const Row& r : rows) {
    const double d = residual(r, p);
    sum += d * d;
  }
  return sum;
}

RatioPair pair_at(const Eigen::Vector2d& x) {
  return {std::clamp(std::exp(x[0]), least_m, most_m), std::exp(x[1])};
}

struct Best {
  Eigen::Vector2d x = Eigen::Vector2d::Zero();
  double sum = std::numeric_limits<double>::infinity();
};

/// Levenberg–Marquardt with differences for the slopes; `free_m` false keeps m.
Best descend(const std::vector<Row>& rows, Eigen::Vector2d x, bool free_m) {
  Best best{x, sum_of_squares(rows, pair_at(x))};
  double damping = 1e-3;
  for (int i = 0; i < 200 && damping < 1e12; ++i) {
    Eigen::Matrix2d normal = Eigen::Matrix2d::Zero();
    Eigen::Vector2d right = Eigen::Vector2d::Zero();
    constexpr double h = 1e-6;
    const RatioPair at = pair_at(best.x);
    const RatioPair m0 = pair_at(best.x - Eigen::Vector2d(h, 0));
    const RatioPair m1 = pair_at(best.x + Eigen::Vector2d(h, 0));
    const RatioPair b0 = pair_at(best.x - Eigen::Vector2d(0, h));
    const RatioPair b1 = pair_at(best.x + Eigen::Vector2d(0, h));
    for (const Row& r : rows) {
      const double dm = free_m ? (residual(r, m1) - residual(r, m0)) / (2 * h) : 0;
      const Eigen::Vector2d g(dm, (residual(r, b1) - residual(r, b0)) / (2 * h));
      normal += g * g.transpose();
      right -= residual(r, at) * g;
    }
    bool moved = false;
    while (!moved && damping < 1e12) {
      Eigen::Matrix2d damped = normal;
      damped.diagonal() *= 1 + damping;
      damped.diagonal().array() += 1e-30;
      const double det = damped(0, 0) * damped(1, 1) - damped(0, 1) * damped(1, 0);
      const Eigen::Vector2d step((damped(1, 1) * right[0] - damped(0, 1) * right[1]) / det,
                                 (damped(0, 0) * right[1] - damped(1, 0) * right[0]) / det);
      Eigen::Vector2d next = best.x + step;
      next[0] = std::clamp(next[0], std::log(least_m), std::log(most_m));
      const double sum = sum_of_squares(rows, pair_at(next));
      moved = sum < best.sum;
      damping = std::fmax(damping * (moved ? 0.2 : 5), 1e-9);
      if (moved) {
        if ((next - best.x).norm() < 1e-10) return {next, sum};
        best = {next, sum};
      }
    }
  }
  return best;
}

RatioPair best_pair(const std::vector<Row>& rows, double b_unit) {
  Best best;
  for (const double m : {0.7, 1.0, 2.0, 5.0, 20.0}) {
    for (const double b : {0.1, 0.4, 1.0, 2.0}) {
      const Best now = descend(rows, {std::log(m), std::log(b * b_unit)}, true);
      if (now.sum < best.sum) best = now;
    }
  }
  return pair_at(best.x);
}

struct Table {
  std::vector<Row> force, torque;
  Table(const RatioMoments& moments, const AreaGrid& grid, int n1, int n2) {
    const RatioLaw law(moments, n1, n2, RatioPair{});
    for (std::size_t i = 0; i < grid.motions.size(); ++i) {
      const RatioLaw::Parts p = law.parts(grid.motions[i]);
      const Planar& e = grid.exact[i];
      const double a = grid.length;
      force.push_back({e.x(), p.low.x(), p.high.x(), p.v, p.spin});
      force.push_back({e.y(), p.low.y(), p.high.y(), p.v, p.spin});
      torque.push_back({e.z() / a, p.low.z() / a, p.high.z() / a, p.v, p.spin});
    }
  }
  std::vector<Row> all() const {
    std::vector<Row> rows = force;
    rows.insert(rows.end(), torque.begin(), torque.end());
    return rows;
  }
};

}  // namespace

AreaGrid AreaGrid::of(const PressedArea& area, double length) {
  const Spread s = spread_for(area);
  AreaGrid grid;
  grid.length = length > 0 ? length : area.reach() > 0 ? area.reach() : 1;
  for (int i = 0; i < s.thetas; ++i) {
    const double theta = s.theta_from + (pi / 2 - s.theta_from) * (i + 0.5) / s.thetas;
    for (int j = 0; j < s.phis; ++j) {
      const double phi = s.phi_step * j, v = std::cos(theta);
      grid.motions.emplace_back(v * std::cos(phi), v * std::sin(phi),
                                std::sin(theta) / grid.length);
      grid.exact.push_back(exact_friction(area, grid.motions.back()).wrench);
    }
  }
  return grid;
}

AreaLawErrors area_law_errors(const AreaLaw& law, const AreaGrid& grid) noexcept {
  AreaLawErrors e;
  for (std::size_t i = 0; i < grid.motions.size(); ++i) {
    const Planar d = law.sliding(grid.motions[i]) - grid.exact[i];
    const double force = std::hypot(d.x(), d.y()), torque = std::abs(d.z()) / grid.length;
    const double norm = std::hypot(force, torque);
    e.rms += norm * norm;
    e.max_force = std::fmax(e.max_force, force);
    e.max_torque = std::fmax(e.max_torque, torque);
    if (norm > e.max_norm) {
      e.max_norm = norm;
      e.worst = grid.motions[i];
    }
  }
  e.rms = std::sqrt(e.rms / static_cast<double>(grid.motions.size()));
  return e;
}

AreaLawErrors area_law_errors(const AreaLaw& law, const PressedArea& area) {
  return area_law_errors(law, AreaGrid::of(area));
}

RatioFit fit_ratio(const RatioMoments& moments, const AreaGrid& grid, int n1, int n2,
                   bool separate) {
  const Table table(moments, grid, n1, n2);
  const double b_unit = std::pow(moments.linear.distance, n1 + n2 + 1);
  RatioFit fit;
  if (separate) {
    fit.force = best_pair(table.force, b_unit);
    fit.torque = best_pair(table.torque, b_unit);
  } else {
    fit.force = fit.torque = best_pair(table.all(), b_unit);
  }
  fit.at_bound = std::fmax(fit.force.m, fit.torque.m) > 0.999 * most_m;
  fit.errors = area_law_errors(RatioLaw(moments, n1, n2, fit.force, fit.torque), grid);
  return fit;
}

RatioFit fit_ratio(const PressedArea& area, int n1, int n2, bool separate) {
  return fit_ratio(RatioMoments::of(area, n1 == 2), AreaGrid::of(area), n1, n2, separate);
}

RatioPair fit_ratio_weight(const RatioMoments& moments, const AreaGrid& grid, int n1, int n2,
                           double m) {
  const std::vector<Row> rows = Table(moments, grid, n1, n2).all();
  const double b_unit = std::pow(moments.linear.distance, n1 + n2 + 1);
  return pair_at(descend(rows, {std::log(m), std::log(b_unit)}, false).x);
}

}  // namespace bristle
