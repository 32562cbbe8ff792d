#include "bristle/identify/drive_loop.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>
#include <fmt/format.h>

#include "bristle/core/error.hpp"
#include "bristle/identify/prepare.hpp"

namespace bristle {
namespace {

/// A parabola through the positions around a sample, in steps from it: records begin in motion, and
/// the controller remembers samples from before.
Eigen::Vector3d parabola_at(const std::vector<double>& q, std::size_t sample) {
  constexpr std::size_t reach = 4;
  const std::size_t from = sample - std::min(sample, reach);
  const std::size_t to = std::min(q.size(), from + 2 * reach + 1);
  Eigen::MatrixXd powers(static_cast<Eigen::Index>(to - from), 3);
  Eigen::VectorXd values(powers.rows());
  for (std::size_t k = from; k < to; ++k) {
    const double x = static_cast<double>(k) - static_cast<double>(sample);
    const auto row = static_cast<Eigen::Index>(k - from);
    powers.row(row) << 1, x, x * x;
    values[row] = q[k];
  }
  return powers.colPivHouseholderQr().solve(values);
}

double largest(const Eigen::VectorXd& values) { return values.cwiseAbs().maxCoeff(); }

void check(const Recording& recording, const DriveController& c) {
  for (const char* role : {"position", "reference", "force"}) recording.at(role);
  const auto refuse = [&](const char* key, double value, const char* expected) {
    throw InputError({.message = "a controller cannot be like this",
                      .key = key,
                      .value = fmt::format("{:g}", value),
                      .expected = expected});
  };
  if (!(c.velocity_gain > 0)) refuse("velocity_gain", c.velocity_gain, "more than 0");
  if (!(c.position_gain >= 0)) refuse("position_gain", c.position_gain, "0 or more");
  if (!(c.force_gain > 0)) refuse("force_gain", c.force_gain, "more than 0");
  if (c.velocity_span < 0) refuse("velocity_span", c.velocity_span, "0 or more samples");
}

}  // namespace

Recording part_of(const Recording& recording, std::size_t first, std::size_t count) {
  Recording part = recording;
  const auto cut = [&](auto& values) {
    const auto from = values.begin() + static_cast<long>(std::min(first, values.size()));
    const auto to = values.begin() + static_cast<long>(std::min(first + count, values.size()));
    values = std::remove_cvref_t<decltype(values)>(from, to);
  };
  cut(part.t);
  cut(part.lines);
  for (std::vector<double>& column : part.columns) cut(column);
  return part;
}

LoopMatch::LoopMatch(const Recording& recording, const DriveModel& model,
                     const DriveController& controller, const LoopOptions& options,
                     const DriveOptions& inverse)
    : model_(model), controller_(controller), step_(sampling_step(recording)) {
  check(recording, controller);
  const std::size_t first = std::min(options.first, recording.size());
  const std::size_t left = recording.size() - first;
  const Recording part =
      part_of(recording, first, options.count == 0 ? left : std::min(options.count, left));
  position_ = part.at("position");
  reference_ = part.at("reference");
  force_ = part.at("force");
  const std::vector<double>& q = recording.at("position");
  const Eigen::Vector3d start = parabola_at(q, first);
  start_velocity_ = start[1] / step_;
  for (std::size_t k = 1; k <= static_cast<std::size_t>(controller_.velocity_span); ++k) {
    const auto x = -static_cast<double>(k);
    before_.push_back(first >= k ? q[first - k] : start[0] + x * (start[1] + x * start[2]));
  }
  add_unknowns(part, inverse);
}

void LoopMatch::add_unknowns(const Recording& part, const DriveOptions& inverse) {
  const LinearProblem linear = drive_problem(part, model_.terms(), inverse);
  const LinearFit fit = fit_linear(linear);
  const double most = largest(linear.measured);
  for (Eigen::Index j = 0; j < fit.estimate.size(); ++j) {
    const auto i = static_cast<std::size_t>(j);
    const double value = fit.estimate[j];
    Unknown u{.name = model_.names()[i], .unit = model_.units()[i]};
    if (static_cast<int>(i) == model_.mass_at()) {
      const double mass = std::max(value, 1e-6 * most / largest(linear.regressors.col(j)));
      start_.push_back(mass);
      u.log = true;
      u.low = mass / 30;
      u.high = mass * 30;
      u.usual_low = mass / 2;
      u.usual_high = mass * 2;
    } else {
      // The factor with which the term alone makes the largest force.
      const double scale = most / std::max(largest(linear.regressors.col(j)), 1e-300);
      const double around = std::max(0.5 * std::abs(value), 0.02 * scale);
      start_.push_back(value);
      u.high = 4 * scale + 2 * std::abs(value);
      u.low = -u.high;
      u.usual_low = value - around;
      u.usual_high = value + around;
    }
    unknowns_.push_back(std::move(u));
  }
  for (std::size_t k = 0; k < model_.speeds().size(); ++k) {
    const std::size_t i = model_.terms().size() + k;
    const double s = model_.speeds()[k];
    start_.push_back(s);
    unknowns_.push_back({.name = model_.names()[i],
                         .unit = model_.units()[i],
                         .low = s / 30,
                         .high = s * 30,
                         .usual_low = s / 3,
                         .usual_high = s * 3,
                         .log = true});
  }
}

/// Calls each(k, state, force) for all samples; false where the model makes no sense.
template <class Each>
bool LoopMatch::simulate(std::span<const double> p, Each&& each) const {
  const DrivePlant plant = model_.at(p);
  if (!(plant.mass > 0)) return false;
  const std::size_t span = before_.size();
  const double limit = controller_.limit > 0 ? controller_.limit : INFINITY;
  std::vector<double> past(before_.rbegin(), before_.rend());  // a ring: the oldest at k % span
  DriveState state{position_.front(), start_velocity_};
  for (std::size_t k = 0; k < force_.size(); ++k) {
    double v = state.v;
    if (span > 0) {
      double& oldest = past[k % span];
      v = (state.q - oldest) / (static_cast<double>(span) * step_);
      oldest = state.q;
    }
    const double wanted = controller_.position_gain * (reference_[k] - state.q) - v;
    const double force =
        controller_.force_gain * std::clamp(controller_.velocity_gain * wanted, -limit, limit);
    each(k, state, force);
    if (!plant.is_dissipative(state.q) || !std::isfinite(force)) return false;
    plant.advance(state, force, step_);
  }
  return true;
}

bool LoopMatch::evaluate(std::span<const double> p, std::span<double> r) const {
  return simulate(
      p, [&](std::size_t k, const DriveState&, double force) { r[k] = force - force_[k]; });
}

LoopRun LoopMatch::run(std::span<const double> p) const {
  LoopRun run;
  simulate(p, [&](std::size_t, const DriveState& state, double force) {
    run.q.push_back(state.q);
    run.v.push_back(state.v);
    run.force.push_back(force);
  });
  return run;
}

LoopErrors LoopMatch::errors(std::span<const double> p, std::size_t skip) const {
  double q2 = 0, dq2 = 0, f2 = 0, df2 = 0;
  const bool done = simulate(p, [&](std::size_t k, const DriveState& state, double force) {
    if (k < skip) return;
    q2 += position_[k] * position_[k];
    dq2 += (state.q - position_[k]) * (state.q - position_[k]);
    f2 += force_[k] * force_[k];
    df2 += (force - force_[k]) * (force - force_[k]);
  });
  if (!done) return {INFINITY, INFINITY};
  return {std::sqrt(dq2 / q2), std::sqrt(df2 / f2)};
}

}  // namespace bristle
