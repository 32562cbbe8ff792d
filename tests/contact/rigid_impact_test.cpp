#include "bristle/contact/rigid_impact.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "support/paths.hpp"

namespace bristle::testing {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;
constexpr std::array laws{ImpactLaw::newton, ImpactLaw::poisson, ImpactLaw::stronge};

double kinetic_change(const ContactInertia& w, const Vector2d& v, const Vector2d& p) {
  return p.dot(v + 0.5 * w.change(p));
}

// ---- the double pendulum of the literature ------------------------------------------------------
/// Two rods, l = 1 m, m = 2 kg, J = 1/6 kg m² about their middles; θ absolute, from the downward
/// vertical. The tip hits the floor.
struct Pendulum {
  Vector2d theta, rate;

  Matrix2d mass() const {
    const double outer = 2.0 / 4 + 1.0 / 6, c = std::cos(theta[0] - theta[1]);
    return Matrix2d{{outer + 2, c}, {c, outer}};
  }
  /// Velocity of the tip, rows tangential and normal, by the rates of θ.
  Matrix2d tip() const {
    return Matrix2d{{std::cos(theta[0]), std::cos(theta[1])},
                    {std::sin(theta[0]), std::sin(theta[1])}};
  }
  double kinetic() const { return 0.5 * rate.dot(mass() * rate); }
  ContactInertia inertia() const {
    const Matrix2d w = tip() * mass().inverse() * tip().transpose();
    return {w(0, 0), w(0, 1), w(1, 1)};
  }
  double loss_percent(double mu, double e, ImpactLaw law) const {
    return 100 * rigid_impact(inertia(), tip() * rate, mu, e, law).energy_lost / kinetic();
  }
};

Pendulum benchmark(char which, bool relative) {
  constexpr double degree = std::numbers::pi / 180;
  Vector2d phi = (which == 'a' ? Vector2d(18, 12) : Vector2d(0, 20.7)) * degree;
  Vector2d rate(-1, -1);
  if (relative) {
    phi[1] += phi[0];
    rate[1] += rate[0];
  }
  return {phi, rate};
}

TEST(RigidImpact, PendulumLosesWhatRouthsMethodSays) {
  const Pendulum a = benchmark('a', false);
  EXPECT_NEAR(a.loss_percent(0.1, 0.01, ImpactLaw::newton), 76.9058438749, 1e-9);
  EXPECT_NEAR(a.loss_percent(0.1, 0.01, ImpactLaw::poisson), 76.7707304353, 1e-9);
  EXPECT_NEAR(a.loss_percent(0.1, 0.01, ImpactLaw::stronge), 76.8031321919, 1e-9);
  EXPECT_LT(a.loss_percent(0.5, 1, ImpactLaw::newton), -400);  // Newton's law creates energy
}

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> list;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) {
    if (cell.ends_with('\r')) cell.pop_back();
    list.push_back(cell);
  }
  return list;
}

TEST(RigidImpact, PendulumAgreesWithTheWholeReference) {
  const std::string path = testing_support::reference_dir() + "/contact/csv/s3_benchmark.csv";
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> header = cells(line);
  const auto column = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
  };
  int rows = 0;
  while (std::getline(file, line)) {
    const std::vector<std::string> row = cells(line);
    const auto number = [&](const std::string& name) { return std::stod(row.at(column(name))); };
    const Pendulum pendulum =
        benchmark(row.at(column("case"))[0], row.at(column("angles")) == "rel");
    const double mu = number("mu"), e = number("e");
    const auto compare = [&](const std::string& name, double restitution, ImpactLaw law) {
      const double error = pendulum.loss_percent(mu, restitution, law) - number(name);
      EXPECT_NEAR(error, 0, 1e-9 * std::max(1.0, std::abs(number(name)))) << name << ": " << line;
    };
    compare("Newton", e, ImpactLaw::newton);
    compare("Poisson", e, ImpactLaw::poisson);
    compare("Stronge", e, ImpactLaw::stronge);
    if (e == 0.01) compare("Poisson e=0", 0, ImpactLaw::poisson);  // blank in the other rows
    const RigidImpact stronge =
        rigid_impact(pendulum.inertia(), pendulum.tip() * pendulum.rate, mu, e, ImpactLaw::stronge);
    EXPECT_NEAR(stronge.velocity[0], number("vt1 Stronge"), 1e-10) << line;
    ++rows;
  }
  EXPECT_EQ(rows, 132);
}

// ---- a second method: small steps of normal impulse ---------------------------------------------
/// Each step takes the friction that brings slip to rest if μ allows, and as much of it as μ allows
/// if not.
RigidImpact stepped(const ContactInertia& w, Vector2d v, double mu, double e, ImpactLaw law,
                    double step) {
  RigidImpact r;
  const double approach = -v[1];
  double compression_work = 0;
  const auto over = [&] {
    if (v[1] < 0) return false;
    switch (law) {
      case ImpactLaw::newton:
        return v[1] >= e * approach;
      case ImpactLaw::poisson:
        return r.impulse[1] >= (1 + e) * r.compression;
      default:
        return r.normal_work >= (1 - e * e) * compression_work;
    }
  };
  while (!over()) {
    const double needed = -(v[0] / step + w.w_tn) / w.w_tt;
    const Vector2d p(std::clamp(needed, -mu, mu) * step, step);
    const Vector2d after = v + w.change(p);
    r.normal_work += 0.5 * (v[1] + after[1]) * p[1];
    r.tangential_work += 0.5 * (v[0] + after[0]) * p[0];
    r.impulse += p;
    v = after;
    if (v[1] < 0) {
      r.compression = r.impulse[1];
      compression_work = r.normal_work;
    }
  }
  r.velocity = v;
  return r;
}

/// Random impacts, among them many in which slip stops, turns round or jams.
struct Case {
  ContactInertia w;
  Vector2d v;
  double mu, e;
};
template <class Check>
void for_random_impacts(int cases, Check&& check) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int k = 0; k < cases; ++k) {
    const double w_tt = 0.2 + 4 * unit(random), w_nn = 0.2 + 2 * unit(random);
    const double coupling = (2 * unit(random) - 1) * 0.98;
    check(Case{{w_tt, coupling * std::sqrt(w_tt * w_nn), w_nn},
               {2 * unit(random) - 1, -0.05 - unit(random)},
               1.5 * unit(random),
               unit(random)});
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(RigidImpact, AgreesWithSmallSteps) {
  std::array<int, 3> met{};
  int jammed = 0;
  for_random_impacts(300, [&](const Case& c) {
    for (const ImpactLaw law : laws) {
      const RigidImpact exact = rigid_impact(c.w, c.v, c.mu, c.e, law);
      ++met[static_cast<std::size_t>(exact.slip)];
      jammed += exact.jammed ? 1 : 0;
      const RigidImpact steps = stepped(c.w, c.v, c.mu, c.e, law, 1e-4 * exact.impulse[1]);
      const double scale = exact.impulse[1];
      ASSERT_NEAR(steps.impulse[1] / scale, 1, 1e-3);
      ASSERT_NEAR(steps.impulse[0] / scale, exact.impulse[0] / scale, 1e-3);
      ASSERT_NEAR((steps.velocity - exact.velocity).norm(), 0, 5e-3);
      ASSERT_NEAR(steps.tangential_work, exact.tangential_work, 2e-3 * (scale + 1));
    }
  });
  for (const int n : met) EXPECT_GT(n, 50);
  EXPECT_GT(jammed, 10);
}

// ---- what each answer must fulfil ---------------------------------------------------------------
TEST(RigidImpact, ObeysFrictionRestitutionAndTheEnergyBalance) {
  double gain_poisson = 0, gain_stronge = 0;
  for_random_impacts(20000, [&](const Case& c) {
    for (const ImpactLaw law : laws) {
      const RigidImpact r = rigid_impact(c.w, c.v, c.mu, c.e, law);
      ASSERT_LE(std::abs(r.impulse[0]), c.mu * r.impulse[1] * (1 + 1e-14));
      ASSERT_GE(r.velocity[1], -1e-15);
      ASSERT_LE(r.tangential_work, 1e-16);
      const double error = std::max((c.v + c.w.change(r.impulse) - r.velocity).norm(),
                                    std::abs(kinetic_change(c.w, c.v, r.impulse) + r.energy_lost) /
                                        (1 + std::abs(r.energy_lost)));
      ASSERT_LT(error, 1e-10);
      if (law == ImpactLaw::newton) {
        ASSERT_NEAR(r.velocity[1], -c.e * c.v[1], 1e-12);
      }
      if (law == ImpactLaw::poisson) {
        ASSERT_NEAR(r.impulse[1], (1 + c.e) * r.compression, 1e-12 * r.impulse[1]);
        gain_poisson = std::max(gain_poisson, -r.energy_lost);
      }
      if (law == ImpactLaw::stronge) gain_stronge = std::max(gain_stronge, -r.energy_lost);
    }
  });
  EXPECT_LT(gain_stronge, 1e-13);
  EXPECT_LT(gain_poisson, 1e-13);
}

TEST(RigidImpact, LawsAgreeWhileSlipGoesOn) {
  int met = 0;
  for_random_impacts(5000, [&](const Case& c) {
    const RigidImpact newton = rigid_impact(c.w, c.v, c.mu, c.e, ImpactLaw::newton);
    const RigidImpact poisson = rigid_impact(c.w, c.v, c.mu, c.e, ImpactLaw::poisson);
    const RigidImpact stronge = rigid_impact(c.w, c.v, c.mu, c.e, ImpactLaw::stronge);
    if (stronge.slip != ImpactSlip::slides || newton.slip != ImpactSlip::slides) return;
    ++met;
    ASSERT_LT((newton.impulse - stronge.impulse).norm(), 1e-12 * newton.impulse.norm());
    ASSERT_LT((poisson.impulse - stronge.impulse).norm(), 1e-12 * newton.impulse.norm());
  });
  EXPECT_GT(met, 500);
}

TEST(RigidImpact, IsMirrorSymmetric) {
  for_random_impacts(2000, [](const Case& c) {
    for (const ImpactLaw law : laws) {
      const RigidImpact one = rigid_impact(c.w, c.v, c.mu, c.e, law);
      const RigidImpact other =
          rigid_impact({c.w.w_tt, -c.w.w_tn, c.w.w_nn}, {-c.v[0], c.v[1]}, c.mu, c.e, law);
      ASSERT_EQ(one.impulse[0], -other.impulse[0]);
      ASSERT_EQ(one.impulse[1], other.impulse[1]);
      ASSERT_EQ(one.slip, other.slip);
    }
  });
}

TEST(RigidImpact, WithoutFrictionAndFullyElasticNothingIsLost) {
  for_random_impacts(1000, [](const Case& c) {
    for (const ImpactLaw law : laws) {
      const RigidImpact r = rigid_impact(c.w, c.v, 0, 1, law);
      ASSERT_EQ(r.impulse[0], 0);
      ASSERT_NEAR(r.velocity[1], -c.v[1], 1e-14);
      ASSERT_NEAR(r.energy_lost, 0, 1e-14 * r.impulse[1]);
    }
  });
}

TEST(RigidImpact, PlasticImpactsOfAllLawsAreOne) {
  for_random_impacts(1000, [](const Case& c) {
    const RigidImpact newton = rigid_impact(c.w, c.v, c.mu, 0, ImpactLaw::newton);
    for (const ImpactLaw law : laws) {
      const RigidImpact r = rigid_impact(c.w, c.v, c.mu, 0, law);
      ASSERT_NEAR(r.velocity[1], 0, 1e-15);
      ASSERT_LT((r.impulse - newton.impulse).norm(), 1e-13 * r.impulse[1]);
    }
  });
}

// A ball without spin: w_tt = 7/(2m), w_tn = 0. It rolls off with 5/7 of its speed if μ allows.
TEST(RigidImpact, BallOnTheFloor) {
  const double m = 2, mu = 0.4;
  const ContactInertia w{3.5 / m, 0, 1 / m};
  for (const ImpactLaw law : laws) {
    const RigidImpact rolls = rigid_impact(w, {1, -1}, mu, 0.5, law);
    EXPECT_EQ(rolls.slip, ImpactSlip::sticks);
    EXPECT_NEAR(rolls.impulse[0], -m * 2.0 / 7, 1e-15);
    EXPECT_NEAR(rolls.velocity[0], 0, 1e-15);
    EXPECT_NEAR(rolls.velocity[1], 0.5, 1e-15);
    const RigidImpact slides = rigid_impact(w, {10, -1}, mu, 0.5, law);
    EXPECT_EQ(slides.slip, ImpactSlip::slides);
    EXPECT_NEAR(slides.impulse[0], -mu * m * 1.5, 1e-15);
  }
}

TEST(RigidImpact, LeavesAloneWhatDoesNotApproach) {
  const RigidImpact r = rigid_impact({1, 0.5, 1}, {1, 0}, 0.5, 0.5, ImpactLaw::stronge);
  EXPECT_EQ(r.impulse, Vector2d::Zero());
  EXPECT_EQ(r.velocity, Vector2d(1, 0));
  EXPECT_EQ(rigid_impact({1, 0.5, 1}, {1, 2}, 0.5, 0.5, ImpactLaw::newton).energy_lost, 0);
}

// A body that cannot be pushed along the surface, and one that starts without slip.
TEST(RigidImpact, SpecialInertias) {
  for (const ImpactLaw law : laws) {
    const RigidImpact guided = rigid_impact({0, 0, 2}, {3, -1}, 0.5, 0.5, law);
    EXPECT_NEAR(guided.velocity[1], 0.5, 1e-15);
    EXPECT_EQ(guided.velocity[0], 3);
    EXPECT_NEAR(guided.tangential_work, -0.5 * 0.75 * 3, 1e-15);
    EXPECT_EQ(rigid_impact({1, 0.5, 1}, {0, -1}, 0.6, 0.5, law).slip, ImpactSlip::sticks);
    const RigidImpact starts = rigid_impact({1, 0.5, 1}, {0, -1}, 0.4, 0.5, law);
    EXPECT_EQ(starts.slip, ImpactSlip::reverses);
    EXPECT_GT(starts.velocity[0], 0);
  }
}

}  // namespace
}  // namespace bristle::testing
