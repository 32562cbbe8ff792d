#include "bristle/area/ratio_law.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "area/reference.hpp"
#include "bristle/area/exact.hpp"
#include "bristle/core/error.hpp"
#include "support/draw.hpp"

namespace bristle {
namespace {

using testing::Draw;
using testing::PlanarReference;

Planar motion(double theta, double phi) {
  return {std::cos(theta) * std::cos(phi), std::cos(theta) * std::sin(phi), std::sin(theta)};
}

PressedArea skew() {
  const std::vector<Point2> corners{{-0.9, -0.6}, {1, -0.5}, {0.8, 0.7}, {-0.4, 0.5}};
  return PressedArea::polygon(corners, {.slope = {0.3, -0.2}});
}

TEST(RatioLaw, SecondOrderValuesMatchTheReference) {
  for (const auto& e : PlanarReference::entries("I11_value")) {
    const auto& p = e["parameters"];
    const RatioLaw law(RatioMoments::of(PlanarReference::area(p["shape"])), 1, 1, {p["m"], p["b"]});
    const Planar s = law.sliding(motion(p["theta"], p["phi"]));
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(s[i], e["value"][static_cast<std::size_t>(i)].get<double>(), 1e-12) << p.dump();
    }
  }
}

TEST(RatioLaw, EndsMatchTheReference) {
  for (const auto& e : PlanarReference::entries("taylor_circular")) {
    const RatioMoments m = RatioMoments::of(PlanarReference::area(e["parameters"]["shape"]));
    const auto& v = e["value"];
    EXPECT_NEAR(m.spin(0, 0), v["dT_dk"].get<double>(), 1e-9);
    EXPECT_NEAR(m.linear.distance, v["M0"].get<double>(), 1e-13);
    EXPECT_NEAR(-0.5 * m.spin(0, 0), v["M_k2"].get<double>(), 1e-9);
    EXPECT_NEAR(-0.5 * m.second(0, 0), v["T_kappa2"].get<double>(), 1e-9);
    EXPECT_NEAR(m.second(0, 0), v["M_kappa"].get<double>(), 1e-9);
  }
}

TEST(RatioLaw, WithOnePairAndLowestOrderIsTheLinearLaw) {
  const RatioMoments moments = RatioMoments::of(skew());
  Draw draw(1);
  for (const double m : {1.0, 1.7, 2.0, 4.0}) {
    const LinearRatioLaw linear(moments.linear, m, 0.6);
    const RatioLaw ratio(moments, 0, 0, {m, 0.6});
    for (int i = 0; i < 50; ++i) {
      const Planar t = draw.place(1);
      EXPECT_LT((linear.sliding(t) - ratio.sliding(t)).norm(), 1e-14);
      EXPECT_NEAR(linear.speed(t), ratio.speed(t), 1e-15);
    }
  }
}

/// The conditions (3.2) themselves: the difference to the exact friction falls with the power that
/// belongs to the order, at both ends and on both sides of each.
TEST(RatioLaw, MatchesTheExactFrictionToItsOrderAtBothEnds) {
  const PressedArea area = skew();
  const RatioMoments moments = RatioMoments::of(area, true);
  // Without T_2 the order at pure spin would be one less: that this can fail is seen below.
  RatioMoments straight = moments;
  straight.bend.fill(Point2::Zero());
  const auto miss = [&](const RatioLaw& law, const Planar& t) {
    return (law.sliding(t) - exact_friction(area, t).wrench).norm();
  };
  const auto spin = [](double k, double phi, double sense) {
    return Planar(k * std::cos(phi), k * std::sin(phi), sense);
  };
  const auto slide = [](double kappa, double phi, double sense) {
    return Planar(std::cos(phi), std::sin(phi), sense * kappa);
  };
  for (int n1 = 0; n1 <= 2; ++n1) {
    for (int n2 = 0; n1 + n2 <= 2; ++n2) {
      const RatioLaw law(moments, n1, n2, {8, 0.7});  // the denominator starts with the power 8n
      for (const double phi : {0.3, 1.9, 4.0}) {
        for (const double sense : {1.0, -1.0}) {
          const double k = 0.01;
          const double at_spin = miss(law, spin(k, phi, sense));
          const double at_slide = miss(law, slide(k, phi, sense));
          EXPECT_LT(at_spin, 20 * std::pow(k, n1 + 1)) << n1 << n2;
          EXPECT_LT(at_slide, 5 * std::pow(k, n2 + 1)) << n1 << n2;
          if (n1 < 2) continue;
          const RatioLaw without(straight, n1, n2, {8, 0.7});
          EXPECT_GT(miss(without, spin(k, phi, sense)), 3 * at_spin);
        }
      }
    }
  }
}

TEST(RatioLaw, RefusesTheSecondBendWhereThereIsNone) {
  const PressedArea on_edge = PressedArea::rectangle(0.2, 0.1).moved({0.1, 0});
  EXPECT_NO_THROW(RatioMoments::of(on_edge));
  EXPECT_THROW(RatioMoments::of(on_edge, true), InputError);
  EXPECT_NO_THROW(RatioMoments::of(PressedArea::rectangle(0.2, 0.1).moved({0.15, 0}), true));
}

TEST(RatioLaw, RefusesOrdersAndPairsThatAreNone) {
  const RatioMoments m;
  EXPECT_THROW(RatioLaw(m, 2, 1, {2, 1}), InputError);
  EXPECT_THROW(RatioLaw(m, -1, 0, {2, 1}), InputError);
  EXPECT_THROW(RatioLaw(m, 0, 0, {0, 1}), InputError);
  EXPECT_THROW(RatioLaw(m, 0, 0, {2, 1}, {2, -1}), InputError);
  EXPECT_THROW(LinearRatioLaw({}, 2, std::nan("")), InputError);
}

TEST(RatioLaw, ScalesWithTheArea) {
  const RatioMoments one = RatioMoments::of(PressedArea::rectangle(2, 1));
  const RatioMoments small = RatioMoments::of(PressedArea::rectangle(0.02, 0.01));
  const double a = 0.01;
  Draw draw(2);
  for (int n1 = 0; n1 <= 1; ++n1) {
    for (int n2 = 0; n2 <= 1; ++n2) {
      const RatioLaw big(one, n1, n2, {0.8, 0.5});
      const RatioLaw little(small, n1, n2, {0.8, 0.5 * std::pow(a, n1 + n2 + 1)});
      for (int i = 0; i < 30; ++i) {
        const Planar t = draw.place(1), w = big.sliding(t);
        const Planar v = little.sliding({t.x(), t.y(), t.z() / a});
        EXPECT_LT((Planar(v.x(), v.y(), v.z() / a) - w).norm(), 1e-12);
      }
    }
  }
}

TEST(LinearRatioLaw, IsAssociatedOnlyAsAnEllipsoid) {
  const LinearMoments disc;
  EXPECT_TRUE(LinearRatioLaw(disc, 2, disc.distance).is_associated());
  EXPECT_FALSE(LinearRatioLaw(disc, 2, 1).is_associated());
  EXPECT_FALSE(LinearRatioLaw(disc, 1.7, disc.distance).is_associated());
}

}  // namespace
}  // namespace bristle
