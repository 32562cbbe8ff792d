#include "bristle/solve/world_step.hpp"

#include <algorithm>
#include <cmath>

#include "bristle/contact/gonthier_slip.hpp"
#include "bristle/contact/press_step.hpp"
#include "bristle/shape/touch_half_space.hpp"
#include "fixed_step.hpp"
#include "movers.hpp"

namespace bristle {
namespace {

using detail::BodyMover;
using detail::Compliance;
using detail::ContactFrame;
using detail::PendulumMover;
using Vector2 = Eigen::Vector2d;

constexpr std::size_t at(int i) noexcept { return static_cast<std::size_t>(i); }

/// Impacts are followed for this many durations of an elastic one; then the contact lasts.
constexpr double impact_lasts = 2.5;
/// Slower touch-downs count as this fast where a duration is asked for, m/s.
constexpr double v_least = 1e-3;
constexpr std::size_t impact_room = 4096;

/// Duration of an elastic impact is this times x_max/v: 2∫ds/√(1 − s^{p+1}) from 0 to 1.
double duration_factor(double p) noexcept {
  const double r = 1 / (p + 1);
  return 2 * std::sqrt(std::numbers::pi) * std::tgamma(1 + r) / std::tgamma(0.5 + r);
}

/// What a lasting contact reads and writes in every step comes first, side by side.
struct Site {
  bool active = false, impact = false, flagged = false;
  int pair = 0;
  double x = 0;  ///< depth at the start of the sub-step
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
  // Found:
  double f = 0;
  Vector2 friction = Vector2::Zero();
  double rolled = 0;  ///< energy that rolling resistance takes in the sub-step
  SlipAnswer answer{Vector2::Zero(), Vector2::Zero(), 0, false, 0.5};
  PressStep pressed{};
  std::unique_ptr<SlipSolver> slip;
  GonthierSlip* gonthier = nullptr;  ///< the same, if it is one: called directly
  Vector3 e1 = Vector3::UnitX();
};

struct PairSites {
  int ma = -1, mb = -1;  ///< movers; −1: fixed
  int first = 0, count = 0;
  Shape sa, sb;
  RigidBody fixed{};  ///< the fixed one, if any
  bool driven = false;
  bool ball_on_plane = false;  ///< A a round body, B a plane at rest: nothing turns but the ball
  /// A the tip of a pendulum, B a plane at rest across its own plane: all happens in two
  /// dimensions.
  bool flat = false;
  Vector3 along = Vector3::UnitX();        ///< the tangent in the pendulum's plane
  Vector2 along_basis = Vector2::UnitX();  ///< the same in the tangent basis
  Ground ground{Pose{}};
  ContactFrame frame{Vector3::UnitZ(), Vector3::UnitX(), Vector3::UnitY()};
  double radius = 0;
  AnyNormal normal{"gonthier"};
  double duration_of = 0;
  std::optional<RollingResistance> rolling{};
  bool reset = true;
};

/// Bodies that can touch each other, directly or through others.
struct Island {
  bool pendulum = false;
  std::vector<int> movers{}, pairs{}, sites{};
  int ball = -1;  ///< of the balls that are alone on a plane
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
  GonthierSlip* slip = nullptr;
};

}  // namespace

struct WorldStepper::Parts {
  World world;
  StepBudget budget;
  double t = 0, t_sub = 0;
  std::vector<BodyMover> bodies, bodies_before;
  std::vector<PendulumMover> pendulums, pendulums_before;
  std::vector<int> body_mover;
  std::vector<PairSites> pairs;
  std::vector<Site> sites;
  std::vector<Island> islands;
  std::vector<Ball> balls;
  std::vector<double> books;
  bool keep = false;
  double input = 0;
  std::vector<Impact> log;
  int most = 0;
  long total = 0;

  Parts(const World& w, const StepBudget& b);
  Parts(const Parts& other);

  template <class M>
  std::vector<M>& movers() noexcept {
    if constexpr (std::is_same_v<M, BodyMover>) {
      return bodies;
    } else {
      return pendulums;
    }
  }
  template <class M>
  std::vector<M>& before() noexcept {
    if constexpr (std::is_same_v<M, BodyMover>) {
      return bodies_before;
    } else {
      return pendulums_before;
    }
  }

  void make_islands();
  void make_balls();
  bool roll(const Ball& ball, double h) noexcept;
  template <class M>
  void outer(Island& island, double h) noexcept;
  template <class M>
  bool fly(Island& island, double& rest, int& touched) noexcept;
  template <class M>
  double touch_time(Island& island, double rest) noexcept;
  template <class M>
  void store(const Island& island) noexcept {
    for (const int m : island.movers) before<M>()[at(m)].state_from(movers<M>()[at(m)]);
  }
  template <class M>
  void put_back(const Island& island) noexcept {
    for (const int m : island.movers) movers<M>()[at(m)].state_from(before<M>()[at(m)]);
  }
  template <class M>
  void look(PairSites& pair, double time) noexcept;
  template <class M>
  void look(Island& island, double time) noexcept {
    for (const int p : island.pairs) look<M>(pairs[at(p)], time);
  }
  template <class M>
  void touch_down(Site& site, double time, double depth) noexcept;
  template <class M>
  void solve(Island& island, double h, bool conserve) noexcept;
  template <class M>
  void aim(Island& island, double h) noexcept;
  template <class M>
  Vector3 relative(const PairSites& pair, const Site& site) noexcept;
  template <class M>
  double contact(Site& site, double h, bool conserve, int passes) noexcept;
  void solve_flat(Island& island, double h, bool conserve) noexcept;
  template <class M>
  void commit(Island& island, double h, bool conserve) noexcept;
  void limit(Site& site, double h) const noexcept;
  void part(Site& site, double time) noexcept;
  void book(Site& site, double h) noexcept;
};

WorldStepper::Parts::Parts(const World& w, const StepBudget& b) : world(w), budget(b) {
  world.check();
  for (const RigidBody& body : world.bodies) {
    body_mover.push_back(body.fixed ? -1 : static_cast<int>(bodies.size()));
    if (!body.fixed) bodies.emplace_back(body, world.gravity);
  }
  for (const DoublePendulum& p : world.pendulums) pendulums.emplace_back(p, world.gravity);
  for (const ContactPair& pair : world.pairs) {
    PairSites made;
    const auto mover = [&](Side side) {
      return side.pendulum ? side.index : body_mover[at(side.index)];
    };
    made.ma = mover(pair.a);
    made.mb = mover(pair.b);
    made.sa = world.shape(pair.a);
    made.sb = world.shape(pair.b);
    for (const Side side : {pair.a, pair.b}) {
      if (world.is_free(side)) continue;
      made.fixed = world.bodies[at(side.index)];
      made.driven = made.fixed.is_driven();
    }
    made.first = static_cast<int>(sites.size());
    made.count = world.sites(pair);
    made.normal = pair.normal;
    made.duration_of = duration_factor(pair.normal.latch(1).p);
    made.reset = pair.reset;
    made.rolling = pair.rolling;
    const bool round = std::holds_alternative<Sphere>(made.sa) ||
                       (std::holds_alternative<Point>(made.sa) && pair.a.pendulum);
    if (round && made.mb < 0 && std::holds_alternative<HalfSpace>(made.sb) && !made.driven) {
      made.ball_on_plane = true;
      made.ground = Ground(made.fixed.pose);
      if (const Sphere* sphere = std::get_if<Sphere>(&made.sa)) made.radius = sphere->radius;
      const TangentBasis basis = tangent_basis(made.ground.normal, made.ground.reference);
      made.frame = {made.ground.normal, basis.e1, basis.e2};
      made.flat = pair.a.pendulum && made.radius == 0 && made.ground.normal.y() == 0;
      made.along = Vector3(made.ground.normal.z(), 0, -made.ground.normal.x());
      made.along_basis = Vector2(basis.e1.dot(made.along), basis.e2.dot(made.along));
    }
    for (int k = 0; k < made.count; ++k) {
      Site site;
      site.pair = static_cast<int>(pairs.size());
      site.slip = SlipSolver::make(pair.friction);
      site.frame = made.frame;
      if (made.ball_on_plane) {
        site.touch = touch_sphere_half_space(made.radius, Vector3::Zero(), made.ground);
      }
      sites.push_back(std::move(site));
    }
    pairs.push_back(std::move(made));
  }
  make_islands();
  make_balls();
  bodies_before = bodies;
  pendulums_before = pendulums;
  books.assign(5 * sites.size(), 0.0);
  log.reserve(impact_room);
  for (Island& island : islands) {
    const auto start = [&]<class M>() {
      for (const int m : island.movers) movers<M>()[at(m)].prepare(0);
      look<M>(island, 0);
      for (const int s : island.sites) {
        Site& site = sites[at(s)];
        if (site.touch.gap > 0) continue;
        touch_down<M>(site, 0, -site.touch.gap);
        // Deep contacts have been there all along; one that just touches is an impact.
        if (-site.touch.gap > 1e-9) site.age = impact_lasts * site.duration;
        const PairSites& pair = pairs[at(site.pair)];
        const double pressing = world.pressing_speed(world.pairs[at(site.pair)], -site.touch.gap);
        if (pressing > site.v_i) site.press = pair.normal.latch(pressing);
      }
    };
    island.pendulum ? start.template operator()<PendulumMover>()
                    : start.template operator()<BodyMover>();
  }
}

WorldStepper::Parts::Parts(const Parts& o)
    : world(o.world),
      budget(o.budget),
      t(o.t),
      t_sub(o.t_sub),
      bodies(o.bodies),
      bodies_before(o.bodies),
      pendulums(o.pendulums),
      pendulums_before(o.pendulums),
      body_mover(o.body_mover),
      pairs(o.pairs),
      islands(o.islands),
      books(o.books),
      keep(o.keep),
      input(o.input),
      most(o.most),
      total(o.total) {
  log.reserve(impact_room);
  log.assign(o.log.begin(), o.log.end());
  sites.resize(o.sites.size());
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const Site& from = o.sites[i];
    std::unique_ptr<SlipSolver> slip = from.slip->clone();
    Site& to = sites[i];
    to.pair = from.pair;
    to.active = from.active;
    to.impact = from.impact;
    to.press = from.press;
    to.x = from.x;
    to.v_i = from.v_i;
    to.duration = from.duration;
    to.age = from.age;
    to.k_top = from.k_top;
    to.frame = from.frame;
    to.vn1 = from.vn1;
    to.bn = from.bn;
    to.vt1 = from.vt1;
    to.f_last = from.f_last;
    to.friction_last = from.friction_last;
    to.answer = from.answer;
    to.touch = from.touch;
    to.e1 = from.e1;
    to.open = from.open;
    to.slip = std::move(slip);
  }
  make_balls();
}

void WorldStepper::Parts::make_balls() {
  balls.clear();
  for (Site& site : sites) site.gonthier = dynamic_cast<GonthierSlip*>(site.slip.get());
  for (Island& island : islands) {
    island.ball = -1;
    if (island.pendulum || island.movers.size() != 1 || island.sites.size() != 1) continue;
    const PairSites& pair = pairs[at(island.pairs.front())];
    Site& site = sites[at(island.sites.front())];
    const BodyMover& body = bodies[at(island.movers.front())];
    GonthierSlip* slip = site.gonthier;
    if (!pair.ball_on_plane || pair.rolling || !body.round() || slip == nullptr) continue;
    Ball ball{island.movers.front(), island.sites.front(), pair.frame};
    ball.offset = pair.frame.n.dot(pair.ground.origin);
    ball.radius = pair.radius;
    ball.wn = body.inverse_mass();
    ball.wt = ball.wn + body.inverse_inertia() * ball.radius * ball.radius;
    ball.turn = body.inverse_inertia() * ball.radius;
    ball.gn = -ball.frame.n.dot(body.gravity());
    ball.gt = Vector2(ball.frame.e1.dot(body.gravity()), ball.frame.e2.dot(body.gravity()));
    ball.slip = slip;
    island.ball = static_cast<int>(balls.size());
    balls.push_back(ball);
  }
}

/// The step of a ball that flies clear of its plane or rests on it, as `outer` would make it: the
/// lever of the contact is R n, so normal force and friction do not mix. False where there is more
/// to do.
bool WorldStepper::Parts::roll(const Ball& ball, double h) noexcept {
  BodyMover& body = bodies[at(ball.body)];
  Site& s = sites[at(ball.site)];
  const Vector3& n = ball.frame.n;
  const double depth = ball.offset + ball.radius;
  if (!s.active) {
    // A parabola that bends towards the plane is lowest at one of its ends.
    const double gap = n.dot(body.x) - depth + h * (n.dot(body.v) - 0.5 * h * ball.gn);
    if (!(gap > 0) || ball.gn < 0) return false;
    body.fly(h);
    s.touch.gap = gap;
    return true;
  }
  if (s.impact || keep) return false;
  const Vector3 &e1 = ball.frame.e1, &e2 = ball.frame.e2;
  const double vn = -n.dot(body.v);
  // Of the point of action, at −R n from the centre.
  const Vector2 vt(e1.dot(body.v) - ball.radius * e2.dot(body.w),
                   e2.dot(body.v) + ball.radius * e1.dot(body.w));
  const double spin = n.dot(body.w);
  const PressStep pressed = press_midpoint(s.press, s.x, vn, h, ball.gn, ball.wn);
  const SlipAnswer answer = ball.slip->solve({vt, ball.gt, ball.wt, h, pressed.force});
  const double f1 = answer.force[0], f2 = answer.force[1];
  const double push = h * ball.wn, turn = h * ball.turn;
  body.move(h,
            body.v + h * body.gravity() + (push * pressed.force) * n - (push * f1) * e1 -
                (push * f2) * e2,
            body.w + (turn * f1) * e2 - (turn * f2) * e1);
  ball.slip->advance(answer.slip, pressed.force, h);
  if (spin != 0) ball.slip->turn(0.5 * h * spin);
  s.open.impulse += h * pressed.force;
  s.open.lost += h * (0.5 * pressed.force * (vn + pressed.v) + answer.force.dot(answer.slip));
  s.f_last = pressed.force;
  s.friction_last = answer.force;
  s.vn1 = pressed.v;
  s.bn = ball.gn;
  s.vt1 = vt + h * (ball.gt - ball.wt * answer.force);
  s.touch.gap = n.dot(body.x) - depth;
  s.x = -s.touch.gap;
  ++total;
  if (s.x <= 0 && s.vn1 < 0) part(s, t + h);
  return true;
}

void WorldStepper::Parts::make_islands() {
  std::vector<int> of(bodies.size());
  for (std::size_t i = 0; i < of.size(); ++i) of[i] = static_cast<int>(i);
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    if (world.pairs[p].a.pendulum || world.pairs[p].b.pendulum) continue;
    const int a = pairs[p].ma, b = pairs[p].mb;
    if (a < 0 || b < 0) continue;
    const int low = std::min(of[at(a)], of[at(b)]), high = std::max(of[at(a)], of[at(b)]);
    std::replace(of.begin(), of.end(), high, low);
  }
  std::vector<int> island_of(bodies.size(), -1);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto root = at(of[i]);
    if (island_of[root] < 0) {
      island_of[root] = static_cast<int>(islands.size());
      islands.emplace_back();
    }
    island_of[i] = island_of[root];
    islands[at(island_of[i])].movers.push_back(static_cast<int>(i));
  }
  const auto first_pendulum = static_cast<int>(islands.size());
  for (std::size_t i = 0; i < pendulums.size(); ++i) {
    islands.push_back({.pendulum = true, .movers = {static_cast<int>(i)}});
  }
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const bool pendulum = world.pairs[p].a.pendulum || world.pairs[p].b.pendulum;
    const int m = pairs[p].ma >= 0 ? pairs[p].ma : pairs[p].mb;
    Island& island = islands[at(pendulum ? first_pendulum + m : island_of[at(m)])];
    island.pairs.push_back(static_cast<int>(p));
    for (int k = 0; k < pairs[p].count; ++k) island.sites.push_back(pairs[p].first + k);
  }
}

// ---- geometry -----------------------------------------------------------------------------------

template <class M>
void WorldStepper::Parts::look(PairSites& pair, double time) noexcept {
  if (pair.ball_on_plane) {
    Vector3 centre;
    if constexpr (std::is_same_v<M, BodyMover>) {
      centre = bodies[at(pair.ma)].x;
    } else {
      centre = pendulums[at(pair.ma)].tip();
    }
    // Normal and reference have been there from the start.
    Touch& touch = sites[at(pair.first)].touch;
    touch.point = centre - pair.radius * pair.frame.n;
    touch.gap = pair.ground.height(centre) - pair.radius;
    return;
  }
  const auto pose = [&](int m) {
    return m >= 0 ? movers<M>()[at(m)].pose()
                  : (pair.driven ? pair.fixed.pose_at(time) : pair.fixed.pose);
  };
  std::array<Touch, max_touches> touch;
  const int count = touches(pair.sa, pose(pair.ma), pair.sb, pose(pair.mb), touch);
  for (int k = 0; k < count; ++k) sites[at(pair.first + k)].touch = touch[at(k)];
}

template <class M>
Vector3 WorldStepper::Parts::relative(const PairSites& pair, const Site& site) noexcept {
  Vector3 v = -site.ground_velocity;
  if (pair.ma >= 0) v += movers<M>()[at(pair.ma)].velocity_at(site.p);
  if (pair.mb >= 0) v -= movers<M>()[at(pair.mb)].velocity_at(site.p);
  return v;
}

/// Frames, velocities and inverse masses of the active sites, at the middle of the sub-step.
template <class M>
void WorldStepper::Parts::aim(Island& island, double h) noexcept {
  for (const int p : island.pairs) {
    PairSites& pair = pairs[at(p)];
    std::array<Touch, max_touches> touch;
    bool looked = false;
    for (int k = 0; k < pair.count; ++k) {
      Site& site = sites[at(pair.first + k)];
      if (!site.active) continue;
      if (pair.ball_on_plane) {
        site.p = movers<M>()[at(pair.ma)].middle().position - pair.radius * pair.frame.n;
      } else {
        if (!looked) {
          const auto pose = [&](int m) {
            return m >= 0 ? movers<M>()[at(m)].middle()
                          : (pair.driven ? pair.fixed.pose_at(t_sub + 0.5 * h) : pair.fixed.pose);
          };
          touches(pair.sa, pose(pair.ma), pair.sb, pose(pair.mb), touch);
          looked = true;
        }
        const Touch& here = touch[at(k)];
        const TangentBasis basis = tangent_basis(here.normal, here.reference);
        site.frame = {here.normal, basis.e1, basis.e2};
        site.p = here.point;
        if (pair.driven) {
          const Vector3 v = pair.fixed.velocity_at(t_sub + 0.5 * h, site.p);
          site.ground_velocity = pair.mb < 0 ? v : Vector3(-v);
        }
      }
      Vector3 v = -site.ground_velocity;
      site.w = {};
      if (pair.ma >= 0) {
        const M& a = movers<M>()[at(pair.ma)];
        v += a.start_velocity_at(site.p);
        site.w += a.respond(site.p, site.frame);
      }
      if (pair.mb >= 0) {
        const M& b = movers<M>()[at(pair.mb)];
        v -= b.start_velocity_at(site.p);
        site.w += b.respond(site.p, site.frame);
      }
      site.wt = site.w.t_max();
      site.vn0 = -site.frame.n.dot(v);
      site.vt0 = Vector2(site.frame.e1.dot(v), site.frame.e2.dot(v));
      if (pair.rolling && pair.ma >= 0) {
        const double c = rolling_coefficient(*pair.rolling, pair.radius, site.f_last);
        site.rolled = movers<M>()[at(pair.ma)].resist(h, c, site.frame.n);
      }
      site.f = 0;
      site.friction.setZero();
      site.flagged = false;
    }
  }
}

// ---- one contact --------------------------------------------------------------------------------

/// Normal force and friction of one contact together, given what the others do. Returns how much
/// its impulse has changed, in newtons.
template <class M>
double WorldStepper::Parts::contact(Site& s, double h, bool conserve, int passes) noexcept {
  const PairSites& pair = pairs[at(s.pair)];
  const Vector3 v = relative<M>(pair, s);
  const Vector2& c = s.w.tn;
  // Without this contact's own impulse.
  const Vector2 own(s.w.t11 * s.friction[0] + s.w.t12 * s.friction[1],
                    s.w.t12 * s.friction[0] + s.w.t22 * s.friction[1]);
  const double vn_free = -s.frame.n.dot(v) + h * (s.w.nn * s.f - c.dot(s.friction));
  const Vector2 vt_free = Vector2(s.frame.e1.dot(v), s.frame.e2.dot(v)) - h * s.f * c + h * own;
  const double bn = (vn_free - s.vn0) / h;
  const Vector2 bt = (vt_free - s.vt0) / h;
  const bool coupled = c.squaredNorm() > 1e-24 * s.w.nn * s.w.nn;
  const bool uneven =
      std::abs(s.w.t12) > 1e-12 * s.wt || std::abs(s.w.t11 - s.w.t22) > 1e-12 * s.wt;
  Vector2 guess = s.friction_last;
  double f_guess = s.f_last;
  bool slides = s.answer.slides;
  double grip = s.answer.grip;
  for (int pass = 0; pass < passes; ++pass) {
    // Friction follows the normal force: in proportion where it slides, by its grip where it holds.
    Vector2 follow = Vector2::Zero();
    if (coupled) {
      follow = slides ? Vector2(f_guess > 0 ? Vector2(guess / f_guess) : Vector2::Zero())
                      : Vector2(c * (grip / s.wt));
    }
    double w = s.w.nn - c.dot(follow), b = bn + c.dot(guess - follow * f_guess);
    if (w < 0.05 * s.w.nn) {
      w = s.w.nn;
      b = bn + c.dot(guess);
      s.flagged = true;
    }
    s.pressed = conserve && s.impact ? press_conserving(s.press, s.x, s.vn0, h, b, w, s.k_top)
                                     : press_midpoint(s.press, s.x, s.vn0, h, b, w);
    const double f = s.pressed.force;
    Vector2 push = bt + f * c;
    if (uneven) {
      push -= Vector2((s.w.t11 - s.wt) * guess[0] + s.w.t12 * guess[1],
                      s.w.t12 * guess[0] + (s.w.t22 - s.wt) * guess[1]);
    }
    s.answer = s.slip->solve({s.vt0, push, s.wt, h, f});
    const Vector2 expected = guess + follow * (f - f_guess);
    const double off = (s.answer.force - expected).norm();
    guess = s.answer.force;
    f_guess = f;
    slides = s.answer.slides;
    grip = s.answer.grip;
    if (!coupled && !uneven) break;
    if (off <= 0.002 * (guess.norm() + 0.02 * f)) break;
    if (pass + 1 == passes && passes > 1) s.flagged = true;
  }
  const double df = f_guess - s.f;
  const Vector2 dF = guess - s.friction;
  s.f = f_guess;
  s.friction = guess;
  s.bn = bn;
  s.bt = bt;
  const Vector3 impulse = h * (df * s.frame.n - dF[0] * s.frame.e1 - dF[1] * s.frame.e2);
  if (pair.ma >= 0) movers<M>()[at(pair.ma)].push(s.p, impulse);
  if (pair.mb >= 0) movers<M>()[at(pair.mb)].push(s.p, -impulse);
  return std::abs(df) + dF.norm();
}

/// Where normal force and friction could not be made to agree, the impulse is scaled down until it
/// takes energy out of the motion and the spring together.
void WorldStepper::Parts::limit(Site& s, double h) const noexcept {
  const Vector2& c = s.w.tn;
  const double pn = h * s.f;
  const Vector2 pt = h * s.friction;
  const double vn = s.vn0 + 0.5 * h * s.bn;
  // Work of the impulse on the motion: −p_n v_n − p_t·v_t, and ½ pᵀ W p.
  const double linear = -pn * vn - pt.dot(s.vt0 + 0.5 * h * s.bt);
  const double square = 0.5 * (s.w.nn * pn * pn - 2 * pn * c.dot(pt) + s.w.t11 * pt[0] * pt[0] +
                               2 * s.w.t12 * pt[0] * pt[1] + s.w.t22 * pt[1] * pt[1]);
  const double spring = s.press.stored(s.pressed.x) - s.press.stored(s.x);
  if (linear + square + spring <= 0 || square <= 0) return;
  const double best = std::clamp(-linear / (2 * square), 0.0, 1.0);
  const double inside = linear * linear - 4 * square * spring;
  double share = best;
  if (inside > 0) share = std::clamp((-linear + std::sqrt(inside)) / (2 * square), 0.0, 1.0);
  s.f *= share;
  s.friction *= share;
}

/// `solve` for a pendulum that touches one plane with its tip.
void WorldStepper::Parts::solve_flat(Island& island, double h, bool conserve) noexcept {
  PendulumMover& arm = pendulums[at(island.movers.front())];
  Site& s = sites[at(island.sites.front())];
  const PairSites& pair = pairs[at(s.pair)];
  arm.prepare(h);
  const PendulumMover::Flat flat = arm.flat(pair.frame.n, pair.along);
  const double wn = flat.n.dot(flat.in), wt = flat.t.dot(flat.it), c = flat.t.dot(flat.in);
  s.vn0 = -flat.n.dot(arm.rate_start());
  const double vt0 = flat.t.dot(arm.rate_start());
  const double bn = (-flat.n.dot(arm.rate) - s.vn0) / h, bt = (flat.t.dot(arm.rate) - vt0) / h;
  double guess = s.friction_last.dot(pair.along_basis), f_guess = s.f_last;
  bool slides = s.answer.slides;
  double grip = s.answer.grip;
  s.flagged = false;
  s.vt0 = vt0 * pair.along_basis;
  constexpr int passes = 6;
  for (int pass = 0; pass < passes; ++pass) {
    const double follow = slides ? (f_guess > 0 ? guess / f_guess : 0) : c * grip / wt;
    double w = wn - c * follow, b = bn + c * (guess - follow * f_guess);
    if (w < 0.05 * wn) {
      w = wn;
      b = bn + c * guess;
      s.flagged = true;
    }
    s.pressed = conserve && s.impact ? press_conserving(s.press, s.x, s.vn0, h, b, w, s.k_top)
                                     : press_midpoint(s.press, s.x, s.vn0, h, b, w);
    const double f = s.pressed.force;
    const SlipProblem problem{s.vt0, (bt + f * c) * pair.along_basis, wt, h, f};
    s.answer = s.gonthier != nullptr ? s.gonthier->solve(problem) : s.slip->solve(problem);
    const double found = s.answer.force.dot(pair.along_basis);
    const double off = std::abs(found - guess - follow * (f - f_guess));
    guess = found;
    f_guess = f;
    slides = s.answer.slides;
    grip = s.answer.grip;
    if (off <= 0.002 * (std::abs(guess) + 0.02 * f)) break;
    if (pass + 1 == passes) s.flagged = true;
  }
  s.f = f_guess;
  s.friction = guess * pair.along_basis;
  s.bn = bn;
  if (s.flagged) {
    const Vector2& d = pair.along_basis;
    s.bt = bt * d;
    s.w.nn = wn;
    s.w.tn = c * d;
    s.w.t11 = wt * d[0] * d[0];
    s.w.t12 = wt * d[0] * d[1];
    s.w.t22 = wt * d[1] * d[1];
    limit(s, h);
    guess = s.friction.dot(d);
  }
  arm.rate += (h * s.f) * flat.in - (h * guess) * flat.it;
  s.vn1 = -flat.n.dot(arm.rate);
  s.vt1 = flat.t.dot(arm.rate) * pair.along_basis;
  arm.finish(h);
  if (conserve && s.impact) {
    const double off = (s.pressed.x - s.x) - 0.5 * h * (s.vn0 + s.vn1);
    arm.shift((-off / wn) * flat.in);
  }
}

template <class M>
void WorldStepper::Parts::solve(Island& island, double h, bool conserve) noexcept {
  if constexpr (std::is_same_v<M, PendulumMover>) {
    if (island.sites.size() == 1 && pairs[at(island.pairs.front())].flat) {
      solve_flat(island, h, conserve);
      return;
    }
  }
  for (const int m : island.movers) movers<M>()[at(m)].prepare(h);
  aim<M>(island, h);
  int active = 0;
  Site* only = nullptr;
  for (const int s : island.sites) {
    if (!sites[at(s)].active) continue;
    only = &sites[at(s)];
    ++active;
  }
  if (active == 1) {
    contact<M>(*only, h, conserve, 6);
    if (only->flagged) {
      const double f = only->f;
      const Vector2 friction = only->friction;
      limit(*only, h);
      const double df = only->f - f;
      const Vector2 dF = only->friction - friction;
      const Vector3 impulse =
          h * (df * only->frame.n - dF[0] * only->frame.e1 - dF[1] * only->frame.e2);
      const PairSites& pair = pairs[at(only->pair)];
      if (pair.ma >= 0) movers<M>()[at(pair.ma)].push(only->p, impulse);
      if (pair.mb >= 0) movers<M>()[at(pair.mb)].push(only->p, -impulse);
    }
  } else {
    // Start from the forces of the sub-step before.
    for (const int s : island.sites) {
      Site& site = sites[at(s)];
      if (!site.active) continue;
      const PairSites& pair = pairs[at(site.pair)];
      site.f = site.f_last;
      site.friction = site.friction_last;
      const Vector3 impulse = h * (site.f * site.frame.n - site.friction[0] * site.frame.e1 -
                                   site.friction[1] * site.frame.e2);
      if (pair.ma >= 0) movers<M>()[at(pair.ma)].push(site.p, impulse);
      if (pair.mb >= 0) movers<M>()[at(pair.mb)].push(site.p, -impulse);
    }
    for (int sweep = 0; sweep < budget.sweeps; ++sweep) {
      double change = 0, size = 0;
      for (const int s : island.sites) {
        Site& site = sites[at(s)];
        if (!site.active) continue;
        change = std::max(change, contact<M>(site, h, conserve, 2));
        size = std::max(size, site.f);
        site.f_last = site.f;
        site.friction_last = site.friction;
      }
      if (change <= 1e-10 * size) break;
    }
  }
  for (const int s : island.sites) {
    Site& site = sites[at(s)];
    if (!site.active) continue;
    const Vector3 v = relative<M>(pairs[at(site.pair)], site);
    site.vn1 = -site.frame.n.dot(v);
    site.vt1 = Vector2(site.frame.e1.dot(v), site.frame.e2.dot(v));
  }
  for (const int m : island.movers) movers<M>()[at(m)].finish(h);
  for (const int s : island.sites) {
    Site& site = sites[at(s)];
    if (!site.active || !(conserve && site.impact)) continue;
    // The depth moves as the normal law has it, not by the mean of both speeds.
    const double off = (site.pressed.x - site.x) - 0.5 * h * (site.vn0 + site.vn1);
    const PairSites& pair = pairs[at(site.pair)];
    const Vector3 along = (-off / site.w.nn) * site.frame.n;
    if (pair.ma >= 0) movers<M>()[at(pair.ma)].nudge(site.p, along);
    if (pair.mb >= 0) movers<M>()[at(pair.mb)].nudge(site.p, -along);
  }
}

// ---- the end of a sub-step ----------------------------------------------------------------------

void WorldStepper::Parts::book(Site& s, double h) noexcept {
  double* b = &books[5 * static_cast<std::size_t>(&s - sites.data())];
  b[0] += h * s.friction.dot(0.5 * (s.vt0 + s.vt1)) + s.rolled;
  b[1] += h * s.slip->dissipation(s.answer.slip, s.f) + s.rolled;
  b[2] += h * s.f * 0.5 * (s.vn0 + s.vn1);
  b[3] += s.pressed.lost;
  b[4] += h * s.f;
  const PairSites& pair = pairs[at(s.pair)];
  if (pair.driven) {
    const Vector3 force = s.f * s.frame.n - s.friction[0] * s.frame.e1 - s.friction[1] * s.frame.e2;
    input += h * force.dot(s.ground_velocity);
  }
}

void WorldStepper::Parts::part(Site& s, double time) noexcept {
  // Since the depth was 0 the bodies have flown for x/v.
  const double after = s.vn1 < 0 ? std::max(0.0, s.x / s.vn1) : 0;
  s.open.t_out = time - after;
  s.open.v_out = -(s.vn1 - s.bn * after);
  s.active = false;
  s.f = s.f_last = 0;
  s.friction.setZero();
  s.friction_last.setZero();
  if (pairs[at(s.pair)].reset) s.slip->clear();
  if (log.size() < log.capacity()) log.push_back(s.open);
}

template <class M>
void WorldStepper::Parts::commit(Island& island, double h, bool conserve) noexcept {
  (void)conserve;
  for (const int i : island.sites) {
    Site& s = sites[at(i)];
    if (!s.active) continue;
    const PairSites& pair = pairs[at(s.pair)];
    if (keep) book(s, h);
    s.open.impulse += h * s.f;
    s.open.lost += h * (s.f * 0.5 * (s.vn0 + s.vn1) + s.friction.dot(0.5 * (s.vt0 + s.vt1)));
    // The slip that the motion has made of it: with several contacts the two differ a little.
    const Vector2 solved = s.vt0 + (s.answer.slip - s.vt0) / s.answer.theta;
    const Vector2 slip = island.sites.size() > 1
                             ? Vector2(s.answer.slip + s.answer.theta * (s.vt1 - solved))
                             : s.answer.slip;
    if (s.gonthier != nullptr) {
      s.gonthier->advance(slip, s.f, h);
    } else {
      s.slip->advance(slip, s.f, h);
    }
    double turn = 0;
    if (pair.ma >= 0) turn += movers<M>()[at(pair.ma)].spin_start().dot(s.frame.n);
    if (pair.mb >= 0) turn += movers<M>()[at(pair.mb)].spin_start().dot(s.frame.n);
    if (pair.driven) turn += pair.fixed.spin.dot(s.frame.n);
    turn *= 0.5 * h;
    if (!pair.ball_on_plane) {
      const TangentBasis end = tangent_basis(s.touch.normal, s.touch.reference);
      turn -= std::atan2(end.e1.dot(s.frame.n.cross(s.e1)), end.e1.dot(s.e1));
      s.e1 = end.e1;
    }
    if (turn != 0) s.slip->turn(turn);
    s.f_last = s.f;
    s.friction_last = s.friction;
    s.age += h;
    s.x = -s.touch.gap;
    if (s.impact && s.age >= impact_lasts * s.duration * (1 - 1e-12)) s.impact = false;
    if (s.x <= 0 && s.vn1 < 0) part(s, t_sub + h);
  }
}

template <class M>
void WorldStepper::Parts::touch_down(Site& s, double time, double depth) noexcept {
  PairSites& pair = pairs[at(s.pair)];
  const TangentBasis basis = tangent_basis(s.touch.normal, s.touch.reference);
  s.frame = {s.touch.normal, basis.e1, basis.e2};
  s.e1 = basis.e1;
  s.p = s.touch.point;
  if (pair.driven) {
    const Vector3 v = pair.fixed.velocity_at(time, s.p);
    s.ground_velocity = pair.mb < 0 ? v : Vector3(-v);
  }
  Compliance w;
  for (const int m : {pair.ma, pair.mb}) {
    if (m < 0) continue;
    movers<M>()[at(m)].prepare(0);
    w += movers<M>()[at(m)].respond(s.p, s.frame);
  }
  const Vector3 v = relative<M>(pair, s);
  s.active = s.impact = true;
  s.v_i = std::max(0.0, -s.frame.n.dot(v));
  s.press = pair.normal.latch(s.v_i);
  const double speed = std::max(s.v_i, v_least), p = s.press.p;
  const double deepest = std::pow(0.5 * (p + 1) * speed * speed / (s.press.k * w.nn), 1 / (p + 1));
  s.duration = pair.duration_of * deepest / speed;
  s.k_top = s.press.stiffness(deepest);
  s.age = 0;
  s.x = depth;
  s.f = s.f_last = 0;
  s.friction.setZero();
  s.friction_last.setZero();
  s.answer = {Vector2::Zero(), Vector2::Zero(), 0, true, 0.5};
  if (pair.reset) s.slip->clear();
  s.open = {.t = time,
            .t_out = std::nan(""),
            .pair = s.pair,
            .site = static_cast<int>(&s - sites.data()),
            .v_in = s.v_i,
            .slip_in = Vector2(s.frame.e1.dot(v), s.frame.e2.dot(v)).norm()};
}

// ---- the outer step -----------------------------------------------------------------------------

/// When the first of the sites whose gap has closed at the end of the flight touched. The island is
/// left there.
template <class M>
double WorldStepper::Parts::touch_time(Island& island, double rest) noexcept {
  double hi = rest, lo = 0;
  const auto lowest = [&] {
    double gap = infinity;
    for (const int s : island.sites) {
      if (!sites[at(s)].active) gap = std::min(gap, sites[at(s)].touch.gap);
    }
    return gap;
  };
  double at_hi = lowest();
  put_back<M>(island);
  look<M>(island, t_sub);
  double at_lo = lowest();
  if (at_lo <= 0) return 0;
  double time = rest * at_lo / (at_lo - at_hi);
  int side = 0;
  for (int i = 0; i < 40; ++i) {
    put_back<M>(island);
    for (const int m : island.movers) movers<M>()[at(m)].fly(time);
    look<M>(island, t_sub + time);
    const double gap = lowest();
    if (std::abs(gap) <= 1e-15 || hi - lo <= 1e-15 * rest) break;
    // Illinois: a secant that halves the end that stays.
    if (gap > 0) {
      lo = time;
      at_lo = gap;
      if (side == 1) at_hi *= 0.5;
      side = 1;
    } else {
      hi = time;
      at_hi = gap;
      if (side == -1) at_lo *= 0.5;
      side = -1;
    }
    const double next = lo + (hi - lo) * at_lo / (at_lo - at_hi);
    if (!(next > lo && next < hi)) break;
    time = next;
  }
  return time;
}

/// Free flight; true if a touch-down ended it.
template <class M>
bool WorldStepper::Parts::fly(Island& island, double& rest, int& touched) noexcept {
  if (!island.sites.empty()) store<M>(island);
  for (const int m : island.movers) movers<M>()[at(m)].fly(rest);
  if (island.sites.empty()) return false;
  look<M>(island, t_sub + rest);
  bool closed = false;
  for (const int s : island.sites) closed |= sites[at(s)].touch.gap < 0;
  if (!closed) return false;
  const double time = touch_time<M>(island, rest);
  t_sub += time;
  rest -= time;
  ++touched;
  for (const int s : island.sites) {
    Site& site = sites[at(s)];
    if (!site.active && site.touch.gap <= 1e-14)
      touch_down<M>(site, t_sub, std::max(0.0, -site.touch.gap));
  }
  return true;
}

template <class M>
void WorldStepper::Parts::outer(Island& island, double h) noexcept {
  double rest = h;
  t_sub = t;
  int touched = 0, subs = 0;
  const int most_touches = budget.touches + static_cast<int>(island.sites.size()) - 1;
  const bool several = island.sites.size() > 1;
  while (rest > 1e-15 * h) {
    bool any = false, impact = false;
    double sub = rest;
    for (const int i : island.sites) {
      Site& s = sites[at(i)];
      if (!s.active) continue;
      any = true;
      if (!s.impact || s.duration <= 0) continue;
      const double window = std::min(rest, impact_lasts * s.duration - s.age);
      if (!(window > 0)) {
        s.impact = false;
        continue;
      }
      impact = true;
      const double count = std::ceil(window * budget.per_impact / s.duration - 1e-9);
      sub = std::min(sub, window / std::max(1.0, count));
    }
    if (!any) {
      if (touched < most_touches) {
        if (!fly<M>(island, rest, touched)) break;
        continue;
      }
      // The budget is used up: contact in one step to the end, from where the gap is now.
      look<M>(island, t_sub);
      for (const int i : island.sites) {
        Site& s = sites[at(i)];
        touch_down<M>(s, t_sub, -s.touch.gap);
        s.impact = false;
      }
      sub = rest;
      impact = false;
    } else if (subs >= budget.substeps) {
      sub = rest;
      impact = false;
    }
    if (several) store<M>(island);
    solve<M>(island, sub, impact);
    ++subs;
    look<M>(island, t_sub + sub);
    if (several && touched < most_touches) {
      // Another site has closed on the way: once more, to where it did.
      double share = 1;
      for (const int i : island.sites) {
        const Site& s = sites[at(i)];
        if (s.active || !(s.touch.gap < 0)) continue;
        const double before = std::max(0.0, -s.x);
        share = std::min(share, before / (before - s.touch.gap));
      }
      if (share < 1) {
        ++touched;
        sub = std::max(share * sub, 1e-3 * sub);
        put_back<M>(island);
        solve<M>(island, sub, impact);
        ++subs;
        look<M>(island, t_sub + sub);
      }
    }
    commit<M>(island, sub, impact);
    t_sub += sub;
    rest -= sub;
    if (!several) continue;
    for (const int i : island.sites) {
      Site& s = sites[at(i)];
      if (s.active) continue;
      s.x = -s.touch.gap;
      if (s.touch.gap <= 0) touch_down<M>(s, t_sub, -s.touch.gap);
    }
  }
  most = std::max(most, subs);
  total += subs;
}

// ---- WorldStepper -------------------------------------------------------------------------------

WorldStepper::WorldStepper(const World& world, const StepBudget& budget)
    : parts_(std::make_unique<Parts>(world, budget)) {}
WorldStepper::WorldStepper(const WorldStepper& other)
    : parts_(std::make_unique<Parts>(*other.parts_)) {}
WorldStepper::WorldStepper(WorldStepper&&) noexcept = default;
WorldStepper::~WorldStepper() = default;

void WorldStepper::step(double h) noexcept {
  for (Island& island : parts_->islands) {
    if (island.pendulum) {
      parts_->outer<PendulumMover>(island, h);
    } else if (island.ball < 0 || !parts_->roll(parts_->balls[at(island.ball)], h)) {
      parts_->outer<BodyMover>(island, h);
    }
  }
  parts_->t += h;
}
double WorldStepper::time() const noexcept { return parts_->t; }

Pose WorldStepper::pose(int body) const noexcept {
  const int m = parts_->body_mover[at(body)];
  return m >= 0 ? parts_->bodies[at(m)].pose() : parts_->world.bodies[at(body)].pose_at(parts_->t);
}
Vector3 WorldStepper::velocity(int body) const noexcept {
  const int m = parts_->body_mover[at(body)];
  return m >= 0 ? parts_->bodies[at(m)].v : parts_->world.bodies[at(body)].velocity;
}
Vector3 WorldStepper::spin(int body) const noexcept {
  const int m = parts_->body_mover[at(body)];
  return m >= 0 ? parts_->bodies[at(m)].w : parts_->world.bodies[at(body)].spin;
}
Eigen::Vector2d WorldStepper::angles(int pendulum) const noexcept {
  const PendulumMover& p = parts_->pendulums[at(pendulum)];
  return p.pendulum().shown(p.theta);
}
Eigen::Vector2d WorldStepper::rates(int pendulum) const noexcept {
  const PendulumMover& p = parts_->pendulums[at(pendulum)];
  return p.pendulum().shown(p.rate);
}

int WorldStepper::sites() const noexcept { return static_cast<int>(parts_->sites.size()); }
WorldStepper::Reading WorldStepper::read(int site) const noexcept {
  const Site& s = parts_->sites[at(site)];
  return {s.active, -s.touch.gap, s.f_last,
          Vector3(s.friction_last[0] * s.frame.e1 + s.friction_last[1] * s.frame.e2), s.vt1.norm()};
}
double WorldStepper::kinetic() const noexcept {
  double sum = 0;
  for (const BodyMover& m : parts_->bodies) sum += m.kinetic();
  for (const PendulumMover& m : parts_->pendulums) sum += m.kinetic();
  return sum;
}
double WorldStepper::potential() const noexcept {
  double sum = 0;
  for (const BodyMover& m : parts_->bodies) sum += m.potential();
  for (const PendulumMover& m : parts_->pendulums) sum += m.potential();
  return sum;
}
double WorldStepper::springs() const noexcept {
  double sum = 0;
  for (const Site& s : parts_->sites) sum += s.active ? s.press.stored(s.x) : 0;
  return sum;
}
int WorldStepper::most_substeps() const noexcept { return parts_->most; }
long WorldStepper::substeps() const noexcept { return parts_->total; }

namespace {
constexpr int site_numbers = 39;

void save_site(const Site& s, double* n) noexcept {
  const std::array<double, site_numbers> all{s.active ? 1.0 : 0.0,
                                             s.impact ? 1.0 : 0.0,
                                             s.press.k,
                                             s.press.p,
                                             s.press.a,
                                             s.press.b,
                                             s.x,
                                             s.v_i,
                                             s.duration,
                                             s.age,
                                             s.k_top,
                                             s.f_last,
                                             s.friction_last[0],
                                             s.friction_last[1],
                                             s.answer.slides ? 1.0 : 0.0,
                                             s.answer.grip,
                                             s.e1[0],
                                             s.e1[1],
                                             s.e1[2],
                                             s.open.t,
                                             s.open.t_out,
                                             s.open.v_in,
                                             s.open.slip_in,
                                             s.open.impulse,
                                             s.open.lost,
                                             s.touch.gap,
                                             s.vn1,
                                             s.bn,
                                             s.vt1[0],
                                             s.vt1[1],
                                             s.frame.n[0],
                                             s.frame.n[1],
                                             s.frame.n[2],
                                             s.frame.e1[0],
                                             s.frame.e1[1],
                                             s.frame.e1[2],
                                             s.frame.e2[0],
                                             s.frame.e2[1],
                                             s.frame.e2[2]};
  std::copy(all.begin(), all.end(), n);
}
void restore_site(Site& s, const double* n) noexcept {
  s.active = n[0] != 0;
  s.impact = n[1] != 0;
  s.press = {n[2], n[3], n[4], n[5]};
  s.x = n[6];
  s.v_i = n[7];
  s.duration = n[8];
  s.age = n[9];
  s.k_top = n[10];
  s.f_last = n[11];
  s.friction_last = Vector2(n[12], n[13]);
  s.answer.slides = n[14] != 0;
  s.answer.grip = n[15];
  s.e1 = Vector3(n[16], n[17], n[18]);
  s.open.t = n[19];
  s.open.t_out = n[20];
  s.open.v_in = n[21];
  s.open.slip_in = n[22];
  s.open.impulse = n[23];
  s.open.lost = n[24];
  s.touch.gap = n[25];
  s.vn1 = n[26];
  s.bn = n[27];
  s.vt1 = Vector2(n[28], n[29]);
  s.frame = {Vector3(n[30], n[31], n[32]), Vector3(n[33], n[34], n[35]),
             Vector3(n[36], n[37], n[38])};
}
}  // namespace

int WorldStepper::state_size() const noexcept {
  int size = 1 + BodyMover::numbers * static_cast<int>(parts_->bodies.size()) +
             PendulumMover::numbers * static_cast<int>(parts_->pendulums.size());
  for (const Site& s : parts_->sites) size += site_numbers + s.slip->size();
  return size;
}
void WorldStepper::save(std::span<double> numbers) const noexcept {
  double* n = numbers.data();
  *n++ = parts_->t;
  for (const BodyMover& m : parts_->bodies) {
    m.save(n);
    n += BodyMover::numbers;
  }
  for (const PendulumMover& m : parts_->pendulums) {
    m.save(n);
    n += PendulumMover::numbers;
  }
  for (const Site& s : parts_->sites) {
    save_site(s, n);
    n += site_numbers;
    s.slip->save({n, at(s.slip->size())});
    n += s.slip->size();
  }
}
void WorldStepper::restore(std::span<const double> numbers) noexcept {
  const double* n = numbers.data();
  parts_->t = *n++;
  for (BodyMover& m : parts_->bodies) {
    m.restore(n);
    n += BodyMover::numbers;
  }
  for (PendulumMover& m : parts_->pendulums) {
    m.restore(n);
    n += PendulumMover::numbers;
  }
  for (Site& s : parts_->sites) {
    restore_site(s, n);
    s.open.pair = s.pair;
    s.open.site = static_cast<int>(&s - parts_->sites.data());
    n += site_numbers;
    s.slip->restore({n, at(s.slip->size())});
    n += s.slip->size();
  }
}

std::span<const Impact> WorldStepper::impacts() const noexcept { return parts_->log; }
void WorldStepper::clear_impacts() noexcept { parts_->log.clear(); }
void WorldStepper::keep_books(bool keep) noexcept { parts_->keep = keep; }
std::span<const double> WorldStepper::books() const noexcept { return parts_->books; }
double WorldStepper::input() const noexcept { return parts_->input; }

void WorldStepper::write(WorldDynamics& dynamics, std::span<double> y) const noexcept {
  for (const WorldDynamics::Mover& m : dynamics.movers()) {
    if (m.side.pendulum) {
      const PendulumMover& p = parts_->pendulums[at(m.side.index)];
      for (int k = 0; k < 2; ++k) {
        y[at(m.q + k)] = p.theta[k];
        y[at(m.u + k)] = p.rate[k];
      }
      continue;
    }
    const BodyMover& b = parts_->bodies[at(parts_->body_mover[at(m.side.index)])];
    std::array<double, BodyMover::numbers> n;
    b.save(n.data());
    for (int k = 0; k < 7; ++k) y[at(m.q + k)] = n[at(k)];
    for (int k = 0; k < 6; ++k) y[at(m.u + k)] = n[at(7 + k)];
  }
  std::array<double, 512> numbers;
  for (int i = 0; i < dynamics.sites(); ++i) {
    const Site& s = parts_->sites[at(i)];
    WorldDynamics::Site& shown = dynamics.site(i);
    shown.touching = s.active;
    shown.press = s.press;
    shown.v_i = s.v_i;
    if (at(s.slip->size()) > numbers.size()) continue;
    s.slip->save(numbers);
    shown.friction->restore(std::span<const double>(numbers).first(at(s.slip->law_size())));
    shown.friction->get(y.subspan(at(shown.z), shown.dz.size()));
  }
}

// ---- in a run -----------------------------------------------------------------------------------

namespace {

class WorldStep final : public detail::FixedStep {
 public:
  WorldStep(WorldDynamics& dynamics, double step)
      : FixedStep(dynamics, step), f_(dynamics), stepper_(dynamics.world()) {
    dynamics.set_stepped();
    stepper_.keep_books(true);
  }
  void start(double t, std::span<const double> y, std::span<const double> quadratures) override {
    FixedStep::start(t, y, quadratures);
    stepper_.write(f_, state_of(y_));
  }

 private:
  void take(double h) override {
    const long before = stepper_.substeps();
    stepper_.step(h);
    f_.count_evaluations(stepper_.substeps() - before);
    stepper_.write(f_, state_of(y_));
    const auto work = quadratures_of(y_);
    const auto books = stepper_.books();
    work[0] = stepper_.input();
    std::copy(books.begin(), books.end(), work.begin() + 1);
    finished_.insert(finished_.end(), stepper_.impacts().begin(), stepper_.impacts().end());
    stepper_.clear_impacts();
    f_.impacts = finished_;
    stepper_.open_impacts(f_.impacts);
  }

  WorldDynamics& f_;
  WorldStepper stepper_;
  std::vector<Impact> finished_;
};

}  // namespace

void WorldStepper::open_impacts(std::vector<Impact>& list) const {
  for (const Site& s : parts_->sites) {
    if (s.active) list.push_back(s.open);
  }
}

std::unique_ptr<Integrator> make_world_step(WorldDynamics& dynamics, double step) {
  return std::make_unique<WorldStep>(dynamics, step);
}

}  // namespace bristle
