// The command with worlds: bad input, and the contract of its files.

#include <nlohmann/json.hpp>

#include "bristle/io/csv.hpp"
#include "cli.hpp"

namespace bristle {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

TEST_F(Cli, BadWorldsAreRefusedAndNothingIsWritten) {
  const std::string out = path("none"), to = " --out " + out;
  expect_refused("run ball-incline --set e=1.5" + to, {"'e'", "1.5"});
  expect_refused("run ball-incline --set bodies.ball.mass=0" + to,
                 {"bodies.ball.mass", "more than 0"});
  expect_refused("run ball-incline --set friction.law=coulomb --set solver.method=event" + to,
                 {"'coulomb'", "set-valued", "solver.method=bristle"});
  expect_refused("run ball-incline --set normal.law=gontier" + to, {"did you mean 'gonthier'?"});
  expect_refused("run double-pendulum --set links=tip" + to, {"links", "did you mean 'tips'?"});
  expect_refused("run ball-inclin" + to, {"did you mean 'ball-incline'?"});
  const std::string shape =
      write("shape.yaml", "duration: 1\nbodies:\n  ball: {shape: {sfere: {radius: 1}}, mass: 1}\n");
  expect_refused("run " + shape + to, {"shape.yaml:3", "did you mean 'sphere'?"});
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST_F(Cli, AWorldRunsAndListsItsImpacts) {
  const std::string out = path("ball");
  const Result r = run(
      "run ball-incline --set output.samples=300 --set solver.method=bristle --json --out " + out);
  ASSERT_EQ(r.code, 0) << r.err;
  const Json summary = Json::parse(r.out);
  EXPECT_EQ(summary["solver"]["method"], "bristle");
  ASSERT_EQ(summary["impacts"].size(), 4u);
  EXPECT_NEAR(summary["impacts"][0]["t"].get<double>(), 0.259815, 1e-4);
  EXPECT_NEAR(summary["metrics"]["first_restitution"].get<double>(), 0.48329, 0.001);
  const Table table = read_csv(out + "/trajectory.csv");
  EXPECT_EQ(table.rows(), 301u);
  for (const char* name : {"x", "vx", "wy", "gap", "fn", "slip", "F", "E_total"}) {
    EXPECT_EQ(table.at(name).size(), 301u) << name;
  }
  const std::string again = path("again");
  ASSERT_EQ(run("run " + out + "/scenario.yaml --json --out " + again).code, 0);
  EXPECT_EQ(read(out + "/trajectory.csv"), read(again + "/trajectory.csv"));
}

}  // namespace
}  // namespace bristle
