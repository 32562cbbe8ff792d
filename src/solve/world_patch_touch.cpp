// Contacts over areas: how they begin and how they end.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "world_parts.hpp"

namespace bristle {

using detail::AreaPair;
using detail::at;
using detail::PatchSite;
using detail::v_least;
using detail::Vector6;

double detail::duration_factor(double p) noexcept {
  const double r = 1 / (p + 1);
  return 2 * std::sqrt(std::numbers::pi) * std::tgamma(1 + r) / std::tgamma(0.5 + r);
}

/// A patch begins: damping is latched, and how long its impact would take.
void WorldStepper::Parts::begin(AreaPair& area, PatchSite& s, const Vector6& y, double w,
                                double time, bool at_start) noexcept {
  s.fresh = false;
  s.v_i = std::max(0.0, y[0]);
  s.memory = first_memory(world, world.pairs[at(area.index)], area.law, s.patch, y[0],
                          at_start || area.lies);
  area.lies = false;
  s.slot.a = s.memory.a;
  model(area, s);
  s.age = 0;
  s.impact = w > 0;
  time_impact(s, s.v_i, w);
  s.slip_last = {y[1], y[2], s.patch.r_gyr * y[3]};
  s.g_last.setZero();
  s.tilt.setZero();
  if (std::isnan(area.open.t_out)) return;  // another patch of the same contact
  area.open = {.t = time,
               .t_out = std::nan(""),
               .pair = area.index,
               .site = static_cast<int>(sites.size()) + static_cast<int>(&area - areas.data()),
               .v_in = s.v_i,
               .slip_in = std::hypot(y[1], y[2])};
}

/// Duration and largest stiffness of an impact at this speed.
void WorldStepper::Parts::time_impact(PatchSite& s, double speed, double w) const noexcept {
  s.duration = s.k_top = 0;
  if (!(w > 0) || !(s.press.k > 0)) return;
  const double v = std::max(speed, v_least), p = s.press.p;
  const double deepest = std::pow(0.5 * (p + 1) * v * v / (s.press.k * w), 1 / (p + 1));
  s.duration = detail::duration_factor(p) * deepest / v;
  s.k_top = s.press.stiffness(deepest);
}

/// What there is at the start has rested.
template <class M>
void WorldStepper::Parts::start_areas(Island& island) {
  // What there is at the start has been put in by whoever put it there.
  island.held = infinity;
  for (const int i : island.areas) {
    AreaPair& area = areas[at(i)];
    area.open.t_out = 0;
    look_at<M>(area, false, 0);
    for (int k = 0; k < area.active; ++k) {
      PatchSite& s = area.sites[at(k)];
      place(area, s, 0);
      begin(area, s, motion<M>(area, s, false), lightness<M>(area, s), 0, true);
      s.x = model(area, s);
      s.impact = s.x <= 1e-9 && s.impact;
      s.g_last[0] = s.press.elastic(s.x);
    }
  }
  if (active_patches(island) == 0) island.held = 0;
}

// ---- touch-down ---------------------------------------------------------------------------------

/// At the end of a flight of length `rest`: when the first patch was made, counted from its start.
/// The depth of a patch and the speed at which it grew tell; nothing is searched for.
template <class M>
double WorldStepper::Parts::area_touch_time(Island& island, double rest) noexcept {
  double first = infinity;
  for (const int m : island.movers) movers<M>()[at(m)].prepare(t_sub + rest, 0);
  for (const int i : island.areas) {
    AreaPair& area = areas[at(i)];
    area.touch = infinity;
    if (look_at<M>(area, false, t_sub + rest) == 0) continue;
    for (int k = 0; k < area.active; ++k) {
      PatchSite& s = area.sites[at(k)];
      place(area, s, t_sub + rest);
      s.x = model(area, s);
      const double v = motion<M>(area, s, false)[0];
      // Speed a moment ago, from what gravity has added since.
      double mean = v;
      for (const auto& [m, link, sign] : area.movers()) {
        const bool falls = std::is_same_v<M, BodyMover> && m >= 0 && v > 0;
        if (falls) mean -= 0.5 * sign * s.x / v * s.frame.n.dot(world.gravity);
      }
      const double ago = v > 0 ? s.x / std::max(mean, 0.5 * v) : 0;
      area.touch = std::min(area.touch, std::max(0.0, rest - ago));
    }
    first = std::min(first, area.touch);
  }
  return first;
}

/// Deep at the end of a flight, a patch says little about where it began: it is looked at once more
/// soon after `time`, unless looks cost much. Without that a stiff body that turns is taken for
/// touching before it does, and the touch-downs of the budget are gone when it does.
template <class M>
double WorldStepper::Parts::nearer_touch_time(Island& island, double time,
                                              double& seen_at) noexcept {
  for (const int i : island.areas) {
    if (areas[at(i)].costly) return time;
  }
  const auto look_after = [&](double flight) {
    put_back<M>(island);
    for (const int m : island.movers) movers<M>()[at(m)].fly(t_sub, flight);
    return area_touch_time<M>(island, flight);
  };
  const double soon = time + 0.1 * (seen_at - time);
  const double found = look_after(soon);
  if (found < infinity) {
    seen_at = soon;
    return found;
  }
  look_after(seen_at);  // not there yet: as it was seen first
  return soon;
}

/// The island is where the first patch touches; what touches later is forgotten for now.
template <class M>
void WorldStepper::Parts::touch_areas(Island& island, double time, double rest) noexcept {
  for (const int m : island.movers) movers<M>()[at(m)].prepare(t_sub, 0);
  for (const int i : island.areas) {
    AreaPair& area = areas[at(i)];
    if (area.active == 0) continue;
    if (area.touch > time + 1e-9 * rest) {
      for (PatchSite& s : area.sites) s = {};
      area.active = 0;
      continue;
    }
    for (int k = 0; k < area.active; ++k) {
      PatchSite& s = area.sites[at(k)];
      place(area, s, t_sub);
      const Vector6 y = motion<M>(area, s, false);
      const double deep = s.x;
      begin(area, s, y, lightness<M>(area, s), t_sub, false);
      s.x = std::max(0.0, deep - std::max(y[0], 0.0) * (rest - time));
      if (area.touch > 0) s.x = 0;
    }
    if (area.costly) look_ahead<M>(area);
  }
}

/// Looks of a costly pair are too few to follow an impact: it is modelled by how the patch will be
/// at a typical depth.
template <class M>
void WorldStepper::Parts::look_ahead(AreaPair& area) noexcept {
  PatchSite& first = area.sites[0];
  if (area.active != 1 || !(first.k_top > 0)) return;
  const double speed = std::max(first.v_i, v_least), w = lightness<M>(area, first);
  const double typical = 0.6 * first.duration / detail::duration_factor(first.press.p) * speed;
  const double known = first.press.p * first.patch.mean_depth;
  if (known < 2 * typical && known > 0.5 * typical) return;
  const Vector3 shift = (typical / w) * first.frame.n;
  const PatchSite kept = first;
  for (const auto& [m, link, sign] : area.movers()) {
    if (m >= 0) movers<M>()[at(m)].nudge(link, kept.p, sign * shift);
  }
  const int count = look_at<M>(area, false, t_sub);
  for (const auto& [m, link, sign] : area.movers()) {
    if (m >= 0) movers<M>()[at(m)].nudge(link, kept.p, -sign * shift);
  }
  if (count != 1) {  // not the patch it was
    for (PatchSite& s : area.sites) s = {};
    area.sites[0] = kept;
    area.active = 1;
    return;
  }
  model(area, first);
  time_impact(first, first.v_i, w);
  place(area, first, t_sub);
}

/// The budget is used up: contact in one step to the end, from how things are now.
template <class M>
void WorldStepper::Parts::touch_all_areas(Island& island) noexcept {
  for (const int m : island.movers) movers<M>()[at(m)].prepare(t_sub, 0);
  for (const int i : island.areas) {
    AreaPair& area = areas[at(i)];
    look_at<M>(area, false, t_sub);
    for (int k = 0; k < area.active; ++k) {
      PatchSite& s = area.sites[at(k)];
      place(area, s, t_sub);
      begin(area, s, motion<M>(area, s, false), lightness<M>(area, s), t_sub, false);
      s.x = model(area, s);
      s.impact = false;
    }
  }
}

// ---- parting ------------------------------------------------------------------------------------

void WorldStepper::Parts::end_contact(AreaPair& area, double time) noexcept {
  for (PatchSite& s : area.sites) s = {};
  area.active = 0;
  if (!std::isnan(area.open.t_out)) return;
  area.open.t_out = time;
  if (log.size() < log.capacity()) log.push_back(area.open);
}

template <class M>
void WorldStepper::Parts::part_areas(Island& island, double h) noexcept {
  for (const int i : island.areas) {
    AreaPair& area = areas[at(i)];
    bool leaves = false;
    const PatchSite* last = nullptr;
    for (int k = 0; k < area.active; ++k) {
      const PatchSite& s = area.sites[at(k)];
      if (last == nullptr || s.x > last->x) last = &s;
      leaves |= s.x <= 0 && s.y1[0] < 0;
    }
    if (!leaves) continue;
    // Since the depth was 0 the bodies have flown for x/v.
    const double after = last->y1[0] < 0 ? std::max(0.0, last->x / last->y1[0]) : 0;
    area.open.v_out = -(last->y1[0] - last->bn * after);
    if (area.active > 1 || area.looks > 0) {
      if (look_at<M>(area, false, t_sub + h) > 0) {  // not yet
        for (int k = 0; k < area.active; ++k) {
          PatchSite& s = area.sites[at(k)];
          place(area, s, t_sub + h);
          s.x = model(area, s);
          s.tilt.setZero();
          s.spent = area.costly && s.impact;
          if (s.spent) s.press.k = 0;
        }
        continue;
      }
    }
    end_contact(area, t_sub + h - after);
  }
  if (active_patches(island) == 0) island.held = 0;
}

#define BRISTLE_AREAS_OF(M)                                                                     \
  template void WorldStepper::Parts::start_areas<M>(Island&);                                   \
  template double WorldStepper::Parts::area_touch_time<M>(Island&, double) noexcept;            \
  template void WorldStepper::Parts::touch_areas<M>(Island&, double, double) noexcept;          \
  template double WorldStepper::Parts::nearer_touch_time<M>(Island&, double, double&) noexcept; \
  template void WorldStepper::Parts::touch_all_areas<M>(Island&) noexcept;                      \
  template void WorldStepper::Parts::part_areas<M>(Island&, double) noexcept;
BRISTLE_AREAS_OF(detail::BodyMover)
BRISTLE_AREAS_OF(detail::MechanismMover)
#undef BRISTLE_AREAS_OF

}  // namespace bristle
