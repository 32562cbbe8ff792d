// Limit surfaces from pairs of a wrench and a motion, without measured data.

#include "bristle/area/push_fit.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "bristle/area/ellipsoid_law.hpp"
#include "bristle/area/exact_law.hpp"
#include "bristle/area/fit.hpp"
#include "bristle/area/laws.hpp"
#include "bristle/area/support_fit.hpp"
#include "bristle/core/error.hpp"

namespace bristle {
namespace {

Eigen::Matrix3d some_b() {
  Eigen::Matrix3d b;
  b << 1.2, 0.1, 0.004, 0.1, 0.8, -0.006, 0.004, -0.006, 0.0021;
  return b;
}

TEST(PushFit, EllipsoidsAreFoundAgain) {
  const EllipsoidLaw truth(some_b());
  const auto samples = limit_samples(truth, 60);
  const EllipsoidFit fit = fit_ellipsoid(samples, 0.05);
  EXPECT_NEAR((fit.b() - some_b()).norm(), 0, 2e-3);
  EXPECT_LT(mean_angle(EllipsoidLaw(fit.b()), samples, 0.05), 1e-3);
  // The square of an ellipsoid's form is a convex quartic.
  const QuarticFit quartic = fit_quartic(samples, 0.05);
  EXPECT_LT(quartic.radius_rms, 1e-4);
  EXPECT_LT(quartic.angle_rms, 1e-4);
}

/// With wrenches in newtons the surface grows with them and the directions stay.
TEST(PushFit, TheUnitOfWrenchesIsFree) {
  const ExactAreaLaw truth(PressedArea::rectangle(0.2, 0.1));
  std::vector<LimitSample> samples = limit_samples(truth, 100);
  const QuarticFit one = fit_quartic(samples, 0.05);
  for (LimitSample& s : samples) s.wrench *= 4.2;
  const QuarticFit newtons = fit_quartic(samples, 0.05);
  EXPECT_NEAR(newtons.radius_rms / one.radius_rms, 1, 0.5);  // β weighs the normals anew
  const QuarticLaw a(one.coefficients, 0.05), b(newtons.coefficients, 0.05);
  const Planar w(0.3, 0.5, 0.02);
  EXPECT_NEAR(b.hold(4.2 * w).xi, a.hold(w).xi, 0.02);
  EXPECT_NEAR((b.hold(w).direction - a.hold(w).direction).norm(), 0, 0.03);
}

/// Relative weights: newtons or millinewtons, the directions are the same.
TEST(PushFit, RelativeWeightsForgetTheUnit) {
  const ExactAreaLaw truth(PressedArea::rectangle(0.2, 0.1));
  std::vector<LimitSample> samples = limit_samples(truth, 30);
  const auto law = [&] {
    const LimitFitOptions options =
        for_wrenches_of(wrench_size(samples, 0.05), 4, {.lambda = 0.1, .beta = 3});
    return QuarticLaw(fit_quartic(samples, 0.05, options).coefficients, 0.05);
  };
  const QuarticLaw one = law();
  for (LimitSample& s : samples) s.wrench *= 3;
  const QuarticLaw three = law();
  for (const Planar& w : {Planar(0.3, 0.5, 0.02), Planar(-0.1, 0.5, -0.05), Planar(1, 0, 0)}) {
    EXPECT_NEAR((three.hold(w).direction - one.hold(w).direction).norm(), 0, 1e-3);
    EXPECT_NEAR(three.hold(3 * w).xi / one.hold(w).xi, 1, 1e-3);
  }
}

TEST(PushFit, LeavingOutSeesEverySampleOnce) {
  const EllipsoidLaw truth(some_b());
  const auto samples = limit_samples(truth, 11);
  std::vector<std::size_t> sizes;
  const LimitFitter fit = [&](std::span<const LimitSample> some) {
    sizes.push_back(some.size());
    return std::make_unique<EllipsoidLaw>(some_b());
  };
  for (const double angle : left_out_angles(samples, 0.05, 0, fit)) EXPECT_NEAR(angle, 0, 1e-7);
  EXPECT_EQ(sizes, std::vector<std::size_t>(11, 10));
  sizes.clear();
  EXPECT_EQ(left_out_angles(samples, 0.05, 3, fit).size(), 11U);
  EXPECT_EQ(sizes, (std::vector<std::size_t>{7, 7, 8}));
  EXPECT_THROW(left_out_angles(samples, 0.05, 1, fit), InputError);
  EXPECT_THROW(left_out_angles({samples.data(), 1}, 0.05, 0, fit), InputError);
}

TEST(PushFit, QuarticsOfAreasAreConvexAndClose) {
  const std::vector<Support> feet{{-0.04, -0.04, 1}, {0.08, -0.04, 1}, {-0.04, 0.08, 1}};
  const std::pair<PressedArea, double> areas[] = {{PressedArea::disc(0.01), 0.018},
                                                  {PressedArea::rectangle(0.2, 0.1), 0.03},
                                                  {PressedArea::points(feet), 0.09}};
  for (const auto& [area, bound] : areas) {
    const ExactAreaLaw truth(area);
    const QuarticFit fit = fit_quartic(limit_samples(truth, 500), truth.length());
    EXPECT_GT(quartic_margin(fit.coefficients), -1e-7) << area.name();
    const QuarticLaw law(fit.coefficients, truth.length());
    EXPECT_LT(area_law_errors(law, area).rms, bound) << area.name();
    // The law's own directions and sliding wrenches belong together.
    const Planar motion(0.3, -0.2, 4.0);
    EXPECT_NEAR(
        motion_angle(predicted_motion(law, law.sliding(motion), 0.05), unit_motion(motion, 0.05)),
        0, 1e-7);
  }
}

/// x⁴ + 6a x²y² + y⁴ + z⁴ is convex for 0 ≤ a ≤ 1.
TEST(PushFit, ConvexityIsToldExactly) {
  for (const auto& [a, convex] :
       {std::pair{-0.1, false}, std::pair{-0.001, false}, std::pair{0.3, true},
        std::pair{0.999, true}, std::pair{1.001, false}, std::pair{1.5, false}}) {
    Quartic h{};
    h[0] = h[10] = h[14] = 1;
    h[3] = 6 * a;
    EXPECT_EQ(quartic_margin(h) > -1e-7, convex) << a << " " << quartic_margin(h);
    h[14] = 1e-8;  // a long axis changes nothing
    EXPECT_EQ(quartic_margin(h) > -1e-7, convex) << a << " " << quartic_margin(h);
    if (!convex) {
      EXPECT_THROW(QuarticLaw(h, 1), InputError);
    }
  }
  EXPECT_THROW(QuarticLaw(Quartic{}, 1), InputError);
}

TEST(PushFit, FewPairsGiveALawToo) {
  const LimitSample one{{1, 0, 0.01}, {1, 0, 2}};
  for (const double lambda : {0.0, 2.0}) {
    const QuarticLaw quartic(fit_quartic({{one}}, 0.05, {lambda, 1}).coefficients, 0.05);
    EXPECT_LT(mean_angle(quartic, {{one}}, 0.05), 0.1);
    const EllipsoidLaw ellipsoid(fit_ellipsoid({{one}}, 0.05, {lambda, 1}).b());
    EXPECT_LT(mean_angle(ellipsoid, {{one}}, 0.05), 0.1);
  }
  // A wrench alone, without its motion, shapes the radius.
  const LimitSample still{{2, 0, 0}, Planar::Zero()};
  EXPECT_NEAR(QuarticLaw(fit_quartic({{still}}, 0.05).coefficients, 0.05).hold({2, 0, 0}).xi, 1,
              1e-3);
}

TEST(PushFit, RefusesWhatIsNoPair) {
  const LimitSample nan{{1, 0, std::nan("")}, {1, 0, 0}}, good{{1, 0, 0}, {1, 0, 0}};
  EXPECT_THROW(fit_quartic({}, 0.05), InputError);
  EXPECT_THROW(fit_ellipsoid({{nan}}, 0.05), InputError);
  EXPECT_THROW(fit_quartic({{good}}, 0), InputError);
}

// ---- Supports ----------------------------------------------------------------------------------

const std::vector<Point2> feet{{-0.04, -0.04}, {0.08, -0.04}, {-0.04, 0.08}};

TEST(SupportLaw, OneIsASoftFinger) {
  const double a = 0.003;
  const std::vector<Point2> here{{0, 0}};
  const std::vector<double> all{5};
  const SupportLaw law(here, all, a);
  const EllipsoidLaw finger(Planar(1, 1, a * a).asDiagonal());
  for (const Planar& t : {Planar(0.1, -0.2, 30), Planar(1, 0, 0), Planar(0, 0, -1)}) {
    EXPECT_NEAR((law.sliding(t) - finger.sliding(t)).norm(), 0, 1e-15);
  }
  const Planar w(0.3, 0.4, 0.002);
  EXPECT_NEAR(law.hold(w).xi, finger.hold(w).xi, 1e-14);
}

TEST(SupportLaw, HoldUndoesSliding) {
  const SupportLaw law(feet, std::vector<double>{1, 2, 3}, 2e-3);
  for (int i = 0; i < 200; ++i) {
    const Planar d =
        Planar(std::sin(1.0 * i), std::cos(2.3 * i), std::sin(0.7 * i + 1)) + Planar(0, 0, 1e-3);
    const Planar motion(d.x(), d.y(), d.z() / law.length());
    const Planar w = law.sliding(motion);
    const Hold hold = law.hold(1.7 * w);
    EXPECT_TRUE(hold.found);
    EXPECT_NEAR(hold.xi, 1.7, 1e-12);
    EXPECT_NEAR((hold.direction - d.normalized()).norm(), 0, 1e-6);
  }
}

TEST(SupportLaw, TinySupportsArePoints) {
  const SupportLaw law(feet, std::vector<double>{1, 2, 3}, 1e-6);
  const std::vector<Support> points{{-0.04, -0.04, 1}, {0.08, -0.04, 2}, {-0.04, 0.08, 3}};
  const ExactAreaLaw exact(PressedArea::points(points));
  for (int i = 0; i < 100; ++i) {
    const Planar w(std::sin(1.0 * i), std::cos(2.3 * i), 0.05 * std::sin(0.7 * i + 1));
    const Hold hold = exact.hold(w);
    if (!hold.found) continue;
    EXPECT_NEAR(law.hold(w).xi / hold.xi, 1, 1e-4);
  }
}

TEST(SupportLaw, RefusesWhatCannotCarry) {
  EXPECT_THROW(SupportLaw(feet, std::vector<double>{1, 1}, 1e-3), InputError);
  EXPECT_THROW(SupportLaw(feet, std::vector<double>{1, 1, -1}, 1e-3), InputError);
  EXPECT_THROW(SupportLaw(feet, std::vector<double>{0, 0, 0}, 1e-3), InputError);
  EXPECT_THROW(SupportLaw(feet, std::vector<double>{1, 1, 1}, 0), InputError);
}

TEST(SupportFit, TiltedSharesAreStatics) {
  const std::vector<double> even{1, 1, 1}, odd{3, 1, 2};
  const Point2 centre(0.01, -0.005);
  const auto a = tilted_shares(feet, even, centre), b = tilted_shares(feet, odd, centre);
  ASSERT_TRUE(a && b);
  Point2 sum = Point2::Zero();
  for (std::size_t i = 0; i < 3; ++i) {
    sum += (*a)[i] * feet[i];
    EXPECT_NEAR((*a)[i], (*b)[i], 1e-15);  // three supports leave no choice
  }
  EXPECT_NEAR((sum - centre).norm(), 0, 1e-16);
  EXPECT_NEAR(std::accumulate(a->begin(), a->end(), 0.0), 1, 1e-15);
  EXPECT_FALSE(tilted_shares(feet, even, {0.2, 0}));
  EXPECT_THROW(SupportFamily({.places = feet, .shares = even, .centre = {0.2, 0}}), InputError);
}

/// Pushes of an object whose weight is 2 mm and 1 mm from where it should be.
TEST(SupportFit, FindsTheCentreOfPressure) {
  const Point2 centre(0.002, -0.001);
  const std::vector<double> even{1, 1, 1};
  const SupportLaw truth(feet, *tilted_shares(feet, even, centre), 2e-3);
  const auto samples = limit_samples(truth, 40);
  const SupportFamily family({.places = feet, .shares = even});
  const SupportTable table(family, samples, 0.05);
  std::vector<std::size_t> training(30);
  std::iota(training.begin(), training.end(), std::size_t{0});
  const SupportPosterior belief = posterior(family, table, training);
  EXPECT_NEAR((family.centre(belief.best) - centre).norm(), 0, 1e-9);
  double prior = 0, mean = 0;
  for (std::size_t i = 30; i < 40; ++i) {
    prior += motion_angle(table.prior[i], table.measured[i]);
    mean += motion_angle(mean_motion(table, belief, i), table.measured[i]);
  }
  EXPECT_LT(mean, 0.5 * prior);
  // Nothing seen: the prior's centre is the likeliest.
  EXPECT_EQ(family.centre(posterior(family, table, {}).best), Point2(0, 0));
}

}  // namespace
}  // namespace bristle
