// Contacts over areas: when to look at their geometry, and what patches go on from look to look.

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "bristle/shape/touch.hpp"
#include "world_parts.hpp"

namespace bristle {

using detail::AreaPair;
using detail::at;
using detail::impact_lasts;
using detail::PatchSite;
using detail::Vector6;

namespace {

/// A patch that would move by more than this part of its depth in a sub-step is followed finely.
constexpr double restless = 0.5;
/// Looks besides those of the budget: at the end of a flight, at a typical depth of an impact, at
/// the start of a sub-step and after parting.
constexpr int spare_looks = 4;

}  // namespace

void WorldStepper::Parts::make_area(const ContactPair& pair) {
  const auto mover = [&](Side side) {
    return side.is_body() ? body_mover[at(side.index)] : side.index;
  };
  AreaPair made{.index = static_cast<int>(&pair - world.pairs.data()),
                .ma = mover(pair.a),
                .mb = mover(pair.b),
                .a = pair.a,
                .b = pair.b,
                .law = *pair.volumetric,
                .finder = detail::AreaFinder(world.shape(pair.a), world.shape(pair.b))};
  LimitCurve(0).gauge(1, 1);  // its tables are made now, not in the first step
  LimitCurve(1).gauge(1, 1);
  const auto room = at(made.finder->most_pieces());
  made.lies = world.touch_at_start(pair);
  made.costly = room > 1;  // only meshes meet in several pieces
  made.sites.resize(room);
  made.found.resize(room);
  made.places.resize(room);
  made.slots.resize(room);
  made.memories.resize(room);
  areas.push_back(std::move(made));
}

template <class M>
Pose WorldStepper::Parts::pose_of(Side side, int m, bool middle, double time) noexcept {
  if (m < 0) return world.bodies[at(side.index)].pose_at(time);
  M& mover = movers<M>()[at(m)];
  return middle ? mover.middle(side.link) : mover.pose(side.link);
}

/// Patches as they are now, or as the middle of the sub-step will have them. Each goes on with what
/// it remembers; those that were not there before are `fresh`. Returns how many there are; if there
/// are none nothing has changed.
template <class M>
int WorldStepper::Parts::look_at(AreaPair& area, bool middle, double time) noexcept {
  const Pose pose_a = pose_of<M>(area.a, area.ma, middle, time);
  const Pose pose_b = pose_of<M>(area.b, area.mb, middle, time);
  const std::span<const Overlap> pieces =
      area.finder->find(world.shape_pose(area.a, pose_a), world.shape_pose(area.b, pose_b));
  --area.looks;
  ++looks_;
  area.seen = 0;
  if (area.finder->failure() != nullptr) area.failed = true;
  for (std::size_t s = 0; s < area.sites.size(); ++s) {
    area.slots[s] = area.sites[s].slot;
    area.memories[s] = area.sites[s].memory;
  }
  const auto count = pieces.size();
  if (count == 0) return 0;
  unsigned taken = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const Vector3 place = apply_inverse(pose_b, pieces[k].moments.centroid());
    area.places[k] = {place, pieces[k].vector_area.norm()};
    const int slot = nearest_slot(area.slots, place);
    if (slot >= 0) {
      taken |= 1U << slot;
      area.found[k] = area.sites[at(slot)];
    } else {
      area.found[k] = {};
    }
    const Vector3 last = area.found[k].slot.normal;
    area.found[k].patch = law_patch(area.law, pieces[k], last);
  }
  // The same patches as before need no rules.
  const bool same =
      static_cast<int>(count) == area.active && std::popcount(taken) == static_cast<int>(count);
  for (std::size_t k = 0; k < count; ++k) {
    PatchSite& site = area.found[k];
    site.fresh = false;
    if (!same) {
      const Heritage heritage = inherit(static_cast<int>(k), std::span(area.places).first(count),
                                        area.slots, area.memories);
      if (heritage.parents == 0 && !heritage.split) {
        const Patch patch = site.patch;
        site = {};
        site.patch = patch;
        site.fresh = true;
      }
      site.memory = heritage.memory;
    }
    site.memory.z = in_plane(site.memory.z, site.patch.normal);
    site.slot = slot_of(site.patch, pose_b, site.memory.a);
  }
  for (std::size_t s = 0; s < area.sites.size(); ++s) {
    if (s < count) {
      area.sites[s] = area.found[s];
    } else if (area.sites[s].active()) {
      area.sites[s] = {};
    }
  }
  area.active = static_cast<int>(count);
  return area.active;
}

/// Where the patch is and how the fixed sides move there.
void WorldStepper::Parts::place(const AreaPair& area, PatchSite& s, double time) const noexcept {
  const Vector3& n = s.patch.normal;
  const TangentBasis basis =
      tangent_basis(n, std::abs(n.x()) < 0.7 ? Vector3::UnitX() : Vector3::UnitY());
  s.frame = {n, basis.e1, basis.e2};
  s.p = s.patch.surface_centroid;
  s.ground_velocity.setZero();
  s.ground_spin.setZero();
  const auto add = [&](Side side, double sign) {
    const RigidBody& body = world.bodies[at(side.index)];
    if (!body.is_driven()) return;
    s.ground_velocity += sign * body.velocity_at(time, s.p);
    s.ground_spin += sign * body.spin_at(time);
  };
  if (area.ma < 0) add(area.a, 1);
  if (area.mb < 0) add(area.b, -1);
}

/// The model of the patch as it has been seen. Returns its depth.
double WorldStepper::Parts::model(const AreaPair& area, PatchSite& s) const noexcept {
  const Patch& patch = s.patch;
  s.k_v = area.law.stiffness_of(patch);
  double p = patch.mean_depth > 0 ? std::clamp(patch.depth / patch.mean_depth, 1.0, 3.0) : 1;
  const double x = patch.mean_depth > 0 ? p * patch.mean_depth : std::max(patch.depth, 1e-300);
  // k_V itself falls as the patch grows with the square root of its area.
  if (area.law.stiffness == VolumetricStiffness::modulus) p = 0.5 * (p + 1);
  // Flat faces and spheres, exactly: powers of whole numbers are quick.
  if (std::abs(p - 1) < 1e-9) p = 1;
  s.press = {s.k_v * patch.volume / (p == 1 ? x : std::pow(x, p)), p, s.memory.a, 0};
  if (patch.normal.isZero(0)) s.press.k = 0;  // nowhere to push
  return x;
}

/// Inverse mass that a force along the normal of a patch sees.
template <class M>
double WorldStepper::Parts::lightness(const AreaPair& area, const PatchSite& s) noexcept {
  return s.frame.n.dot(full_compliance<M>(area, s.p).vv * s.frame.n);
}

void WorldStepper::Parts::ration_looks(Island& island, double h) noexcept {
  for (const int i : island.areas) {
    AreaPair& area = areas[at(i)];
    area.looks = spare_looks + (area.costly ? budget.looks : budget.substeps);
    area.seen = h;
  }
}

void WorldStepper::Parts::plan_areas(const Island& island, double rest, Ahead& ahead) noexcept {
  for (const int i : island.areas) {
    AreaPair& area = areas[at(i)];
    for (int k = 0; k < area.active; ++k) {
      PatchSite& s = area.sites[at(k)];
      ahead.touching = true;
      if (!s.impact) continue;
      const double window = std::min(rest, impact_lasts * s.duration - s.age);
      if (!(window > 0)) {
        s.impact = false;
        continue;
      }
      ahead.impact = true;
      const double count = std::ceil(window * budget.per_impact / s.duration - 1e-9);
      ahead.length = std::min(ahead.length, window / std::max(1.0, count));
    }
  }
}

/// Whether sub-steps of this length resolve the impacts of all patches of a pair.
bool WorldStepper::Parts::follows_finely(const AreaPair& area, double h) const noexcept {
  for (int k = 0; k < area.active; ++k) {
    const PatchSite& s = area.sites[at(k)];
    if (!s.impact || h * budget.per_impact > 1.5 * s.duration) return false;
  }
  return true;
}

/// Area of all patches of a pair, as seen.
double WorldStepper::Parts::wetted(const AreaPair& area) noexcept {
  double sum = 0;
  for (int k = 0; k < area.active; ++k) sum += area.sites[at(k)].patch.area;
  return sum;
}

// ---- during a sub-step --------------------------------------------------------------------------

/// Patches in the middle of the sub-step ahead, from a look or from what is known.
template <class M>
void WorldStepper::Parts::see_areas(Island& island, double h) noexcept {
  for (const int i : island.areas) {
    AreaPair& area = areas[at(i)];
    const double spacing = area.costly ? step_ / std::max(1, budget.looks) : 0;
    const bool look = !hold_looks && area.looks > 0 && area.seen >= spacing * (1 - 1e-9);
    double moved = 0.5;  // of the sub-step, until the look
    if (look) {
      const double before = wetted(area);
      const bool coarse = !follows_finely(area, h);
      const bool there = look_at<M>(area, true, t_sub + 0.5 * h) > 0;
      // On its way out, or so quick against its depth that half a step ahead it is another patch:
      // then from where it is now.
      const bool shrunk = coarse && wetted(area) < 0.5 * before;
      if (before > 0 && (!there || shrunk) && area.looks > 0) {
        if (look_at<M>(area, false, t_sub) > 0) {
          moved = 0;
        } else if (!there) {
          end_contact(area, t_sub);
        }
      }
    }
    for (int k = 0; k < area.active; ++k) {
      PatchSite& s = area.sites[at(k)];
      place(area, s, t_sub + 0.5 * h);
      s.y0 = motion<M>(area, s, true);
      if (look) {
        see(area, s, h, moved, lightness<M>(area, s));
      } else {
        s.startled = false;
      }
    }
  }
}

/// Depth and tilt at the start of the sub-step, of a patch that has just been looked at.
void WorldStepper::Parts::see(AreaPair& area, PatchSite& s, double h, double moved,
                              double w) noexcept {
  s.startled = false;
  if (s.fresh) {
    begin(area, s, s.y0, w, t_sub, false);
    s.startled = true;
  }
  const double x = model(area, s);
  s.x = x - moved * h * s.y0[0];
  if (s.y0[0] > 0 || !s.impact) s.spent = false;
  if (s.spent) s.press.k = 0;
  s.tilt = -moved * h * (s.y0[4] * s.frame.e1 + s.y0[5] * s.frame.e2);
  if (s.impact || !(w > 0)) return;
  if (std::abs(s.y0[0]) * h <= restless * x) return;
  s.age = 0;
  s.impact = s.startled = true;
  time_impact(s, std::abs(s.y0[0]), w);
  // Loaded already, it swings as a spring does.
  s.duration = std::min(s.duration, std::numbers::pi / std::sqrt(s.press.stiffness(x) * w));
  s.k_top = std::max(s.k_top, s.press.stiffness(x));
}

/// After a sub-step: whether a patch was made or hit so hard on the way that the sub-step was too
/// long for it; then how long it should have been.
bool WorldStepper::Parts::startled(const Island& island, double& length) const noexcept {
  double shorter = length;
  for (const int i : island.areas) {
    for (const PatchSite& s : areas[at(i)].sites) {
      if (!s.active() || !s.startled || !(s.duration > 0)) continue;
      double wanted = s.duration / budget.per_impact;
      if (s.x < 0 && s.y0[0] > 0) wanted = std::max(wanted, -s.x / s.y0[0]);
      shorter = std::min(shorter, wanted);
    }
  }
  if (shorter > 0.9 * length) return false;
  length = std::max(shorter, 1e-3 * length);
  return true;
}

#define BRISTLE_AREAS_OF(M)                                                                      \
  template int WorldStepper::Parts::look_at<M>(AreaPair&, bool, double) noexcept;                \
  template double WorldStepper::Parts::lightness<M>(const AreaPair&, const PatchSite&) noexcept; \
  template void WorldStepper::Parts::see_areas<M>(Island&, double) noexcept;
BRISTLE_AREAS_OF(detail::BodyMover)
BRISTLE_AREAS_OF(detail::MechanismMover)
#undef BRISTLE_AREAS_OF

}  // namespace bristle
