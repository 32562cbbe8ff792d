#include "bristle/system/mechanics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bristle {
namespace {

/// z × r: the velocity of a point of a plane that turns at 1 rad/s.
Planar turned(const Planar& r) noexcept { return {-r[1], r[0], 0}; }

/// The same without its angle.
Planar place(const Planar& r) noexcept { return {r[0], r[1], 0}; }

}  // namespace

Mechanics::Mechanics(Rig rig) : rig_(std::move(rig)) {
  rig_.check();
  for (const Body& body : rig_.bodies) {
    start_.push_back(static_cast<int>(mass_.size()));
    for (int k = 0; k < body.axes; ++k) {
      mass_.push_back(k == 2 ? body.moment : body.inertia);
      inverse_mass_.push_back(body.locked[at(k)] ? 0 : 1 / mass_.back());
    }
  }
  for (const Contact& contact : rig_.contacts) {
    Place place{.axes = rig_.axes(contact)};
    const double factor = place.axes == 1 ? contact.radius : 1;
    for (int k = 0; k < place.axes; ++k) {
      if (contact.a.is_body) place.rows[at(k)][0] = {start_[at(contact.a.index)] + k, factor};
      if (contact.b.is_body) place.rows[at(k)][1] = {start_[at(contact.b.index)] + k, -factor};
    }
    places_.push_back(place);
  }
  held_.resize(rig_.drives.size());
  for (const Drive& drive : rig_.drives) {
    period_ = period_ == 0 ? drive.period : std::min(period_, drive.period);
  }
}

void Mechanics::initial(std::span<double> q, std::span<double> u) const noexcept {
  for (std::size_t b = 0; b < rig_.bodies.size(); ++b) {
    const Body& body = rig_.bodies[b];
    for (int k = 0; k < body.axes; ++k) {
      q[at(start_[b] + k)] = body.position[at(k)];
      u[at(start_[b] + k)] = body.velocity[at(k)];
    }
  }
}

// ---- where things are ---------------------------------------------------------------------------

Planar Mechanics::position(End end, double t, std::span<const double> q) const noexcept {
  if (end.is_body) {
    const auto i = at(start_[at(end.index)]);
    const int axes = rig_.bodies[at(end.index)].axes;
    return {q[i], axes > 1 ? q[i + 1] : 0.0, axes > 2 ? q[i + 2] : 0.0};
  }
  const Frame& frame = rig_.frames[at(end.index)];
  return {frame.position[0] + frame.velocity[0].integral(t),
          frame.position[1] + frame.velocity[1].integral(t), frame.spin.integral(t)};
}
Planar Mechanics::velocity(End end, double t, std::span<const double> u) const noexcept {
  if (end.is_body) {
    const auto i = at(start_[at(end.index)]);
    const int axes = rig_.bodies[at(end.index)].axes;
    return {u[i], axes > 1 ? u[i + 1] : 0.0, axes > 2 ? u[i + 2] : 0.0};
  }
  const Frame& frame = rig_.frames[at(end.index)];
  return {frame.velocity[0].value(t), frame.velocity[1].value(t), frame.spin.value(t)};
}
bool Mechanics::planar(End a, End b) const noexcept {
  return (a.is_body && rig_.bodies[at(a.index)].axes > 1) ||
         (b.is_body && rig_.bodies[at(b.index)].axes > 1);
}

// ---- applied forces -----------------------------------------------------------------------------

/// In the plane.
Planar Mechanics::spring_force(const Spring& spring, double t,
                               std::span<const double> q) const noexcept {
  const Planar d = place(position(spring.a, t, q) - position(spring.b, t, q));
  if (spring.length == 0) return -spring.stiffness * d;
  const double distance = d.norm();
  if (distance == 0) return Planar::Zero();  // no direction: a spring turned inside out
  return d * (-spring.stiffness * (distance - spring.length) / distance);
}

Mechanics::Push Mechanics::push(const Gap& gap, double t, std::span<const double> q,
                                std::span<const double> u) const noexcept {
  const double overlap = gap.clearance - (along(gap.a, t, q) - along(gap.b, t, q));
  if (overlap <= 0) return {};
  Push p;
  p.rate = speed(gap.b, t, u) - speed(gap.a, t, u);
  p.spring = gap.stiffness * overlap;
  const double wanted = gap.damping * p.rate;
  p.damper = std::clamp(wanted, -p.spring, p.spring);
  p.cut = p.damper != wanted;
  return p;
}

/// Calls put(end, force on that end) for every force of the rig but friction.
template <class Put>
void Mechanics::each_force(double t, std::span<const double> q, std::span<const double> u,
                           Put&& put) const noexcept {
  const auto pair = [&](End a, End b, double fx, double fy, double torque = 0) {
    put(a, fx, fy, torque);
    put(b, -fx, -fy, -torque);
  };
  for (const Spring& s : rig_.springs) {
    if (planar(s.a, s.b)) {
      const Planar f = spring_force(s, t, q);
      pair(s.a, s.b, f[0], f[1]);
    } else {
      pair(s.a, s.b, -s.stiffness * (along(s.a, t, q) - along(s.b, t, q) - s.length), 0);
    }
  }
  for (const Damper& d : rig_.dampers) {
    const Planar f = -d.damping * (velocity(d.a, t, u) - velocity(d.b, t, u));
    pair(d.a, d.b, f[0], f[1]);
  }
  for (const Mount& m : rig_.mounts) {
    const Planar f = -m.stiffness * (position(m.a, t, q) - position(m.b, t, q)) -
                     m.damping * (velocity(m.a, t, u) - velocity(m.b, t, u));
    pair(m.a, m.b, f[0], f[1], f[2]);
  }
  for (const Gap& g : rig_.gaps) {
    const Push p = push(g, t, q, u);
    pair(g.a, g.b, p.spring + p.damper, 0);
  }
}

Powers Mechanics::applied(double t, std::span<const double> q, std::span<const double> u,
                          std::span<double> force) const noexcept {
  std::fill(force.begin(), force.end(), 0.0);
  Powers sum;
  const auto push_body = [&](int body, double fx, double fy, double torque) {
    const auto i = at(start_[at(body)]);
    const int axes = rig_.bodies[at(body)].axes;
    force[i] += fx;
    if (axes > 1) force[i + 1] += fy;
    if (axes > 2) force[i + 2] += torque;
  };
  each_force(t, q, u, [&](End end, double fx, double fy, double torque) {
    if (end.is_body) {
      push_body(end.index, fx, fy, torque);
    } else if (end.index > 0) {  // the ground does no work
      sum.input -= fx * speed(end, t, u);
      if (fy != 0) sum.input -= fy * rig_.frames[at(end.index)].velocity[1].value(t);
      if (torque != 0) sum.input -= torque * rig_.frames[at(end.index)].spin.value(t);
    }
  });
  for (const Damper& d : rig_.dampers) {
    sum.damped += d.damping * place(velocity(d.a, t, u) - velocity(d.b, t, u)).squaredNorm();
  }
  for (const Mount& m : rig_.mounts) {
    const Planar rate = velocity(m.a, t, u) - velocity(m.b, t, u);
    sum.damped += rate.dot(m.damping * rate);
  }
  for (const Gap& g : rig_.gaps) {
    const Push p = push(g, t, q, u);
    sum.damped += p.damper * p.rate;
  }
  const auto source = [&](int body, double fx, double fy) {
    push_body(body, fx, fy, 0);
    const Planar v = velocity({true, body}, t, u);
    sum.input += fx * v[0] + fy * v[1];
  };
  for (const Force& f : rig_.forces) {
    source(f.body, f.force[0].value(t), f.force[1].value(t));
  }
  for (std::size_t k = 0; k < rig_.drives.size(); ++k) {
    source(rig_.drives[k].body, rig_.drives[k].gain * held_[k].output, 0);
  }
  return sum;
}

void Mechanics::applied_derivatives(double t, std::span<const double> q, std::span<const double> u,
                                    std::span<double> by_q, std::span<double> by_u) const noexcept {
  std::fill(by_q.begin(), by_q.end(), 0.0);
  std::fill(by_u.begin(), by_u.end(), 0.0);
  const std::size_t n = mass_.size();
  // Adds the block −S to (a, a) and (b, b), and S to (a, b) and (b, a).
  const auto couple = [&](std::span<double> matrix, End a, End b, const Eigen::Matrix3d& s) {
    for (const auto& [row, col, sign] : {std::tuple{a, a, -1.0}, std::tuple{b, b, -1.0},
                                         std::tuple{a, b, 1.0}, std::tuple{b, a, 1.0}}) {
      if (!row.is_body || !col.is_body) continue;
      const auto i = at(start_[at(row.index)]), j = at(start_[at(col.index)]);
      const auto rows = at(rig_.bodies[at(row.index)].axes);
      const auto columns = at(rig_.bodies[at(col.index)].axes);
      for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < columns; ++c) {
          matrix[(i + r) * n + j + c] +=
              sign * s(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c));
        }
      }
    }
  };
  const Eigen::Matrix3d one = Planar(1, 1, 0).asDiagonal();
  for (const Spring& s : rig_.springs) {
    if (!planar(s.a, s.b) || s.length == 0) {
      couple(by_q, s.a, s.b, s.stiffness * one);
      continue;
    }
    const Planar d = place(position(s.a, t, q) - position(s.b, t, q));
    const double distance = d.norm();
    if (distance == 0) continue;
    const Planar e = d / distance;
    couple(by_q, s.a, s.b, s.stiffness * (one - (s.length / distance) * (one - e * e.transpose())));
  }
  for (const Damper& d : rig_.dampers) couple(by_u, d.a, d.b, d.damping * one);
  for (const Mount& m : rig_.mounts) {
    couple(by_q, m.a, m.b, m.stiffness);
    couple(by_u, m.a, m.b, m.damping);
  }
  for (const Gap& g : rig_.gaps) {
    const Push p = push(g, t, q, u);
    if (p.spring == 0) continue;
    const double share = p.cut ? (p.damper > 0 ? 2.0 : 0.0) : 1.0;
    couple(by_q, g.a, g.b, share * g.stiffness * one);
    if (!p.cut) couple(by_u, g.a, g.b, g.damping * one);
  }
}

double Mechanics::kinetic(std::span<const double> u) const noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < mass_.size(); ++i) sum += mass_[i] * u[i] * u[i] / 2;
  return sum;
}

double Mechanics::stored(double t, std::span<const double> q) const noexcept {
  double sum = 0;
  for (const Spring& s : rig_.springs) {
    const double stretch = planar(s.a, s.b)
                               ? place(position(s.a, t, q) - position(s.b, t, q)).norm() - s.length
                               : along(s.a, t, q) - along(s.b, t, q) - s.length;
    sum += s.stiffness * stretch * stretch / 2;
  }
  for (const Mount& m : rig_.mounts) {
    const Planar d = position(m.a, t, q) - position(m.b, t, q);
    sum += d.dot(m.stiffness * d) / 2;
  }
  for (int k = 0; k < static_cast<int>(rig_.gaps.size()); ++k) {
    const double depth = std::max(0.0, overlap(k, t, q));
    sum += rig_.gaps[at(k)].stiffness * depth * depth / 2;
  }
  return sum;
}

double Mechanics::overlap(int gap, double t, std::span<const double> q) const noexcept {
  const Gap& g = rig_.gaps[at(gap)];
  return g.clearance - (along(g.a, t, q) - along(g.b, t, q));
}

// ---- contacts -----------------------------------------------------------------------------------

Planar Mechanics::contact_point(const Contact& contact, double t,
                                std::span<const double> q) const noexcept {
  return place(position(contact.a.is_body ? contact.a : contact.b, t, q));
}
/// Velocity of a frame's surface at a point, or 0 for a body (its part is J u).
Planar Mechanics::surface(End end, double t, std::span<const double>,
                          const Planar& point) const noexcept {
  if (end.is_body) return Planar::Zero();
  const Frame& frame = rig_.frames[at(end.index)];
  const double spin = frame.spin.value(t);
  return Planar(frame.velocity[0].value(t), frame.velocity[1].value(t), spin) +
         spin * turned(point);
}

Planar Mechanics::slip_in_plane(const Contact& c, double t, std::span<const double> q,
                                std::span<const double> u) const noexcept {
  const Planar point = contact_point(c, t, q);
  Planar v = surface(c.a, t, q, point) - surface(c.b, t, q, point);
  if (c.a.is_body) v += velocity(c.a, t, u);
  if (c.b.is_body) v -= velocity(c.b, t, u);
  return c.area ? v : place(v);
}

Planar Mechanics::slip_drift(int contact, double t, std::span<const double> q,
                             std::span<const double> u) const noexcept {
  const Contact& c = rig_.contacts[at(contact)];
  Planar drift = Planar::Zero();
  const bool line = places_[at(contact)].axes == 1;
  const double factor = line ? c.radius : 1;
  const auto add = [&](End end, double sign) {
    if (end.is_body) return;
    const Frame& frame = rig_.frames[at(end.index)];
    drift[0] += sign * factor * frame.velocity[0].slope(t);
    if (line) return;
    drift[1] += sign * frame.velocity[1].slope(t);
    if (frame.spin.is_zero()) return;
    const End body = c.a.is_body ? c.a : c.b;
    drift += sign * (frame.spin.slope(t) * turned(position(body, t, q)) +
                     frame.spin.value(t) * turned(velocity(body, t, u)));
    if (c.area) drift[2] += sign * frame.spin.slope(t);
  };
  add(c.a, 1);
  add(c.b, -1);
  return drift;
}

double Mechanics::frame_power(int contact, double t, std::span<const double> q,
                              const Planar& friction) const noexcept {
  const Contact& c = rig_.contacts[at(contact)];
  if (axes(contact) == 1) {
    double power = 0;
    if (!c.a.is_body) power += c.radius * friction[0] * speed(c.a, t, {});
    if (!c.b.is_body) power -= c.radius * friction[0] * speed(c.b, t, {});
    return power;
  }
  const Planar point = contact_point(c, t, q);
  return friction.dot(surface(c.a, t, q, point) - surface(c.b, t, q, point));
}

double Mechanics::spin(int contact, double t) const noexcept {
  const Contact& c = rig_.contacts[at(contact)];
  double sum = 0;
  if (!c.a.is_body) sum -= rig_.frames[at(c.a.index)].spin.value(t);
  if (!c.b.is_body) sum += rig_.frames[at(c.b.index)].spin.value(t);
  return sum;
}

// ---- events and samples -------------------------------------------------------------------------

std::vector<double> Mechanics::breaks(double end) const {
  std::vector<double> times;
  each_signal(rig_, [&](const Signal& signal) {
    const std::vector<double> list = signal.breaks();
    times.insert(times.end(), list.begin(), list.end());
  });
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  std::erase_if(times, [&](double t) { return !(t > 0 && t < end); });
  return times;
}

double Mechanics::shortest_period() const noexcept {
  double highest = 0;
  each_signal(
      rig_, [&](const Signal& signal) { highest = std::max(highest, signal.highest_frequency()); });
  return highest > 0 ? 1 / highest : std::numeric_limits<double>::infinity();
}

bool Mechanics::is_even() const noexcept {
  bool even = rig_.gaps.empty();
  each_signal(rig_, [&](const Signal& signal) { even = even && signal.is_constant(); });
  for (const Frame& frame : rig_.frames) even = even && frame.spin.is_zero();
  for (const Spring& spring : rig_.springs) even = even && !planar(spring.a, spring.b);
  return even;
}

void Mechanics::sample(int k, std::span<const double> q) noexcept {
  for (std::size_t d = 0; d < rig_.drives.size(); ++d) {
    const Drive& drive = rig_.drives[d];
    Held& held = held_[d];
    const double x = q[at(start_[at(drive.body)])];
    if (k == 0) held.last = held.before = x;
    const double v = (x + held.last - held.last - held.before) / 2 / drive.period;
    const double reference = drive.reference.value(k * drive.period);
    const double wanted = drive.kv * (drive.kp * (reference - x) - v);
    held.output = std::clamp(wanted, -drive.limit, drive.limit);
    held.before = held.last;
    held.last = x;
  }
}

}  // namespace bristle
