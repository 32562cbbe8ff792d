// Impedance control of a point, as generalised forces.

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "bristle/core/error.hpp"
#include "bristle/mujoco/mechanism.hpp"
#include "models.hpp"

namespace bristle {
namespace {

using Numbers = std::vector<double>;

MujocoModel arm7() { return parse_mujoco_model(builtin_mujoco_model("arm7.xml"), "arm7.xml"); }

Numbers over_the_hole(const mjModel& m) { return {m.key_qpos, m.key_qpos + m.nq}; }

MujocoRobot held(const mjModel& m) {
  return {.name = "arm",
          .links = {"peg"},
          .places = over_the_hole(m),
          .control = TaskImpedance{.at = "tip",
                                   .stiffness = {3000, 3000, 3000},
                                   .damping = {150, 150, 150},
                                   .turning = {100, 100, 100},
                                   .turn_damping = {5, 5, 5},
                                   .posture_stiffness = 5,
                                   .posture_damping = 2}};
}

TEST(MujocoControl, WeightIsWhatInverseDynamicsAsksForAtRest) {
  for (const MujocoModel& model :
       {arm7(), parse_mujoco_model(testing_mujoco::mixed, "mixed.xml")}) {
    MujocoRobot robot = model->nv == 7 ? MujocoRobot{.places = over_the_hole(*model)}
                                       : testing_mujoco::mixed_robot();
    robot.links.clear();
    MujocoMechanism mechanism(*model, robot);
    Numbers q(static_cast<std::size_t>(model->nq)), u(static_cast<std::size_t>(model->nv));
    mechanism.initial(q, u);
    std::fill(u.begin(), u.end(), 0.0);
    mechanism.look(0, q, u);
    Mechanism::Vector weight;
    weight_force(mechanism.model(), mechanism.data(), weight);
    const Mechanism::Vector bias =
        Mechanism::Vector::Map(mechanism.data().qfrc_bias, mechanism.speeds());
    EXPECT_LT((weight + bias).norm(), 1e-10);
    EXPECT_GT(weight.norm(), 1);
  }
}

TEST(MujocoControl, TheArmRestsWhereItStarts) {
  const MujocoModel model = arm7();
  const MujocoMechanism mechanism(*model, held(*model));
  EXPECT_LT(mechanism.force().norm(), 1e-9);
}

/// The arm weighs what its text says, and the peg points down at its key.
TEST(MujocoControl, TheModelIsAsDescribed) {
  const MujocoModel model = arm7();
  const MujocoMechanism mechanism(*model, held(*model));
  EXPECT_NEAR(mj_getTotalmass(model.get()), 20, 1e-9);
  const Vector3 up = rotate(mechanism.pose(0), Vector3::UnitZ());
  EXPECT_TRUE(up.isApprox(Vector3::UnitZ(), 1e-9));
  const Vector3 tip = apply(mechanism.pose(0), Vector3(0, 0, -0.06));
  EXPECT_LT((tip - Vector3(0, 0, 0.008)).norm(), 1e-9);
}

TEST(MujocoControl, ATargetThatMovesPullsWithItsStiffness) {
  const MujocoModel model = arm7();
  MujocoRobot robot = held(*model);
  robot.control->velocity[2] = Signal::constant(-0.01);
  robot.control->spin[1] = Signal::constant(0.1);
  MujocoMechanism mechanism(*model, robot);
  Numbers q = over_the_hole(*model), u(7, 0.0), shown(9);
  mechanism.look(2, q, u);
  mechanism.show(shown);
  EXPECT_NEAR(shown[8], 3000 * -0.02 + 150 * -0.01, 1e-9);  // push along z
  EXPECT_NEAR(shown[4], -0.2, 1e-9);                        // behind in turning about y
  EXPECT_EQ(mechanism.outputs().size(), shown.size());
}

/// What the posture does is no matter to the task: it accelerates the tip in no direction.
TEST(MujocoControl, PostureDoesNotMoveTheTask) {
  const MujocoModel model = arm7();
  MujocoRobot with = held(*model), without = held(*model);
  with.control->posture_stiffness = 500;
  without.control->posture_stiffness = without.control->posture_damping = 0;
  MujocoMechanism a(*model, with), b(*model, without);
  const Numbers q{0.3, 0.7, -0.2, 1.3, 0.4, 0.9, 0.5};
  const Numbers u{0.1, -0.2, 0.3, 0.2, -0.1, 0.4, -0.3};
  a.look(0, q, u);
  b.look(0, q, u);
  Mechanism::Vector force = a.force() - b.force();
  EXPECT_GT(force.norm(), 10);
  a.solve(force);
  const Vector3 lever = mujoco_vector(a.data().site_xpos) - a.pose(0).position;
  const Vector3 turning = a.angular(0) * force;
  EXPECT_LT((a.linear(0) * force + turning.cross(lever)).norm(), 1e-9 * force.norm());
  EXPECT_LT(turning.norm(), 1e-9 * force.norm());
}

TEST(MujocoControl, BreaksOfTheTargetAreBreaksOfTheForce) {
  const MujocoModel model = arm7();
  MujocoRobot robot = held(*model);
  robot.control->velocity[2] = Signal::constant(-0.01).until(3);
  robot.control->velocity[0] = Signal::constant(0.01).from(1).until(30);
  const MujocoMechanism mechanism(*model, robot);
  EXPECT_EQ(mechanism.breaks(10), (Numbers{1, 3}));
}

TEST(MujocoControl, ATargetTurnsAboutOneAxis) {
  const MujocoModel model = arm7();
  MujocoRobot robot = held(*model);
  robot.control->spin = {Signal::constant(0.1), Signal::constant(0.1), {}};
  EXPECT_THROW(MujocoMechanism(*model, robot), InputError);
}

}  // namespace
}  // namespace bristle
