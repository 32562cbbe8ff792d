#include "bristle/area/support_fit.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include <Eigen/LU>

#include "bristle/core/error.hpp"

namespace bristle {
namespace {

std::vector<double> normalised(std::span<const double> shares) {
  double sum = 0;
  for (const double s : shares) sum += s;
  std::vector<double> out(shares.begin(), shares.end());
  for (double& s : out) s /= sum;
  return out;
}

/// (1 − s) shares + s rim.
std::vector<double> mixed(const SupportModel& model, double s) {
  std::vector<double> out = normalised(model.shares);
  if (model.rim.empty()) return out;
  const std::vector<double> rim = normalised(model.rim);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = (1 - s) * out[i] + s * rim.at(i);
  return out;
}

SupportLaw prior_of(const SupportModel& model) {
  if (model.places.size() != model.shares.size() ||
      (!model.rim.empty() && model.rim.size() != model.places.size())) {
    throw InputError({.message = "supports need a share of the load each"});
  }
  const auto shares = tilted_shares(model.places, mixed(model, model.rim_share), model.centre);
  if (!shares) {
    throw InputError({.message = "the supports cannot carry a weight there: one would have to pull",
                      .expected = "a centre of pressure between the supports"});
  }
  return {model.places, *shares, model.torsion};
}

/// Multiples of `step` up to `reach` either way.
std::vector<double> grid(double reach, double step) {
  const int n = static_cast<int>(std::floor(reach / step + 1e-9));
  std::vector<double> out;
  for (int i = -n; i <= n; ++i) out.push_back(i * step);
  return out;
}

std::vector<double> rim_grid(const SupportModel& model) {
  if (model.rim.empty()) return {model.rim_share};
  const int n = static_cast<int>(std::lround(1 / model.rim_step));
  std::vector<double> out;
  for (int i = 0; i <= n; ++i) out.push_back(static_cast<double>(i) / n);
  return out;
}

double square(double x) { return x * x; }

}  // namespace

std::optional<std::vector<double>> tilted_shares(std::span<const Point2> places,
                                                 std::span<const double> shares,
                                                 const Point2& centre) {
  std::vector<double> p = normalised(shares);
  Point2 mean = Point2::Zero();
  for (std::size_t i = 0; i < p.size(); ++i) mean += p[i] * places[i];
  Eigen::Matrix2d spread = Eigen::Matrix2d::Zero();
  for (std::size_t i = 0; i < p.size(); ++i) {
    spread += p[i] * (places[i] - mean) * (places[i] - mean).transpose();
  }
  const Point2 slope = spread.inverse() * (centre - mean);
  for (std::size_t i = 0; i < p.size(); ++i) p[i] *= 1 + slope.dot(places[i] - mean);
  if (!std::all_of(p.begin(), p.end(), [](double share) { return share >= 0; })) {
    return std::nullopt;
  }
  return p;
}

SupportFamily::SupportFamily(const SupportModel& model) : prior_(prior_of(model)) {
  const std::vector<double> offsets = grid(model.centre_reach, model.centre_step);
  for (const double x : offsets) {
    for (const double y : offsets) {
      for (const double rim : rim_grid(model)) {
        const Point2 centre = model.centre + Point2(x, y);
        const auto shares = tilted_shares(model.places, mixed(model, rim), centre);
        if (!shares) continue;
        laws_.emplace_back(model.places, *shares, model.torsion);
        centres_.push_back(centre);
        rims_.push_back(rim);
        energies_.push_back(0.5 * (x * x + y * y) / square(model.centre_sd) +
                            0.5 * square((rim - model.rim_share) / model.rim_sd));
      }
    }
  }
}

SupportTable::SupportTable(const SupportFamily& family, std::span<const LimitSample> samples,
                           double length) {
  for (const LimitSample& s : samples) {
    prior.push_back(predicted_motion(family.prior(), s.wrench, length));
    measured.push_back(unit_motion(s.motion, length));
  }
  for (const SupportLaw& law : family.laws()) {
    std::vector<Planar>& row = motions.emplace_back();
    for (const LimitSample& s : samples) row.push_back(predicted_motion(law, s.wrench, length));
  }
}

SupportPosterior posterior(const SupportFamily& family, const SupportTable& table,
                           std::span<const std::size_t> training) {
  const auto sum_of_angles = [&](const std::vector<Planar>& predicted) {
    double sum = 0;
    for (const std::size_t i : training) sum += motion_angle(predicted[i], table.measured[i]);
    return sum;
  };
  constexpr double least = 2 * std::numbers::pi / 180;
  const double count = std::fmax(1, static_cast<double>(training.size()));
  const double sigma = std::fmax(least, sum_of_angles(table.prior) / count);
  SupportPosterior out;
  for (std::size_t k = 0; k < family.laws().size(); ++k) {
    out.weights.push_back(sum_of_angles(table.motions[k]) / sigma + family.energies()[k]);
  }
  const auto least_of = std::min_element(out.weights.begin(), out.weights.end());
  out.best = static_cast<std::size_t>(least_of - out.weights.begin());
  for (const double lowest = *least_of; double& w : out.weights) w = std::exp(lowest - w);
  return out;
}

SupportLaw fit_supports(const SupportFamily& family, std::span<const LimitSample> samples,
                        double length) {
  const SupportTable table(family, samples, length);
  std::vector<std::size_t> all(samples.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return family.laws()[posterior(family, table, all).best];
}

Planar mean_motion(const SupportTable& table, const SupportPosterior& belief, std::size_t sample) {
  Planar sum = Planar::Zero();
  for (std::size_t k = 0; k < belief.weights.size(); ++k) {
    sum += belief.weights[k] * table.motions[k][sample];
  }
  return sum.normalized();
}

}  // namespace bristle
