// The book of energy of the point contacts of an island. Laws that are passive take energy from the
// bodies; a sub-step may make some all the same: depths that differ from what their rows foresaw,
// contacts found late, forces of several contacts that had not settled. What it makes does not
// stay. Springs are pressed no further than the energy allows: the depth of a contact that its law
// sees lags behind the depth that the shapes have, and follows as soon as energy is lost elsewhere.
// The rest is a debt, paid at once by impulses against the motion at each contact, in pairs, so
// that momentum stays; what these cannot pay is taken from the speeds of bodies that touch the
// ground.

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "world_parts.hpp"

namespace bristle {

using detail::at;
using detail::BodyMover;
using detail::Vector2;

namespace {

/// Smaller debts wait: over the most energy that the island has had in motion and springs, and over
/// all that its bodies have, whose rounding they may be.
constexpr double worth_paying = 1e-9, rounding = 1e-14;
/// A step that pays more than this part of the energy that its island has at that time is counted;
/// not where that is next to nothing of what it has had.
constexpr double worth_counting = 1e-3, next_to_nothing = 1e-9;

}  // namespace

template <class M>
WorldStepper::Parts::Account WorldStepper::Parts::account(const Island& island) noexcept {
  Account sum;
  if constexpr (std::is_same_v<M, BodyMover>) {
    for (const int m : island.movers) {
      sum.moving += bodies[at(m)].kinetic() + bodies[at(m)].potential();
    }
  }
  for (const int i : island.sites) {
    const Site& s = sites[at(i)];
    if (!s.active) continue;
    sum.springs += s.press.stored(s.x);
    sum.kept += s.kept;
  }
  return sum;
}

/// After a sub-step, before its contacts part: how deep its springs are pressed, what its contacts
/// have made of nothing, and paying it.
template <class M>
void WorldStepper::Parts::settle_account(Island& island, const Account& before, double h,
                                         bool conserve) noexcept {
  // Of free bodies all energy is looked at; what else moves keeps its own in its own way, and what
  // the contacts did to it is their work.
  const bool looked_at = std::is_same_v<M, BodyMover> && island.areas.empty();
  double gain = -before.springs - before.kept, full = 0, least = 0;
  for (const int i : island.sites) {
    Site& s = sites[at(i)];
    if (!s.active) continue;
    const double work = s.take_work(h);
    gain += s.kept;
    full += s.press.stored(-s.touch.gap);
    least += s.press.stored(least_depth(s, h, conserve));
    if (!looked_at) {
      gain -= h * s.f * 0.5 * (s.vn0 + s.vn1) + work + s.rolled + s.nudged;
    } else {
      gain -= input_of(s, h);
    }
  }
  double moving = 0, kinetic = 0;
  if constexpr (std::is_same_v<M, BodyMover>) {
    for (const int m : island.movers) {
      kinetic += bodies[at(m)].kinetic();
      moving += bodies[at(m)].potential();
    }
    moving += kinetic;
  }
  if (looked_at) gain += moving - before.moving;
  // Springs are convex: with this share of their way they take at most this share of the energy.
  const double over_by = island.debt + gain + full;
  const double share =
      over_by > 0 && full > least ? 1 - std::min(1.0, over_by / (full - least)) : 1;
  double springs = 0;
  for (const int i : island.sites) {
    Site& s = sites[at(i)];
    if (!s.active) continue;
    const double low = least_depth(s, h, conserve);
    // A spring that is hardly pressed is not: its law is steep there.
    s.x = share < 1 ? low + (share > 1e-6 ? share : 0) * (-s.touch.gap - low) : -s.touch.gap;
    springs += s.press.stored(s.x);
    used_up.behind = std::max(used_up.behind, -s.touch.gap - s.x);
  }
  island.liveliest = std::max(island.liveliest, kinetic + springs);
  island.debt = std::max(0.0, island.debt + gain + springs);
  const double least_debt =
      std::max(worth_paying * island.liveliest, rounding * (std::abs(moving) + springs));
  if (!(island.debt > least_debt)) return;
  const double at_first = kinetic_of<M>(island);
  pay<M>(island, island.debt);
  double at_last = kinetic_of<M>(island);
  if (slow_down<M>(island, island.debt - (at_first - at_last))) at_last = kinetic_of<M>(island);
  const double paid = at_first - at_last;
  island.debt = std::max(0.0, island.debt - paid);
  island.liveliest = std::max(island.liveliest, at_first + springs);
  used_up.paid += paid;
  over.payments |=
      paid > worth_counting * (at_first + springs) && paid > next_to_nothing * island.liveliest;
}

template <class M>
double WorldStepper::Parts::kinetic_of(const Island& island) noexcept {
  double sum = 0;
  for (const int m : island.movers) sum += movers<M>()[at(m)].kinetic();
  return sum;
}

/// The depth that a spring has by the motion of its sub-step alone, and never more than the shapes
/// have.
double WorldStepper::Parts::least_depth(const Site& s, double h, bool conserve) noexcept {
  const double full = -s.touch.gap;
  const double moved = conserve && s.impact ? s.pressed.x : s.x + 0.5 * h * (s.vn0 + s.vn1);
  return full > 0 ? std::clamp(moved, 0.0, full) : full;
}

/// Bodies that touch the ground, and mechanisms, lose speed until this much energy is gone. False
/// where there are none.
template <class M>
bool WorldStepper::Parts::slow_down(const Island& island, double debt) noexcept {
  if (!(debt > 0)) return false;
  // Once each: the sites of a pair are side by side.
  const auto each = [&](auto&& f) {
    int last = -1;
    for (const int i : island.sites) {
      const Site& s = sites[at(i)];
      const PairSites& pair = pairs[at(s.pair)];
      const int m = pair.ma >= 0 ? pair.ma : pair.mb;
      const bool grounded = !std::is_same_v<M, BodyMover> || pair.ma < 0 || pair.mb < 0;
      if (!s.active || !grounded || m == last) continue;
      last = m;
      f(movers<M>()[at(m)]);
    }
  };
  double kinetic = 0;
  each([&](const M& mover) { kinetic += mover.kinetic(); });
  if (!(kinetic > 0)) return false;
  const double share = std::sqrt(std::max(0.0, 1 - debt / kinetic));
  each([&](M& mover) { mover.slow(share); });
  see_velocities<M>(island);
  return true;
}

/// How the contacts move at the end of the sub-step.
template <class M>
void WorldStepper::Parts::see_velocities(const Island& island) noexcept {
  for (const int i : island.sites) {
    Site& s = sites[at(i)];
    if (!s.active) continue;
    const Vector3 v = relative<M>(pairs[at(s.pair)], s);
    s.vn1 = -s.frame.n.dot(v);
    s.vt1 = s.frame.across(v);
  }
}

/// Takes this much from the motion of the contacts against each other, or as much as they have.
template <class M>
void WorldStepper::Parts::pay(const Island& island, double debt) noexcept {
  const auto each = [&](auto&& f) {
    for (const int i : island.sites) {
      Site& s = sites[at(i)];
      if (s.active && s.w.nn > 0 && s.wt > 0) f(s);
    }
  };
  // Together they are to take no more than there is: each is asked for its share.
  int count = 0;
  each([&](const Site&) { ++count; });
  if (count == 0) return;
  const double share = 1.0 / count;
  struct Impulse {
    double normal;
    Vector2 tangential;
  };
  // What brings a contact to rest if it were alone, against approach and slip.
  const auto impulse = [&](const Site& s) {
    return Impulse{share * s.vn1 / s.w.nn, share / s.wt * s.vt1};
  };
  double linear = 0, square = 0;
  each([&](const Site& s) {
    const Impulse p = impulse(s);
    linear += p.normal * s.vn1 + p.tangential.dot(s.vt1);
  });
  if (!(linear > 0)) return;
  each([&](const Site& s) {
    const Impulse p = impulse(s);
    push<M>(s, s.frame.force(p.normal, p.tangential));
  });
  each([&](const Site& s) {
    const Vector3 v = relative<M>(pairs[at(s.pair)], s);
    const Impulse p = impulse(s);
    square +=
        0.5 * (p.normal * (s.vn1 + s.frame.n.dot(v)) + p.tangential.dot(s.vt1 - s.frame.across(v)));
  });
  // The motion loses  linear · part − square · part².
  double part = debt / linear;
  if (square > 0) {
    const double inside = linear * linear - 4 * square * debt;
    part = inside > 0 ? 2 * debt / (linear + std::sqrt(inside)) : 0.5 * linear / square;
  }
  each([&](const Site& s) {
    const Impulse p = impulse(s);
    push<M>(s, (part - 1) * s.frame.force(p.normal, p.tangential));
  });
  each([&](Site& s) {
    const Impulse p = impulse(s);
    const Vector3 v = relative<M>(pairs[at(s.pair)], s);
    const double vn = -s.frame.n.dot(v);
    const Vector2 vt = s.frame.across(v);
    if (keep) {
      double* b = &books[5 * static_cast<std::size_t>(&s - sites.data())];
      b[0] += part * p.tangential.dot(0.5 * (s.vt1 + vt));
      b[2] += part * p.normal * 0.5 * (s.vn1 + vn);
      b[4] += part * p.normal;
    }
    s.vn1 = vn;
    s.vt1 = vt;
  });
}

template WorldStepper::Parts::Account WorldStepper::Parts::account<BodyMover>(
    const Island&) noexcept;
template WorldStepper::Parts::Account WorldStepper::Parts::account<detail::PendulumMover>(
    const Island&) noexcept;
template WorldStepper::Parts::Account WorldStepper::Parts::account<detail::MechanismMover>(
    const Island&) noexcept;
template void WorldStepper::Parts::see_velocities<BodyMover>(const Island&) noexcept;
template void WorldStepper::Parts::see_velocities<detail::PendulumMover>(const Island&) noexcept;
template void WorldStepper::Parts::see_velocities<detail::MechanismMover>(const Island&) noexcept;
template void WorldStepper::Parts::settle_account<BodyMover>(Island&, const Account&, double,
                                                             bool) noexcept;
template void WorldStepper::Parts::settle_account<detail::PendulumMover>(Island&, const Account&,
                                                                         double, bool) noexcept;
template void WorldStepper::Parts::settle_account<detail::MechanismMover>(Island&, const Account&,
                                                                          double, bool) noexcept;

}  // namespace bristle
