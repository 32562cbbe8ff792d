#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "area/reference.hpp"
#include "bristle/area/exact_law.hpp"
#include "bristle/area/fit.hpp"
#include "bristle/area/laws.hpp"
#include "bristle/area/shifted_law.hpp"
#include "bristle/core/error.hpp"

namespace bristle {
namespace {

using testing::PlanarReference;

constexpr double unit = 1;  // the reference's length, m

/// Rounded to six digits in the objective; m and b, flatter, to 1e-5.
void expect_pair(const RatioPair& found, double m, double b) {
  EXPECT_NEAR(found.m, m, 1e-5 * m);
  EXPECT_NEAR(found.b, b, 1e-5 * b);
}

TEST(AreaFit, LowestOrderMatchesTheReference) {
  for (const auto& e : PlanarReference::entries("I00_fit")) {
    SCOPED_TRACE(e["parameters"].dump());
    const PressedArea area = PlanarReference::area(e["parameters"]["shape"]);
    const RatioMoments moments = RatioMoments::of(area);
    const AreaGrid grid = AreaGrid::of(area, unit);
    const std::string kind = e["parameters"]["kind"];
    const auto& v = e["value"];
    RatioPair pair{v["m"], v["b"]};
    if (kind == "lsq(m,b)") {
      const RatioFit fit = fit_ratio(moments, grid, 0, 0, false);
      expect_pair(fit.force, pair.m, pair.b);
      expect_pair(fit.torque, pair.m, pair.b);
      pair = fit.force;
    } else if (kind == "m=2,lsq b") {
      const RatioPair fit = fit_ratio_weight(moments, grid, 0, 0, 2);
      expect_pair(fit, 2, pair.b);
      pair = fit;
    }
    const AreaLawErrors errors =
        area_law_errors(LinearRatioLaw(moments.linear, pair.m, pair.b), grid);
    EXPECT_NEAR(errors.rms, v["rms"].get<double>(), 1e-9);
    EXPECT_NEAR(errors.max_norm, v["max_norm"].get<double>(), 1e-6);
    EXPECT_NEAR(errors.max_torque, v["max_components"][2].get<double>(), 1e-6);
  }
}

TEST(AreaFit, SecondOrderMatchesTheReference) {
  for (const auto& row : PlanarReference::rows("fit_I11.csv")) {
    SCOPED_TRACE(row[0]);
    const PressedArea area = PlanarReference::area(row[0]);
    const RatioFit fit = fit_ratio(RatioMoments::of(area), AreaGrid::of(area, unit), 1, 1, false);
    expect_pair(fit.force, std::stod(row[1]), std::stod(row[2]));
    EXPECT_NEAR(fit.errors.rms, std::stod(row[3]), 1e-9);
    EXPECT_NEAR(fit.errors.max_norm, std::stod(row[4]), 1e-6);
  }
}

TEST(AreaFit, HigherOrdersMatchTheReference) {
  for (const auto& row : PlanarReference::rows("fit_higher.csv")) {
    SCOPED_TRACE(row[0] + " " + row[1]);
    const auto number = [&](std::size_t i) { return std::stod(row[i]); };
    const PressedArea area = PlanarReference::area(row[0]);
    const RatioMoments moments = RatioMoments::of(area);
    const AreaGrid grid = AreaGrid::of(area, unit);
    const int n1 = row[1][2] - '0', n2 = row[1][4] - '0';
    const RatioFit shared = fit_ratio(moments, grid, n1, n2, false);
    expect_pair(shared.force, number(3), number(4));
    EXPECT_NEAR(shared.errors.rms, number(5), 1e-9);
    EXPECT_NEAR(shared.errors.max_force, number(6), 1e-6);
    EXPECT_NEAR(shared.errors.max_torque, number(7), 1e-6);
    const RatioFit separate = fit_ratio(moments, grid, n1, n2, true);
    expect_pair(separate.force, number(8), number(9));
    expect_pair(separate.torque, number(10), number(11));
    EXPECT_NEAR(separate.errors.rms, number(12), 1e-9);
    EXPECT_NEAR(separate.errors.max_force, number(13), 1e-6);
    EXPECT_NEAR(separate.errors.max_torque, number(14), 1e-6);
    EXPECT_EQ(separate.at_bound, number(10) > 29.9);
  }
}

/// What the specification says of the family, on every area of the reference.
TEST(AreaFit, HigherOrderIsBetterOnlyIfItIsBalanced) {
  for (const std::string& shape : PlanarReference::shapes()) {
    SCOPED_TRACE(shape);
    const PressedArea area = PlanarReference::area(shape);
    const RatioMoments moments = RatioMoments::of(area, true);
    const AreaGrid grid = AreaGrid::of(area, unit);
    const auto rms = [&](int n1, int n2, bool separate) {
      return fit_ratio(moments, grid, n1, n2, separate).errors.rms;
    };
    const double lowest = rms(0, 0, false);
    EXPECT_LT(2 * rms(1, 1, false), lowest);
    EXPECT_GT(rms(2, 0, false), lowest);
    EXPECT_GT(rms(0, 2, false), lowest);
    if (area.is_round()) {  // elsewhere the numerators are what is wrong, not the denominators
      EXPECT_LT(3 * rms(0, 0, true), lowest);
    }
    EXPECT_LE(rms(0, 0, true), lowest);
  }
}

TEST(AreaFit, TheCentreOfPressureIsTheBestPole) {
  const PressedArea area = PressedArea::rectangle(0.2, 0.1).moved({0.13, 0.08}, 0.3);
  const AreaGrid grid = AreaGrid::of(area);
  for (const char* name : {"I00", "I00-separate", "I11", "pade", "pade2"}) {
    const auto centred = make_area_law(name, area);
    const auto pole = make_area_law(name, area, {.about_centre = false});
    EXPECT_NE(dynamic_cast<const ShiftedLaw*>(centred.get()), nullptr);
    EXPECT_LT(2 * area_law_errors(*centred, grid).rms, area_law_errors(*pole, grid).rms) << name;
  }
}

TEST(AreaFit, QuarticAndSeparatePairsAreTheBestOfTheQuickLaws) {
  const PressedArea disc = PressedArea::disc(0.01);
  const AreaGrid grid = AreaGrid::of(disc);
  const auto rms = [&](const char* name) {
    return area_law_errors(*make_area_law(name, disc), grid).rms;
  };
  EXPECT_LT(rms("exact"), 1e-14);
  EXPECT_LT(rms("quartic"), 0.02);
  EXPECT_LT(rms("I00-separate"), 0.02);
  EXPECT_LT(rms("I11"), 0.022);
  EXPECT_GT(rms("ellipsoid"), 0.08);
  EXPECT_GT(rms("contensou"), rms("ellipsoid"));
  EXPECT_GT(rms("pade2"), rms("contensou"));
  EXPECT_GT(rms("pade"), rms("pade2"));
}

TEST(AreaFit, ContensouFactorsAreOffAsMuchAsTheReferenceSays) {
  const AreaLawErrors e = area_law_errors(*make_area_law("contensou", PressedArea::disc(1)),
                                          AreaGrid::of(PressedArea::disc(1), unit));
  EXPECT_NEAR(e.max_force, 0.10, 0.001);
  EXPECT_NEAR(e.max_torque, 0.135, 0.001);
}

TEST(AreaFit, ScalesWithTheArea) {
  const RatioFit one = fit_ratio(PressedArea::rectangle(2, 1), 1, 1, true);
  const RatioFit small = fit_ratio(PressedArea::rectangle(0.02, 0.01), 1, 1, true);
  EXPECT_NEAR(small.force.m, one.force.m, 1e-6);
  EXPECT_NEAR(small.force.b, 1e-6 * one.force.b, 1e-12);
  EXPECT_NEAR(small.errors.rms, one.errors.rms, 1e-10);
  EXPECT_NEAR(small.errors.max_torque, one.errors.max_torque, 1e-6);
}

// ---- By name ------------------------------------------------------------------------------------

std::string complaint(std::string_view name, const AreaLawOptions& options = {}) {
  try {
    make_area_law(name, PressedArea::disc(1), options);
  } catch (const InputError& e) {
    return e.what();
  }
  return "none";
}

TEST(MakeAreaLaw, NamesTheNearestLaw) {
  using ::testing::HasSubstr;
  EXPECT_THAT(complaint("elipsoid"), HasSubstr("did you mean 'ellipsoid'?"));
  EXPECT_THAT(complaint("i00"), HasSubstr("did you mean 'I00'?"));
  EXPECT_THAT(complaint("nothing like it"), HasSubstr("one of 'exact', 'I00'"));
}

TEST(MakeAreaLaw, TakesPairsOrRefusesThem) {
  using ::testing::HasSubstr;
  const auto law = make_area_law("I00", PressedArea::disc(1), {.m = 2, .b = 1});
  EXPECT_NEAR(law->hold({0.5, 0, 0.3}).xi, 0.672681202353686, 1e-13);
  EXPECT_EQ(complaint("I00-separate", {.m = 4, .b = 1, .m_torque = 4, .b_torque = 0.4}), "none");
  EXPECT_THAT(complaint("I00", {.m = 2}), HasSubstr("belong together"));
  EXPECT_THAT(complaint("I00-separate", {.m = 2, .b = 1}), HasSubstr("two pairs or none"));
  EXPECT_THAT(complaint("I11", {.m_torque = 2, .b_torque = 1}), HasSubstr("one pair or none"));
  EXPECT_THAT(complaint("pade", {.m = 2, .b = 1}), HasSubstr("no m and no b"));
  EXPECT_THAT(complaint("I00", {.m = -2, .b = 1}), HasSubstr("above 0"));
}

}  // namespace
}  // namespace bristle
