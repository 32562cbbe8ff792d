#include "bristle/identify/online.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bristle/core/error.hpp"

namespace bristle {
namespace {

std::vector<std::string> names_of(const std::vector<Tracked>& parameters) {
  std::vector<std::string> names;
  for (const Tracked& p : parameters) names.push_back(p.name);
  return names;
}

void check(const std::vector<Tracked>& parameters, const OnlineOptions& options) {
  for (const Tracked& p : parameters) {
    const bool fine = p.low < p.high && p.start >= p.low && p.start <= p.high && p.walk >= 0 &&
                      p.spread >= 0 && std::isfinite(p.low) && std::isfinite(p.high);
    if (fine) continue;
    throw InputError(
        {.message = "a tracked parameter needs low < high, a start between them, and a "
                    "walk and spread that are not negative",
         .key = p.name,
         .value =
             fmt::format("start {:g} in [{:g}, {:g}], walk {:g}", p.start, p.low, p.high, p.walk)});
  }
  if (!(options.noise > 0) || !std::isfinite(options.noise)) {
    throw InputError({.message = "the noise of the force",
                      .key = "noise",
                      .value = fmt::format("{:g}", options.noise),
                      .expected = "a standard deviation above 0 N"});
  }
}

double spread_of(const Tracked& p) { return p.spread > 0 ? p.spread : (p.high - p.low) / 4; }

}  // namespace

OnlineEstimator::OnlineEstimator(const AnyLaw& law, std::vector<Tracked> parameters,
                                 const OnlineOptions& options)
    : parameters_(std::move(parameters)), options_(options) {
  check(parameters_, options_);
  law_ = Replay(law, names_of(parameters_)).stepper();
  reset();
}

void OnlineEstimator::reset() noexcept {
  covariance_ = {};
  for (std::size_t j = 0; j < size(); ++j) {
    p_[j] = parameters_[j].start;
    const double s = spread_of(parameters_[j]);
    covariance_[j][j] = s * s;
  }
  started_ = false;
  innovation_ = expected_sd_ = 0;
}

double OnlineEstimator::sd(std::size_t j) const noexcept {
  return std::sqrt(std::max(0.0, covariance_[j][j]));
}

/// The random walk, up to the variance at the start: what is not seen for long is not known worse
/// than when nothing had been seen.
void OnlineEstimator::grow(double dt) noexcept {
  for (std::size_t j = 0; j < size(); ++j) {
    const double walk = parameters_[j].walk, top = spread_of(parameters_[j]);
    const double room = top * top - covariance_[j][j];
    covariance_[j][j] += std::clamp(walk * walk * dt, 0.0, std::max(0.0, room));
  }
}

/// Each that leaves its range is held at the end of it; the others are moved to what is likeliest
/// under that condition. Without this their share of the innovation would be lost, while P, which
/// has taken it for learnt, would let them make up for it slowly.
void OnlineEstimator::hold_in_ranges() noexcept {
  std::array<Row, most> given = covariance_;  // what is held already being known
  for (std::size_t held = 0; held < size(); ++held) {
    std::size_t i = 0;
    while (i < size() && p_[i] >= parameters_[i].low && p_[i] <= parameters_[i].high) ++i;
    if (i == size()) return;
    const double end = std::clamp(p_[i], parameters_[i].low, parameters_[i].high);
    const double missing = end - p_[i], variance = given[i][i];
    const Row with = given[i];
    for (std::size_t j = 0; j < size() && variance > 0; ++j) {
      p_[j] += with[j] / variance * missing;
      for (std::size_t k = 0; k < size(); ++k) given[j][k] -= with[j] * with[k] / variance;
    }
    p_[i] = end;
    for (std::size_t j = 0; j < size(); ++j) given[i][j] = given[j][i] = 0;
  }
}

void OnlineEstimator::update(double dt, double v, double fn, double force) noexcept {
  if (!(std::isfinite(v) && std::isfinite(fn) && std::isfinite(force) && std::isfinite(dt))) return;
  const std::size_t m = size();
  fn = std::max(fn, 0.0);
  if (!started_) {
    law_->reset(v, fn);
    started_ = true;
    dt = 0;
  }
  if (!(dt >= 0)) return;
  grow(dt);
  Row slope{}, gain{};
  const double expected =
      law_->step({p_.data(), m}, dt, v, fn, force, std::span<double>(slope.data(), m));
  if (!std::isfinite(expected)) return;
  double s = options_.noise * options_.noise;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < m; ++j) gain[i] += covariance_[i][j] * slope[j];
    s += slope[i] * gain[i];
  }
  if (!std::isfinite(s) || !(s > 0)) return;
  expected_sd_ = std::sqrt(s);
  innovation_ = force - expected;
  const double taken = std::clamp(innovation_, -5 * expected_sd_, 5 * expected_sd_);
  for (std::size_t i = 0; i < m; ++i) p_[i] += gain[i] * taken / s;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      covariance_[i][j] -= gain[i] * gain[j] / s;
      covariance_[j][i] = covariance_[i][j];
    }
  }
  hold_in_ranges();
}

}  // namespace bristle
