#include "bristle/identify/confidence.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/QR>
#include <Eigen/SVD>
#include <boost/math/distributions/normal.hpp>
#include <boost/random/sobol.hpp>
#include <fmt/format.h>

#include "bristle/core/parallel.hpp"
#include "bristle/identify/linear.hpp"

namespace bristle {
namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double determined_within = 0.05;  // of the estimate
constexpr double weak_up_to = 7;            // between the limits

double quantile(int freedom) { return student_t(0.95, std::max(1, freedom)); }

/// Residuals and Jacobian in coordinates, at x.
struct Linear {
  Eigen::VectorXd r;
  RowMatrix j;
};
Linear linearised(const Problem& problem, const Coordinates& c, const std::vector<double>& x) {
  const auto n = static_cast<std::size_t>(problem.residuals()), m = x.size();
  Linear at{Eigen::VectorXd(n), RowMatrix(n, m)};
  const std::span<double> by(at.j.data(), n * m);
  problem.derivatives(c.parameters(x), {at.r.data(), n}, by);
  c.pull_back(x, by);
  return at;
}

/// Lag-one autocorrelation; recordings run on into each other, which hardly counts.
void judge_whiteness(const Eigen::VectorXd& r, Confidence& out) {
  const Eigen::Index n = r.size();
  const double mean = r.mean(), power = (r.array() - mean).square().sum();
  if (n < 4 || !(power > 0)) return;
  double lagged = 0;
  for (Eigen::Index k = 1; k < n; ++k) lagged += (r[k] - mean) * (r[k - 1] - mean);
  out.whiteness = lagged / power;
  const double z = std::abs(out.whiteness) * std::sqrt(static_cast<double>(n));
  out.whiteness_p = 2 * boost::math::cdf(boost::math::complement(boost::math::normal(), z));
}

// ---- profiles -----------------------------------------------------------------------------------

struct Side {
  double limit = 0;
  bool open = false;
  std::vector<ProfilePoint> curve{};

  void go_on(Side more) {
    limit = more.limit;
    open = more.open;
    curve.insert(curve.end(), more.curve.begin(), more.curve.end());
  }
};

/// Where the profile of parameter j reaches `target`, going one way in its coordinate. That is one
/// in which j leads: held at a difference from another, it would still move.
class Profiler {
 public:
  Profiler(const Problem& problem, std::size_t j, const Search& search,
           const std::vector<Estimate>& estimates, const LeastSquaresOptions& options)
      : problem_(problem),
        c_(problem, static_cast<int>(j)),
        j_(j),
        search_(search),
        options_(options),
        held_(search.p.size(), false) {
    held_[j] = true;
    for (const Estimate& e : estimates) errors_.push_back(e.se);
  }

  /// Parameters of a lower minimum than the search's, if one was met.
  const std::vector<double>& lower() const { return lower_; }
  double lower_cost() const { return lower_cost_; }

  /// The furthest value one way that the data allow. A valley may end before another one begins:
  /// whatever start has ended low enough further out belongs to the interval, and is gone on from.
  Side go(int way, double wald, double target) {
    Side side = walk(search_.p, search_.cost, way, wald, target);
    for (const StartResult& start : search_.starts) {
      if (side.open) break;
      if (!start.done || !(start.cost < target)) continue;
      if (way * (start.to[j_] - side.limit) <= 0) continue;
      Side more = walk(start.to, start.cost, way, wald, target);
      side.go_on(std::move(more));
    }
    for (int i = 0; problem_.is_kinked() && i < 4 && !side.open; ++i) {
      std::vector<double> beyond;
      const double cost = look_beyond(side.limit, way, wald, target, beyond);
      if (!(cost < target)) break;
      side.go_on(walk(beyond, cost, way, wald, target));
    }
    return side;
  }

 private:
  /// Kinks make narrow ridges across a valley: a little further out the cost may be low again.
  /// Fills in the parameters where it is; the cost there.
  double look_beyond(double limit, int way, double wald, double target, std::vector<double>& p) {
    double cost = std::numeric_limits<double>::infinity();
    for (const double share : {0.1, 0.25, 0.5, 1.0}) {
      p = search_.p;
      p[j_] = limit + way * share * wald;
      std::vector<double> x = c_.coordinates(p);
      const double value = x[j_];
      cost = cost_at(value, x);
      if (cost >= target) cost = from_around(value, cost, target, x);
      p = c_.parameters(x);
      if (cost < target) break;
    }
    return cost;
  }
  /// From p outwards: first a third of the way to where Wald's interval ends, then as the cost
  /// rises.
  Side walk(const std::vector<double>& p, double cost_p, int way, double wald, double target) {
    Side side;
    const std::size_t j = j_;
    const double bound = way > 0 ? c_.high()[j] : c_.low()[j], range = c_.high()[j] - c_.low()[j];
    std::vector<double> x = c_.coordinates(p);
    double step = wald / 3 / (problem_.unknowns()[j].log ? p[j] : 1);
    if (!std::isfinite(step) || !(step > 0)) step = range / 50;
    step = std::clamp(step, 1e-9 * range, range / 10);
    double before = x[j], cost_before = cost_p, h = step;
    for (int i = 0; i < 60; ++i) {
      double next = before + way * h;
      const bool at_bound = way * (next - bound) >= 0;
      if (at_bound) next = bound;
      double cost = cost_at(next, x);
      if (cost >= target) cost = from_other_ends(next, cost, target, x);
      if (cost >= target && problem_.is_kinked()) cost = from_around(next, cost, target, x);
      side.curve.push_back({c_.parameters(x)[j], cost});
      if (cost >= target) {
        side.limit = refine(before, cost_before, next, cost, target, x);
        return side;
      }
      if (at_bound) break;
      // Longer steps where little happens, shorter ones where the end is near.
      const double rise = (cost - cost_before) / (target - search_.cost);
      h *= rise > 0.5 ? 0.7 : (rise < 0.2 ? 1.8 : 1.0);
      before = next;
      cost_before = cost;
    }
    side.limit = c_.parameters(x)[j];
    side.open = true;
    return side;
  }
  double cost_at(double value, std::vector<double>& x) {
    // The others stay where they are, and do not follow the one that is held.
    std::vector<double> p = c_.parameters(x);
    x[j_] = value;
    p[j_] = c_.parameters(x)[j_];
    x = c_.coordinates(p);
    x[j_] = value;
    const Minimum found = minimise(problem_, c_, x, options_, held_);
    x = found.x;
    if (found.cost < lower_cost_) {
      lower_cost_ = found.cost;
      lower_ = c_.parameters(found.x);
    }
    return found.cost;
  }
  /// A valley may end where another one has gone on: the ends of other starts, with j held, may be
  /// lower. The first that is low enough will do.
  double from_other_ends(double value, double cost, double target, std::vector<double>& x) {
    int tried = 0;
    for (const StartResult& start : search_.starts) {
      const bool near = start.done && start.cost < search_.cost + 5 * (target - search_.cost);
      if (!near || start.to == search_.p || ++tried > 6) continue;
      std::vector<double> other = c_.coordinates(start.to);
      const double found = cost_at(value, other);
      if (!(found < cost)) continue;
      cost = found;
      x = other;
      if (cost < target) break;
    }
    return cost;
  }
  /// Least squares may be stuck in a kink: the best of a few dozen points around the minimum, two
  /// standard errors of the other parameters to either side.
  double from_around(double value, double cost, double target, std::vector<double>& x) {
    constexpr std::size_t points = 48, best = 3;
    const std::size_t m = x.size();
    std::vector<double> middle = c_.coordinates(search_.p), reach(m);
    for (std::size_t k = 0; k < m; ++k) {
      std::vector<double> moved = search_.p;
      moved[k] += errors_[k];
      const double most = (c_.usual_high()[k] - c_.usual_low()[k]) / 2;
      reach[k] = std::min(2 * std::abs(c_.coordinates(moved)[k] - middle[k]), most);
    }
    boost::random::sobol engine(m);
    std::vector<std::pair<double, std::vector<double>>> tried;
    for (std::size_t i = 0; i < points; ++i) {
      std::vector<double> there = middle;
      for (std::size_t k = 0; k < m; ++k) {
        const double u = std::ldexp(static_cast<double>(engine()), -63) - 1;
        there[k] = std::clamp(middle[k] + u * reach[k], c_.low()[k], c_.high()[k]);
      }
      there[j_] = value;
      tried.emplace_back(sum_of_squares(problem_, c_, there), there);
    }
    std::partial_sort(tried.begin(), tried.begin() + best, tried.end());
    for (std::size_t i = 0; i < best && cost >= target; ++i) {
      const double found = cost_at(value, tried[i].second);
      if (!(found < cost)) continue;
      cost = found;
      x = tried[i].second;
    }
    return cost;
  }
  double refine(double in, double cost_in, double out, double cost_out, double target,
                std::vector<double>& x) {
    for (int i = 0; i < 6 && std::abs(cost_out - target) > 0.01 * (target - search_.cost); ++i) {
      // The cost is nearly a parabola from the minimum: its root is nearly a line.
      const auto root = [&](double cost) { return std::sqrt(std::max(0.0, cost - search_.cost)); };
      const double share =
          (root(target) - root(cost_in)) / std::max(root(cost_out) - root(cost_in), 1e-300);
      const double next = in + std::clamp(share, 0.05, 0.95) * (out - in);
      const double cost = cost_at(next, x);
      if (cost >= target) {
        out = next;
        cost_out = cost;
      } else {
        in = next;
        cost_in = cost;
      }
    }
    const double share =
        cost_out > cost_in ? std::clamp((target - cost_in) / (cost_out - cost_in), 0.0, 1.0) : 1;
    x[j_] = in + share * (out - in);
    return c_.parameters(x)[j_];
  }

  const Problem& problem_;
  Coordinates c_;
  std::size_t j_;
  const Search& search_;
  LeastSquaresOptions options_;
  std::vector<bool> held_;
  std::vector<double> errors_;  ///< standard errors of all parameters
  std::vector<double> lower_;
  double lower_cost_ = std::numeric_limits<double>::infinity();
};

// ---- verdicts -----------------------------------------------------------------------------------

std::string partner_of(const Confidence& all, std::size_t j) {
  double most = 0;
  std::size_t who = j;
  for (std::size_t k = 0; k < all.parameters.size(); ++k) {
    const double r =
        std::abs(all.correlation(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(k)));
    if (k == j || !(r > most)) continue;
    most = r;
    who = k;
  }
  return most > 0.95 ? fmt::format("; it moves with {} (correlation {:.3f})",
                                   all.parameters[who].name, most)
                     : "";
}

void judge(const Unknown& unknown, const Confidence& all, std::size_t j, Estimate& e,
           bool profiled) {
  const Interval& i = profiled ? e.profile : e.wald;
  const double size =
      unknown.log ? std::abs(e.value)
                  : std::max(std::abs(e.value), 1e-2 * (unknown.usual_high - unknown.usual_low));
  const double half = (i.high - i.low) / 2 / std::max(size, 1e-300);
  const bool open = i.open_low || i.open_high;
  const bool wide = unknown.log && !(i.low > 0 && i.high / i.low <= weak_up_to);
  const std::string partner = partner_of(all, j);
  if (open || wide || !std::isfinite(half) || (!unknown.log && half > 1)) {
    e.verdict = Verdict::not_determined;
    e.reason = open ? fmt::format("the data set no {} limit{}",
                                  i.open_low && i.open_high ? "lower and no upper"
                                  : i.open_low              ? "lower"
                                                            : "upper",
                                  partner)
                    : fmt::format("anything from {:.3g} to {:.3g} fits{}", i.low, i.high, partner);
  } else if (half <= determined_within) {
    e.verdict = Verdict::determined;
    e.reason = fmt::format("known to ±{:.2g} %", 100 * half);
  } else {
    e.verdict = Verdict::weak;
    e.reason = fmt::format("known to ±{:.2g} % only{}", 100 * half, partner);
  }
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::determined:
      return "determined";
    case Verdict::weak:
      return "weak";
    case Verdict::not_determined:
      break;
  }
  return "not determined";
}

namespace {

/// Everything that follows from the linearised problem.
Confidence linear_confidence(const Problem& problem, const Coordinates& c, const Search& search,
                             const ConfidenceOptions& options) {
  Confidence out;
  const Linear at = linearised(problem, c, search.x);
  const auto n = static_cast<int>(at.r.size()), m = static_cast<int>(search.x.size());
  out.samples = n;
  out.cost = at.r.squaredNorm();
  const int freedom = n - m;
  out.sigma = options.noise > 0 ? options.noise : std::sqrt(out.cost / std::max(1, freedom));
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(at.j, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Eigen::VectorXd s = svd.singularValues();
  const double scale = out.sigma > 0 ? out.sigma : 1;
  Eigen::VectorXd inverse = Eigen::VectorXd::Zero(s.size());
  for (Eigen::Index k = 0; k < s.size(); ++k) {
    out.singular_values.push_back(s[k] / scale);
    if (s[k] > 1e-10 * s[0]) {
      ++out.rank;
      inverse[k] = 1 / s[k];
    } else {
      inverse[k] = 1e10 / std::max(s[0], 1e-300);  // what does not show has no limit
    }
  }
  judge_whiteness(at.r, out);
  if (out.whiteness_p < 0.01 && out.whiteness > 0) {
    const double most = std::sqrt(static_cast<double>(n) / (m + 1));
    out.widening =
        std::min(most, std::sqrt((1 + out.whiteness) / (1 - std::min(out.whiteness, 0.999999))));
  }
  const double spread = out.sigma * out.widening;
  const Eigen::MatrixXd half = svd.matrixV() * inverse.asDiagonal();
  const Eigen::MatrixXd covariance = spread * spread * half * half.transpose();
  out.correlation = Eigen::MatrixXd::Identity(m, m);
  const std::vector<double> p = c.parameters(search.x);
  const double t = quantile(freedom);
  for (int j = 0; j < m; ++j) {
    for (int k = 0; k < m; ++k) {
      out.correlation(j, k) =
          covariance(j, k) / std::sqrt(std::max(covariance(j, j) * covariance(k, k), 1e-300));
    }
    const auto i = static_cast<std::size_t>(j);
    const Unknown& u = problem.unknowns()[i];
    Estimate e{.name = u.name, .unit = u.unit, .value = p[i]};
    // By the slope of the parameter itself, which for an ordered one follows the smaller as well.
    std::vector<double> row(static_cast<std::size_t>(m), 0.0);
    row[i] = 1;
    c.pull_back(search.x, row);
    const Eigen::Map<const Eigen::VectorXd> slope(row.data(), m);
    e.se = std::sqrt(std::max(0.0, slope.dot(covariance * slope)));
    if (u.log && p[i] > 0) {
      const double relative = e.se / p[i];
      e.wald = {p[i] * std::exp(-t * relative), p[i] * std::exp(t * relative)};
    } else {
      e.wald = {p[i] - t * e.se, p[i] + t * e.se};
    }
    e.wald.open_low = e.wald.low < u.low;
    e.wald.open_high = e.wald.high > u.high;
    out.parameters.push_back(std::move(e));
  }
  const double log_mean = std::log(std::max(out.cost / n, 1e-300));
  out.aic = n * log_mean + 2 * m;
  out.bic = n * log_mean + m * std::log(static_cast<double>(n));
  return out;
}

}  // namespace

Confidence confidence_of(const Problem& problem, Search& search, const ConfidenceOptions& options) {
  const Coordinates c(problem);
  Confidence out = linear_confidence(problem, c, search, options);
  const auto m = search.x.size();
  for (int round = 0; options.profile && round < 4; ++round) {
    const double t = quantile(out.samples - static_cast<int>(m));
    const double rise = std::pow(out.sigma * out.widening * t, 2);
    const double target = search.cost + std::max(rise, 1e-12 * search.cost);
    std::vector<Profiler> profilers;
    for (std::size_t j = 0; j < m; ++j) {
      profilers.emplace_back(problem, j, search, out.parameters, options.least_squares);
    }
    std::vector<Side> down(m), up(m);
    in_parallel(m, options.threads, [&](std::size_t j) {
      const double wald = t * out.parameters[j].se;
      down[j] = profilers[j].go(-1, wald, target);
      up[j] = profilers[j].go(+1, wald, target);
    });
    const auto best = std::min_element(profilers.begin(), profilers.end(), [](auto& a, auto& b) {
      return a.lower_cost() < b.lower_cost();
    });
    if (best != profilers.end() && best->lower_cost() < search.cost - 0.05 * rise && round < 3) {
      const Minimum better =
          minimise(problem, c, c.coordinates(best->lower()), options.least_squares);
      search.x = better.x;
      search.p = c.parameters(better.x);
      search.cost = better.cost;
      out = linear_confidence(problem, c, search, options);
      continue;
    }
    for (std::size_t j = 0; j < m; ++j) {
      Estimate& e = out.parameters[j];
      e.profile = {down[j].limit, up[j].limit, down[j].open, up[j].open};
      e.curve.assign(down[j].curve.rbegin(), down[j].curve.rend());
      e.curve.push_back({e.value, search.cost});
      e.curve.insert(e.curve.end(), up[j].curve.begin(), up[j].curve.end());
    }
    break;
  }
  for (std::size_t j = 0; j < m; ++j) {
    judge(problem.unknowns()[j], out, j, out.parameters[j], options.profile);
  }
  return out;
}

}  // namespace bristle
