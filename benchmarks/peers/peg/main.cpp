// A peg that an arm pushes into a hole and holds there: contact by MuJoCo and by Bristle, the same
// arm, control and step of 1 ms.
//
//   bristle_peers_peg [--quick]        Markdown on standard output
//
// Noise: what is left of the force on a wall above 25 Hz (a running mean over 40 ms taken off)
// while the peg slides on both walls at 10 mm/s, root mean square over the last second of the
// insertion and both walls. Creep: how far the tip goes on from 1 s after the arm has stopped, over
// the next second and ten seconds, while control still pushes. Times: of whole steps with control,
// the best of all rounds for each of them.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <vector>

#include <fmt/format.h>

#include "rig.hpp"

namespace bristle::peers {
namespace {

struct Row {
  std::string engine, settings;
  double noise = 0, mean = 0, creep1 = 0, creep10 = 0, median = 0, worst = 0;
};

struct Log {
  std::vector<double> height, left, right, time;
};

Log follow(PegRig& rig, int steps) {
  Log log;
  for (int k = 0; k < steps; ++k) {
    const auto start = std::chrono::steady_clock::now();
    rig.advance();
    const auto end = std::chrono::steady_clock::now();
    log.time.push_back(std::chrono::duration<double>(end - start).count());
    log.height.push_back(rig.tip_height());
    const auto loads = rig.wall_loads();
    log.left.push_back(loads[0]);
    log.right.push_back(loads[1]);
  }
  return log;
}

/// Mean square about the running mean over `window` samples, from sample `a` to `b`.
double rough(const std::vector<double>& y, int a, int b, int window) {
  double sum = 0;
  for (int k = a; k < b; ++k) {
    double mean = 0;
    for (int i = k - window / 2; i <= k + window / 2; ++i) mean += y[static_cast<std::size_t>(i)];
    mean /= window + 1;
    const double off = y[static_cast<std::size_t>(k)] - mean;
    sum += off * off;
  }
  return sum / (b - a);
}

int sample(double t) { return static_cast<int>(std::lround(t / step)); }

Row measure(const std::string& engine, const std::string& settings,
            const std::function<std::unique_ptr<PegRig>()>& make, int rounds) {
  Row row{engine, settings};
  std::vector<double> best;
  Log log;
  for (int round = 0; round < rounds; ++round) {
    log = follow(*make(), sample(insertion + 11) + 1);
    if (best.empty()) best = log.time;
    for (std::size_t k = 0; k < best.size(); ++k) best[k] = std::min(best[k], log.time[k]);
  }
  const int a = sample(insertion - 1.4), b = sample(insertion - 0.4);  // at full speed
  row.noise = std::sqrt(0.5 * (rough(log.left, a, b, 40) + rough(log.right, a, b, 40)));
  for (int k = a; k < b; ++k) {
    row.mean += (log.left[static_cast<std::size_t>(k)] + log.right[static_cast<std::size_t>(k)]) /
                (2 * (b - a));
  }
  const auto height = [&](double t) { return log.height[static_cast<std::size_t>(sample(t))]; };
  row.creep1 = height(insertion + 1) - height(insertion + 2);
  row.creep10 = height(insertion + 1) - height(insertion + 11);
  std::sort(best.begin(), best.end());
  row.median = best[best.size() / 2];
  row.worst = best.back();
  return row;
}

/// In micrometres; what is rounding is no creep.
std::string creep(double way) {
  return std::abs(way) < 1e-12 ? "none" : fmt::format("{:.2g}", 1e6 * way);
}

void print(const Row& r) {
  fmt::print("| {} | {} | {:.3g} | {:.2g} | {} | {} | {:.1f} | {:.1f} |\n", r.engine, r.settings,
             r.mean, r.noise, creep(r.creep1), creep(r.creep10), 1e6 * r.median, 1e6 * r.worst);
}

void run(int rounds) {
  fmt::print(
      "MuJoCo {}, steps of {:g} ms.\n\n| contact by | settings | mean force on a wall (N) | noise "
      "(N rms) | creep in 1 s (µm) | in 10 s (µm) | median step (µs) | worst step (µs) |\n"
      "|---|---|---|---|---|---|---|---|\n",
      mj_versionString(), 1e3 * step);
  print(measure("Bristle", "WorldStepper", make_bristle_peg, rounds));
  print(measure("Bristle", "MujocoContact in MuJoCo's step", make_shared_peg, rounds));
  const MujocoContactSettings plain{.name = "as it comes"};
  const MujocoContactSettings hold{.name = "set to hold: elliptic, impratio 100, 10 noslip",
                                   .cone = "elliptic",
                                   .impratio = 100,
                                   .noslip = 10};
  MujocoContactSettings elliptic = hold, stiff = hold;
  elliptic.name = "elliptic, impratio 10";
  elliptic.impratio = 10;
  elliptic.noslip = 0;
  stiff.name = "set to hold, springs of 2 ms";
  stiff.time_constant = 0.002;
  for (const MujocoContactSettings& s : {plain, elliptic, hold, stiff}) {
    print(measure(
        "MuJoCo", s.name, [&] { return make_mujoco_peg(s); }, rounds));
  }
}

}  // namespace
}  // namespace bristle::peers

int main(int argc, char** argv) try {
  const bool quick = argc == 2 && std::string(argv[1]) == "--quick";
  if (argc > 2 || (argc == 2 && !quick)) {
    fmt::print(stderr, "usage: bristle_peers_peg [--quick]\n");
    return 2;
  }
  bristle::peers::run(quick ? 1 : 10);
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "bristle_peers_peg: {}\n", error.what());
  return 1;
}
