#include "bristle/area/pushing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace bristle {
namespace {

Point2 left_of(const Point2& n) noexcept { return {-n.y(), n.x()}; }
double cross(const Point2& a, const Point2& b) noexcept { return a.x() * b.y() - a.y() * b.x(); }

/// The answer of the support to a force at the angle α from the normal.
struct Answer {
  Planar motion = Planar::Zero();  ///< the contact point moves with 1 m/s
  Point2 force = Point2::Zero();   ///< on the limit curve
  double theta = 0;                ///< angle of the contact's velocity from the normal
  bool found = false;
};

/// The contact's own limit curve.
class Contact {
 public:
  Contact(const AreaLaw& law, const PushContact& contact) noexcept
      : law_(law), contact_(contact), n_(contact.normal.normalized()), t_(left_of(n_)) {}

  const Point2& normal() const noexcept { return n_; }
  const Point2& left() const noexcept { return t_; }

  Answer at(double alpha) const noexcept {
    Answer a;
    a.force = std::cos(alpha) * n_ + std::sin(alpha) * t_;
    const Hold hold = law_.hold(contact_.wrench(a.force));
    a.motion = {hold.direction.x(), hold.direction.y(), hold.direction.z() / law_.length()};
    const Point2 v = contact_.velocity(a.motion);
    const double speed = v.norm();
    a.found = hold.found && hold.xi > 0 && speed > 0 && std::isfinite(speed);
    if (!a.found) return a;
    a.theta = alpha + std::atan2(cross(a.force, v), a.force.dot(v));
    a.motion /= speed;
    a.force /= hold.xi;
    return a;
  }

 private:
  const AreaLaw& law_;
  PushContact contact_;
  Point2 n_, t_;
};

/// A force and what it does.
struct Bracket {
  double alpha;
  Answer answer;
};

/// The answer whose contact velocity points along θ: regula falsi (Illinois), then the mean of both
/// ends that has it. At an edge of the limit surface the ends keep different motions, all between
/// which go with the same force.
Answer answer_along(const Contact& contact, Bracket low, Bracket high, double theta) noexcept {
  double below = low.answer.theta - theta, above = high.answer.theta - theta;
  for (int i = 0, side = 0; i < 100 && high.alpha - low.alpha > 1e-15; ++i) {
    if (below >= 0) return low.answer;
    if (above <= 0) return high.answer;
    double share = below / (below - above);
    if (i % 4 == 3) share = 0.5;
    const double alpha = low.alpha + share * (high.alpha - low.alpha);
    const Bracket mid{alpha, contact.at(alpha)};
    if (!mid.answer.found) return mid.answer;
    const double off = mid.answer.theta - theta;
    if (std::abs(off) < 1e-14) return mid.answer;
    if (off < 0) {
      low = mid;
      below = off;
      if (side == -1) above /= 2;
      side = -1;
    } else {
      high = mid;
      above = off;
      if (side == 1) below /= 2;
      side = 1;
    }
  }
  const double from = std::sin(theta - low.answer.theta), to = std::sin(high.answer.theta - theta);
  Answer mean = low.answer;
  if (from + to > 0) {
    mean.motion = (to * low.answer.motion + from * high.answer.motion) / (from + to);
    mean.force = (to * low.answer.force + from * high.answer.force) / (from + to);
  }
  return mean;
}

struct Cone {
  Bracket right, left;
  bool found() const noexcept { return right.answer.found && left.answer.found; }
};

Cone cone_of(const Contact& contact, double mu) noexcept {
  const double alpha = std::atan(mu);
  return {{-alpha, contact.at(-alpha)}, {alpha, contact.at(alpha)}};
}

Push stick(const Contact& contact, const PushContact& place, const Cone& cone, const Point2& u,
           double theta) noexcept {
  const Answer a = answer_along(contact, cone.right, cone.left, theta);
  if (!a.found) return {.found = false};
  const Point2 v = place.velocity(a.motion);
  return {PushMode::sticking, a.motion * (v.dot(u) / v.squaredNorm()), a.force, 0, true};
}

Push slide(PushMode mode, const Contact& contact, const PushContact& place, const Answer& a,
           const Point2& u) noexcept {
  const Planar motion =
      a.motion * (u.dot(contact.normal()) / place.velocity(a.motion).dot(contact.normal()));
  const double slip = (u - place.velocity(motion)).dot(contact.left());
  return {mode, motion, a.force, slip, true};
}

}  // namespace

const char* name_of(PushMode mode) noexcept {
  switch (mode) {
    case PushMode::parted:
      return "parted";
    case PushMode::sticking:
      return "sticking";
    case PushMode::sliding_left:
      return "sliding left";
    case PushMode::sliding_right:
      return "sliding right";
  }
  return "";
}

const char* name_of(PushPath::End end) noexcept {
  switch (end) {
    case PushPath::End::done:
      return "done";
    case PushPath::End::parted:
      return "parted";
    case PushPath::End::off_edge:
      return "off the edge";
    case PushPath::End::failed:
      return "failed";
  }
  return "";
}

Push push(const AreaLaw& law, const PushContact& contact, const Point2& velocity) noexcept {
  const Contact curve(law, contact);
  const double approach = velocity.dot(curve.normal());
  if (!(approach > 0)) return {.found = std::isfinite(approach)};
  const double theta = std::atan2(velocity.dot(curve.left()), approach);
  const Cone cone = cone_of(curve, contact.mu);
  if (!cone.found()) return {.found = false};
  if (theta > cone.left.answer.theta) {
    return slide(PushMode::sliding_left, curve, contact, cone.left.answer, velocity);
  }
  if (theta < cone.right.answer.theta) {
    return slide(PushMode::sliding_right, curve, contact, cone.right.answer, velocity);
  }
  return stick(curve, contact, cone, velocity, theta);
}

MotionCone motion_cone(const AreaLaw& law, const PushContact& contact) noexcept {
  const Cone cone = cone_of(Contact(law, contact), contact.mu);
  return {cone.left.answer.motion, cone.right.answer.motion, cone.found()};
}

PushContact PushEdge::contact(double s, double mu) const noexcept {
  const Point2 n = normal.normalized(), t = left_of(n);
  if (curvature == 0) return {at + s * t, n, mu};
  const double angle = curvature * s, half = std::sin(angle / 2);
  return {at + (2 * half * half * n + std::sin(angle) * t) / curvature,
          std::cos(angle) * n - std::sin(angle) * t, mu};
}

// ---- The path ----------------------------------------------------------------------------------

namespace {

using State = Eigen::Vector4d;  // x, y, angle, s

/// The right-hand side.
class Course {
 public:
  Course(const AreaLaw& law, const PushEdge& edge, double mu, Point2 velocity) noexcept
      : law_(law), edge_(edge), mu_(mu), velocity_(std::move(velocity)) {}

  bool on_edge(double s) const noexcept { return s <= edge_.left && -s <= edge_.right; }
  Push push_at(const State& y) const noexcept {
    return push(law_, edge_.contact(y[3], mu_), turn(y[2]).transpose() * velocity_);
  }
  State rate(const State& y, const Push& p) const noexcept {
    State d;
    d.head<2>() = turn(y[2]) * p.motion.head<2>();
    d[2] = p.motion.z();
    d[3] = p.slip;
    return d;
  }
  double length() const noexcept { return law_.length(); }

 private:
  static Eigen::Matrix2d turn(double angle) noexcept {
    const double c = std::cos(angle), s = std::sin(angle);
    return (Eigen::Matrix2d() << c, -s, s, c).finished();
  }
  const AreaLaw& law_;
  const PushEdge& edge_;
  double mu_;
  Point2 velocity_;
};

using End = PushPath::End;

/// A trial step and why it would not do (done: it does).
struct Trial {
  State y = State::Zero();
  Push push{};
  double error = 0;
  End end = End::done;
};

End fault_of(const Push& p) noexcept {
  return !p.found ? End::failed : p.mode == PushMode::parted ? End::parted : End::done;
}

/// Dormand and Prince 1980, 5(4).
constexpr double stages[6][6] = {
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
constexpr double differences[7] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                   -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

Trial try_step(const Course& course, const PushState& from, double h) noexcept {
  State y0;
  y0 << from.pose, from.s;
  std::array<State, 7> k;
  k[0] = course.rate(y0, from.push);
  Trial trial;
  for (std::size_t i = 1; i < 7; ++i) {
    trial.y = y0;
    for (std::size_t j = 0; j < i; ++j) trial.y += h * stages[i - 1][j] * k[j];
    trial.push = course.push_at(trial.y);
    trial.end = fault_of(trial.push);
    if (trial.end != End::done) return trial;
    k[i] = course.rate(trial.y, trial.push);
  }
  State error = State::Zero();
  for (std::size_t i = 0; i < 7; ++i) error += h * differences[i] * k[i];
  const double l = course.length();
  trial.error = (error.array() / Eigen::Array4d(l, l, 1, l)).matrix().norm();
  if (!course.on_edge(trial.y[3])) trial.end = End::off_edge;
  return trial;
}

}  // namespace

PushPath integrate_push(const AreaLaw& law, const PushEdge& edge, double mu, const Planar& start,
                        const Point2& velocity, double duration, const PushPathOptions& options) {
  const Course course(law, edge, mu, velocity);
  PushPath path;
  PushState now{0, start, 0, {}};
  now.push = course.push_at({start.x(), start.y(), start.z(), 0});
  path.states.push_back(now);
  path.end = fault_of(now.push);
  double h = duration / 50;
  for (int i = 0; i < options.most_steps && path.end == End::done; ++i) {
    if (!(now.time < duration)) return path;
    const bool last = now.time + h >= duration;
    const Trial trial = try_step(course, now, last ? duration - now.time : h);
    if (trial.end != End::done || !(trial.error <= options.tolerance)) {
      if (h < 1e-12 * duration) path.end = trial.end == End::done ? End::failed : trial.end;
      h = trial.end != End::done
              ? h / 2
              : h * std::fmax(0.2, 0.9 * std::pow(options.tolerance / trial.error, 0.2));
      continue;
    }
    now = {last ? duration : now.time + h, trial.y.head<3>(), trial.y[3], trial.push};
    path.states.push_back(now);
    const double grow = 0.9 * std::pow(options.tolerance / std::fmax(trial.error, 1e-300), 0.2);
    h = std::min(h * std::clamp(grow, 0.5, 4.0), duration / 20);
  }
  if (path.end == End::done && now.time < duration) path.end = End::failed;
  return path;
}

}  // namespace bristle
