#include "bristle/solve/world_dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <Eigen/LU>
#include <fmt/format.h>

#include "bristle/core/index.hpp"
#include "world_state.hpp"

namespace bristle {

using detail::at;
using detail::body_places, detail::body_speeds, detail::joint_places;
using detail::couple;
using detail::put;
using detail::triple;
using detail::turned;

namespace {

template <class T>
std::span<T> places_of(const WorldDynamics::Mover& m, std::span<T> y) noexcept {
  return y.subspan(at(m.q), at(m.places));
}
template <class T>
std::span<T> speeds_of(const WorldDynamics::Mover& m, std::span<T> y) noexcept {
  return y.subspan(at(m.u), at(m.speeds));
}
Eigen::Map<const Eigen::VectorXd> vector_of(const WorldDynamics::Mover& m,
                                            std::span<const double> y) noexcept {
  return {y.data() + m.u, m.speeds};
}

}  // namespace

WorldDynamics::WorldDynamics(World world) : world_(std::move(world)), patches_({}, 0) {
  world_.check();
  for (std::size_t b = 0; b < world_.bodies.size(); ++b) {
    const RigidBody& body = world_.bodies[b];
    body_mover_.push_back(body.fixed ? -1 : static_cast<int>(movers_.size()));
    inverse_inertia_.push_back(body.fixed ? Matrix3::Zero() : Matrix3(body.mass.inertia.inverse()));
    driven_ |= body.is_driven();
    if (!body.fixed) movers_.push_back(mover_of({.index = static_cast<int>(b)}));
  }
  for (std::size_t p = 0; p < world_.pendulums.size(); ++p) {
    movers_.push_back(mover_of({Side::Kind::pendulum, static_cast<int>(p)}));
  }
  first_mechanism_ = static_cast<int>(movers_.size());
  for (std::size_t m = 0; m < world_.mechanisms.size(); ++m) {
    movers_.push_back(mover_of({Side::Kind::mechanism, static_cast<int>(m)}));
  }
  for (Mover& m : movers_) {
    m.q = places_;
    places_ += m.places;
  }
  size_ = places_;
  for (Mover& m : movers_) {
    m.u = size_;
    size_ += m.speeds;
  }
  for (std::size_t p = 0; p < world_.pairs.size(); ++p) {
    const int count = world_.sites(world_.pairs[p]);
    shapes_.push_back({world_.shape(world_.pairs[p].a), world_.shape(world_.pairs[p].b)});
    for (int k = 0; k < count; ++k) {
      Site site;
      site.pair = static_cast<int>(p);
      site.touch = k;
      site.z = size_;
      site.friction = FrictionState::make(world_.pairs[p].friction, 2);
      site.dz.resize(at(site.friction->size()));
      const std::vector<StateColumn> columns = site.friction->columns();
      for (std::size_t i = 0; i + 1 < columns.size(); ++i) {
        if (columns[i].name.ends_with("_x")) site.vectors.push_back(static_cast<int>(i));
      }
      size_ += site.friction->size();
      sites_.push_back(std::move(site));
    }
  }
  patches_ = PatchContacts(world_, size_);
  size_ += patches_.states();
}

WorldDynamics::Mover WorldDynamics::mover_of(Side side) const {
  Mover m;
  m.side = side;
  m.places = side.is_body() ? body_places : joint_places;
  m.speeds = side.is_body() ? body_speeds : joint_places;
  if (side.is_link()) {
    m.mechanism = world_.mechanisms[at(side.index)]->clone();
    m.places = m.mechanism->places();
    m.speeds = m.mechanism->speeds();
    m.load.setZero(m.speeds);
  }
  return m;
}
void WorldDynamics::Mover::look(std::span<const double> y) const noexcept {
  mechanism->look(t, places_of(*this, y), speeds_of(*this, y));
}
void WorldDynamics::Mover::clear() noexcept {
  force.setZero();
  torque.setZero();
  joint.setZero();
  load.setZero();
}

std::vector<double> WorldDynamics::initial() {
  std::vector<double> y(at(size_));
  for (const Mover& m : movers_) {
    if (m.mechanism) {
      m.mechanism->initial(places_of(m, std::span<double>(y)), speeds_of(m, std::span<double>(y)));
      continue;
    }
    if (m.side.is_pendulum()) {
      const DoublePendulum& p = world_.pendulums[at(m.side.index)];
      put(y, m.q, p.absolute({p.phi1, p.phi2}));
      put(y, m.u, p.absolute({p.rate1, p.rate2}));
      continue;
    }
    const RigidBody& body = world_.bodies[at(m.side.index)];
    const Eigen::Quaterniond q = body.pose.rotation.normalized();
    put(y, m.q, body.pose.position);
    put(y, m.q + 3, Eigen::Vector4d(q.w(), q.x(), q.y(), q.z()));
    put(y, m.u, body.velocity);
    put(y, m.u + 3, body.spin);
  }
  return y;
}

/// Absolute tolerances: places to a micrometre of the relative tolerance, bristles finer.
std::vector<double> WorldDynamics::scales() const {
  std::vector<double> scale(at(size_), 1e-3);
  for (const Site& site : sites_) {
    for (int k = 0; k < site.friction->size(); ++k) scale[at(site.z + k)] = 1e-4;
  }
  for (int k = size_ - patches_.states(); k < size_; ++k) scale[at(k)] = 1e-4;
  return scale;
}

int WorldDynamics::pair_of(int contact) const noexcept {
  return contact < sites() ? site(contact).pair : patches_.pair(contact - sites()).index;
}
bool WorldDynamics::touches(int contact) const noexcept {
  return contact < sites() ? site(contact).touching : patches_.pair(contact - sites()).active > 0;
}

int WorldDynamics::mover(Side side) const noexcept {
  if (side.is_body()) return body_mover_[at(side.index)];
  if (side.is_link()) return first_mechanism_ + side.index;
  return first_mechanism_ - static_cast<int>(world_.pendulums.size()) + side.index;
}
double WorldDynamics::seen(double t) const noexcept {
  return t < horizon_ ? t : std::nextafter(horizon_, 0.0);
}

Pose WorldDynamics::pose(Side side, double t, std::span<const double> y) const noexcept {
  const int m = mover(side);
  if (m < 0) return world_.bodies[at(side.index)].pose_at(seen(t));
  if (side.is_link()) {
    const Mover& mv = movers_[at(m)];
    mv.mechanism->place(places_of(mv, y));
    return mv.mechanism->pose(side.link);
  }
  const int q = movers_[at(m)].q;
  if (side.is_pendulum()) {
    return {world_.pendulums[at(side.index)].tip(couple(y, q)), Eigen::Quaterniond::Identity()};
  }
  return {triple(y, q), turned(y, q + 3)};
}
Vector3 WorldDynamics::velocity(Side side, double t, const Vector3& point,
                                std::span<const double> y) const noexcept {
  const int m = mover(side);
  if (m < 0) return world_.bodies[at(side.index)].velocity_at(seen(t), point);
  const Mover& mv = movers_[at(m)];
  if (side.is_link()) {
    const Mechanism& arm = *mv.mechanism;
    const auto u = vector_of(mv, y);
    return arm.linear(side.link) * u +
           (arm.angular(side.link) * u).cross(point - arm.pose(side.link).position);
  }
  if (side.is_pendulum()) {
    const DoublePendulum& p = world_.pendulums[at(side.index)];
    const DoublePendulum::Trig trig(couple(y, mv.q));
    const DoublePendulum::Columns c = p.columns(trig, point - p.tip(trig));
    return c.by1 * y[at(mv.u)] + c.by2 * y[at(mv.u + 1)];
  }
  return triple(y, mv.u) + triple(y, mv.u + 3).cross(point - triple(y, mv.q));
}
Vector3 WorldDynamics::spin(Side side, double t, std::span<const double> y) const noexcept {
  const int m = mover(side);
  if (m < 0) return world_.bodies[at(side.index)].spin_at(seen(t));
  if (side.is_link()) {
    return movers_[at(m)].mechanism->angular(side.link) * vector_of(movers_[at(m)], y);
  }
  if (side.is_pendulum()) return {0, -y[at(movers_[at(m)].u + 1)], 0};
  return triple(y, movers_[at(m)].u + 3);
}
void WorldDynamics::push(Side side, const Vector3& force, const Vector3& point,
                         std::span<const double> y) noexcept {
  const int m = mover(side);
  if (m < 0) return;
  Mover& mv = movers_[at(m)];
  if (side.is_link()) {
    const Mechanism& arm = *mv.mechanism;
    const Vector3 torque = (point - arm.pose(side.link).position).cross(force);
    mv.load.noalias() += arm.linear(side.link).transpose() * force;
    mv.load.noalias() += arm.angular(side.link).transpose() * torque;
    return;
  }
  if (side.is_pendulum()) {
    const DoublePendulum& p = world_.pendulums[at(side.index)];
    const DoublePendulum::Trig trig(couple(y, mv.q));
    const DoublePendulum::Columns c = p.columns(trig, point - p.tip(trig));
    mv.joint += Eigen::Vector2d(c.by1.dot(force), c.by2.dot(force));
    return;
  }
  mv.force += force;
  mv.torque += (point - triple(y, mv.q)).cross(force);
}

void WorldDynamics::twist(Side side, const Vector3& torque) noexcept {
  const int m = mover(side);
  if (m < 0) return;
  Mover& mv = movers_[at(m)];
  mv.torque += torque;
  if (side.is_pendulum()) mv.joint[1] -= torque.y();
  if (mv.mechanism) mv.load.noalias() += mv.mechanism->angular(side.link).transpose() * torque;
}

void WorldDynamics::look_at_mechanisms(double t, std::span<const double> y) noexcept {
  for (int m = first_mechanism_; m < static_cast<int>(movers_.size()); ++m) {
    Mover& mv = movers_[at(m)];
    mv.t = seen(t);
    mv.look(y);
  }
}

void WorldDynamics::geometry(double t, std::span<const double> y) noexcept {
  look_at_mechanisms(t, y);
  std::array<Touch, max_touches> touch;
  for (std::size_t i = 0; i < sites_.size();) {
    const ContactPair& pair = world_.pairs[at(sites_[i].pair)];
    const PairShapes& shapes = shapes_[at(sites_[i].pair)];
    const int count =
        bristle::touches(shapes.a, pose(pair.a, t, y), shapes.b, pose(pair.b, t, y), touch);
    for (int k = 0; k < count; ++k, ++i) sites_[i].at = touch[at(k)];
  }
}

/// How fast the tangent basis of a site turns about its normal. The reference is fixed in B; on
/// planes and in bores it stays in the tangent plane, on other solids nearly so. Between two bodies
/// of one kind it is fixed in the world, and the basis turns as the normal passes by it.
double WorldDynamics::basis_spin(const Site& s, double t,
                                 std::span<const double> y) const noexcept {
  const ContactPair& pair = world_.pairs[at(s.pair)];
  const auto& [a, b] = shapes_[at(s.pair)];
  if (a.index() != b.index()) {
    const bool first_is_ground = std::holds_alternative<HalfSpace>(a) ||
                                 std::holds_alternative<Bore>(a) || std::holds_alternative<Wall>(a);
    return s.at.normal.dot(spin(first_is_ground ? pair.a : pair.b, t, y));
  }
  const Vector3 ca = pose(pair.a, t, y).position, cb = pose(pair.b, t, y).position;
  const Vector3 turning = (velocity(pair.a, t, ca, y) - velocity(pair.b, t, cb, y)) /
                          std::max((ca - cb).norm(), 1e-300);
  const double along = s.at.normal.dot(s.at.reference);
  return -along * turning.dot(s.basis.e2) / std::sqrt(std::max(1 - along * along, 1e-12));
}

/// A torque against the spin across the normal; its work is booked with friction.
void WorldDynamics::resist_rolling(Site& s, const RollingResistance& law, double t,
                                   std::span<const double> y) noexcept {
  const ContactPair& pair = world_.pairs[at(s.pair)];
  const double radius = std::get<Sphere>(shapes_[at(s.pair)].a).radius;
  const Vector3 turn = spin(pair.a, t, y) - spin(pair.b, t, y);
  const Vector3 across = turn - turn.dot(s.at.normal) * s.at.normal;
  const double c = rolling_coefficient(law, radius, s.fn);
  s.rolling_torque = -c * across;
  twist(pair.a, s.rolling_torque);
  twist(pair.b, -s.rolling_torque);
  s.rolling = c * across.squaredNorm();
}

/// Contact forces on all movers, and the rates of the bristles.
void WorldDynamics::forces(double t, std::span<const double> y) noexcept {
  for (Mover& m : movers_) m.clear();
  for (Site& s : sites_) {
    const ContactPair& pair = world_.pairs[at(s.pair)];
    const Vector3& p = s.at.point;
    const Vector3 v = velocity(pair.a, t, p, y) - velocity(pair.b, t, p, y);
    s.relative = v;
    s.basis = tangent_basis(s.at.normal, s.at.reference);
    s.rate = -s.at.normal.dot(v);
    s.slip = Planar(s.basis.e1.dot(v), s.basis.e2.dot(v), 0);
    s.fn = 0;
    s.dissipation = s.rolling = 0;
    s.force.setZero();
    s.rolling_torque.setZero();
    std::fill(s.dz.begin(), s.dz.end(), 0.0);
    if (s.acted.known) {
      const Vector3& f = s.acted.friction;
      s.fn = s.acted.fn;
      s.force = Planar(s.basis.e1.dot(f), s.basis.e2.dot(f), 0);
      continue;
    }
    if (!s.touching) continue;
    s.fn = s.press.force(s.depth(), s.rate);
    const auto z = y.subspan(at(s.z), s.dz.size());
    ContactSlip slip;
    slip.v = slip.v_lag = s.slip;
    slip.fn = s.fn;
    s.friction->respond(z, slip, s.force, s.dz, s.dissipation);
    // Carried with the surfaces, seen from a basis that turns about n itself.
    s.spin = 0.5 * s.at.normal.dot(spin(pair.a, t, y) + spin(pair.b, t, y)) - basis_spin(s, t, y);
    for (const int k : s.vectors) {
      s.dz[at(k)] -= s.spin * z[at(k + 1)];
      s.dz[at(k + 1)] += s.spin * z[at(k)];
    }
    const Vector3 force = s.fn * s.at.normal - s.force[0] * s.basis.e1 - s.force[1] * s.basis.e2;
    push(pair.a, force, p, y);
    push(pair.b, -force, p, y);
    if (pair.rolling) resist_rolling(s, *pair.rolling, t, y);
  }
  patches_.look(*this, t, y);
  push_patches(y);
}

void WorldDynamics::rates(std::span<const double> y, std::span<double> dy) const noexcept {
  for (const Mover& m : movers_) {
    if (m.mechanism) {
      m.mechanism->rate(speeds_of(m, y), places_of(m, dy));
      Mechanism::Vector u = m.mechanism->force() + m.load;
      m.mechanism->solve(u);
      put(dy, m.u, u);
      continue;
    }
    if (m.side.is_pendulum()) {
      const DoublePendulum& p = world_.pendulums[at(m.side.index)];
      const Eigen::Vector2d theta = couple(y, m.q), rate = couple(y, m.u);
      put(dy, m.q, rate);
      const DoublePendulum::Trig trig(theta);
      put(dy, m.u, p.inertia(trig).solve(p.force(trig, rate, -world_.gravity.z()) + m.joint));
      continue;
    }
    const RigidBody& body = world_.bodies[at(m.side.index)];
    const Vector3 spin = triple(y, m.u + 3);
    const Eigen::Quaterniond q = turned(y, m.q + 3);
    put(dy, m.q, triple(y, m.u));
    const Eigen::Vector4d raw(y[at(m.q + 3)], y[at(m.q + 4)], y[at(m.q + 5)], y[at(m.q + 6)]);
    const Eigen::Quaterniond dq = Eigen::Quaterniond(0, spin[0], spin[1], spin[2]) *
                                  Eigen::Quaterniond(raw[0], raw[1], raw[2], raw[3]);
    put(dy, m.q + 3, Eigen::Vector4d(0.5 * dq.w(), 0.5 * dq.x(), 0.5 * dq.y(), 0.5 * dq.z()));
    put(dy, m.u, Vector3(world_.gravity + m.force / body.mass.mass));
    // Euler's equations in body axes.
    const Vector3 own = q.conjugate() * spin;
    const Vector3 torque = q.conjugate() * m.torque - own.cross(body.mass.inertia * own);
    put(dy, m.u + 3, Vector3(q * (inverse_inertia_[at(m.side.index)] * torque)));
  }
  for (const Site& s : sites_) {
    for (std::size_t k = 0; k < s.dz.size(); ++k) dy[at(s.z) + k] = s.dz[k];
  }
  patches_.rates(dy);
}

void WorldDynamics::work_rates(double t, std::span<const double> y,
                               std::span<double> dq) const noexcept {
  double input = 0;
  for (const Mover& m : movers_) {
    if (m.mechanism) input += m.mechanism->drive().dot(vector_of(m, y));
  }
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    const Site& s = sites_[i];
    const std::size_t k = 1 + 5 * i;
    dq[k] = s.force.dot(s.slip) + s.rolling;
    dq[k + 1] = s.dissipation + s.rolling;
    dq[k + 2] = s.fn * s.rate;
    dq[k + 3] = s.touching ? s.press.dissipation(s.depth(), s.rate) : 0;
    dq[k + 4] = s.fn;
    if (!s.touching || !driven_) continue;
    // A driven body puts in what the contact takes from it.
    const ContactPair& pair = world_.pairs[at(s.pair)];
    const Vector3 force = s.fn * s.at.normal - s.force[0] * s.basis.e1 - s.force[1] * s.basis.e2;
    const auto power = [&](Side side, double sign) {
      if (world_.is_free(side)) return 0.0;
      const RigidBody& body = world_.bodies[at(side.index)];
      return -sign * (force.dot(body.velocity_at(seen(t), s.at.point)) +
                      s.rolling_torque.dot(body.spin_at(seen(t))));
    };
    input += power(pair.a, 1) + power(pair.b, -1);
  }
  dq[0] = input + patch_work_rates(t, dq);
}

void WorldDynamics::look(double t, std::span<const double> y) noexcept {
  geometry(t, y);
  forces(t, y);
}
void WorldDynamics::rhs(double t, std::span<const double> y, std::span<double> dy) noexcept {
  ++evaluations_;
  look(t, y);
  rates(y, dy);
}
void WorldDynamics::quadrature(double t, std::span<const double> y, std::span<double> dq) noexcept {
  look(t, y);
  work_rates(t, y, dq);
}
void WorldDynamics::rhs_and_quadrature(double t, std::span<const double> y, std::span<double> dy,
                                       std::span<double> dq) noexcept {
  rhs(t, y, dy);
  work_rates(t, y, dq);
}
void WorldDynamics::jacobian(double t, std::span<const double> y,
                             std::span<double> matrix) noexcept {
  const auto n = at(size_);
  probe_.assign(y.begin(), y.end());
  base_.resize(n);
  moved_.resize(n);
  const std::vector<double> scale = scales();
  rhs(t, y, base_);
  for (std::size_t j = 0; j < n; ++j) {
    const double step = 1e-8 * std::max(std::abs(y[j]), scale[j]);
    probe_[j] = y[j] + step;
    rhs(t, probe_, moved_);
    for (std::size_t i = 0; i < n; ++i)
      matrix[i * n + j] = (moved_[i] - base_[i]) / (probe_[j] - y[j]);
    probe_[j] = y[j];
  }
}

std::vector<double> WorldDynamics::breaks(double duration) const {
  std::vector<double> list;
  for (const RigidBody& body : world_.bodies) {
    const auto add = [&](const Signal& signal) {
      for (const double t : signal.breaks()) {
        if (t > 0 && t < duration) list.push_back(t);
      }
    };
    for (const Signal& signal : body.drive) add(signal);
    add(body.turn);
  }
  for (const auto& mechanism : world_.mechanisms) {
    const std::vector<double> more = mechanism->breaks(duration);
    list.insert(list.end(), more.begin(), more.end());
  }
  std::sort(list.begin(), list.end());
  return list;
}

// ---- events -------------------------------------------------------------------------------------

void WorldDynamics::guard_values(double t, std::span<const double> y,
                                 std::span<double> values) noexcept {
  if (values.empty()) return;  // a stepper finds its own events
  geometry(t, y);
  patches_.count(*this, t, y);
  // One that lies at depth 0 without touching is before its touch-down still.
  constexpr double before = -std::numeric_limits<double>::min();
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    const Site& s = sites_[i];
    values[i] = s.touching || s.depth() != 0 ? s.depth() : before;
  }
  for (int i = 0; i < patches_.size(); ++i) values[sites_.size() + at(i)] = patches_.guard(i);
}

void WorldDynamics::touch_down(Site& s, double t, std::span<double> y,
                               std::vector<RunEvent>& events, int index) {
  const ContactPair& pair = world_.pairs[at(s.pair)];
  s.touching = true;
  s.v_i = std::max(0.0, s.rate);
  s.press = pair.normal.latch(s.v_i);
  if (pair.reset) {
    s.friction->relax(0.0);
    s.friction->get(y.subspan(at(s.z), s.dz.size()));
  }
  events.push_back({t, "touch", s.pair, s.v_i});
  impacts.push_back({.t = t,
                     .t_out = std::nan(""),
                     .pair = s.pair,
                     .site = index,
                     .v_in = s.v_i,
                     .slip_in = s.slip.norm()});
}
void WorldDynamics::lift_off(Site& s, double t, std::span<double> y, std::vector<RunEvent>& events,
                             int index) {
  s.touching = false;
  if (world_.pairs[at(s.pair)].reset) {
    s.friction->relax(0.0);
    s.friction->get(y.subspan(at(s.z), s.dz.size()));
  }
  events.push_back({t, "part", s.pair, -s.rate});
  end_impact(index, t, -s.rate);
}
void WorldDynamics::end_impact(int contact, double t, double speed) {
  const auto last = std::find_if(impacts.rbegin(), impacts.rend(),
                                 [&](const Impact& impact) { return impact.site == contact; });
  if (last == impacts.rend()) return;
  last->t_out = t;
  last->v_out = speed;
}

void WorldDynamics::handle(double t, std::span<double> y, std::span<const bool> risen,
                           std::vector<RunEvent>& events) {
  look(t, y);
  // Also those whose depth has changed its sign with that of another site, a rounding before: later
  // nobody would see it.
  for (int i = 0; i < sites(); ++i) {
    Site& s = sites_[at(i)];
    if (!s.touching && s.depth() > 0) {
      touch_down(s, t, y, events, i);
    } else if (s.touching && s.depth() < 0 && (risen[at(i)] || s.rate < 0)) {
      lift_off(s, t, y, events, i);
    }
  }
  for (int i = 0; i < patches_.size(); ++i) {
    if (risen[at(sites() + i)]) settle_patches(i, t, y, events, false);
  }
  normalise(y);
}
void WorldDynamics::settle(double t, std::span<double> y, std::vector<RunEvent>& events) {
  look(t, y);
  if (stepped_) return;
  const auto closed = [&](const Site& s) {
    return s.depth() > 0 || (!settled_ && s.depth() >= -World::no_gap && s.rate >= 0);
  };
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    Site& s = sites_[i];
    if (s.touching || !closed(s)) continue;
    touch_down(s, t, y, events, static_cast<int>(i));
    const auto points = std::count_if(sites_.begin(), sites_.end(), [&](const Site& other) {
      return other.pair == s.pair && closed(other);
    });
    const ContactPair& pair = world_.pairs[at(s.pair)];
    const double pressing = world_.pressing_speed(pair, s.depth(), static_cast<int>(points));
    if (pressing > s.v_i) s.press = pair.normal.latch(pressing);
  }
  for (int i = 0; i < patches_.size(); ++i) {
    if (patches_.guard(i) > 0) settle_patches(i, t, y, events, !settled_);
  }
  settled_ = true;
  safe_time_ = patches_.safe_time(*this, t, y);
}
namespace {

/// Of contacts over areas, besides patches that come and go: those without a direction as seen at
/// the last look, faces that have passed each other since the last call.
void list_events(PatchContacts& patches, const WorldDynamics& f, double t,
                 std::span<const double> y, std::vector<RunEvent>& events) {
  if (const int pair = patches.newly_lost(); pair >= 0) {
    events.push_back({t, "no-direction", pair, 0});
  }
  for (int i = 0; i < patches.size(); ++i) {
    if (const auto pass = patches.flush(i, f, t, y)) {
      events.push_back({pass->t, "flush", patches.pair(i).index, pass->area});
    }
  }
}

}  // namespace

/// Deflection that a falling load no longer carries returns at once. The laws see it so at every
/// evaluation; the state follows when it holds twice as much, so that a rebound is not a chain of
/// restarts.
bool WorldDynamics::accept(double t, std::span<double> y, std::vector<RunEvent>& events) {
  if (stepped_) list_events(patches_, *this, t, y, events);
  const bool deflected = std::any_of(sites_.begin(), sites_.end(),
                                     [](const Site& s) { return s.touching && !s.dz.empty(); });
  if (stepped_ || (!deflected && patches_.size() == 0)) return false;
  bool changed = false;
  look(t, y);
  for (Site& s : sites_) {
    if (!s.touching || s.dz.empty()) continue;
    const auto z = y.subspan(at(s.z), s.dz.size());
    s.friction->put(z);
    s.friction->relax(s.fn);
    s.friction->get(s.dz);
    bool far = false;
    for (std::size_t k = 0; k < s.dz.size(); ++k) far |= std::abs(z[k]) > 2 * std::abs(s.dz[k]);
    if (!far) continue;
    std::copy(s.dz.begin(), s.dz.end(), z.begin());
    changed = true;
  }
  patches_.follow(*this, t, y);
  safe_time_ = patches_.safe_time(*this, t, y);
  list_events(patches_, *this, t, y, events);
  if (const char* why = patches_.failure()) {
    throw std::runtime_error(fmt::format("at t = {:.9g} s: {}", t, why));
  }
  return changed;
}

void WorldDynamics::normalise(std::span<double> y) const noexcept {
  for (const Mover& m : movers_) {
    if (m.mechanism) m.mechanism->normalise(places_of(m, y));
    if (!m.side.is_body()) continue;
    const Eigen::Quaterniond q = turned(y, m.q + 3);
    put(y, m.q + 3, Eigen::Vector4d(q.w(), q.x(), q.y(), q.z()));
  }
}

}  // namespace bristle
