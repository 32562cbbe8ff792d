// The step of the averaged force where contacts slide and spin.

#include <algorithm>
#include <cmath>
#include <cstring>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "area/areas.hpp"
#include "bristle/area/laws.hpp"
#include "bristle/solve/area_slip.hpp"
#include "bristle/solve/run.hpp"
#include "support/draw.hpp"

namespace bristle {
namespace {

using Eigen::Matrix3d;

AnyLaw kudra(double eps, double eta) {
  AnyLaw law("kudra-1d");
  law.set("mu_k", 1);
  law.set("eps", eps);
  law.set("eta", eta);
  return law;
}
AnyLaw stiction(double mu_s, double mu_k = 1) {
  AnyLaw law("stiction");
  law.set("mu_s", mu_s);
  law.set("mu_k", mu_k);
  return law;
}

// ---- the slip of one step -----------------------------------------------------------------------

/// Symmetric, positive, with axes that are not those of the area and differ by decades.
Matrix3d any_mobility(testing::Draw& draw) {
  const Matrix3d q = draw.rotation().toRotationMatrix();
  Planar size;
  for (int k = 0; k < 3; ++k) size[k] = draw.decades(1e-4, 1);
  return q * size.asDiagonal() * q.transpose();
}
/// Of any size from 1e-6 m/s on, spin of a pad of 0.1 m.
Planar any_motion(testing::Draw& draw) {
  const Planar way = draw.place(1).cwiseProduct(Planar(1, 1, 10));
  return draw.decades(1e-6, 1) * way;
}

/// v̂ − v − Θ (v_free − v − h W F), with Θ made of the law's own derivatives.
Planar residual(const AreaStep& step, const AreaSlip& answer) {
  const double speed = step.area.speed(answer.slip);
  const double level = step.law.steady(speed, step.fn) / speed;
  const Matrix3d g =
      step.area.sliding(answer.slip) * step.area.speed_gradient(answer.slip).transpose() +
      speed * step.area.derivative(answer.slip);
  const Matrix3d x = step.mobility * level * g, unit = Matrix3d::Identity();
  const Planar force = level * speed * step.area.sliding(answer.slip);
  const Planar rest = step.free - step.now - step.mobility * force;
  return answer.slip - step.now - (3 * unit + x) * (6 * unit + x).inverse() * rest;
}

class AveragedStepLaw : public ::testing::TestWithParam<const char*> {};

TEST_P(AveragedStepLaw, SlipSolvesTheImplicitEquation) {
  testing::Draw draw(11);
  const AnyLaw law = kudra(1e-4, 1);
  const auto area =
      make_area_law(GetParam(), PressedArea::rectangle(0.2, 0.1, testing::linear(2, 1)));
  int settled = 0;
  constexpr int count = 200;
  for (int i = 0; i < count; ++i) {
    AreaStep step{.area = *area, .law = law};
    step.fn = draw.decades(0.1, 10);
    step.now = any_motion(draw);
    step.free = any_motion(draw);
    step.mobility = any_mobility(draw);
    const AreaSlip answer = solve_area_slip(step, step.now);
    ASSERT_TRUE(answer.slip.allFinite() && answer.force.allFinite());
    EXPECT_LT(answer.evaluations, 400);
    settled += answer.settled;
    if (!answer.settled) continue;
    EXPECT_LT(residual(step, answer).norm(), 1e-5 * (step.now.norm() + step.free.norm())) << i;
  }
  EXPECT_GE(settled, count * 97 / 100);
}
INSTANTIATE_TEST_SUITE_P(Laws, AveragedStepLaw,
                         ::testing::Values("exact", "I00", "I00-separate", "I11", "ellipsoid",
                                           "contensou", "quartic"),
                         [](const auto& test) {
                           std::string name(test.param);
                           std::erase(name, '-');
                           return name;
                         });

// Far below ε friction is linear, and the step is Padé's (1, 2) approximant of the exponential.
TEST(AreaSlip, LinearFrictionIsDampedByPadesApproximant) {
  const auto area = make_area_law("I00", PressedArea::disc(1), {.m = 2, .b = 1});
  const AnyLaw law = kudra(1, 1);
  testing::Draw draw(5);
  for (const double scale : {1e-3, 1.0, 1e6}) {
    const Planar now = 1e-9 * Planar(1, -2, 0.5);
    const AreaStep step{
        .area = *area, .law = law, .now = now, .free = now, .mobility = scale * any_mobility(draw)};
    const AreaSlip answer = solve_area_slip(step, now);
    const Matrix3d x = step.mobility * Planar(1, 1, 2.0 / 3).asDiagonal();
    const Matrix3d unit = Matrix3d::Identity();
    const Planar end = now - step.mobility * answer.force;
    const Planar pade = (6 * unit + 4 * x + x * x).lu().solve((6 * unit - 2 * x) * now);
    EXPECT_LT((end - pade).norm(), 1e-10 * now.norm()) << scale;
  }
}

TEST(AreaSlip, ComponentThatNothingMovesKeepsItsMean) {
  const auto area = make_area_law("I11", PressedArea::disc(0.1));
  const AnyLaw law = kudra(1e-5, 1.5);
  AreaStep step{.area = *area, .law = law, .now = {0.1, 0.2, 1}, .free = {0.1, 0.4, 1}};
  step.mobility.diagonal() = Planar(1e-2, 0, 5);
  const AreaSlip answer = solve_area_slip(step, step.now);
  EXPECT_DOUBLE_EQ(answer.slip[1], 0.3);
  EXPECT_GT(answer.force[1], 0.5);
}

// ---- rigs ---------------------------------------------------------------------------------------

std::shared_ptr<const AreaLaw> round_pad(double b) {
  return make_area_law("I00", PressedArea::disc(1), {.m = 2, .b = b});
}

Contact over(End a, End b, const AnyLaw& law, double load, double spin_length = 1) {
  Contact contact;
  contact.a = a;
  contact.b = b;
  contact.law = law;
  contact.load = Signal::constant(load);
  contact.area = round_pad(spin_length);
  return contact;
}

RunOptions steps(double step, double duration) {
  RunOptions options;
  options.method = "bristle";
  options.step = step;
  options.duration = duration;
  return options;
}

/// A pad on a moving belt, held by cords that couple place and angle.
Rig pad_on_belt(const AnyLaw& law, int contacts = 1) {
  Rig rig;
  const End pad = rig.add(Body{.name = "pad", .axes = 3, .inertia = 1.3, .moment = 0.8});
  const End belt =
      rig.add(Frame{.name = "belt", .velocity = {Signal::constant(0.1), Signal::constant(0.03)}});
  Mount cords{.a = pad, .b = ground};
  cords.stiffness << 20, 3, 4, 3, 25, -2, 4, -2, 15;
  rig.mounts.push_back(cords);
  for (int c = 0; c < contacts; ++c) {
    rig.contacts.push_back(over(pad, belt, law, 2.0 / contacts));
  }
  return rig;
}

bool same_bytes(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

TEST(AveragedStep, HeldContactDoesNotCreepByABit) {
  Rig rig;
  const End pad = rig.add(Body{
      .name = "pad", .axes = 3, .inertia = 1.3, .position = {0.31, -0.17, 0.23}, .moment = 0.8});
  Mount cords{.a = pad, .b = ground};
  cords.stiffness << 3, 0.5, 0.2, 0.5, 2, -0.1, 0.2, -0.1, 1.7;
  rig.mounts.push_back(cords);
  rig.contacts.push_back(over(pad, ground, stiction(1.2), 2));
  for (const double step : {1e-3, 1e-2}) {
    const RunResult run = bristle::run(rig, steps(step, 30));
    for (const char* name : {"x", "y", "phi"}) {
      const std::vector<double>& values = run.column(name);
      EXPECT_TRUE(same_bytes(values, std::vector(values.size(), values.front()))) << name;
    }
    for (const char* name : {"vx", "vy", "omega"}) EXPECT_LT(std::abs(run.final(name)), 1e-16);
    EXPECT_EQ(run.events.size(), 0u);
  }
}

// One coordinate of the pad moves: a block on a line, or a wheel about an axis.
Rig one_way(const AnyLaw& law, int axis) {
  Rig rig = pad_on_belt(law);
  rig.frames[1].velocity = {Signal::constant(0.3), Signal::constant(0)};
  if (axis == 2) {
    rig.frames[1].velocity[0] = Signal::constant(0);
    rig.frames[1].spin = Signal::constant(0.3);
    rig.contacts[0] = over(rig.contacts[0].a, rig.contacts[0].b, law, 2, 2.0 / 3);
  }
  rig.mounts[0].stiffness = Planar(20, 20, 20).asDiagonal();
  return rig;
}
Rig on_a_line(const AnyLaw& law, int axis) {
  Rig rig;
  const bool turns = axis == 2;
  const End body = rig.add(Body{.rotational = turns, .inertia = turns ? 0.8 : 1.3});
  const End belt = rig.add(Frame{.name = "belt", .velocity = {Signal::constant(0.3)}});
  rig.springs.push_back({.a = body, .b = ground, .stiffness = 20});
  Contact contact;
  contact.a = body;
  contact.b = belt;
  contact.law = law;
  contact.load = Signal::constant(2);
  contact.radius = turns ? 2.0 / 3 : 1;
  rig.contacts.push_back(contact);
  return rig;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

TEST(AveragedStep, PureSlipAndPureSpinAreTheStepOnALine) {
  for (const AnyLaw& law : {kudra(1e-3, 1.6), kudra(1e-4, 1.6), stiction(1.6)}) {
    for (const int axis : {0, 2}) {
      const RunResult area = run(one_way(law, axis), steps(1e-3, 5));
      const RunResult line = run(on_a_line(law, axis), steps(1e-3, 5));
      const char* place = axis == 0 ? "x" : "phi";
      EXPECT_LT(largest_difference(area.column(place), line.column(place)), 1e-9)
          << law.name() << ' ' << axis;
    }
  }
}

// The static peak is a thousandth of what friction changes the slip by in a step: it is not jumped.
TEST(AveragedStep, PeakIsNotJumped) {
  RunOptions stiff;
  stiff.method = "rodas";
  stiff.duration = 5;
  for (const double eps : {1e-5, 1e-6, 1e-7}) {
    const RunResult step = run(one_way(kudra(eps, 1.6), 0), steps(1e-3, 5));
    const RunResult reference = run(on_a_line(kudra(eps, 1.6), 0), stiff);
    EXPECT_LT(largest_difference(step.column("x"), reference.column("x")), 2e-3) << eps;
  }
}

TEST(AveragedStep, MomentumIsKept) {
  for (const AnyLaw& law : {kudra(1e-5, 1.6), stiction(1.6)}) {
    Rig rig;
    const End a =
        rig.add(Body{.axes = 3, .inertia = 1.3, .velocity = {0.4, -0.1, 2}, .moment = 0.8});
    const End b =
        rig.add(Body{.axes = 3, .inertia = 0.7, .velocity = {-0.2, 0.5, -3}, .moment = 0.1});
    rig.contacts.push_back(over(a, b, law, 2));
    const RunResult run = bristle::run(rig, steps(1e-3, 3));
    EXPECT_NEAR(1.3 * run.final("vx1") + 0.7 * run.final("vx2"), 1.3 * 0.4 - 0.7 * 0.2, 1e-12);
    EXPECT_NEAR(1.3 * run.final("vy1") + 0.7 * run.final("vy2"), -1.3 * 0.1 + 0.7 * 0.5, 1e-12);
    EXPECT_NEAR(0.8 * run.final("omega1") + 0.1 * run.final("omega2"), 0.8 * 2 - 0.1 * 3, 1e-12);
    // They end as one body.
    EXPECT_NEAR(run.final("vx1"), run.final("vx2"), 1e-9) << law.name();
    EXPECT_NEAR(run.final("omega1"), run.final("omega2"), 1e-9) << law.name();
    EXPECT_LT(run.energy.relative_error, 1e-12);
  }
}

/// Slides, stops and lets go again, whatever ε; springs alone bring an error of order h².
TEST(AveragedStep, StableForAnySmallEps) {
  const RunResult limit = run(pad_on_belt(stiction(1.6)), steps(1e-3, 10));
  for (const double eps : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) {
    const RunResult run = bristle::run(pad_on_belt(kudra(eps, 1.6)), steps(1e-3, 10));
    EXPECT_LT(run.energy.relative_error, 2e-6) << eps;
    EXPECT_LT(run.energy.contacts[0].split_error, 1e-3) << eps;
    for (const char* name : {"x", "y", "phi"}) {
      if (eps > 1e-5) continue;  // the source's error, eps^(2/3), is more than the step's
      EXPECT_NEAR(run.final(name), limit.final(name), 5e-3) << eps << ' ' << name;
    }
    EXPECT_LT(run.evaluations, 6 * run.steps) << eps;
  }
}

TEST(AveragedStep, SecondOrderAgainstTheStiffSolver) {
  const Rig rig = pad_on_belt(kudra(3e-2, 1.2));
  RunOptions exact;
  exact.method = "rodas";
  exact.tolerance.rtol = 1e-11;
  exact.duration = 4;
  const RunResult reference = run(rig, exact);
  std::vector<double> errors;
  for (const double step : {4e-3, 2e-3, 1e-3}) {
    const RunResult run = bristle::run(rig, steps(step, 4));
    double error = 0;
    for (const char* name : {"x", "y", "phi"}) {
      error = std::max(error, std::abs(run.final(name) - reference.final(name)));
    }
    errors.push_back(error);
  }
  EXPECT_LT(errors.back(), 1e-5);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2, 0.2);
}

TEST(AveragedStep, StickAndSlipOfEvents) {
  const Rig rig = pad_on_belt(stiction(1.6));
  RunOptions exact;
  exact.method = "event";
  exact.tolerance.rtol = 1e-11;
  exact.duration = 10;
  const RunResult reference = run(rig, exact);
  const RunResult step = run(rig, steps(1e-3, 10));
  for (const char* name : {"x", "y", "phi"}) {
    EXPECT_NEAR(step.final(name), reference.final(name), 5e-3) << name;
  }
  const auto count = [](const RunResult& result, const char* kind) {
    return std::count_if(result.events.begin(), result.events.end(),
                         [&](const RunEvent& event) { return event.kind == kind; });
  };
  EXPECT_GT(count(reference, "stick"), 1);
  EXPECT_EQ(count(step, "stick"), count(reference, "stick"));
  EXPECT_EQ(count(step, "slip"), count(reference, "slip"));
}

// Slip that ends against a load between kinetic and static friction: it stays.
TEST(AveragedStep, StaticFrictionHoldsWhatComesToRestAgainstTheLoad) {
  Rig rig;
  const End block = rig.add(Body{.inertia = 1, .velocity = {-0.5}});
  rig.forces.push_back({.body = block.index, .force = {Signal::constant(1.3)}});
  Contact contact;
  contact.a = block;
  contact.b = ground;
  contact.law = stiction(1.6);
  rig.contacts.push_back(contact);
  const RunResult step = run(rig, steps(1e-3, 2));
  RunOptions options;
  options.method = "event";
  options.duration = 2;
  EXPECT_NEAR(step.final("x"), run(rig, options).final("x"), 1e-6);
  EXPECT_EQ(step.final("v"), 0);
}

// ---- several contacts ---------------------------------------------------------------------------

// Equal contacts side by side: only a sweep that has settled gives them equal forces.
TEST(AveragedStep, TwoContactsOfOnePadShareItsLoad) {
  for (const double eps : {1e-3, 1e-5, 1e-7}) {
    const RunResult one = run(pad_on_belt(kudra(eps, 1.6)), steps(1e-3, 3));
    const RunResult two = run(pad_on_belt(kudra(eps, 1.6), 2), steps(1e-3, 3));
    for (const char* name : {"x", "y", "phi"}) {
      EXPECT_NEAR(two.final(name), one.final(name), 4e-3) << eps << ' ' << name;
    }
    const auto& contacts = two.energy.contacts;
    EXPECT_NEAR(contacts[0].work, contacts[1].work, 2e-5 * contacts[0].work) << eps;
  }
}

/// Pads on each other on the ground, the upper one pulled: contacts listed from either end.
Rig pile(const AnyLaw& law, bool upwards) {
  Rig rig;
  std::vector<End> pads;
  for (const double mass : {0.5, 2.0, 1.0}) {
    pads.push_back(rig.add(Body{.axes = 3, .inertia = mass, .moment = 0.4 * mass}));
  }
  const End hand = rig.add(Frame{.name = "hand", .velocity = {Signal::constant(0.2)}});
  Mount pull{.a = pads[0], .b = hand};
  pull.stiffness << 60, 0, 25, 0, 60, 0, 25, 0, 40;
  rig.mounts.push_back(pull);
  rig.contacts = {over(pads[0], pads[1], law, 5), over(pads[1], pads[2], law, 4),
                  over(pads[2], ground, law, 3)};
  if (upwards) std::reverse(rig.contacts.begin(), rig.contacts.end());
  return rig;
}

TEST(AveragedStep, OrderOfContactsDoesNotMatter) {
  for (const AnyLaw& law : {kudra(1e-3, 1.4), kudra(1e-6, 1.4)}) {
    const RunResult down = run(pile(law, false), steps(1e-3, 2));
    const RunResult up = run(pile(law, true), steps(1e-3, 2));
    for (const char* name : {"x1", "x2", "x3", "phi1", "phi2", "phi3"}) {
      EXPECT_NEAR(down.final(name), up.final(name), 1e-5) << name << ' ' << law.get("eps");
    }
    EXPECT_GT(down.final("x1"), 0.1);
    EXPECT_LT(down.energy.relative_error, 1e-4);
  }
}

TEST(AveragedStep, SameInputSameBytes) {
  for (const AnyLaw& law : {kudra(1e-5, 1.6), stiction(1.6)}) {
    const RunResult a = run(pad_on_belt(law, 2), steps(1e-3, 3));
    const RunResult b = run(pad_on_belt(law, 2), steps(1e-3, 3));
    for (std::size_t i = 0; i < a.columns.size(); ++i) {
      EXPECT_TRUE(same_bytes(a.columns[i].values, b.columns[i].values)) << a.columns[i].name;
    }
    EXPECT_EQ(a.evaluations, b.evaluations);
  }
}

}  // namespace
}  // namespace bristle
