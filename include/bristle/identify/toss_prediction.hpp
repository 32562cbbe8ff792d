#pragma once

/// Tosses predicted from their first sample, and how far the prediction goes astray.
///
/// The box meets the plane with its corners (system/world.hpp): restitution by `gonthier`, dry
/// friction by `coulomb`, one fixed step of at most a millisecond after the other (WorldStepper).
/// Tosses are chaotic in the small: an edge that lands a degree earlier sends the box elsewhere. So
/// the errors of single tosses say little, their mean or median over many a lot.

#include "bristle/identify/toss.hpp"
#include "bristle/identify/watch.hpp"

namespace bristle {

struct TossContact {
  double mu = 0.2, e = 0.2;
  /// N/m^1.5, of a corner; the motion hardly depends on it as long as it is stiff.
  double stiffness = 1e6;
};

struct TossModel {
  TossedBox box{};
  Vector3 inertia{0, 0, 0};  ///< body axes
  TossContact contact{};
  /// Of the recorded velocity: half a step of gravity brings it to the time of its sample.
  Difference velocity = Difference::central;
  double step = 1e-3;  ///< at most, s
};

/// Means over the samples after the first.
struct TossError {
  double position = 0, rotation = 0;  ///< m, rad
};

/// Poses at the samples of the toss; spins of the toss in world axes.
std::vector<Pose> predict(const Toss& toss, const TossModel& model);
TossError prediction_error(const Toss& toss, const TossModel& model);
/// Of all tosses, in their order, by several threads (0: as many as there are processors).
/// SearchStopped if the watch, where there is one, says so; so for what follows.
std::vector<TossError> prediction_errors(std::span<const Toss> tosses, const TossModel& model,
                                         int threads = 0, Watch* watch = nullptr);

/// Position error over the mean edge plus rotation error in rad, mean over the tosses.
double prediction_cost(std::span<const Toss> tosses, const TossModel& model, int threads = 0,
                       Watch* watch = nullptr);

/// Friction and restitution with the lowest prediction_cost, by a compass search from those of
/// `model`: steps of 0.04 and 0.1, halved until they are below 0.005 and 0.0125.
struct ContactMatch {
  TossContact contact{};
  double cost = 0, start_cost = 0;
  int evaluations = 0;
};
ContactMatch match_contact(std::span<const Toss> tosses, TossModel model, int threads = 0,
                           Watch* watch = nullptr);

}  // namespace bristle
