// Three translational examples of the Modelica Standard Library against its reference results.

#include <cmath>

#include <fmt/format.h>

#include "bristle/io/csv.hpp"
#include "reference.hpp"
#include "support/measured.hpp"

namespace bristle {
namespace {

using testing::interpolate;
using testing::simulate;

const std::string friction_file = "msl_reference/Translational_Friction.csv";
const std::string brake_file = "msl_reference/Translational_Brake.csv";
const std::string gap_file = "msl_reference/Translational_ElastoGap.csv";

/// Times at which a column of modes changes.
std::vector<double> changes(const Table& table, const std::string& name) {
  std::vector<double> times;
  const std::vector<double>& mode = table.at(name);
  for (std::size_t i = 1; i < mode.size(); ++i) {
    if (mode[i] != mode[i - 1]) times.push_back(table.at("time")[i]);
  }
  return times;
}

/// Times at which a contact changes between stick and slip; a slip that turns round is one change.
std::vector<double> changes(const RunResult& result, int contact) {
  std::vector<double> times;
  for (const RunEvent& event : result.events) {
    if (event.where != contact || (event.kind != "stick" && event.kind != "slip")) continue;
    if (times.empty() || times.back() != event.t) times.push_back(event.t);
  }
  return times;
}

TEST(Modelica, FrictionChangesModeWhenTheReferenceDoes) {
  BRISTLE_NEEDS_MEASURED(friction_file);
  const Table file = read_csv(testing_support::measured(friction_file));
  const RunResult result = simulate("modelica-friction", {"solver.rtol=1e-10"});
  const auto expect_times = [](const std::vector<double>& mine, const std::vector<double>& theirs) {
    ASSERT_EQ(mine.size(), theirs.size());
    for (std::size_t i = 0; i < mine.size(); ++i) EXPECT_NEAR(mine[i], theirs[i], 1e-5) << i;
  };
  const std::vector<double> first = changes(file, "stop1.mode");
  ASSERT_EQ(first.size(), 3u);
  EXPECT_NEAR(first[0], 0.410143, 1e-6);
  EXPECT_NEAR(first[1], 2.442689, 1e-6);
  EXPECT_NEAR(first[2], 4.441940, 1e-6);
  expect_times(changes(result, 0), first);

  // The second mass sticks for 1.5e-12 s at the stop: two changes there, one here.
  std::vector<double> second = changes(file, "stop2.mode");
  ASSERT_EQ(second.size(), 9u);
  EXPECT_NEAR(second[0], second[1], 1e-11);
  second.erase(second.begin());
  expect_times(changes(result, 1), second);

  // The third has no rule against chatter: it breaks away at 15 N, and nowhere else.
  const std::vector<double> third = changes(file, "supportFriction.mode");
  ASSERT_EQ(third.size(), 3u);
  expect_times(changes(result, 2), third);
  EXPECT_NEAR(changes(result, 2)[0], std::asin(15 / 25.0) / (2 * std::acos(-1.0) * 0.25), 1e-9);
}

TEST(Modelica, FrictionTrajectories) {
  BRISTLE_NEEDS_MEASURED(friction_file);
  const Table file = read_csv(testing_support::measured(friction_file));
  const RunResult result =
      simulate("modelica-friction", {"output.interval=5e-4", "solver.rtol=1e-10"});
  const std::vector<double>& t = result.column("t");
  const auto largest = [&](const char* mine, const char* theirs) {
    double off = 0;
    for (std::size_t i = 0; i < t.size(); ++i) {
      const double value = interpolate(file.at("time"), file.at(theirs), t[i]);
      off = std::max(off, std::abs(result.column(mine)[i] - value));
    }
    return off;
  };
  // Wanted: 5e-5 m. The file itself is 5.44e-5 m and 8.35e-5 m from the solution of its equations,
  // by two other integrators at 1e-13 from which ours differs by 1e-9 m and 1e-7 m; started from
  // its own samples, the equations leave it by 3e-5 m within a second
  // (benchmarks/scipy/modelica.py).
  EXPECT_LE(largest("x1", "stop1.s"), 5.45e-5);
  EXPECT_LE(largest("x2", "stop2.s"), 5e-5);
  EXPECT_LE(largest("v1", "stop1.v"), 1e-4);
  EXPECT_LE(largest("v2", "stop2.v"), 1e-4);
  EXPECT_LE(largest("x3", "mass.s"), 8.4e-5);
  EXPECT_LE(largest("v3", "mass.v"), 1.4e-4);
  for (const double at : {0.410143, 2.442689, 4.441940, 5.0}) {
    const double value = interpolate(file.at("time"), file.at("stop1.s"), at);
    EXPECT_NEAR(interpolate(t, result.column("x1"), at), value, 5e-5) << at;
  }
  EXPECT_NEAR(result.final("x1"), 1.7684628, 5e-5);
}

TEST(Modelica, BrakeStopsExactly) {
  const RunResult result = simulate("modelica-brake", {});
  ASSERT_EQ(result.events.size(), 1u);
  EXPECT_EQ(result.events[0].kind, "stick");
  EXPECT_NEAR(result.events[0].t, 1.1, 1e-9);
  EXPECT_NEAR(result.final("x"), 0.6, 1e-9);
  EXPECT_EQ(result.final("v"), 0);
  BRISTLE_NEEDS_MEASURED(brake_file);
  const Table file = read_csv(testing_support::measured(brake_file));
  EXPECT_NEAR(result.events[0].t, changes(file, "brake.mode").back(), 1e-9);
  EXPECT_NEAR(result.final("x"), file.at("mass1.s").back(), 1e-9);
}

TEST(Modelica, Gap) {
  BRISTLE_NEEDS_MEASURED(gap_file);
  const Table file = read_csv(testing_support::measured(gap_file));
  const RunResult result = simulate("modelica-gap", {"output.interval=5e-3", "solver.rtol=1e-10"});
  for (std::size_t i = 0; i < result.column("t").size(); ++i) {
    const double t = result.column("t")[i];
    const auto theirs = [&](const char* name) {
      return interpolate(file.at("time"), file.at(name), t);
    };
    ASSERT_NEAR(result.column("v1")[i], theirs("springDamper1.v_rel"), 5e-5) << t;
    ASSERT_NEAR(2 - result.column("x1")[i], theirs("springDamper2.s_rel"), 5e-5) << t;
    ASSERT_NEAR(result.column("v2")[i], theirs("elastoGap1.v_rel"), 5e-5) << t;
    ASSERT_NEAR(2 - result.column("x2")[i], theirs("elastoGap2.s_rel"), 5e-5) << t;
  }
}

}  // namespace
}  // namespace bristle
