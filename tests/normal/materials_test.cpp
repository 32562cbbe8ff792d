#include "bristle/normal/materials.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bristle/core/error.hpp"
#include "bristle/normal/laws.hpp"

namespace bristle::normal {
namespace {

TEST(Materials, EffectiveModulusAndRadius) {
  const Elastic<> steel{200e9, 0.3}, rubber{10e6, 0.5};
  EXPECT_DOUBLE_EQ(effective_modulus(steel), 200e9 / 0.91);
  EXPECT_DOUBLE_EQ(effective_modulus(steel, steel), 100e9 / 0.91);
  EXPECT_DOUBLE_EQ(1 / effective_modulus(steel, rubber), 0.91 / 200e9 + 0.75 / 10e6);
  const double plane = std::numeric_limits<double>::infinity();
  EXPECT_EQ(effective_radius(0.1, plane), 0.1);
  EXPECT_DOUBLE_EQ(effective_radius(0.1, 0.1), 0.05);
  EXPECT_DOUBLE_EQ(effective_radius(0.1, -0.2), 0.2);  // a ball in a bore
}

TEST(Materials, HertzTakesThem) {
  Hertz<> law;
  law.E_star = 1e9;
  law.R = 0.04;
  EXPECT_DOUBLE_EQ(law.latch(1.0).k, 4.0 / 3 * 1e9 * 0.2);
  law.E_star = law.R = 0;
  EXPECT_EQ(law.latch(1.0).k, law.k);
  FlatPunch<> punch;
  punch.E_star = 3e6;
  punch.r = 0.01;
  EXPECT_DOUBLE_EQ(punch.latch(1.0).force(1e-3, 0.0), 2 * 0.01 * 3e6 * 1e-3);
}

TEST(Materials, OneContactIsHertzWithBothModuli) {
  const Elastic<> one{70e9, 0.33}, other{3e9, 0.4};
  const double k1 = hertz_stiffness(effective_modulus(one), 0.02);
  const double k2 = hertz_stiffness(effective_modulus(other), 0.02);
  const double both = hertz_stiffness(effective_modulus(one, other), 0.02);
  EXPECT_NEAR(one_contact(k1, k2), both, 1e-14 * both);
}

/// Deflections add at equal force, whatever the exponent.
TEST(Materials, TwoLayersShareTheForce) {
  for (const double p : {1.0, 1.5, 2.0, 2.3}) {
    const double k1 = 3e5, k2 = 7e6, f = 12.5;
    const double deflection = std::pow(f / k1, 1 / p) + std::pow(f / k2, 1 / p);
    const Press<> pair{two_layers(k1, k2, p), p};
    EXPECT_NEAR(pair.force(deflection, 0.0), f, 1e-12 * f) << p;
    // A rigid partner changes nothing.
    EXPECT_NEAR(two_layers(k1, std::numeric_limits<double>::infinity(), p), k1, 1e-9) << p;
  }
  EXPECT_NEAR(two_layers(3.0, 6.0, 1.0), one_contact(3.0, 6.0), 1e-15);
  EXPECT_NEAR(two_layers(1.0, 1.0, 1.5), std::pow(2, -1.5), 1e-15);
}

TEST(Materials, TableComesFirstThenTheRule) {
  const Material steel{"steel", 1e9, 0.9, 0.16}, rubber{"rubber", 1e5, 0.4, 0.81};
  PairTable pairs;
  EXPECT_DOUBLE_EQ(combine(steel, rubber).e, 0.6);  // √(0.9 · 0.4)
  EXPECT_DOUBLE_EQ(combine(steel, rubber).mu, 0.36);
  EXPECT_DOUBLE_EQ(combine(steel, rubber).k, one_contact(1e9, 1e5));
  pairs.set("rubber", "steel", {.e = 0.55});
  EXPECT_EQ(combine(steel, rubber, pairs).e, 0.55);  // in either order
  EXPECT_EQ(combine(rubber, steel, pairs).e, 0.55);
  EXPECT_DOUBLE_EQ(combine(steel, rubber, pairs).mu, 0.36);  // not in the table
  pairs.set("steel", "rubber", {.k = 2e5, .mu = 0.7});
  EXPECT_EQ(combine(steel, rubber, pairs).mu, 0.7);
  EXPECT_EQ(combine(steel, rubber, pairs).k, 2e5);
  EXPECT_DOUBLE_EQ(combine(steel, rubber, pairs).e, 0.6);  // replaced as a whole
  EXPECT_EQ(combine(steel, rubber, {}, Mix::minimum).mu, 0.16);
  EXPECT_EQ(combine(steel, rubber, {}, Mix::maximum).mu, 0.81);
  EXPECT_DOUBLE_EQ(combine(steel, rubber, {}, Mix::average).mu, 0.485);
}

TEST(Materials, RulesHaveNames) {
  for (const Mix mix : {Mix::geometric, Mix::minimum, Mix::average, Mix::maximum}) {
    EXPECT_EQ(mix_named(to_string(mix)), mix);
  }
  try {
    mix_named("minimun");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.fault().nearest, "minimum");
    EXPECT_THAT(error.what(), ::testing::HasSubstr("geometric"));
  }
}

}  // namespace
}  // namespace bristle::normal
