// Bodies under the step for worlds at 1 ms: boxes that hold and slide, balls that meet, a free
// top, a belt, and every friction law.

#include <algorithm>

#include <Eigen/Geometry>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bristle/solve/run.hpp"
#include "worlds.hpp"

namespace bristle {
namespace {

using testing::add_pair;
using testing::body;
using testing::degree;
using testing::energy;
using testing::flat_floor;
using testing::friction_law;
using testing::g;
using testing::normal_law;
using testing::world_of;

constexpr double h = 1e-3, mu = 0.5;

/// A box that stands on a plane, gravity turned by `tilt` about an axis of the plane: down the
/// slope is the direction at the angle `heading` from the box's edges.
World box_on_slope(double tilt, double heading, const AnyLaw& law) {
  World world;
  const Vector3 down(std::cos(heading), std::sin(heading), 0);
  world.gravity = g * (std::sin(tilt) * down - std::cos(tilt) * Vector3::UnitZ());
  // 2 kg on four corners: 4.9 N each, (4.9/1e6)^(2/3) = 0.29 mm deep.
  const Side box = world.add(body("box", Box{{0.2, 0.2, 0.1}}, 2, {0, 0, 0.05 - 2.8e-4}));
  add_pair(world, box, world.add(flat_floor()), normal_law(1e6, 0.9), law);
  return world;
}

struct Held {
  const char* law;
  double heading;
  friend std::ostream& operator<<(std::ostream& out, const Held& c) {
    return out << c.law << " at " << c.heading;
  }
};

class WorldStepBox : public ::testing::TestWithParam<Held> {
 protected:
  static AnyLaw law() {
    AnyLaw made = friction_law(mu, GetParam().law);
    if (made.info().find("v_s") != nullptr) made.set("v_s", 1e-3);
    return made;
  }
};

TEST_P(WorldStepBox, HoldsAtFourFifthsOfTheFrictionAngle) {
  WorldStepper world(box_on_slope(0.8 * std::atan(mu), GetParam().heading * degree, law()));
  for (int i = 0; i < 3000; ++i) world.step(h);
  const Pose settled = world.pose(0);
  double creep = 0;
  for (int i = 0; i < 10000; ++i) {
    world.step(h);
    creep = std::max(creep, (world.pose(0).position - settled.position).norm());
  }
  RecordProperty("creep", fmt::format("{:.2e}", creep));
  EXPECT_LT(creep, 1e-9);
  EXPECT_LT(world.velocity(0).norm(), 1e-10);
  double load = 0;
  Vector3 held = Vector3::Zero();
  for (int s = 0; s < world.sites(); ++s) {
    load += world.read(s).fn;
    held += world.read(s).friction;
  }
  const double tilt = 0.8 * std::atan(mu);
  EXPECT_NEAR(load, 2 * g * std::cos(tilt), 1e-6);
  EXPECT_NEAR(held.norm(), 2 * g * std::sin(tilt), 1e-6);
}

TEST_P(WorldStepBox, SlidesAtSixFifthsOfIt) {
  const double tilt = 1.2 * std::atan(mu), heading = GetParam().heading * degree;
  WorldStepper world(box_on_slope(tilt, heading, law()));
  const Vector3 down(std::cos(heading), std::sin(heading), 0);
  for (int i = 0; i < 1000; ++i) world.step(h);
  const Vector3 start = world.velocity(0);
  for (int i = 0; i < 1000; ++i) world.step(h);
  const Vector3 a = world.velocity(0) - start;
  const double expected = g * (std::sin(tilt) - mu * std::cos(tilt));
  RecordProperty("acceleration, relative error", fmt::format("{:.2e}", a.dot(down) / expected - 1));
  EXPECT_NEAR(a.dot(down), expected, 1e-3 * expected);
  EXPECT_LT((a - a.dot(down) * down).norm(), 1e-3 * expected);
  EXPECT_LT(world.spin(0).norm(), 1e-3);
}

/// How fast the box goes after 6 s, at this share of the coefficient of friction.
double speed_at(double share, double heading, const AnyLaw& law) {
  WorldStepper world(box_on_slope(std::atan(share * mu), heading * degree, law));
  for (int i = 0; i < 6000; ++i) world.step(h);
  return world.velocity(0).norm();
}

TEST(WorldStepBoxes, HoldAThousandthBelowTheFrictionAngleAndNotAbove) {
  int laws = 0;
  for (const std::string& name : AnyLaw::names()) {
    const AnyLaw law = friction_law(mu, name);
    if (!law.info().can(Capability::set_valued) || law.info().takes_points) continue;
    ++laws;
    for (const double heading : {0.0, 45.0, 20.0}) {
      EXPECT_LT(speed_at(0.999, heading, law), 1e-10) << name << " at " << heading;
      // A thousandth of mu g makes 0.02 m/s in 5 s; what is viscous slows it.
      EXPECT_GT(speed_at(1.001, heading, law), 1e-3) << name << " at " << heading;
    }
  }
  EXPECT_GE(laws, 5);
}

INSTANTIATE_TEST_SUITE_P(
    Law, WorldStepBox,
    ::testing::Values(Held{"gonthier", 0}, Held{"gonthier", 45}, Held{"gonthier", 20},
                      Held{"coulomb", 0}, Held{"coulomb", 45}, Held{"stiction", 0},
                      Held{"stiction", 45}, Held{"elasto-plastic", 0}, Held{"elasto-plastic", 45},
                      Held{"lugre", 0}, Held{"lugre", 45}),
    [](const auto& test) {
      std::string name = fmt::format("{}_{}", test.param.law, test.param.heading);
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

// ---- two bodies that meet -----------------------------------------------------------------------

TEST(WorldStepSpheres, CollideWithTheRestitutionOfThePair) {
  for (const double e : {0.2, 0.5, 0.9}) {
    for (const double ratio : {1.0, 3.0, 50.0}) {
      for (int phase = 0; phase < 10; ++phase) {
        World world;
        world.gravity.setZero();
        const double m1 = 1, m2 = ratio, apart = 0.3 + 1e-4 * phase;
        const Side one = world.add(body("one", Sphere{0.1}, m1, {0, 0, 0}, {2, 0.5, 0}));
        const Side two = world.add(body("two", Sphere{0.15}, m2, {apart, 0, 0}, {-1, 0.5, 0}));
        add_pair(world, one, two, normal_law(1e7, e), friction_law(0.3));
        WorldStepper stepper(world);
        const auto momentum = [&] {
          return Vector3(m1 * stepper.velocity(0) + m2 * stepper.velocity(1));
        };
        const Vector3 before = momentum();
        for (int i = 0; i < 100; ++i) stepper.step(h);
        EXPECT_LT((momentum() - before).norm(), 1e-12 * (m1 + m2));
        ASSERT_EQ(stepper.impacts().size(), 1u);
        EXPECT_NEAR(stepper.impacts()[0].v_in, 3, 1e-9);
        EXPECT_NEAR(stepper.impacts()[0].restitution(), e, 1e-5);
        EXPECT_NEAR((stepper.velocity(1) - stepper.velocity(0)).x(), 3 * e, 3e-5);
      }
    }
  }
}

// Off centre and spinning: momentum and angular momentum about the origin.
TEST(WorldStepSpheres, ObliqueCollisionKeepsBothMomenta) {
  World world;
  world.gravity.setZero();
  RigidBody first = body("one", Sphere{0.1}, 1, {0, 0, 0}, {2, 0, 0.3});
  first.spin = {10, -20, 30};
  const Side one = world.add(first);
  const Side two = world.add(body("two", Sphere{0.15}, 2, {0.3, 0.1, -0.05}, {-1, 0, 0}));
  add_pair(world, one, two, normal_law(1e7, 0.7), friction_law(0.3));
  WorldStepper stepper(world);
  const auto momenta = [&] {
    Vector3 p = Vector3::Zero(), l = Vector3::Zero();
    for (int b = 0; b < 2; ++b) {
      const MassProperties& m = world.bodies[static_cast<std::size_t>(b)].mass;
      p += m.mass * stepper.velocity(b);
      l += stepper.pose(b).position.cross(m.mass * stepper.velocity(b)) +
           m.inertia(0, 0) * stepper.spin(b);
    }
    return std::pair{p, l};
  };
  const auto [p0, l0] = momenta();
  const double e0 = stepper.kinetic();
  for (int i = 0; i < 200; ++i) stepper.step(h);
  const auto [p1, l1] = momenta();
  ASSERT_EQ(stepper.impacts().size(), 1u);
  EXPECT_LT((p1 - p0).norm(), 1e-12);
  // Measured 1.5e-5: while they are pressed together the spheres move, and the impulses of a
  // sub-step act at one point.
  EXPECT_LT((l1 - l0).norm(), 5e-5 * l0.norm());
  EXPECT_LT(stepper.kinetic(), e0);
  EXPECT_GT((stepper.spin(1)).norm(), 1);  // dragged along
}

TEST(WorldStepSpheres, AStackComesToRest) {
  World world;
  const Side lower = world.add(body("lower", Sphere{0.1}, 2, {0, 0, 0.11}));
  const Side upper = world.add(body("upper", Sphere{0.1}, 1, {0, 0, 0.34}));
  const Side floor_side = world.add(flat_floor());
  add_pair(world, lower, floor_side, normal_law(1e6, 0.4), friction_law(0.4));
  add_pair(world, upper, lower, normal_law(1e6, 0.4), friction_law(0.4));
  WorldStepper stepper(world);
  double lowest = energy(stepper);
  for (int i = 0; i < 5000; ++i) {
    stepper.step(h);
    EXPECT_LT(energy(stepper), lowest + 1e-6);
    lowest = std::min(lowest, energy(stepper));
  }
  EXPECT_NEAR(stepper.read(0).fn, 3 * g, 1e-3);
  EXPECT_NEAR(stepper.read(1).fn, g, 1e-3);
  EXPECT_LT(stepper.velocity(0).norm() + stepper.velocity(1).norm(), 1e-6);
  EXPECT_NEAR(stepper.pose(0).position.z(), 0.1 - std::pow(3 * g / 1e6, 2.0 / 3), 1e-7);
  EXPECT_NEAR(stepper.pose(1).position.z() - stepper.pose(0).position.z(),
              0.2 - std::pow(g / 1e6, 2.0 / 3), 1e-7);
}

// ---- free flight --------------------------------------------------------------------------------

TEST(WorldStepTop, AFreeBoxKeepsEnergyAndAngularMomentum) {
  World world;
  world.gravity.setZero();
  RigidBody box = body("box", Box{{0.3, 0.2, 0.1}}, 2, {0, 0, 0}, {1, 2, 3});
  // Nearly about the middle axis: it flips over again and again.
  box.spin = {0.01, 8, 0.01};
  world.add(box);
  WorldStepper stepper(world);
  const auto angular = [&] {
    const Eigen::Quaterniond q = stepper.pose(0).rotation;
    return Vector3(q * (box.mass.inertia * (q.conjugate() * stepper.spin(0))));
  };
  const Vector3 l0 = angular();
  const double e0 = stepper.kinetic();
  double off = 0, turned = 0, energy_off = 0;
  for (int i = 0; i < 10000; ++i) {
    stepper.step(h);
    off = std::max(off, (angular() - l0).norm() / l0.norm());
    energy_off = std::max(energy_off, std::abs(stepper.kinetic() / e0 - 1));
    turned = std::min(turned, (stepper.pose(0).rotation.conjugate() * stepper.spin(0)).y());
  }
  RecordProperty("angular momentum", fmt::format("{:.2e}", off));
  RecordProperty("energy", fmt::format("{:.2e}", energy_off));
  EXPECT_LT(turned, -7);  // it did flip
  EXPECT_LT(off, 1e-10);
  EXPECT_LT(energy_off, 1e-11);
  EXPECT_LT((stepper.pose(0).position - Vector3(10, 20, 30)).norm(), 1e-9);
}

// ---- a cylinder that rocks ----------------------------------------------------------------------

// Where its axis passes the upright the points of its rims are those on the other side, but each
// site stays where it is on the body, and keeps its own bristles.
TEST(WorldStepCylinder, SitesStayOnTheirSideOfTheRim) {
  World world;
  RigidBody post = body("post", Cylinder{0.04, 0.06}, 0.5, {0, 0, 0.034});
  post.pose.rotation = Eigen::AngleAxisd(5 * degree, Vector3::UnitY());
  const Side side = world.add(post);
  add_pair(world, side, world.add(flat_floor()), normal_law(1e7, 0.9), friction_law(0.8));
  WorldStepper stepper(world);
  const auto lean = [&] { return (stepper.pose(0).rotation * Vector3::UnitZ()).x(); };
  const auto lower = [&] { return stepper.read(0).depth - stepper.read(1).depth; };
  const double first = std::copysign(1.0, lower() * lean());
  int other_side = 0;
  for (int i = 0; i < 500; ++i) {
    stepper.step(h);
    if (std::abs(lean()) < 1e-3) continue;
    other_side += lean() < 0 ? 1 : 0;
    // Two points of one rim, 0.08 m apart.
    ASSERT_NEAR(lower(), first * 0.08 * lean(), 1e-9) << i;
  }
  EXPECT_GT(other_side, 10);
}

// ---- a belt -------------------------------------------------------------------------------------

// From rest on a belt at V a ball ends with 2/7 V: its angular momentum about a line of the belt
// stays 0. The belt puts in what the ball gains and friction takes.
TEST(WorldStepBelt, DragsABallAndTheBooksClose) {
  for (const bool by_drive : {false, true}) {
    World world;
    RigidBody belt = flat_floor();
    if (by_drive) {
      belt.drive[0] = Signal::constant(0.7);
    } else {
      belt.velocity = {0.7, 0, 0};
    }
    const Side floor_side = world.add(belt);
    const double depth = std::pow(2 * g / 1e6, 2.0 / 3);
    const Side ball = world.add(body("ball", Sphere{0.1}, 2, {0, 0, 0.1 - depth}));
    add_pair(world, ball, floor_side, normal_law(1e6, 0.5), friction_law(0.3));
    for (const char* method : {"bristle", "event", "cvode"}) {
      RunOptions options;
      options.method = method;
      options.duration = 2;
      const RunResult r = run(world, options);
      EXPECT_NEAR(r.final("vx"), 2.0 / 7 * 0.7, 1e-4) << method;
      EXPECT_NEAR(r.final("wy"), -5.0 / 7 * 0.7 / 0.1, 1e-3) << method;
      const double kinetic = 0.5 * 2 * std::pow(0.2, 2) * (1 + 0.4 * 6.25);
      EXPECT_NEAR(r.energy.kinetic, kinetic, 1e-3) << method;
      EXPECT_NEAR(r.energy.input, 2 * 0.2 * 0.7, 1e-3) << method;  // impulse times V
      EXPECT_LT(r.energy.relative_error, 1e-8) << method;
      RecordProperty(fmt::format("{} {}", method, by_drive),
                     fmt::format("{:.2e}", r.energy.relative_error));
    }
  }
}

// ---- every law ----------------------------------------------------------------------------------

class WorldStepLaw : public ::testing::TestWithParam<std::string> {};

// The ball ends rolling, or slides faster than that where its law lets it; never faster than
// without friction.
TEST_P(WorldStepLaw, TakesTheBallDownTheSlope) {
  const AnyLaw law(GetParam());
  if (law.delay() > 0) GTEST_SKIP() << "looks back in time";
  World world = world_of("ball-incline");
  const Scenario own = load_scenario("ball-incline", {});
  if (std::find(own.laws.begin(), own.laws.end(), GetParam()) != own.laws.end()) {
    world = world_of("ball-incline", {"friction.law=" + GetParam()});
  } else {
    world.pairs[0].friction = law;
  }
  WorldStepper ball(world);
  const double slope = std::sin(20 * degree), flat = std::cos(20 * degree);
  double highest = energy(ball);
  for (int i = 0; i < 3000; ++i) {
    ball.step(h);
    ASSERT_TRUE(std::isfinite(energy(ball))) << i;
    ASSERT_TRUE(ball.read(0).friction.allFinite()) << i;
    EXPECT_LT(energy(ball), highest + 1e-3);
    highest = std::max(highest, energy(ball));
  }
  const Vector3 v = ball.velocity(0);
  const double speed = flat * v.x() - slope * v.z();
  const double rolling = 5.0 / 7 * (-flat + g * slope * 3), free = -flat + g * slope * 3;
  EXPECT_GT(speed, rolling - 0.02);
  EXPECT_LT(speed, free);
  EXPECT_TRUE(ball.read(0).touching);
  RecordProperty("speed", fmt::format("{:.4f}", speed));
  RecordProperty("slip", fmt::format("{:.2e}", ball.read(0).slip));
  // Kinetic friction of 0.2 and more holds a rolling ball, which needs 2/7 tan 20° = 0.104.
  EXPECT_LT(ball.read(0).slip, 0.05);
}

INSTANTIATE_TEST_SUITE_P(Every, WorldStepLaw, ::testing::ValuesIn(AnyLaw::names()),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace bristle
