#pragma once

/// The recipe `tosses`: restitution and friction of a rigid box that is tossed onto a plane.
///
///   recipe: tosses
///   title: Cube on a board
///   data:
///     file: tosses.csv
///     columns:
///       toss:     toss                                     # the number of the toss
///       time:     {column: t, unit: s}
///       position: {columns: [x, y, z], unit: m}            # of the centre; z is up
///       rotation: {columns: [qw, qx, qy, qz]}              # body to world
///       velocity: {columns: [vx, vy, vz], unit: m/s}
///       spin:     {columns: [wx, wy, wz], unit: rad/s}     # the frame is found out
///   edges: [104.8 mm, 104.8 mm, 104.8 mm]
///   mass: 0.37 kg
///   gravity: 9.81 m/s^2
///   plane: 0 m                     # its height
///   held_out: 0.5                  # share of the tosses, the last ones
///   compare: {authors: {mu: 0.18, e: 0.125}}      # predictions to set beside ours
///   match: 60                      # tosses to match friction and restitution to as a whole; 0:
///   none seed: 1                        # of the bootstrap threads: 0
///
/// What is found: restitution at first impacts on a corner and friction from those that slide, with
/// intervals; friction from sliding on a face; what is odd about the record; and the errors of
/// predicting held-out tosses from their first sample.

#include <limits>

#include "bristle/identify/recipe.hpp"
#include "bristle/identify/toss_prediction.hpp"

namespace bristle {

struct NamedContact {
  std::string name{};
  TossContact contact{};
};

struct TossTask {
  std::string title{}, file{};
  std::vector<std::string> steps{};  ///< what was done to the data, in words
  std::vector<Toss> tosses{};
  TossedBox box{};
  double held_out = 0.5;
  std::vector<NamedContact> compare{};
  int match = std::numeric_limits<int>::max();  ///< tosses to match as a whole
  std::uint64_t seed = 1;
  int threads = 0;
};

/// Meaning of the columns and scale of the lengths.
struct TossOddities {
  SpinExam spin{};
  VelocityExam velocity{};
  Spread free_fall{};   ///< m/s², negative
  Spread rest_ratio{};  ///< height at rest over half the edge
  /// Free fall and rest agree that lengths are too short or too long by this factor; 1 if not.
  double scale = 1;
  Spread depth{};           ///< of a sharp corner below the plane at the time of impact, m
  Spread inertia_factor{};  ///< over that of the solid box
};

/// Restitution and friction of first impacts on a corner.
struct ImpactFindings {
  Spread restitution{};
  std::array<Spread, 3> by_sample{};  ///< by the last sample of the jump, the next, the one after
  std::array<Spread, 3> by_samples_alone{};  ///< the same, and before the impact by a sample too
  Spread friction{};                         ///< of impacts that slid all through
  std::vector<double> samples{};             ///< that each jump takes
  double effective_mass = 0;                 ///< of the corner along the normal, median
};

/// Of the held-out tosses.
struct PredictionFindings {
  NamedContact by{};
  std::vector<TossError> errors{};
  Spread position_mean{}, position_median{}, rotation_mean{}, rotation_median{};
};

/// Errors of another contact minus those of ours, toss by toss: positive where ours is better.
struct PredictionGain {
  std::string ours{}, other{};
  Spread position{}, rotation{};  ///< means
};

struct TossResult {
  TossOddities odd{};
  TossedBox box{};  ///< in the lengths of the record
  double least_jump = 0;
  std::vector<CornerImpact> corners{};
  ImpactFindings impacts{};
  std::vector<double> slides{};      ///< decelerations
  Spread face_friction{};            ///< by the gravity of the task
  Spread face_friction_in_record{};  ///< by the free fall of the record
  double longest_contact = 0;        ///< s
  double least_stiffness = 0;        ///< N/m of a linear spring that parts within that
  int training = 0;
  ContactMatch match{};
  std::vector<PredictionFindings> predictions{};
  std::vector<PredictionGain> gains{};  ///< over each contact to compare with
  /// Prediction error of `stiffness` times ten, over that of our first contact, minus one.
  double stiffness_effect = 0;
};

TossTask read_tosses(const Document& document);
/// SearchStopped if the watch, where there is one, says so.
TossResult identify_tosses(const TossTask& task, Watch* watch = nullptr);
RecipeResult toss_report(const TossTask& task, const TossResult& result);
RecipeResult run_tosses(const Document& document, Watch& watch);

}  // namespace bristle
