// The command with robots.

#include <nlohmann/json.hpp>

#include "apps/cli.hpp"

namespace bristle {
namespace {

using Json = nlohmann::json;

TEST_F(Cli, ARobotRuns) {
  const Result r = run("run peg-in-hole-arm7 --set duration=1.3 --out " + path("arm"));
  ASSERT_EQ(r.code, 0) << r.err;
  const Json summary = Json::parse(read(path("arm/summary.json")));
  EXPECT_LT(summary["energy"]["relative_error"].get<double>(), 1e-4);
  EXPECT_NEAR(summary["metrics"]["first_impact_time"].get<double>(), 1.0519349, 1e-5);
  EXPECT_LT(summary["final"]["tip_z"].get<double>(), -2e-3);
  EXPECT_GT(summary["final"]["fn2"].get<double>(), 1);
}

TEST_F(Cli, BadRobotsAreRefusedAndNothingIsWritten) {
  const std::string out = path("none"), to = " --out " + out;
  expect_refused("run peg-in-hole-arm7 --set robots.arm.model=arm8.xml" + to,
                 {"robots.arm.model", "arm8.xml", "no such file"});
  expect_refused("run peg-in-hole-arm7 --set robots.arm.control.at=tp" + to,
                 {"robots.arm.control.at", "did you mean 'tip'?"});
  write("torn.xml", "<mujoco>\n<worldbody>\n<geom \n</mujoco>\n");
  const std::string scene = write("scene.yaml",
                                  "include: peg-in-hole-arm7\n"
                                  "robots: {arm: {model: torn.xml}}\n");
  expect_refused("run " + scene + to, {"torn.xml:", "MuJoCo refuses the model"});
  EXPECT_FALSE(std::filesystem::exists(out));
}

}  // namespace
}  // namespace bristle
