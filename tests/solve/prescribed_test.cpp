// Laws along a prescribed slip: two methods agree, and the energy books close.

#include "bristle/solve/prescribed.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace bristle {
namespace {

/// A rich history: two sinusoids, reversals, a load that varies.
SlipHistory<1> wobble(int n, double amplitude = 1e-3) {
  SlipHistory<1> h;
  for (int i = 0; i <= n; ++i) {
    const double t = 2.0 * i / n;
    h.t.push_back(t);
    h.v.emplace_back(amplitude * (std::sin(2 * std::numbers::pi * t) + 0.5 * std::sin(17 * t)));
    h.fn.push_back(1 + 0.3 * std::sin(5 * t));
  }
  return h;
}

TEST(Prescribed, OwnStepAndRungeKuttaAgreeForEverySmoothLaw) {
  const SlipHistory<1> h = wobble(4000, 1e-4);
  for (const std::string& name : laws_with(Capability::smooth)) {
    const AnyLaw law(name);
    const Trace<1> own = run_prescribed(law, h, {.substeps = 8});
    const Trace<1> classic =
        run_prescribed(law, h, {.method = PrescribedOptions::Method::rk4, .substeps = 40});
    double gap = 0;
    for (std::size_t k = 0; k < h.t.size(); ++k)
      gap = std::max(gap, std::abs(own.force[k][0] - classic.force[k][0]));
    EXPECT_LT(gap, 2e-5) << name;
  }
}

TEST(Prescribed, SecondOrderInTheStep) {
  const SlipHistory<1> h = wobble(500);
  for (const char* name : {"dahl", "lugre", "lugre-damped", "gonthier"}) {
    const AnyLaw law(name);
    const double e1 = step_error(law, h, {.substeps = 8}).force;
    const double e2 = step_error(law, h, {.substeps = 16}).force;
    EXPECT_GT(e1 / e2, 2.5) << name << " " << e1 << " " << e2;
  }
}

TEST(Prescribed, EnergyBooksClose) {
  SlipHistory<1> h = wobble(2000);
  h.fn.assign(h.fn.size(), 1.0);
  for (const std::string& name : AnyLaw::names()) {
    const AnyLaw law(name);
    h.f_e.clear();
    if (law.info().can(Capability::set_valued)) h.f_e.assign(h.t.size(), Tangent<double, 1>(0.1));
    const Trace<1> trace = run_prescribed(law, h, {.substeps = 32});
    // Snaps and mode changes fall inside steps: their books are first order in the step.
    const double tolerance = law.info().can(Capability::random)   ? 2e-2
                             : law.info().can(Capability::hybrid) ? 1e-4
                                                                  : 2e-6;
    EXPECT_LT(trace.audit.relative_error, tolerance) << name;
    EXPECT_GT(trace.audit.work, 0) << name;
  }
}

TEST(Prescribed, SlidingUnderARisingLoadStaysSliding) {
  // The bristle follows its growing limit: F = μ f_n, with no second stiction peak.
  for (const char* name : {"reset-integrator", "mdsf-bristle", "mdsf-augmented"}) {
    const AnyLaw law(name);
    SlipHistory<1> h;
    for (const double t : {0.0, 0.1, 0.15, 0.2, 0.3}) {
      h.t.push_back(t);
      h.v.emplace_back(1e-3);
      h.fn.push_back(t <= 0.1 ? 1.2 : std::min(2.0, 1.2 + 8 * (t - 0.1)));
    }
    const Trace<1> trace = run_prescribed(law, h, {.substeps = 100});
    for (std::size_t k = 1; k < h.t.size(); ++k) {
      // The bristle lags behind its limit by half a step of the load.
      EXPECT_NEAR(trace.force[k][0], law.steady(1e-3, h.fn[k]), 2e-3) << name << " " << k;
    }
    EXPECT_LT(trace.audit.relative_error, 1e-2) << name;
    EXPECT_EQ(trace.events.size(), 1U) << name;
  }
}

TEST(Prescribed, ALoadThatOutrunsTheSlipDoesNotStretchTheBristle) {
  // Slid, then almost at rest while the load grows a hundredfold: the force stays where it was.
  for (const char* name : {"reset-integrator", "mdsf-bristle", "mdsf-augmented"}) {
    const AnyLaw law(name);
    SlipHistory<1> h;
    for (const std::array<double, 3>& row :
         std::vector<std::array<double, 3>>{{0, 1e-3, 1},
                                            {0.1, 1e-3, 1},
                                            {0.1 + 1e-9, 1e-9, 1},
                                            {0.101, 1e-9, 100},
                                            {0.102, 1e-9, 100}}) {
      h.t.push_back(row[0]);
      h.v.emplace_back(row[1]);
      h.fn.push_back(row[2]);
    }
    const Trace<1> trace = run_prescribed(law, h, {.substeps = 50});
    EXPECT_LT(trace.force.back()[0], 1.5 * law.steady(1e-3, 1.0)) << name;
  }
}

TEST(Prescribed, StepErrorSeesTheWork) {
  // One step from rest to 1 m/s: the force at the end is right, the work is not.
  SlipHistory<1> h;
  for (const double t : {0.0, 1.0}) {
    h.t.push_back(t);
    h.v.emplace_back(t);
    h.fn.push_back(1.0);
  }
  EXPECT_GT(step_error(AnyLaw("lugre"), h, {}).work, 0.1);
  EXPECT_LT(step_error(AnyLaw("lugre"), h, {.substeps = 4000}).work, 0.01);
}

TEST(Prescribed, DelayShiftsTheStribeckPart) {
  // While sliding, F depends on v(t − τ_L): a step in speed shows after the delay.
  AnyLaw law("armstrong-7");
  law.set("tau_L", 0.05);
  law.set("f_v", 0);
  law.set("v_s", 1e-2);
  SlipHistory<1> h;
  for (int i = 0; i <= 4000; ++i) {
    const double t = i * 1e-4;
    h.t.push_back(t);
    h.v.emplace_back(t < 0.2 ? 1e-2 : 1e-1);
    h.fn.push_back(1);
  }
  const Trace<1> trace = run_prescribed(law, h);
  const double slow = 0.2 + 0.05 / 2, fast = 0.2 + 0.05 / 101;
  EXPECT_NEAR(trace.force[1990][0], slow, 1e-6);
  EXPECT_NEAR(trace.force[2480][0], slow, 1e-6);  // 48 ms after the step
  EXPECT_NEAR(trace.force[2520][0], fast, 1e-6);  // 52 ms after it
}

TEST(Prescribed, ArmstrongSticksSlipsAndSticksAgain) {
  const AnyLaw law("armstrong-7");
  SlipHistory<1> h;
  for (int i = 0; i <= 30000; ++i) {
    const double t = i * 1e-4;
    h.t.push_back(t);
    h.v.emplace_back(t < 1 ? 1e-3 * std::sin(std::numbers::pi * t) : 0.0);
    h.fn.push_back(1);
    h.f_e.emplace_back(0.17);
  }
  const Trace<1> trace = run_prescribed(law, h);
  ASSERT_GE(trace.events.size(), 2U);
  EXPECT_EQ(trace.events.back().mode, static_cast<int>(Mode::stick));
  // Holds F_e, plus what it crept while v fell from D_v to 0: ½ D_v² / (dv/dt) = 1.6 µm.
  EXPECT_NEAR(trace.force.back()[0], 0.17 + 1.6e-6 * 1e4, 5e-4);
}

TEST(Prescribed, InitialStatesCanBeSet) {
  const SlipHistory<1> h = wobble(10);
  const Trace<1> trace = run_prescribed(AnyLaw("gonthier"), h, {.initial = {{"s_dw", 0.25}}});
  EXPECT_EQ(trace.state[1][0], 0.25);
  EXPECT_THROW(run_prescribed(AnyLaw("gonthier"), h, {.initial = {{"s_dv", 0.25}}}), InputError);
}

TEST(Prescribed, NoLoadNoForceAndAFreshState) {
  SlipHistory<2> h;
  for (int i = 0; i <= 30; ++i) {
    h.t.push_back(i);
    h.v.emplace_back(1e-3, 1e-3);
    h.fn.push_back(i < 10 || i > 20 ? 1.0 : 0.0);
  }
  for (const std::string& name : AnyLaw::names()) {
    const Trace<2> trace = run_prescribed(AnyLaw(name), h);
    EXPECT_EQ(trace.force[15].norm(), 0.0) << name;
    EXPECT_GT(trace.force[9].norm(), 0.0) << name;
    EXPECT_GT(trace.force[30].norm(), 0.0) << name;
  }
}

}  // namespace
}  // namespace bristle
