#pragma once

/// Bodies joined to each other and moved by motors: an arm that carries a peg, a robot from another
/// program's model. What contact has to know of one, in its own coordinates:
///
///   q̇ = G(q) u,     M(q) u̇ = f(t, q, u) + Σ J_kᵀ F_k
///
/// q places, u speeds; f all that acts but contact: weight, the links' own motion, springs of
/// joints, control. F_k is a contact force at a point of a link and J_k the velocity of that point
/// per unit of each speed:
///
///   J_k = linear(link) + angular(link) × (point − origin of the link)
///
/// A Mechanism is a calculator: it has no state beside what it last looked at, so that a step may
/// ask at any place and time. After set-up nothing allocates and nothing throws.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "bristle/shape/shape.hpp"
#include "bristle/system/signal.hpp"

namespace bristle {

/// A rigid part of a mechanism that can be touched or drawn. Its frame is that of its shape.
struct Link {
  std::string name{};
  Shape shape = Point{};
  double mass = 1;  ///< kg; scales what is there at the start (World::pressing_speed)
};

class Mechanism {
 public:
  /// The most speeds one may have: numbers of this size live on the stack.
  static constexpr int most_speeds = 64;
  using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most_speeds, 1>;
  /// Three rows, a column for each speed.
  using Columns = Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, most_speeds>;

  /// A number that the mechanism shows of itself.
  struct Output {
    std::string name{}, unit{};
  };

  virtual ~Mechanism() = default;
  virtual std::unique_ptr<Mechanism> clone() const = 0;

  virtual const std::string& name() const noexcept = 0;
  virtual const std::vector<Link>& links() const noexcept = 0;
  virtual int places() const noexcept = 0;
  virtual int speeds() const noexcept = 0;
  virtual void initial(std::span<double> q, std::span<double> u) const = 0;
  /// Times in (0, duration) at which f jumps or bends.
  virtual std::vector<double> breaks(double duration) const = 0;
  /// Every function of time that it follows.
  virtual void each_signal(const std::function<void(Signal&)>& see) { static_cast<void>(see); }

  /// Where the links are, and no more: what pose() is asked for after.
  virtual void place(std::span<const double> q) noexcept = 0;
  /// All that follows is of the last look.
  virtual void look(double t, std::span<const double> q, std::span<const double> u) noexcept = 0;

  /// Of the last look or place.
  virtual Pose pose(int link) const noexcept = 0;
  /// Velocity of the link's origin, and its angular velocity, per unit of each speed; world axes.
  virtual const Columns& linear(int link) const noexcept = 0;
  virtual const Columns& angular(int link) const noexcept = 0;
  /// f.
  virtual const Vector& force() const noexcept = 0;
  /// M⁻¹ x, in place.
  virtual void solve(Vector& x) const noexcept = 0;
  virtual double kinetic() const noexcept = 0;
  /// Of weight and of springs in its joints.
  virtual double potential() const noexcept = 0;
  /// The part of f that puts energy in or takes it out: motors, friction of joints.
  virtual const Vector& drive() const noexcept = 0;

  /// G(q) u at the last look; q and u have as many numbers unless a mechanism says otherwise.
  virtual void rate(std::span<const double> u, std::span<double> dq) const noexcept;
  /// q after moving with u for h: exact for turning joints too.
  virtual void move(std::span<double> q, std::span<const double> u, double h) const noexcept;
  /// Keeps quaternions among the places at unit length.
  virtual void normalise(std::span<double> q) const noexcept;

  /// Names of places and speeds in results, and of what else the mechanism shows.
  virtual std::vector<Output> place_names() const = 0;
  virtual std::vector<Output> speed_names() const = 0;
  virtual std::vector<Output> outputs() const { return {}; }
  /// Values of outputs() at the last look.
  virtual void show(std::span<double> values) const noexcept { static_cast<void>(values); }

 protected:
  Mechanism() = default;
  Mechanism(const Mechanism&) = default;
  Mechanism& operator=(const Mechanism&) = default;
  Mechanism(Mechanism&&) = default;
  Mechanism& operator=(Mechanism&&) = default;
};

}  // namespace bristle
