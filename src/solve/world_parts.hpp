#pragma once

// What a WorldStepper is made of. Its step is in world_outer.cpp, the forces of a sub-step in
// world_contact.cpp, both for a pendulum over a plane in world_flat.cpp, how the parts come from a
// world in world_parts.cpp. Contacts over areas have files of their own (patch_parts.hpp).

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "bristle/contact/gonthier_slip.hpp"
#include "bristle/contact/press_step.hpp"
#include "bristle/core/index.hpp"
#include "bristle/shape/touch_half_space.hpp"
#include "bristle/solve/world_step.hpp"
#include "mechanism_mover.hpp"
#include "mixing.hpp"
#include "movers.hpp"
#include "numbers.hpp"
#include "patch_parts.hpp"

namespace bristle {
namespace detail {

using Vector2 = Eigen::Vector2d;

/// Impacts are followed for this many durations of an elastic one; then the contact lasts.
inline constexpr double impact_lasts = 2.5;
inline constexpr std::size_t impact_room = 4096;
/// Slower touch-downs count as this fast where a duration is asked for, m/s.
inline constexpr double v_least = 1e-3;

/// The friction of a site with its state; a copy has its own. Gonthier's law is called directly.
class SiteSlip {
 public:
  SiteSlip() = default;
  explicit SiteSlip(std::unique_ptr<SlipSolver> solver)
      : solver_(std::move(solver)), gonthier_(dynamic_cast<GonthierSlip*>(solver_.get())) {}
  SiteSlip(const SiteSlip& other) : SiteSlip(other.solver_->clone()) {}
  SiteSlip& operator=(const SiteSlip& other) { return *this = SiteSlip(other); }
  SiteSlip(SiteSlip&&) noexcept = default;
  SiteSlip& operator=(SiteSlip&&) noexcept = default;
  ~SiteSlip() = default;

  SlipSolver* operator->() const noexcept { return solver_.get(); }
  GonthierSlip* gonthier() const noexcept { return gonthier_; }
  double stored(double fn) const noexcept {
    return gonthier_ != nullptr ? gonthier_->stored(fn) : solver_->stored(fn);
  }
  SlipAnswer solve(const SlipProblem& problem) const noexcept {
    return gonthier_ != nullptr ? gonthier_->solve(problem) : solver_->solve(problem);
  }
  /// Along the unit vector d, where all slip has been so far.
  SlipAnswerIn<1> solve_along(const Vector2& d, const SlipProblemIn<1>& p) const noexcept {
    if (gonthier_ != nullptr) return gonthier_->solve_along(d, p);
    const SlipAnswer found = solver_->solve({p.v[0] * d, p.b[0] * d, p.w, p.h, p.fn});
    return {SlipAnswerIn<1>::Vector(found.force.dot(d)), SlipAnswerIn<1>::Vector(found.slip.dot(d)),
            found.grip, found.slides, found.theta};
  }
  void advance(const Vector2& slip, double fn, double h) const noexcept {
    if (gonthier_ != nullptr) {
      gonthier_->advance(slip, fn, h);
    } else {
      solver_->advance(slip, fn, h);
    }
  }

 private:
  std::unique_ptr<SlipSolver> solver_;
  GonthierSlip* gonthier_ = nullptr;
};

/// What a lasting contact reads and writes in every step comes first, side by side.
struct Site {
  bool active = false, impact = false, flagged = false;
  int pair = 0;
  double x = 0;       ///< depth at the start of the sub-step
  double h_last = 0;  ///< length of the last sub-step; 0: it was not in contact
  Press<double> press{};
  double f_last = 0, vn1 = 0, bn = 0;
  Vector2 friction_last = Vector2::Zero(), vt1 = Vector2::Zero();
  // At the end of the last sub-step:
  Touch touch{Vector3::Zero(), Vector3::UnitZ(), 1, Vector3::UnitX()};
  Impact open{};
  double v_i = 0, duration = 0, age = 0, k_top = 0;
  // At the middle of the sub-step:
  ContactFrame frame{Vector3::UnitZ(), Vector3::UnitX(), Vector3::UnitY()};
  Vector3 p = Vector3::Zero(), ground_velocity = Vector3::Zero();
  Compliance w{};
  double wt = 0, vn0 = 0;
  Vector2 vt0 = Vector2::Zero(), bt = Vector2::Zero();
  Vector2 shift = Vector2::Zero();  ///< of slip, in half of it, as its point moves over the bodies
  // Found:
  double f = 0;
  Vector2 friction = Vector2::Zero();
  double rolled = 0;                  ///< energy that rolling resistance takes in the sub-step
  double nudged = 0;                  ///< work of other forces on it as the depth is put right
  Vector3 rolling = Vector3::Zero();  ///< its angular impulse on A
  double kept = 0;                    ///< work that the bristles have taken and still hold, J
  SlipAnswer answer{Vector2::Zero(), Vector2::Zero(), 0, false, 0.5};
  PressStep pressed{};
  SiteSlip slip;
  Vector3 e1 = Vector3::UnitX();

  /// The depth moves as the normal law has it, not by the mean of both speeds: the difference.
  double depth_off(double h) const noexcept { return (pressed.x - x) - 0.5 * h * (vn0 + vn1); }

  /// The work of friction over h, some of which its bristles keep; returns it.
  double take_work(double h) noexcept {
    const double work = h * friction.dot(0.5 * (vt0 + vt1));
    kept = std::clamp(kept + work, 0.0, std::max(0.0, slip.stored(f)));
    return work;
  }

  /// What the next step depends on; the slip solver has numbers of its own.
  template <class S, class F>
  static void visit(S& s, F&& f) noexcept {
    f(s.active, s.impact, s.press.k, s.press.p, s.press.a, s.press.b, s.x, s.v_i, s.duration, s.age,
      s.k_top, s.f_last, s.friction_last, s.answer.slides, s.answer.grip, s.e1, s.open.t,
      s.open.t_out, s.open.v_in, s.open.slip_in, s.open.impulse, s.open.lost, s.touch.gap, s.vn1,
      s.bn, s.vt1, s.frame.n, s.frame.e1, s.frame.e2, s.kept, s.h_last);
  }
};

struct PairSites {
  int ma = -1, mb = -1;  ///< movers; −1: fixed
  int la = 0, lb = 0;    ///< their links
  int first = 0, count = 0;
  Shape sa, sb;
  RigidBody fixed{};  ///< the fixed one, if any
  bool driven = false;
  bool ball_on_plane = false;  ///< A a round body, B a plane at rest: nothing turns but the ball
  Ground plane{Pose{}};
  ContactFrame frame{Vector3::UnitZ(), Vector3::UnitX(), Vector3::UnitY()};
  double radius = 0;
  AnyNormal normal{"gonthier"};
  double duration_of = 0;
  std::optional<RollingResistance> rolling{};
  bool reset = true;
  /// A cylinder on a half-space has two points that travel round each rim. Each stays on its side
  /// of the body: where the first was in the body's axes, when it was last settled and last looked
  /// at.
  bool rims = false, rims_of_b = false;
  Vector3 side = Vector3::Zero(), side_seen = Vector3::Zero();

  template <class S, class F>
  static void visit(S& s, F&& f) noexcept {
    f(s.side);
  }
  /// Puts the points of the rims on their sides; returns where the first is in the body's axes.
  Vector3 keep_sides(const Pose& cylinder, std::array<Touch, max_touches>& touch) const noexcept;
};

/// Bodies that can touch each other, directly or through others.
struct Island {
  Side::Kind kind = Side::Kind::body;
  std::vector<int> movers{}, pairs{}, sites{};
  bool set_valued = false;   ///< friction of any of its sites
  std::vector<int> areas{};  ///< volumetric pairs
  double held = 0;           ///< energy that these have taken and may give back, J
  double taken = 0;          ///< what they take in this sub-step, J
  // The book of energy of its point contacts (world_ledger.cpp):
  double debt = 0;       ///< that they have made and not yet paid back, J
  double liveliest = 0;  ///< the most that was in motion and springs together, J
  int ball = -1;         ///< of the balls that are alone on a plane
  int tip = -1;          ///< of the pendulums that are alone over one

  template <class S, class F>
  static void visit(S& s, F&& f) noexcept {
    f(s.held, s.debt, s.liveliest);
  }
};

/// A round body whose only contact is a plane at rest, under Gonthier's friction: what its step
/// needs, side by side.
struct Ball {
  int body = 0, site = 0;
  ContactFrame frame;
  double offset = 0, radius = 0;  ///< height of the plane along n; of the ball
  double wn = 0, wt = 0, turn = 0;
  double gn = 0;
  Vector2 gt = Vector2::Zero();
};

/// The tip of a pendulum whose only contact is a plane at rest across the pendulum's own: all
/// happens in two dimensions.
struct Tip {
  int pendulum = 0, site = 0;
  Vector2 n = Vector2::UnitY(), along = Vector2::UnitX();  ///< normal and tangent, x and z
  Vector2 d = Vector2::UnitX();                            ///< the tangent in the contact's basis
  double offset = 0;                                       ///< of the plane from the pivot along n
};

}  // namespace detail

struct WorldStepper::Parts {
  using Site = detail::Site;
  using PairSites = detail::PairSites;
  using Island = detail::Island;
  using Ball = detail::Ball;
  using Tip = detail::Tip;
  using BodyMover = detail::BodyMover;
  using PendulumMover = detail::PendulumMover;
  using MechanismMover = detail::MechanismMover;
  using AreaPair = detail::AreaPair;
  using PatchSite = detail::PatchSite;
  using Vector6 = detail::Vector6;

  World world;
  StepBudget budget;
  double t = 0, t_sub = 0;
  std::vector<BodyMover> bodies, bodies_before;
  std::vector<PendulumMover> pendulums, pendulums_before;
  std::vector<MechanismMover> mechanisms, mechanisms_before;
  std::vector<int> body_mover;
  std::vector<PairSites> pairs;
  std::vector<Site> sites;
  std::vector<Island> islands;
  std::vector<Ball> balls;
  std::vector<Tip> tips;
  std::vector<AreaPair> areas;
  bool hold_looks = false;  ///< a sub-step is made once more: its geometry is known
  double step_ = 0;         ///< length of the outer step
  double near_ = 0;         ///< gaps this small have closed at the end of a sub-step, m
  long looks_ = 0;
  int most_looks_ = 0;
  detail::Mixing mixing{0};
  Eigen::VectorXd mixed, image;  ///< forces of an island, before and after a sweep
  std::vector<double> books;
  bool keep = false;
  double input = 0;
  std::vector<Impact> log;
  int most = 0;
  long total = 0;
  BudgetUse used_up;
  struct Over {
    bool touches = false, substeps = false, sweeps = false, payments = false;
  } over;  ///< which budgets the step has run into

  Parts(World w, const StepBudget& b);

  template <class M>
  std::vector<M>& movers() noexcept {
    if constexpr (std::is_same_v<M, BodyMover>) {
      return bodies;
    } else if constexpr (std::is_same_v<M, PendulumMover>) {
      return pendulums;
    } else {
      return mechanisms;
    }
  }
  template <class M>
  std::vector<M>& before() noexcept {
    if constexpr (std::is_same_v<M, BodyMover>) {
      return bodies_before;
    } else if constexpr (std::is_same_v<M, PendulumMover>) {
      return pendulums_before;
    } else {
      return mechanisms_before;
    }
  }
  /// f<M>() with what moves in the island.
  template <class F>
  static void of_kind(const Island& island, F&& f) {
    switch (island.kind) {
      case Side::Kind::body:
        return f.template operator()<BodyMover>();
      case Side::Kind::pendulum:
        return f.template operator()<PendulumMover>();
      case Side::Kind::mechanism:
        return f.template operator()<MechanismMover>();
    }
  }

  PairSites make_pair(const ContactPair& pair) const;
  void make_sites(const ContactPair& pair, const PairSites& made);
  static void make_possible(const Site& site, double& f, detail::Vector2& friction) noexcept;
  void make_islands();
  void make_balls();
  void make_mixing();
  void make_tips();
  template <class M>
  void start(Island& island);

  /// The next sub-step of an island.
  struct Ahead {
    bool touching = false, impact = false;  ///< of any site
    double length = 0;
  };
  Ahead plan(Island& island, double rest) noexcept;
  /// How long the next sub-step of a site that touches may be: to the end, or a share of its
  /// impact.
  double stride(Site& s, double rest) const noexcept {
    if (!s.impact || s.duration <= 0) return rest;
    const double window = std::min(rest, detail::impact_lasts * s.duration - s.age);
    if (!(window > 0)) {
      s.impact = false;
      return rest;
    }
    const double count = std::ceil(window * budget.per_impact / s.duration - 1e-9);
    return window / std::max(1.0, count);
  }
  /// The end of a sub-step of a site, when its bristles have moved on and its gap is known.
  void settle(Site& s, double h) noexcept {
    s.open.impulse += h * s.f;
    s.open.lost +=
        h * (s.f * 0.5 * (s.vn0 + s.vn1) + s.friction.dot(0.5 * (s.vt0 + s.vt1))) + s.nudged;
    s.nudged = 0;
    s.f_last = s.f;
    s.friction_last = s.friction;
    s.age += h;
    s.h_last = h;
    if (s.impact && s.age >= detail::impact_lasts * s.duration * (1 - 1e-12)) s.impact = false;
    if (s.touch.gap >= 0 && s.vn1 < 0) part(s, t_sub + h);
  }
  struct Closing {
    double gap = infinity, share = 1;
  };
  Closing closing(const Island& island) const noexcept;
  static constexpr int most_shortenings = 4;
  template <class M>
  int shorten(Island& island, Ahead& ahead) noexcept;
  bool roll(const Ball& ball, double h) noexcept;
  void swing(Island& island, double h) noexcept;
  void swing(const Tip& tip, double h, bool conserve) noexcept;
  template <class M>
  void outer(Island& island, double h) noexcept;
  template <class M>
  bool fly(Island& island, double& rest, int& touched) noexcept;
  template <class M>
  double touch_time(Island& island, double rest) noexcept;
  template <class M>
  void store(const Island& island) noexcept {
    for (const int m : island.movers)
      before<M>()[detail::at(m)].state_from(movers<M>()[detail::at(m)]);
  }
  template <class M>
  void put_back(const Island& island) noexcept {
    for (const int m : island.movers)
      movers<M>()[detail::at(m)].state_from(before<M>()[detail::at(m)]);
  }
  template <class M>
  void look(PairSites& pair, double time) noexcept;
  template <class M>
  void look(Island& island, double time) noexcept {
    for (const int p : island.pairs) look<M>(pairs[detail::at(p)], time);
  }
  template <class M>
  void touch_down(Site& site, double time, double depth) noexcept;
  template <class M>
  void touch_down_all(Island& island) noexcept;
  template <class M>
  void solve(Island& island, double h, bool conserve) noexcept;
  template <class M>
  void aim(Island& island, double h) noexcept;
  template <class M>
  Vector3 turning(const PairSites& pair, bool at_start, double h) noexcept;
  template <class M>
  void resist_rolling(const PairSites& pair, Site& site, double h) noexcept;
  /// Velocity of A against B at the point of action.
  template <class M>
  Vector3 relative(const PairSites& pair, const Site& site) noexcept {
    Vector3 v = -site.ground_velocity;
    if (pair.ma >= 0) v += movers<M>()[detail::at(pair.ma)].velocity_at(pair.la, site.p);
    if (pair.mb >= 0) v -= movers<M>()[detail::at(pair.mb)].velocity_at(pair.lb, site.p);
    return v;
  }
  /// Inverse mass that the site sees.
  template <class M>
  detail::Compliance compliance(const PairSites& pair, const Site& site) noexcept {
    if constexpr (std::is_same_v<M, MechanismMover>) {
      if (pair.ma == pair.mb) {
        return mechanisms[detail::at(pair.ma)].respond(pair.la, pair.lb, site.p, site.frame);
      }
    }
    detail::Compliance w;
    if (pair.ma >= 0) w += movers<M>()[detail::at(pair.ma)].respond(pair.la, site.p, site.frame);
    if (pair.mb >= 0) w += movers<M>()[detail::at(pair.mb)].respond(pair.lb, site.p, site.frame);
    return w;
  }
  /// The same that a force and a torque at p see.
  template <class M>
  detail::FullCompliance full_compliance(const AreaPair& area, const Vector3& p) noexcept {
    if constexpr (std::is_same_v<M, MechanismMover>) {
      if (area.ma == area.mb) {
        return mechanisms[detail::at(area.ma)].respond_all(area.a.link, area.b.link, p);
      }
    }
    detail::FullCompliance w;
    for (const auto& [m, link, sign] : area.movers()) {
      if (m >= 0) w += movers<M>()[detail::at(m)].respond_all(link, p);
    }
    return w;
  }
  template <class M>
  double contact(Site& site, double h, bool conserve, int passes) noexcept;
  template <class M>
  void push(const Site& site, const Vector3& impulse) noexcept;
  template <class M>
  void solve_one(Site& site, double h, bool conserve) noexcept;
  Eigen::Index take_forces(const Island& island, Eigen::VectorXd& all) const noexcept;
  template <class M>
  void put_forces(Island& island, const Eigen::VectorXd& all, double h) noexcept;
  template <class M>
  void sweep(Island& island, double h, bool conserve) noexcept;
  template <class M>
  void commit(Island& island, double h) noexcept;
  template <class M>
  void advance_slip(const Island& island, Site& site, double h) noexcept;
  void keep_sides(const Island& island) noexcept;

  // ---- the book of energy: world_ledger.cpp ----
  /// What an island has at the start of a sub-step.
  struct Account {
    double moving = 0;   ///< kinetic and potential energy of free bodies
    double springs = 0;  ///< of its point contacts
    double kept = 0;     ///< in their bristles
  };
  template <class M>
  Account account(const Island& island) noexcept;
  template <class M>
  void settle_account(Island& island, const Account& before, double h, bool conserve) noexcept;
  static double least_depth(const Site& site, double h, bool conserve) noexcept;
  template <class M>
  bool slow_down(const Island& island, double debt) noexcept;
  template <class M>
  double kinetic_of(const Island& island) noexcept;
  template <class M>
  void see_velocities(const Island& island) noexcept;
  template <class M>
  void pay(const Island& island, double debt) noexcept;
  void limit(Site& site, double h) const noexcept;
  void part(Site& site, double time) noexcept;
  void count_over() noexcept;
  void book(Site& site, double h) noexcept;
  double input_of(const Site& site, double h) const noexcept;

  // ---- contacts over areas: world_patch_looks.cpp, world_patch_touch.cpp ----
  void make_area(const ContactPair& pair);
  template <class M>
  void start_areas(Island& island);
  void ration_looks(Island& island, double h) noexcept;
  void plan_areas(const Island& island, double rest, Ahead& ahead) noexcept;
  template <class M>
  Pose pose_of(Side side, int m, bool middle, double time) noexcept;
  template <class M>
  int look_at(AreaPair& area, bool middle, double time) noexcept;
  void place(const AreaPair& area, PatchSite& site, double time) const noexcept;
  double model(const AreaPair& area, PatchSite& site) const noexcept;
  void begin(AreaPair& area, PatchSite& site, const Vector6& y, double w, double time,
             bool at_start) noexcept;
  void time_impact(PatchSite& site, double speed, double w) const noexcept;
  template <class M>
  double lightness(const AreaPair& area, const PatchSite& site) noexcept;
  template <class M>
  double area_touch_time(Island& island, double rest) noexcept;
  template <class M>
  double nearer_touch_time(Island& island, double time, double& seen_at) noexcept;
  template <class M>
  void touch_areas(Island& island, double time, double rest) noexcept;
  template <class M>
  void look_ahead(AreaPair& area) noexcept;
  template <class M>
  void touch_all_areas(Island& island) noexcept;
  template <class M>
  void see_areas(Island& island, double h) noexcept;
  void see(AreaPair& area, PatchSite& site, double h, double moved, double w) noexcept;
  static double wetted(const AreaPair& area) noexcept;
  bool follows_finely(const AreaPair& area, double h) const noexcept;
  bool startled(const Island& island, double& length) const noexcept;
  void end_contact(AreaPair& area, double time) noexcept;
  template <class M>
  void part_areas(Island& island, double h) noexcept;

  // ---- and world_patch_step.cpp ----
  /// How A moves against B at the patch, in its frame: now, or at the start of the sub-step.
  template <class M>
  Vector6 motion(const AreaPair& area, const PatchSite& site, bool at_start) noexcept;
  template <class M>
  void aim_areas(Island& island, double h) noexcept;
  template <class M>
  void push_patch(const AreaPair& area, const PatchSite& site, const Vector6& impulse) noexcept;
  template <class M>
  double patch(const AreaPair& area, PatchSite& site, double h, bool conserve, int passes) noexcept;
  template <class M>
  void warm_areas(Island& island, double h) noexcept;
  /// Sweeps the patches once; returns how much the largest impulse changed, N.
  template <class M>
  double sweep_areas(Island& island, double h, bool conserve, int passes, double& largest) noexcept;
  template <class M>
  void end_areas(Island& island, double h) noexcept;
  template <class M>
  void nudge_areas(Island& island, double h) noexcept;
  template <class M>
  void see_motion(Island& island) noexcept;
  template <class M>
  void limit_areas(Island& island, double h) noexcept;
  void settle_bodies(Island& island, double h) noexcept;
  double energy_in(const PatchSite& site, const AreaPair& area) const noexcept;
  void book_patch(const AreaPair& area, const PatchSite& site, double h) noexcept;
  template <class M>
  void commit_areas(Island& island, double h) noexcept;
  int active_patches(const Island& island) const noexcept {
    int sum = 0;
    for (const int i : island.areas) sum += areas[detail::at(i)].active;
    return sum;
  }
};

}  // namespace bristle
