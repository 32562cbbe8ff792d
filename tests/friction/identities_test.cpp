// Limits and identities: what one law must have in common with another, or with a closed form.

#include <cmath>

#include <gtest/gtest.h>

#include "bristle/friction/laws.hpp"
#include "harness.hpp"

namespace bristle {
namespace {

using testing::draw_between;
using testing::draw_law;
using testing::draw_slip;
using testing::for_random;
using Vector1 = Tangent<double, 1>;
using Vector2 = Tangent<double, 2>;

/// Both laws along the same random path; their forces must agree.
template <int D, class A, class B>
void expect_same_path(const A& a, const B& b, double tolerance) {
  auto sa = a.template initial<double, D>(1.0);
  auto sb = b.template initial<double, D>(1.0);
  for (int i = 0; i < 8; ++i) {
    const Slip<double, D> slip = draw_slip<D>();
    const double dt = draw_between(1e-9, 1e-3) / norm<double, D>(slip.v);
    sa = advance_state(a, slip, sa, dt);
    sb = advance_state(b, slip, sb, dt);
    const double size = b.bound(slip.v, slip.fn);
    RC_ASSERT((norm<double, D>(friction_force(a, slip, sa) - friction_force(b, slip, sb)) <=
               tolerance * size));
  }
}

TEST(Identities, LuGreWithoutPeakAndDampingIsDahl) {
  for_random("lugre is dahl", [] {
    LuGre<> lugre = draw_law<LuGre<>>();
    lugre.sigma1 = lugre.sigma2 = 0;
    lugre.mu_s = lugre.mu_k;
    Dahl<> dahl;
    dahl.mu_k = lugre.mu_k;
    dahl.sigma0 = lugre.sigma0;
    dahl.per_load = lugre.per_load;
    expect_same_path<2>(lugre, dahl, 1e-12);
  });
}

TEST(Identities, DahlWithPowerNearOneIsDahl) {
  for_random("n → 1", [] {
    Dahl<> dahl = draw_law<Dahl<>>();
    dahl.n = 1;
    Dahl<> near = dahl;
    near.n = 1 + 1e-9;
    expect_same_path<2>(dahl, near, 1e-6);
  });
}

TEST(Identities, LuGreDampedWithoutFadingIsLuGre) {
  for_random("v_d → ∞", [] {
    const LuGre<> lugre = draw_law<LuGre<>>();
    LuGreDamped<> damped;
    damped.mu_s = lugre.mu_s;
    damped.mu_k = lugre.mu_k;
    damped.sigma0 = lugre.sigma0;
    damped.sigma1 = lugre.sigma1;
    damped.sigma2 = lugre.sigma2;
    damped.v_s = lugre.v_s;
    damped.per_load = lugre.per_load;
    damped.v_d = 1e12;
    expect_same_path<2>(damped, lugre, 1e-12);
  });
}

TEST(Identities, MdsfAugmentedIsTheResetIntegrator) {
  for_random("mdsf-augmented is reset", [] {
    const ResetIntegrator<> reset = draw_law<ResetIntegrator<>>();
    MdsfAugmented<> mdsf;
    mdsf.mu = reset.mu_k;
    mdsf.k_f = reset.k;
    mdsf.alpha = reset.a;
    mdsf.beta = reset.beta;
    mdsf.per_load = reset.per_load;
    expect_same_path<1>(mdsf, reset, 1e-14);  // in the plane only MDSF damps a turning bristle
    ResetIntegrator<> undamped = reset;
    undamped.beta = mdsf.beta = 0;
    expect_same_path<2>(mdsf, undamped, 1e-14);
    MdsfBristle<> bare;
    bare.mu = mdsf.mu;
    bare.k_f = mdsf.k_f;
    bare.per_load = mdsf.per_load;
    mdsf.alpha = mdsf.beta = 0;
    expect_same_path<2>(bare, mdsf, 1e-14);
  });
}

TEST(Identities, WangRuiWithTheRightConstantsIsChaturvedi) {
  for_random("wang-rui is chaturvedi", [] {
    const Chaturvedi<> chaturvedi = draw_law<Chaturvedi<>>();
    const Slip<double, 2> slip = draw_slip<2>();
    WangRui<> wang_rui;
    wang_rui.mu_s = chaturvedi.mu_s;
    wang_rui.B = chaturvedi.stiffness_factor(slip.fn);
    wang_rui.C = chaturvedi.shape_factor();
    wang_rui.E = -2;
    RC_ASSERT((testing::relative_gap<2>(wang_rui.steady(slip.v, slip.fn),
                                        chaturvedi.steady(slip.v, slip.fn)) <= 1e-13));
  });
}

TEST(Identities, StribeckLimits) {
  for_random("stribeck limits", [] {
    Stribeck<> stribeck = draw_law<Stribeck<>>();
    const Slip<double, 1> slip = draw_slip<1>();
    Stiction<> stiction;
    stiction.mu_s = stribeck.mu_s;
    stiction.mu_k = stribeck.mu_k;
    stiction.beta = stribeck.beta;
    stiction.delta = stribeck.delta;
    stribeck.v_s = 1e-12;
    stribeck.gamma = 2;
    RC_ASSERT((testing::relative_gap<1>(stribeck.steady(slip.v, slip.fn),
                                        stiction.steady(slip.v, slip.fn)) <= 1e-14));
  });
}

TEST(Identities, TableOfStribeckPointsIsStribeckBetweenThem) {
  Stribeck<> stribeck;
  Tabulated<> table;
  table.points.count = FrictionPoints::room;
  for (std::size_t k = 0; k < FrictionPoints::room; ++k) {
    table.points.speed[k] = 3e-5 * static_cast<double>(k);
    table.points.level[k] = stribeck.slip_level(table.points.speed[k], 1.0);
  }
  table.peak = 1.1;
  EXPECT_EQ(table.stick_limit(2.0), 1.1 * 2 * stribeck.mu_s);
  for (double v = 0; v < 3.5e-3; v += 7e-6) {
    // (Δv)² max|μ''|/8, with μ'' = −2 (μ_s − μ_k)/v_s² at its largest.
    EXPECT_NEAR(table.slip_level(v, 1.0), stribeck.slip_level(v, 1.0), 1.2e-5) << v;
  }
  EXPECT_EQ(table.slip_level(1e9, 1.0), table.points.level.back());
}

TEST(Identities, ClassicalFormsAgree) {
  Classical<> levels;  // Lin's set is at once a ratio and a pair of slopes
  Classical<> ratio = levels, slopes = levels;
  ratio.form = Classical<>::Form::ratio;
  slopes.form = Classical<>::Form::slopes;
  for (const double v : {-3e-4, -1.7e-4, -2e-5, 0.0, 5e-5, 1e-4, 1.5e-4, 2e-4, 1.0}) {
    const double f = levels.steady(Vector1(v), 2.0)[0];
    EXPECT_NEAR(ratio.steady(Vector1(v), 2.0)[0], f, 1e-15);
    EXPECT_NEAR(slopes.steady(Vector1(v), 2.0)[0], f, 1e-15);
  }
}

TEST(Identities, BrownMcPheePeak) {
  for_random("peak at v_t", [] {
    const BrownMcPhee<> law = draw_law<BrownMcPhee<>>();
    BrownMcPhee<> dry = law;
    dry.mu_v = 0;
    const double peak = dry.steady(Vector1(law.v_t), 1.0)[0];
    RC_ASSERT(std::abs(peak - law.mu_s) <= 7e-4 * law.mu_k);
  });
}

TEST(Identities, KudraPeakIsEta) {
  // The peak factor solves the peak, for any η; known pairs from the planar example.
  EXPECT_NEAR(kudra_peak_factor(4.98), 13.7627, 5e-4);
  EXPECT_NEAR(kudra_peak_factor(2.7), 6.7085, 5e-5);
  EXPECT_NEAR(kudra_peak_factor(1 + 1e-12), 1.14992888, 1e-6);
  EXPECT_EQ(kudra_peak_factor(1.0), 0.0);
  for (const double eta : {1.001, 1.25, 2.0, 4.98, 30.0, 1000.0}) {
    // a = (π − arccos(1/η'))/3 and η = sin a (1 + η' cos³ a): the closed form, run backwards.
    const double factor = kudra_peak_factor(eta);
    const double a = (std::numbers::pi - std::acos(1 / factor)) / 3;
    EXPECT_NEAR(std::sin(a) * (1 + factor * std::pow(std::cos(a), 3)), eta, 1e-11 * eta);
    Kudra<> law;
    law.eta = eta;
    double peak = 0;
    for (double v = 1e-6; v < 1e-2; v *= 1.001)
      peak = std::max(peak, law.steady(Vector1(v), 1.0)[0]);
    EXPECT_NEAR(peak, eta * law.mu_k, 1e-5 * eta * law.mu_k);
  }
}

TEST(Identities, DahlLoop) {
  // F = F_c (1 − (1 − F_0/F_c) e^(−σ0 x/F_c)) from any F_0.
  for_random("dahl loop", [] {
    Dahl<> dahl = draw_law<Dahl<>>();
    dahl.n = 1;
    dahl.per_load = false;
    const double fn = draw_between(0.1, 10), fc = dahl.mu_k * fn;
    const double f0 = draw_between(-0.99, 0.99) * fc;
    const double x = draw_between(1e-3, 20) * fc / dahl.sigma0;
    const Deflection<double, 1> start{Vector1(f0 / dahl.sigma0)};
    const Slip<double, 1> slip = sliding<double, 1>(Vector1(1e-3), fn);
    const double f = dahl.force(slip, dahl.advance(slip, start, x / 1e-3))[0];
    RC_ASSERT(std::abs(f - fc * (1 - (1 - f0 / fc) * std::exp(-dahl.sigma0 * x / fc))) <=
              1e-13 * fc);
  });
}

TEST(Identities, StepsAddUp) {
  // One step of an exact law is two half steps.
  const auto check = [](const auto& law) {
    using L = std::remove_cvref_t<decltype(law)>;
    for_random("steps add up", [] {
      L drawn = draw_law<L>();
      // In the plane, below n = 1, a deflection can leave the circle and is cut back each step.
      if constexpr (requires { drawn.n; }) drawn.n = std::max(drawn.n, 1.0);
      const Slip<double, 2> slip = draw_slip<2>();
      const auto state = testing::draw_state<2>(drawn, slip.fn);
      const double dt = draw_between(1e-9, 1e-3) / norm<double, 2>(slip.v);
      const auto once = drawn.advance(slip, state, dt);
      const auto twice = drawn.advance(slip, drawn.advance(slip, state, 0.3 * dt), 0.7 * dt);
      RC_ASSERT(testing::state_gap(once, twice, state) <= 1e-9);
    });
  };
  check(Dahl<>{});
  check(LuGre<>{});
  check(LuGreDamped<>{});
  check(ResetIntegrator<>{});
  check(MdsfBristle<>{});
}

/// Largest error of the force after a path taken in n steps, against one in very many.
template <class L>
double path_error(const L& law, double v, double path, int n) {
  const Slip<double, 2> slip = sliding<double, 2>(Vector2(0.6 * v, 0.8 * v), 1.0);
  const auto run = [&](int steps) {
    auto state = law.template initial<double, 2>(1.0);
    state.z = Vector2(-2e-7, 3e-7);
    for (int i = 0; i < steps; ++i) state = law.advance(slip, state, path / v / steps);
    return state.z;
  };
  return (run(n) - run(1 << 16)).norm();
}

TEST(Identities, ElastoPlasticStepIsSecondOrder) {
  const ElastoPlastic<> law;
  const double e1 = path_error(law, 1e-3, 2.2e-6, 64), e2 = path_error(law, 1e-3, 2.2e-6, 128);
  EXPECT_GT(e1 / e2, 3.0);
  EXPECT_LT(e1, 1e-9);
}

TEST(Identities, GonthierStepConvergesAcrossSaturation) {
  const Gonthier<> law;
  // Slow: unsaturated, then saturated within the path.
  const double e1 = path_error(law, 2e-4, 4e-6, 64), e2 = path_error(law, 2e-4, 4e-6, 128);
  EXPECT_GT(e1 / e2, 1.8);
  EXPECT_LT(e1, 2e-8);
}

TEST(Identities, AResetStepMovesTheBristleNoFurtherThanTheSlip) {
  for_random("reset step", [] {
    const ResetIntegrator<> law = draw_law<ResetIntegrator<>>();
    Slip<double, 2> slip = draw_slip<2>();
    const auto state = testing::draw_state<2>(law, slip.fn);
    slip.fn *= draw_between(0.1, 10);  // the load may rise or fall in between
    const double path = draw_between(1e-9, 1e-3);
    const auto start = law.relax(slip.fn, state);
    const auto end = law.advance(slip, state, path / norm<double, 2>(slip.v));
    RC_ASSERT((end.p - start.p).norm() <= path * (1 + 1e-9) + 1e-9 * start.p.norm());
  });
}

TEST(Identities, PreslidingSlopes) {
  const double tiny = 1e-12;
  const auto slope = [&](const auto& law) {
    const Slip<double, 1> creep = sliding<double, 1>(Vector1(tiny), 1.0);
    const auto state = law.advance(creep, law.template initial<double, 1>(1.0), 1.0);
    const Slip<double, 1> rest = sliding<double, 1>(Vector1(0.0), 1.0);
    return law.force(rest, state)[0] / tiny;
  };
  EXPECT_NEAR(slope(LuGre<>{}), 1e5, 1);
  EXPECT_NEAR(slope(Dahl<>{}), 1e5, 1);
  EXPECT_NEAR(slope(Gonthier<>{}), 1e5, 1);
  EXPECT_NEAR(slope(ElastoPlastic<>{}), 1e5, 1);
  EXPECT_NEAR(slope(ResetIntegrator<>{}), 2.5e4, 1);
  EXPECT_NEAR(slope(Armstrong<>{}), 1e4, 1);
  EXPECT_NEAR(slope(BristleBonds<>{}), 31250, 1);
}

TEST(Identities, BreakAwayForces) {
  // Pulled slowly, each law lets go at its own static level.
  const auto peak = [](const auto& law, double v) {
    const Slip<double, 1> slip = sliding<double, 1>(Vector1(v), 1.0);
    auto state = law.template initial<double, 1>(1.0);
    double largest = 0;
    for (int i = 0; i < 40000; ++i) {
      state = law.advance(slip, state, 1e-9 / v);
      largest = std::max(largest, law.force(slip, state)[0]);
    }
    return largest;
  };
  EXPECT_NEAR(peak(LuGre<>{}, 1e-6), 0.25, 2e-6);
  EXPECT_NEAR(peak(Gonthier<>{}, 1e-6), 0.25, 2e-6);
  EXPECT_NEAR(peak(ElastoPlastic<>{}, 1e-6), 0.25, 2e-6);
  EXPECT_NEAR(peak(Dahl<>{}, 1e-6), 0.20, 2e-6);
  EXPECT_NEAR(peak(MdsfBristle<>{}, 1e-6), 0.20, 1e-12);
  EXPECT_NEAR(peak(ResetIntegrator<>{}, 1e-6), 0.25 + 30e-6, 1e-4);
  EXPECT_NEAR(peak(Armstrong<>{}, 1e-6), 0.25, 2e-5);
  EXPECT_NEAR(peak(BristleBonds<>{}, 1e-6), 0.3125, 31250 * 1e-9 * 1.01);  // one sample off
}

TEST(Identities, GonthierPeakGrowsWithRest) {
  // Slide until s_dw is gone, rest t_r: the level is f_C + (f_S − f_C)(1 − exp(−t_r/τ_dw)).
  const Gonthier<> law;
  for (const double t_r : {0.1, 1.0, 5.0}) {
    auto state = law.initial(1.0);
    state = law.advance(sliding<double, 1>(Vector1(0.1), 1.0), state, 1.0);
    state = law.advance(sliding<double, 1>(Vector1(0.0), 1.0), state, t_r);
    EXPECT_NEAR(state.s_dw, 1 - std::exp(-t_r / law.tau_dw), 1e-12);
  }
}

TEST(Identities, DeflectionReturnsWhenTheLoadFalls) {
  for_random("relax", [] {
    const LuGre<> law = draw_law<LuGre<>>();
    const double fn = draw_between(0.1, 10);
    const auto state = testing::draw_state<2>(law, fn);
    const double less = fn * draw_between(1e-3, 1);
    const double stiffness = law.sigma0 * (law.per_load ? less : 1.0);
    RC_ASSERT(stiffness * law.relax(less, state).z.norm() <= law.mu_s * less * (1 + 1e-12));
    RC_ASSERT(law.relax(0.0, state).z.norm() == 0.0);
  });
}

TEST(Identities, PointLawsResistNoSpin) {
  const LuGre<> law;
  const Twist<double> twist{Vector2(1e-3, 2e-3), 5.0};
  const Slip<double, 2> slip = sliding<double, 2>(twist.v, 2.0);
  const Deflection<double, 2> state{Vector2(1e-6, 0)};
  const Wrench<double> w = wrench(law, twist, slip, state);
  EXPECT_EQ(w.force, law.force(slip, state));
  EXPECT_EQ(w.torque, 0.0);
}

TEST(Identities, BristleMeanFollowsRenewalTheory) {
  // Mean of the sliding force over many seeds, within 4 standard errors.
  double sum = 0, squares = 0;
  const int seeds = 400;
  for (int seed = 0; seed < seeds; ++seed) {
    BristleBonds<> law;
    law.seed = seed;
    auto state = law.initial(1.0);
    const Slip<double, 1> slip = sliding<double, 1>(Vector1(1e-3), 1.0);
    for (int i = 0; i < 200; ++i) state = law.advance(slip, state, 1e-3);
    const double f = law.force(slip, state)[0];
    sum += f;
    squares += f * f;
  }
  const double mean = sum / seeds, se = std::sqrt((squares / seeds - mean * mean) / seeds);
  EXPECT_NEAR(mean, BristleBonds<>{}.steady(Vector1(1e-3), 1.0)[0], 4 * se);
  EXPECT_LT(se, 1e-3);
}

TEST(Identities, BristleLongStepForgetsButStaysStationary) {
  // A step of a kilometre draws a bounded number of times and has the same mean.
  double sum = 0;
  const int seeds = 2000;
  for (int seed = 0; seed < seeds; ++seed) {
    BristleBonds<> law;
    law.seed = seed;
    const Slip<double, 1> slip = sliding<double, 1>(Vector1(1.0), 1.0);
    sum += law.force(slip, law.advance(slip, law.initial(1.0), 1e3))[0];
  }
  EXPECT_NEAR(sum / seeds, BristleBonds<>{}.steady(Vector1(1.0), 1.0)[0], 1e-3);
}

// ---- passivity ----------------------------------------------------------------------------------

/// Looks for a slip and a reachable deflection with negative dissipation.
template <class L, class MakeState>
bool finds_counter_example(const L& law, double fn, MakeState&& make) {
  for (double v = 1e-9; v < 1e9; v *= 1.5) {
    for (double share = -1; share <= 1; share += 1.0 / 64) {
      const Slip<double, 1> slip = sliding<double, 1>(Vector1(v), fn);
      const auto state = law.relax(fn, make(share));
      if (law.dissipation(slip, state) < -1e-12 * law.bound(slip.v, fn) * v) return true;
    }
  }
  return false;
}

TEST(Passivity, LuGreConditionIsExact) {
  // Passive if and only if σ2 ≥ σ1 (μ_s − μ_k)/μ_k: just inside no counter-example, just outside
  // one.
  for_random("lugre passivity", [] {
    LuGre<> law = draw_law<LuGre<>>();
    law.per_load = false;
    law.sigma1 = draw_between(1, 1e3);
    law.mu_s = law.mu_k * draw_between(1.05, 3);
    const double critical = law.sigma1 * (law.mu_s - law.mu_k) / law.mu_k;
    const double longest = law.mu_s / law.sigma0;
    const auto state = [&](double share) {
      return Deflection<double, 1>{Vector1(share * longest)};
    };
    law.sigma2 = critical * 1.001;
    RC_ASSERT(law.passive(1.0));
    RC_ASSERT(!finds_counter_example(law, 1.0, state));
    law.sigma2 = critical * 0.9;
    RC_ASSERT(!law.passive(1.0));
    RC_ASSERT(finds_counter_example(law, 1.0, state));
  });
}

TEST(Passivity, GonthierConditionIsExact) {
  for_random("gonthier passivity", [] {
    Gonthier<> law = draw_law<Gonthier<>>();
    law.bounded = true;
    law.per_load = false;
    law.mu_k = draw_between(0.05, 0.9);
    law.mu_s = law.mu_k * draw_between(1, 2);
    law.sigma2 = 0;
    law.v_eps = law.v_s * 1e-6;
    const auto state = [&](double share) {
      return Gonthier<>::State<double, 1>{Vector1(share * law.mu_s / law.sigma0), 1.0};
    };
    law.sigma1 = law.mu_k / (2 * law.v_s) * 1.001;
    RC_ASSERT(law.passive(1.0));
    RC_ASSERT(!finds_counter_example(law, 1.0, state));
    law.sigma1 = law.mu_k / (2 * law.v_s) * 0.8;
    RC_ASSERT(!law.passive(1.0));
    RC_ASSERT(finds_counter_example(law, 1.0, state));
  });
}

TEST(Passivity, UnboundedGonthierIsNotPassive) {
  Gonthier<> law;
  law.bounded = false;
  EXPECT_FALSE(law.passive(1.0));
  const auto run_away = [&](double share) {
    return Gonthier<>::State<double, 1>{Vector1(10 * share * law.mu_s / law.sigma0), 1.0};
  };
  EXPECT_TRUE(finds_counter_example(law, 1.0, run_away));
}

TEST(Passivity, BristleWithFewerBondsWhileSlidingIsNotPassive) {
  BristleBonds<> law;
  EXPECT_FALSE(law.passive(1.0));
  const auto stretched = [&](double share) {
    auto state = law.initial(1.0);
    for (auto& d : state.delta) d = Vector1(share * law.delta_s);
    return state;
  };
  EXPECT_TRUE(finds_counter_example(law, 1.0, stretched));
  law.n_slide = law.n;
  EXPECT_TRUE(law.passive(1.0));
  EXPECT_FALSE(finds_counter_example(law, 1.0, stretched));
}

TEST(Passivity, ArmstrongStartsToStickWithEnergyFromNowhere) {
  const Armstrong<> law;
  EXPECT_FALSE(law.passive(1.0));
  auto sliding_state = law.initial(1.0);
  sliding_state.mode = Mode::slip;
  Slip<double, 1> slip = sliding<double, 1>(Vector1(0.0), 1.0);
  slip.f_e = Vector1(0.19);
  const auto resting = law.jump(slip, sliding_state);
  EXPECT_EQ(resting.mode, Mode::stick);
  EXPECT_EQ(law.stored(1.0, sliding_state), 0.0);
  EXPECT_NEAR(law.stored(1.0, resting), 0.5 * 0.19 * 0.19 / law.k_t, 1e-18);
}

}  // namespace
}  // namespace bristle
