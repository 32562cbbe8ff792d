// bristle accuracy: what the fixed step promises at 1 ms.

#include <cmath>

#include <nlohmann/json.hpp>

#include "cli.hpp"

namespace bristle {
namespace {

using ::testing::HasSubstr;

class AccuracyCli : public Cli {};

TEST_F(AccuracyCli, AtOneMillisecondEveryTestIsPassed) {
  const Result r = run("accuracy --json");
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.err, "");
  const auto json = nlohmann::json::parse(r.out);
  EXPECT_EQ(json["step"], 1e-3);
  EXPECT_EQ(json["phases"], 50);
  ASSERT_EQ(json["restitution"].size(), 27U);
  for (const auto& row : json["restitution"]) {
    EXPECT_LT(row["worst_error"].get<double>(), 1e-5) << row;
    // Where all phases give the same error, their mean is it but for rounding.
    EXPECT_LE(row["mean_error"].get<double>(), row["worst_error"].get<double>() * (1 + 1e-12))
        << row;
    EXPECT_NEAR(row["mean"].get<double>(), row["e"].get<double>(), 1e-5) << row;
  }
  ASSERT_EQ(json["incline"].size(), 2U);
  EXPECT_EQ(json["incline"][1]["degrees"], 45.0);
  for (const auto& row : json["incline"]) {
    EXPECT_LT(row["creep"].get<double>(), 1e-15) << row;  // none but rounding
    EXPECT_LT(std::abs(row["acceleration_error"].get<double>()), 1e-3) << row;
  }
  EXPECT_LT(std::abs(json["rolling"]["acceleration_error"].get<double>()), 1e-5);
}

TEST_F(AccuracyCli, RestitutionAndRollingDoNotDependOnTheStep) {
  for (const char* step : {"5 ms", "0.3 ms"}) {
    const Result r = run("accuracy --json --step '" + std::string(step) + "'");
    ASSERT_EQ(r.code, 0) << r.err;
    const auto json = nlohmann::json::parse(r.out);
    for (const auto& row : json["restitution"]) {
      EXPECT_LT(row["worst_error"].get<double>(), 1e-5) << step << row;
    }
    EXPECT_LT(std::abs(json["rolling"]["acceleration_error"].get<double>()), 1e-5) << step;
  }
}

TEST_F(AccuracyCli, PrintsATableWithUnits) {
  const Result r = run("accuracy --step '2 ms'");
  ASSERT_EQ(r.code, 0) << r.err;
  for (const char* word : {"2 ms", "(m/s)", "creep in 10 s (um)", "at 45 deg", "Rolling"}) {
    EXPECT_THAT(r.out, HasSubstr(word));
  }
  const Result file = run("accuracy --step '2 ms' --out " + path("a.txt"));
  EXPECT_EQ(file.code, 0) << file.err;
  EXPECT_EQ(file.out, "");
  EXPECT_EQ(read(path("a.txt")), r.out);
}

TEST_F(AccuracyCli, RefusesBadInput) {
  expect_refused("accuracy --step 0", {"--step", "10 us to 20 ms"});
  expect_refused("accuracy --step=-1", {"--step"});
  expect_refused("accuracy --step '1 kg'", {"--step", "kg"});
  expect_refused("accuracy --no-such", {"--no-such"});
  EXPECT_THAT(run("accuracy --help").out, HasSubstr("bristle accuracy --step"));
}

}  // namespace
}  // namespace bristle
