// Resistance to rolling of a robot's wheel.

#include <gtest/gtest.h>

#include "bristle/mujoco/robot.hpp"
#include "bristle/scenario/scenario.hpp"
#include "support/scratch_folder.hpp"

namespace bristle {
namespace {

using testing_support::ScratchFolder;

constexpr const char* cart = R"(<mujoco><worldbody>
  <body name="chassis" pos="0 0 0.115" euler="0 10 0"><freejoint/>
   <geom name="hull" type="box" size="0.2 0.1 0.02" mass="4" contype="0" conaffinity="0"/>
   <body name="fl" pos="0.15 0.12 -0.05"><joint name="jfl" type="hinge" axis="0 1 0"/><geom name="wfl" type="sphere" size="0.05" mass="0.25"/></body>
   <body name="fr" pos="0.15 -0.12 -0.05"><joint name="jfr" type="hinge" axis="0 1 0"/><geom name="wfr" type="sphere" size="0.05" mass="0.25"/></body>
   <body name="rl" pos="-0.15 0.12 -0.05"><joint name="jrl" type="hinge" axis="0 1 0"/><geom name="wrl" type="sphere" size="0.05" mass="0.25"/></body>
   <body name="rr" pos="-0.15 -0.12 -0.05"><joint name="jrr" type="hinge" axis="0 1 0"/><geom name="wrr" type="sphere" size="0.05" mass="0.25"/></body>
  </body></worldbody></mujoco>)";

constexpr const char* scene = R"(
duration: 0.4 s
robots: {cart: {model: cart.xml, links: [wfl, wfr, wrl, wrr]}}
bodies:
  plane: {shape: {half-space: {}}, fixed: true, rotation: {axis: [0, 1, 0], angle: 10 deg}}
contacts:
  - {between: [cart.wfl, plane], rolling: {k_v: 1e6, a: 2, tensor: J_s}}
  - {between: [cart.wfr, plane]}
  - {between: [cart.wrl, plane]}
  - {between: [cart.wrr, plane]}
normal: {law: gonthier, k: 1e6, e: 0.3}
friction: {law: gonthier, mu_s: 0.6, mu_k: 0.5}
output: {samples: 100, frames: 0}
)";

RunResult run_cart(const std::string& method, const std::string& k_v) {
  set_robot_reader(read_robot);
  const ScratchFolder folder;
  folder.write("cart.xml", cart);
  const std::string file = folder.write("scene.yaml", scene);
  const Scenario scenario = load_scenario(file, {{"solver.method", method, "", 0},
                                                 {"solver.step", "2e-4", "", 0},
                                                 {"contacts.0.rolling.k_v", k_v, "", 0}});
  set_robot_reader({});
  return run(scenario, scenario.options);
}

TEST(RobotRolling, BothMethodsBrakeTheWheel) {
  const RunResult step = run_cart("bristle", "1e6"), adaptive = run_cart("event", "1e6"),
                  easy = run_cart("bristle", "1e300");
  const double braked = easy.final("jfl_rate") - step.final("jfl_rate");
  EXPECT_GT(braked, 0.5);
  EXPECT_NEAR(step.final("jfl_rate"), adaptive.final("jfl_rate"), 0.02 * braked);
  EXPECT_LT(adaptive.energy.relative_error, 1e-6);
  EXPECT_LT(step.energy.relative_error, 1e-4);
}

}  // namespace
}  // namespace bristle
