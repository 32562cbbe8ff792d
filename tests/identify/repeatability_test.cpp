// What a record repeats to, and when a law's shape is to blame.

#include "bristle/identify/repeatability.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include <gmock/gmock.h>

#include "bristle/identify/law_shape.hpp"

namespace bristle {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A spring of 1 N/mm that slides at 2 N, drawn round and round with a period of 0.5 s; every force
/// is off by noise of 0.05 N.
class Repeated : public ::testing::Test {
 protected:
  static Recording record(
      double seconds, const std::function<double(double)>& position,
      const std::function<double(double)>& load = [](double) { return 5.0; }) {
    Recording r{.file = "rig.csv"};
    std::mt19937 engine(3);
    std::normal_distribution<double> noise(0, 0.05);
    std::vector<double> x, n, f;
    double spring = 0;
    for (int k = 0; k * 1e-3 <= seconds; ++k) {
      r.t.push_back(k * 1e-3);
      x.push_back(position(r.t.back()));
      n.push_back(load(r.t.back()));
      if (k > 0) spring += 1e3 * (x.back() - x[x.size() - 2]);
      spring = std::clamp(spring, -2.0, 2.0);
      f.push_back(spring + noise(engine));
    }
    r.put("position", x, dim::length);
    r.put("load", n, dim::force);
    r.put("force", f, dim::force);
    return r;
  }
  static double wave(double t) { return 5e-3 * std::sin(2 * std::numbers::pi * t / 0.5); }
};

TEST_F(Repeated, NoiseIsWhatCyclesRepeatTo) {
  const auto found = repeatability_of(record(20, wave));
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->rms, 0.05, 0.001);
  EXPECT_NEAR(found->period, 0.5, 1e-6);
  EXPECT_EQ(found->cycles, 37);  // of 38 between the rises, without the first
}

TEST_F(Repeated, SlipWillDoWhereThereIsNoPosition) {
  Recording r = record(20, wave);
  std::vector<double> v;
  for (const double t : r.t) v.push_back(std::cos(2 * std::numbers::pi * t / 0.5));
  Recording slip{.file = r.file, .t = r.t};
  slip.put("slip", v, dim::speed);
  slip.put("force", r.at("force"), dim::force);
  const auto found = repeatability_of(slip);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->rms, 0.05, 0.001);
}

TEST_F(Repeated, ForceThatWandersCounts) {
  Recording r = record(20, wave);
  std::vector<double>& force = r.at("force");
  for (std::size_t k = 0; k < force.size(); ++k) force[k] += 0.02 * (r.t[k] - 10);
  // The same drift in every phase: its variance over the cycles is that of a ramp of 18.5 s.
  const double ramp = 0.02 * 18.5 / std::sqrt(12.0);
  EXPECT_NEAR(repeatability_of(r)->rms, std::hypot(0.05, ramp), 0.003);
}

TEST_F(Repeated, NothingIsSaidOfARecordThatDoesNot) {
  EXPECT_FALSE(repeatability_of(record(2.2, wave)));  // three whole cycles, of which two count
  EXPECT_TRUE(repeatability_of(record(2.7, wave)));
  EXPECT_FALSE(repeatability_of(record(20, [](double t) { return wave(t * (1 + t / 40)); })));
  EXPECT_FALSE(repeatability_of(record(20, [](double t) { return wave(t) * (1 + t / 40); })));
  EXPECT_FALSE(repeatability_of(record(20, [](double t) { return 0.1 * t; })));
  EXPECT_FALSE(repeatability_of(record(20, wave, [](double t) { return 5 + t / 10; })));
  Recording still = record(20, [](double) { return 0.0; });
  EXPECT_FALSE(repeatability_of(still));
}

TEST(LawShape, IsWrongWhereFitsAreFarOffAndResidualsFollowOneAnother) {
  const ShapeEvidence bad{
      .rms = 0.25, .signal = 2, .whiteness = 0.98, .whiteness_p = 0, .agreeing = 2};
  const LawShape shape = judge_shape(bad, "gonthier", 0.1, 0.05);
  EXPECT_TRUE(shape.wrong);
  EXPECT_DOUBLE_EQ(shape.over_best, 2.5);
  EXPECT_DOUBLE_EQ(shape.over_floor, 5);
  EXPECT_THAT(shape.text, HasSubstr("2.5 times as much as gonthier"));
  EXPECT_THAT(shape.text, HasSubstr("5 times what the cycles repeat to"));
  EXPECT_THAT(shape.text, Not(HasSubstr("bound")));

  // The floor alone is enough, and so is a better law.
  EXPECT_TRUE(judge_shape(bad, "itself", 0.25, 0.05).wrong);
  EXPECT_TRUE(judge_shape(bad, "gonthier", 0.1, 0).wrong);
  EXPECT_EQ(judge_shape(bad, "gonthier", 0.1, 0).over_floor, 0);
  EXPECT_FALSE(judge_shape(bad, "gonthier", 0.13, 0.09).wrong);  // 1.9 times, 2.8 times

  ShapeEvidence other = bad;
  other.at_bounds = {"mu_s", "v_s"};
  EXPECT_THAT(judge_shape(other, "gonthier", 0.1, 0).text,
              HasSubstr("mu_s, v_s ended at their bounds"));
  other = bad;
  other.agreeing = 1;
  EXPECT_FALSE(judge_shape(other, "gonthier", 0.1, 0.05).wrong) << "the search may have failed";
  other = bad;
  other.whiteness = 0.3;
  EXPECT_FALSE(judge_shape(other, "gonthier", 0.1, 0.05).wrong) << "noise";
  other = bad;
  other.whiteness_p = 0.05;
  EXPECT_FALSE(judge_shape(other, "gonthier", 0.1, 0.05).wrong) << "chance";
  other = bad;
  other.signal = 1e6;
  EXPECT_FALSE(judge_shape(other, "gonthier", 0.1, 0.05).wrong) << "rounding";
}

}  // namespace
}  // namespace bristle
