// bristle realtime, and the example of a loop.

#include <nlohmann/json.hpp>

#include "allocations.hpp"
#include "cli.hpp"
#include "support/paths.hpp"

namespace bristle {
namespace {

using ::testing::HasSubstr;

class RealTimeCli : public Cli {
 protected:
  nlohmann::json answer(const std::string& arguments) const {
    const Result r = run("realtime " + arguments + " --json");
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_EQ(r.err, "");
    return nlohmann::json::parse(r.out);
  }
};

TEST_F(RealTimeCli, Contract) {
  const auto json = answer("ball-incline --rate 1000 --seconds 0.2");
  EXPECT_EQ(json["samples"], 200);
  if (counts_allocations()) {
    EXPECT_EQ(json["allocations"], 0);
  }
  EXPECT_EQ(json["missed"], 0);
  EXPECT_GE(json["missed_machine"].get<long>(), 0);
  const double p50 = json["p50"], p99 = json["p99"], p999 = json["p999"], max = json["max"];
  EXPECT_GT(p50, 0);
  EXPECT_LE(p50, p99);
  EXPECT_LE(p99, p999);
  EXPECT_LE(p999, max);
  EXPECT_LT(p50, 1e-3);
  EXPECT_EQ(json["state_hash"].get<std::string>().size(), 16u);
  EXPECT_EQ(json["degraded"]["steps"], 0);
  EXPECT_EQ(json["laps"], 1);
  EXPECT_GT(json["empty"]["cpu"]["samples"].get<long>(), 0);
  EXPECT_FALSE(json["interrupted"].get<bool>());
  long sum = 0;
  for (const auto& bin : json["histogram"]["cpu"]) sum += bin["count"].get<long>();
  EXPECT_EQ(sum, 200);
}

TEST_F(RealTimeCli, TheSameBytesAgain) {
  for (const char* name : {"double-pendulum --set duration=0.09", "mass-spring"}) {
    const std::string arguments = std::string(name) + " --seconds 0.2";
    const auto once = answer(arguments), again = answer(arguments + " --priority 0 --columns none");
    EXPECT_EQ(once["state_hash"], again["state_hash"]) << name;
    const auto other = answer(arguments + " --rate 900");
    EXPECT_NE(once["state_hash"], other["state_hash"]) << name;
  }
  EXPECT_EQ(answer("double-pendulum --set duration=0.09 --seconds 0.2")["laps"], 3);
}

TEST_F(RealTimeCli, DegradedStepsAreReported) {
  const std::string arguments = "double-pendulum --rate 5000 --seconds 0.4 --set duration=0.4";
  EXPECT_EQ(answer(arguments)["degraded"]["steps"], 0);
  const auto json = answer(arguments + " --set solver.budget.substeps=1");
  EXPECT_GT(json["degraded"]["steps"].get<long>(), 0);
}

TEST_F(RealTimeCli, TextAndFiles) {
  const Result r = run("realtime mass-spring --seconds 0.1 --cpu 0 --out " + path("rt"));
  EXPECT_EQ(r.code, 0) << r.err;
  for (const char* word :
       {"allocations", "missed by the step", "missed by the machine", "empty loop", "p99.9",
        "scheduling", "memory", "degraded steps", "processor 0", "###"}) {
    EXPECT_THAT(r.out, HasSubstr(word));
  }
  const auto json = nlohmann::json::parse(read(path("rt/realtime.json")));
  EXPECT_EQ(json["samples"], 100);
  EXPECT_EQ(json["cpu"], 0);
  EXPECT_THAT(read(path("rt/report.html")), HasSubstr("Worst step"));
}

TEST_F(RealTimeCli, WhatIsWrongIsSaid) {
  expect_refused("realtime ball-incline --rate 0", {"--rate", "'0'", "more than 0"});
  expect_refused("realtime ball-incline --rate -5", {"--rate"});
  expect_refused("realtime ball-incline --rate fast", {"--rate", "fast"});
  expect_refused("realtime ball-incline --seconds 0", {"--seconds", "more than 0"});
  expect_refused("realtime ball-incline --seconds=-1", {"--seconds"});
  expect_refused("realtime ball-incline --seconds 1e9", {"--seconds", "too many"});
  expect_refused("realtime ball-inclin", {"ball-inclin", "did you mean 'ball-incline'"});
  expect_refused("realtime ball-incline --set solver.method=cvode",
                 {"cvode", "no bound", "solver.method=bristle"});
  expect_refused("realtime ball-incline --columns x,fm", {"'fm'", "did you mean 'fn'"});
  expect_refused("realtime ball-incline --cpu 99999", {"99999", "processor"});
  expect_refused("realtime ball-incline --priority 200", {"--priority"});
  expect_refused("realtime ball-incline --set solver.budget.substeps=0",
                 {"solver.budget.substeps", "out of range"});
  expect_refused("realtime", {"SCENARIO"});
}

TEST_F(RealTimeCli, AStateThatDivergesIsAFailure) {
  const Result r = run("realtime mass-spring --set solver.method=euler --seconds 0.3");
  EXPECT_EQ(r.code, 1);
  EXPECT_EQ(r.out, "");
  EXPECT_THAT(r.err, HasSubstr("no longer finite"));
}

TEST_F(RealTimeCli, CtrlCEndsItWithTheResultSoFar) {
  const std::string out = path("early.json");
  const std::string command = testing_support::cli() +
                              " realtime ball-incline --seconds 30 --json >" + out +
                              " & sleep 0.6; kill -INT $!; wait $!";
  EXPECT_EQ(std::system(command.c_str()), 0);
  const auto json = nlohmann::json::parse(read(out));
  EXPECT_TRUE(json["interrupted"].get<bool>());
  EXPECT_LT(json["samples"].get<long>(), 5000);
}

TEST_F(RealTimeCli, TheExampleOfALoopRuns) {
  const std::string out = path("example.txt");
  const std::string command = testing_support::example_realtime() + " ball-incline 0.3 >" + out;
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_THAT(read(out), HasSubstr("t = 0.300 s"));
  EXPECT_THAT(read(out), HasSubstr("degraded steps 0"));
}

/// With an integral term the slide overshoots its 10 mm and comes back; without it sticks short.
TEST_F(RealTimeCli, TheExampleOfAControllerHunts) {
  const std::string slide = testing_support::source_dir() + "/examples/sampled_control/slide.yaml";
  const auto positions = [&](const std::string& ki) {
    const std::string out = path("control.txt");
    const std::string command = testing_support::example_control() + " " + slide + ki + " >" + out;
    EXPECT_EQ(std::system(command.c_str()), 0);
    std::istringstream lines(read(out));
    std::string line;
    std::getline(lines, line);
    std::vector<double> list;
    for (double t = 0, x = 0, push = 0, f = 0; lines >> t >> x >> push >> f;) list.push_back(x);
    return list;
  };
  const std::vector<double> hunting = positions(""), stuck = positions(" 0");
  ASSERT_EQ(hunting.size(), 10u);
  ASSERT_EQ(stuck.size(), 10u);
  EXPECT_GT(*std::max_element(hunting.begin(), hunting.end()), 11);
  EXPECT_LT(hunting.back(), 9);
  EXPECT_LT(stuck.front(), 9);
  EXPECT_NEAR(stuck.back(), stuck[2], 1e-5);
}

}  // namespace
}  // namespace bristle
