#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "area/reference.hpp"
#include "bristle/area/ellipsoid_law.hpp"
#include "bristle/area/exact_law.hpp"
#include "bristle/area/linear_ratio_law.hpp"
#include "bristle/area/pade_law.hpp"
#include "bristle/area/push_fit.hpp"
#include "bristle/area/quartic_law.hpp"
#include "bristle/area/shifted_law.hpp"
#include "bristle/contact/patch_friction.hpp"
#include "bristle/core/error.hpp"
#include "support/draw.hpp"

namespace bristle {
namespace {

using testing::Draw;
using testing::PlanarReference;

constexpr double pi = std::numbers::pi;

// ---- Ellipsoids
// -----------------------------------------------------------------------------------

struct Extremes {
  double radial = 0, force = 0, torque = 0;
};
/// Of a law against the exact friction of a round area of radius 1, over all θ.
Extremes against_exact(const AreaLaw& law, const PressedArea& area) {
  Extremes x;
  for (int i = 0; i <= 4000; ++i) {
    const double theta = pi / 2 * i / 4000;
    const Planar t(std::cos(theta), 0, std::sin(theta));
    const Planar exact = exact_friction(area, t).wrench, own = law.sliding(t);
    const double radial = law.hold(exact).xi - 1;
    if (std::abs(radial) > std::abs(x.radial)) x.radial = radial;
    x.force = std::max(x.force, std::abs(own.x() - exact.x()));
    x.torque = std::max(x.torque, std::abs(own.z() - exact.z()));
  }
  return x;
}

TEST(EllipsoidLaw, IsAsFarFromExactAsTheReferenceSays) {
  for (const auto& e : PlanarReference::entries("howe_cutkosky")) {
    const PressedArea area = PlanarReference::area(e["parameters"]["shape"]);
    const auto& v = e["value"];
    const Extremes x = against_exact(EllipsoidLaw::of(area), area);
    EXPECT_NEAR(x.radial, v["signed"].get<double>(), 1e-6);
    EXPECT_NEAR(x.force, v["associated_maxT"].get<double>(), 1e-5);
    EXPECT_NEAR(x.torque, v["associated_maxM"].get<double>(), 1e-5);
    const LinearMoments moments{.distance = mean_distance(area)};
    const Extremes one = against_exact(LinearRatioLaw(moments, 2, 1), area);
    EXPECT_NEAR(one.force, v["b1_maxT"].get<double>(), 1e-5);
    EXPECT_NEAR(one.torque, v["b1_maxM"].get<double>(), 1e-5);
    // The limit surface of I_{0,0} does not depend on b, and its best exponent is the reference's.
    const double m = v["best_superellipse_m"];
    for (const double b : {0.5, 1.0}) {
      EXPECT_NEAR(std::abs(against_exact(LinearRatioLaw(moments, m, b), area).radial),
                  v["best_superellipse_maxerr"].get<double>(), 1e-4);
    }
  }
}

TEST(EllipsoidLaw, IsTheLinearRatioLawOfTheSameArea) {
  const PressedArea disc = PressedArea::disc(0.3);
  const EllipsoidLaw ellipsoid = EllipsoidLaw::of(disc);
  const LinearRatioLaw linear({.distance = 0.2}, 2, 0.2);
  Draw draw(1);
  for (int i = 0; i < 100; ++i) {
    const Planar t = draw.place(1);
    EXPECT_LT((ellipsoid.sliding(t) - linear.sliding(t)).norm(), 1e-14);
    EXPECT_LT((ellipsoid.derivative(t) - linear.derivative(t)).norm(), 1e-12);
    EXPECT_NEAR(ellipsoid.hold(t).xi, linear.hold(t).xi, 1e-12);
  }
}

TEST(EllipsoidLaw, KnowsNothingOfThePole) {
  const PressedArea here = PressedArea::rectangle(0.2, 0.1, {.slope = {3, 1}});
  const PressedArea away = here.moved({0.4, -0.3}, 0.7);
  const PressedArea turned = here.moved({0, 0}, 0.7);
  Draw draw(2);
  for (const bool factors : {false, true}) {
    const EllipsoidLaw law = factors ? EllipsoidLaw::contensou(away) : EllipsoidLaw::of(away);
    const ShiftedLaw shifted(
        std::make_unique<EllipsoidLaw>(factors ? EllipsoidLaw::contensou(turned)
                                               : EllipsoidLaw::of(turned)),
        Point2(0.4, -0.3));
    for (int i = 0; i < 50; ++i) {
      const Planar t = draw.place(1);
      EXPECT_LT((law.sliding(t) - shifted.sliding(t)).norm(), 1e-12);
      EXPECT_LT((law.derivative(t) - shifted.derivative(t)).norm(), 1e-10);
      EXPECT_NEAR(law.hold(t).xi, shifted.hold(t).xi, 1e-11 * law.hold(t).xi);
    }
  }
}

TEST(EllipsoidLaw, ContensouFactorsAreThoseOfThePatch) {
  PatchFriction patch{.mu_s = 0.3, .mu_k = 0.3, .v_s = 1e-9, .coupling = SpinCoupling::contensou};
  const PressedArea disc = PressedArea::disc(0.01);
  const double r = disc.gyration();
  const EllipsoidLaw law = EllipsoidLaw::contensou(disc);
  Draw draw(3);
  for (int i = 0; i < 50; ++i) {
    const Planar t = draw.place(1);
    const Planar u(t.x(), t.y(), r * t.z());
    const Planar settled = patch.wrench({.u = u, .fn = 1, .r_gyr = r}, {}) / 0.3;
    const Planar s = law.sliding(t);
    EXPECT_LT((Planar(s.x(), s.y(), s.z() / r) - settled).norm(), 1e-9);
  }
}

TEST(EllipsoidLaw, RefusesWhatIsNone) {
  const std::vector<Support> one{{0.1, 0.2, 1}};
  EXPECT_THROW(EllipsoidLaw::of(PressedArea::points(one)), InputError);
  EXPECT_THROW(EllipsoidLaw(Planar(1, 1, -1).asDiagonal()), InputError);
}

// ---- Padé -------------------------------------------------------------------------------------

TEST(PadeLaw, IsZhuravlevsOnARoundHertzianPatch) {
  const double radius = 0.02;
  const RatioMoments m =
      RatioMoments::of(PressedArea::disc(radius, {.kind = Pressure::Kind::hertz}));
  const PadeLaw law(m, PadeLaw::Order::first);
  Draw draw(4);
  for (int i = 0; i < 50; ++i) {
    const double v = draw.between(0, 1), u = draw.between(0, 1);  // u = R ω
    const Planar s = law.sliding({v, 0, u / radius});
    EXPECT_NEAR(s.x(), v / (v + 8 / (3 * pi) * u), 1e-13);
    EXPECT_NEAR(s.z(), 3 * pi / 16 * radius * u / (u + 15 * pi / 16 * v), 1e-13 * radius);
  }
}

TEST(PadeLaw, HasTheEndsOfTheExactFriction) {
  const PressedArea area = PressedArea::disc(1, {.slope = {0.5, 0.25}});
  const RatioMoments m = RatioMoments::of(area);
  const double h = 1e-4;
  for (const auto order : {PadeLaw::Order::first, PadeLaw::Order::second}) {
    const PadeLaw law(m, order);
    for (const double phi : {0.2, 2.0, 4.5}) {
      for (const double sense : {1.0, -1.0}) {
        const Planar e(std::cos(phi), std::sin(phi), 0), spin = sense * Planar::UnitZ();
        const auto miss = [&](const Planar& t) -> Planar {
          return law.sliding(t) - exact_friction(area, t).wrench;
        };
        EXPECT_LT(miss(e).norm(), 1e-13);
        EXPECT_LT(miss(spin).norm(), 1e-13);
        // The slopes it promises: of the force along e at pure spin, of the torque at sliding.
        EXPECT_LT(std::abs(miss(h * e + spin).dot(e)), 20 * h * h);
        EXPECT_LT(std::abs(miss(e + h * spin).z()), 10 * h * h);
        if (order == PadeLaw::Order::first) continue;
        EXPECT_LT(miss(e + h * spin).norm(), 10 * h * h);
        EXPECT_LT(std::abs(miss(h * e + spin).z()), 10 * h * h * h);
      }
    }
  }
}

// ---- Supports -----------------------------------------------------------------------------------

TEST(ExactAreaLaw, TurnsAboutASupportWhereTheSurfaceIsFlat) {
  const std::vector<Support> feet{{0.03, 0.09, 1}, {0.03, 0.03, 2}, {0.09, 0.03, 1.5}};
  const PressedArea area = PressedArea::points(feet);
  const ExactAreaLaw law(area);
  Draw draw(5);
  int flat = 0;
  for (int i = 0; i < 300; ++i) {
    const PointPiece& foot = area.points()[static_cast<std::size_t>(i % 3)];
    const double sense = i % 2 == 0 ? 1 : -1;
    // Turn about the foot; its own force is anything it can bear.
    Planar w = Planar::Zero();
    const auto add = [&](const PointPiece& p, const Point2& f) {
      w += p.share * Planar(f.x(), f.y(), p.place.x() * f.y() - p.place.y() * f.x());
    };
    for (const PointPiece& p : area.points()) {
      const Point2 arm = p.place - foot.place;
      if (arm.norm() > 0) add(p, sense * Point2(-arm.y(), arm.x()).normalized());
    }
    add(foot, draw.vector(draw.between(0, 0.999)));
    const double xi = draw.decades(0.01, 100);
    const Hold hold = law.hold(xi * w);
    ASSERT_TRUE(hold.found);
    EXPECT_NEAR(hold.xi / xi, 1, 1e-12);
    const Planar d = sense * Planar(foot.place.y(), -foot.place.x(), law.length());
    EXPECT_LT((hold.direction - d.normalized()).norm(), 1e-12);
    ++flat;
  }
  EXPECT_EQ(flat, 300);
}

TEST(ExactAreaLaw, HoldsEveryWrenchOnSupports) {
  const std::vector<std::vector<Support>> sets{
      {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}},
      {{-1, -1, 1}, {1, -1, 2}, {1, 1, 3}, {-1, 1, 4}},
      {{0.5, 0, 1}, {-0.5, 0.1, 1}, {0, 0.8, 1}, {0.1, -0.7, 0.5}, {0.9, 0.9, 0.2}}};
  for (const auto& set : sets) {
    const ExactAreaLaw law(PressedArea::points(set));
    Draw draw(6);
    for (int i = 0; i < 500; ++i) {
      const Planar w = draw.place(1);
      const Hold hold = law.hold(w);
      ASSERT_TRUE(hold.found) << w.transpose();
      // ξ is the most of w·t over the power of t, and this t attains it.
      Planar t = hold.direction;
      t.z() /= law.length();
      EXPECT_NEAR(w.dot(t) / law.sliding(t).dot(t), hold.xi, 1e-11 * hold.xi);
      for (int j = 0; j < 20; ++j) {
        const Planar u = draw.place(1);
        EXPECT_LT(w.dot(u) / law.sliding(u).dot(u), hold.xi * (1 + 1e-12));
      }
    }
  }
}

TEST(ExactAreaLaw, HoldsEveryWrenchOnAreas) {
  const std::vector<Point2> l_shape{{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}};
  const std::vector<PressedArea> areas{
      PressedArea::polygon(l_shape), PressedArea::rectangle(2, 0.01),
      PressedArea::rectangle(1, 1).moved({3, 2}, 0.4), PressedArea::annulus(0.9, 1)};
  for (const PressedArea& area : areas) {
    const ExactAreaLaw law(area);
    Draw draw(7);
    for (int i = 0; i < 200; ++i) {
      const Planar w = draw.place(1).cwiseProduct(Planar(1, 1, law.length()));
      const Hold hold = law.hold(w);
      ASSERT_TRUE(hold.found) << area.name() << " " << w.transpose();
      Planar t = hold.direction;
      t.z() /= law.length();
      EXPECT_NEAR(w.dot(t) / law.sliding(t).dot(t), hold.xi, 1e-11 * hold.xi) << area.name();
    }
  }
}

TEST(ExactAreaLaw, SaysThatOneSupportHoldsNoTorque) {
  const std::vector<Support> one{{0, 0, 1}};
  const ExactAreaLaw law(PressedArea::points(one));
  EXPECT_FALSE(law.hold({0.1, 0, 0.2}).found);
  EXPECT_NEAR(law.hold({0.3, 0.4, 0}).xi, 0.5, 1e-12);
}

// ---- Quartics -----------------------------------------------------------------------------------

/// The least eigenvalue of the Hessian over the sphere, over the largest.
double convexity(const Quartic& h) {
  double least = 1e300, most = 0;
  for (int i = 0; i < 3000; ++i) {
    const double z = (2 * i + 1.0) / 3000 - 1, r = std::sqrt(1 - z * z), a = 2.399963 * i;
    const QuarticValue q = quartic_value(h, {r * std::cos(a), r * std::sin(a), z});
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(q.hessian);
    least = std::min(least, eigen.eigenvalues()[0]);
    most = std::max(most, eigen.eigenvalues()[2]);
  }
  return least / most;
}

TEST(Quartic, DerivativesMatchDifferences) {
  Draw draw(8);
  Quartic h{};
  for (double& c : h) c = draw.between(-1, 1);
  for (int i = 0; i < 20; ++i) {
    const Planar w = draw.place(1);
    const QuarticValue q = quartic_value(h, w);
    EXPECT_NEAR(q.gradient.dot(w), 4 * q.value, 1e-13);
    for (int j = 0; j < 3; ++j) {
      const Planar d = 1e-5 * Planar::Unit(j);
      const QuarticValue a = quartic_value(h, w + d), b = quartic_value(h, w - d);
      EXPECT_NEAR(q.gradient[j], (a.value - b.value) / 2e-5, 1e-8);
      EXPECT_LT((q.hessian.col(j) - (a.gradient - b.gradient) / 2e-5).norm(), 1e-8);
    }
  }
}

TEST(Quartic, MarginTellsSumsOfFourthPowers) {
  const auto plane = [](double alpha) {  // x⁴ + 2α x²y² + y⁴ and the same with z
    Quartic h{};
    h[0] = h[10] = h[14] = 1;
    h[3] = h[5] = h[12] = 2 * alpha;
    return h;
  };
  EXPECT_GT(quartic_margin(plane(1)), 0.1);  // the ball
  EXPECT_GT(quartic_margin(plane(1.4)), 0);
  EXPECT_LT(quartic_margin(plane(-0.1)), 0);
  EXPECT_LT(quartic_margin(plane(3.1)), 0);
  EXPECT_LT(convexity(plane(3.1)), 0);
  EXPECT_THROW(QuarticLaw(plane(3.1), 1), InputError);
  EXPECT_NO_THROW(QuarticLaw(plane(1), 1));
}

TEST(Quartic, FitIsConvexAndFindsAQuarticAgain) {
  Draw draw(9);
  for (int round = 0; round < 20; ++round) {
    std::vector<LimitSample> samples;
    Quartic truth{};
    for (int k = 0; k < 30; ++k) {  // a sum of fourth powers, by its value on monomials
      const Planar l = draw.place(1);
      int n = 0;
      for (int i = 4; i >= 0; --i) {
        for (int j = 4 - i; j >= 0; --j, ++n) {
          const int m = 4 - i - j;
          const double times =
              std::tgamma(5) / std::tgamma(i + 1) / std::tgamma(j + 1) / std::tgamma(m + 1);
          truth[static_cast<std::size_t>(n)] +=
              times * std::pow(l.x(), i) * std::pow(l.y(), j) * std::pow(l.z(), m);
        }
      }
    }
    const QuarticLaw law(truth, 0.5);
    const QuarticFit fit = fit_quartic(limit_samples(law, 60), 0.5);
    // As far as the barrier that keeps it convex lets it.
    EXPECT_LT(fit.radius_rms, 1e-3);
    EXPECT_LT(fit.angle_rms, 1e-3);
    for (std::size_t n = 0; n < 15; ++n)
      EXPECT_NEAR(fit.coefficients[n], truth[n], 1e-2 * truth[0]);
  }
}

TEST(Quartic, FitsExactSurfacesAndStaysConvexWhereTheyAreFlat) {
  const std::vector<Support> feet{{0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  const std::vector<Support> two{{-1, 0, 1}, {1, 0, 1}};
  struct Case {
    PressedArea area;
    double radius, angle;
  };
  const std::vector<Case> cases{{PressedArea::disc(0.1), 0.005, 0.03},
                                {PressedArea::annulus(0.05, 0.1), 0.004, 0.03},
                                {PressedArea::rectangle(0.2, 0.1), 0.01, 0.08},
                                {PressedArea::points(feet).moved({-1. / 3, -1. / 3}), 0.05, 0.3},
                                {PressedArea::points(two), 0.1, 0.5}};
  for (const Case& c : cases) {
    const ExactAreaLaw exact(c.area);
    const QuarticFit fit = fit_quartic(limit_samples(exact, 1000), exact.length());
    EXPECT_LT(fit.radius_rms, c.radius) << c.area.name();
    EXPECT_LT(fit.angle_rms, c.angle) << c.area.name();
    EXPECT_GE(quartic_margin(fit.coefficients), -1e-12) << c.area.name();
    EXPECT_GE(convexity(fit.coefficients), -1e-12) << c.area.name();
    // And the law they make slides and holds consistently.
    const QuarticLaw law(fit.coefficients, exact.length());
    Draw draw(10);
    for (int i = 0; i < 100; ++i) {
      const Planar t = draw.place(1), s = law.sliding(t);
      EXPECT_NEAR(law.hold(s).xi, 1, 1e-12);
      const Planar d(t.x(), t.y(), t.z() * law.length());
      EXPECT_LT((law.hold(s).direction - d.normalized()).norm(), 1e-7) << c.area.name();
    }
  }
}

TEST(Quartic, FewAndNoisyDataStillMakeALimitSurface) {
  const ExactAreaLaw exact(PressedArea::rectangle(0.2, 0.1));
  Draw draw(11);
  std::vector<LimitSample> samples = limit_samples(exact, 8);
  for (LimitSample& s : samples) {
    s.wrench += 0.05 * draw.place(1).cwiseProduct(Planar(1, 1, exact.length()));
  }
  samples[1].motion = Planar::Zero();  // only the wrench is known
  const QuarticFit fit = fit_quartic(samples, exact.length());
  EXPECT_GE(quartic_margin(fit.coefficients), -1e-12);
  EXPECT_LT(fit.radius_rms, 0.06);
  EXPECT_THROW(fit_quartic({}, 1), InputError);
  samples[2].wrench.x() = std::nan("");
  EXPECT_THROW(fit_quartic(samples, 1), InputError);
}

}  // namespace
}  // namespace bristle
