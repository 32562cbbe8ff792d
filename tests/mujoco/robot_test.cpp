// Robots read from scenarios, and what is refused.

#include "bristle/mujoco/robot.hpp"

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bristle/mujoco/mechanism.hpp"
#include "models.hpp"
#include "support/scratch_folder.hpp"

namespace bristle {
namespace {

using std::numbers::pi;
using ::testing::AllOf;
using ::testing::HasSubstr;
using testing_support::ScratchFolder;

std::shared_ptr<const Mechanism> robot_of(const Document& document) {
  const Node node = document["robots"]["arm"];
  auto robot = read_robot("arm", node, Vector3(0, 0, -9.81));
  document.finish();
  return robot;
}
std::shared_ptr<const Mechanism> robot_of(const std::string& yaml) {
  return robot_of(Document::parse("robots:\n  arm:\n" + yaml, "scene.yaml"));
}
std::unique_ptr<Mechanism> clone_at_start(const Mechanism& robot) {
  std::vector<double> q(static_cast<std::size_t>(robot.places()));
  std::vector<double> u(static_cast<std::size_t>(robot.speeds()));
  robot.initial(q, u);
  std::unique_ptr<Mechanism> mechanism = robot.clone();
  mechanism->look(0, q, u);
  return mechanism;
}
std::string refusal(const std::string& yaml) {
  try {
    robot_of(yaml);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ReadRobot, ReadsABuiltInArmWithItsControl) {
  const auto robot = robot_of(R"(
    model: arm7.xml
    links: [peg]
    keyframe: over
    joints: {j7: 10 deg}
    rates: {j1: 0.5 rad/s}
    control:
      at: tip
      stiffness: [3000, 3000, 2 N/mm]
      damping: 100
      turning: 100
      target: {z: {value: -10 mm/s, until: 3 s}}
      posture: {stiffness: 5, damping: 2}
)");
  std::vector<double> q(7), u(7);
  robot->initial(q, u);
  EXPECT_NEAR(q[1], 0.5235987755982989, 1e-15);
  EXPECT_NEAR(q[6], 0.17453292519943295, 1e-15);
  EXPECT_EQ(u[0], 0.5);
  EXPECT_EQ(robot->breaks(10), std::vector<double>{3});
  const auto& mujoco = dynamic_cast<const MujocoMechanism&>(*robot);
  EXPECT_EQ(mujoco.links().front().name, "arm.peg");
  EXPECT_EQ(mujoco.name(), "arm");
}

TEST(ReadRobot, FindsAModelNextToTheScenario) {
  const ScratchFolder folder;
  folder.write("arm.xml", testing_mujoco::pendulum);
  const std::string scene = folder.write(
      "scene.yaml", "robots: {arm: {model: arm.xml, links: [tip], joints: {phi1: 0.3}}}");
  EXPECT_EQ(robot_of(Document::read(scene))->places(), 2);
}

TEST(ReadRobot, ReadsUrdf) {
  const ScratchFolder folder;
  folder.write("arm.urdf", R"(<robot name="arm">
    <link name="base"/>
    <link name="rod">
      <inertial><origin xyz="0 0 -0.5"/><mass value="2"/>
        <inertia ixx="0.1" iyy="0.1" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
      <collision><origin xyz="0 0 -1"/><geometry><sphere radius="0.05"/></geometry></collision>
    </link>
    <joint name="hinge" type="continuous"><parent link="base"/><child link="rod"/>
      <axis xyz="0 1 0"/></joint></robot>)");
  const std::string scene = folder.write(
      "scene.yaml", "robots: {arm: {model: arm.urdf, links: [rod], joints: {hinge: 20 deg}}}");
  const auto robot = robot_of(Document::read(scene));
  ASSERT_EQ(robot->links().size(), 1u);
  EXPECT_EQ(std::get<Sphere>(robot->links()[0].shape).radius, 0.05);
  EXPECT_TRUE(clone_at_start(*robot)->pose(0).position.isApprox(
      Vector3(-std::sin(pi / 9), 0, -std::cos(pi / 9)), 1e-12));
}

TEST(ReadRobot, StartsWhereItIsToldTo) {
  for (const std::string model : {"arm3.xml", "arm7.xml"}) {
    const auto robot = robot_of("    {model: " + model + R"(, links: [tip], keyframe: over,
      start: {at: tip, position: [2.5 mm, 0, 8 mm], turn: [0, 0.08, 0]}})");
    const Pose tip = clone_at_start(*robot)->pose(0);
    EXPECT_LT((tip.position - Vector3(0.0025, 0, 0.008)).norm(), 1e-8);
    const Vector3 along = rotate(tip, Vector3::UnitZ()) * (model == "arm3.xml" ? 1 : -1);
    EXPECT_LT((along - Vector3(std::sin(0.08), 0, std::cos(0.08))).norm(), 1e-8) << model;
  }
  EXPECT_THAT(
      refusal("    {model: arm3.xml, links: [tip], start: {at: tip, position: [0, 0.1, 0]}}"),
      AllOf(HasSubstr("robots.arm.start"), HasSubstr("does not get there")));
}

TEST(ReadRobot, RefusesAModelThatIsNotThere) {
  EXPECT_THAT(refusal("    {model: amr7.xml, links: [peg]}"),
              AllOf(HasSubstr("scene.yaml:3"), HasSubstr("robots.arm.model"), HasSubstr("amr7.xml"),
                    HasSubstr("no such file"), HasSubstr("did you mean 'arm7.xml'")));
}

TEST(ReadRobot, FaultsOfTheModelNameItsFileAndLine) {
  const ScratchFolder folder;
  folder.write("bad.xml",
               "<mujoco>\n<worldbody>\n<geom type='sphere' size='-1'/>\n</worldbody>\n</mujoco>\n");
  folder.write("torn.xml", "<mujoco>\n<worldbody>\n<geom \n</mujoco>\n");
  folder.write("odd.xml", "<mujoco>\n<worldbody>\n<blob/></worldbody></mujoco>\n");
  for (const auto& [model, part] : {std::pair{"bad.xml", "bad.xml:3: MuJoCo refuses the model"},
                                    {"torn.xml", "torn.xml:"},
                                    {"odd.xml", "odd.xml:3: MuJoCo refuses the model"}}) {
    const std::string scene = folder.write(
        "scene.yaml", "robots: {arm: {model: " + std::string(model) + ", links: [ball]}}");
    try {
      robot_of(Document::read(scene));
      ADD_FAILURE() << model << " was accepted";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(part));
    }
  }
}

TEST(ReadRobot, RefusesNamesThatAreNotThere) {
  EXPECT_THAT(refusal("    {model: arm7.xml, links: [pge]}"),
              AllOf(HasSubstr("scene.yaml:3"), HasSubstr("robots.arm.links"), HasSubstr("'pge'"),
                    HasSubstr("did you mean 'peg'")));
  EXPECT_THAT(refusal("    {model: arm7.xml, links: [peg], control: {at: tipp}}"),
              AllOf(HasSubstr("robots.arm.control.at"), HasSubstr("did you mean 'tip'")));
  EXPECT_THAT(refusal("    {model: arm7.xml, links: [peg], joints: {k2: 1}}"),
              AllOf(HasSubstr("no joint"), HasSubstr("'k2'"), HasSubstr("'j2'")));
  EXPECT_THAT(refusal("    {model: arm7.xml, links: [peg], rates: {j8: 1}}"),
              HasSubstr("no joint"));
  EXPECT_THAT(refusal("    {model: arm7.xml, links: [peg], keyframe: ovr}"),
              AllOf(HasSubstr("no keyframe"), HasSubstr("did you mean 'over'")));
  EXPECT_THAT(refusal("    {model: arm7.xml, links: [peg], actuators: {m: 1}}"),
              HasSubstr("no actuator"));
}

TEST(ReadRobot, RefusesNumbersAndKeysThatMakeNoSense) {
  EXPECT_THAT(refusal("    {model: arm7.xml, links: [peg], joints: [1, 2]}"),
              HasSubstr("robots.arm.joints"));
  EXPECT_THAT(refusal("    {model: arm7.xml, links: [peg], joints: {j1: 1 m}}"),
              HasSubstr("robots.arm.joints.j1"));
  EXPECT_THAT(refusal("    {model: arm7.xml, links: [peg], control: {at: tip, stiffness: -1}}"),
              HasSubstr("robots.arm.control.stiffness"));
  EXPECT_THAT(refusal("    {model: arm7.xml, links: [peg, peg]}"), HasSubstr("listed twice"));
  EXPECT_THAT(refusal("    {model: arm7.xml, links: [peg], contrl: {at: tip}}"),
              AllOf(HasSubstr("contrl"), HasSubstr("did you mean 'control'")));
  EXPECT_THAT(refusal("    {links: [peg]}"),
              AllOf(HasSubstr("robots.arm.model"), HasSubstr("missing")));
}

TEST(ReadRobot, RefusesWhatContactCannotDo) {
  const ScratchFolder folder;
  std::string chain, close;
  for (int k = 0; k < 65; ++k) {
    chain += "<body><joint axis='0 1 0'/><geom size='0.1'/>";
    close += "</body>";
  }
  folder.write("long.xml", "<mujoco><worldbody>" + chain + close + "</worldbody></mujoco>");
  folder.write("still.xml", "<mujoco><worldbody><geom name='g' size='1'/></worldbody></mujoco>");
  folder.write("muscle.xml", R"(<mujoco><worldbody><body><joint name="j" axis="0 1 0"/>
    <geom name="g" size="0.1"/></body></worldbody>
    <actuator><general name="slow" joint="j" dyntype="integrator"/></actuator></mujoco>)");
  folder.write("field.xml",
               R"(<mujoco><asset><hfield name="hills" nrow="3" ncol="3" size="1 1 1 1"/></asset>
    <worldbody><geom name="hills" type="hfield" hfield="hills"/>
    <body><freejoint/><geom name="g" size="0.1"/></body></worldbody></mujoco>)");
  for (const auto& [model, part] :
       {std::pair{"long.xml", "65 degrees of freedom; expected at most 64"},
        {"still.xml", "no joint that moves"},
        {"muscle.xml", "actuator 'slow' has a state of its own"},
        {"field.xml", "geom 'hills' is a height field"}}) {
    const std::string links = std::string(model) == "field.xml" ? "[g, hills]" : "[]";
    const std::string scene = folder.write(
        "scene.yaml", "robots: {arm: {model: " + std::string(model) + ", links: " + links + "}}");
    try {
      robot_of(Document::read(scene));
      ADD_FAILURE() << model << " was accepted";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr(part), HasSubstr("scene.yaml:1")));
    }
  }
}

}  // namespace
}  // namespace bristle
