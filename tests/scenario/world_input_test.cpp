// Worlds from files: what is refused and how, what is warned of, how materials combine.

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bristle/normal/materials.hpp"
#include "bristle/scenario/scenario.hpp"

namespace bristle {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Scenario read(const std::string& yaml, const std::vector<Setting>& settings = {}) {
  return read_scenario(Document::parse(yaml, "world.yaml"), "world", settings);
}
std::string refusal(const std::string& yaml, const std::vector<Setting>& settings = {}) {
  try {
    read(yaml, settings);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

const std::string good = R"(duration: 1 s
bodies:
  ball: {shape: {sphere: {radius: 0.1 m}}, mass: 2 kg, position: [0, 0, 0.5]}
  block: {shape: {box: {size: [0.1, 0.2, 0.3]}}, mass: 1 kg, position: [1, 0, 1], inertia: [1, 1, 1]}
  plane: {shape: {half-space: {}}, fixed: true}
contacts:
  - {between: [ball, plane]}
normal: {law: gonthier, k: 1e6, e: 0.5}
friction: {law: gonthier, mu_s: 0.45, mu_k: 0.4}
)";

std::string with(const std::string& from, const std::string& to, std::string text = good) {
  const auto place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  text.replace(place, from.size(), to);
  return text;
}

/// `position` is that of the shape; the body moves about its centre of mass.
TEST(WorldInput, AConeMovesAboutItsCentreOfMass) {
  const Scenario scenario =
      read(with("{box: {size: [0.1, 0.2, 0.3]}}", "{cone: {radius: 0.1, length: 0.3}}"));
  const RigidBody* block = nullptr;
  for (const RigidBody& body : scenario.world->bodies) {
    if (body.name == "block") block = &body;
  }
  ASSERT_NE(block, nullptr);
  EXPECT_NEAR(block->shape_at.position.z(), 0.075, 1e-15);
  EXPECT_NEAR(apply(block->pose, block->shape_at.position).z(), 1, 1e-12);
  EXPECT_EQ(
      refusal(with("{box: {size: [0.1, 0.2, 0.3]}}", "{ellipsoid: {radii: [0.1, 0.2, 0.3]}}")), "");
}

TEST(WorldInput, TenLinesMakeAWorld) {
  const Scenario scenario = read(good);
  ASSERT_TRUE(scenario.world.has_value());
  EXPECT_EQ(scenario.world->bodies.size(), 3u);
  EXPECT_EQ(scenario.world->pairs.size(), 1u);
  EXPECT_EQ(scenario.law, "gonthier");
  EXPECT_EQ(scenario.normal_law, "gonthier");
  EXPECT_EQ(default_method(scenario), "event");
  EXPECT_THAT(scenario.world->warnings(), IsEmpty());
  EXPECT_NEAR(scenario.world->bodies[0].mass.inertia(0, 0), 0.4 * 2 * 0.01, 1e-15);
  EXPECT_GT(run(scenario, scenario.options).impacts.size(), 1u);
}

// ---- refused ------------------------------------------------------------------------------------

TEST(WorldInput, RestitutionOutsideZeroToOne) {
  for (const char* e : {"1.2", "-0.1", "nan"}) {
    EXPECT_THAT(refusal(with("e: 0.5", std::string("e: ") + e)),
                AllOf(HasSubstr("world.yaml:8"), HasSubstr("'e'"), HasSubstr(e)))
        << e;
  }
  EXPECT_THAT(refusal(good, {{"normal.e", "1.5", "", 0}}),
              AllOf(HasSubstr("'e'"), HasSubstr("1.5")));
  EXPECT_EQ(refusal(with("e: 0.5", "e: 0")), "");
  EXPECT_EQ(refusal(with("e: 0.5", "e: 1")), "");
}

TEST(WorldInput, MassAndInertia) {
  EXPECT_THAT(refusal(with("mass: 2 kg", "mass: 0 kg")),
              AllOf(HasSubstr("world.yaml:3"), HasSubstr("bodies.ball.mass"), HasSubstr("0 kg")));
  EXPECT_THAT(refusal(with("mass: 2 kg", "mass: -1 kg")), HasSubstr("bodies.ball.mass"));
  EXPECT_THAT(refusal(with(", mass: 2 kg", "")), HasSubstr("bodies.ball.mass"));
  EXPECT_THAT(refusal(with("mass: 2 kg", "mass: 2 kg, density: 7800 kg/m^3")),
              HasSubstr("density"));
  for (const char* inertia :
       {"[1, 1, -1]", "[1, 1, 0]", "[1, 1, 3]", "[1, 1, 1, 2, 0, 0]", "[1, 1, nan]"}) {
    EXPECT_THAT(refusal(with("[1, 1, 1]", inertia)), HasSubstr("bodies.block.inertia")) << inertia;
  }
  EXPECT_THAT(refusal(with("[1, 1, 1]", "[1, 1, -1]")),
              AllOf(HasSubstr("world.yaml:4"), HasSubstr("positive definite")));
  EXPECT_THAT(refusal(with("[1, 1, 1]", "[1, 1]")), HasSubstr("Ixx"));
}

TEST(WorldInput, Shapes) {
  EXPECT_THAT(refusal(with("sphere: {radius", "sphre: {radius")),
              AllOf(HasSubstr("world.yaml:3"), HasSubstr("did you mean 'sphere'?")));
  EXPECT_THAT(refusal(with("radius: 0.1 m", "radius: 0")), HasSubstr("radius"));
  EXPECT_THAT(refusal(with("radius: 0.1 m", "raduis: 0.1 m")), HasSubstr("radius"));
  EXPECT_THAT(refusal(with("[0.1, 0.2, 0.3]", "[0.1, 0.2]")), HasSubstr("bodies.block.shape"));
  EXPECT_THAT(refusal(with("{half-space: {}}, fixed: true", "{half-space: {}}, mass: 1")),
              AllOf(HasSubstr("world.yaml:5"), HasSubstr("half-space"), HasSubstr("fixed: true")));
  EXPECT_THAT(refusal(with("half-space: {}", "bore: {radius: 1}, box: {size: [1, 1, 1]}")),
              HasSubstr("shape"));
}

TEST(WorldInput, PairsThatCannotBe) {
  EXPECT_THAT(refusal(with("[ball, plane]", "[bal, plane]")), HasSubstr("did you mean 'ball'?"));
  EXPECT_THAT(refusal(with("[ball, plane]", "[ball, ball]")), HasSubstr("same body"));
  EXPECT_THAT(refusal(with("[ball, plane]", "[ball]")), HasSubstr("two bodies"));
  // A box in a bore has no contact here; the message lists the pairs that have.
  const std::string in_bore =
      with("half-space: {}", "bore: {radius: 1}", with("[ball, plane]", "[block, plane]"));
  EXPECT_THAT(refusal(in_bore), AllOf(HasSubstr("world.yaml:7"), HasSubstr("no contact"),
                                      HasSubstr("box"), HasSubstr("sphere")));
  const std::string both_fixed = with("position: [0, 0, 0.5]", "fixed: true");
  EXPECT_THAT(refusal(both_fixed), HasSubstr("neither can move"));
  const std::string two_names = good + R"(pendulums:
  ball: {lengths: [1, 1], masses: [1, 1]}
)";
  EXPECT_THAT(refusal(two_names), HasSubstr("two bodies have this name"));
  EXPECT_THAT(refusal(with("  block:", "  ball:")), HasSubstr("twice"));
}

TEST(WorldInput, MissingLaws) {
  EXPECT_THAT(refusal(with("normal: {law: gonthier, k: 1e6, e: 0.5}\n", "")),
              AllOf(HasSubstr("world.yaml:7"), HasSubstr("no normal law for this pair"),
                    HasSubstr("material")));
  EXPECT_THAT(refusal(with("friction: {law: gonthier, mu_s: 0.45, mu_k: 0.4}\n", "")),
              HasSubstr("friction"));
  EXPECT_THAT(refusal(with("normal: {law: gonthier", "normal: {law: gontier")),
              HasSubstr("did you mean 'gonthier'?"));
  EXPECT_THAT(refusal(with("k: 1e6", "kk: 1e6")), HasSubstr("'kk'"));
  EXPECT_THAT(refusal(with("mu_s: 0.45", "mu_s: 0.3")), HasSubstr("mu_s >= mu_k"));
}

TEST(WorldInput, MethodsThatALawCannotRun) {
  const std::string coulomb = with("{law: gonthier, mu_s: 0.45, mu_k: 0.4}", "{law: coulomb}");
  EXPECT_EQ(default_method(read(coulomb)), "bristle");
  for (const char* method : {"event", "cvode", "rk4", "semi-implicit"}) {
    EXPECT_THAT(refusal(coulomb, {{"solver.method", method, "", 0}}),
                AllOf(HasSubstr("'coulomb'"), HasSubstr("set-valued"), HasSubstr(method),
                      HasSubstr("solver.method=bristle")));
  }
  EXPECT_THAT(refusal(with("law: gonthier, mu_s: 0.45, mu_k: 0.4", "law: bristle"),
                      {{"solver.method", "cvode", "", 0}}),
              AllOf(HasSubstr("'bristle' (random)"), HasSubstr("solver.method=bristle")));
  EXPECT_THAT(refusal(good, {{"solver.method", "bristl", "", 0}}),
              HasSubstr("did you mean 'bristle'?"));
  const std::string delayed =
      with("law: gonthier, mu_s: 0.45, mu_k: 0.4", "law: armstrong-7, tau_L: 0.01");
  EXPECT_THAT(refusal(delayed), AllOf(HasSubstr("'ball' and 'plane'"), HasSubstr("armstrong-7")));
}

TEST(WorldInput, Places) {
  EXPECT_THAT(refusal(with("fixed: true}", "fixed: true, rotation: [1, 1, 0, 0]}")),
              HasSubstr("length 1"));
  EXPECT_THAT(
      refusal(with("fixed: true}", "fixed: true, rotation: {axis: [0, 0, 0], angle: 20 deg}}")),
      HasSubstr("direction"));
  EXPECT_THAT(refusal(with("mass: 2 kg", "mass: 2 kg, drive: {x: 1}")), HasSubstr("drive"));
  EXPECT_THAT(refusal(with("position: [0, 0, 0.5]", "touching: plne")),
              HasSubstr("did you mean 'plane'?"));
  EXPECT_THAT(refusal(with("position: [0, 0, 0.5]", "postion: [0, 0, 0.5]")),
              HasSubstr("did you mean 'position'?"));
  EXPECT_THAT(refusal(with("[0, 0, 0.5]", "[0, 0, 0.5 s]")), HasSubstr("bodies.ball.position"));
  EXPECT_THAT(refusal(with("[0, 0, 0.5]", "[0, 0, nan]")), HasSubstr("bodies.ball.position"));
  const World placed =
      *read(with("position: [0, 0, 0.5]", "position: [3, 0, 9], touching: plane")).world;
  EXPECT_NEAR(placed.bodies[0].pose.position.z(), 0.1, 1e-15);
  EXPECT_EQ(placed.bodies[0].pose.position.x(), 3);
}

TEST(WorldInput, Pendulums) {
  const std::string arm = R"(duration: 1
pendulums:
  arm: {lengths: [0.5, 0.25], masses: [5, 2], links: rods, angles: [1, 0]}
bodies:
  low: {shape: {half-space: {}}, fixed: true, position: [0, 0, -0.6]}
contacts: [{between: [arm, low]}]
normal: {k: 1e9, e: 0.9}
friction: {law: lugre}
)";
  EXPECT_EQ(refusal(arm), "");
  EXPECT_THAT(refusal(with("links: rods", "links: rod", arm)), HasSubstr("did you mean 'rods'?"));
  EXPECT_THAT(refusal(with("[5, 2]", "[5, 0]", arm)), HasSubstr("pendulums.arm.masses"));
  EXPECT_THAT(refusal(with("[0.5, 0.25]", "[0.5]", arm)), HasSubstr("pendulums.arm.lengths"));
  EXPECT_THAT(refusal(with("links: rods", "angles_are: relativ", arm)),
              HasSubstr("did you mean 'relative'?"));
  EXPECT_THAT(refusal(with("{half-space: {}}, fixed: true", "{sphere: {radius: 1}}, mass: 1", arm)),
              HasSubstr("fixed bodies only"));
}

// World::check is for worlds made in code, where no file and line can be named.
TEST(WorldInput, WorldsMadeInCodeAreCheckedToo) {
  World world = *read(good).world;
  const auto fault = [](const World& made) -> std::string {
    try {
      made.check();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(fault(world), "");
  World heavy = world;
  heavy.bodies[0].mass.mass = 0;
  EXPECT_THAT(fault(heavy), AllOf(HasSubstr("'ball'"), HasSubstr("mass")));
  World flat = world;
  flat.bodies[1].mass.inertia(2, 2) = -1;
  EXPECT_THAT(fault(flat), AllOf(HasSubstr("'block'"), HasSubstr("positive definite")));
  World crooked = world;
  crooked.bodies[1].mass.inertia(0, 1) = 0.3;
  EXPECT_THAT(fault(crooked), HasSubstr("symmetric"));
  World alone = world;
  alone.pairs[0].b = alone.pairs[0].a;
  EXPECT_THAT(fault(alone), HasSubstr("same body"));
}

// ---- warned of ----------------------------------------------------------------------------------

TEST(WorldInput, DeepStartsAreWarnedOfWithTheirDepth) {
  const World deep = *read(with("[0, 0, 0.5]", "[0, 0, 0.095]")).world;
  ASSERT_EQ(deep.warnings().size(), 1u);
  EXPECT_THAT(deep.warnings()[0], AllOf(HasSubstr("'ball'"), HasSubstr("'plane'"),
                                        HasSubstr("5 mm"), HasSubstr("354 N")));
  // Its own weight presses it 0.73 mm in.
  const World resting = *read(with("[0, 0, 0.5]", "[0, 0, 0.09927]")).world;
  EXPECT_THAT(resting.warnings(), IsEmpty());
}

// ---- materials ----------------------------------------------------------------------------------

const std::string materials = R"(duration: 1 s
materials:
  steel: {k: 1e9, e: 0.9, mu: 0.16}
  rubber: {k: 1e6, e: 0.4, mu: 0.81}
  wood: {k: 1e8, e: 0.6, mu: 0.36}
material_pairs:
  - {between: [rubber, steel], e: 0.55, mu: 0.7}
bodies:
  ball: {shape: {sphere: {radius: 0.1 m}}, mass: 2 kg, position: [0, 0, 0.5], material: steel}
  plane: {shape: {half-space: {}}, fixed: true, material: rubber}
contacts: [{between: [ball, plane]}]
friction: {law: gonthier}
)";

const ContactPair& pair_of(const Scenario& scenario) { return scenario.world->pairs.at(0); }

TEST(WorldMaterials, TheTableComesFirst) {
  const Scenario scenario = read(materials);
  const ContactPair& pair = pair_of(scenario);
  EXPECT_EQ(pair.normal.get("e"), 0.55);
  EXPECT_EQ(pair.friction.get("mu_s"), 0.7);
  EXPECT_EQ(pair.friction.get("mu_k"), 0.7);
  // The table says nothing of k: in series.
  EXPECT_NEAR(pair.normal.get("k"), 1 / (1e-9 + 1e-6), 1e-6);
}

TEST(WorldMaterials, ThenTheRuleOfMixing) {
  const std::string wood = with("material: rubber", "material: wood", materials);
  const Scenario plain = read(wood);
  EXPECT_NEAR(pair_of(plain).normal.get("e"), std::sqrt(0.9 * 0.6), 1e-12);
  EXPECT_NEAR(pair_of(plain).friction.get("mu_k"), std::sqrt(0.16 * 0.36), 1e-12);
  EXPECT_NEAR(pair_of(plain).normal.get("k"), 1 / (1e-9 + 1e-8), 1e-6);
  const struct {
    const char* mixing;
    double e, mu;
  } rules[]{{"minimum", 0.6, 0.16}, {"maximum", 0.9, 0.36}, {"average", 0.75, 0.26}};
  for (const auto& [mixing, e, mu] : rules) {
    const Scenario mixed = read(wood, {{"mixing", mixing, "", 0}});
    EXPECT_NEAR(pair_of(mixed).normal.get("e"), e, 1e-12) << mixing;
    EXPECT_NEAR(pair_of(mixed).friction.get("mu_s"), mu, 1e-12) << mixing;
    EXPECT_NEAR(pair_of(mixed).normal.get("k"), 1 / (1e-9 + 1e-8), 1e-6) << mixing;
  }
  EXPECT_THAT(refusal(wood + "mixing: minimun\n"), HasSubstr("did you mean 'minimum'?"));
}

TEST(WorldMaterials, WhatTheContactSaysWins) {
  const Scenario scenario =
      read(with("[{between: [ball, plane]}]",
                "[{between: [ball, plane], normal: {e: 0.2}, friction: {mu_k: 0.2}}]", materials));
  EXPECT_EQ(pair_of(scenario).normal.get("e"), 0.2);
  EXPECT_EQ(pair_of(scenario).friction.get("mu_k"), 0.2);
  EXPECT_EQ(pair_of(scenario).friction.get("mu_s"), 0.7);
  EXPECT_NEAR(pair_of(scenario).normal.get("k"), 1 / (1e-9 + 1e-6), 1e-6);
}

// 0.5 is above the law's own mu_s of 0.25, but not above the materials'; mu_d is mu_k's other name.
TEST(WorldMaterials, WhatTheContactSaysWinsWhateverItsNameAndSize) {
  for (const char* key : {"mu_k", "mu_d"}) {
    for (const char* value : {"0.2", "0.5"}) {
      const std::string own = std::string("friction: {") + key + ": " + value + "}";
      const Scenario scenario = read(
          with("[{between: [ball, plane]}]", "[{between: [ball, plane], " + own + "}]", materials));
      EXPECT_EQ(pair_of(scenario).friction.get("mu_k"), std::stod(value)) << key;
      EXPECT_EQ(pair_of(scenario).friction.get("mu_s"), 0.7) << key;
    }
  }
}

TEST(WorldMaterials, UnknownOnesAndBadValuesAreRefused) {
  EXPECT_THAT(refusal(with("material: rubber", "material: ruber", materials)),
              HasSubstr("did you mean 'rubber'?"));
  EXPECT_THAT(refusal(with("[rubber, steel]", "[rubber, stel]", materials)),
              HasSubstr("did you mean 'steel'?"));
  EXPECT_THAT(refusal(with("e: 0.9", "e: 1.9", materials)),
              AllOf(HasSubstr("world.yaml:3"), HasSubstr("materials.steel.e")));
  EXPECT_THAT(refusal(with("k: 1e9", "k: 0", materials)), HasSubstr("materials.steel.k"));
  // Only one of the two has a material: nothing to mix.
  EXPECT_THAT(refusal(with(", material: rubber", "", materials)), HasSubstr("no normal law"));
}

}  // namespace
}  // namespace bristle
