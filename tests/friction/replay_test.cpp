// Slopes of force and rate by the parameters of a law at one point, against differences of the law.
// (Whole histories are held against differences in identify/force_match_test.)

#include "bristle/friction/replay.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace bristle {
namespace {

/// Force, then the rates of all numbers of the state; of a contact in this state.
std::vector<double> response(const AnyLaw& law, const Slip<double, 1>& slip,
                             std::span<const double> state) {
  const auto contact = law.line(1);
  contact->restore(0, state);
  std::vector<double> all(1 + state.size());
  std::vector<Tangent<double, 1>> force(1);
  contact->force({&slip, 1}, force);
  all[0] = force[0][0];
  contact->rate(0, slip, std::span(all).subspan(1));
  return all;
}

std::vector<std::string> real_parameters(const AnyLaw& law) {
  std::vector<std::string> names;
  for (const Parameter& p : law.info().parameters) {
    if (p.kind == Kind::real) names.emplace_back(p.name);
  }
  return names;
}

/// A contact that has slid for a while: its state is neither fresh nor steady.
std::vector<double> worn_in(const AnyLaw& law, const Slip<double, 1>& slip) {
  const auto contact = law.line(1);
  contact->reset(0, slip.fn);
  for (int i = 0; i < 7; ++i) contact->advance({&slip, 1}, 1e-4);
  std::vector<double> state(static_cast<std::size_t>(contact->state_size()));
  contact->save(0, state);
  return state;
}

/// dF/dp and dż/dp by central differences, laid out as Replay::slopes does it.
std::vector<double> differences(const AnyLaw& law, const std::string& name,
                                const Slip<double, 1>& slip, std::span<const double> state) {
  const double value = law.get(name), h = 1e-6 * std::max(std::abs(value), 1e-3);
  AnyLaw up = law, down = law;
  up.set(name, value + h);
  down.set(name, value - h);
  std::vector<double> by = response(up, slip, state);
  const std::vector<double> below = response(down, slip, state);
  for (std::size_t i = 0; i < by.size(); ++i) by[i] = (by[i] - below[i]) / (2 * h);
  return by;
}

TEST(Replay, SlopesAtAPointAreThoseOfForceAndRate) {
  int checked = 0;
  for (const std::string& name : AnyLaw::names()) {
    const AnyLaw law(name);
    if (!Replay::can_play(law)) continue;
    Slip<double, 1> slip = sliding<double, 1>(Tangent<double, 1>(1.7e-3), 1.3);
    slip.keep_mode = true;
    const std::vector<double> state = worn_in(law, slip);
    const std::vector<std::string> names = real_parameters(law);
    std::vector<double> values;
    for (const std::string& p : names) values.push_back(law.get(p));
    const std::size_t m = names.size();
    std::vector<double> force_by(m), rate_by(state.size() * m);
    Replay(law, names).slopes(values, slip, state, force_by, rate_by);
    for (std::size_t j = 0; j < m; ++j) {
      const Parameter& p = *law.info().find(names[j]);
      if (values[j] <= p.range.min || values[j] >= p.range.max) continue;  // one side only
      const std::vector<double> by = differences(law, names[j], slip, state);
      const auto near = [&](double exact, double difference, std::size_t row) {
        EXPECT_NEAR(exact, difference, 1e-6 * std::abs(difference) + 1e-7)
            << name << ", " << names[j] << ", row " << row;
      };
      near(force_by[j], by[0], 0);
      for (std::size_t k = 0; k < state.size(); ++k) near(rate_by[k * m + j], by[1 + k], 1 + k);
      ++checked;
    }
  }
  EXPECT_GE(checked, 80);
}

TEST(Replay, DahlsExponentHasItsSlopeAtOne) {
  AnyLaw law("dahl");
  std::vector<double> t, v, load;
  for (int k = 0; k < 200; ++k) {
    t.push_back(1e-3 * k);
    v.push_back(2e-5 * std::cos(0.05 * k));
    load.push_back(1);
  }
  const SlipSamples samples{t, v, load};
  const Replay replay(law, {"n"});
  const auto forces = [&](double n) {
    std::vector<double> force(t.size());
    replay.run(std::vector{n}, samples, force);
    return force;
  };
  std::vector<double> force(t.size()), by(t.size());
  ASSERT_TRUE(replay.run(std::vector{1.0}, samples, force, by));
  const std::vector<double> one = forces(1), up = forces(1 + 1e-5), down = forces(1 - 1e-5);
  double most = 0;
  for (std::size_t k = 0; k < t.size(); ++k) {
    EXPECT_NEAR(force[k], one[k], 1e-14);
    EXPECT_NEAR(by[k], (up[k] - down[k]) / 2e-5, 1e-8);
    most = std::max(most, std::abs(by[k]));
  }
  EXPECT_GT(most, 1e-3);
}

TEST(Replay, KnowsWhatItCannotPlay) {
  EXPECT_TRUE(Replay::can_play(AnyLaw("lugre")));
  EXPECT_FALSE(Replay::can_play(AnyLaw("bristle")));
  EXPECT_FALSE(Replay::can_play(AnyLaw("lugre").asymmetric(AnyLaw("lugre"), 0)));
}

}  // namespace
}  // namespace bristle
