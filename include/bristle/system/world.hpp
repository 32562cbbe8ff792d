#pragma once

/// Bodies in contact: what a world is made of, as plain data.
///
///   World world;
///   const int ball = world.add(RigidBody{.name = "ball", .shape = Sphere{0.1}, …});
///   const int floor = world.add(RigidBody{.name = "floor", .shape = HalfSpace{}, .fixed = true});
///   world.pairs.push_back({ball, floor, normal, friction});
///
/// z is up; gravity acts along −z unless told otherwise. A pair needs a normal law and a friction
/// law; what pairs are not listed do not touch. A pendulum touches fixed bodies, a link of a
/// mechanism fixed bodies and other links of the same mechanism. `WorldDynamics` (solve/) has the
/// equations, `WorldStepper` the step for real time.

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bristle/contact/volumetric.hpp"
#include "bristle/friction/any_law.hpp"
#include "bristle/normal/any_normal.hpp"
#include "bristle/shape/mass_properties.hpp"
#include "bristle/shape/shape.hpp"
#include "bristle/system/mechanism.hpp"
#include "bristle/system/pendulum.hpp"
#include "bristle/system/signal.hpp"

namespace bristle {

/// A body moves freely, or is fixed, or moves as it is told: then with `velocity` plus `drive`, and
/// turning about its origin steadily with `spin`, or with `turn` about `turn_axis`.
struct RigidBody {
  std::string name = "body";
  Shape shape = Sphere{};
  Pose shape_at{};  ///< of the shape's frame in the body's, whose origin is its centre of mass
  MassProperties mass{};
  Pose pose{};
  Vector3 velocity = Vector3::Zero();
  Vector3 spin = Vector3::Zero();  ///< angular velocity, world axes, rad/s
  bool fixed = false;
  std::array<Signal, 3> drive{};  ///< velocity of a fixed body that moves, world axes
  Signal turn{};                  ///< angular velocity of a fixed body, rad/s; not with `spin`
  Vector3 turn_axis = Vector3::UnitZ();

  bool is_driven() const noexcept;
  /// Of a fixed body, at time t.
  Pose pose_at(double t) const noexcept;
  Vector3 spin_at(double t) const noexcept;
  Vector3 velocity_at(double t, const Vector3& point) const noexcept;
};

/// One side of a pair: a body, the tip of a pendulum, or a link of a mechanism.
struct Side {
  enum class Kind { body, pendulum, mechanism };
  Kind kind = Kind::body;
  int index = 0;
  int link = 0;  ///< of a mechanism

  bool is_body() const noexcept { return kind == Kind::body; }
  bool is_pendulum() const noexcept { return kind == Kind::pendulum; }
  bool is_link() const noexcept { return kind == Kind::mechanism; }
  bool operator==(const Side&) const = default;
};

struct ContactPair {
  Side a{}, b{};
  AnyNormal normal{"gonthier"};
  AnyLaw friction{"gonthier"};
  /// Bristles are unsheared and unrested after the bodies have parted; the 2004 paper leaves it
  /// open. False keeps them as they were.
  bool reset = true;
  /// Resistance to rolling, of spheres on planes.
  std::optional<RollingResistance> rolling{};
  /// Contact over an area instead: the laws above are then not asked.
  std::optional<VolumetricLaw> volumetric{};
};

struct World {
  Vector3 gravity{0, 0, -9.81};
  std::vector<RigidBody> bodies{};
  std::vector<DoublePendulum> pendulums{};
  std::vector<std::shared_ptr<const Mechanism>> mechanisms{};
  std::vector<ContactPair> pairs{};

  Side add(RigidBody body);
  Side add(DoublePendulum pendulum);
  /// Its first link.
  Side add(std::shared_ptr<const Mechanism> mechanism);
  const std::string& name(Side side) const;
  Shape shape(Side side) const;
  /// Where the shape is when the body is there.
  Pose shape_pose(Side side, const Pose& body) const;
  bool is_free(Side side) const;
  /// At the start.
  Pose pose(Side side) const;
  /// Touches of the pair: points that may be in contact at once; 0 for a volumetric pair.
  int sites(const ContactPair& pair) const;

  /// Weight of what is free of the pair, N.
  double weight(const ContactPair& pair) const;
  /// The approach speed that would have pressed the pair so deep without damping, or as deep as its
  /// weight on so many points presses it. Contacts that are there at the start are latched with it:
  /// with less they would be damped as by a touch so slow that its weight stops it.
  double pressing_speed(const ContactPair& pair, double depth, int points) const;
  /// Whether the points of the pair that are nearest touch at the start, to rounding. False where
  /// these shapes have no points.
  bool touch_at_start(const ContactPair& pair) const;
  /// A smaller gap is none.
  static constexpr double no_gap = 1e-12;
  /// The same from the energy, J, that presses the pair.
  double speed_of_energy(const ContactPair& pair, double energy) const;

  /// InputError for a mass or inertia that cannot be, two fixed bodies in a pair, a pair of shapes
  /// that cannot touch.
  void check() const;
  /// "ball is 3.2 mm inside floor": pairs that overlap at the start by more than their own weight
  /// explains.
  std::vector<std::string> warnings() const;

 private:
  bool moves(const ContactPair& pair) const;
  double mass(Side side) const;
  void check_partners(const ContactPair& pair, const std::string& both) const;
  void check_volumetric(const ContactPair& pair, const std::string& both) const;
};

/// Positive definite, and each principal moment no larger than the sum of the two others.
bool is_inertia(const Matrix3& inertia) noexcept;

}  // namespace bristle
