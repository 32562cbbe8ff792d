#pragma once

/// A world as differential equations with events.
///
///   y = [places of all movers, their velocities, states of the friction of all sites, memories of
///        the patches of volumetric pairs]
///
/// A mover is a free body (place: position and unit quaternion; velocity: that of its centre and
/// its angular velocity, both in world axes), a pendulum (its two angles) or a mechanism (its own
/// places and speeds). A site is a place of a
/// pair of shapes that may be in contact; it touches from the event at which its gap closes, when
/// its normal law is latched with the approach speed, to that at which the gap opens again.
///
/// The bristles of a site live in its tangent plane, in the basis that the shapes give. They are
/// carried with the surfaces: along with the normal as it turns, and about it with the mean spin of
/// both bodies.
///
/// Volumetric pairs have patches instead of sites (patch_contacts.hpp). A contact is a site or a
/// volumetric pair, counted in this order.
///
/// Quadratures: [input; of each contact: friction work and dissipation, normal work and
/// dissipation, impulse].

#include <array>
#include <memory>
#include <vector>

#include "bristle/shape/touch.hpp"
#include "bristle/solve/equations.hpp"
#include "bristle/solve/friction_state.hpp"
#include "bristle/solve/impact.hpp"
#include "bristle/solve/patch_contacts.hpp"
#include "bristle/system/world.hpp"

namespace bristle {

class WorldDynamics final : public Equations {
 public:
  explicit WorldDynamics(World world);

  const World& world() const noexcept { return world_; }

  int size() const noexcept override { return size_; }
  int quadratures() const noexcept override { return 1 + 5 * contacts(); }
  std::vector<double> initial() override;
  std::vector<double> scales() const override;
  void rhs(double t, std::span<const double> y, std::span<double> dy) noexcept override;
  void quadrature(double t, std::span<const double> y, std::span<double> dq) noexcept override;
  void rhs_and_quadrature(double t, std::span<const double> y, std::span<double> dy,
                          std::span<double> dq) noexcept override;
  /// By differences: stiff contacts dominate it, and for those they are good to eight digits.
  void jacobian(double t, std::span<const double> y, std::span<double> matrix) noexcept override;
  long evaluations() const noexcept override { return evaluations_; }
  double longest_step() const noexcept override { return safe_time_; }
  bool is_even() const noexcept override { return !driven_ && world_.mechanisms.empty(); }
  void count_evaluations(long count) noexcept { evaluations_ += count; }

  std::vector<double> breaks(double duration) const override;
  void set_horizon(double end) noexcept override { horizon_ = end; }

  int guards() const noexcept override { return stepped_ ? 0 : contacts(); }
  std::pair<int, int> two_way_guards() const noexcept override { return {0, guards()}; }
  void guard_values(double t, std::span<const double> y,
                    std::span<double> values) noexcept override;
  void handle(double t, std::span<double> y, std::span<const bool> risen,
              std::vector<RunEvent>& events) override;
  void settle(double t, std::span<double> y, std::vector<RunEvent>& events) override;
  bool accept(double t, std::span<double> y, std::vector<RunEvent>& events) override;
  void locate_modes(bool) noexcept override {}

  // ---- what a user sees -------------------------------------------------------------------
  struct Site {
    int pair = 0, touch = 0;  ///< which touch of the pair
    int z = 0;                ///< where its friction state starts in y
    std::unique_ptr<FrictionState> friction;
    std::vector<int> vectors;  ///< components of the state that turn: first of each couple
    bool touching = false;
    Press<double> press{};
    double v_i = 0;
    // Of the last look:
    Touch at{Vector3::Zero(), Vector3::UnitZ(), 1, Vector3::UnitX()};
    TangentBasis basis{Vector3::UnitX(), Vector3::UnitY()};
    Vector3 relative = Vector3::Zero();  ///< velocity of A against B at the point of action
    double rate = 0;                     ///< of approach
    Planar slip = Planar::Zero(), force = Planar::Zero();
    double fn = 0, dissipation = 0, spin = 0;
    double rolling = 0;                        ///< power of the rolling resistance
    Vector3 rolling_torque = Vector3::Zero();  ///< on A
    std::vector<double> dz;
    /// What a WorldStepper found: means of its last sub-step, friction on B in world axes. Laws
    /// that stick have no force of their own at rest; this is the one that acted.
    struct Acted {
      bool known = false;
      double fn = 0;
      Vector3 friction = Vector3::Zero();
      double behind = 0;  ///< by how much its spring is pressed less than the shapes overlap
    } acted;
    double depth() const noexcept { return -at.gap; }
    double stored() const noexcept { return touching ? press.stored(depth() - acted.behind) : 0; }
  };
  struct Mover {
    Side side;
    int q = 0, u = 0;            ///< where its place and velocity start in y
    int places = 0, speeds = 0;  ///< how many numbers they are
    Vector3 force = Vector3::Zero(), torque = Vector3::Zero();  ///< on a body, about its centre
    Eigen::Vector2d joint = Eigen::Vector2d::Zero();            ///< on a pendulum
    std::unique_ptr<Mechanism> mechanism{};                     ///< as it was last looked at
    Mechanism::Vector load{};                                   ///< of contacts on a mechanism
    double t = 0;                                               ///< of the last look
    void look(std::span<const double> y) const noexcept;        ///< at a mechanism
    void clear() noexcept;
  };
  /// Evaluates everything at t, without counting it.
  void look(double t, std::span<const double> y) noexcept;
  int sites() const noexcept { return static_cast<int>(sites_.size()); }
  const Site& site(int i) const noexcept { return sites_[static_cast<std::size_t>(i)]; }
  Site& site(int i) noexcept { return sites_[static_cast<std::size_t>(i)]; }
  const PatchContacts& patches() const noexcept { return patches_; }
  PatchContacts& patches() noexcept { return patches_; }
  int contacts() const noexcept { return sites() + patches_.size(); }
  /// The pair of a contact, and whether it touches.
  int pair_of(int contact) const noexcept;
  bool touches(int contact) const noexcept;
  const std::vector<Mover>& movers() const noexcept { return movers_; }
  /// Bristle energy of a contact at the last look.
  double bristles(int contact, std::span<const double> y) const noexcept;
  /// Energy in the spring of a contact. That of a patch is what went in and was not damped: its
  /// force has no potential in general.
  double springs(int contact, std::span<const double> work) const noexcept;
  double kinetic(std::span<const double> y) const noexcept;
  double potential(std::span<const double> y) const noexcept;
  /// Everything that is stored: gravity, contact springs; not the bristles, whose work is booked.
  double stored(double t, std::span<const double> y, std::span<const double> work) noexcept;
  Pose pose(Side side, double t, std::span<const double> y) const noexcept;
  Vector3 velocity(Side side, double t, const Vector3& point,
                   std::span<const double> y) const noexcept;
  Vector3 spin(Side side, double t, std::span<const double> y) const noexcept;
  /// Places of free bodies are turned by unit quaternions.
  void normalise(std::span<double> y) const noexcept;

  std::vector<Impact> impacts;
  /// A WorldStepper moves this world and finds its impacts itself.
  void set_stepped() noexcept { stepped_ = true; }
  bool stepped() const noexcept { return stepped_; }

 private:
  void geometry(double t, std::span<const double> y) noexcept;
  void look_at_mechanisms(double t, std::span<const double> y) noexcept;
  void forces(double t, std::span<const double> y) noexcept;
  void resist_rolling(Site& site, const RollingResistance& law, double t,
                      std::span<const double> y) noexcept;
  double basis_spin(const Site& site, double t, std::span<const double> y) const noexcept;
  void rates(std::span<const double> y, std::span<double> dy) const noexcept;
  void work_rates(double t, std::span<const double> y, std::span<double> dq) const noexcept;
  double patch_work_rates(double t, std::span<double> dq) const noexcept;
  void push_patches(std::span<const double> y) noexcept;
  void settle_patches(int i, double t, std::span<double> y, std::vector<RunEvent>& events,
                      bool at_start);
  void push(Side side, const Vector3& force, const Vector3& point,
            std::span<const double> y) noexcept;
  void twist(Side side, const Vector3& torque) noexcept;
  void touch_down(Site& site, double t, std::span<double> y, std::vector<RunEvent>& events,
                  int index);
  void lift_off(Site& site, double t, std::span<double> y, std::vector<RunEvent>& events,
                int index);
  /// The last impact of this contact.
  void end_impact(int contact, double t, double speed);
  int mover(Side side) const noexcept;
  Mover mover_of(Side side) const;
  double seen(double t) const noexcept;

  World world_;
  PatchContacts patches_;
  struct PairShapes {
    Shape a, b;
  };
  std::vector<PairShapes> shapes_;  ///< of each pair
  std::vector<Mover> movers_;
  int first_mechanism_ = 0;
  std::vector<int> body_mover_;  ///< of each body; −1: fixed
  std::vector<Site> sites_;
  std::vector<Matrix3> inverse_inertia_;  ///< of each body, body axes
  int size_ = 0, places_ = 0;
  bool driven_ = false, stepped_ = false;
  double safe_time_ = std::numeric_limits<double>::infinity();
  bool settled_ = false;  ///< what is there at the start has been found
  double horizon_ = std::numeric_limits<double>::infinity();
  long evaluations_ = 0;
  std::vector<double> probe_, base_, moved_;
};

}  // namespace bristle
