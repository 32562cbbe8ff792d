#include <algorithm>
#include <cmath>

#include "bristle/solve/world_dynamics.hpp"
#include "world_state.hpp"

// What a world does besides moving: contacts over areas, and energies.

namespace bristle {

using detail::at;
using detail::couple;
using detail::triple;
using detail::turned;

// ---- contacts over areas ------------------------------------------------------------------------

void WorldDynamics::push_patches(std::span<const double> y) noexcept {
  for (int i = 0; i < patches_.size(); ++i) {
    const PatchContacts::Pair& pair = patches_.pair(i);
    for (int k = 0; k < pair.count; ++k) {
      const SeenPatch& seen = pair.seen[at(k)];
      push(pair.a, seen.wrench.force, seen.patch.surface_centroid, y);
      push(pair.b, -seen.wrench.force, seen.patch.surface_centroid, y);
      twist(pair.a, seen.wrench.torque);
      twist(pair.b, -seen.wrench.torque);
    }
  }
}

/// Also what driven bodies put in.
double WorldDynamics::patch_work_rates(double t, std::span<double> dq) const noexcept {
  double input = 0;
  for (int i = 0; i < patches_.size(); ++i) {
    const PatchContacts::Pair& pair = patches_.pair(i);
    const auto q = dq.subspan(at(1 + 5 * (sites() + i)), 5);
    std::fill(q.begin(), q.end(), 0.0);
    for (int k = 0; k < pair.count; ++k) {
      const SeenPatch& seen = pair.seen[at(k)];
      const PatchWrench& w = seen.wrench;
      q[0] += w.friction_power;
      q[1] += w.friction_power;  // the bristles' share is known by state: see bristles()
      q[2] += w.elastic_power + w.damped;
      q[3] += w.damped;
      q[4] += w.fn;
      for (const auto& [side, sign] : {std::pair{pair.a, 1.0}, std::pair{pair.b, -1.0}}) {
        if (world_.is_free(side)) continue;
        const RigidBody& body = world_.bodies[at(side.index)];
        input -= sign * (w.force.dot(body.velocity_at(this->seen(t), seen.patch.surface_centroid)) +
                         w.torque.dot(body.spin_at(this->seen(t))));
      }
    }
  }
  return input;
}

/// Impacts of a pair are counted from its first patch to its last.
void WorldDynamics::settle_patches(int i, double t, std::span<double> y,
                                   std::vector<RunEvent>& events, bool at_start) {
  const PatchContacts::Pair& pair = patches_.pair(i);
  const int contact = sites() + i, before = pair.active;
  const double parting = patches_.parting_speed(i, *this, t, y);
  const char* kind = patches_.settle(i, *this, t, y, at_start);
  if (pair.active == before) return;
  const SeenPatch* seen = patches_.largest(i);
  const double approach = seen == nullptr ? 0 : seen->patch.normal.dot(seen->motion.velocity) + 0.0;
  events.push_back({t, kind, pair.index, seen == nullptr ? parting : approach});
  if (before == 0) {
    impacts.push_back({.t = t,
                       .t_out = std::nan(""),
                       .pair = pair.index,
                       .site = contact,
                       .v_in = approach,
                       .slip_in = (seen->motion.velocity - approach * seen->patch.normal).norm()});
  } else if (pair.active == 0) {
    end_impact(contact, t, parting);
  }
}

// ---- energy -------------------------------------------------------------------------------------

double WorldDynamics::kinetic(std::span<const double> y) const noexcept {
  double sum = 0;
  for (const Mover& m : movers_) {
    if (m.mechanism) {
      m.look(y);
      sum += m.mechanism->kinetic();
      continue;
    }
    if (m.side.is_pendulum()) {
      sum += world_.pendulums[at(m.side.index)].inertia(couple(y, m.q)).energy(couple(y, m.u));
      continue;
    }
    const RigidBody& body = world_.bodies[at(m.side.index)];
    const Vector3 own = turned(y, m.q + 3).conjugate() * triple(y, m.u + 3);
    sum += 0.5 * body.mass.mass * triple(y, m.u).squaredNorm() +
           0.5 * own.dot(body.mass.inertia * own);
  }
  return sum;
}
double WorldDynamics::potential(std::span<const double> y) const noexcept {
  double sum = 0;
  for (const Mover& m : movers_) {
    if (m.mechanism) {
      m.look(y);
      sum += m.mechanism->potential();
    } else if (m.side.is_pendulum()) {
      const DoublePendulum& p = world_.pendulums[at(m.side.index)];
      sum += p.potential(couple(y, m.q), -world_.gravity.z());
    } else {
      sum -= world_.bodies[at(m.side.index)].mass.mass * world_.gravity.dot(triple(y, m.q));
    }
  }
  return sum;
}
double WorldDynamics::springs(int contact, std::span<const double> work) const noexcept {
  if (contact < sites()) return site(contact).stored();
  const auto q = work.subspan(at(1 + 5 * contact), 5);
  return touches(contact) ? q[2] - q[3] : 0;
}
double WorldDynamics::stored(double t, std::span<const double> y,
                             std::span<const double> work) noexcept {
  geometry(t, y);
  double sum = potential(y);
  for (int i = 0; i < contacts(); ++i) sum += springs(i, work);
  return sum;
}
double WorldDynamics::bristles(int contact, std::span<const double> y) const noexcept {
  if (contact >= sites()) return patches_.bristles(contact - sites());
  const Site& s = site(contact);
  if (!s.touching) return 0;
  s.friction->put(y.subspan(at(s.z), s.dz.size()));
  return s.friction->stored(s.fn);
}

}  // namespace bristle
