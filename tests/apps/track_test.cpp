// bristle track: a scenario's log followed, its results and its refusals. What a sample costs is
// printed and not asserted: it is the machine's as well.

#include <utility>

#include <nlohmann/json.hpp>

#include "allocations.hpp"
#include "bristle/io/csv.hpp"
#include "cli.hpp"
#include "support/paths.hpp"

namespace bristle {
namespace {

using ::testing::HasSubstr;

class TrackCli : public Cli {
 protected:
  /// The commands of docs/recipes/track.yaml.
  std::string recipe() const {
    const Result r = run("run friction-step --out " + path("step"));
    EXPECT_EQ(r.code, 0) << r.err;
    return write("track.yaml", read(testing_support::source_dir() + "/docs/recipes/track.yaml"));
  }
};

TEST_F(TrackCli, TheStepOfTheScenarioIsFollowed) {
  const std::string file = recipe();
  const Result r = run("track " + file + " --laps 3 --json --out " + path("out"));
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.err, "");
  const auto json = nlohmann::json::parse(r.out);
  EXPECT_EQ(json["samples"], 3001);
  // 0.2, then 0.3: each to 5 % within 0.2 s of sliding.
  ASSERT_EQ(json["settled"].size(), 2u);
  EXPECT_EQ(json["settled"][1]["from"], 1.5);
  EXPECT_EQ(json["settled"][1]["known"], 0.3);
  for (const auto& settled : json["settled"]) {
    EXPECT_LT(settled["after"].get<double>(), 0.2);
    EXPECT_LE(settled["off"].get<double>(), 0.05);
  }
  const auto& times = json["timing"];
  EXPECT_EQ(times["samples"], 9003);
  EXPECT_EQ(times["lap_samples"], 3001);
  if (counts_allocations()) {
    EXPECT_EQ(times["allocations"], 0);
  }
  EXPECT_LE(times["p50"].get<double>(), times["p999"].get<double>());
  EXPECT_LE(times["p999"].get<double>(), times["max"].get<double>());
  EXPECT_EQ(times["best_lap"]["samples"], 3001);
  EXPECT_LE(times["best_lap"]["max"].get<double>(), times["max"].get<double>());
  EXPECT_TRUE(times["rate"].is_null());

  const Table table = read_csv(path("out/track.csv"));
  EXPECT_EQ(table.at("mu_k").size(), 3001u);
  EXPECT_EQ(nlohmann::json::parse(read(path("out/timing.json")))["samples"], 9003);
  EXPECT_THAT(read(path("out/report.html")), HasSubstr("Worst sample"));

  // All but the times is the same again; against the clock too.
  const std::string csv = read(path("out/track.csv")), told = read(path("out/track.json"));
  const Result again = run("track " + file + " --laps 1 --rate 20000 --json --out " + path("out"));
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(read(path("out/track.csv")), csv);
  EXPECT_EQ(read(path("out/track.json")), told);
  const auto clocked = nlohmann::json::parse(again.out)["timing"];
  EXPECT_EQ(clocked["rate"], 20000);
  EXPECT_TRUE(clocked["best_lap"].is_null());
}

/// The commands of docs/recipes/track-lugre.yaml: three parameters of bristles change at 6 s.
TEST_F(TrackCli, CoefficientStiffnessAndDampingAreFollowedTogether) {
  const Result made =
      run("run friction-step --set friction.law=lugre --set duration='12 s' --set edge='6 s' --set "
          "frames.slider.velocity='{amplitude: 2 mm/s, frequency: 10 Hz}' --out " +
          path("loops"));
  ASSERT_EQ(made.code, 0) << made.err;
  const std::string file =
      write("lugre.yaml", read(testing_support::source_dir() + "/docs/recipes/track-lugre.yaml"));
  const Result r = run("track " + file + " --laps 1 --json --out " + path("out"));
  ASSERT_EQ(r.code, 0) << r.err;
  const nlohmann::json tracked = nlohmann::json::parse(r.out);
  for (const auto& settled : tracked["settled"]) {
    // The damping is known to 5 % itself: that it is within them is chance.
    if (settled["parameter"] == "sigma1") continue;
    EXPECT_LT(settled["after"].get<double>(), settled["known"] == 1e5 ? 2 : 1) << settled.dump();
  }
  const Table table = read_csv(path("out/track.csv"));
  for (const auto& [sample, truth] : {std::pair(5999, 300.0), std::pair(12000, 200.0)}) {
    const auto k = static_cast<std::size_t>(sample);
    EXPECT_NEAR(table.at("sigma1")[k], truth, 3 * table.at("sigma1_sd")[k]);
    EXPECT_LT(table.at("sigma1_sd")[k], 15);
  }
}

TEST_F(TrackCli, TextTellsTheEstimateAndItsTime) {
  const Result r =
      run("track " + recipe() + " --laps 2 --plot " + path("mu.svg") + " --out " + path("out"));
  ASSERT_EQ(r.code, 0) << r.err;
  for (const char* word : {"A coefficient that steps", "mu_k", "at the end", "known to be 0.3",
                           "within 5 % after", "2 laps of 3001 samples", "allocations: ",
                           "sample, CPU", "in its best lap", "p99.9", "results in"}) {
    EXPECT_THAT(r.out, HasSubstr(word));
  }
  EXPECT_THAT(read(path("mu.svg")), HasSubstr("known"));
}

/// Their viscous parameter has the unit N (s/m)^δ, of which the power is another parameter.
TEST_F(TrackCli, LawsWithAnOpenPowerAreFollowed) {
  std::string csv = "t [s],v [m/s],F [N]\n";
  for (int i = 0; i < 200; ++i)
    csv += fmt::format("{:.3f},1,{}\n", 1e-3 * i, i % 2 == 0 ? 2 : 2.02);
  write("log.csv", csv);
  for (const char* law : {"coulomb-viscous", "stribeck"}) {
    const std::string file = write("open.yaml", fmt::format(R"(
data: {{file: log.csv, columns: {{time: {{column: t}}, slip: {{column: v}}, load: 10 N, force: {{column: F}}}}}}
law: {}
fixed: {{delta: 1}}
track: {{beta: {{start: 0.1, min: 0, max: 10, walk: 0.1}}}}
noise: 0.1 N
)",
                                                            law));
    const Result r = run("track " + file + " --laps 1 --json --out " + path("out"));
    EXPECT_EQ(r.code, 0) << law << r.err;
  }
}

TEST_F(TrackCli, WhatIsWrongIsSaid) {
  const std::string good = recipe(), text = read(good);
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string other = text;
    const std::size_t at = other.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return "track " + write("bad.yaml", other.replace(at, from.size(), to)) + " --out " +
           path("none");
  };
  expect_refused("track", {"FILE"});
  expect_refused("track " + path("no.yaml"), {"no.yaml"});
  expect_refused(changed("noise: 0.1 N", ""), {"bad.yaml", "noise", "0.1 N"});
  expect_refused(changed("noise: 0.1 N", "noise: 0.1 N\nlaps: 3"), {"bad.yaml:", "laps"});
  expect_refused(changed("mu_k:", "mu_j:"), {"bad.yaml:", "mu_j", "did you mean 'mu_k'"});
  expect_refused(changed("column: force", "column: froce"), {"froce", "did you mean 'force'"});
  expect_refused(changed("step/measured.csv", "stop/measured.csv"), {"stop/measured.csv"});
  expect_refused(changed("coulomb-regularised", "bristle"), {"bristle"});
  expect_refused(changed("{eps: 1 mm/s}", "{eps: 1 mm/s, mu_k: 0.2}"),
                 {"bad.yaml:", "track.mu_k", "the same parameter is fixed in line"});
  expect_refused("track " + good + " --plot mu.gif --out " + path("none"), {"mu.gif"});
  expect_refused("track " + good + " --laps 0 --out " + path("none"), {"--laps", "'0'"});
  expect_refused("track " + good + " --laps 1000000 --out " + path("none"), {"--laps", "1e7"});
  expect_refused("track " + good + " --rate -5 --out " + path("none"), {"--rate"});
  expect_refused("track " + good + " --rate fast --out " + path("none"), {"--rate", "fast"});
  EXPECT_FALSE(std::filesystem::exists(path("none")));
}

}  // namespace
}  // namespace bristle
