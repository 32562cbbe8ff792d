#include "bristle/system/planar_arm.hpp"

#include <numbers>

#include <gtest/gtest.h>

#include "bristle/core/error.hpp"
#include "bristle/solve/run.hpp"
#include "bristle/solve/world_step.hpp"
#include "bristle/system/world.hpp"

namespace bristle {
namespace {

PlanarArmSettings three_joints() {
  PlanarArmSettings s;
  s.base = {0.4, 0.1, 0.3};
  s.gravity = {0, 0, -9.81};
  s.segments = {{0.4, 4, 0.2, 0.05}, {0.3, 3, 0.1, 0.03}, {0.2, 1.5, 0.12, 0.01}};
  s.joints = {2.0, 1.2, 0.9};
  s.rates = {0.5, -0.8, 1.1};
  s.tool = Box{{12e-3, 12e-3, 0.12}};
  s.compliance_centre = {1e-3, -0.06};
  return s;
}

/// Without control and weight carried by nobody.
PlanarArmSettings slack() {
  PlanarArmSettings s = three_joints();
  s.control.compensate = false;
  return s;
}

TEST(PlanarArm, ColumnsAreTheSlopesOfThePlaces) {
  PlanarArm arm(three_joints());
  std::vector<double> q = three_joints().joints, u(3, 0.0);
  arm.look(0, q, u);
  const double h = 1e-6;
  for (int link = 0; link < 4; ++link) {
    const Mechanism::Columns linear = arm.linear(link), angular = arm.angular(link);
    for (int j = 0; j < 3; ++j) {
      const auto i = static_cast<std::size_t>(j);
      q[i] += h;
      arm.place(q);
      const Pose after = arm.pose(link);
      q[i] -= 2 * h;
      arm.place(q);
      const Pose before = arm.pose(link);
      q[i] += h;
      EXPECT_TRUE(linear.col(j).isApprox((after.position - before.position) / (2 * h), 1e-8) ||
                  (linear.col(j).norm() < 1e-12 && after.position == before.position));
      const Eigen::AngleAxisd turn(after.rotation * before.rotation.conjugate());
      EXPECT_LT((angular.col(j) - turn.angle() / (2 * h) * turn.axis()).norm(), 1e-6)
          << link << " " << j;
    }
  }
}

/// Two segments are a double pendulum.
TEST(PlanarArm, MovesAsTheDoublePendulumDoes) {
  DoublePendulum pendulum;
  pendulum.l1 = 0.5;
  pendulum.l2 = 0.25;
  pendulum.m1 = 5;
  pendulum.m2 = 2;
  pendulum.set_mass(LinkMass::rod);
  pendulum.phi1 = 0.7;
  pendulum.phi2 = 0.4;
  pendulum.rate1 = -2;
  pendulum.rate2 = 1;
  PlanarArmSettings s;
  s.gravity = {0, 0, -9.81};
  s.segments = {{0.5, 5, 0.25, pendulum.j1}, {0.25, 2, 0.125, pendulum.j2}};
  // From the downward vertical, towards x; joints count from x towards z.
  s.joints = {0.7 - 0.5 * std::numbers::pi, 0.4};
  s.rates = {-2, 1};
  s.control.compensate = false;
  World one, other;
  one.add(pendulum);
  other.add(std::make_shared<PlanarArm>(s));
  RunOptions options;
  options.duration = 2;
  options.tolerance.rtol = 1e-11;
  const RunResult a = run(one, options), b = run(other, options);
  EXPECT_NEAR(a.final("phi1"), b.final("q1") + 0.5 * std::numbers::pi, 1e-8);
  EXPECT_NEAR(a.final("phi2"), b.final("q2"), 1e-8);
  EXPECT_NEAR(a.final("omega2"), b.final("dq2"), 1e-7);
}

TEST(PlanarArm, KeepsItsEnergyWithoutMotors) {
  World world;
  world.add(std::make_shared<PlanarArm>(slack()));
  RunOptions options;
  options.duration = 3;
  const RunResult exact = run(world, options);
  EXPECT_EQ(exact.final("W_input"), 0);
  EXPECT_LT(exact.energy.relative_error, 1e-8);
  // The step is of second order; this arm tumbles at ten turns a second.
  options.method = "bristle";
  const double coarse = run(world, options).energy.relative_error;
  options.step = 5e-4;
  const double fine = run(world, options).energy.relative_error;
  EXPECT_LT(coarse, 3e-3);
  EXPECT_LT(fine, 0.3 * coarse);
}

TEST(PlanarArm, ImpedanceHoldsAgainstAGivenForce) {
  PlanarArmSettings s = three_joints();
  s.rates.clear();
  s.control.stiffness = {2000, 20000, 40};
  s.control.damping = {90, 350, 1.2};
  s.control.wrench[0] = Signal::constant(10);
  s.control.wrench[2] = Signal::constant(0.4);
  World world;
  world.add(std::make_shared<PlanarArm>(s));
  RunOptions options;
  options.duration = 15;
  for (const char* method : {"event", "bristle"}) {
    options.method = method;
    const RunResult result = run(world, options);
    EXPECT_NEAR(result.final("x") - result.final("x_target"), 10.0 / 2000, 1e-8);
    EXPECT_NEAR(result.final("z") - result.final("z_target"), 0, 1e-8);
    EXPECT_NEAR(result.final("angle") - result.final("angle_target"), 0.01, 1e-8);
    EXPECT_LT(result.energy.relative_error, 1e-4);
  }
}

/// The step against an adaptive method, along a path: second order.
TEST(PlanarArm, TheStepConvergesToTheMotion) {
  PlanarArmSettings s = three_joints();
  s.control.stiffness = {2000, 20000, 40};
  s.control.damping = {90, 350, 1.2};
  s.control.velocity[1] = Signal::sine(0.05, 1);
  World world;
  world.add(std::make_shared<PlanarArm>(s));
  RunOptions options;
  options.duration = 1;
  options.tolerance.rtol = 1e-11;
  const RunResult exact = run(world, options);
  double last = 0;
  for (const double step : {2e-3, 1e-3, 5e-4}) {
    options.method = "bristle";
    options.step = step;
    const RunResult result = run(world, options);
    const double off =
        std::hypot(result.final("q1") - exact.final("q1"), result.final("q2") - exact.final("q2"),
                   result.final("q3") - exact.final("q3"));
    if (last > 0) {
      EXPECT_LT(off, 0.35 * last) << step;
    }
    last = off;
  }
  EXPECT_LT(last, 1e-6);
}

TEST(PlanarArm, JointsForAPlacePutTheComplianceCentreThere) {
  PlanarArmSettings s = three_joints();
  s.joints = PlanarArm::joints_for(s, {0.05, -0.1, 0.2}, s.joints);
  World world;
  world.add(std::make_shared<PlanarArm>(s));
  RunOptions options;
  options.duration = 1e-3;
  const RunResult result = run(world, options);
  EXPECT_NEAR(result.column("x").front(), 0.05, 1e-12);
  EXPECT_NEAR(result.column("z").front(), -0.1, 1e-12);
  EXPECT_NEAR(std::remainder(result.column("angle").front() - 0.2, 2 * std::numbers::pi), 0, 1e-12);
  EXPECT_THROW(PlanarArm::joints_for(s, {5, 0, 0}, s.joints), InputError);
}

TEST(PlanarArm, RefusesWhatCannotBe) {
  PlanarArmSettings s = three_joints();
  s.segments[1].mass = 0;
  EXPECT_THROW(PlanarArm{s}, InputError);
  s = three_joints();
  s.joints.pop_back();
  EXPECT_THROW(PlanarArm{s}, InputError);
  s = three_joints();
  s.segments.clear();
  EXPECT_THROW(PlanarArm{s}, InputError);
}

}  // namespace
}  // namespace bristle
