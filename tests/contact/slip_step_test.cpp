// One implicit step of friction, on its own: the answer fits the law and the motion together.

#include "bristle/contact/slip_step.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "support/draw.hpp"

namespace bristle {
namespace {

using testing::Draw;

using Vector = Tangent<double, 2>;

/// The law's own mean force, from the state that the solver has.
class LawBeside {
 public:
  explicit LawBeside(const AnyLaw& law) : group_(law.plane(1)) {}
  Vector mean_force(const SlipSolver& solver, const Vector& slip, const SlipProblem& p) {
    std::vector<double> all(static_cast<std::size_t>(solver.size()));
    solver.save(all);
    group_->restore(
        0, std::span<const double>(all).first(static_cast<std::size_t>(solver.law_size())));
    Slip<double, 2> contact = sliding<double, 2>(slip, p.fn);
    contact.f_e = p.b / p.w;
    return group_->mean_force(0, contact, p.h);
  }

 private:
  std::unique_ptr<Group<2>> group_;
};

AnyLaw gonthier(double mu_s, double mu_k, double sigma0, double sigma1, double v_s,
                bool bounded = true) {
  AnyLaw law("gonthier");
  law.set("mu_k", mu_k);
  law.set("mu_s", mu_s);
  law.set("sigma0", sigma0);
  law.set("sigma1", sigma1);
  law.set("sigma2", 0);
  law.set("v_s", v_s);
  law.set("bounded", bounded ? 1 : 0);
  law.check();
  return law;
}

/// A mass pushed about, step by step; what does not fit is counted against |v| + h |b|, and against
/// the load.
struct Misfit {
  double motion = 0, force = 0;
  int missed = 0;  ///< steps whose force is off by a thousandth of the load
};
Misfit push_about(const AnyLaw& law, Draw& draw, int steps) {
  const std::unique_ptr<SlipSolver> solver = SlipSolver::make(law);
  LawBeside beside(law);
  SlipProblem p;
  p.w = draw.decades(0.1, 10);
  p.h = draw.decades(1e-5, 1e-2);
  p.v = draw.vector(draw.decades(1e-4, 1));
  Vector push = Vector::Zero();
  Misfit worst;
  for (int i = 0; i < steps; ++i) {
    if (i % 20 == 0) push = draw.vector(draw.decades(0.01, 30));
    p.fn = draw.between(5, 20);
    p.b = p.w * push;
    const SlipAnswer a = solver->solve(p);
    const Vector off = a.slip - p.v - a.theta * p.h * (p.b - p.w * a.force);
    const double size = p.v.norm() + p.h * p.b.norm();
    worst.motion = std::max(worst.motion, off.norm() / size);
    const Vector own = beside.mean_force(*solver, a.slip, p);
    const double off_force = (own - a.force).norm() / p.fn;
    worst.force = std::max(worst.force, off_force);
    worst.missed += off_force > 1e-3 ? 1 : 0;
    EXPECT_TRUE(a.theta >= 0.5 && a.theta <= 1) << a.theta;
    EXPECT_TRUE(a.grip >= 0 && a.grip <= 1) << a.grip;
    solver->advance(a.slip, p.fn, p.h);
    p.v += p.h * (p.b - p.w * a.force);
  }
  return worst;
}

// ---- Gonthier's, in closed form -----------------------------------------------------------------

TEST(SlipGonthier, FitsTheMotionAndTheLaw) {
  Misfit worst;
  for (int i = 0; i < 200; ++i) {
    Draw draw(i);
    const double mu_k = draw.between(0.05, 0.6);
    const AnyLaw law =
        gonthier(draw.between(mu_k, 0.8), mu_k, draw.decades(1e3, 1e6), draw.decades(10, 1e4),
                 draw.decades(1e-3, 0.1), draw.between(0, 1) < 0.5);
    const Misfit here = push_about(law, draw, 200);
    worst.motion = std::max(worst.motion, here.motion);
    worst.force = std::max(worst.force, here.force);
    worst.missed += here.missed;
  }
  EXPECT_LT(worst.motion, 1e-12);  // v̂ is solved for in closed form
  // |v̂(ν)| = ν has no root where θ jumps as the force meets its cap, at the start of a slip; the
  // aim is none of 40 000 steps.
  RecordProperty("missed", worst.missed);
  EXPECT_LT(worst.missed, 200);
  EXPECT_LT(worst.force, 0.3);
}

// The generic path reaches the same answer: a residual in v̂ alone, from the law's mean force.
TEST(SlipGonthier, AgreesWithARootOfTheMeanForce) {
  const AnyLaw law = gonthier(0.45, 0.4, 1e5, 316, 0.1);
  int compared = 0;
  for (int i = 0; i < 100; ++i) {
    Draw draw(i);
    const std::unique_ptr<SlipSolver> solver = SlipSolver::make(law);
    LawBeside beside(law);
    SlipProblem p;
    p.w = draw.decades(0.1, 10);
    p.h = draw.decades(1e-5, 1e-3);
    p.v = draw.vector(draw.decades(1e-3, 1));
    p.b = draw.vector(draw.decades(0.1, 30));
    p.fn = draw.between(5, 20);
    for (int n = 0; n < 5; ++n) {
      const SlipAnswer a = solver->solve(p);
      solver->advance(a.slip, p.fn, p.h);
      p.v += p.h * (p.b - p.w * a.force);
    }
    const SlipAnswer a = solver->solve(p);
    // Newton with differences, at the same θ.
    Vector v = p.v;
    const auto residual = [&](const Vector& at) {
      return Vector(at - p.v - a.theta * p.h * (p.b - p.w * beside.mean_force(*solver, at, p)));
    };
    for (int n = 0; n < 100; ++n) {
      const double d = 1e-7 * std::max(v.norm(), 1e-6);
      Eigen::Matrix2d slope;
      slope.col(0) = (residual(v + Vector(d, 0)) - residual(v)) / d;
      slope.col(1) = (residual(v + Vector(0, d)) - residual(v)) / d;
      const double det = slope(0, 0) * slope(1, 1) - slope(0, 1) * slope(1, 0);
      const Vector r = residual(v);
      v -=
          Vector(slope(1, 1) * r[0] - slope(0, 1) * r[1], slope(0, 0) * r[1] - slope(1, 0) * r[0]) /
          det;
    }
    const double size = p.v.norm() + p.h * p.b.norm();
    if (residual(v).norm() > 1e-9 * size) continue;  // another branch, where Newton finds nothing
    EXPECT_LT((v - a.slip).norm(), 1e-4 * size) << i;
    ++compared;
  }
  EXPECT_GT(compared, 80);
}

TEST(SlipGonthier, StuckItIsASpringAndADamper) {
  const double fn = 20, w = 0.5, h = 1e-3;
  const AnyLaw law = gonthier(0.45, 0.4, 1e5, 316, 0.1);
  const std::unique_ptr<SlipSolver> solver = SlipSolver::make(law);
  SlipProblem p{Vector(0, 0), Vector(1.5, -2), w, h, fn};  // 5 N of 8 N
  SlipAnswer a;
  for (int i = 0; i < 2000; ++i) {
    a = solver->solve(p);
    solver->advance(a.slip, fn, h);
    p.v += h * (p.b - w * a.force);
  }
  EXPECT_LT((a.force - p.b / w).norm(), 1e-9);
  EXPECT_LT(p.v.norm(), 1e-12);
  EXPECT_FALSE(a.slides);
  EXPECT_NEAR(a.grip, 0.086, 0.001);  // ½ h w (σ0 h/2 + σ1)
  EXPECT_NEAR(solver->stored(fn), 0.5 * 25 / 1e5, 1e-9);
  // The stiffer the firmer.
  const std::unique_ptr<SlipSolver> stiff = SlipSolver::make(gonthier(0.45, 0.4, 1e9, 1e6, 0.1));
  const SlipAnswer firm = stiff->solve({Vector(0, 0), Vector(1.5, -2), w, h, fn});
  EXPECT_GT(firm.theta, 0.95);
}

TEST(SlipGonthier, SlidingItIsCoulombs) {
  const double fn = 20;
  const std::unique_ptr<SlipSolver> solver = SlipSolver::make(gonthier(0.45, 0.4, 1e5, 316, 0.01));
  SlipProblem p{Vector(3, 4), Vector(0, 0), 0.5, 1e-3, fn};
  SlipAnswer a;
  for (int i = 0; i < 50; ++i) {
    a = solver->solve(p);
    solver->advance(a.slip, fn, p.h);
    p.v += p.h * (p.b - p.w * a.force);
  }
  EXPECT_TRUE(a.slides);
  EXPECT_LT((a.force - 0.4 * fn * Vector(0.6, 0.8)).norm(), 1e-6);
  EXPECT_NEAR(p.v.norm(), 5 - 50 * 1e-3 * 0.5 * 0.4 * fn, 1e-4);
}

// ---- through the mean force ---------------------------------------------------------------------

class SlipAny : public ::testing::TestWithParam<const char*> {};

TEST_P(SlipAny, FitsTheMotionAndTheLaw) {
  Misfit worst;
  for (int i = 0; i < 40; ++i) {
    Draw draw(i);
    AnyLaw law(GetParam());
    if (law.info().find("v_s") != nullptr) law.set("v_s", draw.decades(1e-3, 0.1));
    const Misfit here = push_about(law, draw, 100);
    worst.motion = std::max(worst.motion, here.motion);
    worst.force = std::max(worst.force, here.force);
  }
  EXPECT_LT(worst.force, 1e-12);  // it is the law's
  // Of |v| + h |b|. lugre-damped, whose damping fades with the speed, misses one root by a
  // sixtieth.
  EXPECT_LT(worst.motion, std::string(GetParam()) == "lugre-damped" ? 0.02 : 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Law, SlipAny,
                         ::testing::Values("lugre", "lugre-damped", "dahl", "elasto-plastic",
                                           "brown-mcphee", "coulomb-regularised", "classical",
                                           "wang-rui"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// A law does not know the axes.
TEST(SlipAnyLaw, TurnsWithTheSurfaces) {
  for (const char* name : {"gonthier", "lugre", "elasto-plastic", "dahl"}) {
    const AnyLaw law(name);
    const std::unique_ptr<SlipSolver> one = SlipSolver::make(law);
    const SlipProblem p{Vector(1e-3, 2e-3), Vector(0.5, 1), 0.5, 1e-4, 10};
    for (int i = 0; i < 30; ++i) one->advance(Vector(1e-4, 2e-4), 10, 1e-3);
    const std::unique_ptr<SlipSolver> other = one->clone();
    const double angle = 1e-3, c = std::cos(angle), s = std::sin(angle);
    const auto turned = [&](const Vector& v) {
      return Vector(c * v[0] - s * v[1], s * v[0] + c * v[1]);
    };
    const double before = other->stored(10);
    other->turn(angle);
    EXPECT_NEAR(other->stored(10), before, 1e-8 * before + 1e-18) << name;
    const SlipAnswer a = one->solve(p);
    const SlipAnswer b = other->solve({turned(p.v), turned(p.b), p.w, p.h, p.fn});
    EXPECT_LT((turned(a.force) - b.force).norm(), 1e-6 * p.fn) << name;
  }
}

TEST(SlipAnyLaw, StateIsSavedClearedAndCloned) {
  for (const std::string& name : AnyLaw::names()) {
    const AnyLaw law(name);
    if (law.delay() > 0) continue;
    const std::unique_ptr<SlipSolver> solver = SlipSolver::make(law);
    const SlipProblem p{Vector(2e-3, -1e-3), Vector(1, 0.5), 0.5, 1e-3, 10};
    const SlipAnswer fresh = solver->solve(p);
    for (int i = 0; i < 20; ++i) {
      const SlipAnswer a = solver->solve(p);
      solver->advance(a.slip, p.fn, p.h);
    }
    std::vector<double> numbers(static_cast<std::size_t>(solver->size()));
    solver->save(numbers);
    const SlipAnswer now = solver->solve(p);
    EXPECT_EQ(solver->clone()->solve(p).force, now.force) << name;
    const std::unique_ptr<SlipSolver> other = SlipSolver::make(law);
    other->restore(numbers);
    EXPECT_EQ(other->solve(p).force, now.force) << name;
    solver->clear();
    if (law.info().can(Capability::random)) continue;
    const SlipAnswer again = solver->solve(p);
    EXPECT_LT((again.force - fresh.force).norm(), 1e-3 * p.fn) << name;
  }
}

TEST(SlipAnyLaw, WithoutLoadThereIsNoFriction) {
  for (const std::string& name : AnyLaw::names()) {
    const AnyLaw law(name);
    if (law.delay() > 0) continue;
    const SlipAnswer a =
        SlipSolver::make(law)->solve({Vector(0.1, 0.2), Vector(10, 0), 0.5, 1e-3, 0});
    EXPECT_EQ(a.force, Vector(0, 0)) << name;
    EXPECT_LT((a.slip - Vector(0.105, 0.2)).norm(), 1e-15) << name;
  }
}

// ---- set-valued laws ----------------------------------------------------------------------------

TEST(SlipSetValued, HoldsWithExactlyTheForceThatItTakes) {
  AnyLaw law("stiction");
  law.set("mu_s", 0.5);
  law.set("mu_k", 0.3);
  const double fn = 10, w = 0.5, h = 1e-3;
  const std::unique_ptr<SlipSolver> solver = SlipSolver::make(law);
  // Slides in: what brings it to rest must be within the kinetic level.
  const SlipProblem hold{Vector(0, 0), w * Vector(1.5, 2), w, h, fn};  // 2.5 N
  const SlipAnswer a = solver->solve(hold);
  EXPECT_EQ(a.slip, Vector(0, 0));
  EXPECT_LT((a.force - Vector(1.5, 2)).norm(), 1e-12);
  EXPECT_EQ(a.grip, 1);
  EXPECT_FALSE(a.slides);
  // Stuck it holds up to the static one, 5 N; beyond that it slides with the kinetic one.
  const SlipProblem more{Vector(0, 0), w * Vector(2.4, 3.2), w, h, fn};  // 4 N
  EXPECT_TRUE(solver->solve(more).slides);
  solver->advance(a.slip, fn, h);
  EXPECT_FALSE(solver->solve(more).slides);
  const SlipProblem most{Vector(0, 0), w * Vector(3.6, 4.8), w, h, fn};  // 6 N
  const SlipAnswer broken = solver->solve(most);
  EXPECT_TRUE(broken.slides);
  EXPECT_LT((broken.force - 3 * Vector(0.6, 0.8)).norm(), 1e-9);
  EXPECT_LT((broken.slip - 0.5 * h * w * 3 * Vector(0.6, 0.8)).norm(), 1e-9);
}

/// Once stuck it holds a thousandth below the static level and slides a thousandth above it.
TEST(SlipSetValued, LetsGoAtItsStaticLevel) {
  for (const std::string& name : AnyLaw::names()) {
    AnyLaw law(name);
    if (!law.info().can(Capability::set_valued) || law.info().takes_points) continue;
    if (law.info().find("mu_s") != nullptr) law.set("mu_s", 0.5);
    law.set("mu_k", 0.3);
    const double fn = 10, w = 0.5, h = 1e-3, limit = law.info().find("mu_s") != nullptr ? 5 : 3;
    const std::unique_ptr<SlipSolver> solver = SlipSolver::make(law);
    const auto pulled = [&](double share) {
      return solver->solve({Vector(0, 0), w * share * limit * Vector(0.6, 0.8), w, h, fn});
    };
    solver->advance(pulled(0.1).slip, fn, h);
    const SlipAnswer below = pulled(0.999), above = pulled(1.001);
    EXPECT_FALSE(below.slides) << name;
    EXPECT_EQ(below.slip, Vector(0, 0)) << name;
    EXPECT_LT((below.force - 0.999 * limit * Vector(0.6, 0.8)).norm(), 1e-12) << name;
    EXPECT_TRUE(above.slides) << name;
    EXPECT_GT(above.slip.norm(), 0) << name;
    // What the two bodies can be given at most, whatever the mixing of several contacts asks for.
    EXPECT_NEAR(solver->most(0, fn), limit, 1e-12) << name;
  }
}

TEST(SlipSetValued, SlidesAgainstTheMotionAndNeverTurnsItBack) {
  for (const char* name : {"coulomb", "stiction", "coulomb-viscous", "stribeck", "karnopp"}) {
    const AnyLaw law(name);
    const double fn = 10;
    for (int i = 0; i < 200; ++i) {
      Draw draw(i);
      const std::unique_ptr<SlipSolver> solver = SlipSolver::make(law);
      SlipProblem p;
      p.v = draw.vector(draw.decades(1e-3, 1));
      p.b = draw.vector(draw.decades(0.01, 10));
      p.w = draw.decades(0.1, 10);
      p.h = draw.decades(1e-4, 1e-2);
      p.fn = fn;
      const SlipAnswer a = solver->solve(p);
      const Vector end = p.v + p.h * (p.b - p.w * a.force);
      const Vector free = p.v + p.h * p.b;
      EXPECT_GE(end.dot(free), -1e-12) << name;
      EXPECT_LE(end.norm(), free.norm() + 1e-12) << name;
      EXPECT_GE(a.force.dot(free), 0) << name;
      if (!a.slides) {
        EXPECT_LT(end.norm(), 1e-12) << name;
        EXPECT_LE(a.force.norm(), law.stick_set(fn).max * (1 + 1e-12)) << name;
        continue;
      }
      EXPECT_NEAR(a.force.norm(), std::abs(law.steady(a.slip.norm(), fn)), 1e-9 * fn) << name;
    }
  }
}

}  // namespace
}  // namespace bristle
