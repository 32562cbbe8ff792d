#include "bristle/solve/patch_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bristle/core/index.hpp"
#include "bristle/solve/world_dynamics.hpp"

namespace bristle {

using detail::at;

namespace {

Pose shape_pose(const WorldDynamics& f, Side side, double t, std::span<const double> y) noexcept {
  return f.world().shape_pose(side, f.pose(side, t, y));
}

}  // namespace

PatchContacts::PatchContacts(const World& world, int first) {
  for (std::size_t p = 0; p < world.pairs.size(); ++p) {
    const ContactPair& pair = world.pairs[p];
    if (!pair.volumetric) continue;
    Pair made{.index = static_cast<int>(p),
              .a = pair.a,
              .b = pair.b,
              .law = *pair.volumetric,
              .finder = OverlapFinder(world.shape(pair.a), world.shape(pair.b)),
              .radius_a = bounding_radius(world.shape(pair.a)),
              .radius_b = bounding_radius(world.shape(pair.b)),
              .slots = {},
              .seen = {},
              .first = first + states_,
              .lies = world.touch_at_start(pair),
              .watch = FlushWatch(world.shape(pair.a), world.shape(pair.b))};
    made.slots.resize(at(made.finder.most_pieces()));
    made.seen.resize(made.slots.size());
    states_ += slot_size * made.finder.most_pieces();
    pairs_.push_back(std::move(made));
  }
}

PatchMemory PatchContacts::memory(const Pair& pair, int slot,
                                  std::span<const double> y) const noexcept {
  const double* v = &y[at(pair.first + slot_size * slot)];
  return {{v[0], v[1], v[2]}, v[3], v[4], pair.slots[at(slot)].a};
}
void PatchContacts::put(const Pair& pair, int slot, const PatchMemory& m,
                        std::span<double> y) const noexcept {
  double* v = &y[at(pair.first + slot_size * slot)];
  std::copy_n(m.z.data(), 3, v);
  v[3] = m.theta;
  v[4] = m.s_dw;
}

void PatchContacts::count(const WorldDynamics& f, double t, std::span<const double> y) noexcept {
  for (Pair& pair : pairs_) {
    pair.count = static_cast<int>(
        pair.finder.find(shape_pose(f, pair.a, t, y), shape_pose(f, pair.b, t, y)).size());
  }
}

void PatchContacts::look(const WorldDynamics& f, double t, std::span<const double> y) noexcept {
  for (Pair& pair : pairs_) {
    const Pose pose_b = f.pose(pair.b, t, y);
    const std::span<const Overlap> pieces =
        pair.finder.find(shape_pose(f, pair.a, t, y), f.world().shape_pose(pair.b, pose_b));
    pair.count = static_cast<int>(pieces.size());
    const Vector3 spin_a = f.spin(pair.a, t, y), spin_b = f.spin(pair.b, t, y);
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      SeenPatch& seen = pair.seen[k];
      seen.slot = nearest_slot(pair.slots, apply_inverse(pose_b, pieces[k].moments.centroid()));
      const Vector3 last = seen.slot < 0 ? Vector3::Zero() : pair.slots[at(seen.slot)].normal;
      seen.patch = law_patch(pair.law, pieces[k], last);
      const Vector3& s_c = seen.patch.surface_centroid;
      seen.motion = {f.velocity(pair.a, t, s_c, y) - f.velocity(pair.b, t, s_c, y),
                     spin_a - spin_b};
      PatchMemory m;
      if (seen.slot >= 0) {
        m = memory(pair, seen.slot, y);
      } else {
        m.a = pair.law.damping_of(std::fmax(0.0, seen.patch.normal.dot(seen.motion.velocity)));
      }
      seen.wrench =
          patch_wrench(pair.law, seen.patch, seen.motion, 0.5 * (spin_a + spin_b), m, &seen.rate);
    }
  }
}

/// A slot that no patch uses keeps what it has.
void PatchContacts::rates(std::span<double> dy) const noexcept {
  for (const Pair& pair : pairs_) {
    for (std::size_t i = 0; i < pair.slots.size(); ++i) put(pair, static_cast<int>(i), {}, dy);
    for (int k = 0; k < pair.count; ++k) {
      if (pair.seen[at(k)].slot >= 0) put(pair, pair.seen[at(k)].slot, pair.seen[at(k)].rate, dy);
    }
  }
}

double PatchContacts::guard(int i) const noexcept {
  return pair(i).count == pair(i).active ? -1.0 : 1.0;
}

const char* PatchContacts::settle(int i, const WorldDynamics& f, double t, std::span<double> y,
                                  bool at_start) {
  look(f, t, y);
  Pair& pair = pairs_[at(i)];
  const Pose pose_b = f.pose(pair.b, t, y);
  std::vector<PatchPlace> places;
  for (int k = 0; k < pair.count; ++k) {
    const Patch& patch = pair.seen[at(k)].patch;
    places.push_back({apply_inverse(pose_b, patch.volume_centroid), patch.area});
  }
  std::vector<PatchMemory> before;
  for (int s = 0; s < static_cast<int>(pair.slots.size()); ++s)
    before.push_back(memory(pair, s, y));
  const char* kind = pair.count > pair.active ? "touch" : "part";
  std::vector<PatchMemory> now;
  for (int k = 0; k < pair.count; ++k) {
    const SeenPatch& seen = pair.seen[at(k)];
    const Heritage heritage = inherit(k, places, pair.slots, before);
    now.push_back(heritage.memory);
    if (heritage.parents > 1) kind = "merge";
    if (heritage.split) kind = "split";
    if (heritage.parents > 0 || heritage.split) continue;
    now.back() = first_memory(f.world(), f.world().pairs[at(pair.index)], pair.law, seen.patch,
                              seen.patch.normal.dot(seen.motion.velocity), at_start || pair.lies);
  }
  pair.lies = pair.lies && pair.count == 0;
  for (std::size_t s = 0; s < pair.slots.size(); ++s) {
    const int k = static_cast<int>(s);
    pair.slots[s] = {};
    put(pair, k, k < pair.count ? now[s] : PatchMemory{}, y);
    if (k < pair.count) pair.slots[s] = slot_of(pair.seen[s].patch, pose_b, now[s].a);
  }
  pair.active = pair.count;
  look(f, t, y);
  return kind;
}

void PatchContacts::set(int i, std::span<const PatchSlot> slots,
                        std::span<const PatchMemory> memories, std::span<double> y) noexcept {
  Pair& pair = pairs_[at(i)];
  pair.active = 0;
  for (std::size_t s = 0; s < pair.slots.size(); ++s) {
    pair.slots[s] = slots[s];
    pair.active += slots[s].active ? 1 : 0;
    put(pair, static_cast<int>(s), memories[s], y);
  }
}

void PatchContacts::follow(const WorldDynamics& f, double t, std::span<double> y) noexcept {
  for (Pair& pair : pairs_) {
    const Pose pose_b = f.pose(pair.b, t, y);
    for (int k = 0; k < pair.count; ++k) {
      const SeenPatch& seen = pair.seen[at(k)];
      if (seen.slot < 0) continue;
      Slot& slot = pair.slots[at(seen.slot)];
      slot = slot_of(seen.patch, pose_b, slot.a);
      PatchMemory m = memory(pair, seen.slot, y);
      m.z = in_plane(m.z, slot.normal);
      put(pair, seen.slot, m, y);
    }
  }
}

double PatchContacts::safe_time(const WorldDynamics& f, double t,
                                std::span<const double> y) const noexcept {
  double safe = std::numeric_limits<double>::infinity();
  const double g = f.world().gravity.norm();
  for (const Pair& pair : pairs_) {
    const Vector3 a = shape_pose(f, pair.a, t, y).position,
                  b = shape_pose(f, pair.b, t, y).position;
    const double smaller = std::fmin(pair.radius_a, pair.radius_b);
    double speed = (f.velocity(pair.a, t, a, y) - f.velocity(pair.b, t, b, y)).norm();
    for (const auto& [side, radius] :
         {std::pair{pair.a, pair.radius_a}, std::pair{pair.b, pair.radius_b}}) {
      if (std::isfinite(radius)) speed += f.spin(side, t, y).norm() * radius;
    }
    // Endless shapes count as near.
    const double apart = std::fmax(0.0, (a - b).norm() - pair.radius_a - pair.radius_b);
    const double way = 0.02 * smaller + (std::isfinite(apart) ? apart : 0);
    // way = speed h + g h²/2
    const double h = 2 * way / (speed + std::sqrt(speed * speed + 2 * g * way));
    safe = std::fmin(safe, h);
  }
  return safe;
}

int PatchContacts::newly_lost() noexcept {
  for (Pair& pair : pairs_) {
    for (int k = 0; k < pair.count && !pair.lost; ++k) {
      if (pair.seen[at(k)].patch.directed) continue;
      pair.lost = true;
      return pair.index;
    }
  }
  return -1;
}

std::optional<PatchContacts::Flush> PatchContacts::flush(int i, const WorldDynamics& f, double t,
                                                         std::span<const double> y) noexcept {
  Pair& pair = pairs_[at(i)];
  const FlushWatch::Poses now{shape_pose(f, pair.a, t, y), shape_pose(f, pair.b, t, y)};
  std::optional<Flush> found;
  if (pair.watched && pair.active > 0) {
    if (const auto pass = pair.watch.between(*pair.watched, now, pair.finder)) {
      found = {pair.watched_at + pass->share * (t - pair.watched_at), pass->area};
    }
  }
  pair.watched = now;
  pair.watched_at = t;
  return found;
}

const char* PatchContacts::failure() const noexcept {
  for (const Pair& pair : pairs_) {
    if (const char* why = pair.finder.failure()) return why;
  }
  return nullptr;
}

double PatchContacts::parting_speed(int i, const WorldDynamics& f, double t,
                                    std::span<const double> y) const noexcept {
  for (const Slot& slot : pair(i).slots) {
    if (!slot.active) continue;
    const Vector3 p = apply(f.pose(pair(i).b, t, y), slot.place);
    return slot.normal.dot(f.velocity(pair(i).b, t, p, y) - f.velocity(pair(i).a, t, p, y));
  }
  return 0;
}

double PatchContacts::normal_force(int i) const noexcept {
  double sum = 0;
  for (int k = 0; k < pair(i).count; ++k) sum += pair(i).seen[at(k)].wrench.fn;
  return sum;
}
double PatchContacts::friction_power(int i) const noexcept {
  double sum = 0;
  for (int k = 0; k < pair(i).count; ++k) sum += pair(i).seen[at(k)].wrench.friction_power;
  return sum;
}
double PatchContacts::bristles(int i) const noexcept {
  double sum = 0;
  for (int k = 0; k < pair(i).count; ++k) sum += pair(i).seen[at(k)].wrench.bristles;
  return sum;
}
const SeenPatch* PatchContacts::largest(int i) const noexcept {
  const SeenPatch* best = nullptr;
  for (int k = 0; k < pair(i).count; ++k) {
    const SeenPatch& seen = pair(i).seen[at(k)];
    if (best == nullptr || seen.patch.volume > best->patch.volume) best = &seen;
  }
  return best;
}

}  // namespace bristle
