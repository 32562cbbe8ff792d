#include "bristle/area/pressed_area.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "area/areas.hpp"
#include "bristle/core/error.hpp"
#include "support/refusal.hpp"

namespace bristle {
namespace {

using testing_support::refusal;

using testing::every_area;
using ::testing::HasSubstr;
using testing::hertz;
using testing::hook;
using testing::linear;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double pi = std::numbers::pi;

/// ∬ f σ by a midpoint rule over a box: coarse, and sure of what `pressure` says.
template <class F>
double coarse(const PressedArea& area, F&& f) {
  constexpr int n = 300;
  const double size = 1.01 * area.reach(), step = 2 * size / n;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const Point2 r(-size + (i + 0.5) * step, -size + (j + 0.5) * step);
      sum += area.pressure(r) * f(r) * step * step;
    }
  }
  return sum;
}

TEST(PressedArea, PressureAddsUpToOneAndHasItsCentreAndGyration) {
  for (const PressedArea& unit : every_area()) {
    if (!unit.points().empty()) continue;
    for (const PressedArea& area : {unit, unit.moved({0.3, -0.2}, 0.9)}) {
      EXPECT_NEAR(coarse(area, [](const Point2&) { return 1.0; }), 1, 1.2e-2) << area.name();
      EXPECT_NEAR(coarse(area, [](const Point2& r) { return r.x(); }), area.centre().x(), 1.2e-2)
          << area.name();
      EXPECT_NEAR(coarse(area, [](const Point2& r) { return r.y(); }), area.centre().y(), 1.2e-2)
          << area.name();
      EXPECT_NEAR(std::sqrt(coarse(area, [](const Point2& r) { return r.squaredNorm(); })),
                  area.gyration(), 1.2e-2)
          << area.name();
    }
  }
}

TEST(PressedArea, KnownSizes) {
  EXPECT_DOUBLE_EQ(PressedArea::disc(2).gyration(), std::numbers::sqrt2);
  EXPECT_DOUBLE_EQ(PressedArea::disc(2, hertz()).gyration(), std::sqrt(1.6));
  EXPECT_DOUBLE_EQ(PressedArea::annulus(1, 2).gyration(), std::sqrt(2.5));
  EXPECT_DOUBLE_EQ(PressedArea::rectangle(3, 4).gyration(), std::sqrt(25.0 / 12));
  EXPECT_DOUBLE_EQ(PressedArea::rectangle(3, 4).reach(), 2.5);
  EXPECT_DOUBLE_EQ(PressedArea::disc(2).moved({3, 4}).reach(), 7);
  EXPECT_DOUBLE_EQ(PressedArea::annulus(1, 2).reach(), 2);
  EXPECT_NEAR(PressedArea::ellipse(2, 1).moved({0, 1e-12}).reach(), 2, 1e-12);
  double farthest = 0;
  for (double phi = 0; phi < 2 * pi; phi += 1e-4) {
    const double x = 2 * std::cos(phi), y = std::sin(phi), c = std::cos(0.5), s = std::sin(0.5);
    farthest = std::max(farthest, std::hypot(3 + c * x - s * y, s * x + c * y));
  }
  EXPECT_NEAR(PressedArea::ellipse(2, 1).moved({3, 0}, 0.5).reach(), farthest, 1e-8);
  EXPECT_NEAR(PressedArea::disc(1, linear(0.5, 0.25)).centre().x(), 0.125, 1e-15);
  EXPECT_NEAR(PressedArea::disc(1, hertz(0.5)).centre().x(), 0.1, 1e-15);
  EXPECT_NEAR(PressedArea::disc(1).pressure({0.3, 0.4}), 1 / pi, 1e-15);
  EXPECT_NEAR(PressedArea::disc(1, hertz()).pressure({0.6, 0}), 1.5 / pi * 0.8, 1e-15);
  EXPECT_EQ(PressedArea::disc(1).pressure({1, 0.1}), 0);
  EXPECT_EQ(PressedArea::annulus(0.5, 1).pressure({0.1, 0.1}), 0);
}

/// A point on a side that triangles share counts once.
TEST(PressedArea, PressureHasNoSeams) {
  const PressedArea pad = PressedArea::rectangle(2, 1);
  const PressedArea hooked = PressedArea::polygon(hook()).moved({0.1, 0.2}, 0.3);
  const double level = hooked.triangles()[0].level;
  for (double s = -0.99; s < 1; s += 0.0173) {
    EXPECT_NEAR(pad.pressure({s, s / 2}), 0.5, 1e-15);
    EXPECT_NEAR(pad.pressure({s, -s / 2}), 0.5, 1e-15);
  }
  for (const TrianglePiece& t : hooked.triangles()) {
    const Point2 inside = (t.corner[0] + t.corner[1] + t.corner[2]) / 3;
    for (const Point2& corner : t.corner) {
      EXPECT_NEAR(hooked.pressure(0.7 * corner + 0.3 * inside), level, 1e-13);
    }
  }
}

TEST(PressedArea, PolygonsMayRunEitherWayAndRepeatCorners) {
  std::vector<Point2> corners = hook();
  const PressedArea area = PressedArea::polygon(corners);
  corners.push_back(corners.front());
  corners.insert(corners.begin() + 2, corners[2]);
  std::reverse(corners.begin(), corners.end());
  const PressedArea other = PressedArea::polygon(corners);
  EXPECT_NEAR((area.centre() - other.centre()).norm(), 0, 1e-15);
  EXPECT_NEAR(area.gyration(), other.gyration(), 1e-15);
  EXPECT_EQ(area.triangles().size(), 5u);
  for (const TrianglePiece& t : other.triangles()) {
    const Point2 a = t.corner[1] - t.corner[0], b = t.corner[2] - t.corner[0];
    EXPECT_GT(a.x() * b.y() - a.y() * b.x(), 0);
  }
}

/// A comb: many reflex corners, no two of which see each other.
TEST(PressedArea, PolygonsWithManyTeethKeepTheirArea) {
  std::vector<Point2> corners{{0, 0}};
  for (int i = 0; i < 300; ++i) {
    corners.emplace_back(i + 0.2, 0.1);
    corners.emplace_back(i + 0.5, 2 + 0.01 * i);
    corners.emplace_back(i + 0.8, 0.1);
  }
  corners.emplace_back(300, 0);
  const PressedArea comb = PressedArea::polygon(corners);
  double twice = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Point2 &a = corners[i], &b = corners[(i + 1) % corners.size()];
    twice += a.x() * b.y() - a.y() * b.x();
  }
  EXPECT_NEAR(comb.triangles()[0].level * std::abs(twice) / 2, 1, 1e-12);
}

TEST(PressedArea, KnowsWhenItIsRound) {
  EXPECT_TRUE(PressedArea::disc(1).is_round());
  EXPECT_TRUE(PressedArea::disc(1, hertz()).is_round());
  EXPECT_TRUE(PressedArea::annulus(0.5, 1).is_round());
  EXPECT_TRUE(PressedArea::disc(1).moved({0, 0}, 0.3).is_round());
  EXPECT_FALSE(PressedArea::disc(1).moved({0.1, 0}).is_round());
  EXPECT_FALSE(PressedArea::disc(1, linear(0.1, 0)).is_round());
  EXPECT_FALSE(PressedArea::ellipse(1, 0.5).is_round());
  EXPECT_FALSE(PressedArea::rectangle(1, 1).is_round());
}

TEST(PressedArea, IsNamed) {
  EXPECT_EQ(PressedArea::disc(1).name(), "disc, radius 1, uniform");
  EXPECT_EQ(PressedArea::disc(1, hertz(0.1)).name(), "disc, radius 1, Hertz, linear");
  EXPECT_EQ(PressedArea::annulus(0.5, 1).name(), "annulus, radii 0.5 and 1, uniform");
  EXPECT_EQ(PressedArea::rectangle(2, 1, linear(0.1, 0)).name(), "rectangle, 2 × 1, linear");
  EXPECT_EQ(PressedArea::polygon(hook()).name(), "polygon, 7 corners, uniform");
}

TEST(PressedArea, RefusesSizes) {
  EXPECT_THAT(refusal([] { PressedArea::disc(-2); }), HasSubstr("'radius' = '-2'"));
  EXPECT_THAT(refusal([] { PressedArea::disc(nan); }), HasSubstr("'nan'"));
  EXPECT_THAT(refusal([] { PressedArea::ellipse(1, 0); }), HasSubstr("'b' = '0'"));
  EXPECT_THAT(refusal([] { PressedArea::rectangle(1, -1); }), HasSubstr("'width' = '-1'"));
  EXPECT_THAT(refusal([] { PressedArea::annulus(2, 1); }), HasSubstr("less than the outer one, 1"));
  EXPECT_THAT(refusal([] { PressedArea::annulus(0, 1); }), HasSubstr("'inner' = '0'"));
}

TEST(PressedArea, RefusesPressures) {
  EXPECT_THAT(refusal([] { PressedArea::disc(1, linear(0.8, 0.8)); }),
              HasSubstr("negative at (-0.707107, -0.707107): -0.131371 times"));
  EXPECT_THAT(refusal([] { PressedArea::ellipse(2, 1, hertz(0.6)); }), HasSubstr("(-2, -0)"));
  EXPECT_THAT(refusal([] { PressedArea::rectangle(2, 1, linear(-1.1, 0)); }),
              HasSubstr("negative at (1, "));
  EXPECT_THAT(refusal([] { PressedArea::disc(1, linear(nan, 0)); }), HasSubstr("not finite"));
  EXPECT_THAT(refusal([] { PressedArea::rectangle(2, 1, hertz()); }),
              HasSubstr("no Hertzian pressure on a rectangle"));
  EXPECT_THAT(refusal([] { PressedArea::polygon(hook(), hertz()); }), HasSubstr("on a polygon"));
  EXPECT_THAT(refusal([] { PressedArea::annulus(0.5, 1, hertz()); }), HasSubstr("on an annulus"));
  // Zero at one point of the rim only is a pressure.
  EXPECT_EQ(refusal([] { PressedArea::disc(1, linear(0.6, 0.8)); }), "accepted");
}

TEST(PressedArea, RefusesPolygons) {
  const auto polygon = [](const std::vector<Point2>& corners) {
    return refusal([&] { PressedArea::polygon(corners); });
  };
  EXPECT_THAT(polygon({{0, 0}, {1, 0}, {1, 0}}), HasSubstr("too few different corners"));
  EXPECT_THAT(polygon({{0, 0}, {1, 1}, {2, 2}}), HasSubstr("without area"));
  EXPECT_THAT(polygon({{0, 0}, {1, nan}, {2, 2}}), HasSubstr("corner 1 of a polygon"));
  EXPECT_THAT(polygon({{0, 0}, {2, 2}, {2, 0}, {0, 1}}),
              HasSubstr("side 0 from (0, 0) to (2, 2) and side 2 from (2, 0) to (0, 1) cross"));
  EXPECT_THAT(polygon({{0, 0}, {1, 1}, {1, 0}, {0, 1}}), HasSubstr("side 0"));  // no area either
  EXPECT_THAT(polygon({{0, 0}, {2, 0}, {2, 1}, {1, 0}, {0, 1}}), HasSubstr("touch"));
  EXPECT_THAT(polygon({{0, 0}, {2, 0}, {1, 0}, {1, 1}}), HasSubstr("side 0"));  // folds back
}

TEST(PressedArea, RefusesSupportsTablesAndSums) {
  const auto points = [](const std::vector<Support>& supports) {
    return refusal([&] { PressedArea::points(supports); });
  };
  EXPECT_THAT(points({}), HasSubstr("carry nothing"));
  EXPECT_THAT(points({{0, 0, 1}, {1, 0, -1}}), HasSubstr("the weight of support 1"));
  EXPECT_THAT(points({{0, 0, 0}, {1, 0, 0}}), HasSubstr("carry nothing"));
  EXPECT_THAT(points({{nan, 0, 1}}), HasSubstr("support 0 is not finite"));

  const auto table = [](const std::vector<double>& x, const std::vector<double>& values) {
    return refusal([&] { PressedArea::table(x, std::array{0.0, 1.0}, values); });
  };
  EXPECT_THAT(table({0}, {1, 1}), HasSubstr("two nodes"));
  EXPECT_THAT(table({0, 0}, {1, 1, 1, 1}), HasSubstr("numbers that grow"));
  EXPECT_THAT(table({0, 1}, {1, 1, 1}), HasSubstr("expected 2 × 2"));
  EXPECT_THAT(table({0, 1}, {1, 1, 1, -3}), HasSubstr("the pressure at (1, 1)"));
  EXPECT_THAT(table({0, 1}, {0, 0, 0, 0}), HasSubstr("all zero"));

  const std::array two{PressedArea::disc(1), PressedArea::rectangle(1, 1)};
  const auto together = [&](const std::vector<double>& weights) {
    return refusal([&] { PressedArea::together(two, weights); });
  };
  EXPECT_THAT(together({1}), HasSubstr("1 for 2 areas"));
  EXPECT_THAT(together({1, -1}), HasSubstr("the weight of area 1"));
  EXPECT_THAT(together({0, 0}), HasSubstr("carry nothing"));
}

}  // namespace
}  // namespace bristle
