// The forces of a sub-step: where the contacts of an island are, what each of them asks for, and
// all of them together.

#include <algorithm>
#include <cmath>

#include "world_parts.hpp"

namespace bristle {

using detail::at;
using detail::Vector2;

/// Frames, velocities and inverse masses of the active sites, at the middle of the sub-step.
template <class M>
void WorldStepper::Parts::aim(Island& island, double h) noexcept {
  for (const int p : island.pairs) {
    PairSites& pair = pairs[at(p)];
    std::array<Touch, max_touches> touch;
    bool looked = false;
    for (int k = 0; k < pair.count; ++k) {
      Site& site = sites[at(pair.first + k)];
      if (!site.active) continue;
      if (pair.ball_on_plane) {
        site.p = movers<M>()[at(pair.ma)].middle().position - pair.radius * pair.frame.n;
      } else {
        if (!looked) {
          const auto pose = [&](int m) {
            return m >= 0 ? movers<M>()[at(m)].middle()
                          : (pair.driven ? pair.fixed.pose_at(t_sub + 0.5 * h) : pair.fixed.pose);
          };
          touches(pair.sa, pose(pair.ma), pair.sb, pose(pair.mb), touch);
          looked = true;
        }
        const Touch& here = touch[at(k)];
        const TangentBasis basis = tangent_basis(here.normal, here.reference);
        site.frame = {here.normal, basis.e1, basis.e2};
        site.p = here.point;
        if (pair.driven) {
          const Vector3 v = pair.fixed.velocity_at(t_sub + 0.5 * h, site.p);
          site.ground_velocity = pair.mb < 0 ? v : Vector3(-v);
        }
      }
      Vector3 v = -site.ground_velocity;
      site.w = {};
      if (pair.ma >= 0) {
        const M& a = movers<M>()[at(pair.ma)];
        v += a.start_velocity_at(site.p);
        site.w += a.respond(site.p, site.frame);
      }
      if (pair.mb >= 0) {
        const M& b = movers<M>()[at(pair.mb)];
        v -= b.start_velocity_at(site.p);
        site.w += b.respond(site.p, site.frame);
      }
      site.wt = site.w.t_max();
      site.vn0 = -site.frame.n.dot(v);
      site.vt0 = Vector2(site.frame.e1.dot(v), site.frame.e2.dot(v));
      if (pair.rolling && pair.ma >= 0) {
        const double c = rolling_coefficient(*pair.rolling, pair.radius, site.f_last);
        site.rolled = movers<M>()[at(pair.ma)].resist(h, c, site.frame.n);
      }
      site.f = 0;
      site.friction.setZero();
      site.flagged = false;
    }
  }
}

// ---- one contact --------------------------------------------------------------------------------

/// Normal force and friction of one contact together, given what the others do. Returns how much
/// its impulse has changed, in newtons.
template <class M>
double WorldStepper::Parts::contact(Site& s, double h, bool conserve, int passes) noexcept {
  const PairSites& pair = pairs[at(s.pair)];
  const Vector3 v = relative<M>(pair, s);
  const Vector2& c = s.w.tn;
  // Without this contact's own impulse.
  const Vector2 own(s.w.t11 * s.friction[0] + s.w.t12 * s.friction[1],
                    s.w.t12 * s.friction[0] + s.w.t22 * s.friction[1]);
  const double vn_free = -s.frame.n.dot(v) + h * (s.w.nn * s.f - c.dot(s.friction));
  const Vector2 vt_free = Vector2(s.frame.e1.dot(v), s.frame.e2.dot(v)) - h * s.f * c + h * own;
  const double bn = (vn_free - s.vn0) / h;
  const Vector2 bt = (vt_free - s.vt0) / h;
  const bool coupled = c.squaredNorm() > 1e-24 * s.w.nn * s.w.nn;
  const bool uneven =
      std::abs(s.w.t12) > 1e-12 * s.wt || std::abs(s.w.t11 - s.w.t22) > 1e-12 * s.wt;
  Vector2 guess = s.friction_last;
  double f_guess = s.f_last;
  bool slides = s.answer.slides;
  double grip = s.answer.grip;
  for (int pass = 0; pass < passes; ++pass) {
    // Friction follows the normal force: in proportion where it slides, by its grip where it holds.
    Vector2 follow = Vector2::Zero();
    if (coupled) {
      follow = slides ? Vector2(f_guess > 0 ? Vector2(guess / f_guess) : Vector2::Zero())
                      : Vector2(c * (grip / s.wt));
    }
    double w = s.w.nn - c.dot(follow), b = bn + c.dot(guess - follow * f_guess);
    if (w < 0.05 * s.w.nn) {
      w = s.w.nn;
      b = bn + c.dot(guess);
      s.flagged = true;
    }
    s.pressed = conserve && s.impact ? press_conserving(s.press, s.x, s.vn0, h, b, w, s.k_top)
                                     : press_midpoint(s.press, s.x, s.vn0, h, b, w);
    const double f = s.pressed.force;
    Vector2 push = bt + f * c;
    if (uneven) {
      push -= Vector2((s.w.t11 - s.wt) * guess[0] + s.w.t12 * guess[1],
                      s.w.t12 * guess[0] + (s.w.t22 - s.wt) * guess[1]);
    }
    s.answer = s.slip.solve({s.vt0, push, s.wt, h, f});
    const Vector2 expected = guess + follow * (f - f_guess);
    const double off = (s.answer.force - expected).norm();
    guess = s.answer.force;
    f_guess = f;
    slides = s.answer.slides;
    grip = s.answer.grip;
    if (!coupled && !uneven) break;
    if (off <= 0.002 * (guess.norm() + 0.02 * f)) break;
    if (pass + 1 == passes && passes > 1) s.flagged = true;
  }
  const double df = f_guess - s.f;
  const Vector2 dF = guess - s.friction;
  s.f = f_guess;
  s.friction = guess;
  s.bn = bn;
  s.bt = bt;
  const Vector3 impulse = h * (df * s.frame.n - dF[0] * s.frame.e1 - dF[1] * s.frame.e2);
  if (pair.ma >= 0) movers<M>()[at(pair.ma)].push(s.p, impulse);
  if (pair.mb >= 0) movers<M>()[at(pair.mb)].push(s.p, -impulse);
  return std::abs(df) + dF.norm();
}

/// Where normal force and friction could not be made to agree, the impulse is scaled down until it
/// takes energy out of the motion and the spring together.
void WorldStepper::Parts::limit(Site& s, double h) const noexcept {
  const Vector2& c = s.w.tn;
  const double pn = h * s.f;
  const Vector2 pt = h * s.friction;
  const double vn = s.vn0 + 0.5 * h * s.bn;
  // Work of the impulse on the motion: −p_n v_n − p_t·v_t, and ½ pᵀ W p.
  const double linear = -pn * vn - pt.dot(s.vt0 + 0.5 * h * s.bt);
  const double square = 0.5 * (s.w.nn * pn * pn - 2 * pn * c.dot(pt) + s.w.t11 * pt[0] * pt[0] +
                               2 * s.w.t12 * pt[0] * pt[1] + s.w.t22 * pt[1] * pt[1]);
  const double spring = s.press.stored(s.pressed.x) - s.press.stored(s.x);
  if (linear + square + spring <= 0 || square <= 0) return;
  const double best = std::clamp(-linear / (2 * square), 0.0, 1.0);
  const double inside = linear * linear - 4 * square * spring;
  double share = best;
  if (inside > 0) share = std::clamp((-linear + std::sqrt(inside)) / (2 * square), 0.0, 1.0);
  s.f *= share;
  s.friction *= share;
}

/// `solve` for a pendulum that touches one plane with its tip.
void WorldStepper::Parts::solve_flat(Island& island, double h, bool conserve) noexcept {
  PendulumMover& arm = pendulums[at(island.movers.front())];
  Site& s = sites[at(island.sites.front())];
  const PairSites& pair = pairs[at(s.pair)];
  arm.prepare(h);
  const PendulumMover::Flat flat = arm.flat(pair.frame.n, pair.along);
  const double wn = flat.n.dot(flat.in), wt = flat.t.dot(flat.it), c = flat.t.dot(flat.in);
  s.vn0 = -flat.n.dot(arm.rate_start());
  const double vt0 = flat.t.dot(arm.rate_start());
  const double bn = (-flat.n.dot(arm.rate) - s.vn0) / h, bt = (flat.t.dot(arm.rate) - vt0) / h;
  double guess = s.friction_last.dot(pair.along_basis), f_guess = s.f_last;
  bool slides = s.answer.slides;
  double grip = s.answer.grip;
  s.flagged = false;
  s.vt0 = vt0 * pair.along_basis;
  constexpr int passes = 6;
  for (int pass = 0; pass < passes; ++pass) {
    const double follow = slides ? (f_guess > 0 ? guess / f_guess : 0) : c * grip / wt;
    double w = wn - c * follow, b = bn + c * (guess - follow * f_guess);
    if (w < 0.05 * wn) {
      w = wn;
      b = bn + c * guess;
      s.flagged = true;
    }
    s.pressed = conserve && s.impact ? press_conserving(s.press, s.x, s.vn0, h, b, w, s.k_top)
                                     : press_midpoint(s.press, s.x, s.vn0, h, b, w);
    const double f = s.pressed.force;
    const SlipProblem problem{s.vt0, (bt + f * c) * pair.along_basis, wt, h, f};
    s.answer = s.slip.solve(problem);
    const double found = s.answer.force.dot(pair.along_basis);
    const double off = std::abs(found - guess - follow * (f - f_guess));
    guess = found;
    f_guess = f;
    slides = s.answer.slides;
    grip = s.answer.grip;
    if (off <= 0.002 * (std::abs(guess) + 0.02 * f)) break;
    if (pass + 1 == passes) s.flagged = true;
  }
  s.f = f_guess;
  s.friction = guess * pair.along_basis;
  s.bn = bn;
  if (s.flagged) {
    const Vector2& d = pair.along_basis;
    s.bt = bt * d;
    s.w.nn = wn;
    s.w.tn = c * d;
    s.w.t11 = wt * d[0] * d[0];
    s.w.t12 = wt * d[0] * d[1];
    s.w.t22 = wt * d[1] * d[1];
    limit(s, h);
    guess = s.friction.dot(d);
  }
  arm.rate += (h * s.f) * flat.in - (h * guess) * flat.it;
  s.vn1 = -flat.n.dot(arm.rate);
  s.vt1 = flat.t.dot(arm.rate) * pair.along_basis;
  arm.finish(h);
  if (conserve && s.impact) {
    const double off = (s.pressed.x - s.x) - 0.5 * h * (s.vn0 + s.vn1);
    arm.shift((-off / wn) * flat.in);
  }
}

template <class M>
void WorldStepper::Parts::solve(Island& island, double h, bool conserve) noexcept {
  if constexpr (std::is_same_v<M, PendulumMover>) {
    if (island.sites.size() == 1 && pairs[at(island.pairs.front())].flat) {
      solve_flat(island, h, conserve);
      return;
    }
  }
  for (const int m : island.movers) movers<M>()[at(m)].prepare(h);
  aim<M>(island, h);
  int active = 0;
  Site* only = nullptr;
  for (const int s : island.sites) {
    if (!sites[at(s)].active) continue;
    only = &sites[at(s)];
    ++active;
  }
  if (active == 1) {
    contact<M>(*only, h, conserve, 6);
    if (only->flagged) {
      const double f = only->f;
      const Vector2 friction = only->friction;
      limit(*only, h);
      const double df = only->f - f;
      const Vector2 dF = only->friction - friction;
      const Vector3 impulse =
          h * (df * only->frame.n - dF[0] * only->frame.e1 - dF[1] * only->frame.e2);
      const PairSites& pair = pairs[at(only->pair)];
      if (pair.ma >= 0) movers<M>()[at(pair.ma)].push(only->p, impulse);
      if (pair.mb >= 0) movers<M>()[at(pair.mb)].push(only->p, -impulse);
    }
  } else {
    // Start from the forces of the sub-step before.
    for (const int s : island.sites) {
      Site& site = sites[at(s)];
      if (!site.active) continue;
      const PairSites& pair = pairs[at(site.pair)];
      site.f = site.f_last;
      site.friction = site.friction_last;
      const Vector3 impulse = h * (site.f * site.frame.n - site.friction[0] * site.frame.e1 -
                                   site.friction[1] * site.frame.e2);
      if (pair.ma >= 0) movers<M>()[at(pair.ma)].push(site.p, impulse);
      if (pair.mb >= 0) movers<M>()[at(pair.mb)].push(site.p, -impulse);
    }
    for (int sweep = 0; sweep < budget.sweeps; ++sweep) {
      double change = 0, size = 0;
      for (const int s : island.sites) {
        Site& site = sites[at(s)];
        if (!site.active) continue;
        change = std::max(change, contact<M>(site, h, conserve, 2));
        size = std::max(size, site.f);
        site.f_last = site.f;
        site.friction_last = site.friction;
      }
      if (change <= 1e-10 * size) break;
    }
  }
  for (const int s : island.sites) {
    Site& site = sites[at(s)];
    if (!site.active) continue;
    const Vector3 v = relative<M>(pairs[at(site.pair)], site);
    site.vn1 = -site.frame.n.dot(v);
    site.vt1 = Vector2(site.frame.e1.dot(v), site.frame.e2.dot(v));
  }
  for (const int m : island.movers) movers<M>()[at(m)].finish(h);
  for (const int s : island.sites) {
    Site& site = sites[at(s)];
    if (!site.active || !(conserve && site.impact)) continue;
    // The depth moves as the normal law has it, not by the mean of both speeds.
    const double off = (site.pressed.x - site.x) - 0.5 * h * (site.vn0 + site.vn1);
    const PairSites& pair = pairs[at(site.pair)];
    const Vector3 along = (-off / site.w.nn) * site.frame.n;
    if (pair.ma >= 0) movers<M>()[at(pair.ma)].nudge(site.p, along);
    if (pair.mb >= 0) movers<M>()[at(pair.mb)].nudge(site.p, -along);
  }
}

template void WorldStepper::Parts::solve<detail::BodyMover>(Island&, double, bool) noexcept;
template void WorldStepper::Parts::solve<detail::PendulumMover>(Island&, double, bool) noexcept;

}  // namespace bristle
