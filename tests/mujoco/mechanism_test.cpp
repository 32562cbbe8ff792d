// A robot of MuJoCo as a Mechanism, against finite differences and MuJoCo's own other ways.

#include "bristle/mujoco/mechanism.hpp"

#include <cstdlib>

#include <Eigen/Dense>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models.hpp"
#include "support/allocations.hpp"

namespace bristle {
namespace {

using namespace testing_mujoco;
using Numbers = std::vector<double>;

struct Robot {
  explicit Robot(const char* xml, MujocoRobot settings)
      : mechanism(*parse_mujoco_model(xml, "test.xml"), std::move(settings)),
        q(static_cast<std::size_t>(mechanism.places())),
        u(static_cast<std::size_t>(mechanism.speeds())) {
    mechanism.initial(q, u);
    mechanism.look(0, q, u);
  }
  Mechanism::Vector speed() const {
    return Mechanism::Vector::Map(u.data(), static_cast<Eigen::Index>(u.size()));
  }
  MujocoMechanism mechanism;
  Numbers q, u;
};

TEST(MujocoMechanism, HasThePlacesSpeedsAndLinksOfTheModel) {
  const Robot robot(mixed, mixed_robot());
  EXPECT_EQ(robot.mechanism.places(), 7 + 4 + 1 + 1);
  EXPECT_EQ(robot.mechanism.speeds(), 6 + 3 + 1 + 1);
  EXPECT_EQ(robot.mechanism.place_names().size(), robot.q.size());
  EXPECT_EQ(robot.mechanism.speed_names().size(), robot.u.size());
  ASSERT_EQ(robot.mechanism.links().size(), 4u);
  const auto& links = robot.mechanism.links();
  EXPECT_TRUE(std::get<Box>(links[0].shape).size.isApprox(Vector3(0.2, 0.16, 0.1)));
  EXPECT_NEAR(std::get<Cylinder>(links[1].shape).length, 0.2, 1e-12);
  EXPECT_EQ(std::get<Sphere>(links[2].shape).radius, 0.04);
  EXPECT_TRUE(std::holds_alternative<Point>(links[3].shape));
  EXPECT_NEAR(links[0].mass, 3, 1e-12);
}

TEST(MujocoMechanism, ShapesAreWhereMujocoHasTheGeoms) {
  const Robot robot(mixed, mixed_robot());
  const mjData& d = robot.mechanism.data();
  for (int k = 0; k < 3; ++k) {
    const Link& link = robot.mechanism.links()[static_cast<std::size_t>(k)];
    const std::string name = link.name.substr(link.name.find('.') + 1);
    const int geom = mj_name2id(&robot.mechanism.model(), mjOBJ_GEOM, name.c_str());
    const Pose shape = robot.mechanism.pose(k);
    EXPECT_TRUE(shape.position.isApprox(mujoco_vector(d.geom_xpos + 3 * geom), 1e-12));
    const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> matrix(d.geom_xmat +
                                                                                9 * geom);
    EXPECT_TRUE(shape.rotation.toRotationMatrix().isApprox(matrix, 1e-12));
  }
}

/// Where a point fixed to the link is after moving with u for h.
Vector3 point_after(MujocoMechanism& mechanism, Numbers q, const Numbers& u, double h, int link,
                    const Vector3& own) {
  mechanism.move(q, u, h);
  mechanism.place(q);
  return apply(mechanism.pose(link), own);
}

TEST(MujocoMechanism, JacobiansAreTheMotionOfPoints) {
  Robot robot(mixed, mixed_robot());
  const Vector3 own(0.03, -0.05, 0.07);
  for (int link = 0; link < 4; ++link) {
    robot.mechanism.look(0, robot.q, robot.u);
    const Vector3 lever = rotate(robot.mechanism.pose(link), own);
    const Mechanism::Columns linear = robot.mechanism.linear(link);
    const Mechanism::Columns angular = robot.mechanism.angular(link);
    for (int k = 0; k < robot.mechanism.speeds(); ++k) {
      Numbers unit(robot.u.size(), 0.0);
      unit[static_cast<std::size_t>(k)] = 1;
      const double h = 1e-6;
      const Vector3 moved = (point_after(robot.mechanism, robot.q, unit, h, link, own) -
                             point_after(robot.mechanism, robot.q, unit, -h, link, own)) /
                            (2 * h);
      const Vector3 said = linear.col(k) + Vector3(angular.col(k)).cross(lever);
      EXPECT_LT((moved - said).norm(), 1e-9) << "link " << link << ", speed " << k;
    }
  }
}

TEST(MujocoMechanism, RateIsTheSlopeOfMove) {
  Robot robot(mixed, mixed_robot());
  Numbers dq(robot.q.size());
  robot.mechanism.rate(robot.u, dq);
  Numbers ahead = robot.q, behind = robot.q;
  const double h = 1e-6;
  robot.mechanism.move(ahead, robot.u, h);
  robot.mechanism.move(behind, robot.u, -h);
  for (std::size_t k = 0; k < dq.size(); ++k) {
    EXPECT_NEAR((ahead[k] - behind[k]) / (2 * h), dq[k], 1e-9) << k;
  }
}

TEST(MujocoMechanism, SolvesWithTheFullMassMatrix) {
  const Robot robot(mixed, mixed_robot());
  const int n = robot.mechanism.speeds();
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> mass(n, n);
  mj_fullM(&robot.mechanism.model(), mass.data(), robot.mechanism.data().qM);
  for (int k = 0; k < n; ++k) {
    Mechanism::Vector x = mass.col(k);
    robot.mechanism.solve(x);
    EXPECT_LT((x - Mechanism::Vector::Unit(n, k)).norm(), 1e-10) << k;
  }
  const Mechanism::Vector u = robot.speed();
  EXPECT_NEAR(robot.mechanism.kinetic(), 0.5 * u.dot(mass * u), 1e-12);
}

TEST(MujocoMechanism, ForceGivesTheAccelerationThatMujocosInverseAsksNothingFor) {
  MujocoRobot settings = mixed_robot();
  settings.actuators = {{"motor", Signal::constant(0.7)}};
  const Robot robot(mixed, settings);
  Mechanism::Vector a = robot.mechanism.force();
  robot.mechanism.solve(a);
  // In an mjData of its own: inverse dynamics from place, speed and acceleration.
  const mjModel* m = &robot.mechanism.model();
  mjData* d = mj_makeData(m);
  std::copy(robot.q.begin(), robot.q.end(), d->qpos);
  std::copy(robot.u.begin(), robot.u.end(), d->qvel);
  std::copy(a.data(), a.data() + a.size(), d->qacc);
  mj_inverse(m, d);
  // What is left to be applied is the motor, at the elbow (speed 9), twice 0.7.
  Mechanism::Vector expected = Mechanism::Vector::Zero(a.size());
  expected[9] = 1.4;
  const Mechanism::Vector left = Mechanism::Vector::Map(d->qfrc_inverse, a.size());
  EXPECT_LT((left - expected).norm(), 1e-10);
  mj_deleteData(d);
}

/// dE/dt along the motion is the power that motors put in and joints take out.
TEST(MujocoMechanism, PowerIsTheRateOfEnergy) {
  MujocoRobot settings = mixed_robot();
  settings.actuators = {{"motor", Signal::constant(0.7)}};
  settings.control = TaskImpedance{.at = "tip",
                                   .stiffness = {100, 200, 50},
                                   .damping = {5, 6, 7},
                                   .turning = {3, 2, 1},
                                   .turn_damping = {0.3, 0.2, 0.1},
                                   .velocity = {Signal::constant(0.1), {}, {}},
                                   .posture_stiffness = 2,
                                   .posture_damping = 0.4};
  Robot robot(mixed, settings);
  const double power = robot.mechanism.drive().dot(robot.speed());
  Mechanism::Vector a = robot.mechanism.force();
  robot.mechanism.solve(a);
  const auto energy = [&](double h) {
    // Half a step of constant acceleration is exact to the order that counts.
    Numbers q = robot.q, u = robot.u, middle = robot.u;
    for (std::size_t k = 0; k < u.size(); ++k) {
      const double by = a[static_cast<Eigen::Index>(k)];
      u[k] += h * by;
      middle[k] += 0.5 * h * by;
    }
    robot.mechanism.move(q, middle, h);
    robot.mechanism.look(h, q, u);
    return robot.mechanism.kinetic() + robot.mechanism.potential();
  };
  const double h = 1e-5;
  EXPECT_NEAR((energy(h) - energy(-h)) / (2 * h), power, 1e-6 * std::abs(power));
  EXPECT_GT(std::abs(power), 1);
}

TEST(MujocoMechanism, ALookIsAFunctionOfTimePlaceAndSpeed) {
  Robot robot(mixed, mixed_robot());
  const Mechanism::Vector first = robot.mechanism.force();
  Numbers other = robot.q;
  robot.mechanism.move(other, robot.u, 0.3);
  robot.mechanism.look(0.3, other, robot.u);
  EXPECT_GT((robot.mechanism.force() - first).norm(), 1e-3);
  const std::unique_ptr<Mechanism> copy = robot.mechanism.clone();
  robot.mechanism.look(0, robot.q, robot.u);
  EXPECT_EQ(robot.mechanism.force(), first);
  copy->look(0, robot.q, robot.u);
  EXPECT_EQ(copy->force(), first);
  // The copy looks elsewhere; the first stays.
  copy->look(0.3, other, robot.u);
  EXPECT_EQ(robot.mechanism.force(), first);
  EXPECT_EQ(robot.mechanism.pose(2).position, robot.mechanism.pose(2).position);
}

TEST(MujocoMechanism, WhereALinkIsNeedsNoLook) {
  Robot robot(mixed, mixed_robot());
  Numbers other = robot.q;
  robot.mechanism.move(other, robot.u, 0.1);
  robot.mechanism.place(other);
  const Pose placed = robot.mechanism.pose(2);
  robot.mechanism.look(0, other, robot.u);
  EXPECT_EQ(placed.position, robot.mechanism.pose(2).position);
  EXPECT_EQ(placed.rotation.coeffs(), robot.mechanism.pose(2).rotation.coeffs());
}

TEST(MujocoMechanism, LookingAllocatesNothing) {
  if (testing::allocations() < 0) GTEST_SKIP() << "the sanitizers count for themselves";
  MujocoRobot settings = mixed_robot();
  settings.control = TaskImpedance{
      .at = "tip", .stiffness = {100, 200, 50}, .turning = {3, 2, 1}, .posture_damping = 0.4};
  Robot robot(mixed, settings);
  Mechanism::Vector x = robot.mechanism.force();
  Numbers dq(robot.q.size());
  const long before = testing::allocations();
  // MuJoCo has an allocator of its own beside operator new.
  static int of_mujoco;
  of_mujoco = 0;
  mju_user_malloc = [](std::size_t size) {
    ++of_mujoco;
    return std::aligned_alloc(64, (size + 63) / 64 * 64);
  };
  for (int k = 0; k < 100; ++k) {
    robot.mechanism.look(1e-3 * k, robot.q, robot.u);
    robot.mechanism.solve(x);
    robot.mechanism.rate(robot.u, dq);
    robot.mechanism.move(robot.q, robot.u, 1e-3);
    robot.mechanism.place(robot.q);
  }
  mju_user_malloc = nullptr;
  EXPECT_EQ(testing::allocations(), before);
  EXPECT_EQ(of_mujoco, 0);
}

TEST(MujocoMechanism, FreeSwingConservesEnergy) {
  Robot robot(pendulum,
              {.name = "arm", .links = {"tip"}, .places = {0.8, 0.5}, .speeds = {-2, 2.3}});
  const double start = robot.mechanism.kinetic() + robot.mechanism.potential();
  EXPECT_GT(robot.mechanism.kinetic(), 1);
  EXPECT_LT(robot.mechanism.potential(), -1);
  EXPECT_NEAR(robot.mechanism.drive().norm(), 0, 1e-12);
  // Runge–Kutta by hand, so that the mechanism is tested and no integrator of ours.
  const double h = 1e-3;
  const auto slope = [&](double t, const Eigen::Vector4d& y) {
    const Numbers q{y[0], y[1]}, u{y[2], y[3]};
    robot.mechanism.look(t, q, u);
    Mechanism::Vector a = robot.mechanism.force();
    robot.mechanism.solve(a);
    return Eigen::Vector4d(y[2], y[3], a[0], a[1]);
  };
  Eigen::Vector4d y(0.8, 0.5, -2, 2.3);
  for (int k = 0; k < 2000; ++k) {
    const Eigen::Vector4d k1 = slope(0, y), k2 = slope(0, y + 0.5 * h * k1),
                          k3 = slope(0, y + 0.5 * h * k2), k4 = slope(0, y + h * k3);
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  slope(0, y);
  EXPECT_NEAR(robot.mechanism.kinetic() + robot.mechanism.potential(), start, 1e-7);
}

}  // namespace
}  // namespace bristle
