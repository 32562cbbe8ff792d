// Cost of the overlap of each pair of shapes: random poses, from grazing to deep.

#include <array>
#include <chrono>
#include <string>

#include <fmt/format.h>

#include "bristle/shape/overlap_pairs.hpp"
#include "timing.hpp"

namespace bristle {

void overlap_table();

namespace {

class Draw {
 public:
  double number(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  Pose pose() {
    std::normal_distribution<double> normal;
    const auto next = [&] { return normal(random_); };
    const Eigen::Quaterniond q(next(), next(), next(), next());
    return {{number(-1, 1), number(-1, 1), number(-1, 1)}, q.normalized()};
  }

 private:
  std::mt19937_64 random_{5};
};

/// Microseconds, the best of several runs.
double time_of(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  std::array<Overlap, 1> out;
  double best = 1e300;
  for (int run = 0; run < 10; ++run) {
    const auto start = std::chrono::steady_clock::now();
    overlap(a, pose_a, b, pose_b, out);
    benchmark::ClobberMemory();
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count());
  }
  return best;
}

}  // namespace

void overlap_table() {
  const std::array<Shape, 8> shapes{Sphere{0.5},        Ellipsoid{{0.3, 0.5, 0.7}},
                                    Box{{0.6, 0.8, 1}}, Capsule{0.3, 0.8},
                                    Cylinder{0.4, 0.8}, Cone{0.4, 0.8},
                                    HalfSpace{},        Bore{0.7}};
  fmt::print("\n| overlap | median µs | longest µs |\n|---|---|---|\n");
  Draw draw;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    for (std::size_t j = i; j < shapes.size(); ++j) {
      if (!can_overlap(shapes[i], shapes[j])) continue;
      std::vector<double> times;
      while (times.size() < 300) {
        std::array<Overlap, 1> out;
        const Pose a = draw.pose(), b = draw.pose();
        if (overlap(shapes[i], a, shapes[j], b, out) == 0 || !make_patch(out[0]).directed) continue;
        times.push_back(time_of(shapes[i], a, shapes[j], b));
      }
      std::sort(times.begin(), times.end());
      fmt::print("| {} – {} | {:.1f} | {:.1f} |\n", name(shapes[i]), name(shapes[j]),
                 times[times.size() / 2], times.back());
    }
  }
}

}  // namespace bristle
