#include <cmath>
#include <memory>
#include <numbers>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "area/reference.hpp"
#include "bristle/area/exact_law.hpp"
#include "bristle/area/law.hpp"
#include "bristle/area/laws.hpp"
#include "bristle/area/linear_ratio_law.hpp"
#include "bristle/friction/kudra.hpp"
#include "support/allocations.hpp"
#include "support/draw.hpp"

namespace bristle {
namespace {

using testing::Draw;
using testing::PlanarReference;

/// Any direction as likely as any other in (v_x, v_y, L ω), every third close to pure sliding and
/// every third close to pure spin.
Planar any_motion(Draw& draw, int i, double length) {
  const double z = draw.between(-1, 1), r = std::sqrt(1 - z * z);
  const Tangent<double, 2> v = draw.vector(r);
  Planar t(v[0], v[1], z / length);
  if (i % 3 == 1) t.z() *= draw.decades(1e-3, 1);
  if (i % 3 == 2) t.head<2>() *= draw.decades(1e-3, 1);
  return t;
}

/// Two areas in units that are not 1, one of them without any symmetry.
PressedArea skew() {
  const std::vector<Point2> corners{{-0.02, -0.01}, {0.03, -0.012}, {0.025, 0.018}, {-0.01, 0.02}};
  return PressedArea::polygon(corners, {.slope = {8, -5}});
}
std::vector<PressedArea> areas() { return {PressedArea::disc(0.01), skew()}; }

Planar direction_of(const AreaLaw& law, const Planar& t) {
  return Planar(t.x(), t.y(), law.length() * t.z()).normalized();
}
/// (T_x, T_y, M/L): all in one unit.
Planar scaled(const AreaLaw& law, const Planar& w) { return {w.x(), w.y(), w.z() / law.length()}; }

/// Whether numerators change sign or terms of the first order are missing at one end, so that
/// several motions have one wrench.
bool folds(const std::string& name, const PressedArea& area) {
  if (name == "I20" || name == "I02") return true;
  return (name == "I10" || name == "I01" || name == "pade2") && !area.is_round();
}

class EveryAreaLaw : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryAreaLaw, IsOddAndOfDegreeZeroAndNothingAtRest) {
  for (const PressedArea& area : areas()) {
    const auto law = make_area_law(GetParam(), area);
    EXPECT_EQ(law->name(), GetParam());
    EXPECT_TRUE(law->sliding(Planar::Zero()).isZero(0));
    EXPECT_EQ(law->speed(Planar::Zero()), 0);
    EXPECT_EQ(law->speed({3, -4, 0}), 5);
    Draw draw(1);
    for (int i = 0; i < 200; ++i) {
      const Planar t = any_motion(draw, i, law->length());
      const Planar s = scaled(*law, law->sliding(t));
      const double factor = draw.decades(1e-100, 1e100);
      EXPECT_LT((scaled(*law, law->sliding(-t)) + s).norm(), 1e-14);
      EXPECT_LT((scaled(*law, law->sliding(factor * t)) - s).norm(), 1e-12) << factor;
      EXPECT_NEAR(law->speed(factor * t) / factor, law->speed(t), 1e-12 * law->speed(t));
      EXPECT_TRUE(s.allFinite());
    }
  }
}

TEST_P(EveryAreaLaw, NeverDrives) {
  for (const PressedArea& area : areas()) {
    if (GetParam() == "I20" || GetParam() == "I02") continue;  // they do; see below
    const auto law = make_area_law(GetParam(), area);
    Draw draw(2);
    for (int i = 0; i < 1000; ++i) {
      const Planar t = any_motion(draw, i, law->length());
      EXPECT_GT(law->sliding(t).dot(t), 0) << area.name() << " " << t.transpose();
    }
  }
}

TEST_P(EveryAreaLaw, HoldsUpToWhatItGivesSliding) {
  for (const PressedArea& area : areas()) {
    const auto law = make_area_law(GetParam(), area);
    const bool exact = GetParam() == "exact";
    // The torque of even orders starts as ω² at pure sliding: the spin is known to half the digits.
    const double close = GetParam() == "I10" || GetParam() == "I01" ? 1e-8 : 1e-12;
    Draw draw(3);
    int lost = 0, other = 0;
    const int many = exact ? 150 : 600;
    for (int i = 0; i < many; ++i) {
      const Planar t = any_motion(draw, i, law->length());
      const double xi = draw.decades(1e-3, 1e3);
      const Planar w = xi * law->sliding(t);
      const Hold hold = law->hold(w);
      lost += !hold.found;
      if (!hold.found) continue;
      // Whatever the direction, its wrench must be this one.
      const Planar d(hold.direction.x(), hold.direction.y(), hold.direction.z() / law->length());
      EXPECT_LT(scaled(*law, hold.xi * law->sliding(d) - w).norm(), 1e-11 * xi);
      EXPECT_NEAR(hold.direction.norm(), 1, 1e-14);
      if (std::abs(hold.xi / xi - 1) > 1e-6) {
        ++other;
        continue;
      }
      EXPECT_NEAR(hold.xi / xi, 1, close);
      EXPECT_LT((hold.direction - direction_of(*law, t)).norm(), 10 * close);
      if (folds(GetParam(), area)) continue;
      EXPECT_NEAR(law->hold_near(w, direction_of(*law, t) + Planar(0.01, 0, -0.01)).xi, xi,
                  close * xi);
    }
    if (folds(GetParam(), area)) {
      EXPECT_LT(lost, many / 20) << area.name();
    } else {
      EXPECT_EQ(lost, 0) << area.name();
      EXPECT_EQ(other, 0) << area.name();
    }
    EXPECT_EQ(law->hold(Planar::Zero()).xi, 0);
    EXPECT_TRUE(law->hold(Planar::Zero()).found);
  }
}

TEST_P(EveryAreaLaw, DerivativesMatchDifferences) {
  for (const PressedArea& area : areas()) {
    const auto law = make_area_law(GetParam(), area);
    const double eta_prime = kudra_peak_factor(2.0), eps = 0.3;
    Draw draw(4);
    for (int i = 0; i < 60; ++i) {
      const Planar t = any_motion(draw, 0, law->length());
      if (std::abs(t.z() * law->length()) < 0.01) continue;
      const Eigen::Matrix3d d = law->derivative(t);
      const Eigen::Matrix3d r = regularised_derivative(*law, t, eps, eta_prime);
      const Planar g = law->speed_gradient(t);
      const Planar unit(1, 1, 1 / law->length());
      for (int j = 0; j < 3; ++j) {
        const Planar h = 1e-5 * unit[j] * Planar::Unit(j);
        const Planar ds = (law->sliding(t + h) - law->sliding(t - h)) / 2e-5;
        const Planar dr =
            (regularised(*law, t + h, eps, eta_prime) - regularised(*law, t - h, eps, eta_prime)) /
            2e-5;
        const double dv = (law->speed(t + h) - law->speed(t - h)) / 2e-5;
        EXPECT_LT(scaled(*law, d.col(j) * unit[j] - ds).norm(), 2e-6);
        EXPECT_LT(scaled(*law, r.col(j) * unit[j] - dr).norm(), 2e-6);
        EXPECT_NEAR(g[j] * unit[j], dv, 2e-6);
      }
      EXPECT_LT(scaled(*law, d * t).norm(), 1e-8);  // Euler: of degree 0
      EXPECT_NEAR(g.dot(t), law->speed(t), 1e-8);   // and 1
    }
  }
}

TEST_P(EveryAreaLaw, SaysTruthfullyWhetherItIsAssociated) {
  for (const PressedArea& area : areas()) {
    const auto law = make_area_law(GetParam(), area);
    Draw draw(5);
    double best = 0, skewness = 0;
    const Planar unit(1, 1, 1 / law->length());
    for (int i = 0; i < 300; ++i) {
      const Planar t = any_motion(draw, 0, law->length()), u = any_motion(draw, 0, law->length());
      if (std::abs(t.z() * law->length()) < 0.01) continue;
      // By how much another wrench of the surface would dissipate more.
      best = std::max(best, (law->sliding(u) - law->sliding(t)).dot(t));
      // A gradient's derivative is symmetric.
      const Eigen::Matrix3d d = unit.asDiagonal() * law->derivative(t) * unit.asDiagonal();
      skewness = std::max(skewness, (d - d.transpose()).norm());
    }
    if (law->is_associated()) {
      EXPECT_LT(best, 1e-13) << area.name();
      EXPECT_LT(skewness, 1e-7) << area.name();
    } else {
      EXPECT_GT(skewness, 1e-3) << area.name();
    }
  }
}

TEST_P(EveryAreaLaw, NothingAllocates) {
  if (testing::allocations() < 0) GTEST_SKIP() << "allocations are not counted here";
  for (const PressedArea& area : areas()) {
    const auto law = make_area_law(GetParam(), area);
    Draw draw(6);
    const long before = testing::allocations();
    double sum = 0;
    for (int i = 0; i < 20; ++i) {
      const Planar t = any_motion(draw, i, law->length());
      const Planar s = law->sliding(t);
      sum += law->hold(0.5 * s).xi + law->hold_near(s, t).xi + law->derivative(t).sum();
      sum += regularised(*law, t, 1e-3, 2).sum() + regularised_derivative(*law, t, 1, 2).sum();
    }
    EXPECT_EQ(testing::allocations(), before) << sum;
  }
}

INSTANTIATE_TEST_SUITE_P(Names, EveryAreaLaw,
                         ::testing::ValuesIn(area_law_names().begin(), area_law_names().end()),
                         [](const auto& law) {
                           std::string name = law.param;
                           std::erase(name, '-');
                           return name;
                         });

// ---- Regularisation ---------------------------------------------------------------------------

TEST(Regularised, PeakFactorsMatchTheReference) {
  for (const auto& row : PlanarReference::rows("eta_prime.csv")) {
    const double eta = std::stod(row[0]), factor = std::stod(row[1]);
    if (eta == 1) continue;  // the limit from above; 1 itself means no peak
    EXPECT_NEAR(kudra_peak_factor(eta), factor, 1e-12 * factor) << eta;
  }
  for (const auto& e : PlanarReference::entries("eta_prime")) {
    const double eta = e["parameters"]["eta"], factor = e["value"];
    if (eta == 1) continue;
    EXPECT_NEAR(kudra_peak_factor(eta), factor, 1e-12 * factor) << eta;
  }
  EXPECT_EQ(kudra_peak_factor(1.0), 0);
  EXPECT_NEAR(kudra_peak_factor(1 + 1e-12), 1.1499288835389836, 1e-9);
}

TEST(Regularised, PeakIsTheStaticLevelWhereTheReferenceHasIt) {
  const LinearRatioLaw law({}, 1.7, 0.8);
  const double eps = 1e-3;
  Draw draw(7);
  for (const auto& e : PlanarReference::entries("v_over_eps_at_max")) {
    const double eta = e["parameters"]["eta"], at = e["value"];
    if (eta == 1) continue;
    Planar t = any_motion(draw, 0, law.length());
    t /= law.speed(t);
    const Planar s = law.sliding(t);
    const auto level = [&](double x) {
      return regularised(law, x * eps * t, eps, kudra_peak_factor(eta)).dot(s) / s.squaredNorm();
    };
    EXPECT_NEAR(level(at), eta, 1e-9 * eta);
    EXPECT_LT(level(at * 1.01), level(at));
    EXPECT_LT(level(at * 0.99), level(at));
    EXPECT_NEAR(level(1e6), 1, 1e-11);
    EXPECT_NEAR(level(1e90), 1, 1e-14);
  }
}

TEST(Regularised, LeavesRestAlongAStraightLine) {
  const LinearRatioLaw law({0.1, -0.2, 0.6, 0.05, 0.1}, 1.7, 0.8);
  const Planar t(0.3, -0.2, 0.5);
  const Planar near = regularised(law, 1e-9 * t, 1e-3, 3) / 1e-9;
  const Eigen::Matrix3d at_rest = regularised_derivative(law, Planar::Zero(), 1e-3, 3);
  EXPECT_LT((at_rest * t - near).norm(), 1e-6 * near.norm());
  EXPECT_TRUE(regularised(law, Planar::Zero(), 1e-3, 3).isZero(0));
}

// ---- Holding against the reference --------------------------------------------------------------

void expect_hold(const AreaLaw& law, const std::array<double, 3>& u, double xi, double theta,
                 double phi, double close) {
  const Hold hold = law.hold({-u[0], -u[1], -u[2]});
  const Planar d(hold.direction.x(), hold.direction.y(), hold.direction.z() / law.length());
  const double v = std::hypot(d.x(), d.y());
  EXPECT_TRUE(hold.found);
  EXPECT_NEAR(hold.xi, xi, close * xi);
  EXPECT_NEAR(std::atan2(d.z(), v), theta, close);
  if (v < 1e-6) return;
  EXPECT_NEAR(std::remainder(std::atan2(d.y(), d.x()) - phi, 2 * std::numbers::pi), 0, close);
}

TEST(AreaHold, MatchesTheReferenceTable) {
  for (const auto& row : PlanarReference::rows("stick_xi.csv")) {
    SCOPED_TRACE(row[0] + " " + row[1] + " " + row[2] + " " + row[3]);
    const std::array<double, 3> u{std::stod(row[1]), std::stod(row[2]), std::stod(row[3])};
    const double xi = std::stod(row[4]), theta = std::stod(row[5]), phi = std::stod(row[6]);
    if (row[0] == "I00_m2_b1") {
      expect_hold(LinearRatioLaw({}, 2, 1), u, xi, theta, phi, 1e-12);
    } else {
      const std::string shape = row[0].substr(0, row[0].size() - std::string("_exact").size());
      expect_hold(ExactAreaLaw(PlanarReference::area(shape)), u, xi, theta, phi,
                  shape == "disc_uniform" ? 2e-9 : 1e-7);
    }
  }
}

TEST(AreaHold, MatchesTheReferenceEntries) {
  for (const auto& e : PlanarReference::entries("xi_")) {
    const std::string name = e["name"];
    SCOPED_TRACE(name + e["parameters"].dump());
    const std::array<double, 3> u = e["parameters"]["u"], value = e["value"];
    const double close = std::max(e["tolerance"].get<double>(), 2e-12);
    const std::unique_ptr<AreaLaw> law =
        name.starts_with("xi_I00")
            ? std::unique_ptr<AreaLaw>(std::make_unique<LinearRatioLaw>(LinearMoments{}, 2, 1))
            : std::make_unique<ExactAreaLaw>(PlanarReference::area(name.substr(9)));
    expect_hold(*law, u, value[0], value[1], value[2], close);
  }
}

/// Newton for any law against the closed form, on the same law.
TEST(AreaHold, GenericAgreesWithClosedForm) {
  class Plain final : public AreaLaw {
   public:
    explicit Plain(const LinearRatioLaw& law) : AreaLaw(law.length()), law_(law) {}
    std::string name() const override { return "plain"; }
    Planar sliding(const Planar& t) const noexcept override { return law_.sliding(t); }

   private:
    const LinearRatioLaw& law_;
  };
  Draw draw(8);
  for (const double m : {1.1, 1.74, 2.0, 5.0, 30.0}) {
    for (const double b : {0.1, 0.7, 4.0}) {
      const LinearRatioLaw law({0.1, -0.2, 0.6, 0.05, 0.1}, m, b);
      const Plain plain(law);
      for (int i = 0; i < 100; ++i) {
        const Planar w = any_motion(draw, i, 1);
        const Hold a = law.hold(w), c = plain.hold(w);
        ASSERT_TRUE(c.found) << m << " " << b << " " << w.transpose();
        EXPECT_NEAR(c.xi / a.xi, 1, 1e-12);
        EXPECT_LT((c.direction - a.direction).norm(), 1e-11);
      }
    }
  }
}

}  // namespace
}  // namespace bristle
