// Friction read from a recorded motion: F = (applied force − m a) along the slip.

#include <algorithm>
#include <cmath>
#include <limits>

#include "bristle/identify/filter.hpp"
#include "bristle/identify/motion_match.hpp"
#include "bristle/identify/robust.hpp"
#include "bristle/system/mechanics.hpp"

namespace bristle {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

bool is_even(const std::vector<double>& t) {
  const double step = (t.back() - t.front()) / static_cast<double>(t.size() - 1);
  for (std::size_t k = 1; k < t.size(); ++k) {
    if (std::abs(t[k] - t[k - 1] - step) > 1e-3 * step) return false;
  }
  return true;
}

RecordedFriction along(const Mechanics& mechanics, const Recording& r,
                       const std::vector<const std::vector<double>*>& positions) {
  const double step = (r.t.back() - r.t.front()) / static_cast<double>(r.size() - 1);
  std::vector<std::vector<double>> q, u, a;
  for (const auto* position : positions) {
    q.push_back(*position);
    u.push_back(savitzky_golay(*position, {.points = 7, .degree = 3, .derivative = 1}, step));
    a.push_back(savitzky_golay(*position, {.points = 7, .degree = 3, .derivative = 2}, step));
  }
  const std::size_t n = positions.size();
  std::vector<double> now(n), speed(n), force(n);
  RecordedFriction out;
  for (std::size_t k = 0; k < r.size(); ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      now[i] = q[i][k];
      speed[i] = u[i][k];
    }
    mechanics.applied(r.t[k], now, speed, force);
    // J F = applied − M a, in the least-squares sense where several bodies take part.
    double above = 0, below = 0;
    for (const Mechanics::Entry& entry : mechanics.slip_row(0, 0)) {
      if (entry.coordinate < 0) continue;
      const auto i = static_cast<std::size_t>(entry.coordinate);
      above += entry.factor * (force[i] - a[i][k] / mechanics.inverse_mass()[i]);
      below += entry.factor * entry.factor;
    }
    out.slip.push_back(mechanics.slip_along(0, r.t[k], speed));
    out.force.push_back(below > 0 ? above / below : 0);
    out.load.push_back(mechanics.load(0, r.t[k]));
  }
  return out;
}

}  // namespace

RecordedFriction recorded_friction(const Rig& rig, const Recording& recording,
                                   const std::vector<Observed>& observe) {
  if (rig.contacts.size() != 1 || recording.size() < 20 || !is_even(recording.t)) return {};
  const Mechanics mechanics(rig);
  std::vector<const std::vector<double>*> positions;
  for (std::size_t b = 0; b < rig.bodies.size(); ++b) {
    const std::string number = rig.bodies.size() > 1 ? std::to_string(b + 1) : "";
    const std::string column = (rig.bodies[b].rotational ? "phi" : "x") + number;
    const auto found = std::find_if(observe.begin(), observe.end(),
                                    [&](const Observed& o) { return o.column == column; });
    if (rig.bodies[b].axes != 1 || found == observe.end()) return {};
    positions.push_back(&recording.at(found->role));
  }
  return along(mechanics, recording, positions);
}

FrictionLevels levels_of(const Rig& rig, const Recording& recording,
                         const std::vector<Observed>& observe) {
  FrictionLevels levels{unknown, unknown, 0};
  const RecordedFriction at = recorded_friction(rig, recording, observe);
  if (at.slip.empty()) return levels;
  double fastest = 0;
  for (const double v : at.slip) fastest = std::max(fastest, std::abs(v));
  // Well above what noise makes of rest: a part of the fastest slip.
  const double slow = 0.1 * fastest, fast = 0.3 * fastest;
  std::vector<double> sliding, peaks;
  double peak = 0;
  bool rests = false;
  for (std::size_t k = 0; k < at.slip.size(); ++k) {
    const double speed = std::abs(at.slip[k]);
    const double ratio = at.load[k] > 0 ? std::abs(at.force[k]) / at.load[k] : 0;
    if (speed > fast) {
      sliding.push_back(at.force[k] * at.slip[k] < 0 ? -ratio : ratio);
      if (rests) peaks.push_back(peak);
      rests = false;
      peak = 0;
    } else {
      peak = std::max(peak, ratio);
      if (speed < slow) rests = true;
    }
  }
  levels.sliding = median_value(sliding);
  levels.slips = static_cast<int>(peaks.size());
  levels.breaking = median_value(peaks);
  return levels;
}

}  // namespace bristle
