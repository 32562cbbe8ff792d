// Our contact under robots of MuJoCo: in worlds of ours, and in loops of MuJoCo's.

#include "bristle/mujoco/contact.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bristle/core/error.hpp"
#include "bristle/mujoco/mechanism.hpp"
#include "bristle/system/world.hpp"
#include "models.hpp"
#include "support/allocations.hpp"

namespace bristle {
namespace {

using testing_mujoco::loose;
using testing_mujoco::pendulum;

AnyLaw friction() {
  AnyLaw law("gonthier");
  law.set("mu_s", 0.15);
  law.set("mu_k", 0.12);
  law.set("sigma0", 1e5);
  law.set("v_s", 0.1);
  return law;
}
AnyNormal normal(double k, double e) {
  AnyNormal law("gonthier");
  law.set("k", k);
  law.set("e", e);
  return law;
}
RigidBody floor_at(double height) {
  return {.name = "floor", .shape = HalfSpace{}, .pose = {{0, 0, height}}, .fixed = true};
}

/// The double pendulum that bounces on a floor: MuJoCo's equations and ours, contact the same.
TEST(MujocoWorld, DoublePendulumIsOurDoublePendulum) {
  World theirs, ours;
  const Side tip = theirs.add(std::make_shared<MujocoMechanism>(
      *parse_mujoco_model(pendulum, "pendulum.xml"),
      MujocoRobot{.name = "arm", .links = {"tip"}, .places = {0.8, 0.1}, .speeds = {-2, 2.2}}));
  theirs.pairs.push_back({tip, theirs.add(floor_at(-0.61)), normal(1e6, 0.5), friction()});
  DoublePendulum arm{
      .l1 = 0.5, .l2 = 0.25, .m1 = 5, .m2 = 2, .phi1 = 0.8, .phi2 = 0.1, .rate1 = -2, .rate2 = 2.2};
  arm.set_mass(LinkMass::tip);
  const Side end = ours.add(arm);
  ours.pairs.push_back({end, ours.add(floor_at(-0.61)), normal(1e6, 0.5), friction()});

  WorldStepper a(theirs), b(ours);
  double worst = 0, touched = 0;
  for (int k = 0; k < 8000; ++k) {  // 2 s in steps of a quarter of a millisecond
    a.step(2.5e-4);
    b.step(2.5e-4);
    const Eigen::Vector2d phi = b.angles(0);
    worst = std::max({worst, std::abs(a.places(0)[0] - phi[0]), std::abs(a.places(0)[1] - phi[1])});
    touched += b.read(0).touching ? 1 : 0;
  }
  EXPECT_GT(touched, 20);
  EXPECT_LT(worst, 2e-3);
}

TEST(MujocoWorld, SwingingArmKeepsItsEnergyThroughOurStep) {
  World world;
  world.add(std::make_shared<MujocoMechanism>(
      *parse_mujoco_model(pendulum, "pendulum.xml"),
      MujocoRobot{.name = "arm", .links = {"tip"}, .places = {0.8, 0.1}, .speeds = {-2, 2.2}}));
  WorldStepper stepper(world);
  const double start = stepper.kinetic() + stepper.potential();
  for (int k = 0; k < 2000; ++k) stepper.step(1e-3);
  EXPECT_NEAR(stepper.kinetic() + stepper.potential(), start, 2e-3 * std::abs(start));
  EXPECT_GT(stepper.kinetic(), 0.1);
}

// ---- in MuJoCo's loop ---------------------------------------------------------------------------

struct Loop {
  explicit Loop(const std::string& xml, const std::vector<MujocoPair>& pairs)
      : model(parse_mujoco_model(xml, "loop.xml")),
        data(mj_makeData(model.get()), mj_deleteData),
        contact(*model, *data, pairs) {}
  void step() {
    mj_step1(model.get(), data.get());
    contact.apply(model.get(), data.get());
    mj_step2(model.get(), data.get());
  }
  MujocoModel model;
  std::unique_ptr<mjData, decltype(&mj_deleteData)> data;
  MujocoContact contact;
};

std::string ball_at(double height) {
  return R"(<mujoco><option timestep="0.001"/><worldbody><geom name="floor" type="plane" size="5 5 1"/>
    <body pos="0 0 )" +
         std::to_string(height) +
         R"("><freejoint/><geom name="ball" type="sphere" size="0.1" mass="2"/></body>
    </worldbody></mujoco>)";
}

/// As a world of ours has it: the same drop, the same bounces.
TEST(MujocoContact, ABallBouncesAsInOurWorld) {
  Loop loop(ball_at(0.3), {{"ball", "floor", normal(1e6, 0.5), friction()}});
  World world;
  const Side ball = world.add({.name = "ball",
                               .shape = Sphere{0.1},
                               .mass = {2, 0.008 * Matrix3::Identity()},
                               .pose = {{0, 0, 0.3}}});
  world.pairs.push_back({ball, world.add(floor_at(0)), normal(1e6, 0.5), friction()});
  WorldStepper stepper(world);
  double worst = 0;
  int ours = 0, theirs = 0;
  for (int k = 0; k < 1500; ++k) {
    loop.step();
    stepper.step(1e-3);
    worst = std::max(worst, std::abs(loop.data->qpos[2] - stepper.pose(0).position.z()));
    ours += stepper.read(0).touching ? 1 : 0;
    theirs += loop.contact.read(0).touching;
    EXPECT_EQ(loop.data->ncon, 0);
  }
  EXPECT_GT(theirs, 50);
  EXPECT_NEAR(ours, theirs, 100);
  // MuJoCo flies with the velocity of the end of a step: g h/2 off after each millisecond.
  EXPECT_LT(worst, 5e-3);
  EXPECT_NEAR(loop.contact.read(0).load, 2 * 9.81, 0.2);
  EXPECT_NEAR(loop.data->qvel[2], 0, 1e-5);
}

TEST(MujocoContact, RestitutionIsWhatWasAskedFor) {
  Loop loop(ball_at(0.3), {{"ball", "floor", normal(1e9, 0.5), friction()}});
  double before = 0, after = 0;
  for (int k = 0; k < 400 && after <= 0; ++k) {
    if (loop.contact.read(0).touching == 0) before = loop.data->qvel[2];
    loop.step();
    if (loop.contact.account(0).impulse > 0 && loop.contact.read(0).touching == 0) {
      after = loop.data->qvel[2];
    }
  }
  // Stiff, so that the weight does little during the impact.
  EXPECT_NEAR(after / -before, 0.5, 0.01);
  const MujocoContact::Account account = loop.contact.account(0);
  const double lost = 0.5 * 2 * (before * before - after * after);
  EXPECT_NEAR(account.normal_work, lost, 0.02 * lost);
  EXPECT_NEAR(account.normal_dissipation, account.normal_work, 1e-3 * lost);
}

/// On an incline below the angle of friction a box of MuJoCo's creeps; ours stays.
TEST(MujocoContact, ABoxStaysOnAnIncline) {
  const std::string slope = R"(<mujoco><option timestep="0.001" gravity="0.6 0 -9.79"/><worldbody>
    <geom name="floor" type="plane" size="5 5 1" friction="0.15"/><body pos="0 0 0.1"><freejoint/>
    <geom name="box" type="box" size="0.1 0.1 0.1" mass="2"/></body></worldbody></mujoco>)";
  Loop loop(slope, {{"box", "floor", normal(1e6, 0.5), friction()}});
  for (int k = 0; k < 4000; ++k) loop.step();
  const double at = loop.data->qpos[0];
  for (int k = 0; k < 2000; ++k) loop.step();
  EXPECT_NEAR(loop.data->qpos[0], at, 1e-9);
  EXPECT_EQ(loop.contact.read(0).touching, 4);
  EXPECT_NEAR(loop.contact.read(0).friction.norm(), 2 * 0.6, 1e-3);

  const MujocoModel model = parse_mujoco_model(slope, "slope.xml");
  mjData* d = mj_makeData(model.get());
  for (int k = 0; k < 2000; ++k) mj_step(model.get(), d);
  const double theirs = d->qpos[0];
  for (int k = 0; k < 2000; ++k) mj_step(model.get(), d);
  EXPECT_GT(d->qpos[0] - theirs, 1e-4);
  mj_deleteData(d);
}

TEST(MujocoContact, OtherContactStaysMujocos) {
  Loop loop(loose, {{"ball", "floor", normal(1e6, 0.5), friction()}});
  for (int k = 0; k < 500; ++k) {
    loop.step();
    for (int i = 0; i < loop.data->ncon; ++i) {
      EXPECT_NE(loop.data->contact[i].geom2, 1);  // the ball
    }
  }
  EXPECT_EQ(loop.data->ncon, 4);
  // As deep as its weight presses it.
  const double weight = 9.81 * loop.model->body_mass[1];
  EXPECT_NEAR(loop.data->qpos[2], 0.1 - std::pow(weight / 1e6, 2.0 / 3), 1e-6);
  EXPECT_NEAR(loop.data->qpos[9], 0.1, 1e-2);
}

TEST(MujocoContact, TakesBackWhatItAddedAndLeavesWhatOthersWrite) {
  Loop loop(ball_at(0.1), {{"ball", "floor", normal(1e6, 0.5), friction()}});
  for (int k = 0; k < 300; ++k) loop.step();
  const double first = loop.data->qfrc_applied[2];
  EXPECT_NEAR(first, 2 * 9.81, 1e-2);
  for (int k = 0; k < 10; ++k) loop.step();
  EXPECT_NEAR(loop.data->qfrc_applied[2], first, 1e-3);  // not ten times as much
  // A program that pushes down by 5 N, every step anew.
  for (int k = 0; k < 300; ++k) {
    mj_step1(loop.model.get(), loop.data.get());
    loop.data->qfrc_applied[2] = -5;
    loop.contact.apply(loop.model.get(), loop.data.get());
    mj_step2(loop.model.get(), loop.data.get());
  }
  EXPECT_NEAR(loop.contact.read(0).load, 2 * 9.81 + 5, 1e-2);
}

TEST(MujocoContact, AllocatesNothing) {
  if (testing::allocations() < 0) GTEST_SKIP() << "the sanitizers count for themselves";
  Loop loop(ball_at(0.12), {{"ball", "floor", normal(1e6, 0.5), friction()}});
  loop.step();
  const long before = testing::allocations();
  for (int k = 0; k < 500; ++k) loop.step();
  EXPECT_EQ(testing::allocations(), before);
  EXPECT_GT(loop.contact.account(0).impulse, 0);
}

TEST(MujocoContact, Refuses) {
  const MujocoModel model = parse_mujoco_model(loose, "loose.xml");
  const std::unique_ptr<mjData, decltype(&mj_deleteData)> d(mj_makeData(model.get()),
                                                            mj_deleteData);
  const auto refusal = [&](const mjModel& m, const char* a, const char* b) -> std::string {
    try {
      MujocoContact(m, *d, {{a, b, normal(1e6, 0.5), friction()}});
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refusal(*model, "bal", "floor"), ::testing::HasSubstr("did you mean 'ball'"));
  EXPECT_THAT(refusal(*model, "box", "box"), ::testing::Not("accepted"));
  mjModel* other = mj_copyModel(nullptr, model.get());
  other->opt.integrator = mjINT_RK4;
  EXPECT_THAT(refusal(*other, "ball", "floor"), ::testing::HasSubstr("RK4"));
  mj_deleteModel(other);
}

}  // namespace
}  // namespace bristle
