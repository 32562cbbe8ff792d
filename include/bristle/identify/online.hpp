#pragma once

/// Parameters followed while they change, one sample at a time.
///
///   OnlineEstimator track(AnyLaw("coulomb-regularised"),
///                         {{.name = "mu_k", .start = 0.2, .low = 0, .high = 1, .walk = 0.01}},
///                         {.noise = 0.1});
///   track.update(1e-3, v, fn, force);      // at 1 kHz: no allocation, no exception, bounded time
///   track.value(0), track.sd(0);
///
/// A recursive prediction-error method (Ljung): the law runs along with the measured slip in dual
/// numbers, so that its state carries its derivatives by the parameters; the innovation e = F − F̂
/// moves them as in a Kalman filter,
///
///   P ← P + Q dt,   s = ψᵀPψ + r²,   p ← p + Pψ e/s,   P ← P − Pψψᵀ P/s,     ψ = ∂F̂/∂p
///
/// with a random walk Q = walk². Where nothing is learnt (ψ = 0: at rest, unloaded) P grows only
/// back to what it was at the start. Innovations of more than five standard deviations count as
/// five: one bad sample does not throw the estimate. Parameters stay in their ranges: one that
/// would leave its range is held at the end of it, and the others go where they would have gone had
/// that been known, p ← p + P_i δ/P_ii. P does not know of ranges, so it comes back at its own
/// pace.
///
/// The walk sets the pace: with n samples a second a parameter is followed within about
/// r/(ψ walk √n) seconds, and wanders by about √(walk r/(ψ √n)) around its value. Some walk is
/// needed even for constants where the law is not linear in them.
///
/// Limits: up to four parameters of a law on a line. The state of a law with memory is that of past
/// values of its parameters: a pace that is not slow against its loops follows its own errors, and
/// settles in the wrong place. Give such laws a small walk, or a noise above the sensor's.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "bristle/friction/replay.hpp"

namespace bristle {

struct Tracked {
  std::string name{};
  double start = 0, low = 0, high = 1;
  double spread = 0;  ///< standard deviation at the start; 0: a quarter of the range
  double walk = 0;    ///< by how much it may wander in a second, as a standard deviation; unit/√s
};

struct OnlineOptions {
  double noise = 0.1;  ///< standard deviation of the force, N
};

class OnlineEstimator {
 public:
  static constexpr std::size_t most = 4;

  /// InputError for an unknown parameter, more than four, a range or a noise that is none.
  OnlineEstimator(const AnyLaw& law, std::vector<Tracked> parameters,
                  const OnlineOptions& options = {});

  /// Takes in a sample dt after the last one: slip, load, friction measured. A sample that is not
  /// finite is left out.
  void update(double dt, double v, double fn, double force) noexcept;
  /// The next sample does not follow the last one (another recording, a gap): the law is at rest
  /// then, what is known of its parameters stays.
  void pause() noexcept { started_ = false; }
  /// Back to the start.
  void reset() noexcept;

  std::size_t size() const noexcept { return parameters_.size(); }
  const Tracked& parameter(std::size_t j) const noexcept { return parameters_[j]; }
  double value(std::size_t j) const noexcept { return p_[j]; }
  double sd(std::size_t j) const noexcept;
  /// F − F̂ of the last sample, N, and the standard deviation that was expected of it.
  double innovation() const noexcept { return innovation_; }
  double expected_sd() const noexcept { return expected_sd_; }

 private:
  using Row = std::array<double, most>;
  void grow(double dt) noexcept;
  void hold_in_ranges() noexcept;

  std::vector<Tracked> parameters_;
  OnlineOptions options_;
  std::unique_ptr<Replay::Stepper> law_;
  Row p_{};
  std::array<Row, most> covariance_{};
  double innovation_ = 0, expected_sd_ = 0;
  bool started_ = false;
};

}  // namespace bristle
