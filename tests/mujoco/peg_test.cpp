// The peg in its hole, carried by arms of MuJoCo.

#include <algorithm>
#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bristle/mujoco/mechanism.hpp"
#include "bristle/mujoco/reach.hpp"
#include "bristle/mujoco/robot.hpp"
#include "bristle/scenario/scenario.hpp"
#include "bristle/solve/world_step.hpp"

namespace bristle {
namespace {

/// A reader of robots for the length of a test.
struct WithRobots {
  WithRobots() { set_robot_reader(read_robot); }
  WithRobots(const WithRobots&) = delete;
  WithRobots& operator=(const WithRobots&) = delete;
  WithRobots(WithRobots&&) = delete;
  WithRobots& operator=(WithRobots&&) = delete;
  ~WithRobots() { set_robot_reader({}); }
};

TEST(MujocoPeg, ScenariosWithRobotsAreListedWhereRobotsAreKnown) {
  const auto lists = [](const char* name) {
    const auto& names = scenario_names();
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  EXPECT_FALSE(lists("peg-in-hole-arm7"));
  EXPECT_TRUE(lists("peg-in-hole"));
  EXPECT_THROW(load_scenario("peg-in-hole-arm7"), InputError);
  const WithRobots with_robots;
  EXPECT_TRUE(lists("peg-in-hole-arm7"));
  EXPECT_NO_THROW(load_scenario("peg-in-hole-arm7"));
}

/// models/arm3.xml is the arm of the scenario peg-in-hole: two programs for one arm and one
/// control.
TEST(MujocoPeg, ThePlanarArmIsOurPlanarArm) {
  World ours = *load_scenario("peg-in-hole").world;
  const Side tool = ours.pairs[0].a;
  const MujocoModel model = parse_mujoco_model(builtin_mujoco_model("arm3.xml"), "arm3.xml");
  const std::vector<double> over(model->key_qpos, model->key_qpos + model->nq);
  Pose tip = point_pose(*model, over, "tip");
  tip.position = {2.5e-3, 0, 8e-3};
  tip.rotation = Eigen::AngleAxisd(0.08, Vector3::UnitY()) * tip.rotation;
  World theirs = ours;
  theirs.mechanisms = {std::make_shared<MujocoMechanism>(
      *model,
      MujocoRobot{.name = "arm",
                  .links = {"peg"},
                  .places = reach(*model, over, "tip", tip),
                  .control = TaskImpedance{
                      .at = "tip",
                      .stiffness = {2e3, 0, 20e3},
                      .damping = {90, 0, 350},
                      .turning = {0, 40, 0},
                      .turn_damping = {0, 1.2, 0},
                      .velocity = {Signal{}, Signal{}, Signal::table({0, 0.4}, {0, -10e-3})}}})};
  for (ContactPair& pair : theirs.pairs) pair.a = {Side::Kind::mechanism, 0, 0};

  WorldStepper a(theirs), b(ours);
  const auto mine = ours.mechanisms[0]->clone(), other = theirs.mechanisms[0]->clone();
  double apart = 0;
  int touching = 0;
  for (int k = 0; k < 2000; ++k) {  // over the chamfer and on along the wall
    a.step(1e-3);
    b.step(1e-3);
    other->place(a.places(0));
    mine->place(b.places(0));
    apart = std::max(apart, (other->pose(0).position - mine->pose(tool.link).position).norm());
    for (int i = 0; i < b.sites(); ++i) touching += b.read(i).touching ? 1 : 0;
  }
  EXPECT_GT(touching, 800);
  EXPECT_LT(apart, 1e-7);
}

/// The real-time step of 1 ms beside an adaptive method, in the middle of the sliding.
TEST(MujocoPeg, SevenJointsAtAMillisecondAreAsAccurateAsFriction) {
  const WithRobots with_robots;
  const auto end = [](const char* method) {
    const Scenario scenario = load_scenario(
        "peg-in-hole-arm7", {{"duration", "1.6 s", "", 0}, {"solver.method", method, "", 0}});
    const RunResult result = run(scenario, scenario.options);
    const auto last = [&](const char* name) { return result.final(name); };
    return std::array{last("tip_x"), last("tip_z"), last("fn2"), last("F2")};
  };
  const auto fixed = end("bristle"), adaptive = end("cvode");
  EXPECT_NEAR(fixed[0], adaptive[0], 1e-8);
  EXPECT_NEAR(fixed[1], adaptive[1], 1e-8);
  EXPECT_NEAR(fixed[2], adaptive[2], 1e-3 * adaptive[2]);
  EXPECT_NEAR(fixed[3], adaptive[3], 1e-3 * adaptive[3]);
  EXPECT_GT(adaptive[2], 1);
}

}  // namespace
}  // namespace bristle
