#pragma once

/// How the memories of patches follow them. A slot keeps what one patch remembers (bristles, dwell
/// state, damping) and where the patch was, on body B:
///
///   - a patch goes on with the slot nearest to it;
///   - where a patch splits, each piece goes on with a copy of the nearest slot;
///   - where patches merge, bristles and damping of the new one are the means of the old ones,
///     weighted with their volumes;
///   - a patch that was not there before starts with unsheared, unrested bristles and is damped for
///     its own approach speed.
///
/// Adaptive methods (patch_contacts.hpp) and the fixed step (world_step.hpp) share these rules.

#include <span>

#include "bristle/contact/volumetric.hpp"
#include "bristle/system/world.hpp"

namespace bristle {

struct PatchSlot {
  bool active = false;
  Vector3 place = Vector3::Zero();   ///< p_c in B's frame
  Vector3 normal = Vector3::Zero();  ///< last one, world
  double volume = 0, area = 0, a = 0;
};
/// The slot of a patch that is there now.
PatchSlot slot_of(const Patch& patch, const Pose& pose_b, double a) noexcept;

/// Of the active ones; −1: there is none.
int nearest_slot(std::span<const PatchSlot> slots, const Vector3& place) noexcept;

/// A patch as it is found, in B's frame.
struct PatchPlace {
  Vector3 place = Vector3::Zero();
  double area = 0;
};
/// What patch k has of the slots of before.
struct Heritage {
  PatchMemory memory{};
  int parents = 0;     ///< slots that go on in it; 0: it is new
  bool split = false;  ///< it has no slot of its own, but was part of a patch that had one
};
Heritage inherit(int k, std::span<const PatchPlace> patches, std::span<const PatchSlot> slots,
                 std::span<const PatchMemory> memories) noexcept;

/// Of a patch without a past. One that is there at the start has rested, and is damped as if it had
/// been pressed to its depth: k_V V h is the energy of a bed of springs.
PatchMemory first_memory(const World& world, const ContactPair& pair, const VolumetricLaw& law,
                         const Patch& patch, double approach, bool at_start) noexcept;

}  // namespace bristle
