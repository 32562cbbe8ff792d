#pragma once

// Follows a run of a world and keeps what the report draws of it.

#include <vector>

#include "bristle/solve/run.hpp"
#include "bristle/solve/world_dynamics.hpp"

namespace bristle::detail {

class SceneRecorder {
 public:
  SceneRecorder(WorldDynamics& dynamics, const RunOptions& options);

  /// Frames that are due until `to`, on the solution of the step that ends there or later.
  void until(Integrator& integrator, double to);
  /// Right after the dynamics have looked at (t, y): the start, the end of a step, or past an
  /// event.
  void follow(double t, std::span<const double> y);
  /// The same at the end.
  Scene finish(double t, std::span<const double> y);

 private:
  /// A contact from touch-down to parting.
  struct Spell {
    bool open = false;
    double fn = 0;
    SceneFrame touch{}, peak{};
  };
  void fill(double t, std::span<const double> y, SceneFrame& frame) const;
  void follow_contact(Spell& spell, bool touching, double fn, double t, std::span<const double> y);
  void keep(const Spell& spell, const SceneFrame* part);
  void follow_stage(double t);
  void close_stage(double t);
  std::string stage_text() const;
  std::vector<SceneFrame> merged_frames();

  WorldDynamics& f_;
  Scene scene_;
  double interval_ = 0, duration_;
  long count_ = 0, next_ = 0;
  std::vector<double> y_;
  std::vector<double> signs_;  ///< of each pair: 1 if the force on A is shown, −1 if that on B
  // Instants beside the even ones: of every `stride_`-th spell, so that there are never many.
  std::vector<Spell> spells_;  ///< of each contact
  std::vector<std::vector<SceneFrame>> instants_;
  std::size_t most_instants_ = 0;
  long stride_ = 1, seen_spells_ = 0;
  // Stages
  std::vector<bool> touching_, touched_;  ///< of each pair, now and since the last change
  bool flies_ = false, in_stage_ = false;
  double stage_from_ = 0, shortest_ = 0;
};

}  // namespace bristle::detail
