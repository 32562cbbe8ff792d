// Normal laws by name: the list, settings, messages, limits that are documented.

#include "bristle/normal/any_normal.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bristle/normal/laws.hpp"

namespace bristle {
namespace {

using ::testing::HasSubstr;

std::string refusal(const std::string& law, const std::vector<Setting>& settings) {
  try {
    make_normal(law, settings);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(AnyNormal, HasThePublishedNames) {
  EXPECT_THAT(AnyNormal::names(), ::testing::UnorderedElementsAre(
                                      "gonthier", "gonthier-approximate", "hunt-crossley",
                                      "marhefka-orin", "lankarani-nikravesh", "flores", "hu-guo",
                                      "carvalho-martins", "herbert-mcwhannell", "lee-wang",
                                      "zhiying-qishao", "hertz", "flat-punch", "kelvin-voigt"));
}

TEST(AnyNormal, KnowsWhichLawIsExact) {
  for (const std::string& name : AnyNormal::names()) {
    const AnyNormal law(name);
    const double asked = law.requested(1), got = law.achieved(1);
    if (std::isnan(asked)) continue;
    if (law.exact_restitution()) {
      EXPECT_NEAR(asked, got, 1e-14) << name;
    } else {
      EXPECT_GT(std::abs(asked - got), 1e-5) << name;
    }
  }
  EXPECT_TRUE(AnyNormal("gonthier").exact_restitution());
  EXPECT_TRUE(std::isnan(AnyNormal("kelvin-voigt").achieved(1)));
}

TEST(AnyNormal, TakesSettingsWithUnits) {
  const AnyNormal law = make_normal("gonthier", std::vector<Setting>{{"k", "2e7", "", 0},
                                                                     {"n", "1", "", 0},
                                                                     {"v_floor", "2 mm/s", "", 0},
                                                                     {"e", "80 %", "", 0}});
  EXPECT_EQ(law.get("k"), 2e7);
  EXPECT_EQ(law.get("p"), 1);
  EXPECT_EQ(law.get("v_floor"), 2e-3);
  EXPECT_EQ(law.get("e"), 0.8);
  AnyNormal copy = law;
  copy.set("e", 0.5);
  EXPECT_EQ(law.get("e"), 0.8);
  EXPECT_EQ(
      make_normal("hertz", std::vector<Setting>{{"E_star", "1 GPa", "", 0}, {"R", "4 cm", "", 0}})
          .latch(1)
          .k,
      4.0 / 3 * 1e9 * 0.2);
}

TEST(AnyNormal, RefusesByName) {
  EXPECT_THAT(refusal("gontier", {}), HasSubstr("did you mean 'gonthier'?"));
  EXPECT_EQ(refusal("gonthier", {{"alpa", "0.3", "ball.yaml", 7}}),
            "ball.yaml:7: key 'alpa' = '0.3': unknown parameter of law 'gonthier'; expected one of "
            "k, p, e, alpha, v_floor; did you mean 'alpha'?");
  EXPECT_EQ(refusal("flores", {{"e", "1.2", "ball.yaml", 3}}),
            "ball.yaml:3: key 'e' = '1.2': not a valid value for a parameter of law 'flores'; "
            "expected a number in [0, 1]");
  EXPECT_THAT(refusal("gonthier", {{"v_floor", "2 N", "", 0}}), HasSubstr("v_floor"));
  const std::string unit = refusal("gonthier", {{"k", "2 N/m", "ball.yaml", 4}});
  EXPECT_THAT(unit, HasSubstr("ball.yaml:4: key 'k' = '2 N/m'"));
  EXPECT_THAT(unit, HasSubstr("a plain number, meant in N/m^p"));
  EXPECT_THAT(refusal("gonthier", {{"p", "1.5", "a.yaml", 1}, {"n", "2", "a.yaml", 2}}),
              HasSubstr("the same parameter as 'p' in line 1"));
  EXPECT_THAT(refusal("hertz", {{"R", "0.1", "a.yaml", 1}}), HasSubstr("E_star and R go together"));
  EXPECT_THROW(AnyNormal("hertz").get("e"), InputError);
}

/// e = 0 and v_i → 0 are limits that the library survives.
TEST(AnyNormal, FloorsKeepTheDampingFinite) {
  AnyNormal law("gonthier");
  law.set("e", 0);
  EXPECT_EQ(law.requested(1), normal::e_floor);
  EXPECT_NEAR(law.latch(1).a, 1000, 1e-9);
  EXPECT_NEAR(law.achieved(1), 1e-3, 1e-15);
  law.set("e", 0.5);
  const double most = law.latch(1e-3).a;
  for (const double v : {1e-4, 1e-9, 0.0, -1.0}) {
    EXPECT_EQ(law.latch(v).a, most) << v;
    EXPECT_GE(law.achieved(v), 0.5) << v;
  }
  // No jump at the floor.
  EXPECT_NEAR(law.latch(1e-3 * (1 + 1e-9)).a, most, 1e-8 * most);
}

TEST(AnyNormal, RestitutionMayFallWithSpeed) {
  AnyNormal law("gonthier");
  law.set("e", 1);
  law.set("alpha", 0.2);
  for (const double v : {0.1, 1.0, 2.0, 4.9}) EXPECT_NEAR(law.achieved(v), 1 - 0.2 * v, 1e-14);
  EXPECT_NEAR(law.achieved(6), normal::e_floor, 1e-14);
}

TEST(Press, ShortcutsAgreeWithThePower) {
  for (const double p : {1.0, 1.5, 2.0}) {
    for (const double depth : {1e-9, 1e-4, 0.3, 2.0}) {
      EXPECT_NEAR(Press<>(2.0, p).elastic(depth), 2 * std::pow(depth, p),
                  1e-15 * 2 * std::pow(depth, p));
    }
  }
}

}  // namespace
}  // namespace bristle
