// The implicit step of a patch's friction: against many small steps, at rest, on the limit curve.

#include "bristle/contact/patch_slip.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace bristle {
namespace {

constexpr double fn = 20, r_gyr = 0.03;

PatchSlip patch_at(const Vector3& u) { return {u, fn, r_gyr, LimitCurve(0)}; }
Matrix3 uneven_mass() {
  Matrix3 w;
  w << 1.2, 0.1, 0.05, 0.1, 2.0, -0.2, 0.05, -0.2, 3.0;
  return w;
}

struct Slider {
  PatchFriction law;
  Matrix3 w = uneven_mass();
  Vector3 drive = Vector3::Zero();
  Vector3 u = Vector3::Zero(), slip = Vector3::Zero();
  PatchFriction::State state{};
  Vector3 way = Vector3::Zero(), force = Vector3::Zero();

  void step(double h) {
    PatchSlipProblem problem;
    problem.u = u;
    problem.b = drive;
    problem.w = w;
    problem.h = h;
    const PatchSlipAnswer answer = patch_slip_step(law, patch_at(slip), state, problem);
    const Vector3 next = u + h * (drive - w * answer.force);
    way += 0.5 * h * (u + next);
    u = next;
    slip = answer.slip;
    force = answer.force;
    state = law.advance(patch_at(slip), state, h);
  }
};

TEST(PatchSlipStep, SlidesSpinsAndStopsAsManySmallStepsDo) {
  for (const SpinCoupling coupling : {SpinCoupling::disc, SpinCoupling::contensou}) {
    Slider fine, coarse;
    fine.law.coupling = coarse.law.coupling = coupling;
    fine.u = coarse.u = {0.2, 0.1, 0.15};
    for (int i = 0; i < 20000; ++i) fine.step(5e-6);
    for (int i = 0; i < 100; ++i) coarse.step(1e-3);
    EXPECT_LT((fine.way - coarse.way).norm(), 1e-3 * fine.way.norm());
    EXPECT_LT(coarse.u.norm(), 1e-3);
  }
}

TEST(PatchSlipStep, HoldsWithoutCreeping) {
  Slider held;
  held.drive = held.w * Vector3(0.4 * 0.25 * fn, 0.2 * 0.25 * fn, 0.3 * 0.25 * fn);
  held.state.s_dw = 1;
  for (int i = 0; i < 2000; ++i) held.step(1e-3);
  const Vector3 there = held.way;
  for (int i = 0; i < 2000; ++i) held.step(1e-3);
  EXPECT_LT((held.way - there).norm(), 1e-12);
  EXPECT_LT((held.w * held.force - held.drive).norm(), 1e-9);
}

/// However stiff the bristles, no force beyond the limit and no energy out of nothing.
TEST(PatchSlipStep, StaysWithinItsLimitAndTakesEnergy) {
  for (const double sigma0 : {1e3, 1e5, 1e7}) {
    Slider slider;
    slider.law.sigma0 = sigma0;
    slider.law.sigma1 = std::sqrt(sigma0);
    slider.u = {0.05, -0.02, 0.04};
    const Matrix3 mass = slider.w.inverse();
    double kinetic = 0.5 * slider.u.dot(mass * slider.u);
    for (int i = 0; i < 200; ++i) {
      slider.step(1e-3);
      const double force = std::hypot(slider.force[0], slider.force[1]);
      EXPECT_LE(LimitCurve(0).gauge(force, slider.force[2]), 0.25 * fn * (1 + 1e-6)) << sigma0;
      const double stored = slider.law.stored(patch_at(slider.slip), slider.state);
      const double now = 0.5 * slider.u.dot(mass * slider.u) + stored;
      EXPECT_LT(now, kinetic * (1 + 1e-9) + 1e-4) << sigma0 << " " << i;
      kinetic = std::max(now, 1e-12);
    }
  }
}

/// How the force follows the load, against differences; that θ goes with the load too is left out.
TEST(PatchSlipStep, KnowsHowItFollowsTheLoad) {
  Slider held;
  held.law.mu_s = held.law.mu_k = 0.5;
  held.drive = held.w * Vector3(1, 2, 0.5);
  held.state.s_dw = 1;
  for (int i = 0; i < 500; ++i) held.step(1e-3);
  PatchSlipProblem problem;
  problem.u = held.u;
  problem.b = held.drive;
  problem.c = {0.05, -0.03, 0.02};
  problem.w = held.w;
  problem.h = 1e-3;
  PatchSlip more = patch_at(held.slip), less = more;
  more.fn += 1e-3;
  less.fn -= 1e-3;
  const Vector3 slope = (patch_slip_step(held.law, more, held.state, problem).force -
                         patch_slip_step(held.law, less, held.state, problem).force) /
                        2e-3;
  const Vector3 follow = patch_slip_step(held.law, patch_at(held.slip), held.state, problem).follow;
  EXPECT_LT((slope - follow).norm(), 0.1 * slope.norm());
}

}  // namespace
}  // namespace bristle
