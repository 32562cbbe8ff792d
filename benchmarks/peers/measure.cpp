#include "measure.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include "allocations.hpp"

namespace bristle::peers {
namespace {

using Clock = std::chrono::steady_clock;

double ns_since(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}
double run(TestEngine& engine, int steps) {
  const Clock::time_point start = Clock::now();
  for (int i = 0; i < steps; ++i) engine.step(step);
  return ns_since(start);
}

}  // namespace

std::vector<RestRow> measure_rest(const std::vector<Contender>& contenders, int count, int rounds) {
  // After 2 s of rest Bullet lets bodies sleep.
  const int steps = std::max(100, 10000 / count), settle = 3000;
  const TestScene scene{.gravity = Vector3(0, 0, -9.81), .count = count};
  std::vector<RestRow> rows;
  std::vector<std::unique_ptr<TestEngine>> engines;
  std::vector<Vector3> settled;
  for (const Contender& contender : contenders) {
    engines.push_back(contender.make(scene));
    run(*engines.back(), settle);
    const Vector3 place = engines.back()->position();
    settled.push_back(place);
    rows.push_back({.engine = contender.engine,
                    .settings = contender.settings,
                    .count = count,
                    .ns = std::numeric_limits<double>::infinity(),
                    .depth = cli::half_height(scene.shape) - place.z()});
  }
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < engines.size(); ++i) {
      const long before = allocations();
      const double ns = run(*engines[i], steps);
      rows[i].allocations = static_cast<double>(allocations() - before) / steps;
      rows[i].ns = std::min(rows[i].ns, ns / steps / count);
    }
  }
  for (std::size_t i = 0; i < engines.size(); ++i) {
    rows[i].drift = (engines[i]->position() - settled[i]).norm() / (rounds * steps * step);
  }
  return rows;
}

std::vector<TrackRow> measure_track(const std::vector<Track>& tracks, int steps, int rounds) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  std::vector<TrackRow> rows;
  std::vector<std::vector<double>> best(
      tracks.size(), std::vector<double>(static_cast<std::size_t>(steps), infinite));
  for (const Track& track : tracks) {
    rows.push_back({.engine = track.engine, .settings = track.settings, .ns = infinite});
  }
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      const auto whole = tracks[i].make();
      const long before = allocations();
      rows[i].ns = std::min(rows[i].ns, run(*whole, steps) / steps);
      rows[i].allocations = static_cast<double>(allocations() - before) / steps;
      rows[i].position = whole->position();
      rows[i].velocity = whole->velocity();
      const auto single = tracks[i].make();
      for (double& ns : best[i]) {
        const Clock::time_point start = Clock::now();
        single->step(step);
        ns = std::min(ns, ns_since(start));
      }
    }
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::sort(best[i].begin(), best[i].end());
    rows[i].median = best[i][best[i].size() / 2];
    rows[i].worst = best[i].back();
  }
  return rows;
}

}  // namespace bristle::peers
