#include <cstdio>
#include <numbers>

#include <gtest/gtest.h>

#include "area/areas.hpp"
#include "area/reference.hpp"
#include "bristle/area/exact.hpp"

namespace bristle {
namespace {

using testing::every_area;
using testing::hertz;
using testing::linear;
using testing::PlanarReference;

TEST(AreaMoment, MatchesTheReference) {
  for (const auto& row : PlanarReference::rows("coefficients.csv")) {
    int i = 0, j = 0, k = 0;
    ASSERT_EQ(std::sscanf(row[1].c_str(), "c_%d_%d_%d", &i, &j, &k), 3);
    EXPECT_NEAR(area_moment(PlanarReference::area(row[0]), i, j, k), std::stod(row[2]), 1e-13)
        << row[0] << ' ' << row[1];
  }
}

TEST(AreaMoment, LowOrdersAreLoadCentreAndGyration) {
  for (const PressedArea& unit : every_area()) {
    for (const PressedArea& area : {unit, unit.moved({0.4, -0.3}, 0.8), unit.moved({3, 5}, 2)}) {
      EXPECT_NEAR(area_moment(area, 0, 0, 0), 1, 1e-13) << area.name();
      EXPECT_NEAR(area_moment(area, 1, 0, 0), area.centre().x(), 1e-13) << area.name();
      EXPECT_NEAR(area_moment(area, 0, 1, 0), area.centre().y(), 1e-13) << area.name();
      const double square = area.gyration() * area.gyration();
      EXPECT_NEAR(area_moment(area, 2, 0, 0) + area_moment(area, 0, 2, 0), square, 1e-13 * square)
          << area.name();
      EXPECT_NEAR(area_moment(area, 0, 0, -2), square, 1e-13 * square) << area.name();
    }
  }
}

/// x² + y² = ρ²: three moments of each order are tied together, the singular ones included.
TEST(AreaMoment, OrdersAreTiedTogether) {
  for (const PressedArea& unit : every_area()) {
    for (const PressedArea& area : {unit, unit.moved({0.4, -0.3}, 0.8)}) {
      for (int i = 0; i < 4; i += 3) {
        for (int j = 0; j < 3; j += 2) {
          for (int k = -2; k < i + j + 2; ++k) {
            const double sum =
                area_moment(area, i + 2, j, k + 2) + area_moment(area, i, j + 2, k + 2);
            const double scale = std::max(area_moment(area, 0, 0, k - i - j), 1.0);
            EXPECT_NEAR(sum, area_moment(area, i, j, k), 1e-13 * scale)
                << area.name() << ' ' << i << j << k;
          }
        }
      }
    }
  }
}

/// The moments are what friction tends to: pure spin gives c_{0,0,−1}, −c_{0,1,1}, c_{1,0,1}.
TEST(AreaMoment, GivesThePureSpin) {
  for (const PressedArea& unit : every_area()) {
    for (const PressedArea& area : {unit, unit.moved({0.4, -0.3}, 0.8), unit.moved({3, 5}, 2)}) {
      const Planar f = exact_friction(area, {0, 0, 2}).wrench;
      EXPECT_NEAR(f.x(), -area_moment(area, 0, 1, 1), 1e-13) << area.name();
      EXPECT_NEAR(f.y(), area_moment(area, 1, 0, 1), 1e-13) << area.name();
      EXPECT_NEAR(f.z(), area_moment(area, 0, 0, -1), 1e-13 * area.reach()) << area.name();
    }
  }
}

/// With the pole on the rim of a disc, on a side and on a corner. ⟨1/ρ⟩ of a disc from its rim is
/// 4/π, of a square of side 1 from its corner 2 asinh 1 and from the middle of a side 2 asinh ½ +
/// asinh 2.
TEST(AreaMoment, PoleOnTheEdge) {
  EXPECT_NEAR(area_moment(PressedArea::disc(1).moved({0.6, 0.8}), 0, 0, 1), 4 / std::numbers::pi,
              1e-13);
  const PressedArea square = PressedArea::rectangle(1, 1);
  EXPECT_NEAR(area_moment(square.moved({0.5, 0.5}), 0, 0, 1), 2 * std::asinh(1.0), 1e-13);
  EXPECT_NEAR(area_moment(square.moved({0.5, 0}), 0, 0, 1), 2 * std::asinh(0.5) + std::asinh(2.0),
              1e-13);
  EXPECT_NEAR(area_moment(square, 0, 0, 1), 4 * std::asinh(1.0), 1e-13);
}

TEST(AreaMoment, IsContinuousThroughTheRim) {
  for (const PressedArea& area :
       {PressedArea::ellipse(1, 0.5, linear(0.4, 0)), PressedArea::ellipse(1, 0.5, hertz()),
        PressedArea::rectangle(2, 1, linear(0.4, 0))}) {
    const double there = area_moment(area.moved({-0.0, -0.5}), 2, 0, 3);
    for (double gap = 1e-3; gap > 1e-16; gap /= 10) {
      for (const double side : {-1.0, 1.0}) {
        EXPECT_NEAR(area_moment(area.moved({0, -0.5 - side * gap}), 2, 0, 3), there,
                    10 * gap * (1 - std::log(gap)) + 1e-13)
            << area.name() << ' ' << side * gap;
      }
    }
  }
}

}  // namespace
}  // namespace bristle
