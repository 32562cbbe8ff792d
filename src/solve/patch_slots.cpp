#include "bristle/solve/patch_slots.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "bristle/core/index.hpp"

namespace bristle {

using detail::at;

namespace {

/// How far a patch may have moved, or its pieces lie apart, and still be called the same.
double reach(double area) noexcept { return 1.5 * std::sqrt(area / std::numbers::pi); }

/// The patch that goes on with a slot: the nearest one, if that is within reach; −1: none.
int heir(const PatchSlot& slot, std::span<const PatchPlace> patches) noexcept {
  int best = -1;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < patches.size(); ++k) {
    const double distance = (slot.place - patches[k].place).norm();
    if (distance < least && distance <= reach(patches[k].area) + reach(slot.area)) {
      least = distance;
      best = static_cast<int>(k);
    }
  }
  return best;
}

}  // namespace

PatchSlot slot_of(const Patch& patch, const Pose& pose_b, double a) noexcept {
  return {true,         apply_inverse(pose_b, patch.volume_centroid),
          patch.normal, patch.volume,
          patch.area,   a};
}

int nearest_slot(std::span<const PatchSlot> slots, const Vector3& place) noexcept {
  int best = -1;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (!slots[i].active) continue;
    const double distance = (slots[i].place - place).squaredNorm();
    if (distance < least) {
      least = distance;
      best = static_cast<int>(i);
    }
  }
  return best;
}

Heritage inherit(int k, std::span<const PatchPlace> patches, std::span<const PatchSlot> slots,
                 std::span<const PatchMemory> memories) noexcept {
  Heritage out;
  PatchMemory& mean = out.memory;
  double weight = 0;
  for (std::size_t s = 0; s < slots.size(); ++s) {
    if (!slots[s].active || heir(slots[s], patches) != k) continue;
    ++out.parents;
    weight += slots[s].volume;
    const double share = weight > 0 ? slots[s].volume / weight : 1;
    mean.z += share * (memories[s].z - mean.z);
    mean.theta += share * (memories[s].theta - mean.theta);
    mean.s_dw += share * (memories[s].s_dw - mean.s_dw);
    mean.a += share * (memories[s].a - mean.a);
  }
  if (out.parents > 0) return out;
  const PatchPlace& patch = patches[at(k)];
  for (std::size_t s = 0; s < slots.size(); ++s) {
    if (!slots[s].active) continue;
    if ((slots[s].place - patch.place).norm() > reach(patch.area) + reach(slots[s].area)) continue;
    mean = memories[s];
    out.split = true;
  }
  return out;
}

PatchMemory first_memory(const World& world, const ContactPair& pair, const VolumetricLaw& law,
                         const Patch& patch, double approach, bool at_start) noexcept {
  PatchMemory m;
  double speed = std::fmax(0.0, approach);
  if (at_start) {
    const double h =
        std::fmax((patch.surface_centroid - patch.volume_centroid).norm(), 0.25 * patch.mean_depth);
    const double elastic = law.stiffness_of(patch) * patch.volume;
    double energy = elastic * h;
    // As deep as its weight presses it, if that is deeper; its volume grows with a power of depth.
    const double p = std::clamp(patch.area * patch.depth / patch.volume, 1.0, 3.0);
    if (const double weight = world.weight(pair); elastic < weight) {
      energy = weight * h * std::pow(weight / elastic, 1 / p);
    }
    speed = std::fmax(speed, world.speed_of_energy(pair, energy));
    m.s_dw = 1;
  }
  m.a = law.damping_of(speed);
  return m;
}

}  // namespace bristle
