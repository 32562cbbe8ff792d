// What is true of exact friction whatever the area.

#include <algorithm>
#include <numbers>

#include <gtest/gtest.h>

#include "area/areas.hpp"
#include "bristle/area/exact.hpp"
#include "support/draw.hpp"

namespace bristle {
namespace {

using testing::about;
using testing::Draw;
using testing::every_area;
using testing::linear;

double distance(const Planar& a, const Planar& b) { return (a - b).cwiseAbs().maxCoeff(); }
Planar friction(const PressedArea& area, const Planar& motion) {
  return exact_friction(area, motion).wrench;
}

/// A motion with the centre log-uniformly far away, spinning either way.
Planar draw_motion(Draw& draw) {
  const auto v = draw.vector(draw.decades(1e-4, 1e4));
  return {v[0], v[1], draw.between(-1, 1)};
}

/// P = ∬σ|v_P| = F·motion (Euler), and F is its gradient: the force dissipates most.
TEST(ExactFrictionOfAnyArea, IsTheGradientOfThePower) {
  Draw draw(1);
  for (const PressedArea& area : every_area()) {
    if (!area.points().empty()) continue;  // theirs has kinks
    for (int n = 0; n < 10; ++n) {
      const Planar move = draw_motion(draw);
      const Planar force = friction(area, move);
      const double step = 1e-4 * move.norm();
      for (int i = 0; i < 3; ++i) {
        const auto power = [&](double h) {
          const Planar m = move + h * step * Planar::Unit(i);
          return friction(area, m).dot(m);
        };
        const double slope = (8 * (power(1) - power(-1)) - (power(2) - power(-2))) / (12 * step);
        EXPECT_NEAR(slope, force[i], 1e-7) << area.name() << ' ' << move.transpose();
      }
    }
  }
}

TEST(ExactFrictionOfAnyArea, TakesTheMostPower) {
  Draw draw(2);
  for (const PressedArea& area : every_area()) {
    for (int n = 0; n < 30; ++n) {
      const Planar move = draw_motion(draw), other = draw_motion(draw);
      const double scale = move.head<2>().norm() + std::abs(move.z());
      EXPECT_GE(friction(area, move).dot(move), friction(area, other).dot(move) - 1e-13 * scale);
    }
  }
}

TEST(ExactFrictionOfAnyArea, IsOddAndOfDegreeZero) {
  Draw draw(3);
  for (const PressedArea& area : every_area()) {
    for (int n = 0; n < 10; ++n) {
      const Planar move = draw_motion(draw), f = friction(area, move);
      EXPECT_LT(distance(friction(area, -move), -f), 1e-15) << area.name();
      for (const double scale : {1e-300, 1e-150, 3e-5, 1e9, 1e145}) {
        EXPECT_LT(distance(friction(area, scale * move), f), 2e-14) << area.name() << ' ' << scale;
      }
    }
    EXPECT_EQ(friction(area, Planar::Zero()), Planar(Planar::Zero()));
  }
}

TEST(ExactFrictionOfAnyArea, TakesExtremes) {
  for (const PressedArea& area : every_area()) {
    for (const double v : {0.0, 5e-324, 1e-300, 1e-17, 1.0, 1e17, 1e300}) {
      for (const double w : {0.0, 5e-324, 1e-300, 1e-17, 1.0, 1e17, 1e300}) {
        const ExactFriction f = exact_friction(area, {0.6 * v, -0.8 * v, -w});
        EXPECT_TRUE(f.wrench.allFinite()) << area.name() << ' ' << v << ' ' << w;
        EXPECT_LE(f.wrench.head<2>().norm(), 1 + 1e-13) << area.name() << ' ' << v << ' ' << w;
        EXPECT_LT(f.error, 2e-14) << area.name() << ' ' << v << ' ' << w;
      }
    }
    EXPECT_TRUE(friction(area, {1, std::nan(""), 0}).hasNaN()) << area.name();
    EXPECT_TRUE(friction(area, {1, 0, HUGE_VAL}).hasNaN()) << area.name();
  }
}

/// The bound of the force is 1, that of the moment the reach.
TEST(ExactFrictionOfAnyArea, IsBounded) {
  Draw draw(4);
  for (const PressedArea& area : every_area()) {
    for (int n = 0; n < 30; ++n) {
      const Planar f = friction(area, draw_motion(draw));
      EXPECT_LE(f.head<2>().norm(), 1 + 1e-13) << area.name();
      EXPECT_LE(std::abs(f.z()), area.reach() + 1e-13) << area.name();
    }
  }
}

/// Seen from elsewhere, turned: the same friction, with its moment about the other pole.
TEST(ExactFrictionOfAnyArea, IsObjective) {
  Draw draw(5);
  for (const PressedArea& area : every_area()) {
    for (int n = 0; n < 5; ++n) {
      const double angle = draw.between(-3, 3), c = std::cos(angle), s = std::sin(angle);
      const Point2 shift = draw.vector(draw.between(0, 2));
      const Planar move = draw_motion(draw), f = friction(area, move);
      const auto turn = [&](double x, double y) { return Point2(c * x - s * y, s * x + c * y); };
      const Point2 v = turn(move.x(), move.y()), force = turn(f.x(), f.y());
      const double w = move.z();
      const Planar seen(v.x() + w * shift.y(), v.y() - w * shift.x(), w);
      const Planar expected(force.x(), force.y(),
                            f.z() + shift.x() * force.y() - shift.y() * force.x());
      EXPECT_LT(distance(friction(area.moved(shift, angle), seen), expected), 3e-13)
          << area.name() << ' ' << move.transpose();
    }
  }
}

/// M scales with the length, and nothing else does.
TEST(ExactFrictionOfAnyArea, HasNoPreferredSize) {
  for (const double size : {1e-6, 1e-3, 1.0, 1e3}) {
    const auto compare = [&](const PressedArea& small, const PressedArea& unit) {
      for (const double x : {0.0, 0.2, 0.9, 7.0}) {
        const Planar f = friction(small, about({size * x, 0.3 * size})),
                     g = friction(unit, about({x, 0.3}));
        EXPECT_LT(distance({f.x(), f.y(), f.z() / size}, g), 2e-14) << size << ' ' << unit.name();
      }
    };
    const Pressure tilted = linear(0.5 / size, 0.2 / size), tilt = linear(0.5, 0.2);
    compare(PressedArea::disc(size), PressedArea::disc(1));
    compare(PressedArea::annulus(0.5 * size, size, tilted), PressedArea::annulus(0.5, 1, tilt));
    compare(PressedArea::ellipse(size, 0.3 * size, tilted), PressedArea::ellipse(1, 0.3, tilt));
    compare(PressedArea::rectangle(size, 0.3 * size, tilted), PressedArea::rectangle(1, 0.3, tilt));
  }
}

TEST(ExactFriction, RectangleIsItsHalvesAndAPolygon) {
  const PressedArea whole = PressedArea::rectangle(2, 1);
  const PressedArea halves =
      PressedArea::together(std::array{PressedArea::rectangle(0.6, 1).moved({-0.7, 0}),
                                       PressedArea::rectangle(1.4, 1).moved({0.3, 0})},
                            std::array{0.3, 0.7});
  const PressedArea polygon = PressedArea::polygon(
      std::array{Point2(-1, 0.5), Point2(1, 0.5), Point2(1, 0), Point2(1, -0.5), Point2(-1, -0.5)});
  Draw draw(6);
  for (int n = 0; n < 200; ++n) {
    const Planar move = draw_motion(draw);
    EXPECT_LT(distance(friction(whole, move), friction(halves, move)), 3e-14);
    EXPECT_LT(distance(friction(whole, move), friction(polygon, move)), 3e-14);
  }
}

/// F of a ring is that of the disc minus its hole's, so it tends to the disc like inner².
TEST(ExactFriction, AnnulusBecomesADisc) {
  for (const double inner : {1e-2, 1e-4, 1e-7}) {
    for (const double k : {0.0, 1e-3, 0.5, 1.0, 2.0}) {
      EXPECT_LT(distance(friction(PressedArea::annulus(inner, 1), {k, 0, 1}),
                         friction(PressedArea::disc(1), {k, 0, 1})),
                2 * inner * inner + 1e-14);
    }
  }
}

/// Errors fall like 1/n², as the polygon's area does.
TEST(ExactFriction, PolygonOfManySidesBecomesADisc) {
  const PressedArea disc = PressedArea::disc(1);
  for (const Planar& move : {Planar(0, 0, 1), Planar(0.5, 0.2, 1), Planar(2, 0, 1)}) {
    const auto error = [&](int n) {
      std::vector<Point2> corners;
      for (int i = 0; i < n; ++i) {
        const double angle = 2 * std::numbers::pi * i / n;
        corners.emplace_back(std::cos(angle), std::sin(angle));
      }
      return distance(friction(PressedArea::polygon(corners), move), friction(disc, move));
    };
    const double coarse = error(100), fine = error(1000);
    EXPECT_LT(fine, 1e-5);
    EXPECT_NEAR(fine / coarse, 0.01, 0.001) << move.transpose();
  }
}

TEST(ExactFriction, TableOfALinearPressureIsTheLinearLaw) {
  std::vector<double> x, y, values;
  for (int i = 0; i <= 7; ++i) x.push_back(-1 + 2 * std::pow(i / 7.0, 1.5));
  for (int j = 0; j <= 4; ++j) y.push_back(-0.5 + j / 4.0);
  for (const double b : y) {
    for (const double a : x) values.push_back(17 * (1 + 0.5 * a - 0.7 * b));
  }
  const PressedArea table = PressedArea::table(x, y, values),
                    pad = PressedArea::rectangle(2, 1, linear(0.5, -0.7));
  Draw draw(7);
  for (int n = 0; n < 50; ++n) {
    const Planar move = draw_motion(draw);
    EXPECT_LT(distance(friction(table, move), friction(pad, move)), 3e-14);
  }
}

/// A pad cut across where the centre is, ever finer towards it, so that subdivision cannot miss it.
PressedArea cut_towards(double x, double width) {
  std::vector<double> cuts{-1, 1};
  for (double gap = width / 2; gap < 1 - std::abs(x); gap *= 3) {
    cuts.push_back(x - gap);
    cuts.push_back(x + gap);
  }
  std::sort(cuts.begin(), cuts.end());
  std::vector<PressedArea> parts;
  std::vector<double> lengths;
  for (std::size_t i = 1; i < cuts.size(); ++i) {
    lengths.push_back(cuts[i] - cuts[i - 1]);
    parts.push_back(
        PressedArea::rectangle(lengths.back(), width).moved({(cuts[i] + cuts[i - 1]) / 2, 0}));
  }
  return PressedArea::together(parts, lengths);
}

/// What the closed forms would lose on slender triangles is won back by cutting them.
TEST(ExactFriction, SlenderAreasKeepTheirDigits) {
  for (const double width : {1e-2, 1e-4, 1e-6}) {
    const PressedArea pad = PressedArea::rectangle(2, width);
    for (const double x : {0.0, 0.3}) {
      const PressedArea cut = cut_towards(x, width);
      for (const double y : {0.0, width / 2, width, 0.1, 3.0}) {
        const Planar f = friction(pad, about({x, y}));
        EXPECT_LT(distance(f, friction(cut, about({x, y}))), 5e-13)
            << width << ' ' << x << ' ' << y;
        if (width < 1e-2) continue;  // subdivision would take seconds
        const Planar slow = friction_by_subdivision(cut, about({x, y}), 1e-8).wrench;
        EXPECT_LT(distance(f, slow), 1e-8) << width << ' ' << x << ' ' << y;
      }
    }
  }
}

}  // namespace
}  // namespace bristle
