// A sphere as a mesh on a half-space: Bristle's MeshHalfSpace beside the ElasticFoundationForce of
// Simbody, the same meshes and poses, one run, one thread.
//
//   bristle_peers_mesh [--quick]        Markdown on standard output
//
// Both sides give force and torque with friction. Times are the best of many rounds in which the
// two take turns, per pose, over poses that turn the mesh at random, so caches are cold as in no
// coherent motion. Simbody is asked for a realisation up to the forces of one free body; what that
// takes without contact is printed and not subtracted. Debian's libsimbody has Simbody's debug
// checks on; a release build of it is faster.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include <fmt/format.h>

#include "bristle/shape/mesh_half_space.hpp"
#include "bristle/shape/mesh_make.hpp"
#include "simbody.hpp"

namespace bristle::peers {
namespace {

constexpr double radius = 0.1, stiffness = 1e9, mu = 0.4;

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::vector<Pose> random_poses(double depth, int count) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<Pose> poses;
  for (int i = 0; i < count; ++i) {
    Eigen::Quaterniond q;
    q.coeffs() << normal(random), normal(random), normal(random), normal(random);
    poses.push_back({Vector3(0, 0, radius - depth), q.normalized()});
  }
  return poses;
}

/// Force k V n and friction at the centre of pressure, on the body.
Wrench push(std::span<const Overlap> patches, const Pose& pose, const Vector3& velocity) {
  Wrench total;
  for (const Overlap& overlap : patches) {
    const Patch patch = make_patch(overlap);
    const Vector3 n = patch.normal;  // from the body into the half-space
    const Vector3 slip = velocity - velocity.dot(n) * n;
    const double load = stiffness * patch.volume, speed = slip.norm();
    Vector3 force = -load * n;
    if (speed > 0) force -= mu * load / speed * slip;
    total.force += force;
    total.torque += (patch.surface_centroid - pose.position).cross(force);
  }
  return total;
}

struct Result {
  double seconds = std::numeric_limits<double>::infinity();
  double low = std::numeric_limits<double>::infinity(), high = 0;  ///< F/(k V), V that of the cap

  void offer(double ratio) { low = std::min(low, ratio), high = std::max(high, ratio); }
};

struct Pair {
  Result bristle, simbody;
};

Pair compare(MeshHalfSpace& finder, SimbodyMesh* simbody, double depth, int rounds) {
  const double ideal = std::numbers::pi * depth * depth * (radius - depth / 3);
  const std::vector<Pose> poses = random_poses(depth, 40);
  const Vector3 velocity(0.3, 0.1, 0);
  Pair pair;
  for (int round = 0; round < rounds; ++round) {
    Clock::time_point start = Clock::now();
    for (const Pose& pose : poses) {
      const Wrench w = push(finder.find(pose, {}), pose, velocity);
      pair.bristle.offer(w.force.z() / (stiffness * ideal));
    }
    const auto count = static_cast<double>(poses.size());
    pair.bristle.seconds = std::min(pair.bristle.seconds, seconds_since(start) / count);
    if (simbody == nullptr) continue;
    start = Clock::now();
    for (const Pose& pose : poses) {
      pair.simbody.offer(simbody->push(pose, velocity).force.z() / (stiffness * ideal));
    }
    pair.simbody.seconds = std::min(pair.simbody.seconds, seconds_since(start) / count);
  }
  return pair;
}

void print_comparison(const std::vector<int>& cuts, int rounds) {
  fmt::print(
      "| triangles | depth (mm) | Bristle (µs) | Simbody (µs) | ratio | F/(kV) Bristle | F/(kV) "
      "Simbody |\n|---|---|---|---|---|---|---|\n");
  for (const int n : cuts) {
    const auto mesh = Mesh::make(make_sphere(radius, n));
    MeshHalfSpace finder(mesh);
    SimbodyMesh simbody(*mesh, stiffness, mu);
    for (const double depth : {1e-4, 1e-3, 1e-2}) {
      const auto [own, other] = compare(finder, &simbody, depth, rounds);
      fmt::print("| {} | {:g} | {:.2f} | {:.1f} | {:.1f} | {:.4f} … {:.4f} | {:.4f} … {:.4f} |\n",
                 mesh->triangles().size(), 1e3 * depth, 1e6 * own.seconds, 1e6 * other.seconds,
                 other.seconds / own.seconds, own.low, own.high, other.low, other.high);
    }
    const auto [own, other] = compare(finder, &simbody, -1e-3, rounds);
    fmt::print("| {} | apart | {:.2f} | {:.1f} | | | |\n", mesh->triangles().size(),
               1e6 * own.seconds, 1e6 * other.seconds);
  }
}

void print_growth(int rounds) {
  fmt::print(
      "\n| triangles | Mesh::make (s) | MeshHalfSpace (s) | 0.1 mm (µs) | 1 mm (µs) | 10 mm (µs) "
      "|\n|---|---|---|---|---|---|\n");
  for (const int n : {11, 32, 112, 354}) {
    Clock::time_point start = Clock::now();
    const auto mesh = Mesh::make(make_sphere(radius, n));
    const double make = seconds_since(start);
    start = Clock::now();
    MeshHalfSpace finder(mesh);
    const double set_up = seconds_since(start);
    fmt::print("| {} | {:.3f} | {:.3f} |", mesh->triangles().size(), make, set_up);
    for (const double depth : {1e-4, 1e-3, 1e-2}) {
      fmt::print(" {:.2f} |", 1e6 * compare(finder, nullptr, depth, rounds).bristle.seconds);
    }
    fmt::print("\n");
  }
}

}  // namespace
}  // namespace bristle::peers

int main(int argc, char** argv) try {
  const bool quick = argc > 1 && std::string(argv[1]) == "--quick";
  fmt::print("Sphere of {:g} m on a half-space; Simbody {} as Debian builds it, checks on.\n\n",
             bristle::peers::radius, bristle::peers::simbody_version());
  bristle::peers::print_comparison({16, 32, 64}, quick ? 3 : 20);
  bristle::peers::print_growth(quick ? 3 : 20);
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "bristle_peers_mesh: {}\n", error.what());
  return 1;
}
