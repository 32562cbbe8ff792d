#pragma once

/// What an integrator and the event loop see of a system: differential equations with events.
///
/// Between events y follows rhs(); energies and impulses are quadratures beside it. A guard that
/// rises through 0 is an event, at which handle() may change modes and y. `Dynamics` (rigs) and
/// `WorldDynamics` (bodies in contact) are such systems.

#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace bristle {

struct RunEvent {
  double t = 0;
  std::string kind{};  ///< "stick", "slip", "break-away", "mode", "gap-closes", "touch", "stop", …
  int where = -1;      ///< contact, gap or stop
  double value = 0;    ///< what the kind says: energy lost in a jump, speed at a stop
};

class Equations {
 public:
  virtual ~Equations() = default;

  virtual int size() const noexcept = 0;
  virtual int quadratures() const noexcept = 0;
  virtual std::vector<double> initial() = 0;
  /// Typical sizes of the components, for absolute tolerances.
  virtual std::vector<double> scales() const = 0;

  virtual void rhs(double t, std::span<const double> y, std::span<double> dy) noexcept = 0;
  virtual void quadrature(double t, std::span<const double> y, std::span<double> dq) noexcept = 0;
  /// Both from one evaluation.
  virtual void rhs_and_quadrature(double t, std::span<const double> y, std::span<double> dy,
                                  std::span<double> dq) noexcept = 0;
  /// d(rhs)/dy, row-major.
  virtual void jacobian(double t, std::span<const double> y, std::span<double> matrix) noexcept = 0;
  virtual long evaluations() const noexcept = 0;
  /// Longest step that delays allow.
  virtual double longest_step() const noexcept { return std::numeric_limits<double>::infinity(); }
  /// Whether ∂(rhs)/∂t is a constant between breaks and changes of mode.
  virtual bool is_even() const noexcept { return false; }

  // ---- time -------------------------------------------------------------------------------
  /// Times in (0, duration) at which sources are not smooth.
  virtual std::vector<double> breaks(double duration) const = 0;
  /// Until the next call sources are seen as they are before `end`, at which they may jump.
  virtual void set_horizon(double end) noexcept = 0;
  /// A sampled controller acts at multiples of this; 0: none.
  virtual double sampling_period() const noexcept { return 0; }
  virtual void sample(int /*k*/, std::span<const double> /*y*/) {}

  // ---- events -----------------------------------------------------------------------------
  virtual int guards() const noexcept = 0;
  /// Guards that are events in both directions, in [first, second).
  virtual std::pair<int, int> two_way_guards() const noexcept = 0;
  virtual void guard_values(double t, std::span<const double> y,
                            std::span<double> values) noexcept = 0;
  /// Changes modes and y for the guards that have risen.
  virtual void handle(double t, std::span<double> y, std::span<const bool> risen,
                      std::vector<RunEvent>& events) = 0;
  /// Modes that fit y and t: at the start and wherever a source breaks.
  virtual void settle(double t, std::span<double> y, std::vector<RunEvent>& events) = 0;
  /// After each step; true if y was changed enough to ask for a restart.
  virtual bool accept(double t, std::span<double> y, std::vector<RunEvent>& events) = 0;
  /// Whether changes of mode are found as events (adaptive methods) or at the ends of steps.
  virtual void locate_modes(bool located) noexcept = 0;

 protected:
  Equations() = default;
  Equations(const Equations&) = default;
  Equations& operator=(const Equations&) = default;
  Equations(Equations&&) = default;
  Equations& operator=(Equations&&) = default;
};

}  // namespace bristle
