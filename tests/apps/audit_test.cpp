// What makes a run doubtful is said by kind: in the terminal, in summary.json and on the page, and
// by the exit code where energy is wrong by more than 10 %.

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "cli.hpp"

namespace bristle {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

class AuditCli : public Cli {
 protected:
  struct Judged {
    Result result;
    std::vector<std::string> kinds{};
    nlohmann::json summary{};
    std::string page{};
  };
  Judged judge(const std::string& arguments) const {
    const std::string out = path("out");
    Judged judged{run("run " + arguments + " --out " + out)};
    judged.summary = nlohmann::json::parse(read(out + "/summary.json"));
    for (const auto& warning : judged.summary["warnings"]) judged.kinds.push_back(warning["kind"]);
    judged.page = read(out + "/report.html");
    return judged;
  }
};

// Euler's explicit step cannot hold a stiff contact.
const std::string wrong =
    "block --set duration=0.2 --set solver.method=euler --set solver.step=1e-3";

TEST_F(AuditCli, EnergyFromNowhereIsAFailure) {
  const Judged judged = judge(wrong);
  EXPECT_EQ(judged.result.code, 1);
  EXPECT_THAT(judged.result.err, HasSubstr("warning: energy-gain: energy rose by"));
  EXPECT_THAT(judged.result.err, HasSubstr("--allow-energy-error"));
  EXPECT_THAT(judged.kinds, Contains("energy-gain"));
  EXPECT_THAT(judged.kinds, Contains("energy-balance"));
  EXPECT_THAT(judged.page, HasSubstr("energy-gain: energy rose by"));
  EXPECT_GT(judged.summary["energy"]["gain"], 0.01);
}

TEST_F(AuditCli, AllowedItIsStillAWarning) {
  const Judged judged = judge(wrong + " --allow-energy-error");
  EXPECT_EQ(judged.result.code, 0) << judged.result.err;
  EXPECT_THAT(judged.kinds, Contains("energy-gain"));
}

TEST_F(AuditCli, WhatIsRightHasNoWarning) {
  for (const char* scenario : {"ball-incline", "mass-spring", "rolling --set duration=1"}) {
    const Judged judged = judge(scenario);
    EXPECT_EQ(judged.result.code, 0) << judged.result.err;
    EXPECT_TRUE(judged.kinds.empty()) << scenario << ": " << judged.result.err;
    EXPECT_THAT(judged.page, Not(HasSubstr("energy-gain")));
  }
}

TEST_F(AuditCli, ABudgetThatIsUsedUpIsCounted) {
  const Judged judged =
      judge("restitution --set solver.method=bristle --set solver.budget.substeps=2");
  EXPECT_GT(judged.summary["solver"]["degraded"]["substeps"], 0);
  EXPECT_THAT(judged.result.out, HasSubstr("degraded steps"));
}

TEST_F(AuditCli, BodiesInEachOtherAtTheStartAreSaid) {
  const std::string file =
      write("deep.yaml",
            "duration: 10 ms\n"
            "bodies:\n"
            "  ball: {shape: {sphere: {radius: 0.1}}, mass: 1, position: [0, 0, 0.09]}\n"
            "  plane: {shape: {half-space: {}}, fixed: true}\n"
            "contacts:\n"
            "  - {between: [ball, plane]}\n"
            "normal: {law: gonthier, k: 1e8, e: 0.3}\n"
            "friction: {law: gonthier}\n"
            "solver: {method: bristle, step: 1 ms}\n");
  const Judged judged = judge(file);
  EXPECT_THAT(judged.kinds, Contains("deep-start"));
  EXPECT_THAT(judged.result.err, HasSubstr("deep-start: 'ball' starts 10 mm inside 'plane'"));
}

TEST_F(AuditCli, ATraceIsJudgedToo) {
  const std::string steep = "trace dahl --set n=9849 --wave sine:1:1 --out " + path("trace.csv");
  const Result wrong_trace = run(steep);
  EXPECT_EQ(wrong_trace.code, 1) << wrong_trace.err;
  EXPECT_THAT(wrong_trace.err, HasSubstr("warning: energy-balance: the energy audit is off by"));
  EXPECT_EQ(run(steep + " --allow-energy-error").code, 0);
}

}  // namespace
}  // namespace bristle
