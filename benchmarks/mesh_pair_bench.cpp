// Cost of the overlap of two meshes: a step in coherent motion, and one through the whole trees.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bristle/shape/mesh_make.hpp"
#include "bristle/shape/mesh_pair.hpp"

namespace bristle {

void mesh_pair_table();

namespace {

using MeshPointer = std::shared_ptr<const Mesh>;
using Eigen::Quaterniond;

struct Case {
  std::string what;
  MeshPointer a, b;
  Pose pose;  ///< of B; A is at the origin
  Vector3 step = Vector3::Zero();
};

double microseconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}
double share(std::vector<double>& times, double part) {
  const auto place = times.begin() + std::ptrdiff_t(part * double(times.size() - 1));
  std::nth_element(times.begin(), place, times.end());
  return *place;
}

/// To and fro, 50 steps each way.
std::vector<double> coherent_times(const Case& c, MeshPair& pair, int steps) {
  Pose pose = c.pose;
  pair.prepare({}, pose);
  std::vector<double> times;
  for (int i = 0; i < steps + 50; ++i) {
    pose.position += (i / 50 % 2 == 0 ? 1 : -1) * c.step;
    const auto start = std::chrono::steady_clock::now();
    pair.find({}, pose);
    if (i >= 50) times.push_back(microseconds(std::chrono::steady_clock::now() - start));
  }
  return times;
}
std::vector<double> fresh_times(const Case& c, int steps) {
  MeshPair pair(c.a, c.b, {.coherent = false});
  pair.prepare({}, c.pose);
  std::vector<double> times;
  for (int i = 0; i < steps; ++i) {
    const auto start = std::chrono::steady_clock::now();
    pair.find({}, c.pose);
    times.push_back(microseconds(std::chrono::steady_clock::now() - start));
  }
  return times;
}

void row(const Case& c, int steps = 1000) {
  MeshPair pair(c.a, c.b);
  std::vector<double> times = coherent_times(c, pair, steps), fresh = fresh_times(c, steps / 20);
  const MeshPairWork work = pair.work();
  fmt::print("| {} | {} × {} | {} | {} | {:.1f} | {:.1f} | {:.1f} | {:.0f} |\n", c.what,
             c.a->triangles().size(), c.b->triangles().size(), work.segments, work.inside,
             share(times, 0.5), share(times, 0.99), share(times, 0), share(fresh, 0.5));
}

/// The first on top of the second, this deep.
Case ellipsoids(int n, double depth) {
  const Vector3 a(0.1, 0.08, 0.06), b(0.09, 0.07, 0.1);
  return {fmt::format("ellipsoids, {:g} mm", 1e3 * depth),
          Mesh::make(make_ellipsoid(a, n)),
          Mesh::make(make_ellipsoid(b, n)),
          {{0.0013, 0.0017, a.z() + b.z() - depth}, Quaterniond::Identity()},
          {1e-6, 5e-7, 0}};
}

void pegs() {
  // 0.1 mm of play all round; pressed 0.05 mm into the side.
  const MeshPointer peg = Mesh::make(make_peg({}, 64, 35));
  const MeshPointer block = Mesh::make(make_hole_block({}, 64, 32));
  const Quaterniond turn(Eigen::AngleAxisd(0.013, Vector3::UnitZ()));
  const Quaterniond tilt = Quaterniond(Eigen::AngleAxisd(0.008, Vector3::UnitX())) * turn;
  const auto at = [](double x) { return Vector3(x, 1e-5, 0.03); };
  row({"peg in hole, 0.05 mm into the side, 1 µm per step",
       peg,
       block,
       {at(1.5e-4), turn},
       {5e-8, 2e-8, 1e-6}});
  row({"the same, 10 µm per step", peg, block, {at(1.5e-4), turn}, {5e-7, 2e-7, 1e-5}});
  row({"peg tilted by 8 mrad", peg, block, {at(1e-5), tilt}, {5e-8, 2e-8, 1e-6}});
  row({"peg free", peg, block, {at(1e-5), turn}, {5e-8, 2e-8, 1e-6}});
}

void stars_and_boxes() {
  const Quaterniond turn = Quaterniond(0.3, 0.5, -0.2, 0.7).normalized();
  const MeshPointer a = Mesh::make(make_bumpy_sphere(0.1, 0.3, 5, 25));
  const MeshPointer b = Mesh::make(make_bumpy_sphere(0.1, 0.25, 4, 25));
  row({"stars, half way", a, b, {{0.07, 0.07, 0.07}, turn}, {1e-6, 5e-7, 2e-7}});
  row({"stars, deep", a, b, {{0.02, 0.03, 0.01}, turn}, {1e-6, 5e-7, 2e-7}});
  const MeshPointer box = Mesh::make(make_box({1, 1, 1}, 16, 16, 16));
  const Quaterniond none = Quaterniond::Identity();
  row({"boxes, face on face, gap 0", box, box, {{0, 0, 1}, none}}, 100);
  row({"boxes, half, sides flush", box, box, {{0, 0, 0.5}, none}}, 100);
  row({"boxes, identical", box, box, {{0, 0, 0}, none}}, 100);
}

}  // namespace

void mesh_pair_table() {
  fmt::print(
      "\n| mesh pairs | triangles | segments | inside vertices | µs, median | 99 % | least | whole "
      "trees |\n|---|---|---|---|---|---|---|---|\n");
  for (const double depth : {1e-4, 1e-3, 1e-2}) row(ellipsoids(25, depth));
  pegs();
  stars_and_boxes();
  for (const int n : {11, 35, 112, 354}) row(ellipsoids(n, 1e-3), 200);
  row(ellipsoids(354, 1e-2), 100);
}

}  // namespace bristle
