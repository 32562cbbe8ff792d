// The forces of a sub-step: where the contacts of an island are, what each of them asks for, and
// all of them together.

#include <algorithm>
#include <cmath>

#include "agree.hpp"
#include "world_parts.hpp"

namespace bristle {

using detail::agree;
using detail::at;
using detail::most_passes;
using detail::Seen;
using detail::Vector2;

namespace {

/// Forces of several contacts that change by less in a sweep, over the largest of them, have
/// settled.
constexpr double settled = 1e-6;
/// Most settle by themselves in so many sweeps.
constexpr int sweeps_before_mixing = 4;
/// Friction that is set-valued has kinks, which mixing extrapolates across: the last sweeps go
/// without it, so that the forces that are taken are answers of the laws to each other.
constexpr int sweeps_after_mixing = 10;

}  // namespace

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
      const Vector3 slip_before = site.vt1[0] * site.frame.e1 + site.vt1[1] * site.frame.e2;
      if (pair.ball_on_plane) {
        site.p = movers<M>()[at(pair.ma)].middle(pair.la).position - pair.radius * pair.frame.n;
      } else {
        if (!looked) {
          const auto pose = [&](int m, int link) {
            return m >= 0 ? movers<M>()[at(m)].middle(link)
                          : (pair.driven ? pair.fixed.pose_at(t_sub + 0.5 * h) : pair.fixed.pose);
          };
          const Pose a = pose(pair.ma, pair.la), b = pose(pair.mb, pair.lb);
          touches(pair.sa, a, pair.sb, b, touch);
          if (pair.rims) pair.keep_sides(pair.rims_of_b ? b : a, touch);
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
      if (pair.ma >= 0) v += movers<M>()[at(pair.ma)].start_velocity_at(pair.la, site.p);
      if (pair.mb >= 0) v -= movers<M>()[at(pair.mb)].start_velocity_at(pair.lb, site.p);
      site.w = compliance<M>(pair, site);
      site.wt = site.w.t_max();
      site.vn0 = -site.frame.n.dot(v);
      site.vt0 = site.frame.across(v);
      // From sub-step to sub-step the slip changes because its point moves over the bodies, and it
      // does so evenly: in the first half of this one as in the second.
      site.shift.setZero();
      if (site.h_last > 0) {
        site.shift = h / (site.h_last + h) * (site.frame.across(slip_before) - site.vt0);
      }
      if (pair.rolling) resist_rolling<M>(pair, site, h);
      site.f = site.nudged = 0;
      site.friction.setZero();
      site.flagged = false;
    }
  }
}

/// Spin of A against B, at the start of the sub-step or now.
template <class M>
Vector3 WorldStepper::Parts::turning(const PairSites& pair, bool at_start, double h) noexcept {
  const auto spin = [&](int m, int link) {
    if (m < 0) return pair.driven ? pair.fixed.spin_at(t_sub + 0.5 * h) : Vector3(Vector3::Zero());
    const M& mover = movers<M>()[at(m)];
    return Vector3(at_start ? mover.spin_start(link) : mover.spin(link));
  };
  return spin(pair.ma, pair.la) - spin(pair.mb, pair.lb);
}

/// An angular impulse against the spin across n, as strong as its mean over the sub-step asks for.
template <class M>
void WorldStepper::Parts::resist_rolling(const PairSites& pair, Site& site, double h) noexcept {
  const auto across = [&] {
    const Vector3 turn = turning<M>(pair, false, h);
    return Vector3(turn - turn.dot(site.frame.n) * site.frame.n);
  };
  const auto twist = [&](const Vector3& impulse) {
    if (pair.ma >= 0) movers<M>()[at(pair.ma)].twist(pair.la, impulse);
    if (pair.mb >= 0) movers<M>()[at(pair.mb)].twist(pair.lb, -impulse);
  };
  site.rolling.setZero();
  const double radius = std::get<Sphere>(pair.sa).radius;
  const double c = rolling_coefficient(*pair.rolling, radius, site.f_last);
  const Vector3 turn = across();
  if (!(c > 0) || turn.isZero(0)) return;
  twist(-turn);
  const double lighter = turn.dot(turn - across());  // by a unit of the resistance
  const double share = h * c / (1 + 0.5 * h * c * lighter / turn.squaredNorm());
  twist((1 - share) * turn);
  site.rolling = -share * turn;
}

// ---- one contact --------------------------------------------------------------------------------

/// An impulse on A at the point of action of a site, and its opposite on B.
template <class M>
void WorldStepper::Parts::push(const Site& s, const Vector3& impulse) noexcept {
  const PairSites& pair = pairs[at(s.pair)];
  if (pair.ma >= 0) movers<M>()[at(pair.ma)].push(pair.la, s.p, impulse);
  if (pair.mb >= 0) movers<M>()[at(pair.mb)].push(pair.lb, s.p, -impulse);
}

/// The forces of one contact, given what the others do. Returns how much its impulse has changed,
/// in newtons.
template <class M>
double WorldStepper::Parts::contact(Site& s, double h, bool conserve, int passes) noexcept {
  const Vector3 v = relative<M>(pairs[at(s.pair)], s);
  const Vector2& c = s.w.tn;
  // Without this contact's own impulse.
  const Vector2 own(s.w.t11 * s.friction[0] + s.w.t12 * s.friction[1],
                    s.w.t12 * s.friction[0] + s.w.t22 * s.friction[1]);
  const double vn_free = -s.frame.n.dot(v) + h * (s.w.nn * s.f - c.dot(s.friction));
  const Vector2 vt_free = s.frame.across(v) - h * s.f * c + h * own;
  s.bn = (vn_free - s.vn0) / h;
  s.bt = (vt_free - s.vt0) / h;
  const Seen<Vector2> seen{
      s.w.nn,
      s.wt,
      c,
      s.bn,
      c.squaredNorm() > 1e-24 * s.w.nn * s.w.nn,
      std::abs(s.w.t12) > 1e-12 * s.wt || std::abs(s.w.t11 - s.w.t22) > 1e-12 * s.wt};
  const auto solve_slip = [&](double f, const Vector2& guess) {
    Vector2 b = s.bt + f * c;
    if (seen.uneven) {
      b -= Vector2((s.w.t11 - s.wt) * guess[0] + s.w.t12 * guess[1],
                   s.w.t12 * guess[0] + (s.w.t22 - s.wt) * guess[1]);
    }
    s.answer = s.slip.solve({s.vt0 + s.shift, b - (2 / h) * s.shift, s.wt, h, f});
    return s.answer.force;
  };
  const auto found =
      agree<Vector2>(s, seen, {s.f_last, s.friction_last}, h, conserve, passes, solve_slip);
  const double df = found.f - s.f;
  const Vector2 dF = found.friction - s.friction;
  s.f = found.f;
  s.friction = found.friction;
  push<M>(s, h * s.frame.force(df, dF));
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

// ---- an island ----------------------------------------------------------------------------------

template <class M>
void WorldStepper::Parts::solve_one(Site& s, double h, bool conserve) noexcept {
  contact<M>(s, h, conserve, most_passes);
  if (!s.flagged) return;
  const double f = s.f;
  const Vector2 friction = s.friction;
  limit(s, h);
  push<M>(s, h * s.frame.force(s.f - f, s.friction - friction));
}

/// All forces of an island side by side; torques over the length of their patch, so that all are
/// newtons.
Eigen::Index WorldStepper::Parts::take_forces(const Island& island,
                                              Eigen::VectorXd& all) const noexcept {
  Eigen::Index n = 0;
  for (const int i : island.sites) {
    const Site& s = sites[at(i)];
    if (!s.active) continue;
    all.segment<3>(n) << s.f, s.friction;
    n += 3;
  }
  for (const int i : island.areas) {
    for (int k = 0; k < areas[at(i)].active; ++k, n += 6) {
      const PatchSite& s = areas[at(i)].sites[at(k)];
      all.segment<6>(n) << s.g.head<3>(), s.g.tail<3>() / s.reach();
    }
  }
  return n;
}

/// Mixed forces of a contact whose friction is set-valued may lie outside what the contact can
/// give: the nearest that it can.
void WorldStepper::Parts::make_possible(const Site& s, double& f, Vector2& friction) noexcept {
  const double most = s.slip->most(s.answer.slip.norm(), std::max(0.0, f));
  if (most == infinity) return;
  f = std::max(0.0, f);
  const double size = friction.norm();
  if (size > most) friction *= most / size;
}

template <class M>
void WorldStepper::Parts::put_forces(Island& island, const Eigen::VectorXd& all,
                                     double h) noexcept {
  Eigen::Index n = 0;
  for (const int i : island.sites) {
    Site& s = sites[at(i)];
    if (!s.active) continue;
    double f = all[n];
    Vector2 friction = all.segment<2>(n + 1);
    make_possible(s, f, friction);
    push<M>(s, h * s.frame.force(f - s.f, friction - s.friction));
    s.f = s.f_last = f;
    s.friction = s.friction_last = friction;
    n += 3;
  }
  if constexpr (detail::MovesAreas<M>) {
    for (const int i : island.areas) {
      AreaPair& area = areas[at(i)];
      for (int k = 0; k < area.active; ++k, n += 6) {
        PatchSite& s = area.sites[at(k)];
        Vector6 g = all.segment<6>(n);
        g.tail<3>() *= s.reach();
        push_patch<M>(area, s, h * (g - s.g));
        s.g = s.g_last = g;
      }
    }
  }
}

/// Contact by contact, starting from the forces of the sub-step before; what does not settle by
/// itself in a few rounds is mixed (mixing.hpp).
template <class M>
void WorldStepper::Parts::sweep(Island& island, double h, bool conserve) noexcept {
  for (const int i : island.sites) {
    Site& s = sites[at(i)];
    if (!s.active) continue;
    s.f = s.f_last;
    s.friction = s.friction_last;
    push<M>(s, h * s.frame.force(s.f, s.friction));
  }
  if constexpr (detail::MovesAreas<M>) warm_areas<M>(island, h);
  double change = 0, largest = 0;
  for (int k = 0; k < budget.sweeps; ++k) {
    const Eigen::Index n = take_forces(island, mixed);
    if (k == 0) mixing.start(n);
    change = largest = 0;
    for (const int i : island.sites) {
      Site& s = sites[at(i)];
      if (!s.active) continue;
      change = std::max(change, contact<M>(s, h, conserve, 2));
      largest = std::max(largest, s.f);
      s.f_last = s.f;
      s.friction_last = s.friction;
    }
    if constexpr (detail::MovesAreas<M>) {
      change = std::max(change, sweep_areas<M>(island, h, conserve, 2, largest));
    }
    if (change <= 1e-10 * largest) return;
    const int unmixed = island.set_valued ? sweeps_after_mixing : 1;
    if (k < sweeps_before_mixing || k + unmixed >= budget.sweeps) continue;
    take_forces(island, image);
    mixing.next(mixed.head(n), image.head(n));
    put_forces<M>(island, mixed, h);
  }
  over.sweeps |= change > settled * largest;
}

template <class M>
void WorldStepper::Parts::solve(Island& island, double h, bool conserve) noexcept {
  for (const int m : island.movers) movers<M>()[at(m)].prepare(t_sub, h);
  aim<M>(island, h);
  if constexpr (detail::MovesAreas<M>) aim_areas<M>(island, h);
  const int patches = active_patches(island);
  int active = 0;
  Site* only = nullptr;
  for (const int i : island.sites) {
    if (!sites[at(i)].active) continue;
    only = &sites[at(i)];
    ++active;
  }
  if (active == 1 && patches == 0) {
    solve_one<M>(*only, h, conserve);
  } else if (active == 0 && patches == 1) {
    double largest = 0;
    if constexpr (detail::MovesAreas<M>) sweep_areas<M>(island, h, conserve, 0, largest);
  } else {
    sweep<M>(island, h, conserve);
  }
  see_velocities<M>(island);
  for (const int i : island.sites) {
    Site& s = sites[at(i)];
    if (!s.active) continue;
    over.sweeps |= s.flagged || !s.answer.settled || !s.pressed.settled;
    const PairSites& pair = pairs[at(s.pair)];
    if (!pair.rolling) continue;
    s.rolled = -0.5 * s.rolling.dot(turning<M>(pair, true, h) + turning<M>(pair, false, h));
  }
  if constexpr (detail::MovesAreas<M>) end_areas<M>(island, h);
  for (const int m : island.movers) {
    M& mover = movers<M>()[at(m)];
    mover.finish(h);
    over.sweeps |= !mover.settled();
  }
  if (!conserve) return;
  if constexpr (detail::MovesAreas<M>) nudge_areas<M>(island, h);
  for (const int i : island.sites) {
    Site& s = sites[at(i)];
    if (!s.active || !s.impact) continue;
    const PairSites& pair = pairs[at(s.pair)];
    const Vector3 along = (-s.depth_off(h) / s.w.nn) * s.frame.n;
    if (pair.ma >= 0) s.nudged += movers<M>()[at(pair.ma)].nudge(pair.la, s.p, along);
    if (pair.mb >= 0) s.nudged += movers<M>()[at(pair.mb)].nudge(pair.lb, s.p, -along);
  }
}

template void WorldStepper::Parts::solve<detail::BodyMover>(Island&, double, bool) noexcept;
template void WorldStepper::Parts::solve<detail::PendulumMover>(Island&, double, bool) noexcept;
template void WorldStepper::Parts::solve<detail::MechanismMover>(Island&, double, bool) noexcept;

}  // namespace bristle
