// The step for real time on contacts over areas: restitution over the phases of the step, its own
// forces against the adaptive method, stress, and cost in CPU time of its thread.

#include <algorithm>
#include <cmath>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bristle/scenario/scenario.hpp"
#include "bristle/shape/mesh_make.hpp"
#include "bristle/solve/run.hpp"
#include "bristle/solve/world_step.hpp"

namespace bristle {

void patch_step_table();

namespace {

constexpr double h = 1e-3;

double cpu_microseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

World on_floor(const Shape& shape, double mass, double height, const VolumetricLaw& law) {
  World world;
  RigidBody floor;
  floor.name = "floor";
  floor.shape = HalfSpace{};
  floor.fixed = true;
  RigidBody body;
  body.shape = shape;
  body.mass = MassProperties::with_mass(shape, mass);
  body.pose.position = {0, 0, height};
  ContactPair pair;
  pair.a = world.add(body);
  pair.b = world.add(floor);
  pair.volumetric = law;
  world.pairs.push_back(pair);
  return world;
}

void restitution(const std::string& name, const Shape& shape, double top) {
  for (const double k_v : {1e7, 1e9, 1e11}) {
    std::string row = fmt::format("| {} | {:.0e} |", name, k_v);
    int looks = 0, substeps = 0;
    for (const double e : {0.2, 0.5, 0.7, 0.9, 1.0}) {
      VolumetricLaw law;
      law.e = e;
      law.k_v = k_v;
      law.v_floor = 1e-6;
      law.mu_s = law.mu_k = 0;
      double worst = 0;
      for (int phase = 0; phase < 20; ++phase) {
        World world = on_floor(shape, 2, top + 1e-3, law);
        world.gravity.setZero();
        world.bodies[0].velocity = {0, 0, -0.7};
        WorldStepper stepper(world);
        stepper.step((phase + 0.5) / 20 * h);
        for (int i = 0; i < 200 && stepper.impacts().empty(); ++i) stepper.step(h);
        const double off =
            stepper.impacts().empty() ? infinity : stepper.impacts()[0].restitution() - e;
        if (std::abs(off) > std::abs(worst)) worst = off;
        looks = std::max(looks, stepper.most_looks());
        substeps = std::max(substeps, stepper.most_substeps());
      }
      row += fmt::format(" {:.1e} |", worst);
    }
    fmt::print("{} {} | {} |\n", row, substeps, looks);
  }
}

/// Means over each step against the adaptive run in the middle of it: a trajectory of driven bodies
/// shows the law's forces whatever the method, so the step is asked itself.
void own_forces(const std::string& name, const std::vector<Setting>& settings, double duration) {
  const Scenario scenario = load_scenario(name, settings);
  RunOptions options = scenario.options;
  const int steps = static_cast<int>(std::lround(duration / h));
  options.duration = duration;
  options.method = "event";
  options.samples = 2 * steps;
  const RunResult exact = run(*scenario.world, options);
  const auto &t = exact.column("t"), &fn = exact.column("fn"), &fx = exact.column("f_x"),
             &fy = exact.column("f_y"), &fz = exact.column("f_z");
  WorldStepper stepper(*scenario.world);
  std::vector<double> times;
  double off = 0, all = 0, off_n = 0, all_n = 0, sum = 0;
  for (int i = 0; i < steps; ++i) {
    const double from = cpu_microseconds();
    stepper.step(h);
    times.push_back(cpu_microseconds() - from);
    sum += times.back();
    const auto k = static_cast<std::size_t>(
        std::lower_bound(t.begin(), t.end(), (i + 0.5) * h - 1e-9) - t.begin());
    const WorldStepper::PatchReading read = stepper.read_area(0);
    const Vector3 force(fx[k], fy[k], fz[k]);
    off += (read.force - force).squaredNorm();
    all += force.squaredNorm();
    off_n += (read.fn - fn[k]) * (read.fn - fn[k]);
    all_n += fn[k] * fn[k];
  }
  std::sort(times.begin(), times.end());
  const auto part = [&](double p) {
    return times[static_cast<std::size_t>(p * static_cast<double>(times.size() - 1))];
  };
  fmt::print("| {} | {:.1e} | {:.1e} | {:.2f} | {:.1f} | {:.1f} | {:.1f} | {} |\n", name,
             std::sqrt(off_n / all_n), std::sqrt(off / all), sum / steps, part(0.5), part(0.99),
             times.back(), stepper.most_looks());
}

/// Random bodies, laws and throws: energy that a body has gained from one flight to a later one.
void stress() {
  std::mt19937_64 random(1);
  const auto pick = [&](double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(random);
  };
  const Shape mesh = MeshShape{Mesh::make(make_box({0.1, 0.06, 0.04}))};
  for (const double stiffest : {1e9, 1e12}) {
    for (const auto& [name, shape] :
         {std::pair{"box", Shape(Box{{0.1, 0.06, 0.04}})}, std::pair{"sphere", Shape(Sphere{0.05})},
          std::pair{"cylinder", Shape(Cylinder{0.04, 0.08})}, std::pair{"mesh box", mesh}}) {
      double worst = 0, slowest = 0, sum = 0;
      long steps = 0;
      int gains = 0, substeps = 0;
      for (int c = 0; c < 20; ++c) {
        VolumetricLaw law;
        law.k_v = stiffest / std::pow(10, pick(0, 2));
        law.e = pick(0.1, 1);
        law.mu_s = pick(0.1, 0.7);
        law.mu_k = law.mu_s * pick(0.6, 1);
        law.sigma0 = std::pow(10, pick(3, 5));
        law.sigma1 = std::sqrt(law.sigma0) * std::pow(10, pick(-0.5, 0.5));
        law.v_s = std::pow(10, pick(-4, -2));
        World world = on_floor(shape, pick(0.2, 2.2), 0.15, law);
        RigidBody& body = world.bodies[0];
        body.pose.rotation = Eigen::Quaterniond(1, pick(0, 1), pick(0, 1), pick(0, 1)).normalized();
        body.velocity = {pick(-1, 1), pick(-1, 1), pick(-2, 0)};
        body.spin = {pick(-10, 10), pick(-10, 10), pick(-10, 10)};
        WorldStepper stepper(world);
        const double first = stepper.kinetic() + stepper.potential();
        double least = first, gain = 0;
        for (int i = 0; i < 1500; ++i) {
          const double from = cpu_microseconds();
          stepper.step(h);
          const double time = cpu_microseconds() - from;
          slowest = std::max(slowest, time);
          sum += time;
          ++steps;
          if (stepper.read_area(0).patches > 0) continue;
          const double now = stepper.kinetic() + stepper.potential();
          gain = std::isfinite(now) ? std::max(gain, now - least) : infinity;
          least = std::min(least, now);
        }
        worst = std::max(worst, gain / first);
        gains += gain > 1e-3 * first ? 1 : 0;
        substeps = std::max(substeps, stepper.most_substeps());
      }
      fmt::print("| {} | {:.0e} | {} | {:.1e} | {:.1f} | {:.0f} | {} |\n", name, stiffest, gains,
                 worst, sum / static_cast<double>(steps), slowest, substeps);
    }
  }
}

}  // namespace

void patch_step_table() {
  fmt::print("\nContacts over areas at 1 ms: restitution, largest error over 20 phases\n");
  fmt::print("| shape | k_V | e 0.2 | 0.5 | 0.7 | 0.9 | 1.0 | sub-steps | looks |\n");
  restitution("sphere", Sphere{0.1}, 0.1);
  restitution("flat box", Box{{0.1, 0.06, 0.04}}, 0.02);
  restitution("mesh ball", MeshShape{Mesh::make(make_sphere(0.1, 16))}, 0.1);
  fmt::print("\n| scenario | f_n off, rms | force off | mean us | median | 99 % | max | looks |\n");
  own_forces("slip-spin", {{"coupling", "disc", "", 0}}, 2);
  own_forces("rotation", {}, 4);
  own_forces("impact-driven", {}, 0.03);
  own_forces("block", {}, 0.36);
  own_forces("rolling-volumetric", {}, 2);
  own_forces("gears", {}, 0.5);
  own_forces("peg-in-hole-mesh", {}, 1.5);
  fmt::print(
      "\n| thrown | k_V up to | gains over 0.1 % of 20 | largest | mean us | max | sub-steps |\n");
  stress();
}

}  // namespace bristle
