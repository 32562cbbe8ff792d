// Laws chosen at run time: names, settings, groups, and a hot path that allocates nothing.

#include "bristle/friction/any_law.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bristle/friction/laws.hpp"
#include "support/allocations.hpp"

namespace bristle {
namespace {

using ::testing::HasSubstr;

TEST(AnyLaw, StepsAndForcesAllocateNothing) {
  if (testing::allocations() < 0) GTEST_SKIP() << "allocations are not counted under sanitizers";
  constexpr int contacts = 100;
  for (const std::string& name : AnyLaw::names()) {
    const AnyLaw law(name);
    const auto line = law.line(contacts);
    const auto plane = law.plane(contacts);
    std::vector<Slip<double, 1>> slips1(contacts);
    std::vector<Slip<double, 2>> slips2(contacts);
    for (int i = 0; i < contacts; ++i) {
      slips1[static_cast<std::size_t>(i)].v = Tangent<double, 1>(1e-5 * (i - 50));
      slips2[static_cast<std::size_t>(i)].v = Tangent<double, 2>(1e-5 * i, -2e-5 * i);
    }
    std::vector<Tangent<double, 1>> forces1(contacts);
    std::vector<Tangent<double, 2>> forces2(contacts);
    std::vector<double> saved(static_cast<std::size_t>(plane->state_size()));
    const long before = testing::allocations();
    for (int step = 0; step < 100; ++step) {
      line->advance(slips1, 1e-3);
      line->force(slips1, forces1);
      plane->advance(slips2, 1e-3);
      plane->force(slips2, forces2);
      plane->save(3, saved);
      plane->restore(4, saved);
      plane->jump(5, slips2[5]);
    }
    EXPECT_EQ(testing::allocations() - before, 0) << name;
  }
}

template <template <class> class... Law>
constexpr bool all_noexcept(LawList<Law...>) {
  return (
      noexcept(advance_state(std::declval<const Law<double>&>(), std::declval<Slip<double, 2>>(),
                             std::declval<StateOf<Law<double>>>(), 1.0)) &&
      ...);
}
static_assert(all_noexcept(Laws{}));

TEST(AnyLaw, KnowsTwentyTwoLaws) { EXPECT_EQ(AnyLaw::names().size(), 22U); }

TEST(AnyLaw, CopiesAreIndependent) {
  AnyLaw a("lugre");
  AnyLaw b = a;
  b.set("mu_s", 0.5);
  EXPECT_EQ(a.get("mu_s"), 0.25);
  EXPECT_EQ(b.get("mu_s"), 0.5);
  EXPECT_EQ(b.get("mu_d"), 0.2);  // an alias
}

TEST(AnyLaw, GroupIsTheLaw) {
  const LuGre<> law;
  const auto group = AnyLaw("lugre").plane(1);
  Slip<double, 2> slip = sliding<double, 2>(Tangent<double, 2>(1e-3, -2e-3), 3.0);
  auto state = law.initial<double, 2>(3.0);
  Tangent<double, 2> f;
  for (int i = 0; i < 10; ++i) {
    group->advance({&slip, 1}, 1e-5);
    state = law.advance(slip, state, 1e-5);
    group->force({&slip, 1}, {&f, 1});
    EXPECT_EQ(f, law.force(slip, state));
  }
  EXPECT_EQ(group->stored(0, 3.0), law.stored(3.0, state));
  EXPECT_EQ(group->columns().size(), 2U);
  EXPECT_EQ(group->columns()[1].name, "z_y");
}

TEST(AnyLaw, StatesCompare) {
  const LuGre<> law;
  const Slip<double, 2> slip = sliding<double, 2>(Tangent<double, 2>(1e-3, 0), 1.0);
  const auto a = law.advance(slip, law.initial<double, 2>(1.0), 1e-3);
  auto b = a;
  EXPECT_TRUE(a == b);
  b.z[0] += 1e-18;
  EXPECT_FALSE(a == b);
}

TEST(AnyLaw, AsymmetricLawHasTwoSidesAndAnOffset) {
  AnyLaw plus("stribeck"), minus("stribeck");
  minus.set("mu_s", 0.4);
  minus.set("mu_k", 0.3);
  const AnyLaw law = plus.asymmetric(minus, 0.02);
  EXPECT_EQ(law.steady(0.5, 1), 0.2 + 0.02);
  EXPECT_EQ(law.steady(-0.5, 1), -0.3 + 0.02);
  EXPECT_EQ(law.stick_set(1).max, 0.25 + 0.02);
  EXPECT_EQ(law.stick_set(1).min, -0.4 + 0.02);
  EXPECT_THROW(law.plane(1), InputError);
  EXPECT_THROW(plus.asymmetric(AnyLaw("lugre"), 0), InputError);
  // At rest the holding force is met on its own side.
  const auto group = law.line(1);
  Slip<double, 1> slip;
  Tangent<double, 1> f;
  for (const auto& [held, answer] :
       {std::pair{0.1, 0.1}, {1.0, 0.27}, {-0.3, -0.3}, {-1.0, -0.38}}) {
    slip.f_e = Tangent<double, 1>(held);
    group->force({&slip, 1}, {&f, 1});
    EXPECT_NEAR(f[0], answer, 1e-15);
  }
}

TEST(AnyLaw, AsymmetricMemoryLawKeepsItsStateAcrossDirections) {
  AnyLaw plus("dahl"), minus("dahl");
  minus.set("mu_k", 0.1);
  const auto group = plus.asymmetric(minus, 0).line(1);
  Slip<double, 1> slip;
  Tangent<double, 1> f;
  slip.v = Tangent<double, 1>(1.0);
  group->advance({&slip, 1}, 1.0);
  group->force({&slip, 1}, {&f, 1});
  EXPECT_NEAR(f[0], 0.2, 1e-12);
  slip.v = Tangent<double, 1>(-1.0);
  group->advance({&slip, 1}, 1.0);
  group->force({&slip, 1}, {&f, 1});
  EXPECT_NEAR(f[0], -0.1, 1e-12);
}

TEST(AnyLaw, AsymmetricMemoryLawReachesTheLargerSide) {
  AnyLaw plus("gonthier"), minus("gonthier");
  minus.set("mu_s", 0.5);
  const AnyLaw law = plus.asymmetric(minus, 0);
  const auto group = law.line(1);
  Slip<double, 1> slip;
  slip.v = Tangent<double, 1>(-1e-5);
  for (int i = 0; i < 1000; ++i) {
    group->advance({&slip, 1}, 1e-3);
    group->relax(0, 1.0);
  }
  Tangent<double, 1> f;
  group->force({&slip, 1}, {&f, 1});
  EXPECT_NEAR(f[0], law.steady(-1e-5, 1.0), 1e-6);
}

TEST(AnyLaw, TwoSidedLawHasARate) {
  AnyLaw plus("lugre"), minus("lugre");
  minus.set("mu_k", 0.1);
  const auto two = plus.asymmetric(minus, 0.0).line(1), one = plus.line(1);
  Slip<double, 1> slip;
  slip.v = Tangent<double, 1>(1e-3);
  std::array<double, 1> a{}, b{};
  two->rate(0, slip, a);
  one->rate(0, slip, b);
  EXPECT_EQ(a, b);
  EXPECT_EQ(a[0], 1e-3);
  EXPECT_FALSE(plus.asymmetric(minus, 0.0).passive(1.0));
}

TEST(AnyLaw, RequireRefusesByName) {
  EXPECT_NO_THROW(require(AnyLaw("lugre"), Capability::smooth, "a test"));
  try {
    require(AnyLaw("karnopp"), Capability::smooth, "the CVODE solver");
    FAIL() << "not refused";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the CVODE solver"));
    EXPECT_THAT(error.what(), HasSubstr("'karnopp'"));
    EXPECT_THAT(error.what(), HasSubstr("lugre"));
  }
}

TEST(AnyLaw, EveryParameterIsFullyDescribed) {
  for (const std::string& name : AnyLaw::names()) {
    const LawInfo& info = AnyLaw(name).info();
    EXPECT_STRNE(info.page.title, "") << name;
    EXPECT_STRNE(info.page.source, "") << name;
    EXPECT_STRNE(info.page.formula, "") << name;
    EXPECT_STRNE(info.page.use, "") << name;
    EXPECT_STRNE(info.page.limits, "") << name;
    EXPECT_STRNE(info.page.advance, "") << name;
    for (const Parameter& p : info.parameters) {
      EXPECT_STRNE(p.text, "") << name << "." << p.name;
      EXPECT_TRUE(p.range.contains(p.default_value)) << name << "." << p.name;
      EXPECT_LT(p.usual.min, p.usual.max) << name << "." << p.name;
      EXPECT_TRUE(p.range.contains(p.usual.min)) << name << "." << p.name;
      EXPECT_TRUE(p.range.contains(p.usual.max)) << name << "." << p.name;
      const bool usual = p.usual.min <= p.default_value && p.default_value <= p.usual.max;
      const bool at_end = p.default_value == p.range.min || p.default_value == p.range.max;
      EXPECT_TRUE(usual || at_end) << name << "." << p.name << " = " << p.default_value;
    }
    EXPECT_NO_THROW(AnyLaw(name).check()) << name;
  }
}

}  // namespace
}  // namespace bristle
