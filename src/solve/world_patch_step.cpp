// Contacts over areas: the forces of a sub-step.
//
// A patch resists six motions of A against B at its centre of pressure: approach, slip along e1 and
// e2, spin about n, and tilting about e1 and e2. Tilting is resisted linearly and is eliminated
// first; approach is a press with an inverse mass that includes it, slip and spin are the friction
// of patch_slip.hpp; the two are made to agree as those of a point are.

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "agree.hpp"
#include "world_parts.hpp"

namespace bristle {

using detail::AreaPair;
using detail::at;
using detail::impact_lasts;
using detail::Matrix6;
using detail::PatchSite;
using detail::Vector2;
using detail::Vector6;
using Matrix2 = Eigen::Matrix2d;
using Vector4 = Eigen::Vector4d;

namespace {

/// The models of patches are off: what they hold counts this many times.
constexpr double slack = 2;

Vector6 seen_from(const detail::ContactFrame& f, const Vector3& v, const Vector3& w) noexcept {
  Vector6 y;
  y << f.n.dot(v), f.e1.dot(v), f.e2.dot(v), f.n.dot(w), f.e1.dot(w), f.e2.dot(w);
  return y;
}
Vector3 upper(const detail::ContactFrame& f, const Vector6& g) noexcept {
  return g[0] * f.n + g[1] * f.e1 + g[2] * f.e2;
}
Vector3 lower(const detail::ContactFrame& f, const Vector6& g) noexcept {
  return g[3] * f.n + g[4] * f.e1 + g[5] * f.e2;
}
Matrix2 across(const detail::ContactFrame& f, const Matrix3& m) noexcept {
  const Vector3 m1 = m * f.e1, m2 = m * f.e2;
  Matrix2 out;
  out << f.e1.dot(m1), f.e1.dot(m2), f.e2.dot(m1), f.e2.dot(m2);
  return out;
}
PatchSlip slip_of(const PatchSite& s, double fn, const Vector3& u) noexcept {
  return {u, fn, s.patch.r_gyr, LimitCurve::from_depths(s.patch.mean_depth, s.patch.depth)};
}
PatchFriction::State state_of(const PatchSite& s) noexcept {
  const PatchMemory& m = s.memory;
  return {{s.frame.e1.dot(m.z), s.frame.e2.dot(m.z), s.patch.r_gyr * m.theta}, m.s_dw};
}
/// Driven bodies put in what the contact takes from them: power.
double from_outside(const PatchSite& s) noexcept {
  return upper(s.frame, s.g).dot(s.ground_velocity) + lower(s.frame, s.g).dot(s.ground_spin);
}
/// From velocities to slip (v, r_gyr ω_n), and from friction to forces.
Vector3 in_units(const PatchSite& s, const Vector3& y) noexcept {
  return {y[0], y[1], s.patch.r_gyr * y[2]};
}

}  // namespace

template <class M>
Vector6 WorldStepper::Parts::motion(const AreaPair& area, const PatchSite& s,
                                    bool at_start) noexcept {
  Vector3 v = s.ground_velocity, w = s.ground_spin;
  for (const auto& [m, link, sign] : area.movers()) {
    if (m < 0) continue;
    const M& mover = movers<M>()[at(m)];
    v += sign * (at_start ? mover.start_velocity_at(link, s.p) : mover.velocity_at(link, s.p));
    w += sign * (at_start ? mover.spin_start(link) : mover.spin(link));
  }
  return seen_from(s.frame, v, w);
}

/// Inverse masses and the elimination of tilting, in the middle of the sub-step.
template <class M>
void WorldStepper::Parts::aim_areas(Island& island, double h) noexcept {
  see_areas<M>(island, h);
  for (const int i : island.areas) {
    AreaPair& area = areas[at(i)];
    for (int k = 0; k < area.active; ++k) {
      PatchSite& s = area.sites[at(k)];
      const detail::FullCompliance full = full_compliance<M>(area, s.p);
      Matrix3 r;
      r << s.frame.n, s.frame.e1, s.frame.e2;
      s.w.topLeftCorner<3, 3>() = r.transpose() * full.vv * r;
      s.w.topRightCorner<3, 3>() = r.transpose() * full.vw * r;
      s.w.bottomLeftCorner<3, 3>() = s.w.topRightCorner<3, 3>().transpose();
      s.w.bottomRightCorner<3, 3>() = r.transpose() * full.ww * r;
      const double profile = std::clamp(
          s.patch.mean_depth > 0 ? s.patch.depth / s.patch.mean_depth - 1 : 0.0, 0.0, 2.0);
      const double per_volume = s.patch.volume > 0 ? s.k_v * s.patch.area / s.patch.volume : 0;
      s.stiff = per_volume * (1 + 0.5 * profile) * across(s.frame, s.patch.M);
      s.damp = s.k_v * s.memory.a * across(s.frame, area.law.rolling_tensor(s.patch));
      const Matrix2 tt = s.w.bottomRightCorner<2, 2>();
      // Stiffer than it is where the step does not resolve it: what the elimination leaves out
      // (that tilting also moves the centre of the area) must not make it unstable.
      const double swing = h * h * (s.stiff * tt).trace();
      s.stiff *= 1 + swing / (4 + swing);
      const Matrix2 c = 0.5 * h * s.stiff + s.damp;
      s.resist = c * Matrix2(Matrix2::Identity() + 0.5 * h * tt * c).inverse();
      const Eigen::Matrix<double, 4, 2> ct = s.w.topRightCorner<4, 2>();
      s.w_held = s.w.topLeftCorner<4, 4>() - 0.5 * h * ct * s.resist * ct.transpose();
      s.tilt0 = s.stiff * Vector2(s.frame.e1.dot(s.tilt), s.frame.e2.dot(s.tilt));
      s.g.setZero();
    }
  }
}

/// Resistances act on A against its motion and on B along it.
template <class M>
void WorldStepper::Parts::push_patch(const AreaPair& area, const PatchSite& s,
                                     const Vector6& impulse) noexcept {
  const Vector3 push = upper(s.frame, impulse), turn = lower(s.frame, impulse);
  for (const auto& [m, link, sign] : area.movers()) {
    if (m < 0) continue;
    movers<M>()[at(m)].push(link, s.p, -sign * push);
    movers<M>()[at(m)].twist(link, -sign * turn);
  }
}

/// The forces of one patch, given what the other contacts do. Returns how much they have changed,
/// in newtons.
template <class M>
double WorldStepper::Parts::patch(const AreaPair& area, PatchSite& s, double h, bool conserve,
                                  int passes) noexcept {
  // Without this patch's own impulse.
  const Vector6 free = motion<M>(area, s, false) + h * (s.w * s.g);
  const Matrix2 tt = s.w.bottomRightCorner<2, 2>();
  const Eigen::Matrix<double, 4, 2> ct = s.w.topRightCorner<4, 2>();
  const Vector2 rate = 0.5 * (s.y0.tail<2>() + free.tail<2>());
  const Vector2 turned = s.tilt0 + s.resist * (rate - 0.5 * h * tt * s.tilt0);
  const Vector4 rest = free.head<4>() - h * ct * turned;

  const double vn0 = s.y0[0], wn = s.w_held(0, 0);
  s.bn = (rest[0] - vn0) / h;
  PatchSlipProblem problem;
  problem.h = h;
  problem.u = in_units(s, s.y0.segment<3>(1));
  problem.b = (in_units(s, rest.tail<3>()) - problem.u) / h;
  problem.c = in_units(s, s.w_held.block<3, 1>(1, 0));
  const Vector3 unit(1, 1, s.patch.r_gyr);
  problem.w = unit.asDiagonal() * s.w_held.block<3, 3>(1, 1) * unit.asDiagonal();
  const PatchFriction::State state = state_of(s);

  double f = s.g_last[0];
  Vector3 friction(s.g_last[1], s.g_last[2], s.patch.r_gyr > 0 ? s.g_last[3] / s.patch.r_gyr : 0);
  Vector3 follow = f > 0 ? Vector3(friction / f) : Vector3::Zero();
  for (int pass = 0; pass < passes; ++pass) {
    double w = wn + problem.c.dot(follow);
    double b = s.bn - problem.c.dot(friction - follow * f);
    if (w < 0.05 * wn) {
      w = wn;
      b = s.bn - problem.c.dot(friction);
    }
    if (!(wn > 0)) {  // both bodies move as they are told
      const double v = vn0 + 0.5 * h * s.bn, x = s.x + 0.5 * h * v;
      s.pressed = {s.press.force(x, v), vn0 + h * s.bn, s.x + h * v, h * s.press.dissipation(x, v)};
    } else {
      s.pressed = conserve && s.impact ? press_conserving(s.press, s.x, vn0, h, b, w, s.k_top)
                                       : press_midpoint(s.press, s.x, vn0, h, b, w);
    }
    const double last = f;
    f = s.pressed.force;
    const Vector3 expected = friction + follow * (f - last);
    s.answer = patch_slip_step(area.law, slip_of(s, f, s.slip_last), state, problem);
    friction = s.answer.force;
    follow = s.answer.follow;
    const double off = (friction - expected).norm();
    if (off <= 1e-4 * (friction.norm() + 0.02 * f)) break;
  }
  Vector6 g = Vector6::Zero();
  if (f > 0) {
    g.head<4>() << f, friction[0], friction[1], friction[2] * s.patch.r_gyr;
    g.tail<2>() = turned - 0.5 * h * s.resist * (ct.transpose() * g.head<4>());
  }
  const Vector6 change = g - s.g;
  s.g = g;
  push_patch<M>(area, s, h * change);
  return change.head<3>().norm() +
         (s.patch.r_gyr > 0 ? change.tail<3>().norm() / s.patch.r_gyr : 0);
}

template <class M>
void WorldStepper::Parts::warm_areas(Island& island, double h) noexcept {
  for (const int i : island.areas) {
    AreaPair& area = areas[at(i)];
    for (int k = 0; k < area.active; ++k) {
      PatchSite& s = area.sites[at(k)];
      s.g = s.g_last;
      push_patch<M>(area, s, h * s.g);
    }
  }
}

template <class M>
double WorldStepper::Parts::sweep_areas(Island& island, double h, bool conserve, int passes,
                                        double& largest) noexcept {
  double change = 0;
  for (const int i : island.areas) {
    AreaPair& area = areas[at(i)];
    for (int k = 0; k < area.active; ++k) {
      PatchSite& s = area.sites[at(k)];
      change = std::max(change,
                        patch<M>(area, s, h, conserve, passes > 0 ? passes : detail::most_passes));
      largest = std::max(largest, s.g[0]);
      s.g_last = s.g;
    }
  }
  return change;
}

/// Velocities at the end of the sub-step.
template <class M>
void WorldStepper::Parts::see_motion(Island& island) noexcept {
  for (const int i : island.areas) {
    AreaPair& area = areas[at(i)];
    for (int k = 0; k < area.active; ++k) {
      PatchSite& s = area.sites[at(k)];
      s.y1 = motion<M>(area, s, false);
    }
  }
}

/// The energy of a patch as its model has it: of the press, of the tilt and of the bristles.
double WorldStepper::Parts::energy_in(const PatchSite& s, const AreaPair& area) const noexcept {
  return s.press.stored(s.pressed.x) +
         area.law.stored(slip_of(s, s.g[0], s.slip_last), state_of(s));
}

/// The patches of an island give back no more than they have taken, whatever the model of each has
/// made of it: else all their impulses are scaled down. Work that they take is Σ g·(y0 + y1)/2 h,
/// which is s L − s² Q of a share s of the impulses.
template <class M>
void WorldStepper::Parts::limit_areas(Island& island, double h) noexcept {
  const auto for_each = [&](auto&& f) {
    for (const int i : island.areas) {
      AreaPair& area = areas[at(i)];
      for (int k = 0; k < area.active; ++k) f(area, area.sites[at(k)]);
    }
  };
  const auto taken = [&] {
    island.taken = 0;
    for_each([&](const AreaPair&, const PatchSite& s) {
      island.taken += 0.5 * h * s.g.dot(s.y0 + s.y1);
    });
  };
  taken();
  if (island.held + island.taken >= 0) return;
  // Without any of them:
  for_each([&](const AreaPair& area, const PatchSite& s) { push_patch<M>(area, s, -h * s.g); });
  double linear = 0, square = 0;
  for_each([&](const AreaPair& area, const PatchSite& s) {
    const Vector6 free = motion<M>(area, s, false);
    linear += 0.5 * h * s.g.dot(s.y0 + free);
    square += 0.5 * h * s.g.dot(free - s.y1);
  });
  const double inside = linear * linear + 4 * square * island.held;
  const double share = square > 0 ? (linear + std::sqrt(inside)) / (2 * square) : 1;
  for_each([&](const AreaPair& area, PatchSite& s) {
    s.g *= std::clamp(share, 0.0, 1.0);
    push_patch<M>(area, s, h * s.g);
  });
  see_motion<M>(island);
  for_each([&](const AreaPair&, PatchSite& s) {
    s.pressed.x = s.x + 0.5 * h * (s.y0[0] + s.y1[0]);  // as it moves, not as the model had it
  });
  taken();
}

template <class M>
void WorldStepper::Parts::end_areas(Island& island, double h) noexcept {
  see_motion<M>(island);
  limit_areas<M>(island, h);
}

/// In an impact the depth moves as the normal law has it, not by the mean of both speeds.
template <class M>
void WorldStepper::Parts::nudge_areas(Island& island, double h) noexcept {
  for (const int i : island.areas) {
    AreaPair& area = areas[at(i)];
    for (int k = 0; k < area.active; ++k) {
      PatchSite& s = area.sites[at(k)];
      s.nudged = 0;
      if (!s.impact || !(s.w(0, 0) > 0)) continue;
      const double off = (s.pressed.x - s.x) - 0.5 * h * (s.y0[0] + s.y1[0]);
      const Vector3 along = (off / s.w(0, 0)) * s.frame.n;
      for (const auto& [m, link, sign] : area.movers()) {
        if (m >= 0) s.nudged += movers<M>()[at(m)].nudge(link, s.p, sign * along);
      }
    }
  }
}

void WorldStepper::Parts::book_patch(const AreaPair& area, const PatchSite& s, double h) noexcept {
  double* b = &books[5 * (sites.size() + static_cast<std::size_t>(&area - areas.data()))];
  const Vector6 mean = 0.5 * (s.y0 + s.y1);
  const double friction = h * s.g.segment<3>(1).dot(mean.segment<3>(1));
  b[0] += friction;
  b[1] += friction;  // the bristles' share is known by state
  b[2] += h * (s.g[0] * mean[0] + s.g.tail<2>().dot(mean.tail<2>())) + s.nudged;
  if (s.g[0] > 0) b[3] += s.pressed.lost + h * mean.tail<2>().dot(s.damp * mean.tail<2>());
  b[4] += h * s.g[0];
  input += h * from_outside(s);
}

/// What the patches have taken, by what the motion has lost: bodies turn while they are pushed, so
/// that their energy is not quite the sum of the work that the patches know of. Where that little
/// would be a gain, the spins pay for it.
void WorldStepper::Parts::settle_bodies(Island& island, double h) noexcept {
  double taken = 0, spin = 0;
  for (const int m : island.movers) {
    const BodyMover &now = bodies[at(m)], &then = bodies_before[at(m)];
    const double kinetic = now.kinetic();
    taken += then.kinetic() + then.potential() - kinetic - now.potential();
    spin += kinetic - 0.5 * now.v.squaredNorm() / now.inverse_mass();
  }
  for (const int i : island.areas) {
    const AreaPair& area = areas[at(i)];
    for (int k = 0; k < area.active; ++k) taken += h * from_outside(area.sites[at(k)]);
  }
  const double gained = -(island.held + taken);
  island.taken = taken;
  if (!(gained > 0) || !(gained < spin)) return;
  for (const int m : island.movers) bodies[at(m)].w *= std::sqrt(1 - gained / spin);
  island.taken = -island.held;
}

template <class M>
void WorldStepper::Parts::commit_areas(Island& island, double h) noexcept {
  if constexpr (std::is_same_v<M, BodyMover>) {
    if (island.sites.empty()) settle_bodies(island, h);
  }
  double left = 0;
  for (const int i : island.areas) {
    AreaPair& area = areas[at(i)];
    area.seen += h;
    Vector3 turning = Vector3::Zero();  // twice the mean spin of both bodies
    for (const auto& [m, side] : {std::pair{area.ma, area.a}, std::pair{area.mb, area.b}}) {
      turning += m >= 0 ? movers<M>()[at(m)].spin_start(side.link)
                        : world.bodies[at(side.index)].spin_at(t_sub + 0.5 * h);
    }
    for (int k = 0; k < area.active; ++k) {
      PatchSite& s = area.sites[at(k)];
      if (keep) book_patch(area, s, h);
      const Vector6 mean = 0.5 * (s.y0 + s.y1);
      area.open.impulse += h * s.g[0];
      area.open.lost += h * s.g.dot(mean) + s.nudged;
      s.nudged = 0;
      // The slip that the motion has made of it: with several contacts the two differ a little.
      const Vector3 u0 = in_units(s, s.y0.segment<3>(1)), u1 = in_units(s, s.y1.segment<3>(1));
      const Vector3 slip = u0 + s.answer.theta * (u1 - u0);
      const PatchFriction::State next = area.law.advance(slip_of(s, s.g[0], slip), state_of(s), h);
      const Vector3& n = s.frame.n;
      Vector3 z = next.p[0] * s.frame.e1 + next.p[1] * s.frame.e2;
      const double angle = 0.5 * h * n.dot(turning);
      z += angle * n.cross(z) - 0.5 * angle * angle * z;
      s.memory.z = z;
      s.memory.theta = s.patch.r_gyr > 0 ? next.p[2] / s.patch.r_gyr : 0;
      s.memory.s_dw = next.s_dw;
      left += energy_in(s, area);
      s.slip_last = slip;
      s.g_last = s.g;
      s.x = s.pressed.x;
      s.tilt += h * (mean[4] * s.frame.e1 + mean[5] * s.frame.e2);
      s.age += h;
      if (s.impact && s.age >= impact_lasts * s.duration * (1 - 1e-12)) s.impact = false;
    }
  }
  // What the springs do not hold is lost.
  island.held = std::clamp(island.held + island.taken, 0.0, slack * left);
  part_areas<M>(island, h);
}

#define BRISTLE_AREAS_OF(M)                                                          \
  template Vector6 WorldStepper::Parts::motion<M>(const AreaPair&, const PatchSite&, \
                                                  bool) noexcept;                    \
  template void WorldStepper::Parts::aim_areas<M>(Island&, double) noexcept;         \
  template void WorldStepper::Parts::warm_areas<M>(Island&, double) noexcept;        \
  template double WorldStepper::Parts::sweep_areas<M>(Island&, double, bool, int,    \
                                                      double&) noexcept;             \
  template void WorldStepper::Parts::end_areas<M>(Island&, double) noexcept;         \
  template void WorldStepper::Parts::nudge_areas<M>(Island&, double) noexcept;       \
  template void WorldStepper::Parts::commit_areas<M>(Island&, double) noexcept;
BRISTLE_AREAS_OF(detail::BodyMover)
BRISTLE_AREAS_OF(detail::MechanismMover)
#undef BRISTLE_AREAS_OF

}  // namespace bristle
