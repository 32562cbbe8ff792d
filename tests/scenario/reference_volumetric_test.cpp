// The experiments on contact over areas, as scenarios against the reference.

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "bristle/normal/restitution.hpp"
#include "normal/reference.hpp"
#include "scenario/reference.hpp"

namespace bristle {
namespace {

using testing::ContactReference;
using testing::Settings;
using testing::simulate;

/// A column as a function of time, linear between the samples.
double at_time(const RunResult& result, const char* name, double t) {
  const std::vector<double>&time = result.column("t"), &value = result.column(name);
  const auto above = std::upper_bound(time.begin(), time.end(), t);
  const auto i = std::clamp<long>(above - time.begin(), 1, static_cast<long>(time.size()) - 1);
  const auto k = static_cast<std::size_t>(i);
  const double share = (t - time[k - 1]) / (time[k] - time[k - 1]);
  return value[k - 1] + share * (value[k] - value[k - 1]);
}

/// Force over position, without noise; the reference's contact lies at 3 µm as well. It measures
/// the depth along the axis of the specimen, `tilt` off the normal along which ours is driven.
void expect_indentation(const std::string& scenario, const Settings& settings,
                        const std::string& csv, double tilt) {
  const RunResult result =
      simulate(scenario, Settings{"output.samples=6000", "solver.rtol=1e-10"} + settings);
  for (const auto& row : ContactReference::rows(csv)) {
    const double way = 3e-6 + (row[0] - 3e-6) * std::cos(tilt * std::numbers::pi / 180);
    const double t = way / 0.5e-6;  // down by 0.5 µm/s
    EXPECT_NEAR(at_time(result, "fn", t), row[1], 2e-5) << csv << " at " << row[0];
  }
}
TEST(ReferenceVolumetric, IndentationOfTheSphere) {
  expect_indentation("indentation-sphere", {}, "s8_sphere_volumetric.csv", 0);
}
TEST(ReferenceVolumetric, IndentationOfTheCylinderAskew) {
  expect_indentation("indentation-cylinder", {}, "s8_wedge_Al.csv", 0.32);
  expect_indentation("indentation-cylinder",
                     {"gamma=0.46 deg", "k_v=5.17e12", "turn_back=16 s", "duration=16 s"},
                     "s8_wedge_Mg.csv", 0.46);
}

/// There and back the same way: no damping in a quasi-static experiment.
TEST(ReferenceVolumetric, IndentationGoesBackTheWayItCame) {
  const RunResult result = simulate("indentation-sphere", {});
  const double end = result.column("t").back();
  for (double t = 6.5; t < 11.9; t += 0.37) {
    EXPECT_NEAR(at_time(result, "fn", t), at_time(result, "fn", end - t), 1e-9);
  }
}

TEST(ReferenceVolumetric, SlipAndSpin) {
  for (const bool exact : {false, true}) {
    const RunResult result = simulate(
        "slip-spin", {exact ? "coupling=disc" : "coupling=contensou", "solver.rtol=1e-10"});
    for (const auto& row : ContactReference::rows("s7_boos533.csv")) {
      if (row[0] == 0) continue;  // the scenario starts with unsheared bristles
      EXPECT_NEAR(at_time(result, "fn", row[0]), 26, 1e-6);
      EXPECT_NEAR(at_time(result, "F", row[0]), exact ? row[8] : row[6], 1e-4) << row[0];
      EXPECT_NEAR(at_time(result, "T_spin", row[0]), exact ? row[9] : row[7], 1e-6) << row[0];
    }
  }
}

/// μ = τ/(r_gyr f_n): the thesis's factor gives back μ_k and a peak below μ_s; the exact disc has
/// 2/3 μ R f_n.
TEST(ReferenceVolumetric, Rotation) {
  const double r_gyr = 0.0127 / std::numbers::sqrt2;
  const RunResult factors = simulate("rotation", {});
  EXPECT_NEAR(std::abs(factors.final("T_spin")) / (r_gyr * 26), 0.18, 1e-4);
  double peak = 0;
  for (const double torque : factors.column("T_spin")) peak = std::max(peak, std::abs(torque));
  EXPECT_GT(peak / (r_gyr * 26), 0.185);
  EXPECT_LT(peak / (r_gyr * 26), 0.205);
  const RunResult disc = simulate("rotation", {"volumetric.coupling=disc"});
  EXPECT_NEAR(std::abs(disc.final("T_spin")), 2.0 / 3 * 0.18 * 0.0127 * 26, 1e-5);
}

/// While the drive goes in, the force is that of the volume times 1 + a v with a = d/(e v_i).
TEST(ReferenceVolumetric, DrivenImpactIsDamped) {
  const RunResult result = simulate("impact-driven", {"output.interval=0.1 ms"});
  ASSERT_EQ(result.impacts.size(), 1u);
  EXPECT_NEAR(result.impacts[0].v_in, 0.58e-3, 1e-9);
  const double a = normal::restitution_damping(0.134) / 0.58e-3;
  EXPECT_NEAR(a * 0.58e-3, 7.44916, 1e-5);
  for (const double t : {0.006, 0.01, 0.015}) {
    const double v = -at_time(result, "vz", t), volume = at_time(result, "V", t);
    EXPECT_NEAR(at_time(result, "fn", t) / (7.59e13 * volume * (1 + a * v)), 1, 1e-6) << t;
  }
}

/// One-point contact in the hole: friction over normal force is μ, down and up.
TEST(ReferenceVolumetric, PegSlidesAlongTheWall) {
  const RunResult result = simulate("peg-in-hole-mesh", {});
  for (const double t : {1.5, 2.5, 3.5, 4.5}) {
    EXPECT_NEAR(at_time(result, "F", t) / at_time(result, "fn", t), 0.3, 1e-6) << t;
    EXPECT_GT(at_time(result, "fn", t), 1);
    EXPECT_NEAR(std::abs(at_time(result, "n_x", t)), 1, 1e-2);
  }
  EXPECT_GT(at_time(result, "f_z", 2), 0);
  EXPECT_LT(at_time(result, "f_z", 4), 0);
  EXPECT_EQ(result.final("contact"), 0);
}

/// Teeth come in pairs for a while, and friction turns round at the pitch point.
TEST(ReferenceVolumetric, GearsHandOver) {
  const RunResult result = simulate("gears", {});
  const auto& count = result.column("contact");
  EXPECT_EQ(*std::max_element(count.begin(), count.end()), 2);
  int touches = 0, parts = 0;
  for (const RunEvent& event : result.events) {
    touches += event.kind == "touch" ? 1 : 0;
    parts += event.kind == "part" ? 1 : 0;
  }
  EXPECT_GE(touches, 3);
  EXPECT_GE(parts, 2);
  // A turn of one tooth brings the same force back.
  const double period = 2 * std::numbers::pi / 12 / 0.5;
  for (const double t : {0.5, 1.0, 1.5}) {
    const double now = at_time(result, "fn", t), later = at_time(result, "fn", t + period);
    EXPECT_NEAR(later / now, 1, 0.01) << t;
  }
}

/// The data file of a test engineer: noise of the stated size, an encoder's steps, the same for the
/// same seed.
TEST(ReferenceVolumetric, MeasuredDataHaveTheirNoise) {
  const Scenario scenario = load_scenario("indentation-sphere");
  const RunResult result = run(scenario, scenario.options);
  const std::vector<Column> logged = measured(scenario.measurement, result);
  ASSERT_EQ(logged.size(), 3u);
  const std::vector<double>&z = logged[1].values, &fn = logged[2].values;
  double sum = 0, square = 0;
  for (std::size_t i = 0; i < fn.size(); ++i) {
    const double noise = fn[i] - result.column("fn")[i];
    sum += noise;
    square += noise * noise;
    EXPECT_NEAR(z[i] / 1.22e-9, std::round(z[i] / 1.22e-9), 1e-6);
    EXPECT_LE(std::abs(z[i] - result.column("z")[i]), 0.62e-9);
  }
  const auto n = static_cast<double>(fn.size());
  EXPECT_NEAR(std::sqrt(square / n), 0.085, 0.01);
  EXPECT_NEAR(sum / n, 0, 0.012);
  EXPECT_EQ(measured(scenario.measurement, result)[2].values, fn);
  Measurement other = scenario.measurement;
  other.seed = 2;
  EXPECT_NE(measured(other, result)[2].values, fn);
  other.channels.push_back({"fnn", 0, 0, 0});
  EXPECT_THROW(measured(other, result), InputError);
}

}  // namespace
}  // namespace bristle
