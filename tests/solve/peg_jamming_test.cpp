// When a peg goes in and when it sticks: Whitney's quasi-static analysis of two-point contact
// (1982), against the step at 1 ms.
//
// A peg of width 2r touches one wall at its tip (a) and the mouth of the other, ℓ above its tip
// (b). Under a wrench (F_x, −F_z, M) at the tip, with both contacts sliding inwards,
//
//   N_b − N_a = F_x,   μ (N_a + N_b) = F_z,   M + μ r (N_b − N_a) + ℓ N_b = 0
//
// which is the side M/(r F_z) = −λ − μ (1 + λ) F_x/F_z, λ = ℓ/2rμ, of the jamming diagram: inside
// the peg goes in. Without any wrench it is held (wedged) if each contact lies in the other's
// friction cone, ℓ ≤ 2rμ.

#include <cmath>

#include <gtest/gtest.h>

#include "bristle/solve/world_step.hpp"
#include "bristle/system/planar_arm.hpp"

namespace bristle {
namespace {

constexpr double r = 6.223e-3, peg_length = 0.12;

struct Hole {
  double width, mu, deep;  ///< ℓ
  double k = 1e9;

  /// Both walls touch: 2r cos θ + ℓ sin θ = D.
  double lean() const {
    double angle = (width - 2 * r) / deep;
    for (int i = 0; i < 30; ++i) {
      angle -= (2 * r * std::cos(angle) + deep * std::sin(angle) - width) /
               (deep * std::cos(angle) - 2 * r * std::sin(angle));
    }
    return angle;
  }
};

/// The peg stands in the hole with both contacts pressed by `pressed`, under a given wrench.
World peg_in(const Hole& hole, double pressed, const std::array<Signal, 3>& wrench,
             const Eigen::Vector3d& damping) {
  PlanarArmSettings s;
  s.base = {0.45, 0, 0.35};
  s.segments = {{0.40, 4, 0.2, 0.0533}, {0.35, 3, 0.175, 0.0306}, {0.20, 1.5, 0.1, 0.005}};
  s.joints = {2.1, 1.75, 0.87};
  s.tool_name = "peg";
  s.tool = Box{{2 * r, 2 * r, peg_length}};
  s.compliance_centre = {0, -0.5 * peg_length};
  s.control.damping = damping;
  s.control.wrench = wrench;
  // Leaning clockwise: the tip's left corner on the left wall, the right edge on the right mouth.
  const double lean = hole.lean(), squeeze = 2 * pressed / hole.deep;
  const Eigen::Vector2d across(std::cos(lean), -std::sin(lean)), up(std::sin(lean), std::cos(lean));
  const Eigen::Vector2d corner(-0.5 * hole.width - pressed, 0);
  const Eigen::Vector2d tip = corner + r * across;
  // The mouth is ℓ along the right edge from its corner.
  const double mouth = (tip + r * across + hole.deep * up).y();
  s.joints = PlanarArm::joints_for(s, {tip.x(), tip.y(), -lean - squeeze}, s.joints);
  World world;
  world.gravity.setZero();
  Side peg = world.add(std::make_shared<PlanarArm>(s));
  peg.link = 3;
  AnyLaw friction("stiction");
  friction.set("mu_s", hole.mu);
  friction.set("mu_k", hole.mu);
  AnyNormal normal("gonthier");
  normal.set("k", hole.k);
  normal.set("e", 0.3);
  for (const double side : {-1.0, 1.0}) {
    RigidBody wall{.name = "wall", .shape = Wall{}, .fixed = true};
    wall.pose.position = {side * 0.5 * hole.width, 0, mouth};
    if (side > 0) wall.pose.rotation = Eigen::AngleAxisd(std::acos(-1.0), Vector3::UnitZ());
    world.pairs.push_back({peg, world.add(wall), normal, friction});
  }
  return world;
}

double height(const WorldStepper& world, const PlanarArm& arm) {
  const std::unique_ptr<Mechanism> copy = arm.clone();
  copy->place(world.places(0));
  return copy->pose(3).position.z();
}

/// The insertion force at which it goes in, under a side force and a moment that are there before.
double force_to_insert(const Hole& hole, double side, double moment, double rate) {
  constexpr double settle = 0.5;
  const std::array<Signal, 3> wrench{Signal::ramp(side / 0.2).hold_from(0.2),
                                     Signal::ramp(-rate, settle),
                                     Signal::ramp(moment / 0.2).hold_from(0.2)};
  const World scene = peg_in(hole, 0, wrench, {0, 20, 0});
  const auto& arm = dynamic_cast<const PlanarArm&>(*scene.mechanisms.front());
  WorldStepper world(scene);
  double start = 0;
  for (int i = 0; i < 12000; ++i) {
    world.step(1e-3);
    if (i == 500) start = height(world, arm);
    if (i > 500 && start - height(world, arm) > 5e-6) return rate * (world.time() - settle);
  }
  return std::nan("");
}

struct Case {
  double mu, deep, side, moment;  ///< side in N, moment in N m
};

class Jamming : public ::testing::TestWithParam<Case> {};

TEST_P(Jamming, LimitOfTwoPointContactIsWhitneys) {
  const Case& c = GetParam();
  const Hole hole{2 * r + 60e-6, c.mu, c.deep};
  const double limit = -2 * c.mu / c.deep * (c.moment + r * c.mu * c.side) - c.mu * c.side;
  ASSERT_GT(limit, 0);
  EXPECT_NEAR(force_to_insert(hole, c.side, c.moment, limit / 8), limit, 0.02 * limit);
}

INSTANTIATE_TEST_SUITE_P(Diagram, Jamming,
                         ::testing::Values(Case{0.3, 0.04, 0, -1.0}, Case{0.3, 0.04, 5, -1.0},
                                           Case{0.3, 0.04, -5, -1.0}, Case{0.15, 0.04, 4, -0.8},
                                           Case{0.3, 0.02, 0, -0.5}, Case{0.5, 0.03, -8, -1.2}));

/// How much of what presses the contacts at first is left after a second, in oil.
double held(const Hole& hole) {
  WorldStepper world(peg_in(hole, 1e-6, {}, {200, 200, 0.5}));
  const auto pressing = [&] {
    double sum = 0;
    for (int i = 0; i < world.sites(); ++i) sum += world.read(i).fn;
    return sum;
  };
  for (int i = 0; i < 100; ++i) world.step(1e-3);
  const double first = pressing();
  for (int i = 0; i < 900; ++i) world.step(1e-3);
  return pressing() / first;
}

TEST(Wedging, APegIsHeldWhereEachContactLiesInTheOthersCone) {
  for (const double mu : {0.3, 0.5}) {
    const double limit = 2 * r * mu;
    EXPECT_GT(held({2 * r + 2e-6, mu, 0.98 * limit, 1e8}), 0.999) << mu;
    EXPECT_LT(held({2 * r + 2e-6, mu, 1.02 * limit, 1e8}), 0.98) << mu;
  }
}

}  // namespace
}  // namespace bristle
