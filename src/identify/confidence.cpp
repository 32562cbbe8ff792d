#include "bristle/identify/confidence.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <tuple>

#include <Eigen/Eigenvalues>
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

/// −2 ln of the share of the ranges that a minimum stands for, but for a constant (Laplace):
/// Σr²/s² + ln det(JᵀJ/s² + 1/range²). The lowest of many minima may be a crevice that follows the
/// noise; a valley a little higher and far wider outweighs it.
double weigh(const Problem& problem, const Coordinates& c, const std::vector<double>& x,
             double sigma) {
  const Linear at = linearised(problem, c, x);
  Eigen::MatrixXd information = at.j.transpose() * at.j / (sigma * sigma);
  for (Eigen::Index k = 0; k < information.rows(); ++k) {
    const auto i = static_cast<std::size_t>(k);
    information(k, k) += std::pow(c.high()[i] - c.low()[i], -2);
  }
  const Eigen::VectorXd values =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(information, Eigen::EigenvaluesOnly)
          .eigenvalues();
  const double weight =
      at.r.squaredNorm() / (sigma * sigma) + values.array().max(1e-300).log().sum();
  return std::isfinite(weight) ? weight : std::numeric_limits<double>::infinity();
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

/// Who gave up a round of profiles because a lower minimum was met: the first parameter counts, so
/// that it is the same one for any number of threads.
class GivenUp {
 public:
  void by(std::size_t j) {
    std::size_t first = first_;
    while (j < first && !first_.compare_exchange_weak(first, j)) {
    }
  }
  /// Whether parameter j need not go on.
  bool ends(std::size_t j) const { return first_ <= j; }
  std::size_t first() const { return first_; }

 private:
  std::atomic<std::size_t> first_ = std::numeric_limits<std::size_t>::max();
};

/// How the present minimum compares with others.
class Weight {
 public:
  Weight(const Problem& problem, const Search& search, const Confidence& known, double rise)
      : problem_(problem),
        c_(problem),
        sigma_(known.sigma),
        margin_(0.2 * rise),
        lowest_counts_(problem.is_kinked() || known.widening > 1 || known.per_square != 1 ||
                       !(known.sigma > 0)) {
    if (!lowest_counts_) weight_ = weigh(problem, c_, search.x, sigma_);
  }
  /// Where residuals have kinks or are damped, slopes do not say how wide a valley is; where they
  /// follow one another, it is not noise that they follow.
  bool lowest_counts() const { return lowest_counts_; }
  /// Costs that differ by less are the same: a fifth of what an interval allows.
  double margin() const { return margin_; }
  bool is_outweighed_by(const Minimum& other) const {
    return weigh(problem_, c_, other.x, sigma_) < weight_ - margin_ / (sigma_ * sigma_);
  }

 private:
  std::reference_wrapper<const Problem> problem_;
  Coordinates c_;
  double sigma_, margin_;
  bool lowest_counts_;
  double weight_ = 0;
};

/// A point of a profile, in coordinates.
struct Point {
  std::vector<double> x;
  double cost = std::numeric_limits<double>::infinity();
};

/// Where the profile of parameter j reaches `target`, going one way in its coordinate. That is one
/// in which j leads: held at a difference from another, it would still move.
class Profiler {
 public:
  Profiler(const Problem& problem, std::size_t j, const Search& search,
           const std::vector<Estimate>& estimates, const LeastSquaresOptions& options,
           double target)
      : problem_(problem),
        c_(problem, static_cast<int>(j)),
        j_(j),
        search_(search),
        options_(options),
        target_(target),
        rise_(target - search.cost),
        held_(search.p.size(), false) {
    held_[j] = true;
    for (const Estimate& e : estimates) errors_.push_back(e.se);
    // A profile needs the cost to a small share of its rise, and nothing of what is far above.
    options_.tolerance = std::max(options_.tolerance, 3e-3 * rise_ / target_);
    options_.iterations = std::min(options_.iterations, 40);
    options_.hopeless = target_ + 3 * rise_;
    // Each point starts in the valley of the one before it, and is not to leave it at a bound.
    if (!problem.is_kinked()) options_.trust = 1;
  }

  /// A minimum with a cost below this ends all profiles, if it outweighs the present one.
  void give_up(GivenUp& given_up, double below, const Weight& weight) {
    given_up_ = &given_up;
    give_up_below_ = below;
    weight_ = &weight;
  }
  /// Parameters of the minimum that ended this round.
  const std::vector<double>& better() const { return better_; }
  /// The lowest cost met.
  double lowest() const { return lowest_; }

  /// The limits to both sides; `wald` is how far Wald's interval goes.
  std::pair<Side, Side> go(double wald) {
    follow_slopes();
    Side down = go(-1, wald);
    return {std::move(down), go(+1, wald)};
  }

 private:
  /// The furthest value one way that the data allow. A valley may end before another one begins:
  /// whatever start has ended low enough further out belongs to the interval, and is gone on from.
  Side go(int way, double wald) {
    Side side = walk({c_.coordinates(search_.p), search_.cost}, way, wald);
    for (const StartResult& start : search_.starts) {
      if (side.open) break;
      if (!start.done || !(start.cost < target_)) continue;
      if (way * (start.to[j_] - side.limit) <= 0) continue;
      side.go_on(walk({c_.coordinates(start.to), start.cost}, way, wald));
    }
    for (int i = 0; problem_.is_kinked() && i < 4 && !side.open; ++i) {
      Point beyond = look_beyond(side.limit, way, wald);
      if (!(beyond.cost < target_)) break;
      side.go_on(walk(std::move(beyond), way, wald));
    }
    return side;
  }

  /// How the other coordinates move with that of j where the profile is still a parabola. What the
  /// data hardly show stays.
  void follow_slopes() {
    const Linear at = linearised(problem_, c_, c_.coordinates(search_.p));
    const auto j = static_cast<Eigen::Index>(j_);
    Eigen::MatrixXd others = at.j;
    others.col(j).setZero();
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(others, Eigen::ComputeThinU | Eigen::ComputeThinV);
    const Eigen::VectorXd onto = svd.matrixU().transpose() * at.j.col(j);
    Eigen::VectorXd moved = Eigen::VectorXd::Zero(onto.size());
    for (Eigen::Index k = 0; k < onto.size(); ++k) {
      const double s = svd.singularValues()[k];
      if (s * s > rise_) moved[k] = -onto[k] / s;
    }
    const Eigen::VectorXd slope = svd.matrixV() * moved;
    slopes_.assign(slope.begin(), slope.end());
    slopes_[j_] = 1;
  }

  /// Kinks make narrow ridges across a valley: a little further out the cost may be low again.
  Point look_beyond(double limit, int way, double wald) {
    Point point;
    for (const double share : {0.1, 0.25, 0.5, 1.0}) {
      std::vector<double> p = search_.p;
      p[j_] = limit + way * share * wald;
      const std::vector<double> x = c_.coordinates(p);
      point = at(x[j_], {x});
      if (point.cost >= target_) from_around(point);
      if (point.cost < target_) break;
    }
    return point;
  }
  /// From a point outwards: first a third of the way to where Wald's interval ends, then as the
  /// cost rises.
  Side walk(Point before, int way, double wald) {
    Side side;
    const std::size_t j = j_;
    const double bound = way > 0 ? c_.high()[j] : c_.low()[j], range = c_.high()[j] - c_.low()[j];
    double h = wald / 3 / (problem_.unknowns()[j].log ? c_.parameters(before.x)[j] : 1);
    if (!std::isfinite(h) || !(h > 0)) h = range / 50;
    h = std::clamp(h, 1e-9 * range, range / 10);
    std::vector<double> slopes = slopes_;
    for (int i = 0, shortened = 0; i < 60; ++i) {
      const double from = before.x[j];
      const bool at_bound = way * (from + way * h - bound) >= 0;
      const double next = at_bound ? bound : from + way * h;
      Point point =
          at(next, {before.x, moved(before.x, next, slopes_), moved(before.x, next, slopes)});
      // The wall of a valley is not that steep: it was lost.
      if (point.cost > target_ + 3 * rise_ && shortened < 4) {
        h /= 3;
        ++shortened;
        continue;
      }
      if (point.cost >= target_) from_other_ends(point);
      if (point.cost >= target_ && problem_.is_kinked()) from_around(point);
      side.curve.push_back({c_.parameters(point.x)[j], point.cost});
      if (point.cost >= target_) {
        side.limit = refine(std::move(before), std::move(point));
        return side;
      }
      // Longer steps where little happens, shorter ones where the end is near.
      const double rise = (point.cost - before.cost) / rise_;
      h *= rise > 0.5 ? 0.7 : (rise < 0.2 ? 1.8 : 1.0);
      for (std::size_t k = 0; k < slopes.size(); ++k) {
        slopes[k] = (point.x[k] - before.x[k]) / (next - from);
      }
      before = std::move(point);
      if (at_bound) break;
    }
    side.limit = c_.parameters(before.x)[j];
    side.open = true;
    return side;
  }
  std::vector<double> moved(const std::vector<double>& x, double value,
                            const std::vector<double>& slopes) const {
    std::vector<double> there = x;
    for (std::size_t k = 0; k < x.size(); ++k) {
      there[k] = std::clamp(x[k] + slopes[k] * (value - x[j_]), c_.low()[k], c_.high()[k]);
    }
    there[j_] = value;
    return there;
  }
  /// With j at its value the others stay where they are, and do not follow it.
  std::vector<double> held(const std::vector<double>& x, double value) const {
    std::vector<double> p = c_.parameters(x), there = x;
    there[j_] = value;
    p[j_] = c_.parameters(there)[j_];
    there = c_.coordinates(p);
    there[j_] = value;
    return there;
  }
  /// The lowest cost with j at its value, from the best of some guesses of the others; where j
  /// already has its value they may follow it.
  Point at(double value, const std::vector<std::vector<double>>& guesses) {
    Point best;
    if (has_given_up()) return {guesses.front(), best.cost};
    for (const std::vector<double>& guess : guesses) {
      std::vector<double> x = guess[j_] == value ? guess : held(guess, value);
      const double cost = guesses.size() > 1 ? sum_of_squares(problem_, c_, x) : 0;
      if (best.x.empty() || cost < best.cost) best = {std::move(x), cost};
    }
    Minimum found = minimise(problem_, c_, best.x, options_, held_);
    lowest_ = std::min(lowest_, found.cost);
    if (found.cost < give_up_below_) consider(c_.parameters(found.x));
    return {std::move(found.x), found.cost};
  }
  /// Whether to start again from a point that is lower than the minimum so far.
  void consider(std::vector<double> p) {
    if (!weight_->lowest_counts()) {
      const Coordinates free(problem_);
      const Minimum found = minimise(problem_, free, free.coordinates(p), options_);
      lowest_ = std::min(lowest_, found.cost);
      if (!weight_->is_outweighed_by(found)) {
        give_up_below_ = found.cost - weight_->margin();
        return;
      }
      p = free.parameters(found.x);
    }
    better_ = std::move(p);
    given_up_->by(j_);
  }
  bool has_given_up() const { return given_up_ != nullptr && given_up_->ends(j_); }

  /// A valley may end where another one has gone on: the ends of other starts, with j held, may be
  /// lower. The first that is low enough will do.
  void from_other_ends(Point& point) {
    int tried = 0;
    for (const StartResult& start : search_.starts) {
      const bool near = start.done && start.cost < search_.cost + 5 * rise_;
      if (!near || start.to == search_.p || ++tried > 6) continue;
      Point other = at(point.x[j_], {c_.coordinates(start.to)});
      if (other.cost < point.cost) point = std::move(other);
      if (point.cost < target_) break;
    }
  }
  /// Least squares may be stuck in a kink: the best of a few dozen points around the minimum, two
  /// standard errors of the other parameters to either side.
  void from_around(Point& point) {
    if (has_given_up()) return;
    constexpr std::size_t points = 48, best = 3;
    const std::size_t m = point.x.size();
    const double value = point.x[j_];
    std::vector<double> middle = c_.coordinates(search_.p), reach(m);
    for (std::size_t k = 0; k < m; ++k) {
      std::vector<double> further = search_.p;
      further[k] += errors_[k];
      const double most = (c_.usual_high()[k] - c_.usual_low()[k]) / 2;
      reach[k] = std::min(2 * std::abs(c_.coordinates(further)[k] - middle[k]), most);
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
    for (std::size_t i = 0; i < best && point.cost >= target_; ++i) {
      Point other = at(value, {tried[i].second});
      if (other.cost < point.cost) point = std::move(other);
    }
  }
  /// Where the cost reaches the target between two points.
  double refine(Point in, Point out) {
    // The cost is nearly a parabola from the minimum: its root is nearly a line.
    const auto root = [&](double cost) { return std::sqrt(std::max(0.0, cost - search_.cost)); };
    for (int i = 0; i < 6 && std::abs(out.cost - target_) > 0.01 * rise_; ++i) {
      const double share =
          (root(target_) - root(in.cost)) / std::max(root(out.cost) - root(in.cost), 1e-300);
      const double s = std::clamp(share, 0.05, 0.95);
      std::vector<double> between = in.x;
      for (std::size_t k = 0; k < between.size(); ++k) between[k] += s * (out.x[k] - in.x[k]);
      Point point = at(between[j_], {in.x, between, moved(in.x, between[j_], slopes_)});
      (point.cost >= target_ ? out : in) = std::move(point);
    }
    const double share =
        out.cost > in.cost ? std::clamp((target_ - in.cost) / (out.cost - in.cost), 0.0, 1.0) : 1;
    std::vector<double> x = out.x;
    x[j_] = in.x[j_] + share * (out.x[j_] - in.x[j_]);
    return c_.parameters(x)[j_];
  }

  const Problem& problem_;
  Coordinates c_;
  std::size_t j_;
  const Search& search_;
  LeastSquaresOptions options_;
  double target_, rise_;
  std::vector<bool> held_;
  std::vector<double> errors_;  ///< standard errors of all parameters
  std::vector<double> slopes_;  ///< of the other coordinates by that of j, at the minimum
  GivenUp* given_up_ = nullptr;
  double give_up_below_ = 0;
  const Weight* weight_ = nullptr;
  std::vector<double> better_;
  double lowest_ = std::numeric_limits<double>::infinity();
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
  const bool narrow = i.low > 0 && i.high / i.low <= weak_up_to;
  const bool wide = unknown.log && !narrow;
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
  Linear at = linearised(problem, c, search.x);
  out.cost = at.r.squaredNorm();
  out.per_square = problem.undamp({at.r.data(), at.r.data() + at.r.size()},
                                  {at.j.data(), at.j.data() + at.j.size()});
  const auto n = static_cast<int>(at.r.size()), m = static_cast<int>(search.x.size());
  out.samples = n;
  const int freedom = n - m;
  out.sigma =
      options.noise > 0 ? options.noise : std::sqrt(at.r.squaredNorm() / std::max(1, freedom));
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(at.j, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Eigen::VectorXd& s = svd.singularValues();
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

namespace {

void put(const Coordinates& c, const Minimum& minimum, Search& search) {
  search.x = minimum.x;
  search.p = c.parameters(minimum.x);
  search.cost = minimum.cost;
  search.seen = std::numeric_limits<double>::infinity();  // no start saw it
}

/// Σr² by which an interval allows the cost to rise.
double allowed_rise(const Confidence& known) {
  const int freedom = known.samples - static_cast<int>(known.parameters.size());
  const double half = known.sigma * known.widening * quantile(freedom);
  return std::max(known.per_square * half * half, 1e-12 * known.cost);
}

/// The ends of other starts that the data hardly tell from the best: one may outweigh it.
void weigh_ends(const Problem& problem, const Coordinates& c, const Confidence& known,
                const LeastSquaresOptions& options, Search& search) {
  const double rise = allowed_rise(known), lowest = search.cost;
  Weight weight(problem, search, known, rise);
  for (const StartResult& start : search.starts) {
    if (weight.lowest_counts()) return;
    if (!start.done || start.to == search.p || !(start.cost < lowest + 3 * rise)) continue;
    const Minimum polished = minimise(problem, c, c.coordinates(start.to), options);
    if (!weight.is_outweighed_by(polished)) continue;
    put(c, polished, search);
    weight = Weight(problem, search, known, rise);
  }
}

}  // namespace

Confidence confidence_of(const Problem& problem, Search& search, const ConfidenceOptions& options) {
  const Coordinates c(problem);
  Confidence out = linear_confidence(problem, c, search, options);
  double lowest = search.cost;
  const std::vector<double> found = search.x;
  weigh_ends(problem, c, out, options.least_squares, search);
  if (search.x != found) out = linear_confidence(problem, c, search, options);
  const auto m = search.x.size();
  constexpr int rounds = 8;
  for (int round = 1; options.profile && round <= rounds; ++round) {
    const double rise = allowed_rise(out);
    const Weight weight(problem, search, out, rise);
    GivenUp given_up;
    std::vector<Profiler> profilers;
    for (std::size_t j = 0; j < m; ++j) {
      profilers.emplace_back(problem, j, search, out.parameters, options.least_squares,
                             search.cost + rise);
      if (round < rounds) {
        const double below = std::min(search.cost, lowest) - weight.margin();
        profilers[j].give_up(given_up, below, weight);
      }
    }
    std::vector<Side> down(m), up(m);
    in_parallel(m, options.threads, [&](std::size_t j) {
      const double t = quantile(out.samples - static_cast<int>(m));
      std::tie(down[j], up[j]) = profilers[j].go(t * out.parameters[j].se);
    });
    if (given_up.first() < m) {
      // A better minimum than the search has found: intervals are those about it.
      const Profiler& who = profilers[given_up.first()];
      put(c, minimise(problem, c, c.coordinates(who.better()), options.least_squares), search);
      lowest = std::min({lowest, who.lowest(), search.cost});
      out = linear_confidence(problem, c, search, options);
      continue;
    }
    for (std::size_t j = 0; j < m; ++j) {
      Estimate& e = out.parameters[j];
      e.profile = {down[j].limit, up[j].limit, down[j].open, up[j].open};
      e.curve.assign(down[j].curve.rbegin(), down[j].curve.rend());
      e.curve.push_back({e.value, search.cost});
      e.curve.insert(e.curve.end(), up[j].curve.begin(), up[j].curve.end());
      lowest = std::min(lowest, profilers[j].lowest());
    }
    break;
  }
  out.lowest = std::min(lowest, out.cost);
  for (std::size_t j = 0; j < m; ++j) {
    judge(problem.unknowns()[j], out, j, out.parameters[j], options.profile);
  }
  return out;
}

}  // namespace bristle
