// Impacts against independently computed numbers.

#include "reference.hpp"

#include <cmath>
#include <map>

#include "bristle/normal/any_normal.hpp"
#include "bristle/normal/impact.hpp"
#include "bristle/normal/laws.hpp"

namespace bristle::normal {
namespace {

using testing::ContactReference;

TEST(NormalReference, RootOfTheRelation) {
  for (const auto& entry : ContactReference::entries("d(e) G(10)")) {
    const double e = entry["parameters"]["e"], d = entry["value"];
    EXPECT_NEAR(solve_d(e), d, 1e-13) << e;
    EXPECT_NEAR(restitution_d(e), d, 1e-13) << e;
  }
}

TEST(NormalReference, ErrorOfTheApproximateRoot) {
  double gap = 0, gap_at = 0, miss = 0, miss_at = 0;
  GonthierApproximate<> law;
  for (int i = 200; i <= 9990; ++i) {
    const double e = i / 1e4;
    if (std::abs(1 - e * e - solve_d(e)) > std::abs(gap)) {
      gap = 1 - e * e - solve_d(e);
      gap_at = e;
    }
    law.e = e;
    const double error = effective_restitution(law.latch(1.0).a) - e;
    if (std::abs(error) > std::abs(miss)) {
      miss = error;
      miss_at = e;
    }
  }
  const auto root = ContactReference::entries("max |(1-e^2)-d|")[0]["value"];
  EXPECT_NEAR(gap, root["value"], 1e-5);
  EXPECT_NEAR(gap_at, root["at_e"], 2e-3);
  const auto rebound = ContactReference::entries("max e_eff-e if d:=1-e^2")[0]["value"];
  EXPECT_NEAR(miss, rebound["value"], 1e-5);
  EXPECT_NEAR(miss_at, rebound["at_e"], 2e-3);
}

/// 108 impacts: e from 0.01 to 1, p of 1, 1.5 and 2, v_i from 1 mm/s to 5 m/s.
TEST(NormalReference, IntegratedImpacts) {
  const auto rows = ContactReference::rows("s1_eeff_ode.csv");
  ASSERT_EQ(rows.size(), 108U);
  double worst = 0;
  for (const auto& row : rows) {
    Gonthier<> law;
    law.e = row[0];
    law.p = row[1];
    law.k = law.p == 1 ? 1e6 : law.p == 2 ? 1e13 : 3.4e10;
    const double v_i = row[2];
    const Impact impact = integrate_impact(law.latch(v_i), 0.454, v_i);
    worst = std::max(worst, std::abs(impact.e - law.e));
    EXPECT_NEAR(impact.e, law.e, 1e-9) << law.e << " " << law.p << " " << v_i;
    EXPECT_NEAR(impact.depth, row[5], 1e-10 * row[5]) << law.e << " " << law.p << " " << v_i;
    EXPECT_NEAR(impact.duration, row[6], 1e-9 * row[6]) << law.e << " " << law.p << " " << v_i;
  }
  RecordProperty("worst", std::to_string(worst * 1e13) + "e-13");
  EXPECT_LE(worst, 1e-12);
}

TEST(NormalReference, HuntCrossleyOfFigure2) {
  for (const auto& entry : ContactReference::entries("Fig2 Hunt-Crossley e_eff")) {
    const auto& given = entry["parameters"];
    HuntCrossley<> law;
    law.k = given["k"];
    law.alpha = given["alpha"];
    const double v_i = given["v_i"], e = entry["value"];
    const Press<> press = law.latch(v_i);
    EXPECT_NEAR(effective_restitution(press.a * v_i), e, 1e-10) << v_i;
    EXPECT_NEAR(integrate_impact(press, given["m"], v_i).e, e, 1e-10) << v_i;
  }
}

/// The greatest force of an impact, from its first integral:
/// k δ^(p+1)/(p+1) = m [ψ(v_i) − ψ(v)], ψ(v) = (a v − ln(1 + a v))/a².
struct Peak {
  double force, depth, speed;
};
Peak peak_of(const Press<>& press, double mass, double v_i) {
  const auto psi = [&](double v) {
    const double x = press.a * v;
    return x < 1e-4 ? v * v * (0.5 - x / 3 + x * x / 4) : (x - std::log1p(x)) / (press.a * press.a);
  };
  const auto depth = [&](double v) {
    const double n = press.p + 1;
    return std::pow(n * mass / press.k * (psi(v_i) - psi(v)), 1 / n);
  };
  double low = 0, high = v_i;
  const double cut = (std::sqrt(5.0) - 1) / 2;
  for (int i = 0; i < 60; ++i) {
    const double left = high - cut * (high - low), right = low + cut * (high - low);
    if (press.force(depth(left), left) > press.force(depth(right), right)) {
      high = right;
    } else {
      low = left;
    }
  }
  const double v = 0.5 * (low + high);
  return {press.force(depth(v), v), depth(v), v};
}

TEST(NormalReference, ImpactsOfFigure3) {
  for (const auto& entry : ContactReference::entries("Fig3 impact")) {
    const auto& given = entry["parameters"];
    const auto& value = entry["value"];
    Gonthier<> law;
    law.k = given["k"];
    law.p = given["p"];
    law.e = given["e"];
    const double v_i = given["v_i"], mass = given["m"];
    const Press<> press = law.latch(v_i);
    const Impact impact = integrate_impact(press, mass, v_i);
    const auto near = [&](double got, const char* key, double share) {
      const double expected = value[key];
      EXPECT_NEAR(got, expected, share * expected) << key << " " << law.e << " " << v_i;
    };
    near(impact.depth, "x_max", 1e-10);
    near(impact.duration, "duration", 1e-9);
    const Peak peak = peak_of(press, mass, v_i);
    near(peak.force, "f_peak", 1e-9);
    EXPECT_NEAR(peak.depth, value["x_at_f_peak"], 1e-6 * impact.depth) << law.e;
    EXPECT_NEAR(peak.speed, value["v_at_f_peak"], 1e-5 * v_i) << law.e;
  }
}

TEST(NormalReference, RestitutionOfEveryDampingLaw) {
  const std::map<std::string, std::string> laws{{"exact", "gonthier"},
                                                {"Gonthier approx", "gonthier-approximate"},
                                                {"Hunt-Crossley/Marhefka-Orin", "marhefka-orin"},
                                                {"Lankarani-Nikravesh", "lankarani-nikravesh"},
                                                {"Herbert-McWhannell", "herbert-mcwhannell"},
                                                {"Lee-Wang", "lee-wang"},
                                                {"Zhiying-Qishao", "zhiying-qishao"},
                                                {"Flores", "flores"},
                                                {"Hu-Guo", "hu-guo"}};
  std::size_t compared = 0;
  for (const auto& [title, name] : laws) {
    AnyNormal law(name);
    for (const auto& entry : ContactReference::entries("damping law e_eff: " + title)) {
      law.set("e", entry["parameters"]["e"]);
      for (const double v_i : {1e-2, 1.0, 30.0}) {
        EXPECT_NEAR(law.achieved(v_i), entry["value"], 1e-10) << name << " " << law.get("e");
      }
      ++compared;
    }
  }
  EXPECT_EQ(compared, laws.size() * 13);
}

}  // namespace
}  // namespace bristle::normal
