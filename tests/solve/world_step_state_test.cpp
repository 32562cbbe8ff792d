// Copies, saved states and allocations of the step for worlds.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/allocations.hpp"
#include "worlds.hpp"

namespace bristle {
namespace {

using testing::add_pair;
using testing::body;
using testing::flat_floor;
using testing::friction_law;
using testing::normal_law;
using testing::same_bits;
using testing::saved;
using testing::world_of;

constexpr double h = 1e-3;

/// Two balls and a box that tumble on a belt under several laws, and a pendulum beside them.
World busy_world() {
  World world;
  RigidBody belt = flat_floor();
  belt.velocity = {0.5, 0.1, 0};
  const Side ground_side = world.add(belt);
  AnyLaw lugre("lugre");
  lugre.set("v_s", 0.01);
  const AnyNormal normal = normal_law(1e6, 0.6);
  const Side one = world.add(body("one", Sphere{0.1}, 1, {0, 0, 0.15}, {0.3, 0, 0}));
  const Side two = world.add(body("two", Sphere{0.1}, 2, {0.05, 0.02, 0.4}, {0, 0, -1}));
  RigidBody box = body("box", Box{{0.2, 0.1, 0.06}}, 1, {2, 0, 0.3}, {0, 0.2, 0});
  box.pose.rotation = Eigen::Quaterniond(Eigen::AngleAxisd(0.7, Vector3(1, 2, 3).normalized()));
  box.spin = {2, -1, 3};
  const Side tumbling = world.add(box);
  add_pair(world, one, ground_side, normal, friction_law(0.4));
  add_pair(world, two, ground_side, normal, lugre);
  add_pair(world, one, two, normal, friction_law(0.3, "elasto-plastic"));
  add_pair(world, tumbling, ground_side, normal, friction_law(0.4, "coulomb"));
  RigidBody low = flat_floor();
  low.name = "low";
  low.pose.position.z() = -0.61;
  const Side pit = world.add(low);
  World other = world_of("double-pendulum");
  const Side arm = world.add(other.pendulums[0]);
  add_pair(world, arm, pit, other.pairs[0].normal, other.pairs[0].friction);
  return world;
}

TEST(WorldStepState, RestoredElsewhereGoesOnWithTheSameBits) {
  const World world = busy_world();
  WorldStepper original(world);
  int compared = 0;
  for (int i = 0; i < 2000; ++i) {
    original.step(h);
    if (i % 97 != 0) continue;
    const std::vector<double> now = saved(original);
    WorldStepper other(world);
    other.restore(now);
    ASSERT_TRUE(same_bits(saved(other), now)) << i;
    for (int s = 0; s < original.sites(); ++s) {
      EXPECT_EQ(other.read(s).friction, original.read(s).friction) << i << ", site " << s;
      EXPECT_EQ(other.read(s).slip, original.read(s).slip) << i << ", site " << s;
    }
    WorldStepper ahead(original);
    for (int k = 0; k < 150; ++k) {
      other.step(h);
      ahead.step(h);
    }
    ASSERT_TRUE(same_bits(saved(other), saved(ahead))) << i;
    ++compared;
  }
  EXPECT_GT(compared, 20);
}

TEST(WorldStepState, RollBackAndAgain) {
  WorldStepper world(busy_world());
  for (int i = 0; i < 300; ++i) world.step(h);
  const std::vector<double> before = saved(world);
  for (int i = 0; i < 500; ++i) world.step(h);
  const std::vector<double> once = saved(world);
  world.restore(before);
  EXPECT_DOUBLE_EQ(world.time(), 0.3);
  for (int i = 0; i < 500; ++i) world.step(h);
  EXPECT_TRUE(same_bits(saved(world), once));
}

// A contact that began before the state was saved is reported at its own place afterwards.
TEST(WorldStepState, ARestoredImpactKnowsItsPair) {
  World world;
  const Side floor_side = world.add(flat_floor());
  const Side resting = world.add(body("resting", Sphere{0.1}, 1, {0, 0, 5}));
  const Side falling = world.add(body("falling", Sphere{0.1}, 1, {1, 0, 0.1001}, {0, 0, -1}));
  add_pair(world, resting, floor_side, normal_law(1e6, 0.5), friction_law(0.3));
  add_pair(world, falling, floor_side, normal_law(1e6, 0.5), friction_law(0.3));
  WorldStepper first(world);
  first.step(h);
  ASSERT_TRUE(first.read(1).touching);
  WorldStepper second(world);
  second.restore(saved(first));
  for (int i = 0; i < 300; ++i) second.step(h);
  ASSERT_FALSE(second.impacts().empty());
  EXPECT_EQ(second.impacts()[0].pair, 1);
  EXPECT_EQ(second.impacts()[0].site, 1);
}

TEST(WorldStepState, ACopyReadsAndGoesOnAlike) {
  WorldStepper original(busy_world());
  original.keep_books(true);
  for (int i = 0; i < 700; ++i) original.step(h);
  WorldStepper copy(original);
  EXPECT_EQ(copy.time(), original.time());
  EXPECT_EQ(copy.input(), original.input());
  EXPECT_EQ(copy.impacts().size(), original.impacts().size());
  EXPECT_THAT(std::vector<double>(copy.books().begin(), copy.books().end()),
              ::testing::ElementsAreArray(original.books().begin(), original.books().end()));
  const auto expect_alike = [&] {
    for (int s = 0; s < original.sites(); ++s) {
      const WorldStepper::Reading a = original.read(s), b = copy.read(s);
      EXPECT_EQ(a.touching, b.touching) << s;
      EXPECT_EQ(a.depth, b.depth) << s;
      EXPECT_EQ(a.fn, b.fn) << s;
      EXPECT_EQ(a.friction, b.friction) << s;
      EXPECT_EQ(a.slip, b.slip) << s;
    }
  };
  expect_alike();
  for (int i = 0; i < 300; ++i) {
    original.step(h);
    copy.step(h);
  }
  expect_alike();
  EXPECT_TRUE(same_bits(saved(copy), saved(original)));
  const WorldStepper moved(std::move(copy));
  EXPECT_TRUE(same_bits(saved(moved), saved(original)));
}

TEST(WorldStepState, TheSameStepsGiveTheSameBits) {
  WorldStepper a(busy_world()), b(busy_world());
  for (int i = 0; i < 1000; ++i) {
    a.step(h);
    b.step(h);
  }
  EXPECT_TRUE(same_bits(saved(a), saved(b)));
}

TEST(WorldStepAllocations, NoneInAStep) {
  if (testing::allocations() < 0) GTEST_SKIP() << "allocations are not counted here";
  WorldStepper busy(busy_world());
  busy.keep_books(true);
  std::vector<double> numbers = saved(busy);
  const long before = testing::allocations();
  for (int i = 0; i < 2000; ++i) busy.step(h);
  busy.save(numbers);
  busy.restore(numbers);
  EXPECT_EQ(testing::allocations(), before);
  EXPECT_GT(busy.impacts().size(), 5u);
}

TEST(WorldStepAllocations, NoneUnderAnyLaw) {
  if (testing::allocations() < 0) GTEST_SKIP() << "allocations are not counted here";
  for (const std::string& name : AnyLaw::names()) {
    const AnyLaw law(name);
    if (law.delay() > 0) continue;
    World world = world_of("ball-incline");
    world.pairs[0].friction = law;
    WorldStepper ball(world);
    const long before = testing::allocations();
    for (int i = 0; i < 1000; ++i) ball.step(h);
    EXPECT_EQ(testing::allocations(), before) << name;
  }
}

TEST(WorldStepBudget, BoundsTheSubSteps) {
  StepBudget budget;
  budget.substeps = 6;
  WorldStepper few(world_of("double-pendulum"), budget), many(world_of("double-pendulum"));
  for (int i = 0; i < 12000; ++i) {
    few.step(h);
    many.step(h);
  }
  EXPECT_LE(few.most_substeps(), 6 + 2);
  EXPECT_GT(many.most_substeps(), few.most_substeps());
  EXPECT_LE(many.most_substeps(), StepBudget{}.substeps + 2);
  EXPECT_GT(many.substeps(), 8000);
}

}  // namespace
}  // namespace bristle
