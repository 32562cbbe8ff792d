#pragma once

/// The contacts over an area of a world: their patches, what each of them remembers, and their
/// forces.
///
/// A pair has room for some patches. What a patch remembers is kept in a slot and follows it by the
/// rules of patch_slots.hpp.
///
/// The number of patches of a pair is constant between events: a change of it is one ("touch",
/// "part", "split", "merge"). Faces that pass each other exactly flush are another ("flush").

#include <span>
#include <vector>

#include "bristle/contact/volumetric.hpp"
#include "bristle/shape/flush.hpp"
#include "bristle/shape/overlap_finder.hpp"
#include "bristle/solve/patch_slots.hpp"
#include "bristle/system/world.hpp"

namespace bristle {

class WorldDynamics;

/// As it is seen at one time.
struct SeenPatch {
  Patch patch{};
  Motion motion{};  ///< of A against B at s_c
  PatchWrench wrench{};
  PatchMemory rate{};
  int slot = -1;  ///< −1: it has none yet
};

class PatchContacts {
 public:
  /// Numbers that a slot takes in the state vector: z, theta, s_dw.
  static constexpr int slot_size = 5;

  using Slot = PatchSlot;
  struct Pair {
    int index;  ///< of World::pairs
    Side a, b;
    VolumetricLaw law;
    OverlapFinder finder;
    double radius_a, radius_b;  ///< of spheres about the origins of the shapes; may be infinite
    std::vector<Slot> slots;
    std::vector<SeenPatch> seen;
    int first = 0;      ///< where its slots start in the state vector
    int active = 0;     ///< patches since the last event
    int count = 0;      ///< patches of the last look
    bool lies;          ///< without a patch yet, but there at the start
    bool lost = false;  ///< a patch has been without a direction, and that was said
    FlushWatch watch;
    std::optional<FlushWatch::Poses> watched{};  ///< at the end of the step before
    double watched_at = 0;
  };

  /// Slots start at `first` in the state vector.
  PatchContacts(const World& world, int first);

  int size() const noexcept { return static_cast<int>(pairs_.size()); }
  int states() const noexcept { return states_; }
  const Pair& pair(int i) const noexcept { return pairs_[static_cast<std::size_t>(i)]; }

  /// Geometry only: how many patches there are.
  void count(const WorldDynamics& f, double t, std::span<const double> y) noexcept;
  /// Patches, forces and rates of the memory.
  void look(const WorldDynamics& f, double t, std::span<const double> y) noexcept;
  void rates(std::span<double> dy) const noexcept;
  /// Below 0 while the pair has as many patches as since the last event.
  double guard(int i) const noexcept;
  /// After an event or at the start: slots for the patches that are there. Says what happened.
  const char* settle(int i, const WorldDynamics& f, double t, std::span<double> y, bool at_start);
  /// After a step: where the patches are now.
  void follow(const WorldDynamics& f, double t, std::span<double> y) noexcept;

  /// What another method has found: the slots of a pair and what they remember.
  void set(int i, std::span<const PatchSlot> slots, std::span<const PatchMemory> memories,
           std::span<double> y) noexcept;

  /// How long the bodies of all pairs may move without a contact that nobody would see: until they
  /// could have come near each other, and by a small part of their size from then on.
  double safe_time(const WorldDynamics& f, double t, std::span<const double> y) const noexcept;
  /// Index of a pair with a patch that has lost its direction for the first time; −1: none.
  int newly_lost() noexcept;
  /// After a step: when faces of a pair have passed each other flush on the way, and by how much S
  /// has jumped.
  struct Flush {
    double t = 0, area = 0;
  };
  std::optional<Flush> flush(int i, const WorldDynamics& f, double t,
                             std::span<const double> y) noexcept;
  /// Why the geometry of a pair cannot be trusted; null if all is well.
  const char* failure() const noexcept;
  /// How fast the bodies part where the pair last touched.
  double parting_speed(int i, const WorldDynamics& f, double t,
                       std::span<const double> y) const noexcept;

  // Sums over the patches of a pair, at the last look.
  double normal_force(int i) const noexcept;
  double friction_power(int i) const noexcept;
  double bristles(int i) const noexcept;
  /// The patch with the largest volume; null if there is none.
  const SeenPatch* largest(int i) const noexcept;

 private:
  PatchMemory memory(const Pair& pair, int slot, std::span<const double> y) const noexcept;
  void put(const Pair& pair, int slot, const PatchMemory& memory,
           std::span<double> y) const noexcept;

  std::vector<Pair> pairs_;
  int states_ = 0;
};

}  // namespace bristle
