#pragma once

// Scenes stepped by several engines in turn, so that the machine's moods fall on all of them alike;
// of many repetitions the best counts, since noise only adds.

#include <string>
#include <vector>

#include "engines.hpp"

namespace bristle::peers {

constexpr double step = 1e-3;

struct Contender {
  std::string engine, settings;
  cli::EngineMaker make;
};

struct RestRow {
  std::string engine, settings;
  int count = 0;
  double ns = 0;           ///< per body and step
  double allocations = 0;  ///< per step
  double depth = 0;        ///< of the first body in the plane, m
  double drift = 0;        ///< of its centre, m/s
};
std::vector<RestRow> measure_rest(const std::vector<Contender>& contenders, int count, int rounds);

struct TrackRow {
  std::string engine, settings;
  double ns = 0;                 ///< per step, over the whole run
  double allocations = 0;        ///< per step
  double median = 0, worst = 0;  ///< of single steps, each the best of all rounds, ns
  Vector3 position = Vector3::Zero(), velocity = Vector3::Zero();  ///< at the end
};
struct Track {
  std::string engine, settings;
  std::function<std::unique_ptr<TestEngine>()> make;
};
/// A motion from its start to its end, `rounds` times. It is the same each time: the time of a
/// hundred steps is the best of all rounds, their sum the time of the whole.
std::vector<TrackRow> measure_track(const std::vector<Track>& tracks, int steps, int rounds);

}  // namespace bristle::peers
