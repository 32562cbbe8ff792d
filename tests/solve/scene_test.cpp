// What a run keeps for its picture agrees with what it says in numbers.

#include "bristle/solve/scene.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "bristle/solve/run.hpp"
#include "worlds.hpp"

namespace bristle {
namespace {

using testing::add_pair;
using testing::flat_floor;
using testing::friction_law;
using testing::normal_law;
using testing::world_of;

RunOptions options_of(const std::string& method, double duration, int frames) {
  RunOptions options;
  options.method = method;
  options.duration = duration;
  options.frames = frames;
  options.samples = std::max(1, frames * 2 / 3);  // rows at the even frames
  return options;
}

const SceneFrame* frame_at(const Scene& scene, double t, double within) {
  for (const SceneFrame& frame : scene.frames) {
    if (std::abs(frame.t - t) <= within) return &frame;
  }
  return nullptr;
}

void expect_monotone(const RunResult& result) {
  const std::vector<SceneFrame>& frames = result.scene.frames;
  ASSERT_GT(frames.size(), 1u);
  EXPECT_EQ(frames.front().t, 0);
  EXPECT_EQ(frames.back().t, result.t_end);
  for (std::size_t i = 1; i < frames.size(); ++i) EXPECT_LT(frames[i - 1].t, frames[i].t);
}

class EveryMethod : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryMethod, PosesAreThoseOfTheTrajectory) {
  const RunResult result = run(world_of("ball-incline"), options_of(GetParam(), 3, 90));
  expect_monotone(result);
  ASSERT_EQ(result.scene.parts.size(), 2u);
  EXPECT_EQ(result.scene.parts[0].name, "ball");
  EXPECT_EQ(result.scene.parts[0].role, ScenePart::Role::free);
  EXPECT_EQ(result.scene.parts[1].role, ScenePart::Role::fixed);
  const std::vector<double>& t = result.column("t");
  ASSERT_EQ(t.size(), 61u);
  for (std::size_t i = 0; i < t.size(); ++i) {
    const SceneFrame* frame = frame_at(result.scene, t[i], 1e-12);
    ASSERT_NE(frame, nullptr) << t[i];
    ASSERT_EQ(frame->poses.size(), 1u);
    const Pose& pose = frame->poses[0];
    EXPECT_NEAR(pose.position.x(), result.column("x")[i], 1e-9);
    EXPECT_NEAR(pose.position.y(), result.column("y")[i], 1e-9);
    EXPECT_NEAR(pose.position.z(), result.column("z")[i], 1e-9);
    const Eigen::Quaterniond turned(result.column("qw")[i], result.column("qx")[i],
                                    result.column("qy")[i], result.column("qz")[i]);
    EXPECT_NEAR(pose.rotation.angularDistance(turned.normalized()), 0, 1e-9);
    double fn = 0;
    for (const SceneForce& force : frame->forces) fn += force.normal.norm();
    EXPECT_NEAR(fn, result.column("fn")[i], 1e-6 * (1 + fn));
  }
}

TEST_P(EveryMethod, TouchAndPartingAreFrames) {
  RunOptions options = options_of(GetParam(), 3, 90);
  const RunResult result = run(world_of("ball-incline"), options);
  ASSERT_EQ(result.impacts.size(), 4u);
  const double within = is_fixed_step(result.method) ? options.step : 1e-12;
  for (const Impact& impact : result.impacts) {
    EXPECT_NE(frame_at(result.scene, impact.t, within), nullptr) << impact.t;
    if (!std::isfinite(impact.t_out)) continue;
    EXPECT_NE(frame_at(result.scene, impact.t_out, within), nullptr) << impact.t_out;
    // Between them is the frame of the largest force: 20 ms of an impact hold 2 m v of impulse.
    double most = 0;
    for (const SceneFrame& frame : result.scene.frames) {
      if (frame.t < impact.t || frame.t > impact.t_out) continue;
      for (const SceneForce& force : frame.forces) most = std::max(most, force.normal.norm());
    }
    EXPECT_GT(most, impact.impulse / (impact.t_out - impact.t));
  }
}

TEST_P(EveryMethod, StagesFollowEachOther) {
  const RunResult result = run(world_of("ball-incline"), options_of(GetParam(), 3, 90));
  const std::vector<SceneStage>& stages = result.scene.stages;
  ASSERT_EQ(stages.size(), 8u);  // three bounces, then it stays
  EXPECT_EQ(stages.front().from, 0);
  EXPECT_EQ(stages.back().to, result.t_end);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    EXPECT_EQ(stages[i].text, i % 2 == 0 ? "flight" : "contact");
    if (i > 0) {
      EXPECT_EQ(stages[i].from, stages[i - 1].to);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scene, EveryMethod, ::testing::Values("event", "rk4", "bristle"));

/// A box at rest on a slope; `turned` names the slope first in the pair.
World box_on_slope(double angle, bool turned) {
  World world;
  RigidBody slope = flat_floor();
  slope.pose.rotation = Eigen::AngleAxisd(angle, Vector3::UnitY());
  const Side floor = world.add(slope);
  RigidBody box = testing::body("box", Box{Vector3(0.2, 0.2, 0.1)}, 2,
                                slope.pose.rotation * Vector3(0, 0, 0.05));
  box.pose.rotation = slope.pose.rotation;
  const Side made = world.add(box);
  add_pair(world, turned ? floor : made, turned ? made : floor, normal_law(1e5, 0.3),
           friction_law(0.6));
  return world;
}

TEST(Scene, ForcesCarryTheWeight) {
  for (const bool turned : {false, true}) {
    const RunResult result = run(box_on_slope(0.2, turned), options_of("bristle", 1, 90));
    const SceneFrame& last = result.scene.frames.back();
    ASSERT_EQ(last.forces.size(), 4u);
    Vector3 sum = Vector3::Zero(), friction = Vector3::Zero();
    for (const SceneForce& force : last.forces) {
      sum += force.normal + force.friction;
      friction += force.friction;
      EXPECT_NEAR(force.normal.dot(force.friction), 0, 1e-9);
    }
    const double weight = 2 * testing::g;
    EXPECT_NEAR((sum - Vector3(0, 0, weight)).norm(), 0, 0.02 * weight) << sum.transpose();
    EXPECT_NEAR(friction.norm(), weight * std::sin(0.2), 0.02 * weight);
    EXPECT_LT(friction.x(), 0);  // up the slope, which falls towards +x
  }
}

TEST(Scene, TipOfAPendulumIsWhereItsLinkEnds) {
  const RunResult result = run(world_of("double-pendulum"), options_of("event", 1, 90));
  expect_monotone(result);
  const Scene& scene = result.scene;
  ASSERT_EQ(scene.parts.size(), 3u);  // the floor, two links
  const ScenePart& link = scene.parts[2];
  ASSERT_TRUE(link.traced.has_value());
  const std::vector<double>& t = result.column("t");
  for (std::size_t i = 0; i < t.size(); ++i) {
    const SceneFrame* frame = frame_at(scene, t[i], 1e-12);
    ASSERT_NE(frame, nullptr);
    const Vector3 tip = apply(frame->poses[1], *link.traced);
    EXPECT_NEAR(tip.x(), result.column("x_tip")[i], 1e-9);
    EXPECT_NEAR(tip.z(), result.column("z_tip")[i], 1e-9);
    // The first link ends where the second begins.
    const double half = std::get<Capsule>(scene.parts[1].shape).length / 2;
    const Vector3 elbow = apply(frame->poses[0], Vector3(0, 0, half));
    EXPECT_NEAR((elbow - apply(frame->poses[1], -*link.traced)).norm(), 0, 1e-12);
  }
  EXPECT_NEAR((scene.parts[1].pose.position - scene.frames[0].poses[0].position).norm(), 0, 1e-12);
}

TEST(Scene, DrivenBodiesMoveAsTold) {
  const World world = world_of("gears");
  const RunResult result = run(world, options_of("event", 0.2, 30));
  for (const ScenePart& part : result.scene.parts) EXPECT_EQ(part.role, ScenePart::Role::driven);
  bool pressed = false;
  for (const SceneFrame& frame : result.scene.frames) {
    for (std::size_t k = 0; k < 2; ++k) {
      const Pose told = world.bodies[k].pose_at(frame.t);
      EXPECT_NEAR((frame.poses[k].position - told.position).norm(), 0, 1e-12);
      EXPECT_NEAR(frame.poses[k].rotation.angularDistance(told.rotation), 0, 1e-7);
    }
    pressed = pressed || !frame.forces.empty();
  }
  EXPECT_TRUE(pressed);
}

TEST(Scene, ManyImpactsMakeFewFrames) {
  RunOptions options = options_of("event", 4, 90);
  const RunResult result = run(world_of("double-pendulum"), options);
  ASSERT_GT(result.impacts.size(), 30u);
  expect_monotone(result);
  EXPECT_LE(result.scene.frames.size(), 95u);
  options.frames = 900;
  EXPECT_LE(run(world_of("double-pendulum"), options).scene.frames.size(), 900u);
}

TEST(Scene, NoneUnlessAsked) {
  const RunResult result = run(world_of("ball-incline"), options_of("event", 0.1, 0));
  EXPECT_TRUE(result.scene.parts.empty());
  EXPECT_TRUE(result.scene.frames.empty());
}

TEST(Scene, AnInterruptedRunEndsWhereItEnds) {
  RunOptions options = options_of("bristle", 3, 90);
  options.progress = [](double t) { return t < 0.4; };
  const RunResult result = run(world_of("ball-incline"), options);
  ASSERT_TRUE(result.partial);
  expect_monotone(result);
  EXPECT_EQ(result.scene.stages.back().to, result.t_end);
}

}  // namespace
}  // namespace bristle
