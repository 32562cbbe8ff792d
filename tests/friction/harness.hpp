#pragma once

// What must hold for every law, checked with random parameters, slips and states.
//
//   BRISTLE_TEST_LAW(LuGre);
//
// gives a law all of it: odd, resists steady sliding, bounded, holds under a constant load, its
// energy adds up, objective, finite at any speed, exact derivatives.

#include <array>
#include <numbers>
#include <string>

#include "bristle/friction/any_law.hpp"
#include "derivatives.hpp"
#include "random_cases.hpp"
#include "states.hpp"

namespace bristle::testing {

template <class L>
void show(const L& law) {
  for_each_parameter(law, [](const Traits& t, const auto& m) {
    RC_LOG() << t.name << " = " << parameter_value(m) << "\n";
  });
}
template <class L, int D>
void show(const L& law, const Slip<double, D>& slip,
          const typename L::template State<double, D>& state) {
  show(law);
  RC_LOG() << "v = " << slip.v.transpose() << "  fn = " << slip.fn << "  state =";
  for (const double x : numbers_of(state)) RC_LOG() << " " << x;
  RC_LOG() << "\n";
}

/// A force that every law with memory holds for ever: below its lowest static level.
template <class L>
double holding_level(const L& law, double fn) {
  const Tangent<double, 1> slow = Tangent<double, 1>::Constant(1e-9);
  if constexpr (requires { law.coefficients(); }) {
    return law.coefficients().mu * fn;
  } else if constexpr (requires { law.mu_k; }) {
    return law.mu_k * fn;
  } else {
    return norm<double, 1>(law.steady(slow, fn));
  }
}

/// True where relax would shorten the state if it were any longer.
template <class L, class S>
bool at_limit(const L& law, double fn, const S& state, double margin = 1e-9) {
  const S longer = mapped(
      state, [&](const auto& v) { return (v * (1 + margin)).eval(); }, [](double x) { return x; });
  return relative_gap(numbers_of(law.relax(fn, longer)), numbers_of(longer)) > 1e-12;
}

/// 1. F(−v, −state) = −F(v, state), and so for the state's rate and step.
template <class L, int D>
void check_odd() {
  const L law = draw_law<L>();
  const Slip<double, D> slip = draw_slip<D>();
  const auto state = draw_state<D>(law, slip.fn);
  Slip<double, D> back = slip;
  back.v = -slip.v;
  back.f_e = -slip.f_e;
  back.v_lag = -slip.v_lag;
  const double dt = draw_between(1e-6, 1e-1);
  show(law, slip, state);
  RC_ASSERT(relative_gap<D>(friction_force(law, back, negated(state)),
                            -friction_force(law, slip, state)) <= 1e-14);
  const auto there = advance_state(law, slip, state, dt);
  RC_ASSERT(state_gap(advance_state(law, back, negated(state), dt), negated(there), there) <=
            1e-14);
}

/// 2. Steady sliding is resisted, and is what a long slide at constant speed arrives at.
template <class L, int D>
void check_steady() {
  const L law = draw_law<L>();
  Slip<double, D> slip = draw_slip<D>();
  slip.v_lag = slip.v;
  slip.f_e = zero<double, D>();
  const Tangent<double, D> steady = law.steady(slip.v, slip.fn);
  show(law, slip, law.template initial<double, D>(slip.fn));
  RC_ASSERT(steady.dot(slip.v) >= 0);
  auto state = draw_state<D>(law, slip.fn);
  // From steps that follow the state to steps that forget it.
  for (int i = 0; i < 80; ++i)
    state = advance_state(law, slip, state, 1e-6 * std::pow(10, i / 4.0));
  const Tangent<double, D> reached = friction_force(law, slip, state);
  RC_LOG() << "reached " << reached.transpose() << " steady " << steady.transpose() << "\n";
  if constexpr (!Random<L>) RC_ASSERT(reached.dot(slip.v) >= 0);  // random: in the mean
  if constexpr (!Random<L> && !Delayed<L> && !SetValued<L>) {
    RC_ASSERT(relative_gap<D>(reached, steady) <= 1e-6);
  }
}

/// 3. |F| ≤ bound.
template <class L, int D>
void check_bound() {
  const L law = draw_law<L>();
  Slip<double, D> slip = draw_slip<D>();
  const auto state = draw_state<D>(law, slip.fn);
  // The load may have fallen since the state was reached.
  if (draw_bool()) slip.fn *= draw_between(1e-3, 1);
  show(law, slip, state);
  const double size = norm<double, D>(friction_force(law, slip, state));
  const double bound = law.bound(slip.v, slip.fn);
  RC_LOG() << "|F| = " << size << " bound = " << bound << "\n";
  RC_ASSERT(size <= bound * (1 + 1e-12));
}

/// 4. Under a constant force below break-away a contact with memory or with a set at rest holds.
template <class L, int D>
void check_holds() {
  const L law = draw_law<L>();
  const double fn = draw_between(1e-2, 1e2);
  Slip<double, D> slip;
  slip.fn = fn;
  show(law);
  if constexpr (SetValued<L>) {
    const double limit = law.stick_limit(fn);
    slip.f_e = draw_vector<D>(1e-3, 0.999) * limit;
    RC_ASSERT(relative_gap<D>(friction_force(law, slip, {}), slip.f_e) <= 1e-15);
    slip.f_e = draw_vector<D>(0.999, 0.999) * limit;
    RC_ASSERT(relative_gap<D>(friction_force(law, slip, {}), slip.f_e) <= 1e-15);
    slip.f_e = draw_vector<D>(1.001, 10) * limit;
    const double most = norm<double, D>(friction_force(law, slip, {}));
    RC_ASSERT(most <= limit * (1 + 1e-12));
  } else if constexpr (!HasMemory<L>) {
    RC_ASSERT(friction_force(law, slip, {}).isZero(0));  // nothing holds it: it creeps
  } else if constexpr (HasMemory<L>) {
    // Overdamped: (c + friction's own damping) v = pull − F at rest, until nothing moves.
    auto state = law.template initial<double, D>(fn);
    const Tangent<double, D> along = draw_vector<D>(1, 1);
    const double tiny = 1e-12;
    const Slip<double, D> creep = sliding<double, D>(along * tiny, fn);
    const double damping = norm<double, D>(friction_force(law, creep, state)) / tiny;
    const auto nudged = advance_state(law, creep, state, 1.0);
    const Slip<double, D> rest = sliding<double, D>(zero<double, D>(), fn);
    const double stiffness = norm<double, D>(friction_force(law, rest, nudged)) / tiny;
    const double pull = draw_between(0.01, 0.8) * holding_level(law, fn);
    if (pull == 0) return;                                 // friction may be switched off
    const double c = std::max(10 * damping, pull / 1e-6);  // slow: never faster than 1 µm/s
    const double dt = 0.05 * c / stiffness;
    double moved = 0, moved_late = 0;
    for (int i = 0; i < 1600; ++i) {
      const Tangent<double, D> spring = friction_force(law, rest, state);
      const Tangent<double, D> v = (along * pull - spring) / c;
      Slip<double, D> now = sliding<double, D>(v, fn);
      now.f_e = along * pull;
      state = advance_state(law, now, state, dt);
      moved += norm<double, D>(v) * dt;
      if (i >= 1400) moved_late += norm<double, D>(v) * dt;
    }
    RC_LOG() << "moved " << moved << " late " << moved_late << "\n";
    // A steady creep would make this an eighth.
    RC_ASSERT(moved_late <= 1e-4 * moved);
  }
}

/// 5. F·v = d(stored)/dt + dissipation; where the law says it is passive, dissipation ≥ 0.
template <template <class> class Law, int D>
void check_energy() {
  using L = Law<double>;
  const L law = draw_law<L>();
  const Slip<double, D> slip = draw_slip<D>();
  auto state = law.relax(slip.fn, draw_state<D>(law, slip.fn));
  if constexpr (Hybrid<L>) state = law.jump(slip, state);
  show(law, slip, state);
  const double loss = law.dissipation(slip, state);
  if constexpr (SetValued<L>) {
    RC_ASSERT(loss == friction_force(law, slip, state).dot(slip.v));
  } else {
    const double power = law.force(slip, state).dot(slip.v);
    Law<Jet> dual_law;
    typename Law<Jet>::template State<Jet, D> dual;
    std::vector<double> values;
    for_each_parameter(law,
                       [&](const Traits&, const auto& m) { values.push_back(parameter_value(m)); });
    std::size_t next = 0;
    for_each_parameter(dual_law,
                       [&](const Traits&, auto& m) { assign_parameter(m, values[next++]); });
    const auto rate = law.rate(slip, state);
    const auto seed = [&](auto& to, const Tangent<double, D>& from, const Tangent<double, D>& d) {
      for (int i = 0; i < D; ++i) {
        to[i] = Jet(from[i]);
        to[i].v[0] = d[i];
      }
    };
    std::vector<void*> rates;
    std::remove_cvref_t<decltype(rate)>::visit(rate, [&](const char*, const char*, const auto& m) {
      rates.push_back(const_cast<void*>(static_cast<const void*>(&m)));
    });
    std::size_t k = 0;
    zip_states(dual, state, [&](auto& member, void* place) {
      using M = std::remove_cvref_t<decltype(member)>;
      const void* rate_place = rates[k++];
      if constexpr (is_vector<M>) {
        seed(member, *static_cast<const Tangent<double, D>*>(place),
             *static_cast<const Tangent<double, D>*>(rate_place));
      } else if constexpr (is_list<M>) {
        if constexpr (is_vector<std::remove_cvref_t<decltype(member[0])>>) {
          for (std::size_t i = 0; i < member.size(); ++i) {
            seed(member[i], static_cast<const Tangent<double, D>*>(place)[i],
                 static_cast<const Tangent<double, D>*>(rate_place)[i]);
          }
        }
      } else if constexpr (std::is_same_v<M, Jet>) {
        member = Jet(*static_cast<const double*>(place));
        member.v[0] = *static_cast<const double*>(rate_place);
      } else {
        member = *static_cast<const M*>(place);
      }
    });
    const double stored_rate = dual_law.stored(Jet(slip.fn), dual).v[0];
    const double size = std::abs(power) + std::abs(stored_rate) + std::abs(loss);
    RC_LOG() << "power " << power << " stored rate " << stored_rate << " loss " << loss << "\n";
    // At |z| on its limit the stored energy has a corner (relax): there the sum is not defined.
    if (!at_limit(law, slip.fn, state))
      RC_ASSERT(std::abs(power - stored_rate - loss) <= 1e-11 * size);
  }
  if constexpr (SetValued<L>) {
    if (norm<double, D>(slip.v) <= law.stick_band()) return;  // a solver sets v to 0 there
  }
  if (law.passive(slip.fn)) {
    const double size = law.bound(slip.v, slip.fn) * norm<double, D>(slip.v);
    RC_ASSERT(loss >= -1e-12 * size);
  }
}
/// 6. Turning slip, holding force and state turns the answer and nothing else; and motion along a
/// straight line in the plane is the scalar law.
template <class L>
void check_objective() {
  const L law = draw_law<L>();
  const Slip<double, 2> slip = draw_slip<2>();
  const auto state = draw_state<2>(law, slip.fn);
  const double angle = draw_between(0, 2 * std::numbers::pi), dt = draw_between(1e-6, 1e-1);
  Eigen::Matrix2d turn;
  turn << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
  const auto turned_state = [&](const auto& s) {
    return mapped(
        s, [&](const auto& v) { return (turn * v).eval(); }, [](double x) { return x; });
  };
  Slip<double, 2> turned = slip;
  turned.v = turn * slip.v;
  turned.f_e = turn * slip.f_e;
  turned.v_lag = turn * slip.v_lag;
  show(law, slip, state);
  const auto after = advance_state(law, slip, state, dt);
  const auto turned_after = advance_state(law, turned, turned_state(state), dt);
  RC_ASSERT(relative_gap<2>(friction_force(law, turned, turned_state(state)),
                            turn * friction_force(law, slip, state)) <= 1e-9);
  RC_ASSERT(state_gap(turned_after, turned_state(after), turned_state(state)) <= 1e-9);
}
template <class L>
void check_line() {
  const L law = draw_law<L>();
  auto line_state = law.template initial<double, 1>(1.0);
  auto plane_state = law.template initial<double, 2>(1.0);
  const Tangent<double, 2> axis(1, 0);
  show(law);
  for (int i = 0; i < 6; ++i) {
    const Slip<double, 1> s1 = draw_slip<1>();
    const Slip<double, 2> s2{axis * s1.v[0], s1.fn, axis * s1.f_e[0], axis * s1.v_lag[0]};
    const double dt = draw_between(1e-6, 1e-1);
    line_state = advance_state(law, s1, line_state, dt);
    plane_state = advance_state(law, s2, plane_state, dt);
    const Tangent<double, 1> f1 = friction_force(law, s1, line_state);
    const Tangent<double, 2> f2 = friction_force(law, s2, plane_state);
    RC_LOG() << "step " << i << " v " << s1.v << " fn " << s1.fn << " line " << f1 << " plane "
             << f2.transpose() << "\n";
    const double scale = law.bound(s1.v, s1.fn);
    RC_ASSERT(std::abs(f1[0] - f2[0]) <= 1e-12 * scale);
    RC_ASSERT(std::abs(f2[1]) <= 1e-12 * scale);
  }
}

/// 7. Nothing overflows or is undefined for any speed to 1e150, at rest, without load, with
/// denormals.
template <class L, int D>
void check_finite() {
  const L law = draw_law<L>();
  static constexpr std::array<double, 8> odd_speeds{0.0,    1e150, 5e-324, 1e-310,
                                                    1e-160, 1e100, 1e-20,  1e10};
  static constexpr std::array<double, 6> odd_loads{0.0, 5e-324, 1e-310, 1e-251, 1e-200, 1.0};
  auto state = law.template initial<double, D>(1.0);
  show(law);
  for (int i = 0; i < 4; ++i) {
    Slip<double, D> slip = draw_slip<D>();
    const double speed = odd_speeds[static_cast<std::size_t>(*rc::gen::inRange(0, 8))];
    slip.v = draw_bool() ? Tangent<double, D>(draw_vector<D>(1, 1) * speed) : slip.v;
    slip.v_lag = draw_bool() ? Tangent<double, D>(draw_vector<D>(1, 1) * speed) : slip.v_lag;
    slip.fn = draw_bool() ? odd_loads[static_cast<std::size_t>(*rc::gen::inRange(0, 6))]
                          : draw_between(1e-3, 10);
    if (draw_bool()) slip.f_e *= 0.0;
    state = advance_state(law, slip, state, draw_between(1e-6, 1e3));
    RC_LOG() << "v " << slip.v.transpose() << " fn " << slip.fn << " state";
    for (const double x : numbers_of(state)) RC_LOG() << " " << x;
    const Tangent<double, D> force = friction_force(law, slip, state);
    RC_LOG() << " F " << force.transpose() << "\n";
    RC_ASSERT(all_finite(state));
    RC_ASSERT(force.allFinite());
    RC_ASSERT(law.steady(slip.v, slip.fn).allFinite());
    RC_ASSERT(std::isfinite(law.bound(slip.v, slip.fn)));
    RC_ASSERT(std::isfinite(law.stored(slip.fn, state)));
    RC_ASSERT(std::isfinite(law.dissipation(slip, state)));
    if constexpr (Dynamic<L>) RC_ASSERT(all_finite(law.rate(slip, state)));
    const bool unloaded = !(slip.fn > 1e-250);
    if (unloaded) RC_ASSERT(force.isZero(0));
  }
}
/// Out of range is refused, with the parameter's name, the value and the range.
template <class L>
void check_ranges() {
  AnyLaw law(L::describe().page.name);
  for (const Parameter& p : law.info().parameters) {
    std::vector<double> bad{std::nan(""), infinity};
    if (std::isfinite(p.range.min)) bad.push_back(p.range.min - 1);
    if (std::isfinite(p.range.min) && p.range.min_open) bad.push_back(p.range.min);
    if (std::isfinite(p.range.max)) bad.push_back(p.range.max + 1);
    if (p.kind != Kind::real) bad.push_back(p.range.min + 0.5);
    for (const double value : bad) {
      try {
        law.set(p.name, value);
        ADD_FAILURE() << law.name() << "." << p.name << " accepted " << value;
      } catch (const InputError& error) {
        EXPECT_EQ(error.fault().key, p.name);
        EXPECT_FALSE(error.fault().value.empty());
        EXPECT_EQ(error.fault().expected, expectation(p));
      }
    }
    EXPECT_NO_THROW(law.set(p.name, p.default_value)) << p.name;
  }
}

/// 8. Exact derivatives with respect to slip, load, state and parameters: of the force, and of the
/// force after a step (so that the step's derivatives count too).
template <template <class> class Law, int D>
void check_derivatives(DerivativeCount& now, DerivativeCount& later) {
  using L = Law<double>;
  const L law = draw_law<L>(false);
  const Slip<double, D> slip = draw_slip<D>();
  const auto state = law.relax(slip.fn, draw_state<D>(law, slip.fn));
  const double dt = draw_between(1e-9, 1e-4) / norm<double, D>(slip.v);
  show(law, slip, state);
  // Where a deflection meets its limit the law has a corner.
  const auto corner = [&](const auto& st) {
    return !Hybrid<L> && at_limit(law, slip.fn, st, 1e-4);
  };
  if (corner(state) || corner(advance_state(law, slip, state, dt))) {
    ++now.kinks;
    ++later.kinks;
    return;
  }
  compare_derivative<Law, D>(
      law, slip, state, [](const auto& c) { return friction_force(c.law, c.slip, c.state); }, now);
  if constexpr (HasMemory<L>) {
    compare_derivative<Law, D>(
        law, slip, state,
        [&](const auto& c) {
          using T = std::remove_cvref_t<decltype(c.slip.fn)>;
          return friction_force(c.law, c.slip, advance_state(c.law, c.slip, c.state, T(dt)));
        },
        later);
  }
}

/// Saving and restoring through the run-time interface changes nothing.
template <class L, int D>
void check_save_restore() {
  const L law = draw_law<L>();
  AnyLaw any(L::describe().page.name);
  for_each_parameter(law,
                     [&](const Traits& t, const auto& m) { any.set(t.name, parameter_value(m)); });
  const auto make = [&] {
    if constexpr (D == 1) {
      return any.line(2);
    } else {
      return any.plane(2);
    }
  };
  auto group = make();
  auto copy = make();
  std::array<Slip<double, D>, 2> slips{draw_slip<D>(), draw_slip<D>()};
  group->advance(slips, 1e-3);
  std::vector<double> numbers(static_cast<std::size_t>(group->state_size()));
  for (int i = 0; i < 2; ++i) {
    group->save(i, numbers);
    copy->restore(i, numbers);
  }
  for (int step = 0; step < 3; ++step) {
    slips = {draw_slip<D>(), draw_slip<D>()};
    group->advance(slips, 1e-3);
    copy->advance(slips, 1e-3);
  }
  std::array<Tangent<double, D>, 2> a, b;
  group->force(slips, a);
  copy->force(slips, b);
  RC_ASSERT(a == b);
}

template <template <class> class Law, int D>
void run_derivatives(const char* name) {
  DerivativeCount now, later;
  for_random("derivatives are exact", [&] { check_derivatives<Law, D>(now, later); });
  const auto report = [&](const char* what, const DerivativeCount& c) {
    const int all = c.smooth + c.kinks;
    if (all == 0) return;
    // A state at the edge of a mode or a saturation is a kink by nature; most cases are not.
    // Below a thousand cases chance may add three of its standard deviations.
    const double chance = all < 1000 ? 3 * std::sqrt(0.2 * 0.8 * all) : 0;
    EXPECT_LE(c.kinks, all / 5 + chance)
        << name << ": " << what << " met " << c.kinks << " kinks in " << all;
  };
  report("the force", now);
  report("the step", later);
}

}  // namespace bristle::testing

#define BRISTLE_TEST_LAW(Law)                                                         \
  static_assert(bristle::FrictionLaw<bristle::Law<double>>);                          \
  TEST(Law, IsOdd) {                                                                  \
    using namespace bristle::testing;                                                 \
    for_random("odd on a line", check_odd<bristle::Law<double>, 1>);                  \
    for_random("odd in the plane", check_odd<bristle::Law<double>, 2>);               \
  }                                                                                   \
  TEST(Law, ResistsSteadySliding) {                                                   \
    using namespace bristle::testing;                                                 \
    for_random("steady on a line", check_steady<bristle::Law<double>, 1>);            \
    for_random("steady in the plane", check_steady<bristle::Law<double>, 2>);         \
  }                                                                                   \
  TEST(Law, StaysWithinItsBound) {                                                    \
    using namespace bristle::testing;                                                 \
    for_random("bounded on a line", check_bound<bristle::Law<double>, 1>);            \
    for_random("bounded in the plane", check_bound<bristle::Law<double>, 2>);         \
  }                                                                                   \
  TEST(Law, HoldsUnderConstantLoad) {                                                 \
    using namespace bristle::testing;                                                 \
    for_random("holds", check_holds<bristle::Law<double>, 2>);                        \
  }                                                                                   \
  TEST(Law, EnergyAddsUp) {                                                           \
    using namespace bristle::testing;                                                 \
    for_random("energy on a line", check_energy<bristle::Law, 1>);                    \
    for_random("energy in the plane", check_energy<bristle::Law, 2>);                 \
  }                                                                                   \
  TEST(Law, IsObjective) {                                                            \
    using namespace bristle::testing;                                                 \
    for_random("objective", check_objective<bristle::Law<double>>);                   \
    for_random("a line in the plane", check_line<bristle::Law<double>>);              \
  }                                                                                   \
  TEST(Law, IsFiniteAnywhere) {                                                       \
    using namespace bristle::testing;                                                 \
    for_random("finite on a line", check_finite<bristle::Law<double>, 1>);            \
    for_random("finite in the plane", check_finite<bristle::Law<double>, 2>);         \
    check_ranges<bristle::Law<double>>();                                             \
  }                                                                                   \
  TEST(Law, HasExactDerivatives) {                                                    \
    using namespace bristle::testing;                                                 \
    run_derivatives<bristle::Law, 1>(#Law);                                           \
    run_derivatives<bristle::Law, 2>(#Law);                                           \
  }                                                                                   \
  TEST(Law, SavesAndRestores) {                                                       \
    using namespace bristle::testing;                                                 \
    for_random("restores on a line", check_save_restore<bristle::Law<double>, 1>);    \
    for_random("restores in the plane", check_save_restore<bristle::Law<double>, 2>); \
  }
