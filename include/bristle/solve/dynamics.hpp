#pragma once

/// A rig with its friction laws as a system of differential equations with modes.
///
///   y = [q, u, states of the laws],   quadratures = [input, damped, friction work and dissipation
///   of each contact]
///
/// Between events y follows rhs(); a guard that rises through 0 is an event, at which handle()
/// changes modes and, where a law says so, jumps. Contacts under set-valued laws have their mode
/// here: the holding forces of all sticking contacts are found together, from the condition that
/// none of them starts to slip.

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "bristle/solve/equations.hpp"
#include "bristle/solve/friction_state.hpp"
#include "bristle/solve/shortest_solution.hpp"
#include "bristle/system/mechanics.hpp"

namespace bristle {

class Dynamics final : public Equations {
 public:
  using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  /// `break_away` multiplies the static limit of set-valued laws: 1.001 is Modelica's rule against
  /// chatter.
  explicit Dynamics(Rig rig, double break_away = 1.0);

  const Mechanics& mechanics() const noexcept { return mechanics_; }
  Mechanics& mechanics() noexcept { return mechanics_; }
  int dofs() const noexcept { return mechanics_.dofs(); }
  int contacts() const noexcept { return mechanics_.contacts(); }
  int size() const noexcept override { return size_; }
  int quadratures() const noexcept override { return books_ ? 2 + 2 * contacts() : 0; }
  /// Whether energies are followed: before an integrator is made. Only `event` and `rodas` can do
  /// without.
  void keep_books(bool keep) noexcept { books_ = keep; }
  std::vector<double> initial() override;
  /// Typical sizes of the components, for absolute tolerances.
  std::vector<double> scales() const override;

  void rhs(double t, std::span<const double> y, std::span<double> dy) noexcept override;
  void quadrature(double t, std::span<const double> y, std::span<double> dq) noexcept override;
  /// Both from one evaluation.
  void rhs_and_quadrature(double t, std::span<const double> y, std::span<double> dy,
                          std::span<double> dq) noexcept override;
  /// d(rhs)/dy, row-major.
  void jacobian(double t, std::span<const double> y, std::span<double> matrix) noexcept override;
  /// Parameters of the law of one contact, and which columns of a matrix are theirs.
  struct LawParameters {
    int contact = 0;
    Replay law;
    std::vector<double> values{};
    std::vector<Eigen::Index> columns{};
  };
  /// d(rhs)/dp with y held, exact, for contacts on a line in a rig without stops: size × columns,
  /// zero but for those named.
  void by_parameters(double t, std::span<const double> y, std::span<const LawParameters> laws,
                     Eigen::Ref<RowMatrix> by) noexcept;
  /// Of the forces: right-hand sides, and the mean forces of the step made for friction.
  long evaluations() const noexcept override { return evaluations_; }
  void count_evaluation() noexcept { ++evaluations_; }
  /// Starts of slip whose direction was not found.
  long unsettled() const noexcept { return unsettled_; }

  /// Until the next call sources are seen as they are before `end`, at which they may jump.
  void set_horizon(double end) noexcept override { horizon_ = end; }
  double horizon() const noexcept { return horizon_; }
  std::vector<double> breaks(double duration) const override { return mechanics_.breaks(duration); }
  double sampling_period() const noexcept override { return mechanics_.sampling_period(); }
  void sample(int k, std::span<const double> y) override { mechanics_.sample(k, q_of(y)); }

  // ---- events -----------------------------------------------------------------------------
  int guards() const noexcept override { return guard_count_; }
  /// Guards that are events in both directions: loads and gaps, in [first, second).
  std::pair<int, int> two_way_guards() const noexcept override { return two_way_; }
  void guard_values(double t, std::span<const double> y,
                    std::span<double> values) noexcept override;
  /// Changes modes and y for the guards that have risen.
  void handle(double t, std::span<double> y, std::span<const bool> risen,
              std::vector<RunEvent>& events) override;
  /// Modes that fit y and t: at the start and wherever a source breaks.
  void settle(double t, std::span<double> y, std::vector<RunEvent>& events) override;
  /// After each step: sticking contacts rest exactly, history of delayed laws, falling loads.
  /// True if y was changed enough to ask for a restart.
  bool accept(double t, std::span<double> y, std::vector<RunEvent>& events) override;
  /// Whether changes of mode are found as events (adaptive methods) or by the laws themselves.
  void locate_modes(bool located) noexcept override { located_ = located; }
  /// Whether ∂(rhs)/∂t is a constant between breaks and changes of mode.
  bool is_even() const noexcept override;
  /// Longest step that delayed laws allow.
  double longest_step() const noexcept override { return longest_step_; }

  // ---- what a user sees -------------------------------------------------------------------
  struct ContactReading {
    Planar slip = Planar::Zero(), force = Planar::Zero();
    double fn = 0, stored = 0;
    bool sticks = false;  ///< by the mode of a set-valued or hybrid law
  };
  /// Evaluates the contacts at t, without counting it; then they can be read.
  void look(double t, std::span<const double> y) noexcept;
  ContactReading read(int contact, double t, std::span<const double> y) const noexcept;
  const FrictionState& friction(int contact) const noexcept { return *point(contact).state; }
  FrictionState& friction(int contact) noexcept { return *point(contact).state; }
  bool is_set_valued(int contact) const noexcept { return point(contact).set_valued; }
  bool is_hybrid(int contact) const noexcept { return point(contact).hybrid; }
  int state_start(int contact) const noexcept { return point(contact).start; }
  double reset_loss() const noexcept { return reset_loss_; }
  double jump_loss(int contact) const noexcept { return point(contact).jump_loss; }

  // ---- pieces for fixed-step methods ------------------------------------------------------
  ContactSlip slip_of(int contact, double t, std::span<const double> q,
                      std::span<const double> u) const noexcept;
  /// The mode that a fixed step has found for a contact under a set-valued law.
  void put_mode(int contact, double t, Mode mode, const Planar& along, const Planar& force);
  /// From now on contacts under set-valued laws show what acted in the last fixed step: inside of
  /// it neither its start nor its end tells.
  void show_acted(bool on) noexcept { show_acted_ = on; }
  Mode mode(int contact) const noexcept { return point(contact).mode; }
  double band(int contact) const noexcept { return point(contact).band; }
  /// Friction that would hold this contact (and all that stick) still.
  Planar holding_force(int contact, double t, std::span<const double> y) noexcept;

  // ---- save and restore -------------------------------------------------------------------
  /// Room for the past of delayed laws at this step: steps of that length then allocate nothing.
  void reserve_past(double step);
  /// What the next step depends on beside y, as numbers: modes, what laws count, past slips, the
  /// outputs that drives hold. Both move on to the next free or unread number.
  int memory() const noexcept;
  void save(double*& next) const noexcept;
  void restore(const double*& next) noexcept;

 private:
  struct Point {
    std::unique_ptr<FrictionState> state;
    const AreaLaw* area = nullptr;
    double length = 1;  ///< makes rad/s comparable with m/s over an area
    int axes = 1, start = 0, size = 0;
    bool set_valued = false, hybrid = false;
    double band = 0, delay = 0, break_away = 1;
    Mode mode = Mode::slip, before = Mode::slip;
    Planar along = Planar::UnitX();  ///< of slip or of break-away: a motion of speed 1
    Planar acted = Planar::Zero();   ///< in the last fixed step
    // Of the last evaluation:
    Planar force = Planar::Zero();
    ContactSlip slip{};
    std::vector<double> rate{};
    double dissipation = 0;
    double jump_loss = 0;
    struct Past {
      double t;
      Planar v;
    };
    std::vector<Past> past{};    ///< those that are not needed any more go in bulk
    std::size_t past_saved = 0;  ///< at most

    double inner(const Planar& a, const Planar& b) const noexcept {
      return a[0] * b[0] + a[1] * b[1] + length * length * a[2] * b[2];
    }
    double speed(const Planar& v) const noexcept { return std::sqrt(inner(v, v)); }
    Planar way(const Planar& v) const noexcept { return v / speed(v); }
    /// How much static friction it takes to answer with this force, N.
    double grip(const Planar& f) const noexcept { return area ? area->hold(f).xi : f.norm(); }
  };
  /// Slower than this in the plane counts as no slip: a direction cannot be told from it, m/s.
  static constexpr double v_min = 1e-10;
  /// A slip speed that rounding alone leaves behind, m/s.
  static constexpr double v_round = 1e-13;

  struct Wall {
    int coordinate = 0;
    int held = 0;  ///< +1: pressed against the high end, −1: the low end
  };

  Point& point(int i) noexcept { return points_[static_cast<std::size_t>(i)]; }
  const Point& point(int i) const noexcept { return points_[static_cast<std::size_t>(i)]; }
  std::span<const double> q_of(std::span<const double> y) const noexcept;
  std::span<const double> u_of(std::span<const double> y) const noexcept;
  double before_horizon(double t) const noexcept;
  void find_slip(int contact, double t, std::span<const double> q, std::span<const double> u,
                 ContactSlip& slip) const noexcept;
  /// Forces on the coordinates and friction of every contact.
  void evaluate(double t, std::span<const double> y) noexcept;
  void evaluate_contacts(double t, std::span<const double> y) noexcept;
  void rates(std::span<const double> y, std::span<double> dy) noexcept;
  void work_rates(double t, std::span<const double> y, std::span<double> dq) noexcept;
  ContactSlip asked(const Point& p, const ContactSlip& slip) const noexcept;
  void accelerate(Eigen::Ref<RowMatrix> m) noexcept;
  void solve_holding(double t, std::span<const double> q, std::span<const double> u) noexcept;
  void hold_at_walls() noexcept;
  void refactor();
  void set_mode(int contact, Mode mode);
  Planar slip_acceleration(int contact, double t, std::span<const double> y) const noexcept;
  double stick_excess(int contact, double t) const noexcept;
  StickSet stick_set(int contact, double t) const noexcept;
  /// Which way a contact at rest starts to slip from the force that held it until now.
  Planar outgoing(int contact, double t, std::span<const double> y) noexcept;
  Planar turn_to_ray(int contact, double t, std::span<const double> y, Planar way,
                     double least) noexcept;
  double mobility(int contact) const noexcept;
  /// Stops the slip of the contacts that stick: momentum is kept, kinetic energy lost is booked.
  void arrest(double t, std::span<double> y);
  void follow_slip(double t, std::span<const double> y);
  void jump(int contact, double t, std::span<double> y, std::vector<RunEvent>& events);
  void find_modes(double t, std::span<double> y, std::vector<RunEvent>& events);
  bool release_worst(double t, std::span<const double> y, std::vector<RunEvent>& events);
  Planar lagged(const Point& p, double t, const Planar& now) const noexcept;
  void note_past(double t, std::span<const double> y);
  static std::size_t stale(const Point& p, double t) noexcept;

  Mechanics mechanics_;
  std::vector<Point> points_;
  std::vector<Wall> walls_;
  int size_ = 0, guard_count_ = 0;
  std::pair<int, int> two_way_{0, 0};
  std::vector<int> varying_;  ///< contacts whose load changes
  double longest_step_ = std::numeric_limits<double>::infinity();
  double reset_loss_ = 0;
  bool located_ = true, books_ = true, show_acted_ = false;
  double horizon_ = std::numeric_limits<double>::infinity();
  long evaluations_ = 0, unsettled_ = 0;

  // Work space, sized at set-up.
  Powers powers_{};
  std::vector<double> force_, by_q_, by_u_, law_matrix_;
  std::vector<RunEvent> noted_;  ///< by fixed steps, until accept()
  std::vector<int> held_;        ///< contacts that stick, in order
  std::vector<int> held_rows_;   ///< their rows, three for each contact
  ShortestSolution hold_;
  std::vector<double> holding_, was_;
};

}  // namespace bristle
