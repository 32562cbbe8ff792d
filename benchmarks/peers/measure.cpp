#include "measure.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>

#include "allocations.hpp"

namespace bristle::peers {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double slice = 2e6;            ///< ns
constexpr int warm_up = 3, block = 100;  ///< steps

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
  constexpr int settle = 3000;  // after 2 s of rest Bullet lets bodies sleep
  const TestScene scene{.gravity = Vector3(0, 0, -9.81), .count = count};
  std::vector<RestRow> rows;
  std::vector<std::unique_ptr<TestEngine>> engines;
  std::vector<Vector3> settled;
  std::vector<int> steps;
  for (const Contender& contender : contenders) {
    engines.push_back(contender.make(scene));
    // Slices of equal time: a shorter one would be spared more of the machine's noise. Ten steps
    // at least, after some that bring the scene back into the cache.
    const double one = run(*engines.back(), settle) / settle;
    steps.push_back(std::max(10, static_cast<int>(slice / one)));
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
      run(*engines[i], warm_up);
      const long before = thread_allocations();
      const double ns = run(*engines[i], steps[i]);
      rows[i].allocations = static_cast<double>(thread_allocations() - before) / steps[i];
      rows[i].ns = std::min(rows[i].ns, ns / steps[i] / count);
    }
  }
  for (std::size_t i = 0; i < engines.size(); ++i) {
    rows[i].drift =
        (engines[i]->position() - settled[i]).norm() / (rounds * (warm_up + steps[i]) * step);
  }
  return rows;
}

std::vector<TrackRow> measure_track(const std::vector<Track>& tracks, int steps, int rounds) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const auto blocks = static_cast<std::size_t>(steps / block);
  std::vector<TrackRow> rows;
  std::vector<std::vector<double>> by_block(tracks.size(), std::vector<double>(blocks, infinite));
  std::vector<std::vector<double>> by_step(tracks.size(),
                                           std::vector<double>(blocks * block, infinite));
  for (const Track& track : tracks) {
    rows.push_back({.engine = track.engine, .settings = track.settings});
  }
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      const auto whole = tracks[i].make();
      const long before = thread_allocations();
      for (double& ns : by_block[i]) ns = std::min(ns, run(*whole, block));
      rows[i].allocations = static_cast<double>(thread_allocations() - before) / steps;
      rows[i].position = whole->position();
      rows[i].velocity = whole->velocity();
      const auto single = tracks[i].make();
      for (double& ns : by_step[i]) ns = std::min(ns, run(*single, 1));
    }
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].ns = std::accumulate(by_block[i].begin(), by_block[i].end(), 0.0) / steps;
    std::sort(by_step[i].begin(), by_step[i].end());
    rows[i].median = by_step[i][by_step[i].size() / 2];
    rows[i].worst = by_step[i].back();
  }
  return rows;
}

}  // namespace bristle::peers
