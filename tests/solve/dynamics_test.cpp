// The equations that solvers see: derivatives, modes and energies of rigs.

#include "bristle/solve/dynamics.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "bristle/solve/run.hpp"

namespace bristle {
namespace {

/// Two blocks, one on the other, on a plane that spins; springs of both kinds, a damper, a source.
Rig planar_rig(const AnyLaw& law) {
  Rig rig;
  const End a = rig.add(Body{.name = "a", .axes = 2, .inertia = 0.7, .position = {0.1, 0.02}});
  const End b = rig.add(Body{.name = "b", .axes = 2, .inertia = 1.3, .position = {0.12, 0.01}});
  const End table = rig.add(Frame{.name = "table", .spin = Signal::constant(0.4)});
  const End wall = rig.add(Frame{.name = "wall", .position = {0.3, 0.1}});
  rig.springs.push_back({a, wall, 120, 0.15});
  rig.springs.push_back({a, b, 80, 0});
  rig.dampers.push_back({b, ground, 0.9});
  for (const auto& [p, q] : {std::pair{a, b}, std::pair{b, table}}) {
    Contact contact;
    contact.a = p;
    contact.b = q;
    contact.law = law;
    contact.load = Signal::constant(2.5);
    rig.contacts.push_back(std::move(contact));
  }
  return rig;
}

Rig line_rig(const AnyLaw& law) {
  Rig rig;
  const End a = rig.add(Body{.name = "a", .inertia = 0.1});
  const End b = rig.add(Body{.name = "b", .inertia = 0.4, .position = {0.01, 0}});
  rig.springs.push_back({a, ground, 100, 0.002});
  rig.dampers.push_back({a, b, 0.3});
  rig.gaps.push_back({b, ground, 500, 2, 0.012});
  Contact contact;
  contact.a = a;
  contact.b = b;
  contact.law = law;
  rig.contacts.push_back(std::move(contact));
  return rig;
}

/// A state at which slips, deflections and velocities are of the size at which the laws bend.
std::vector<double> lively_state(Dynamics& dynamics, double stir) {
  std::vector<double> y = dynamics.initial();
  const auto n = static_cast<std::size_t>(2 * dynamics.dofs());
  const std::vector<double> scales = dynamics.scales();
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double wave = std::sin(stir + 2.3 * static_cast<double>(i));
    y[i] += i < n ? 1e-3 * wave : 0.3 * wave * scales[i] / (scales[i] > 1e-5 ? 1e-3 : 1e-1);
  }
  return y;
}

class EveryLaw : public testing::TestWithParam<std::string> {};

TEST_P(EveryLaw, JacobianIsTheDerivativeOfTheRightHandSide) {
  const AnyLaw law(GetParam());
  if (law.info().can(Capability::random)) GTEST_SKIP() << "bonds snap: no derivative";
  for (const Rig& rig : {line_rig(law), planar_rig(law)}) {
    Dynamics dynamics(rig);
    for (const double stir : {0.3, 1.9, 4.0}) {
      std::vector<double> y = lively_state(dynamics, stir);
      std::vector<RunEvent> events;
      dynamics.settle(0, y, events);
      const auto n = static_cast<std::size_t>(dynamics.size());
      std::vector<double> matrix(n * n), up(n), down(n);
      dynamics.jacobian(0, y, matrix);
      for (std::size_t j = 0; j < n; ++j) {
        const double d = 1e-6 * std::max(std::abs(y[j]), dynamics.scales()[j]);
        std::vector<double> moved = y;
        moved[j] = y[j] + d;
        dynamics.rhs(0, moved, up);
        moved[j] = y[j] - d;
        dynamics.rhs(0, moved, down);
        for (std::size_t i = 0; i < n; ++i) {
          const double slope = (up[i] - down[i]) / (2 * d);
          const double size =
              std::max({std::abs(slope), std::abs(matrix[i * n + j]), 1e-3 / d * 1e-9});
          EXPECT_NEAR(matrix[i * n + j], slope, 2e-4 * size + 1e-4)
              << "row " << i << " column " << j << " stir " << stir;
        }
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Laws, EveryLaw, testing::ValuesIn(AnyLaw::names()),
                         [](const auto& law_info) {
                           std::string name = law_info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

Contact contact_between(End a, End b, const char* law, double load) {
  Contact contact;
  contact.a = a;
  contact.b = b;
  contact.law = AnyLaw(law);
  contact.load = Signal::constant(load);
  return contact;
}

// ---- closed forms -------------------------------------------------------------------------------

TEST(Run, CoulombOscillatorLosesFourForcesOverStiffnessPerCycle) {
  Rig rig;
  const End block = rig.add(Body{.name = "block", .inertia = 1, .position = {0.1, 0}});
  rig.springs.push_back({block, ground, 100, 0});
  rig.contacts.push_back(contact_between(block, ground, "coulomb", 1));  // F = 0.2 N
  RunOptions options;
  options.duration = 3;
  options.tolerance.rtol = 1e-11;
  options.metrics.cycle_body = 0;
  const RunResult result = run(rig, options);
  const std::vector<double>& high = result.lists.at("x_max");
  ASSERT_GE(high.size(), 3u);
  for (std::size_t k = 0; k < high.size(); ++k) {
    EXPECT_NEAR(high[k], 0.1 - 4 * 0.2 / 100 * static_cast<double>(k + 1), 1e-10);
  }
  EXPECT_LE(result.energy.relative_error, 1e-9);
}

TEST(Run, ABlockSlidesVSquaredOverTwoMuG) {
  for (const char* law : {"coulomb", "stiction", "stribeck"}) {
    Rig rig;
    const End block = rig.add(Body{.name = "b", .axes = 2, .inertia = 2, .velocity = {0.6, 0.8}});
    rig.contacts.push_back(contact_between(block, ground, law, 20));
    rig.contacts[0].law.set("mu_k", 0.2);
    if (std::string_view(law) != "coulomb") rig.contacts[0].law.set("mu_s", 0.2);
    RunOptions options;
    options.duration = 1;
    const RunResult result = run(rig, options);  // a = 2 m/s²: 0.25 m, 0.5 s
    EXPECT_NEAR(result.final("x"), 0.25 * 0.6, 1e-9) << law;
    EXPECT_NEAR(result.final("y"), 0.25 * 0.8, 1e-9) << law;
    ASSERT_FALSE(result.events.empty());
    EXPECT_NEAR(result.events.back().t, 0.5, 1e-8) << law;
    EXPECT_EQ(result.final("vx"), 0) << law;
  }
}

/// Reading a quantity in the middle of the last step leaves the books where they are, at its end.
TEST(Run, WorkOfAContactIsThatOfTheWholeRun) {
  for (const char* method : {"event", "bristle"}) {
    Rig rig;
    const End block = rig.add(Body{.name = "block", .inertia = 1, .velocity = {-1, 0}});
    rig.contacts.push_back(contact_between(block, ground, "coulomb", 0.25));  // 0.05 N
    RunOptions options;
    options.method = method;
    const RunResult result = run(rig, options);
    // 0.05 N over 1 m - ½ 0.05 m/s² (1 s)².
    EXPECT_NEAR(result.energy.contacts[0].work, 0.05 * 0.975, 1e-9) << method;
    EXPECT_NEAR(result.energy.dissipated, 0.05 * 0.975, 1e-9) << method;
  }
}

TEST(Run, AClutchKeepsAngularMomentum) {
  Rig rig;
  const End motor =
      rig.add(Body{.name = "m", .rotational = true, .inertia = 0.5, .velocity = {100, 0}});
  const End load = rig.add(Body{.name = "l", .rotational = true, .inertia = 0.2});
  rig.contacts.push_back(contact_between(motor, load, "coulomb", 400));
  rig.contacts[0].radius = 0.1;
  RunOptions options;
  options.duration = 3;
  const RunResult result = run(rig, options);
  // 8 N m on 0.5 and 0.2 kg m²: they meet after 100/(16 + 40) s at 50/0.7 rad/s.
  ASSERT_EQ(result.events.size(), 1u);
  EXPECT_NEAR(result.events[0].t, 100.0 / 56, 1e-10);
  EXPECT_NEAR(result.final("omega1"), 50 / 0.7, 1e-9);
  EXPECT_EQ(result.final("omega1"), result.final("omega2"));
  EXPECT_NEAR(result.energy.dissipated, 0.5 * (0.5 * 0.2 / 0.7) * 1e4, 1e-6);
}

/// Three plates in a pile, the lowest one pulled harder and harder: each contact holds until the
/// pile above it needs more than its limit.
TEST(Run, APileOfPlatesLetsGoInTheRightOrder) {
  Rig rig;
  std::vector<End> plates;
  for (const char* name : {"top", "middle", "bottom"}) {
    plates.push_back(rig.add(Body{.name = name, .inertia = 1}));
  }
  rig.contacts.push_back(contact_between(plates[0], plates[1], "coulomb", 10));  // 1 N
  rig.contacts.push_back(contact_between(plates[1], plates[2], "coulomb", 20));  // 4 N
  rig.contacts.push_back(contact_between(plates[2], ground, "coulomb", 30));     // 3 N
  rig.contacts[0].law.set("mu_k", 0.1);
  rig.contacts[1].law.set("mu_k", 0.2);
  rig.contacts[2].law.set("mu_k", 0.1);
  rig.forces.push_back({2, {Signal::ramp(1), Signal()}});
  RunOptions options;
  options.duration = 15;
  const RunResult result = run(rig, options);
  // Ground: 3 N. Top: all three move with (F − 3)/3 = 1 m/s²: 6 N. Then top drags 1 N:
  // middle needs 1·a + 1 = 4 N at a = 3; (F − 3 − 1)/2 = 3: 10 N.
  ASSERT_EQ(result.events.size(), 3u);
  EXPECT_EQ(result.events[0].where, 2);
  EXPECT_NEAR(result.events[0].t, 3, 1e-9);
  EXPECT_EQ(result.events[1].where, 0);
  EXPECT_NEAR(result.events[1].t, 6, 1e-9);
  EXPECT_EQ(result.events[2].where, 1);
  EXPECT_NEAR(result.events[2].t, 10, 1e-9);
  EXPECT_LE(result.energy.relative_error, 1e-9);
}

TEST(Run, TwoContactsSideBySideShareTheLoad) {
  // The same block held by two contacts: which carries what is open, but not whether it holds.
  Rig rig;
  const End block = rig.add(Body{.name = "b", .inertia = 1});
  rig.contacts.push_back(contact_between(block, ground, "coulomb", 5));
  rig.contacts.push_back(contact_between(block, ground, "coulomb", 5));
  rig.forces.push_back({0, {Signal::ramp(1), Signal()}});
  RunOptions options;
  options.duration = 3;
  const RunResult result = run(rig, options);
  ASSERT_EQ(result.events.size(), 2u);
  for (const RunEvent& event : result.events) EXPECT_NEAR(event.t, 2, 1e-9);
  EXPECT_NEAR(result.final("v"), 0.5, 1e-8);
}

TEST(Run, AStopThrowsBackOrHolds) {
  Rig rig;
  rig.add(Body{.name = "ball", .inertia = 2, .velocity = {1, 0}});
  rig.stops.push_back({0, -0.5, 0.5, 0.5});
  RunOptions options;
  options.duration = 2;
  options.method = "event";
  const RunResult result = run(rig, options);
  // 0.5 s to the wall, back with 0.5 m/s: at −0.25 m.
  ASSERT_EQ(result.events.size(), 1u);
  EXPECT_NEAR(result.events[0].t, 0.5, 1e-12);
  EXPECT_NEAR(result.final("x"), 0.5 - 0.5 * 1.5, 1e-10);
  EXPECT_NEAR(result.energy.reset_loss, 0.75, 1e-12);
  EXPECT_LE(result.energy.relative_error, 1e-12);
}

TEST(Run, AGapPushesButNeverPulls) {
  Rig rig;
  const End mass =
      rig.add(Body{.name = "m", .inertia = 1, .position = {1, 0}, .velocity = {-1, 0}});
  rig.gaps.push_back({mass, ground, 100, 0, 0.5});
  RunOptions options;
  options.duration = 3;
  options.tolerance.rtol = 1e-11;
  const RunResult result = run(rig, options);
  // 0.5 s of flight, half a period π/10 in contact, and back with the same speed.
  ASSERT_EQ(result.events.size(), 2u);
  EXPECT_EQ(result.events[0].kind, "gap-closes");
  EXPECT_NEAR(result.events[1].t, 0.5 + std::acos(-1.0) / 10, 1e-8);
  EXPECT_NEAR(result.final("v"), 1, 1e-8);
}

TEST(Run, AStopTurnsSlipRoundUnderFriction) {
  Rig rig;
  const End mass = rig.add(Body{.name = "m", .inertia = 1, .velocity = {1, 0}});
  rig.stops.push_back({0, -0.2, 0.3, 0.5});
  rig.contacts.push_back(contact_between(mass, ground, "coulomb", 1));
  rig.contacts[0].law.set("mu_k", 0.1);
  RunOptions options;
  options.duration = 5;
  const RunResult result = run(rig, options);
  // v² falls by 2·0.1 per metre: 0.94 at the wall, a quarter of it back; 0.135 left at the other
  // wall, a quarter of that back: rest after 0.03375/0.2 m.
  EXPECT_NEAR(result.final("x"), -0.2 + (0.25 * (0.25 * 0.94 - 0.2 * 0.5)) / 0.2, 1e-8);
  EXPECT_EQ(result.final("v"), 0);
  EXPECT_LE(result.energy.relative_error, 1e-9);
}

/// Sliding on under a growing load: friction is μ f_n(t), for laws with and without memory.
TEST(Run, FrictionFollowsAGrowingLoad) {
  for (const char* law : {"coulomb", "reset-integrator", "mdsf-bristle", "karnopp", "lugre"}) {
    Rig rig;
    const End mass = rig.add(Body{.name = "m", .inertia = 1, .velocity = {10, 0}});
    rig.contacts.push_back(contact_between(mass, ground, law, 1));
    rig.contacts[0].load += Signal::ramp(5);
    rig.contacts[0].law.set(std::string_view(law) == "mdsf-bristle" ? "mu" : "mu_k", 0.2);
    if (std::string_view(law) == "lugre") {
      rig.contacts[0].law.set("mu_s", 0.2);
      rig.contacts[0].law.set("sigma2", 0);
    }
    RunOptions options;
    options.duration = 2;
    const RunResult result = run(rig, options);
    // Damped bristles take a little speed away while they stretch for the first time.
    EXPECT_NEAR(result.final("v"), 10 - 0.2 * (2 + 5 * 2.0), 0.01) << law;
  }
}

TEST(Run, ALoadThatComesAndGoesIsSeen) {
  for (const char* method : {"event", "rodas", "cvode"}) {
    Rig rig;
    const End mass = rig.add(Body{.name = "m", .inertia = 1, .velocity = {10, 0}});
    rig.contacts.push_back(contact_between(mass, ground, "coulomb", 0));
    rig.contacts[0].load = Signal::sine(10, 1);  // the negative half is no contact
    RunOptions options;
    options.duration = 3;
    options.method = method;
    const RunResult result = run(rig, options);
    EXPECT_NEAR(result.final("v"), 10 - 3 * 0.2 * 10 / std::acos(-1.0), 1e-6) << method;
  }
}

/// Creep on stiff bristles: nothing happens fast, but a bristle answers within 1 µs.
Rig creeping_on_stiff_bristles() {
  Rig rig;
  const End block = rig.add(Body{.name = "b", .inertia = 1});
  rig.contacts.push_back(contact_between(block, ground, "lugre", 10));
  rig.contacts[0].law.set("sigma0", 1e9);
  rig.contacts[0].law.set("sigma1", 1e6);
  rig.forces.push_back({0, {Signal::sine(1.5, 1), Signal()}});
  return rig;
}

TEST(Run, StiffBristlesDoNotHoldTheRosenbrockMethodUp) {
  RunOptions options;
  options.duration = 1;
  options.method = "rodas";
  const RunResult result = run(creeping_on_stiff_bristles(), options);
  EXPECT_LE(result.evaluations, 20000);  // an explicit method needs a million
  EXPECT_LE(result.energy.relative_error, 1e-6);
  options.method = "cvode";
  options.tolerance.rtol = 1e-11;
  const RunResult other = run(creeping_on_stiff_bristles(), options);
  EXPECT_NEAR(result.final("z"), other.final("z"), 1e-6 * std::abs(other.final("z")));
}

TEST(Run, RosenbrockErrorFallsWithItsTolerance) {
  // A forced, damped oscillator: sources that change enter through d/dt, which is a difference.
  Rig rig;
  const End block = rig.add(Body{.name = "b", .inertia = 1, .position = {1, 0}});
  rig.springs.push_back({.a = block, .b = ground, .stiffness = 100});
  rig.dampers.push_back({.a = block, .b = ground, .damping = 1});
  rig.forces.push_back({0, {Signal::sine(10, 1), Signal()}});
  RunOptions options;
  options.duration = 3;
  options.method = "event";
  options.tolerance.rtol = 1e-13;
  const double exact = run(rig, options).final("x");
  options.method = "rodas";
  for (const double rtol : {1e-5, 1e-7, 1e-9, 1e-11}) {
    options.tolerance.rtol = rtol;
    const RunResult result = run(rig, options);
    EXPECT_LE(std::abs(result.final("x") - exact), 20 * rtol) << rtol;
    EXPECT_LE(result.energy.relative_error, 20 * rtol) << rtol;
  }
}

TEST(Run, SmoothLawsOnFewBodiesGoToTheRosenbrockMethod) {
  Rig rig = creeping_on_stiff_bristles();
  EXPECT_EQ(default_method(rig), "rodas");
  for (int i = 0; i < 20; ++i) rig.add(Body{.name = "b" + std::to_string(i), .inertia = 1});
  EXPECT_EQ(default_method(rig), "cvode");
  rig.contacts[0].law = AnyLaw("coulomb");
  EXPECT_EQ(default_method(rig), "event");
}

TEST(Run, EachContactMayHaveItsOwnBreakAway) {
  Rig rig;
  for (const double own : {0.0, 1.5}) {
    const End block = rig.add(Body{.name = "b" + std::to_string(own), .inertia = 1});
    Contact contact = contact_between(block, ground, "coulomb", 5);  // 1 N
    contact.break_away = own;
    rig.contacts.push_back(contact);
    rig.forces.push_back({block.index, {Signal::ramp(1), Signal()}});
  }
  RunOptions options;
  options.duration = 2;
  options.break_away = 1.2;
  const RunResult result = run(rig, options);
  ASSERT_EQ(result.events.size(), 2u);
  EXPECT_NEAR(result.events[0].t, 1.2, 1e-9);
  EXPECT_NEAR(result.events[1].t, 1.5, 1e-9);
}

TEST(Run, BreakAwayRaisesTheLimitInThePlaneToo) {
  Rig rig;
  const End pad = rig.add(Body{.name = "pad", .axes = 2, .inertia = 1});
  rig.contacts.push_back(contact_between(pad, ground, "coulomb", 5));         // 1 N
  rig.forces.push_back({pad.index, {Signal::ramp(0.6), Signal::ramp(0.8)}});  // 1 N/s
  RunOptions options;
  options.duration = 2;
  options.break_away = 1.2;
  const RunResult result = run(rig, options);
  ASSERT_EQ(result.events.size(), 1u);
  EXPECT_NEAR(result.events[0].t, 1.2, 1e-9);
}

TEST(Run, ManyReversalsAreRunThrough) {
  Rig rig;
  const End block = rig.add(Body{.name = "b", .inertia = 1});
  rig.contacts.push_back(contact_between(block, ground, "coulomb", 5));  // 1 N
  rig.forces.push_back({0, {Signal::sine(1.5, 1e3), Signal()}});
  RunOptions options;
  options.duration = 0.1;
  const RunResult result = run(rig, options);
  EXPECT_GT(result.events.size(), 300u);  // slips and sticks twice a period, for a hundred periods
  EXPECT_LE(result.energy.relative_error, 1e-6);
}

/// Four changes of mode in a millisecond: a thousand of them within a billionth of the run are
/// taken for infinitely many.
TEST(Run, ModesThatNeverEndAreRefused) {
  Rig rig;
  const End block = rig.add(Body{.name = "b", .inertia = 1});
  rig.contacts.push_back(contact_between(block, ground, "coulomb", 5));  // 1 N
  rig.forces.push_back({0, {Signal::sine(1.5, 1e3), Signal()}});
  const auto runs = [&](double duration) {
    RunOptions options;
    options.duration = duration;
    options.progress = [](double t) { return t < 1; };
    return run(rig, options);
  };
  try {
    runs(1e9);
    ADD_FAILURE() << "was run through";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("the contacts chatter"), std::string::npos);
  }
  EXPECT_TRUE(runs(1e8).partial);
}

// ---- what is refused ----------------------------------------------------------------------------

std::string refusal(const Rig& rig, const char* method) {
  RunOptions options;
  options.method = method;
  try {
    run(rig, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Run, CombinationsThatCannotWorkAreRefusedWithTheReason) {
  Rig rig;
  const End block = rig.add(Body{.name = "b", .inertia = 1});
  rig.contacts.push_back(contact_between(block, ground, "stiction", 5));
  for (const char* method : {"euler", "semi-implicit", "heun", "ode3", "rk4"}) {
    EXPECT_NE(refusal(rig, method).find("set-valued"), std::string::npos) << method;
  }
  rig.contacts[0].law = AnyLaw("bristle");
  for (const char* method : {"rodas", "cvode", "event", "rk4"}) {
    EXPECT_NE(refusal(rig, method).find("snap"), std::string::npos) << method;
  }
  EXPECT_NE(refusal(rig, "rk5").find("did you mean"), std::string::npos);
  rig.bodies[0].inertia = 0;
  EXPECT_NE(refusal(rig, "auto").find("mass above 0"), std::string::npos);
}

}  // namespace
}  // namespace bristle
