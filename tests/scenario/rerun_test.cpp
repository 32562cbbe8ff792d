// The scenario that is written beside the results is the run: reading it again runs the same, to
// the last bit, whatever was set on the command line.

#include <cstring>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bristle/core/error.hpp"
#include "bristle/scenario/scenario.hpp"
#include "support/scratch_folder.hpp"
#include "support/takes_long.hpp"

namespace bristle {
namespace {

using testing_support::ScratchFolder;
using testing_support::takes_long;

std::vector<Setting> settings_of(const std::vector<std::string>& texts) {
  std::vector<Setting> settings;
  for (const std::string& text : texts) {
    const auto equals = text.find('=');
    settings.push_back({text.substr(0, equals), text.substr(equals + 1), "", 0});
  }
  return settings;
}

void expect_same_run(const Scenario& first, const Scenario& again) {
  EXPECT_EQ(again.name, first.name);
  EXPECT_EQ(again.title, first.title);
  EXPECT_EQ(again.law, first.law);
  EXPECT_EQ(again.normal_law, first.normal_law);
  EXPECT_EQ(again.resolved.dump(), first.resolved.dump());
  const RunResult a = run(first, first.options), b = run(again, again.options);
  ASSERT_EQ(a.columns.size(), b.columns.size());
  for (std::size_t c = 0; c < a.columns.size(); ++c) {
    const std::vector<double>&x = a.columns[c].values, &y = b.columns[c].values;
    EXPECT_EQ(a.columns[c].name, b.columns[c].name);
    ASSERT_EQ(x.size(), y.size());
    EXPECT_EQ(std::memcmp(x.data(), y.data(), x.size() * sizeof(double)), 0) << a.columns[c].name;
  }
}
Scenario again_from(const Scenario& scenario) {
  return read_scenario(Document::parse(scenario.resolved.dump(), "results/scenario.yaml"),
                       "scenario");
}

class Rerun : public ::testing::TestWithParam<std::string> {};

TEST_P(Rerun, OfABuiltInScenario) {
  std::vector<std::string> settings{"output.samples=200"};
  if (!takes_long()) {
    // Some are over within milliseconds, others run for hours of simulated time.
    const double whole = load_scenario(GetParam()).options.duration;
    settings.push_back("duration=" + std::to_string(std::min(whole, 0.02)));
  }
  Scenario first;
  try {
    first = load_scenario(GetParam(), settings_of(settings));
  } catch (const InputError&) {
    settings.pop_back();  // its sources need the whole time
    first = load_scenario(GetParam(), settings_of(settings));
  }
  expect_same_run(first, again_from(first));
}

INSTANTIATE_TEST_SUITE_P(BuiltIn, Rerun, ::testing::ValuesIn(scenario_names()),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

constexpr const char* three_blocks = R"(
duration: 0.05 s
parameters: {mu: 0.4, which: coulomb}
bodies:
  a: {mass: 1 kg, velocity: 0.1 m/s}
  b: {mass: 1 kg, velocity: 0.1 m/s}
  c: {mass: 1 kg, velocity: 0.1 m/s}
contacts:
  - {between: [a, ground], load: 1 N}
  - {between: [b, ground], load: 1 N, friction: {mu_k: 0.35}}
  - {between: [c, ground], load: 1 N, friction: {law: coulomb, mu_k: 0.25}}
friction: {law: lugre, mu_s: 0.5, mu_k: $mu, sigma0: 1e4}
laws:
  lugre: {sigma2: 0.7}
  stribeck: {v_s: 0.02, mu_s: 0.6, mu_k: 0.45}
output: {samples: 50}
)";

Scenario blocks(const std::vector<std::string>& texts) {
  return read_scenario(Document::parse(three_blocks, "blocks.yaml"), "blocks", settings_of(texts));
}
double get(const Scenario& scenario, std::size_t contact, const char* key) {
  return scenario.rig.contacts[contact].law.get(key);
}

TEST(Rerun, TheFilesOwnLawKeepsItsParameters) {
  for (const std::vector<std::string>& texts : {std::vector<std::string>{},
                                                {"friction.law=lugre"},
                                                {"friction.law=stribeck", "friction.law=lugre"}}) {
    const Scenario same = blocks(texts);
    EXPECT_EQ(get(same, 0, "mu_s"), 0.5);
    EXPECT_EQ(get(same, 0, "mu_k"), 0.4);
    EXPECT_EQ(get(same, 0, "sigma0"), 1e4);
    EXPECT_EQ(get(same, 0, "sigma2"), 0.7);
    EXPECT_EQ(get(same, 1, "mu_k"), 0.35);
    EXPECT_EQ(get(same, 2, "mu_k"), 0.25);
  }
}

TEST(Rerun, AnotherLawTakesItsOwnSet) {
  const Scenario other = blocks({"friction.law=stribeck"});
  EXPECT_EQ(other.law, "stribeck, coulomb");
  for (const std::size_t contact : {0u, 1u}) {
    EXPECT_EQ(get(other, contact, "mu_s"), 0.6);
    EXPECT_EQ(get(other, contact, "mu_k"), 0.45);
    EXPECT_EQ(get(other, contact, "v_s"), 0.02);
  }
  EXPECT_EQ(get(other, 2, "mu_k"), 0.25) << "whose law the file names";
}

TEST(Rerun, SettingsForAllReachAContactWithALawOfItsOwn) {
  const Scenario all = blocks({"friction.mu_k=0.11", "contacts.1.friction.law=stribeck"});
  for (const std::size_t contact : {0u, 1u}) EXPECT_EQ(get(all, contact, "mu_k"), 0.11);
  EXPECT_EQ(get(all, 2, "mu_k"), 0.25) << "which says so itself";
  EXPECT_EQ(get(all, 1, "mu_s"), 0.6);
}

class RerunSet : public ::testing::TestWithParam<std::vector<std::string>> {};

TEST_P(RerunSet, OfAFile) {
  const Scenario first = blocks(GetParam());
  expect_same_run(first, again_from(first));
}

using Texts = std::vector<std::string>;
INSTANTIATE_TEST_SUITE_P(
    Kinds, RerunSet,
    ::testing::Values(Texts{}, Texts{"friction.law=lugre"}, Texts{"friction.law=dahl"},
                      Texts{"friction.law=stribeck", "friction.mu_s=0.7"},
                      Texts{"friction.mu_s=0.9", "friction.law=lugre"}, Texts{"mu=0.2"},
                      Texts{"contacts.0.friction.law=coulomb", "friction.mu_k=0.3"},
                      Texts{"contacts.2.friction.law=lugre"},
                      Texts{"contacts.1.friction={law: gonthier, tau_dw: 0.3}"},
                      Texts{"friction={law: karnopp, mu_s: 0.3, mu_k: 0.2}"},
                      Texts{"laws.stribeck.mu_k=0.5", "friction.law=stribeck"},
                      Texts{"contacts.1.laws.stribeck.mu_k=0.2", "friction.law=stribeck"},
                      Texts{"solver.method=bristle", "solver.step=2 ms"},
                      Texts{"friction.mu_d=0.33"},
                      Texts{"laws.lugre.sigma2=0.1", "friction.sigma2=0.2"},
                      Texts{"title=5", "bodies.a.velocity=-5 cm/s"}));

TEST(Rerun, ASettingWinsOverTheSameParameterElsewhere) {
  EXPECT_EQ(get(blocks({"friction.sigma2=0.2"}), 0, "sigma2"), 0.2) << "in laws";
  EXPECT_EQ(get(blocks({"friction.mu_d=0.33"}), 0, "mu_k"), 0.33) << "by another name";
  EXPECT_EQ(get(blocks({"friction.mu_d=0.33"}), 1, "mu_k"), 0.35) << "which says so itself";
}

TEST(Rerun, NormalLawsAndMaterialsToo) {
  const char* text = R"(
duration: 0.1 s
materials: {steel: {k: 1e7, e: 0.4, mu: 0.3}}
bodies:
  ball: {shape: {sphere: {radius: 0.05}}, mass: 1 kg, position: [0, 0, 0.051], velocity: [1, 0, -1], material: steel}
  plane: {shape: {half-space: {}}, fixed: true, material: steel}
contacts: [{between: [ball, plane]}]
normal: {law: flores, e: 0.6}
friction: {law: gonthier, mu_k: 0.2}
output: {samples: 50, frames: 0}
)";
  for (const Texts& texts :
       {Texts{}, Texts{"normal.law=gonthier"}, Texts{"normal.law=flores"},
        Texts{"normal.law=lankarani-nikravesh", "normal.e=0.5"}, Texts{"friction.law=lugre"}}) {
    const Scenario first =
        read_scenario(Document::parse(text, "ball.yaml"), "ball", settings_of(texts));
    expect_same_run(first, again_from(first));
    if (texts == Texts{"normal.law=flores"}) {
      EXPECT_EQ(first.world->pairs[0].normal.get("e"), 0.6);
    }
  }
}

TEST(Rerun, FilesBesideTheScenarioAreFoundFromElsewhere) {
  const ScratchFolder folder;
  folder.write("drive.csv", "t,v\n0,0\n1,0.1\n");
  const std::string file =
      folder.write("slide.yaml",
                   "duration: 1 s\nbodies: {a: {mass: 1 kg}}\n"
                   "frames: {plate: {velocity: {file: drive.csv, column: v}}}\n"
                   "contacts: [{between: [a, plate], load: 1 N}]\nfriction: {law: lugre}\n"
                   "output: {samples: 20}\n");
  const Scenario first = load_scenario(file);
  EXPECT_EQ(first.name, "slide");
  expect_same_run(first, again_from(first));
}

}  // namespace
}  // namespace bristle
