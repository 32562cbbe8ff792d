#pragma once

/// Friction of a law along recorded slip, with its derivatives by the law's parameters.
///
///   Replay replay(law, {"mu_s", "mu_k", "v_s"});
///   replay.run(values, samples, force);               // numbers only
///   replay.run(values, samples, force, by);           // and dF_k/dp_j, row-major samples × p
///   replay.slopes(values, slip, state, force_by, rate_by);   // ∂F/∂p, ∂ż/∂p at one point
///
/// The derivatives are exact: the same formulas in dual numbers, through every state and step.
/// Slip and load are linear between samples; over each interval the law takes its own step with the
/// mean slip frozen, as run_prescribed does. A set-valued law at rest answers with the measured
/// force as far as its limit allows; a hybrid law that comes to rest starts at the friction it had.
///
/// Limits: on a line, for laws that are neither random nor a table; modes change at samples, so
/// that a derivative does not see the shift of a change of mode between two of them.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bristle/friction/any_law.hpp"

namespace bristle {

/// A record of slip on a line. `f_e` is the measured force, or empty.
struct SlipSamples {
  std::span<const double> t, v, fn, f_e{};
};

class Replay {
 public:
  /// Whether there are such derivatives: not of random laws, tables, and laws with two sides.
  static bool can_play(const AnyLaw& law);
  /// Parameters that are not named keep the values of `law`. InputError for an unknown name, a flag
  /// or count, an asymmetric or a random law.
  Replay(const AnyLaw& law, std::vector<std::string> parameters);

  const AnyLaw& law() const noexcept { return law_; }
  const std::vector<std::string>& parameters() const noexcept { return names_; }

  /// force[k] at each sample; false where it is not finite.
  bool run(std::span<const double> values, const SlipSamples& samples,
           std::span<double> force) const noexcept;
  bool run(std::span<const double> values, const SlipSamples& samples, std::span<double> force,
           std::span<double> by) const noexcept;

  /// At one point, with slip and state held: force_by[j] = ∂F/∂p_j, rate_by[k · p + j] = ∂ż_k/∂p_j,
  /// 0 for counters and modes. `state` as Group::save() gives it.
  void slopes(std::span<const double> values, const Slip<double, 1>& slip,
              std::span<const double> state, std::span<double> force_by,
              std::span<double> rate_by) const noexcept;

  /// run() one sample at a time, for up to four parameters: the law's state and its derivatives
  /// are kept between calls, while the parameters may change. Neither allocates nor throws after it
  /// is made.
  class Stepper {
   public:
    virtual ~Stepper() = default;
    /// At rest under the load fn.
    virtual void reset(double v, double fn) noexcept = 0;
    /// Friction after dt more, at slip v and load fn; `by` gets its derivatives. `measured` is what
    /// a set-valued law at rest answers with, as far as it can.
    virtual double step(std::span<const double> values, double dt, double v, double fn,
                        double measured, std::span<double> by) noexcept = 0;
  };
  std::unique_ptr<Stepper> stepper() const;

  /// All parameters of the law, and which of them is which of `values` (−1: none).
  struct Values {
    std::vector<std::string> names;
    std::vector<double> fixed;
    std::vector<int> free;
  };
  struct Player;

 private:
  AnyLaw law_;
  std::vector<std::string> names_;
  Values values_;
  std::shared_ptr<const Player> player_;
};

}  // namespace bristle
