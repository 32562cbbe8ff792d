#include "bristle/scenario/scenario.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bristle {
namespace {

using testing::HasSubstr;

std::string refusal(const std::string& yaml, const std::vector<Setting>& settings = {}) {
  try {
    read_scenario(Document::parse(yaml, "rig.yaml"), "rig", settings);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

const std::string good = R"(duration: 1 s
bodies:
  block: {mass: 0.1 kg}
frames:
  driver: {velocity: 2 mm/s}
springs:
  - {between: [block, driver], stiffness: 100 N/m}
contacts:
  - {between: [block, ground], load: 1 N}
friction: {law: lugre, mu_s: 0.3}
)";

std::string with(const std::string& from, const std::string& to) {
  std::string text = good;
  text.replace(text.find(from), from.size(), to);
  return text;
}

TEST(Scenario, TenLinesMakeARig) {
  const Scenario scenario = read_scenario(Document::parse(good, "rig.yaml"), "rig");
  EXPECT_EQ(scenario.rig.bodies.size(), 1u);
  EXPECT_EQ(scenario.rig.contacts.at(0).law.get("mu_s"), 0.3);
  EXPECT_EQ(scenario.rig.frames.at(1).velocity[0].value(0), 0.002);
  EXPECT_GT(run(scenario.rig, scenario.options).columns.front().values.size(), 5000u);
}

TEST(Scenario, FaultsNameLineKeyAndWhatWasExpected) {
  EXPECT_THAT(refusal(with("stiffness", "stifness")),
              HasSubstr("rig.yaml:7: key 'springs.0.stiffness': missing"));
  EXPECT_THAT(refusal(good + "sovler: {method: cvode}\n"), HasSubstr("did you mean 'solver'?"));
  EXPECT_THAT(refusal(with("100 N/m", "100 N")),
              HasSubstr("rig.yaml:7: key 'springs.0.stiffness'"));
  EXPECT_THAT(refusal(with("0.1 kg", "0 kg")),
              HasSubstr("rig.yaml:3: key 'bodies.block.mass' = '0 kg'"));
  EXPECT_THAT(refusal(with("[block, ground]", "[blok, ground]")),
              HasSubstr("did you mean 'block'?"));
  EXPECT_THAT(refusal(with("[block, ground]", "[block, block]")), HasSubstr("same"));
  EXPECT_THAT(refusal(with("load: 1 N", "laod: 1 N")), HasSubstr("load"));
  EXPECT_THAT(refusal(with("law: lugre", "law: lugr")), HasSubstr("did you mean 'lugre'?"));
  EXPECT_THAT(refusal(with("mu_s: 0.3", "mu_s: -1")), HasSubstr("rig.yaml:10: key 'mu_s' = '-1'"));
  EXPECT_THAT(refusal(with("duration: 1 s", "duration: nan")), HasSubstr("duration"));
  EXPECT_THAT(refusal(with("velocity: 2 mm/s", "velocity: $v0")), HasSubstr("no such parameter"));
}

TEST(Scenario, ATableIsGivenAsTwoLists) {
  const auto table = [](const std::string& points) {
    return with("law: lugre, mu_s: 0.3", "law: table, " + points);
  };
  const Scenario scenario = read_scenario(
      Document::parse(table("speeds: [0, 2 mm/s, 0.01], levels: [0.5, 0.3, 0.4]"), "rig.yaml"), "");
  const AnyLaw& law = scenario.rig.contacts[0].law;
  EXPECT_EQ(law.stick_set(2).max, 1.0);
  EXPECT_DOUBLE_EQ(law.steady(1e-3, 1), 0.4);
  EXPECT_DOUBLE_EQ(law.steady(-6e-3, 1), -0.35);
  EXPECT_EQ(law.steady(5, 1), 0.4);
  EXPECT_THAT(refusal(table("speeds: [0, 1], levels: [1, 2, 3]")), HasSubstr("as many levels"));
  EXPECT_THAT(refusal(table("speeds: [0, 1]")), HasSubstr("both speeds and levels"));
  EXPECT_THAT(refusal(table("speeds: [0, 2, 1], levels: [1, 1, 1]")), HasSubstr("increase"));
  EXPECT_THAT(refusal(table("speeds: [1, 2], levels: [1, 1]")), HasSubstr("first speed of 0"));
  EXPECT_THAT(refusal(table("speeds: [0, 1 N], levels: [1, 1]")), HasSubstr("rig.yaml:10"));
  EXPECT_THAT(refusal(with("mu_s: 0.3", "mu_s: [0.3, 0.4]")),
              HasSubstr("rig.yaml:10: key 'mu_s' = '[0.3, 0.4]': a list"));
  EXPECT_THAT(refusal(with("mu_s: 0.3", "speeds: [0, 1]")), HasSubstr("unknown parameter"));
}

TEST(Scenario, ChoosingALawTakesTheScenariosOwnParameters) {
  const Scenario karnopp = load_scenario("mass-spring", {{"friction.law", "karnopp", "", 0}});
  EXPECT_EQ(karnopp.rig.contacts[0].law.get("dv"), 2e-4);
  const Scenario finer = load_scenario(
      "mass-spring", {{"friction.dv", "1e-5", "", 0}, {"friction.law", "karnopp", "", 0}});
  EXPECT_EQ(finer.rig.contacts[0].law.get("dv"), 1e-5);
}

TEST(Scenario, SettingsOfOneContactWinOverThoseOfAll) {
  const Scenario scenario = load_scenario(
      "two-mass", {{"friction.mu_k", "0.11", "", 0}, {"contacts.1.friction.mu_k", "0.22", "", 0}});
  EXPECT_EQ(scenario.rig.contacts[0].law.get("mu_k"), 0.11);
  EXPECT_EQ(scenario.rig.contacts[1].law.get("mu_k"), 0.22);
}

TEST(Scenario, AFilesParametersAreForItsOwnLaw) {
  // mu_s of lugre says nothing about coulomb, which has none.
  const Scenario scenario =
      read_scenario(Document::parse(good, "rig.yaml"), "rig", {{"friction.law", "coulomb", "", 0}});
  EXPECT_EQ(scenario.law, "coulomb");
}

TEST(Scenario, ParametersAreSetByTheirName) {
  const Scenario scenario = load_scenario("mass-spring", {{"v0", "1 cm/s", "", 0}});
  EXPECT_EQ(scenario.rig.frames[1].velocity[0].value(0), 0.01);
  EXPECT_EQ(scenario.options.metrics.slip_speed, 0.01);
}

TEST(Scenario, AFileMayIncludeABuiltInScenario) {
  const std::filesystem::path folder = testing::TempDir();
  const std::filesystem::path path = folder / "mine.yaml";
  std::ofstream(path) << "include: mass-spring\nduration: 2 s\nfriction: {law: dahl}\n";
  const Scenario scenario = load_scenario(path.string());
  EXPECT_EQ(scenario.name, "mine");
  EXPECT_EQ(scenario.law, "dahl");
  EXPECT_EQ(scenario.options.duration, 2);
  std::ofstream(path) << "include: mine.yaml\n";
  EXPECT_THROW(load_scenario(path.string()), InputError);
}

TEST(Scenario, WhatWasRunReadsBackToTheSame) {
  const Scenario scenario = load_scenario("two-mass", {{"friction.law", "stiction", "", 0}});
  const Scenario again =
      read_scenario(Document::parse(scenario.resolved.dump(), "scenario.yaml"), "two-mass");
  EXPECT_EQ(again.law, "stiction");
  EXPECT_EQ(run(again.rig, again.options).final("x1"),
            run(scenario.rig, scenario.options).final("x1"));
}

TEST(Scenario, OneSensorFeelsSeveralContacts) {
  const Scenario scenario = load_scenario("friction-step", {{"duration", "1.6 s", "", 0}});
  const RunResult result = run(scenario, scenario.options);
  Measurement quiet = scenario.measurement;
  for (Measurement::Channel& channel : quiet.channels) channel.noise = 0;
  const std::vector<Column> felt = measured(quiet, result);
  ASSERT_EQ(felt.back().name, "force");
  EXPECT_EQ(felt.back().unit, "N");
  const std::vector<double>&f1 = result.column("F1"), &f2 = result.column("F2");
  for (std::size_t i = 0; i < f1.size(); ++i) EXPECT_EQ(felt.back().values[i], f1[i] + f2[i]);
  // 0.2 and 0.3 of 10 N: the load has gone over from one plate to the other.
  EXPECT_NEAR(felt.back().values.front(), 2, 1e-3);
  EXPECT_NEAR(felt.back().values.back(), 3, 1e-3);

  Measurement unlike = quiet;
  unlike.channels.back().sum = {"F1", "slip1"};
  EXPECT_THROW(measured(unlike, result), InputError);
  unlike.channels.back().sum = {"F1", "F3"};
  EXPECT_THROW(measured(unlike, result), InputError);
}

class EveryScenario : public testing::TestWithParam<std::string> {};

/// Each runs with each of its laws and keeps its energy books: to 1e-6, or to 1e-3 with the random
/// law and under fixed steps, of which the worst is 7.4e-5 (ball-incline, elasto-plastic).
TEST_P(EveryScenario, RunsUnderEachOfItsLaws) {
  const Scenario plain = load_scenario(GetParam());
  EXPECT_FALSE(plain.title.empty());
  EXPECT_FALSE(plain.source.empty());
  std::vector<std::string> laws = plain.laws;
  if (laws.empty()) laws.push_back(plain.law);
  for (const std::string& law : laws) {
    std::vector<Setting> settings{{"output.samples", "50", "", 0}};
    if (!plain.laws.empty()) settings.push_back({"friction.law", law, "", 0});
    Scenario scenario = load_scenario(GetParam(), settings);
    scenario.options.duration = std::min(scenario.options.duration, plain.options.duration / 4);
    const RunResult result = run(scenario, scenario.options);
    EXPECT_FALSE(result.partial) << law;
    const bool random = !scenario.rig.contacts.empty() &&
                        scenario.rig.contacts[0].law.info().can(Capability::random);
    const bool stepped = is_fixed_step(result.method);
    EXPECT_LE(result.energy.relative_error, random ? 1e-3 : (stepped ? 1e-3 : 1e-6)) << law;
    if (scenario.world) continue;  // whose bristles let go of energy when bodies part
    for (const EnergyBooks::OfContact& contact : result.energy.contacts) {
      EXPECT_LE(contact.split_error, random ? 1e9 : 1e-5) << law;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(BuiltIn, EveryScenario, testing::ValuesIn(scenario_names()),
                         [](const auto& law_info) {
                           std::string name = law_info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace bristle
