#pragma once

/// The step made for contact: a world at a fixed rate, 1 kHz for example, without events to hunt
/// for, without iterations that have no bound, without allocation.
///
///   WorldStepper world(scene);
///   for (;;) world.step(1e-3);
///
/// Over an outer step H each island (bodies that can touch each other) goes
///
///   flying      in closed form to the end of the step or to the touch-down, which is found;
///   impact      from touch-down on for 2.5 times the duration T of an elastic impact, in sub-steps
///               of T/20 that conserve the first integral of the normal law
///               (contact/press_step.hpp): restitution is exact whatever the sub-step;
///   lasting     after that, in one midpoint step to the end of the outer step.
///
/// In a sub-step normal force and friction of a contact are found together: friction is linearised
/// in the normal force, the normal law solved, then friction (contact/slip_step.hpp). Several
/// contacts are swept one after the other. At most `touches` touch-downs are found in an outer step
/// and at most `substeps` sub-steps made; then one midpoint step goes to its end. So the cost of a
/// step is bounded by counts, never by time, and steps that had to do with less are counted.
///
/// Contacts over areas are stepped the same way, with a patch in the place of a point: what two
/// shapes share is looked at in the middle of a sub-step, once, and between looks a patch follows
/// a model of itself (docs/volumetric.md). Pairs of meshes, whose geometry costs more than all the
/// rest, are looked at `looks` times in an outer step and at most four times more, at the end of a
/// flight, at a typical depth of an impact, where a patch leaves, and after it has left.

#include <memory>
#include <span>
#include <vector>

#include "bristle/solve/step_budget.hpp"
#include "bristle/solve/world_dynamics.hpp"
#include "bristle/system/world.hpp"

namespace bristle {

class WorldStepper {
 public:
  explicit WorldStepper(const World& world, const StepBudget& budget = {});
  WorldStepper(const WorldStepper& other);
  WorldStepper& operator=(const WorldStepper&) = delete;
  WorldStepper(WorldStepper&&) noexcept;
  WorldStepper& operator=(WorldStepper&&) = delete;
  ~WorldStepper();

  /// Nothing is allocated, nothing throws.
  void step(double h) noexcept;
  double time() const noexcept;

  /// Of free bodies, by their index in the world.
  Pose pose(int body) const noexcept;
  Vector3 velocity(int body) const noexcept;
  Vector3 spin(int body) const noexcept;
  /// Of a pendulum: φ1, φ2 and their rates.
  Eigen::Vector2d angles(int pendulum) const noexcept;
  Eigen::Vector2d rates(int pendulum) const noexcept;

  /// Of a mechanism: its places and speeds.
  std::span<const double> places(int mechanism) const noexcept;
  std::span<const double> speeds(int mechanism) const noexcept;
  /// Puts a mechanism elsewhere, as another program has moved it. Its contacts stay as they are, at
  /// the depths that they have there.
  void place(int mechanism, std::span<const double> q, std::span<const double> u) noexcept;

  struct Reading {
    bool touching = false;
    double depth = 0, fn = 0;  ///< mean of the last sub-step
    Vector3 friction = Vector3::Zero();
    double slip = 0;
  };
  /// Sites are counted pair by pair, as in WorldDynamics.
  int sites() const noexcept;
  Reading read(int site) const noexcept;

  /// All patches of a volumetric pair together: forces on A, mean of the last sub-step.
  struct PatchReading {
    int patches = 0;
    double fn = 0, volume = 0;           ///< sums over the patches
    Vector3 force = Vector3::Zero();     ///< normal forces and friction
    Vector3 torque = Vector3::Zero();    ///< about `point`
    Vector3 friction = Vector3::Zero();  ///< the part of `force` that is friction
    double spin_torque = 0;              ///< about the normals
    Vector3 point = Vector3::Zero();     ///< centre of pressure, of the largest patch
    Vector3 normal = Vector3::Zero();    ///< from A to B, of the same
    double slip = 0, spin = 0;           ///< there, m/s and rad/s
  };
  /// Volumetric pairs are counted in their order in the world.
  int areas() const noexcept;
  PatchReading read_area(int area) const noexcept;
  /// Looks at the geometry so far, and the most of an island in one outer step.
  long looks() const noexcept;
  int most_looks() const noexcept;
  /// Why the geometry of a pair could not be trusted at some time; null if all is well.
  const char* failure() const noexcept;

  double kinetic() const noexcept;
  double potential() const noexcept;
  /// In the contact springs.
  double springs() const noexcept;
  /// In the bristles of point contacts: work that they have taken and can give back.
  double bristles() const noexcept;
  /// Most sub-steps of an island in one outer step so far, and sub-steps in all.
  int most_substeps() const noexcept;
  long substeps() const noexcept;
  const BudgetUse& budget_used_up() const noexcept;

  /// Everything that the next step depends on, as state_size() numbers.
  int state_size() const noexcept;
  void save(std::span<double> numbers) const noexcept;
  void restore(std::span<const double> numbers) noexcept;
  /// A source has changed: nothing is kept of what was foreseen from this time on.
  void forget() noexcept;

  /// Impacts that ended since the last call of clear_impacts(); as many as there is room for.
  std::span<const Impact> impacts() const noexcept;
  void clear_impacts() noexcept;
  /// Adds the contacts that last, as impacts without an end.
  void open_impacts(std::vector<Impact>& list) const;

  /// Work books: friction work and dissipation, normal work and dissipation, impulse of each site,
  /// then of each volumetric pair.
  void keep_books(bool keep) noexcept;
  std::span<const double> books() const noexcept;
  /// Work put in by driven bodies and by motors.
  double input() const noexcept;

  /// In the layout of WorldDynamics: places, velocities, bristles; and which sites touch how.
  void write(WorldDynamics& dynamics, std::span<double> y) const noexcept;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace bristle
