// A pendulum over one plane: flight, touch-down and sub-steps in two dimensions.

#include "agree.hpp"
#include "world_parts.hpp"

namespace bristle {

using detail::agree;
using detail::at;
using detail::Tip;
using detail::Vector2;

/// The outer step, as `outer` would make it.
void WorldStepper::Parts::swing(Island& island, double h) noexcept {
  const Tip& tip = tips[at(island.tip)];
  PendulumMover& arm = pendulums[at(tip.pendulum)];
  Site& s = sites[at(tip.site)];
  double rest = h;
  t_sub = t;
  int touched = 0, subs = 0;
  while (rest > 1e-15 * h) {
    if (!s.active && touched < budget.touches) {
      PendulumMover& before = pendulums_before[at(tip.pendulum)];
      before.state_from(arm);
      arm.fly(t_sub, rest);
      s.touch.gap = arm.height(tip.n) - tip.offset;
      if (s.touch.gap >= 0) break;
      arm.state_from(before);
      if (!fly<PendulumMover>(island, rest, touched)) break;
      continue;
    }
    double length = rest;
    bool impact = false;
    if (!s.active) {
      over.touches = true;
      touch_down_all<PendulumMover>(island);
    } else {
      length = stride(s, rest);
      impact = s.impact;
      if (subs >= budget.substeps) {
        over.substeps |= length < rest;
        length = rest;
        impact = false;
      }
    }
    swing(tip, length, impact);
    ++subs;
    t_sub += length;
    rest -= length;
  }
  most = std::max(most, subs);
  total += subs;
}

/// A sub-step in contact.
void WorldStepper::Parts::swing(const Tip& tip, double h, bool conserve) noexcept {
  PendulumMover& arm = pendulums[at(tip.pendulum)];
  Site& s = sites[at(tip.site)];
  const Vector2& d = tip.d;
  arm.prepare(t_sub, h);
  const PendulumMover::Flat flat = arm.flat(tip.n, tip.along);
  const double wn = flat.n.dot(flat.in), wt = flat.t.dot(flat.it), c = flat.t.dot(flat.in);
  const double per_h = 1 / h, vt0 = flat.t.dot(arm.rate_start());
  const double bt = (flat.t.dot(arm.rate) - vt0) * per_h;
  s.vn0 = -flat.n.dot(arm.rate_start());
  s.bn = (-flat.n.dot(arm.rate) - s.vn0) * per_h;
  s.flagged = false;
  SlipAnswerIn<1> slip;
  using Line = SlipAnswerIn<1>::Vector;
  const auto solve_slip = [&](double f, double) {
    slip = s.slip.solve_along(d, {Line(vt0), Line(bt + f * c), wt, h, f});
    s.answer.slides = slip.slides;
    s.answer.grip = slip.grip;
    return slip.force[0];
  };
  auto [f, friction] = agree<double>(s, {wn, wt, c, s.bn}, {s.f_last, s.friction_last.dot(d)}, h,
                                     conserve, detail::most_passes, solve_slip);
  s.vt0 = vt0 * d;
  s.f = f;
  s.friction = friction * d;
  if (s.flagged) {
    s.bt = bt * d;
    s.w = {wn, c * d, wt * d[0] * d[0], wt * d[0] * d[1], wt * d[1] * d[1]};
    limit(s, h);
    friction = s.friction.dot(d);
  }
  arm.rate += (h * s.f) * flat.in - (h * friction) * flat.it;
  s.vn1 = -flat.n.dot(arm.rate);
  s.vt1 = flat.t.dot(arm.rate) * d;
  s.answer.slip = slip.slip[0] * d;
  const bool exact = conserve && s.impact;
  const Vector2 off = exact ? Vector2((-s.depth_off(h) / wn) * flat.in) : Vector2::Zero();
  arm.finish(h, off);
  s.nudged = arm.weight_over(off);
  if (keep) book(s, h);
  s.slip.advance(s.answer.slip, s.f, h);
  s.take_work(h);
  s.touch.gap = arm.height(tip.n) - tip.offset;
  s.x = -s.touch.gap;
  settle(s, h);
}

}  // namespace bristle
