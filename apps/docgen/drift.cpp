// How far a contact moves while a pull below its static level goes up and down.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>

#include "contact.hpp"

namespace bristle::docgen {
namespace {

// ---- the largest force at rest ------------------------------------------------------------------

/// The force at which a slow pull from rest first makes the contact give way.
double first_peak(const AnyLaw& law) {
  constexpr int steps = 2000;
  const double speed = slow_speed(law) / 1000, reach = 8 * presliding_distance(law);
  LoneContact contact(law);
  double peak = 0, path = 0;
  for (double step = reach / steps; step > 1e-9 * reach && path < reach;) {
    const double force = contact.advance(speed, step / speed);
    if (force < peak) {  // too far: once more with a smaller step
      contact.go_back();
      step /= 2;
    } else {
      contact.keep();
      peak = force;
      path += step;
    }
  }
  return peak;
}

double largest_steady(const AnyLaw& law) {
  constexpr int points = 2000;
  const double range = speed_range(law);
  double largest = 0;
  for (int i = 1; i <= points; ++i) {
    largest = std::max(largest, law.steady(range * i / points, load));
  }
  return largest;
}

double static_level_of(const AnyLaw& law) {
  if (law.info().can(Capability::set_valued)) return law.stick_set(load).max;
  return law.info().can(Capability::memory) ? first_peak(law) : largest_steady(law);
}

// ---- a contact that carries a given pull --------------------------------------------------------

/// Finds in every step the slip after which friction equals the pull: there is no inertia.
class PulledContact {
 public:
  /// `stride` is less than the width of any peak of the force, m.
  PulledContact(const AnyLaw& law, double stride) : contact_(law), stride_(stride) {}

  /// Displacement over dt.
  double step(double pull, double dt) {
    const double at_rest = excess(0, pull, dt);
    double v = 0;
    if (std::abs(at_rest) > enough) {
      const double direction = at_rest < 0 ? 1.0 : -1.0;
      v = direction * speed(direction, pull, dt, direction * at_rest);
      speed_ = std::abs(v);
    }
    contact_.go_back();
    contact_.advance(v, dt, pull);
    contact_.keep();
    return v * dt;
  }

 private:
  static constexpr double enough = 1e-13;  // N
  static constexpr double least = 1e-15, most = 1e3;

  double excess(double v, double pull, double dt) {
    contact_.go_back();
    return contact_.advance(v, dt, pull) - pull;
  }

  /// The lowest speed in this direction at which the excess, negative at rest, has grown to 0.
  double speed(double direction, double pull, double dt, double at_rest) {
    const auto value = [&](double s) { return direction * excess(direction * s, pull, dt); };
    double low = 0, below = at_rest;
    double high = std::max(least, std::min(speed_, stride_ / dt)), above = value(high);
    while (above < 0) {
      low = high;
      below = above;
      high += std::min(high, stride_ / dt);
      above = value(high);
      if (high > most) throw std::runtime_error("a contact does not carry a pull below its level");
    }
    return crossing(value, low, below, high, above);
  }

  /// Regula falsi, after a few steps in turn with bisection: there the force jumps.
  template <class F>
  static double crossing(const F& value, double low, double below, double high, double above) {
    for (int i = 0; i < 300 && high - low > 1e-12 * high; ++i) {
      if (above < enough) return high;
      double middle = 0.5 * (low + high);
      if (i < 3 || i % 2 == 0)
        middle = std::clamp(low - below * (high - low) / (above - below), low, high);
      const double there = value(middle);
      if (std::abs(there) < enough) return middle;
      if (there < 0) {
        low = middle;
        below = there;
      } else {
        high = middle;
        above = there;
      }
    }
    return high;
  }

  LoneContact contact_;
  double stride_;
  double speed_ = 0;  // of the step before
};

/// The contact of one law and how it is pulled.
struct Pulling {
  const AnyLaw& law;
  double level;   // N
  double stride;  // m

  /// Displacement per cycle after settling, m. The pull grows from 0 in the first cycle.
  double per_cycle(const VaryingPull& pull, int steps) const {
    PulledContact contact(law, stride);
    const double dt = 1 / (drift_frequency * steps);
    double moved = 0;
    for (int cycle = 0; cycle < drift_settling + drift_measured; ++cycle) {
      for (int i = 1; i <= steps; ++i) {
        const double phase = static_cast<double>(i) / steps;
        const double share = pull.mean + pull.swing * std::sin(2 * std::numbers::pi * phase);
        const double dx = contact.step(level * share * (cycle == 0 ? phase : 1.0), dt);
        if (cycle >= drift_settling) moved += dx;
      }
    }
    return moved / drift_measured;
  }
};

struct Converged {
  double per_cycle;
  int steps;
};

Converged converged(const Pulling& pulling, const VaryingPull& pull) {
  constexpr int finest = 1 << 16;
  double coarse = pulling.per_cycle(pull, drift_coarsest);
  for (int steps = 2 * drift_coarsest; steps < finest; steps *= 2) {
    const double fine = pulling.per_cycle(pull, steps);
    const double allowed = std::max(drift_accuracy * std::abs(fine), no_drift);
    if (std::abs(fine - coarse) < allowed) return {fine, steps};
    coarse = fine;
  }
  throw std::runtime_error(fmt::format("the drift of '{}' does not converge", pulling.law.name()));
}

}  // namespace

Drift drift_of(const AnyLaw& law) {
  Drift drift{.law = law, .level = static_level_of(law)};
  const bool memory = law.info().can(Capability::memory);
  const Pulling pulling{law, drift.level, memory ? presliding_distance(law) / 50 : infinity};
  for (std::size_t k = 0; k < varying_pulls.size(); ++k) {
    const Converged run = converged(pulling, varying_pulls[k]);
    drift.per_cycle[k] = std::abs(run.per_cycle) < no_drift ? 0.0 : run.per_cycle;
    drift.steps = std::max(drift.steps, run.steps);
  }
  return drift;
}

}  // namespace bristle::docgen
