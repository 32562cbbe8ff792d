#pragma once

/// A drive with its controller, matched to a record of the closed loop.
///
/// At each sample k the controller reads the position and sets the force for the sample to come,
///
///   u_k = kv (kp (r_k − q_k) − v̂_k),  |u_k| ≤ limit,  v̂_k = (q_k − q_(k−n))/(n Δt),  F_k = gain
///   u_k
///
/// r the reference; n = `velocity_span` samples, 0: the true velocity. In between the drive moves
/// exactly (drive_plant.hpp). Nothing but the reference and the first samples of the position, for
/// the velocity at the start and what the controller remembers, comes from the record, so noise of
/// the measurement neither drives the model nor biases what is found, as it does in inverse
/// dynamics; what is not modelled has to be explained by the parameters all the same.
///
///   const LoopMatch problem(recording, DriveModel(symmetric_drive()), controller);
///   Search search = find_minimum(problem, {.starts = 4, .given = {problem.start()}});
///   const Confidence known = confidence_of(problem, search);
///   problem.errors(search.p).force;             // ‖F − F_measured‖/‖F_measured‖
///
/// Residuals are those of the force (N). In a loop this tight the position tells no more: it is
/// the force over kv kp, filtered.

#include "bristle/identify/drive_plant.hpp"
#include "bristle/identify/problem.hpp"

namespace bristle {

struct DriveController {
  double position_gain = 0;  ///< kp, 1/s
  double velocity_gain = 0;  ///< kv, command per m/s
  double force_gain = 1;     ///< N per command
  double limit = 0;          ///< of the command; 0: none
  int velocity_span = 1;     ///< n
};

struct LoopRun {
  std::vector<double> q{}, v{}, force{};
};

/// Relative errors, ‖model − measured‖/‖measured‖.
struct LoopErrors {
  double position = 0, force = 0;
};

struct LoopOptions {
  std::size_t first = 0;  ///< sample to start from, with the measured position and velocity
  std::size_t count = 0;  ///< samples; 0: to the end
};

class LoopMatch final : public Problem {
 public:
  /// `recording` has position, reference and force and is uniformly sampled. Ranges and start()
  /// come from the inverse dynamics of the same samples.
  LoopMatch(const Recording& recording, const DriveModel& model, const DriveController& controller,
            const LoopOptions& options = {}, const DriveOptions& inverse = {});

  int residuals() const noexcept override { return static_cast<int>(force_.size()); }
  /// False where dry friction would push, or the mass is not positive.
  bool evaluate(std::span<const double> p, std::span<double> r) const override;

  /// Least squares of the inverse dynamics, with the speeds as written.
  const std::vector<double>& start() const noexcept { return start_; }
  const DriveModel& model() const noexcept { return model_; }
  LoopRun run(std::span<const double> p) const;
  /// Over all samples but the first `skip`, in which the loop forgets how it started.
  LoopErrors errors(std::span<const double> p, std::size_t skip = 0) const;

 private:
  void add_unknowns(const Recording& part, const DriveOptions& inverse);
  template <class Each>
  bool simulate(std::span<const double> p, Each&& each) const;

  DriveModel model_;
  DriveController controller_;
  double step_ = 0, start_velocity_ = 0;
  std::vector<double> position_, reference_, force_;
  std::vector<double> before_;  ///< positions before the first sample, latest first
  std::vector<double> start_;
};

/// The samples [first, first + count) of a recording.
Recording part_of(const Recording& recording, std::size_t first, std::size_t count);

}  // namespace bristle
