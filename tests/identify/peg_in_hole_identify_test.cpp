// From the arm that inserts a peg to the friction at its two contacts: the log of the scenario
// through the recipe.

#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "bristle/identify/recipe.hpp"
#include "bristle/io/csv.hpp"
#include "bristle/scenario/scenario.hpp"
#include "support/paths.hpp"
#include "support/scratch_folder.hpp"
#include "support/takes_long.hpp"

namespace bristle {
namespace {

using Json = nlohmann::json;
using testing_support::ScratchFolder;

/// What `bristle run peg-in-hole` logs, with noise.
std::string logged(const ScratchFolder& folder, int seed) {
  std::vector<Setting> settings(2);
  settings[0].key = "friction.law";
  settings[0].value = "mdsf-augmented";
  settings[1].key = "measurement.seed";
  settings[1].value = std::to_string(seed);
  const Scenario scenario = load_scenario("peg-in-hole", settings);
  Table table;
  for (const Column& column : measured(scenario.measurement, run(scenario, scenario.options))) {
    table.names.push_back(fmt::format("{} [{}]", column.name, column.unit));
    table.columns.push_back(column.values);
  }
  const std::string path = (folder / fmt::format("peg{}.csv", seed)).string();
  std::ofstream out(path);
  write_csv(out, table);
  return path;
}

/// How many of the six intervals (both, insertion, removal at a, then at b) hold the truth.
int intervals_that_hold(const std::string& file) {
  std::ifstream text(testing_support::source_dir() + "/docs/recipes/peg-in-hole.yaml");
  std::string recipe((std::istreambuf_iterator<char>(text)), {});
  const std::string there = "insertion/measured.csv";
  recipe.replace(recipe.find(there), there.size(), file);
  const Json found = Json::parse(run_recipe(Document::parse(recipe, "peg-in-hole.yaml")).json);
  int count = 0;
  for (std::size_t k = 0; k < 6; ++k) {
    const Json& mu = found.at("fits").at(k).at("parameters").at(0);
    EXPECT_EQ(mu.at("name"), "mu");
    EXPECT_EQ(mu.at("verdict"), "determined");
    const double truth = k < 3 ? 0.255 : 0.297;
    count += mu.at("ci95")[0] <= truth && truth <= mu.at("ci95")[1];
  }
  return count;
}

TEST(PegInHoleIdentified, FrictionAtBothPointsInsertionAndRemoval) {
  const ScratchFolder folder;
  EXPECT_EQ(intervals_that_hold(logged(folder, 1)), 6);
}

TEST(PegInHoleIdentified, IntervalsHoldAsOftenAsTheySay) {
  if (!testing_support::takes_long()) GTEST_SKIP() << "set BRISTLE_TEST_LONG";
  const ScratchFolder folder;
  int held = 0;
  constexpr int records = 40;
  for (int seed = 1; seed <= records; ++seed) held += intervals_that_hold(logged(folder, seed));
  EXPECT_GE(held, static_cast<int>(0.90 * 6 * records));
  RecordProperty("held", held);
}

}  // namespace
}  // namespace bristle
