// Parameters followed sample by sample.

#include "bristle/identify/online.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "bristle/core/error.hpp"

namespace bristle {
namespace {

/// Slip to and fro at 0.1 m/s peak, 1 kHz; the law's μ changes half-way.
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
}

}  // namespace
}  // namespace bristle
