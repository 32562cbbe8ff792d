#include "bristle/identify/peg_record.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bristle/core/random.hpp"
#include "bristle/friction/replay.hpp"
#include "bristle/scenario/peg_geometry.hpp"

namespace bristle {
namespace {

constexpr double insertion_end = 10, hold_end = 11, removal_end = 21;  // s
constexpr double speed = 10e-3, ramp = 0.4, start_depth = -8e-3;
constexpr std::size_t finer = 10;  // steps of the law per sample

/// Way of a move that starts and ends with cosine ramps, t after its start.
double moved(double t, double duration) {
  const auto ramped = [](double s) {  // way while the speed rises
    return speed / 2 * (s - ramp / std::numbers::pi * std::sin(std::numbers::pi * s / ramp));
  };
  t = std::clamp(t, 0.0, duration);
  const double whole = speed * (duration - ramp);
  if (t < ramp) return ramped(t);
  if (t > duration - ramp) return whole - ramped(duration - t);
  return ramped(ramp) + speed * (t - ramp);
}

double depth_at(double t) {
  return start_depth + moved(t, insertion_end) - moved(t - hold_end, removal_end - hold_end);
}

struct Pose {
  double depth = 0, angle = 0;
  bool on_b = false, on_a = false;
};

/// The angle at which both walls touch, d cos θ + X_b sin θ = D, by Newton's method; the peg comes
/// with a larger one.
Pose pose_at(double t, const PegRecordOptions& o) {
  Pose pose{.depth = depth_at(t), .angle = o.angle};
  pose.on_b = pose.depth > o.root;
  const double over = pose.depth - o.root;
  const auto span = [&](double angle) {
    return o.width * std::cos(angle) + over * std::tan(angle) - o.hole;
  };
  pose.on_a = pose.on_b && span(o.angle) > 0;
  for (int i = 0; pose.on_a && i < 20; ++i) {
    const double c = std::cos(pose.angle);
    pose.angle -= span(pose.angle) / (over / (c * c) - o.width * std::sin(pose.angle));
  }
  return pose;
}

/// Pressing begins softly and grows with what is inside.
double pressing(double inside, double first, double per_metre) {
  constexpr double soft = 2e-3;
  return inside > 0 ? first * (1 - std::exp(-inside / soft)) + per_metre * inside : 0;
}

struct Truth {
  std::vector<double> t, depth, angle, n_a, n_b, v_a, v_b;
};

Truth truth_of(const PegRecordOptions& o) {
  Truth truth;
  const double dt = 1 / (o.rate * static_cast<double>(finer));
  const auto n = static_cast<std::size_t>(std::llround(removal_end / dt)) + 1;
  const double first_a = [&] {
    const double tilt = std::tan(o.angle);
    return (o.hole - o.width * std::cos(o.angle)) / tilt;
  }();
  for (std::size_t k = 0; k < n; ++k) {
    const double t = static_cast<double>(k) * dt;
    const Pose pose = pose_at(t, o);
    truth.t.push_back(t);
    truth.depth.push_back(pose.depth);
    truth.angle.push_back(pose.angle);
    truth.n_b.push_back(pressing(pose.depth - o.root, 12, 250));
    truth.n_a.push_back(pose.on_a ? pressing(pose.depth - o.root - first_a, 10, 400) : 0);
    constexpr double h = 1e-5;
    const Pose before = pose_at(t - h, o), after = pose_at(t + h, o);
    const PegPoint p0 = peg_contacts(before.depth, before.angle, o.width, o.root),
                   p1 = peg_contacts(after.depth, after.angle, o.width, o.root);
    truth.v_a.push_back((p1.along_a - p0.along_a) / (2 * h));
    truth.v_b.push_back((p1.along_b - p0.along_b) / (2 * h));
  }
  return truth;
}

std::vector<double> friction_of(const PegFriction& f, const Truth& truth,
                                const std::vector<double>& v, const std::vector<double>& fn) {
  const Replay replay(AnyLaw("mdsf-augmented"), {"mu", "k_f", "alpha", "beta"});
  std::vector<double> force(v.size());
  replay.run(std::vector<double>{f.mu, f.k_f, f.alpha, f.beta}, {truth.t, v, fn}, force);
  return force;
}

double normal_draw(std::uint64_t seed, std::uint64_t stream, std::uint64_t n) {
  const double u = uniform(seed, stream, 2 * n), v = uniform(seed, stream, 2 * n + 1);
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}

}  // namespace

Table peg_record(const PegRecordOptions& o) {
  const Truth truth = truth_of(o);
  std::vector<double> f_a = friction_of(o.a, truth, truth.v_a, truth.n_a);
  if (o.mu_a_removal) {
    PegFriction after = o.a;
    after.mu = *o.mu_a_removal;
    const std::vector<double> later = friction_of(after, truth, truth.v_a, truth.n_a);
    for (std::size_t k = 0; k < f_a.size(); ++k) {
      if (truth.t[k] > insertion_end) f_a[k] = later[k];
    }
  }
  const std::vector<double> f_b = friction_of(o.b, truth, truth.v_b, truth.n_b);
  Table table;
  table.names = {"t [s]",       "depth [m]",    "angle [rad]", "a_across [N]",
                 "a_along [N]", "b_across [N]", "b_along [N]"};
  table.columns.resize(table.names.size());
  for (std::size_t k = 0, row = 0; k < truth.t.size(); k += finer, ++row) {
    const auto noise = [&](std::uint64_t stream, double size) {
      return size > 0 ? size * normal_draw(o.seed, stream, row) : 0;
    };
    const PegForce b = off_edge(truth.n_b[k], f_b[k], truth.angle[k]);
    const double steps = o.depth_resolution > 0 ? truth.depth[k] / o.depth_resolution : 0;
    const double values[] = {
        truth.t[k],
        o.depth_resolution > 0 ? o.depth_resolution * std::round(steps) : truth.depth[k],
        truth.angle[k] + noise(0, o.angle_noise),
        truth.n_a[k] + o.drift + noise(1, o.noise),
        f_a[k] + o.drift + noise(2, o.noise),
        b.normal + o.drift + noise(3, o.noise),
        b.friction + o.drift + noise(4, o.noise)};
    for (std::size_t c = 0; c < table.columns.size(); ++c) table.columns[c].push_back(values[c]);
  }
  return table;
}

}  // namespace bristle
