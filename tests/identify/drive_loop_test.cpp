// Drives as equations of motion, and in the loop of their controller.

#include "bristle/identify/drive_loop.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "bristle/core/error.hpp"
#include "bristle/identify/search.hpp"

namespace bristle {
namespace {

using Terms = std::vector<std::string>;

DrivePlant plant(const Terms& terms, const std::vector<double>& p) {
  return DriveModel(terms).at(p);
}

TEST(DrivePlant, StopsWhereDryFrictionStopsIt) {
  const DrivePlant p = plant({"acceleration", "coulomb"}, {1, 2});
  DriveState s{0, 1};
  p.advance(s, 0, 10);  // 2 m/s²: stops after 0.5 s and 0.25 m, and stays
  EXPECT_DOUBLE_EQ(s.q, 0.25);
  EXPECT_EQ(s.v, 0);
}

TEST(DrivePlant, ReversesWithinAStep) {
  const DrivePlant p = plant({"acceleration", "coulomb"}, {1, 2});
  DriveState s{0, 1};
  p.advance(s, -5, 1);  // 7 m/s² until it stops, then 3 m/s² the other way
  const double stop = 1. / 7, left = 1 - stop;
  EXPECT_NEAR(s.q, stop / 2 - 1.5 * left * left, 1e-15);
  EXPECT_NEAR(s.v, -3 * left, 1e-15);
}

TEST(DrivePlant, SticksBetweenItsTwoLevels) {
  const DrivePlant p = plant({"acceleration", "coulomb+", "coulomb-", "offset"}, {1, 2, 5, 1});
  for (const double force : {-4.0, 0.0, 3.0}) {
    DriveState s{0.7, 0};
    p.advance(s, force, 1);
    EXPECT_EQ(s.q, 0.7) << force;
    EXPECT_EQ(s.v, 0) << force;
  }
  DriveState up, down;
  p.advance(up, 3.5, 1);
  p.advance(down, -4.5, 1);
  EXPECT_DOUBLE_EQ(up.v, 0.5);
  EXPECT_DOUBLE_EQ(down.v, -0.5);
}

TEST(DrivePlant, ViscousMotionIsExact) {
  const DrivePlant p = plant({"acceleration", "viscous", "coulomb"}, {2, 6, 4});
  DriveState s;
  p.advance(s, 10, 0.3);  // (10 − 4)/6 = 1 m/s in the end, time constant 1/3 s
  EXPECT_NEAR(s.v, -std::expm1(-0.9), 1e-15);
  EXPECT_NEAR(s.q, 0.3 + std::expm1(-0.9) / 3, 1e-15);
  // Stops on the way down: 4 N against 1 m/s and 6 N s/m, t = ln(1 + 6/4)/3.
  s = {0, 1};
  p.advance(s, 0, 1);
  const double stop = std::log(2.5) / 3;
  EXPECT_NEAR(s.q, (1 + 2. / 3) / 3 * -std::expm1(-3 * stop) - 2. / 3 * stop, 1e-15);
}

// Rich terms take another way through the code than viscous ones; a term without weight must not
// change the motion, and neither must the length of the steps.
TEST(DrivePlant, RichTermsGoTheSameWay) {
  const Terms simple = {"acceleration", "viscous+", "viscous-", "coulomb"};
  Terms rich = simple;
  rich.insert(rich.end(), {"stribeck2(0.02)", "quadratic+", "position"});
  const DrivePlant a = plant(simple, {95, 150, 240, 20}),
                   b = plant(rich, {95, 150, 240, 20, 0, 1e-300, 0, 0.02});
  DriveState s, r;
  for (int k = 0; k < 3000; ++k) {
    const double force = 60 * std::sin(5e-3 * k);
    a.advance(s, force, 1e-3);
    b.advance(r, force, 1e-3);
    ASSERT_NEAR(s.q, r.q, 1e-12) << k;
    ASSERT_NEAR(s.v, r.v, 1e-12) << k;
  }
  const DrivePlant full = plant(rich, {95, 150, 240, 20, -7, -300, 8, 0.016});
  DriveState one{0.1, 0.05}, many = one;
  full.advance(one, -60, 0.2);
  for (int k = 0; k < 2000; ++k) full.advance(many, -60, 1e-4);
  EXPECT_LT(one.v, 0);
  EXPECT_NEAR(one.q, many.q, 1e-8);
  EXPECT_NEAR(one.v, many.v, 1e-8);
}

std::string fault(const Terms& terms) {
  try {
    static_cast<void>(DriveModel(terms));
  } catch (const InputError& error) {
    return error.fault().message;
  }
  return "accepted";
}

TEST(DriveModel, RefusesWhatIsNoEquationOfMotion) {
  EXPECT_EQ(fault({"acceleration", "jerk"}), "this term is no part of an equation of motion");
  EXPECT_EQ(fault({"acceleration", "accel_size"}), "this term is no part of an equation of motion");
  EXPECT_EQ(fault({"viscous"}), "a drive without this term has no mass");
  EXPECT_EQ(fault({"acceleration", "acceleration"}), "the term is given twice");
  EXPECT_EQ(fault({"acceleration", "viscosity"}), "no such term of a drive");
  EXPECT_EQ(fault({"acceleration", "stribeck(1)", "stribeck(2)", "stribeck(3)", "stribeck(4)+",
                   "stribeck(5)+"}),
            "too many terms with a speed");
  EXPECT_EQ(fault({"acceleration", "stribeck(1)", "stribeck(2)", "stribeck(3)", "stribeck(4)+",
                   "stribeck(5)-"}),
            "accepted");
}

TEST(DriveModel, BranchesOfOneSpeedShareIt) {
  const DriveModel model({"acceleration", "stribeck(0.02)+", "stribeck(0.02)-", "stribeck(0.1)"});
  EXPECT_EQ(model.size(), 6);
  EXPECT_EQ(model.speed_of(), (std::vector<int>{-1, 4, 4, 5}));
  EXPECT_EQ(model.names()[4], "speed of stribeck(0.02)");
}

// ---- in the loop --------------------------------------------------------------------------------

const DriveController controller{
    .position_gain = 150, .velocity_gain = 250, .force_gain = 35, .limit = 10, .velocity_span = 2};

/// A record of the loop itself: the reference and what the drive does with it.
Recording looped(const DriveModel& model, const std::vector<double>& p) {
  Recording recording;
  recording.file = "loop.csv";
  std::vector<double> reference;
  for (int k = 0; k < 6000; ++k) {
    const double t = 1e-3 * k;
    recording.t.push_back(t);
    reference.push_back(0.05 * (1 - std::cos(2 * t)) + 0.01 * (1 - std::cos(9 * t)));
  }
  recording.put("reference", reference, dim::length);
  recording.put("position", reference, dim::length);
  recording.put("force", reference, dim::force);
  const LoopRun run = LoopMatch(recording, model, controller).run(p);
  recording.put("position", run.q, dim::length);
  recording.put("force", run.force, dim::force);
  return recording;
}

TEST(LoopMatch, FindsParametersThatAreKnown) {
  const DriveModel model(asymmetric_drive());
  const std::vector<double> truth = {95, 170, 20, 240, 21};
  const Recording recording = looped(model, truth);
  const LoopMatch problem(recording, model, controller);
  std::vector<double> off = truth;
  for (double& x : off) x *= 1.2;
  EXPECT_GT(problem.errors(off).force, 0.05);
  const Search search = find_minimum(problem, {.starts = 1, .given = {off}});
  for (std::size_t j = 0; j < truth.size(); ++j) {
    EXPECT_NEAR(search.p[j], truth[j], 1e-5 * truth[j]) << model.names()[j];
  }
  EXPECT_LT(problem.errors(search.p).position, 1e-9);
}

TEST(LoopMatch, StartsInTheMiddleOfARecord) {
  const DriveModel model(symmetric_drive());
  const std::vector<double> truth = {95, 200, 20, -3};
  const Recording recording = looped(model, truth);
  const LoopMatch rest(recording, model, controller, {.first = 2500});
  EXPECT_EQ(rest.residuals(), 3500);
  EXPECT_LT(rest.errors(truth, 100).force, 1e-3);  // the velocity there is a difference
}

TEST(LoopMatch, RefusesFrictionThatPushes) {
  const DriveModel model(symmetric_drive());
  const Recording recording = looped(model, {95, 200, 20, -3});
  const LoopMatch problem(recording, model, controller);
  std::vector<double> r(static_cast<std::size_t>(problem.residuals()));
  EXPECT_TRUE(problem.evaluate(std::vector<double>{95, 200, 20, -3}, r));
  EXPECT_FALSE(problem.evaluate(std::vector<double>{95, 200, -1, -3}, r));
}

TEST(LoopMatch, TheLimitOfTheCommandHolds) {
  const DriveModel model(symmetric_drive());
  DriveController weak = controller;
  weak.limit = 1;
  const Recording recording = looped(model, {95, 200, 20, -3});
  const LoopRun run = LoopMatch(recording, model, weak).run(std::vector<double>{95, 200, 20, -3});
  double most = 0;
  for (const double f : run.force) most = std::max(most, std::abs(f));
  EXPECT_DOUBLE_EQ(most, 35);
}

}  // namespace
}  // namespace bristle
