#include "bristle/area/exact.hpp"

#include <numbers>

#include <gtest/gtest.h>

#include "area/areas.hpp"
#include "area/reference.hpp"
#include "bristle/area/disc.hpp"
#include "support/allocations.hpp"

namespace bristle {
namespace {

using testing::about;
using testing::every_area;
using testing::hertz;
using testing::linear;
using testing::motion;
using testing::PlanarReference;

double distance(const Planar& a, const Planar& b) { return (a - b).cwiseAbs().maxCoeff(); }

/// The reference's ellipse is good to 3e-10 where the centre is inside: by symmetry T_sy must be 0
/// at (θ, φ) = (atan 2, 0), and it has −2.9e-10. Subdivision sides with us to 1e-13.
double tolerance(const std::string& shape) { return shape == "ellipse_hertz" ? 1e-9 : 2e-14; }

TEST(ExactFriction, MatchesEveryRowOfTheReferenceGrid) {
  int rows = 0;
  for (const std::string& shape : PlanarReference::shapes()) {
    const PressedArea area = PlanarReference::area(shape);
    for (const auto& row : PlanarReference::rows("exact_grid.csv")) {
      if (row[0] != shape) continue;
      const Planar expected(std::stod(row[5]), std::stod(row[6]), std::stod(row[7]));
      const ExactFriction f = exact_friction(area, motion(std::stod(row[1]), std::stod(row[2])));
      EXPECT_LT(distance(f.wrench, expected), tolerance(shape)) << shape << ' ' << row[1];
      EXPECT_LT(f.error, 2e-14);
      ++rows;
    }
  }
  EXPECT_EQ(rows, 16 * 8 * 6);
}

TEST(ExactFriction, MatchesTheNamedReferenceCases) {
  for (const auto& e : PlanarReference::entries("exact_")) {
    const std::string shape = e["name"].get<std::string>().substr(6);
    const auto& at = e["parameters"];
    const auto value = e["value"].get<std::array<double, 3>>();
    const Planar moved = motion(at["theta"], at["phi"]);
    const PressedArea area = PlanarReference::area(shape);
    const Planar f = exact_friction(area, moved).wrench;
    EXPECT_LT(distance(f, Planar(value[0], value[1], value[2])), tolerance(shape)) << e;
    EXPECT_LT(distance(f, friction_by_subdivision(area, moved, 1e-12).wrench), 1e-12) << e;
  }
}

TEST(ExactFriction, ClosedFormsOfDiscsMatchTheReference) {
  for (const bool pressed : {false, true}) {
    for (const auto& e : PlanarReference::entries(pressed ? "closed_form_disc_hertz"
                                                          : "closed_form_disc_uniform")) {
      const double k = e["parameters"]["k_v_over_omega"];
      const LimitPoint p = pressed ? hertz_disc_friction(k, 1) : disc_friction(k, 1);
      EXPECT_NEAR(p.force, e["value"][0].get<double>(), 1e-14) << e;
      EXPECT_NEAR(p.torque, e["value"][1].get<double>(), 1e-14) << e;
    }
  }
}

/// The closed forms against the lines that all other ellipses take, here with a slope too small to
/// matter.
TEST(ExactFriction, DiscsAreEllipses) {
  for (const bool pressed : {false, true}) {
    const auto disc = [&](double slope) {
      return PressedArea::disc(1, pressed ? hertz(slope) : linear(slope, 0));
    };
    for (double k = 1e-6; k < 2e6; k *= 1.37) {
      const Planar move(0.6 * k, 0.8 * k, 1);
      EXPECT_LT(
          distance(exact_friction(disc(0), move).wrench, exact_friction(disc(1e-200), move).wrench),
          2e-14)
          << k;
    }
  }
}

/// Every kind of area, with the centre anywhere, against a rule that shares nothing.
TEST(ExactFriction, MatchesSubdivision) {
  for (const PressedArea& area : every_area()) {
    for (const double x : {0.0, 0.31, -0.62, 1.7}) {
      for (const double y : {0.0, 0.27, -0.83, 4.4}) {
        const ExactFriction f = exact_friction(area, about({x, y}));
        const ExactFriction slow = friction_by_subdivision(area, about({x, y}), 1e-9);
        EXPECT_LT(distance(f.wrench, slow.wrench), 3e-10) << area.name() << ' ' << x << ' ' << y;
        EXPECT_EQ(f.centre_inside, slow.centre_inside) << area.name() << ' ' << x << ' ' << y;
      }
    }
  }
}

/// Through the rim, a side or a corner friction is continuous; its change over a distance ε is at
/// most of the order ε ln ε.
void expect_smooth_passage(const PressedArea& area, const Point2& at, const Point2& inwards) {
  const Planar there = exact_friction(area, about(at)).wrench;
  ASSERT_TRUE(there.allFinite()) << area.name();
  EXPECT_LT(distance(there, friction_by_subdivision(area, about(at), 1e-9).wrench), 3e-10)
      << area.name();
  for (double gap = 1e-3; gap > 1e-16; gap /= 10) {
    for (const double side : {-1.0, 1.0}) {
      const Planar near = exact_friction(area, about(at + side * gap * inwards)).wrench;
      EXPECT_LT(distance(near, there), 20 * gap * (1 - std::log(gap)) + 3e-14)
          << area.name() << ' ' << side * gap;
    }
  }
}

TEST(ExactFriction, CentreOnTheRim) {
  const double c = std::cos(0.7), s = std::sin(0.7);
  for (const double slope : {0.0, 0.4}) {
    for (const bool pressed : {false, true}) {
      const Pressure p = pressed ? hertz(slope) : linear(slope, 0);
      expect_smooth_passage(PressedArea::disc(1, p), {c, s}, {-c, -s});
      expect_smooth_passage(PressedArea::ellipse(1, 0.5, p), {c, 0.5 * s}, {-c, -s});
      expect_smooth_passage(PressedArea::ellipse(1, 0.5, p), {0, 0.5}, {0, -1});
      expect_smooth_passage(PressedArea::ellipse(1, 0.1, p), {1, 0}, {-1, 0});
    }
    const PressedArea ring = PressedArea::annulus(0.5, 1, linear(slope, 0));
    expect_smooth_passage(ring, {c, s}, {-c, -s});
    expect_smooth_passage(ring, {0.5 * c, 0.5 * s}, {c, s});
  }
}

TEST(ExactFriction, CentreOnSidesAndCorners) {
  for (const double slope : {0.0, 0.4}) {
    const PressedArea pad = PressedArea::rectangle(2, 1, linear(slope, 0));
    expect_smooth_passage(pad, {0.3, 0.5}, {0, -1});
    expect_smooth_passage(pad, {0.3, 0.5}, {1, 0});
    expect_smooth_passage(pad, {1, 0.5}, {-1, -1});
    expect_smooth_passage(pad, {2, 0.5}, {0, -1});
    expect_smooth_passage(pad, {0, 0}, {1, 0});
    expect_smooth_passage(pad, {0.2, 0.1}, {0.5, -1});  // the side that its triangles share
    const PressedArea hook = PressedArea::polygon(testing::hook(), linear(slope, 0));
    expect_smooth_passage(hook, {0.4, 0.5}, {-1, -1});
    expect_smooth_passage(hook, {0, 0}, {1, 1});
  }
}

TEST(ExactFriction, SupportUnderTheCentreAddsNothing) {
  const PressedArea feet =
      PressedArea::points(std::array{Support{0.3, 0.1, 1}, Support{-0.5, 0.1, 3}});
  const ExactFriction f = exact_friction(feet, about({0.3, 0.1}));
  EXPECT_TRUE(f.centre_inside);
  EXPECT_LT(distance(f.wrench, Planar(0, -0.75, 0.375)), 1e-15);
  EXPECT_FALSE(exact_friction(feet, about({0.3, 0.2})).centre_inside);
}

TEST(ExactFriction, SaysWhereTheCentreIs) {
  const PressedArea ring = PressedArea::annulus(0.5, 1);
  EXPECT_FALSE(exact_friction(ring, about({0.2, 0.1})).centre_inside);
  EXPECT_TRUE(exact_friction(ring, about({0.6, 0.1})).centre_inside);
  EXPECT_FALSE(exact_friction(ring, about({1.1, 0.1})).centre_inside);
  EXPECT_FALSE(exact_friction(ring, {1, 0, 0}).centre_inside);
}

/// Near the end ω → 0 the moment is proportional to ω: all its digits are right, not only those
/// that matter beside the force.
TEST(ExactFriction, SlowSpinIsRegular) {
  for (const PressedArea& area : every_area()) {
    const Planar still = exact_friction(area, {0.8, 0.6, 0}).wrench;
    EXPECT_LT(distance(still, Planar(0.8, 0.6, 0.6 * area.centre().x() - 0.8 * area.centre().y())),
              1e-14)
        << area.name();
    const double slope = (exact_friction(area, {0.8, 0.6, 1e-4}).wrench - still).z() / 1e-4;
    const double less = (exact_friction(area, {0.8, 0.6, 1e-7}).wrench - still).z() / 1e-7;
    EXPECT_NEAR(less / slope, 1, 2e-3) << area.name();
  }
  const double tiny = exact_friction(PressedArea::ellipse(1, 0.5), {1, 0, 1e-40}).wrench.z();
  EXPECT_NEAR(tiny, 0, 1e-17);
}

TEST(ExactFriction, NothingAllocates) {
  const std::vector<PressedArea> areas = every_area();
  exact_friction(areas[1], {1, 0, 1});  // makes its nodes, once
  const long before = testing::allocations();
  Planar sum = Planar::Zero();
  for (const PressedArea& area : areas) sum += exact_friction(area, {0.3, 0.2, 1}).wrench;
  EXPECT_EQ(testing::allocations(), before);
  EXPECT_TRUE(sum.allFinite());
}

}  // namespace
}  // namespace bristle
