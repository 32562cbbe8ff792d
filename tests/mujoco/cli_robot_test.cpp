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

TEST_F(Cli, ARobotRunsAgainFromItsResultsWhereverItsModelIs) {
  write("hinge.xml",
        "<mujoco><worldbody><body name=\"b\" pos=\"0 0 0.049\"><freejoint/>"
        "<geom name=\"g\" type=\"sphere\" size=\"0.05\" mass=\"1\"/></body></worldbody></mujoco>");
  const std::string scene =
      write("scene.yaml",
            "duration: 20 ms\n"
            "robots: {r: {model: hinge.xml, links: [g]}}\n"
            "bodies: {plane: {shape: {half-space: {}}, fixed: true}}\n"
            "contacts: [{between: [r.g, plane]}]\n"
            "normal: {law: gonthier, k: 1e7, e: 0.3}\nfriction: {law: gonthier}\n");
  const std::string built_in = "peg-in-hole-arm7 --set duration=0.01 --set friction.mu_s=0.4";
  for (const std::string& what : {scene, built_in}) {
    const std::string first = path("first"), again = path("again");
    ASSERT_EQ(run("run " + what + " --out " + first).code, 0);
    const Result second = run("run " + first + "/scenario.yaml --out " + again);
    ASSERT_EQ(second.code, 0) << second.err;
    for (const char* file :
         {"/trajectory.csv", "/trajectory.h5", "/summary.json", "/report.html", "/scenario.yaml"}) {
      EXPECT_EQ(read(first + file), read(again + file)) << file;
    }
  }
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
