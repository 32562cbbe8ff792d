// The outer step: flight, touch-down, sub-steps, parting.

#include <algorithm>
#include <cmath>

#include "world_parts.hpp"

namespace bristle {

using detail::at;
using detail::Compliance;
using detail::v_least;
using detail::Vector2;

template <class M>
void WorldStepper::Parts::look(PairSites& pair, double time) noexcept {
  if (pair.ball_on_plane) {
    const Vector3 centre = movers<M>()[at(pair.ma)].pose(pair.la).position;
    // Normal and reference have been there from the start.
    Touch& touch = sites[at(pair.first)].touch;
    touch.point = centre - pair.radius * pair.frame.n;
    touch.gap = pair.plane.height(centre) - pair.radius;
    return;
  }
  const auto pose = [&](int m, int link) {
    return m >= 0 ? movers<M>()[at(m)].pose(link)
                  : (pair.driven ? pair.fixed.pose_at(time) : pair.fixed.pose);
  };
  std::array<Touch, max_touches> touch;
  const Pose a = pose(pair.ma, pair.la), b = pose(pair.mb, pair.lb);
  const int count = touches(pair.sa, a, pair.sb, b, touch);
  if (pair.rims) pair.side_seen = pair.keep_sides(pair.rims_of_b ? b : a, touch);
  for (int k = 0; k < count; ++k) sites[at(pair.first + k)].touch = touch[at(k)];
}

Vector3 detail::PairSites::keep_sides(const Pose& cylinder,
                                      std::array<Touch, max_touches>& touch) const noexcept {
  const Vector3 across = touch[0].point - touch[1].point;
  const Vector3 where = cylinder.rotation.conjugate() * across;
  if (!(where.dot(side) < 0)) return where;
  std::swap(touch[0], touch[1]);
  std::swap(touch[3], touch[4]);
  return -where;
}

void WorldStepper::Parts::keep_sides(const Island& island) noexcept {
  for (const int p : island.pairs) pairs[at(p)].side = pairs[at(p)].side_seen;
}

// ---- the end of a sub-step ----------------------------------------------------------------------

void WorldStepper::Parts::book(Site& s, double h) noexcept {
  double* b = &books[5 * static_cast<std::size_t>(&s - sites.data())];
  b[0] += h * s.friction.dot(0.5 * (s.vt0 + s.vt1)) + s.rolled;
  b[1] += h * s.slip->dissipation(s.answer.slip, s.f) + s.rolled;
  b[2] += h * s.f * 0.5 * (s.vn0 + s.vn1) + s.nudged;
  b[3] += s.pressed.lost;
  b[4] += h * s.f;
  input += input_of(s, h);
}

/// What a driven body puts in through a contact.
double WorldStepper::Parts::input_of(const Site& s, double h) const noexcept {
  const PairSites& pair = pairs[at(s.pair)];
  if (!pair.driven) return 0;
  const Vector3 given = pair.fixed.spin_at(t_sub + 0.5 * h);
  return h * s.frame.force(s.f, s.friction).dot(s.ground_velocity) +
         s.rolling.dot(pair.mb < 0 ? given : Vector3(-given));
}

void WorldStepper::Parts::part(Site& s, double time) noexcept {
  // Since the depth was 0 the bodies have flown, in a parabola.
  const double speed = -s.vn1, height = std::max(0.0, -s.x);
  const double parting = std::sqrt(std::max(0.0, speed * speed + 2 * s.bn * height));
  s.open.t_out = time - (speed > 0 ? 2 * height / (speed + parting) : 0);
  s.open.v_out = speed > 0 ? parting : speed;
  s.active = false;
  s.f = s.f_last = 0;
  s.friction.setZero();
  s.friction_last.setZero();
  if (pairs[at(s.pair)].reset) s.slip->clear();
  if (log.size() < log.capacity()) log.push_back(s.open);
}

/// The bristles of a site move on with the slip that the motion has made of it: with several
/// contacts that and the slip that was solved for differ a little.
template <class M>
void WorldStepper::Parts::advance_slip(const Island& island, Site& s, double h) noexcept {
  const PairSites& pair = pairs[at(s.pair)];
  const Vector2 from = s.vt0 + s.shift, to = s.vt1 - s.shift;
  const Vector2 solved = from + (s.answer.slip - from) / s.answer.theta;
  const Vector2 slip = island.sites.size() > 1
                           ? Vector2(s.answer.slip + s.answer.theta * (to - solved))
                           : s.answer.slip;
  s.slip.advance(slip, s.f, h);
  double turn = 0;
  if (pair.ma >= 0) turn += movers<M>()[at(pair.ma)].spin_start(pair.la).dot(s.frame.n);
  if (pair.mb >= 0) turn += movers<M>()[at(pair.mb)].spin_start(pair.lb).dot(s.frame.n);
  if (pair.driven) turn += pair.fixed.spin.dot(s.frame.n);
  turn *= 0.5 * h;
  if (!pair.ball_on_plane) {
    const TangentBasis end = tangent_basis(s.touch.normal, s.touch.reference);
    turn -= std::atan2(end.e1.dot(s.frame.n.cross(s.e1)), end.e1.dot(s.e1));
    s.e1 = end.e1;
  }
  if (turn != 0) s.slip->turn(turn);
}

template <class M>
void WorldStepper::Parts::commit(Island& island, double h) noexcept {
  for (const int i : island.sites) {
    Site& s = sites[at(i)];
    if (!s.active) continue;
    if (keep) book(s, h);
    advance_slip<M>(island, s, h);
  }
  if constexpr (detail::MovesAreas<M>) commit_areas<M>(island, h);
}

template <class M>
void WorldStepper::Parts::touch_down(Site& s, double time, double depth) noexcept {
  PairSites& pair = pairs[at(s.pair)];
  const TangentBasis basis = tangent_basis(s.touch.normal, s.touch.reference);
  s.frame = {s.touch.normal, basis.e1, basis.e2};
  s.e1 = basis.e1;
  s.p = s.touch.point;
  if (pair.driven) {
    const Vector3 v = pair.fixed.velocity_at(time, s.p);
    s.ground_velocity = pair.mb < 0 ? v : Vector3(-v);
  }
  for (const int m : {pair.ma, pair.mb}) {
    if (m >= 0) movers<M>()[at(m)].prepare(time, 0);
  }
  s.w = compliance<M>(pair, s);
  s.wt = s.w.t_max();
  const Vector3 v = relative<M>(pair, s);
  s.active = s.impact = true;
  s.v_i = std::max(0.0, -s.frame.n.dot(v));
  s.press = pair.normal.latch(s.v_i);
  const double speed = std::max(s.v_i, v_least), p = s.press.p;
  const double deepest =
      std::pow(0.5 * (p + 1) * speed * speed / (s.press.k * s.w.nn), 1 / (p + 1));
  s.duration = pair.duration_of * deepest / speed;
  s.k_top = s.press.stiffness(deepest);
  s.age = 0;
  s.x = depth;
  s.h_last = 0;
  s.f = s.f_last = 0;
  s.friction.setZero();
  s.friction_last.setZero();
  s.answer = {Vector2::Zero(), Vector2::Zero(), 0, true, 0.5};
  if (pair.reset) s.slip->clear();
  if (pair.reset) s.kept = 0;
  s.open = {.t = time,
            .t_out = std::nan(""),
            .pair = s.pair,
            .site = static_cast<int>(&s - sites.data()),
            .v_in = s.v_i,
            .slip_in = s.frame.across(v).norm()};
}

// ---- the outer step -----------------------------------------------------------------------------

/// When the first of the sites whose gap has closed at the end of the flight touched. The island is
/// left there.
template <class M>
double WorldStepper::Parts::touch_time(Island& island, double rest) noexcept {
  double hi = rest, lo = 0;
  const auto lowest = [&] {
    double gap = infinity;
    for (const int s : island.sites) {
      if (!sites[at(s)].active) gap = std::min(gap, sites[at(s)].touch.gap);
    }
    return gap;
  };
  double at_hi = lowest();
  put_back<M>(island);
  look<M>(island, t_sub);
  double at_lo = lowest();
  if (at_lo <= 0) return 0;
  double time = rest * at_lo / (at_lo - at_hi);
  int side = 0;
  for (int i = 0; i < 40; ++i) {
    put_back<M>(island);
    for (const int m : island.movers) movers<M>()[at(m)].fly(t_sub, time);
    look<M>(island, t_sub + time);
    const double gap = lowest();
    if (std::abs(gap) <= 1e-15 || hi - lo <= 1e-15 * rest) break;
    // Illinois: a secant that halves the end that stays.
    if (gap > 0) {
      lo = time;
      at_lo = gap;
      if (side == 1) at_hi *= 0.5;
      side = 1;
    } else {
      hi = time;
      at_hi = gap;
      if (side == -1) at_lo *= 0.5;
      side = -1;
    }
    const double next = lo + (hi - lo) * at_lo / (at_lo - at_hi);
    const bool inside = next > lo && next < hi;
    if (!inside) break;
    time = next;
  }
  return time;
}

/// Free flight; true if a touch-down ended it.
template <class M>
bool WorldStepper::Parts::fly(Island& island, double& rest, int& touched) noexcept {
  if (island.sites.empty() && island.areas.empty()) {
    for (const int m : island.movers) movers<M>()[at(m)].fly(t_sub, rest);
    return false;
  }
  store<M>(island);
  for (const int m : island.movers) movers<M>()[at(m)].fly(t_sub, rest);
  look<M>(island, t_sub + rest);
  bool closed = false;
  for (const int s : island.sites) closed |= sites[at(s)].touch.gap < 0;
  double by_area = infinity;
  double seen_at = rest;  // when the patches were looked at
  if constexpr (detail::MovesAreas<M>) {
    by_area = area_touch_time<M>(island, rest);
    if (by_area < rest) by_area = nearer_touch_time<M>(island, by_area, seen_at);
  }
  if (!closed && by_area > rest) {
    keep_sides(island);
    return false;
  }
  double time = closed ? touch_time<M>(island, rest) : by_area;
  if (by_area < time || !closed) {
    time = by_area;
    put_back<M>(island);
    for (const int m : island.movers) movers<M>()[at(m)].fly(t_sub, time);
    look<M>(island, t_sub + time);
  }
  keep_sides(island);
  t_sub += time;
  rest -= time;
  ++touched;
  for (const int s : island.sites) {
    Site& site = sites[at(s)];
    if (site.active) continue;
    site.x = -site.touch.gap;
    if (site.touch.gap <= 1e-14) touch_down<M>(site, t_sub, std::max(0.0, -site.touch.gap));
  }
  if constexpr (detail::MovesAreas<M>) touch_areas<M>(island, time, seen_at);
  return true;
}

/// How long the next sub-step is: that of the site that asks for the shortest.
WorldStepper::Parts::Ahead WorldStepper::Parts::plan(Island& island, double rest) noexcept {
  Ahead ahead{.length = rest};
  for (const int i : island.sites) {
    Site& s = sites[at(i)];
    if (!s.active) continue;
    ahead.touching = true;
    ahead.length = std::min(ahead.length, stride(s, rest));
    ahead.impact |= s.impact;
  }
  plan_areas(island, rest, ahead);
  return ahead;
}

/// The budget is used up: contact in one step to the end, from where the gap is now.
template <class M>
void WorldStepper::Parts::touch_down_all(Island& island) noexcept {
  look<M>(island, t_sub);
  for (const int i : island.sites) {
    Site& s = sites[at(i)];
    touch_down<M>(s, t_sub, std::min(0.0, -s.touch.gap));
    s.impact = false;
  }
  if constexpr (detail::MovesAreas<M>) touch_all_areas<M>(island);
}

/// Of the sites that are out of contact, at the end of a sub-step: the lowest gap, and the share of
/// the sub-step after which the first of them touched if gaps change evenly.
WorldStepper::Parts::Closing WorldStepper::Parts::closing(const Island& island) const noexcept {
  Closing found;
  for (const int i : island.sites) {
    const Site& s = sites[at(i)];
    if (s.active) continue;
    found.gap = std::min(found.gap, s.touch.gap);
    const double before = std::max(0.0, -s.x);
    if (s.touch.gap < 0) found.share = std::min(found.share, before / (before - s.touch.gap));
  }
  return found;
}

/// A sub-step of an island with several sites has been made. Where another one has closed on the
/// way it is made again, to where that did; then its length is shorter. Returns how often.
template <class M>
int WorldStepper::Parts::shorten(Island& island, Ahead& ahead) noexcept {
  const Closing whole = closing(island);
  double length = std::max(whole.share, 1e-3) * ahead.length;
  const bool hit = startled(island, length);
  if (!(whole.share < 1) && !hit) return 0;
  ahead.impact |= hit;
  double low = 0, high = ahead.length, at_low = 0, at_high = whole.gap;
  near_ = 1e-9 + 1e-5 * std::abs(whole.gap);
  for (int made = 1;; ++made) {
    ahead.length = length;
    put_back<M>(island);
    hold_looks = hit;
    solve<M>(island, length, ahead.impact);
    hold_looks = false;
    look<M>(island, t_sub + length);
    const Closing now = closing(island);
    if (hit || made == most_shortenings || std::abs(now.gap) <= near_) return made;
    (now.gap < 0 ? high : low) = length;
    (now.gap < 0 ? at_high : at_low) = now.gap;
    length = low > 0 ? low + (high - low) * at_low / (at_low - at_high) : now.share * length;
    if (!(length > low && length < high)) return made;
  }
}

template <class M>
void WorldStepper::Parts::outer(Island& island, double h) noexcept {
  double rest = h;
  t_sub = t;
  int touched = 0, subs = 0;
  const auto contacts = island.sites.size() + island.areas.size();
  const int most_touches = budget.touches + static_cast<int>(contacts) - 1;
  const bool several = island.sites.size() > 1 || !island.areas.empty();
  const long looks_before = looks_;
  step_ = h;
  ration_looks(island, h);
  while (rest > 1e-15 * h) {
    Ahead ahead = plan(island, rest);
    if (!ahead.touching && touched < most_touches) {
      if (!fly<M>(island, rest, touched)) break;
      continue;
    }
    const bool late = touched >= most_touches;
    over.touches |= !ahead.touching;
    over.substeps |= subs >= budget.substeps && ahead.length < rest;
    if (!ahead.touching) touch_down_all<M>(island);
    if (!ahead.touching || subs >= budget.substeps) ahead = {true, false, rest};
    if (several) store<M>(island);
    const Account before = account<M>(island);
    solve<M>(island, ahead.length, ahead.impact);
    ++subs;
    look<M>(island, t_sub + ahead.length);
    near_ = 0;
    if (several && !late) {
      const int made = shorten<M>(island, ahead);
      touched += made > 0 ? 1 : 0;
      subs += made;
    }
    commit<M>(island, ahead.length);
    settle_account<M>(island, before, ahead.length, ahead.impact);
    for (const int i : island.sites) {
      if (sites[at(i)].active) settle(sites[at(i)], ahead.length);
    }
    keep_sides(island);
    t_sub += ahead.length;
    rest -= ahead.length;
    if (!several) continue;
    for (const int i : island.sites) {
      Site& s = sites[at(i)];
      if (s.active) continue;
      s.x = -s.touch.gap;
      over.touches |= late && s.touch.gap < 0;
      // Found late, it starts with a spring that is not pressed yet.
      if (s.touch.gap <= near_) touch_down<M>(s, t_sub, std::min(0.0, -s.touch.gap));
    }
  }
  most = std::max(most, subs);
  most_looks_ = std::max(most_looks_, static_cast<int>(looks_ - looks_before));
  total += subs;
}

/// The step of a ball that flies clear of its plane or rests on it, as `outer` would make it: the
/// lever of the contact is R n, so normal force and friction do not mix. False where there is more
/// to do.
bool WorldStepper::Parts::roll(const Ball& ball, double h) noexcept {
  BodyMover& body = bodies[at(ball.body)];
  Site& s = sites[at(ball.site)];
  GonthierSlip& slip = *s.slip.gonthier();
  const Vector3& n = ball.frame.n;
  const double depth = ball.offset + ball.radius;
  if (!s.active) {
    // A parabola that bends towards the plane is lowest at one of its ends.
    const double gap = n.dot(body.x) - depth + h * (n.dot(body.v) - 0.5 * h * ball.gn);
    if (!(gap > 0) || ball.gn < 0) return false;
    body.fly(t, h);
    s.touch.gap = gap;
    return true;
  }
  if (s.impact) return false;
  const Vector3 &e1 = ball.frame.e1, &e2 = ball.frame.e2;
  const double vn = -n.dot(body.v);
  // Of the point of action, at −R n from the centre.
  const Vector2 vt(e1.dot(body.v) - ball.radius * e2.dot(body.w),
                   e2.dot(body.v) + ball.radius * e1.dot(body.w));
  const double spin = n.dot(body.w);
  const PressStep pressed = press_midpoint(s.press, s.x, vn, h, ball.gn, ball.wn);
  const SlipAnswer answer = slip.solve({vt, ball.gt, ball.wt, h, pressed.force});
  const double f1 = answer.force[0], f2 = answer.force[1];
  const double push = h * ball.wn, turn = h * ball.turn;
  body.move(h,
            body.v + h * body.gravity() + (push * pressed.force) * n - (push * f1) * e1 -
                (push * f2) * e2,
            body.w + (turn * f1) * e2 - (turn * f2) * e1);
  s.f_last = pressed.force;
  s.friction_last = answer.force;
  s.vn1 = pressed.v;
  s.bn = ball.gn;
  s.vt1 = vt + h * (ball.gt - ball.wt * answer.force);
  s.f = s.f_last;
  s.friction = s.friction_last;
  s.vt0 = vt;
  if (keep) {
    s.vn0 = vn;
    s.pressed = pressed;
    s.answer.slip = answer.slip;
    book(s, h);
  }
  slip.advance(answer.slip, pressed.force, h);
  if (spin != 0) slip.turn(0.5 * h * spin);
  s.take_work(h);
  s.h_last = h;
  s.open.impulse += h * pressed.force;
  s.open.lost += h * (0.5 * pressed.force * (vn + pressed.v) + answer.force.dot(answer.slip));
  s.touch.gap = n.dot(body.x) - depth;
  s.x = -s.touch.gap;
  ++total;
  if (s.x <= 0 && s.vn1 < 0) part(s, t + h);
  return true;
}

void WorldStepper::Parts::count_over() noexcept {
  used_up.touches += over.touches ? 1 : 0;
  used_up.substeps += over.substeps ? 1 : 0;
  used_up.sweeps += over.sweeps ? 1 : 0;
  used_up.payments += over.payments ? 1 : 0;
  used_up.steps += over.touches || over.substeps || over.sweeps ? 1 : 0;
  over = {};
}

void WorldStepper::step(double h) noexcept {
  for (detail::Island& island : parts_->islands) {
    if (island.ball >= 0 && parts_->roll(parts_->balls[at(island.ball)], h)) continue;
    if (island.tip >= 0) {
      parts_->swing(island, h);
      continue;
    }
    parts_->of_kind(island, [&]<class M>() { parts_->outer<M>(island, h); });
  }
  parts_->count_over();
  parts_->t += h;
}

template bool WorldStepper::Parts::fly<detail::PendulumMover>(Island&, double&, int&) noexcept;
template void WorldStepper::Parts::touch_down_all<detail::PendulumMover>(Island&) noexcept;
template void WorldStepper::Parts::look<detail::BodyMover>(PairSites&, double) noexcept;
template void WorldStepper::Parts::look<detail::PendulumMover>(PairSites&, double) noexcept;
template void WorldStepper::Parts::look<detail::MechanismMover>(PairSites&, double) noexcept;
template void WorldStepper::Parts::touch_down<detail::BodyMover>(Site&, double, double) noexcept;
template void WorldStepper::Parts::touch_down<detail::PendulumMover>(Site&, double,
                                                                     double) noexcept;
template void WorldStepper::Parts::touch_down<detail::MechanismMover>(Site&, double,
                                                                      double) noexcept;

}  // namespace bristle
