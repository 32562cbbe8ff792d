#include "bristle/area/fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/Eigenvalues>

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

/// Value, slope and bend of the sum of squares in (ln m, ln b), by differences.
struct Local {
  Eigen::Vector2d slope;
  Eigen::Matrix2d bend;
  Local(const std::vector<Row>& rows, const Best& here) {
    constexpr double h = 1e-4;
    const auto at = [&](double i, double j) {
      return sum_of_squares(rows, pair_at(here.x + h * Eigen::Vector2d(i, j)));
    };
    const double m1 = at(1, 0), m0 = at(-1, 0), b1 = at(0, 1), b0 = at(0, -1);
    const double cross = (at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / (4 * h * h);
    slope = Eigen::Vector2d(m1 - m0, b1 - b0) / (2 * h);
    bend << (m1 - 2 * here.sum + m0) / (h * h), cross, cross, (b1 - 2 * here.sum + b0) / (h * h);
  }
  /// Newton's step, turned downhill and shortened by `damping`; m is kept unless it is free.
  Eigen::Vector2d step(double damping, bool free_m) const {
    if (!free_m) return {0, -slope[1] / (std::abs(bend(1, 1)) + damping)};
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> eigen(bend);
    const Eigen::Vector2d curve = eigen.eigenvalues().cwiseAbs().array() + damping;
    const Eigen::Vector2d along = eigen.eigenvectors().transpose() * slope;
    return -eigen.eigenvectors() * along.cwiseQuotient(curve);
  }
};

/// Damped Newton. The residuals are not small, so Gauss and Newton's short cut would crawl.
Best descend(const std::vector<Row>& rows, const Eigen::Vector2d& start, bool free_m) {
  Best best{start, sum_of_squares(rows, pair_at(start))};
  double damping = 1e-2 * best.sum;
  for (int i = 0; i < 60; ++i) {
    const bool at_top = best.x[0] > std::log(most_m) - 1e-9;  // differences would see the clamp
    const Local local(rows, best);
    Best next;
    for (int tries = 0; tries < 40; ++tries, damping *= 4) {
      next.x = best.x + local.step(damping, free_m && !at_top).cwiseMax(-1).cwiseMin(1);
      next.x[0] = std::clamp(next.x[0], std::log(least_m), std::log(most_m));
      next.sum = sum_of_squares(rows, pair_at(next.x));
      if (next.sum < best.sum) break;
    }
    if (!(next.sum < best.sum)) break;
    const bool done = (next.x - best.x).norm() < 1e-9;
    best = next;
    damping *= 0.02;
    if (done) break;
  }
  return best;
}

/// Looks over a coarse net of pairs with every seventh row, and descends from the three best.
RatioPair best_pair(const std::vector<Row>& rows, double b_unit) {
  std::vector<Row> some;
  for (std::size_t i = 0; i < rows.size(); i += 7) some.push_back(rows[i]);
  std::vector<Best> starts;
  for (const double m : {0.6, 0.9, 1.3, 2.0, 3.5, 7.0, 20.0}) {
    for (double b = 0.1; b < 5; b *= 1.6) {
      const Eigen::Vector2d x(std::log(m), std::log(b * b_unit));
      starts.push_back({x, sum_of_squares(some, pair_at(x))});
    }
  }
  const auto less = [](const Best& a, const Best& b) { return a.sum < b.sum; };
  std::partial_sort(starts.begin(), starts.begin() + 3, starts.end(), less);
  Best best;
  for (std::size_t i = 0; i < 3; ++i) {
    const Best now = descend(rows, starts[i].x, true);
    if (now.sum < best.sum) best = now;
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
