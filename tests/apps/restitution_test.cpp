// bristle restitution, and the normal laws in bristle models.

#include <cmath>

#include <nlohmann/json.hpp>

#include "bristle/io/csv.hpp"
#include "bristle/normal/any_normal.hpp"
#include "cli.hpp"

namespace bristle {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class RestitutionCli : public Cli {};

TEST_F(RestitutionCli, TableHasEveryLaw) {
  const Result r = run("restitution");
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.err, "");
  const Table table = parse_csv(r.out, "restitution");
  EXPECT_EQ(table.names.size(), 1 + AnyNormal::names().size());
  EXPECT_EQ(table.names[0], "e");
  const std::vector<double>& asked = table.at("e");
  EXPECT_EQ(asked.front(), 0.01);
  EXPECT_EQ(asked.back(), 1);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    EXPECT_NEAR(table.at("gonthier")[i], asked[i], 1e-14);
    EXPECT_EQ(table.at("hunt-crossley")[i], table.at("marhefka-orin")[i]);
    EXPECT_EQ(table.at("hertz")[i], 1);
    for (const std::string& name : AnyNormal::names()) {
      EXPECT_GT(table.at(name)[i], 0) << name;
      EXPECT_LE(table.at(name)[i], 1) << name;
    }
  }
}

TEST_F(RestitutionCli, ClosedFormAgreesWithTheIntegratedImpact) {
  const Result r = run("restitution --check --e 0.05:0.95:4 --v '20 cm/s' --mass '300 g'");
  ASSERT_EQ(r.code, 0) << r.err;
  const Table table = parse_csv(r.out, "restitution");
  for (const std::string& name : AnyNormal::names()) {
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(table.at(name)[i], table.at(name + "_integrated")[i], 1e-10) << name;
    }
  }
}

TEST_F(RestitutionCli, GivesJsonFilesAndPictures) {
  const Result r = run("restitution --law flores --law hu-guo --e 0.5,0.9 --json");
  const auto json = nlohmann::json::parse(r.out);
  ASSERT_EQ(json["laws"].size(), 2U);
  EXPECT_EQ(json["laws"][1]["name"], "hu-guo");
  EXPECT_EQ(json["laws"][1]["exact_restitution"], false);
  EXPECT_NEAR(json["laws"][1]["achieved"][0], 0.4877412560153485, 1e-12);
  EXPECT_EQ(json["e"], (std::vector<double>{0.5, 0.9}));
  EXPECT_EQ(json["v_i"], 1.0);
  const Result files =
      run("restitution --law gonthier,flores --out " + path("r.csv") + " --plot " + path("r.svg"));
  EXPECT_EQ(files.code, 0) << files.err;
  EXPECT_EQ(files.out, "");
  EXPECT_THAT(read(path("r.csv")), StartsWith("e,gonthier,flores\n0.01,0.01"));
  EXPECT_THAT(read(path("r.svg")), HasSubstr("<svg"));
}

TEST_F(RestitutionCli, RefusesBadInput) {
  expect_refused("restitution --e 0.5,1.2", {"--e", "0.5,1.2", "from 0 to 1"});
  expect_refused("restitution --e 0:1", {"--e", "a:b:n"});
  expect_refused("restitution --e half", {"--e", "half"});
  expect_refused("restitution --e ''", {"--e"});
  expect_refused("restitution --v 0", {"--v", "above 0 m/s"});
  expect_refused("restitution --v=-1", {"--v"});
  expect_refused("restitution --v '1 kg'", {"--v", "kg"});
  expect_refused("restitution --mass=-1", {"--mass", "above 0 kg"});
  expect_refused("restitution --law flors", {"'flors'", "did you mean 'flores'?"});
  expect_refused("restitution --plot r.gif", {"r.gif"});
  expect_refused("restitution --no-such", {"--no-such"});
}

TEST_F(RestitutionCli, HelpShowsExamples) {
  const Result r = run("restitution --help");
  EXPECT_EQ(r.code, 0);
  EXPECT_THAT(r.out, HasSubstr("bristle restitution --law"));
}

TEST_F(RestitutionCli, ModelsListsTheNormalLawsToo) {
  const auto json = nlohmann::json::parse(run("models --json").out);
  std::vector<std::string> names;
  for (const auto& m : json["normal"]) {
    names.push_back(m["name"]);
    for (const auto& p : m["parameters"]) {
      for (const char* key : {"name", "symbol", "unit", "source", "text"}) {
        EXPECT_FALSE(p[key].get<std::string>().empty()) << m["name"] << " " << p["name"];
      }
      for (const char* key : {"min", "max", "default"}) EXPECT_TRUE(p.contains(key)) << p["name"];
    }
  }
  EXPECT_EQ(names, AnyNormal::names());
  EXPECT_THAT(run("models").out, HasSubstr("normal law"));
}

TEST_F(RestitutionCli, ModelsTellsTheTwoWorldsApart) {
  const Result both = run("models gonthier");
  EXPECT_THAT(both.out, HasSubstr("tau_dw"));
  EXPECT_THAT(both.out, HasSubstr("v_floor"));
  EXPECT_THAT(run("models normal.gonthier").out, Not(HasSubstr("tau_dw")));
  EXPECT_THAT(run("models friction.gonthier").out, Not(HasSubstr("v_floor")));
  EXPECT_THAT(run("models flores").out, HasSubstr("2011"));
  const auto json = nlohmann::json::parse(run("models normal.gonthier --json").out);
  EXPECT_EQ(json["normal"].size(), 1U);
  EXPECT_TRUE(json["models"].empty());
  EXPECT_EQ(nlohmann::json::parse(run("models gonthier --json").out)["models"].size(), 1U);
  expect_refused("models flors", {"unknown law", "did you mean 'flores'?"});
  expect_refused("models normal.lugre", {"unknown normal law", "lugre"});
}

}  // namespace
}  // namespace bristle
