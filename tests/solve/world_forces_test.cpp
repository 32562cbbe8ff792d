// Forces that are shown are those that acted: on a slope, friction holds with m g sin α and makes a
// ball roll with 2/7 of it, whatever the law and the method, in columns and in real time.

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bristle/solve/realtime_step.hpp"
#include "worlds.hpp"

namespace bristle {
namespace {

using testing::add_pair;
using testing::body;
using testing::flat_floor;
using testing::normal_law;

constexpr double ten_degrees = 10 * testing::degree, load_mass = 1.5;

/// Friction enough to hold, and nothing viscous.
AnyLaw holding_law(const std::string& name) {
  AnyLaw law(name);
  const auto set = [&](const char* key, double value) {
    if (law.info().find(key) != nullptr) law.set(key, value);
  };
  set("mu_s", 0.6);
  set("mu_k", 0.5);
  set("sigma2", 0);
  set("mu_v", 0);
  set("f_v", 0);
  return law;
}

World on_slope(const Shape& shape, double height, const std::string& law) {
  World world;
  const Eigen::Quaterniond tilt(Eigen::AngleAxisd(ten_degrees, Vector3::UnitY()));
  const double sites = std::holds_alternative<Box>(shape) ? 4 : 1;
  const double k = 1e7;
  const double depth =
      std::pow(load_mass * testing::g * std::cos(ten_degrees) / (sites * k), 2.0 / 3);
  RigidBody made = body("body", shape, load_mass, tilt * Vector3(0, 0, height - depth));
  made.pose.rotation = tilt;
  RigidBody plane = flat_floor();
  plane.pose.rotation = tilt;
  const Side side = world.add(made);
  add_pair(world, side, world.add(plane), normal_law(k, 0.2), holding_law(law));
  return world;
}
World block(const std::string& law) { return on_slope(Box{{0.1, 0.1, 0.05}}, 0.025, law); }
World ball(const std::string& law) { return on_slope(Sphere{0.1}, 0.1, law); }

const double holding_force = load_mass * testing::g * std::sin(ten_degrees);

/// These have a spring and nothing that damps it: they go on swinging about the force that holds.
bool swings(const std::string& law) {
  return law == "armstrong-7" || law == "mdsf-bristle" || law == "dahl";
}

class ForcesShown : public ::testing::TestWithParam<std::string> {
 protected:
  static RunResult run_steps(const World& world, double settled_after) {
    RunOptions options;
    options.duration = settled_after;
    options.method = "bristle";
    options.samples = static_cast<int>(1000 * settled_after);
    return run(world, options);
  }
  /// In each step friction changes the momentum along the slope. Energy that a contact made is
  /// taken back as momentum too, which is not friction: next to nothing where friction is damped.
  static void expect_momentum(const World& world, const RunResult& result) {
    const std::vector<double>&vx = result.column("vx"), &vz = result.column("vz"),
          &friction = result.column("F");
    const auto along = [&](std::size_t i) {
      return std::cos(ten_degrees) * vx[i] - std::sin(ten_degrees) * vz[i];
    };
    const double m = world.bodies[0].mass.mass;
    const double within = (swings(GetParam()) ? 5e-3 : 1e-5) * holding_force;
    for (std::size_t i = 1; i < vx.size(); ++i) {
      const double acted = holding_force - m * (along(i) - along(i - 1)) / 1e-3;
      ASSERT_NEAR(friction[i], std::abs(acted), within) << "row " << i;
    }
  }
  static void expect_rest(const World& world, const RunResult& result, double settled_after,
                          double friction) {
    const double load = load_mass * testing::g * std::cos(ten_degrees);
    EXPECT_NEAR(result.final("F"), friction, 1e-6 * friction) << "in columns";
    EXPECT_NEAR(result.final("fn"), load, 1e-6 * load) << "in columns";
    RealTimeOptions real;
    real.columns = {"F", "fn"};
    RealTimeStep core(world, real);
    for (int i = 0; i < static_cast<int>(1000 * settled_after); ++i) core.step();
    EXPECT_NEAR(core.outputs()[0], friction, 1e-6 * friction) << "in real time";
    EXPECT_NEAR(core.outputs()[1], load, 1e-6 * load) << "in real time";
  }
  static void expect_forces(const World& world, double settled_after, double friction) {
    const RunResult result = run_steps(world, settled_after);
    expect_momentum(world, result);
    if (!swings(GetParam())) expect_rest(world, result, settled_after, friction);
  }
};

class ForcesShownOfABlock : public ForcesShown {};

TEST_P(ForcesShownOfABlock, HoldIt) { expect_forces(block(GetParam()), 0.6, holding_force); }
TEST_P(ForcesShown, RollABall) { expect_forces(ball(GetParam()), 1.5, 2.0 / 7 * holding_force); }

/// Four contacts of a few hundred bonds, each of which slips for itself, take minutes.
std::vector<std::string> laws_for_a_block() {
  std::vector<std::string> list = AnyLaw::names();
  std::erase(list, "bristle");
  return list;
}
std::string law_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Every, ForcesShownOfABlock, ::testing::ValuesIn(laws_for_a_block()),
                         law_name);
INSTANTIATE_TEST_SUITE_P(Every, ForcesShown, ::testing::ValuesIn(AnyLaw::names()), law_name);

}  // namespace
}  // namespace bristle
