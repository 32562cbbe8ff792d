// Parameters followed sample by sample.

#include "bristle/identify/online.hpp"

#include <array>
#include <cmath>
#include <random>
#include <utility>

#include <gtest/gtest.h>

#include "bristle/core/error.hpp"
#include "support/allocations.hpp"

namespace bristle {
namespace {

/// A law driven along a slip at 1 kHz under 10 N, measured with noise; its parameters may change.
class Rig {
 public:
  Rig(const std::string& name, double noise, unsigned seed) : engine_(seed), normal_(0, noise) {
    law_ = std::make_unique<AnyLaw>(name);
    group_ = law_->line(1);
    group_->reset(0, 10);
  }
  void set(const std::string& key, double value) {
    std::vector<double> state(static_cast<std::size_t>(group_->state_size()));
    group_->save(0, state);
    law_->set(key, value);
    group_ = law_->line(1);
    group_->restore(0, state);
  }
  /// Moves on to slip v; the measured force.
  double step(double v) {
    Slip<double, 1> slip;
    slip.v[0] = slip.v_lag[0] = (v_ + v) / 2;
    slip.fn = 10;
    group_->advance({&slip, 1}, 1e-3);
    slip.v[0] = slip.v_lag[0] = v_ = v;
    Tangent<double, 1> f;
    group_->force({&slip, 1}, {&f, 1});
    return f[0] + normal_(engine_);
  }

 private:
  std::unique_ptr<AnyLaw> law_;
  std::unique_ptr<Group<1>> group_;
  double v_ = 0;
  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
};

TEST(OnlineEstimator, FollowsAStepOfTheCoefficient) {
  for (const unsigned seed : {1u, 2u, 3u, 4u, 5u}) {
    Rig rig("coulomb-regularised", 0.1, seed);
    rig.set("mu_k", 0.2);
    AnyLaw law("coulomb-regularised");
    OnlineEstimator track(law, {{.name = "mu_k", .start = 0.5, .low = 0, .high = 1, .walk = 0.01}},
                          {.noise = 0.1});
    double worst = 0;
    for (int k = 0; k < 3000; ++k) {
      if (k == 1500) rig.set("mu_k", 0.3);
      const double v = 0.1 * (k % 400 < 200 ? 1 : -1);  // slides all the time
      track.update(1e-3, v, 10, rig.step(v));
      const double truth = k < 1500 ? 0.2 : 0.3;
      // Within 5 % from 0.2 s after the start and after the step.
      if ((k > 200 && k < 1500) || k > 1700) {
        worst = std::max(worst, std::abs(track.value(0) - truth) / truth);
      }
    }
    EXPECT_LT(worst, 0.05) << seed;
    EXPECT_LT(track.sd(0), 0.01);
    EXPECT_GT(track.sd(0), 1e-4);
  }
}

TEST(OnlineEstimator, FindsStiffnessAndLevelOfABristle) {
  Rig rig("dahl", 0.02, 7);
  rig.set("mu_k", 0.25);
  rig.set("sigma0", 2e5);
  // Slow against the loop, so that the memory of the law keeps up with its parameters.
  OnlineEstimator track(
      AnyLaw("dahl"),
      {{.name = "mu_k", .start = 0.15, .low = 0.01, .high = 1, .spread = 0.2, .walk = 0.003},
       {.name = "sigma0", .start = 1e5, .low = 1e4, .high = 1e6, .spread = 1e5, .walk = 3e3}},
      {.noise = 0.1});
  for (int k = 0; k < 20000; ++k) {
    const double v = 2e-4 * std::sin(2 * M_PI * 1e-3 * k);
    track.update(1e-3, v, 10, rig.step(v));
  }
  EXPECT_NEAR(track.value(0), 0.25, 0.005);
  EXPECT_NEAR(track.value(1), 2e5, 1e4);
}

/// A bristle that is bent to and fro, well before it lets go, gets softer.
TEST(OnlineEstimator, FollowsAStepOfTheStiffness) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    Rig rig("dahl", 0.02, seed);
    rig.set("mu_k", 0.25);
    rig.set("sigma0", 2e5);
    AnyLaw law("dahl");
    law.set("mu_k", 0.25);
    OnlineEstimator track(
        law,
        {{.name = "sigma0", .start = 1e5, .low = 1e4, .high = 1e6, .spread = 1e5, .walk = 2e4}},
        {.noise = 0.05});
    double worst = 0;
    for (int k = 0; k < 12000; ++k) {
      if (k == 6000) rig.set("sigma0", 1.4e5);
      const double v = 1e-4 * std::sin(2 * M_PI * 5e-3 * k);  // 5 Hz, 3 µm
      track.update(1e-3, v, 10, rig.step(v));
      const double truth = k < 6000 ? 2e5 : 1.4e5;
      // Within 5 % from 2 s after the start and after the step.
      if ((k > 2000 && k < 6000) || k > 8000) {
        worst = std::max(worst, std::abs(track.value(0) - truth) / truth);
      }
    }
    EXPECT_LT(worst, 0.05) << seed;
  }
}

/// The damping of bristles shows where they bend fast, that of the oil while they slide.
TEST(OnlineEstimator, FollowsAStepOfTheDamping) {
  struct Case {
    std::string name;
    double before, after, amplitude, frequency, walk;
  };
  for (const Case& c :
       {Case{"sigma1", 300, 450, 1e-3, 30, 60}, Case{"sigma2", 4, 6, 0.2, 1, 0.5}}) {
    for (const unsigned seed : {1u, 2u, 3u}) {
      Rig rig("lugre", 0.02, seed);
      rig.set(c.name, c.before);
      OnlineEstimator track(
          AnyLaw("lugre"),
          {{.name = c.name, .start = 2 * c.before, .low = 0, .high = 4 * c.before, .walk = c.walk}},
          {.noise = 0.02});
      double worst = 0;
      for (int k = 0; k < 6000; ++k) {
        if (k == 3000) rig.set(c.name, c.after);
        const double v = c.amplitude * std::sin(2 * M_PI * c.frequency * 1e-3 * k);
        track.update(1e-3, v, 10, rig.step(v));
        const double truth = k < 3000 ? c.before : c.after;
        if ((k > 1000 && k < 3000) || k > 4000) {
          worst = std::max(worst, std::abs(track.value(0) - truth) / truth);
        }
      }
      EXPECT_LT(worst, 0.1) << c.name << " " << seed;
    }
  }
}

TEST(OnlineEstimator, WhatLeavesItsRangeWaitsAtTheEndAndComesBack) {
  Rig rig("coulomb-regularised", 0.1, 1);
  rig.set("mu_k", 0.2);
  OnlineEstimator track(AnyLaw("coulomb-regularised"),
                        {{.name = "mu_k", .start = 0.35, .low = 0.25, .high = 0.4, .walk = 0.01}},
                        {.noise = 0.1});
  for (int k = 0; k < 2000; ++k) {
    track.update(1e-3, 0.1, 10, rig.step(0.1));
    EXPECT_GE(track.value(0), 0.25);
    if (k > 200) {
      EXPECT_EQ(track.value(0), 0.25) << k;
    }
  }
  rig.set("mu_k", 0.3);
  for (int k = 0; k < 200; ++k) track.update(1e-3, 0.1, 10, rig.step(0.1));
  EXPECT_NEAR(track.value(0), 0.3, 0.015);
  rig.set("mu_k", 0.5);
  for (int k = 0; k < 200; ++k) track.update(1e-3, 0.1, 10, rig.step(0.1));
  EXPECT_EQ(track.value(0), 0.4);
}

/// F = μ f_n + β v at one speed tells a sum only. Where β would have to be negative, all of it is
/// μ's, and at once: not first shared out, and then found again.
TEST(OnlineEstimator, WhatOneParameterCannotTakeTheOthersDo) {
  OnlineEstimator track(AnyLaw("coulomb-viscous"),
                        {{.name = "mu_k", .start = 0.5, .low = 0, .high = 1},
                         {.name = "beta", .start = 0, .low = 0, .high = 10}},
                        {.noise = 0.1});
  for (int k = 0; k < 3; ++k) track.update(1e-3, 5, 10, 2);
  EXPECT_EQ(track.value(1), 0);
  EXPECT_NEAR(track.value(0), 0.2, 0.002);
}

TEST(OnlineEstimator, ManyAtTheirEndsStayInRange) {
  // A force that no value explains: every parameter is pushed as far as it may go.
  OnlineEstimator track(AnyLaw("lugre"),
                        {{.name = "mu_s", .start = 0.3, .low = 0.25, .high = 0.4, .walk = 0.1},
                         {.name = "mu_k", .start = 0.2, .low = 0.1, .high = 0.25, .walk = 0.1},
                         {.name = "sigma0", .start = 1e5, .low = 5e4, .high = 2e5, .walk = 1e4},
                         {.name = "sigma2", .start = 1, .low = 0, .high = 2, .walk = 1}},
                        {.noise = 0.1});
  for (int k = 0; k < 4000; ++k) {
    const double sign = k < 2000 ? 1 : -1;
    track.update(1e-3, 1e-3 * std::sin(0.02 * k) + 2e-3, 10, 50 * sign);
    for (std::size_t j = 0; j < track.size(); ++j) {
      ASSERT_GE(track.value(j), track.parameter(j).low) << k << " " << j;
      ASSERT_LE(track.value(j), track.parameter(j).high) << k << " " << j;
    }
    if (k == 1999) {
      EXPECT_EQ(track.value(1), 0.25);
    }
  }
  EXPECT_EQ(track.value(1), 0.1);
}

TEST(OnlineEstimator, AfterAPauseTheLawIsAtRestAndTheEstimateStays) {
  OnlineEstimator track(AnyLaw("dahl"), {{.name = "mu_k", .start = 0.5, .low = 0, .high = 1}},
                        {.noise = 0.1});
  for (int k = 0; k < 1000; ++k) track.update(1e-3, 0.01, 10, 3);
  EXPECT_NEAR(track.value(0), 0.3, 0.01);
  EXPECT_NEAR(track.innovation(), 0, 0.05);
  const double known = track.value(0), sd = track.sd(0);
  track.pause();
  track.update(5, 0, 10, 0.01);
  EXPECT_NEAR(track.innovation(), 0.01, 1e-12);
  EXPECT_EQ(track.value(0), known);
  EXPECT_EQ(track.sd(0), sd);
}

TEST(OnlineEstimator, ResetRepeatsALapToTheLastBit) {
  Rig rig("lugre", 0.02, 3);
  std::vector<double> v, force;
  for (int k = 0; k < 500; ++k) {
    v.push_back(2e-3 * std::sin(0.05 * k));
    force.push_back(rig.step(v.back()));
  }
  OnlineEstimator track(AnyLaw("lugre"),
                        {{.name = "mu_k", .start = 0.3, .low = 0, .high = 1, .walk = 0.01},
                         {.name = "sigma1", .start = 100, .low = 0, .high = 1e3, .walk = 1}});
  const auto lap = [&] {
    for (std::size_t k = 0; k < v.size(); ++k) track.update(1e-3, v[k], 10, force[k]);
    return std::array{track.value(0), track.sd(0), track.value(1), track.sd(1)};
  };
  const auto once = lap(), on = lap();
  EXPECT_NE(once, on);
  track.reset();
  EXPECT_EQ(lap(), once);
}

TEST(OnlineEstimator, ASampleAllocatesNothing) {
  if (testing::allocations() < 0) GTEST_SKIP() << "allocations are not counted here";
  const auto four =
      std::vector<Tracked>{{.name = "mu_s", .start = 0.3, .low = 0.2, .high = 1, .walk = 0.01},
                           {.name = "mu_k", .start = 0.2, .low = 0, .high = 0.25, .walk = 0.01},
                           {.name = "sigma0", .start = 1e5, .low = 1e4, .high = 1e6, .walk = 1e4},
                           {.name = "sigma1", .start = 300, .low = 0, .high = 1e3, .walk = 10}};
  const auto one = std::vector<Tracked>{{.name = "mu_k", .start = 0.2, .low = 0, .high = 0.21}};
  for (const auto& [law, parameters] : {std::pair("lugre", four), std::pair("gonthier", four),
                                        std::pair("karnopp", one), std::pair("coulomb", one)}) {
    OnlineEstimator track(AnyLaw(law), parameters);
    const long before = testing::allocations();
    for (int k = 0; k < 2000; ++k) {
      // Slides, rests, turns round, and has bad samples; what is measured drives to the ends.
      const double v = k % 500 < 100 ? 0 : 5e-3 * std::sin(0.03 * k);
      track.update(1e-3, v, k % 700 == 0 ? -1 : 10,
                   k % 300 == 0 ? std::nan("") : 5 * std::sin(0.01 * k));
      if (k == 1000) track.pause();
      if (k == 1500) track.reset();
    }
    EXPECT_EQ(testing::allocations(), before) << law;
  }
}

TEST(OnlineEstimator, RestTeachesNothingAndForgetsNoMoreThanItKnew) {
  OnlineEstimator track(
      AnyLaw("coulomb"),
      {{.name = "mu_k", .start = 0.3, .low = 0, .high = 1, .spread = 0.1, .walk = 1}});
  for (int k = 0; k < 5000; ++k) track.update(1e-3, 0, 10, 0.5);
  EXPECT_DOUBLE_EQ(track.value(0), 0.3);
  EXPECT_NEAR(track.sd(0), 0.1, 1e-12);
}

TEST(OnlineEstimator, OneBadSampleDoesNotThrowIt) {
  OnlineEstimator track(AnyLaw("coulomb-regularised"),
                        {{.name = "mu_k", .start = 0.3, .low = 0, .high = 1, .walk = 0.05}},
                        {.noise = 0.1});
  for (int k = 0; k < 1000; ++k) track.update(1e-3, 0.1, 10, 3.0);
  const double before = track.value(0);
  track.update(1e-3, 0.1, 10, 1e6);
  track.update(1e-3, 0.1, 10, std::nan(""));
  EXPECT_NEAR(track.value(0), before, 0.02);
}

TEST(OnlineEstimator, RefusesWhatMakesNoSense) {
  EXPECT_THROW(
      OnlineEstimator(AnyLaw("coulomb"), {{.name = "mu", .start = 2, .low = 0, .high = 1}}),
      InputError);
  EXPECT_THROW(OnlineEstimator(AnyLaw("coulomb"), {{.name = "nu", .start = 0.5}}), InputError);
  EXPECT_THROW(OnlineEstimator(AnyLaw("coulomb"), {{.name = "mu_k", .start = 0.5}}, {.noise = 0}),
               InputError);
  std::vector<Tracked> five;
  for (const char* name : {"mu_s", "mu_k", "sigma0", "sigma1", "sigma2"})
    five.push_back({.name = name, .start = 0.5});
  EXPECT_THROW(OnlineEstimator(AnyLaw("lugre"), five), InputError);
  EXPECT_THROW(OnlineEstimator(AnyLaw("bristle"), {{.name = "mu_k", .start = 0.5}}), InputError);
}

}  // namespace
}  // namespace bristle
