// Stick and slip of contacts under set-valued laws, jumps of hybrid laws, gaps and stops.

#include <algorithm>
#include <cmath>

#include "bristle/core/index.hpp"
#include "bristle/solve/dynamics.hpp"

namespace bristle {

using detail::at;

// ---- bookkeeping of who sticks ------------------------------------------------------------------

void Dynamics::refactor() {
  held_.clear();
  held_rows_.clear();
  for (int c = 0; c < contacts(); ++c) {
    if (!point(c).set_valued || point(c).mode != Mode::stick) continue;
    held_.push_back(c);
    for (int k = 0; k < point(c).axes; ++k) held_rows_.push_back(3 * c + k);
  }
  const int rows = static_cast<int>(held_rows_.size());
  hold_.start(rows);
  const auto inverse = mechanics_.inverse_mass();
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < rows; ++j) {
      const int a = held_rows_[at(i)], b = held_rows_[at(j)];
      for (const Mechanics::Entry& one : mechanics_.slip_row(a / 3, a % 3)) {
        for (const Mechanics::Entry& other : mechanics_.slip_row(b / 3, b % 3)) {
          if (one.coordinate < 0 || one.coordinate != other.coordinate) continue;
          hold_.entry(i, j) += one.factor * inverse[at(one.coordinate)] * other.factor;
        }
      }
    }
  }
  hold_.factor();  // also for redundant contacts: the smallest forces that hold
}

void Dynamics::set_mode(int contact, Mode mode) {
  if (point(contact).mode == mode) return;
  point(contact).mode = mode;
  refactor();
}

void Dynamics::put_mode(int contact, double t, Mode mode, const Planar& along,
                        const Planar& force) {
  point(contact).along = along;
  point(contact).acted = force;
  if (point(contact).mode == mode) return;
  set_mode(contact, mode);
  noted_.push_back({t, mode == Mode::stick ? "stick" : "slip", contact, 0});
}

// ---- guards -------------------------------------------------------------------------------------

StickSet Dynamics::stick_set(int contact, double t) const noexcept {
  return mechanics_.rig().contacts[at(contact)].law.stick_set(mechanics_.load(contact, t));
}

/// By how much the holding force of a sticking contact passes what the law can hold.
double Dynamics::stick_excess(int contact, double t) const noexcept {
  const Point& p = point(contact);
  const StickSet set = stick_set(contact, t);
  if (p.axes > 1) return p.grip(p.force) - set.max * p.break_away;
  const double middle = (set.max + set.min) / 2, half = (set.max - set.min) / 2 * p.break_away;
  return std::abs(p.force[0] - middle) - half;
}

void Dynamics::guard_values(double t, std::span<const double> y,
                            std::span<double> values) noexcept {
  t = before_horizon(t);
  evaluate(t, y);
  --evaluations_;
  const auto q = q_of(y), u = u_of(y);
  std::size_t g = 0;
  for (int c = 0; c < contacts(); ++c) {
    Point& p = point(c);
    if (p.set_valued && !located_) {
      values[g] = values[g + 1] = -1;  // the step itself finds the mode
      g += 2;
    } else if (p.set_valued) {
      const Planar v = mechanics_.slip(c, t, q, u);
      const bool driven = mechanics_.slip_row(c, 0)[0].coordinate < 0 &&
                          mechanics_.slip_row(c, 0)[1].coordinate < 0;
      values[g] = values[g + 1] = -1;
      if (p.mode == Mode::stick) {
        values[g] = driven ? p.speed(v) - p.band - v_round : stick_excess(c, t);
      } else if (p.mode == Mode::breaking) {
        values[g] = p.speed(v) - p.band;
        const Planar hold = holding_force(c, t, y);
        evaluate(t, y);
        --evaluations_;
        const double limit = p.force.norm();
        values[g + 1] = limit - hold.dot(p.along);
      } else if (p.band > 0) {
        values[g] = p.band - (p.axes == 1 ? v.dot(p.along) : p.speed(v));
      } else {
        values[g] = (p.axes == 1 ? 0.0 : v_min) - p.inner(v, p.along);
      }
      g += 2;
    } else if (p.hybrid) {
      values[g++] = p.state->guard(slip_of(c, t, q, u));
    }
  }
  for (const int c : varying_) values[g++] = mechanics_.signed_load(c, t);
  for (int k = 0; k < static_cast<int>(mechanics_.rig().gaps.size()); ++k) {
    // Both crossings are events: the sign says which side we are on.
    values[g++] = mechanics_.overlap(k, t, q);
  }
  for (std::size_t w = 0; w < walls_.size(); ++w) {
    const Stop& stop = mechanics_.rig().stops[w];
    const double x = y[at(walls_[w].coordinate)];
    values[g++] = walls_[w].held > 0 ? -1 : x - stop.high;
    values[g++] = walls_[w].held < 0 ? -1 : stop.low - x;
  }
}

Planar Dynamics::holding_force(int contact, double t, std::span<const double> y) noexcept {
  // As if this contact stuck too, with the force of its law taken away.
  Point& p = point(contact);
  const bool was_set_valued = p.set_valued;
  const Mode was = p.mode;
  p.set_valued = true;
  p.mode = Mode::stick;
  refactor();
  evaluate(t, y);
  --evaluations_;
  const Planar hold = p.force;
  p.set_valued = was_set_valued;
  p.mode = was;
  refactor();
  return hold;
}

// ---- events -------------------------------------------------------------------------------------

void Dynamics::handle(double t, std::span<double> y, std::span<const bool> risen,
                      std::vector<RunEvent>& events) {
  events.insert(events.end(), noted_.begin(), noted_.end());
  noted_.clear();
  const auto q = q_of(y), u = u_of(y);
  std::size_t g = 0;
  for (int c = 0; c < contacts(); ++c) {
    Point& p = point(c);
    if (p.set_valued) {
      const bool first = risen[g], second = risen[g + 1];
      g += 2;
      if (!first && !second) continue;
      const Planar v = mechanics_.slip(c, t, q, u);
      if (p.mode == Mode::stick) {
        evaluate(t, y);
        const Planar way = p.speed(v) > p.band + v_round ? p.way(v) : outgoing(c, t, y);
        const bool by_band = p.band > 0 && p.speed(v) <= p.band;
        p.along = way;
        set_mode(c, by_band ? Mode::breaking : Mode::slip);
        events.push_back({t, by_band ? "break-away" : "slip", c, 0});
      } else if (p.mode == Mode::breaking && first) {
        p.along = p.way(v);
        set_mode(c, Mode::slip);
        events.push_back({t, "slip", c, 0});
      } else if (p.mode == Mode::slip && p.band == 0 && p.axes > 1 && p.speed(v) > 10 * v_min) {
        p.along = p.way(v);  // it has turned, not stopped
      } else {
        // A band is entered to stay only if the law can hold there; else slip just turns round.
        if (p.band > 0) {
          p.along = holding_force(c, t, y);
          if (p.along.norm() > stick_set(c, t).max) {
            p.along.normalize();
            set_mode(c, Mode::breaking);
            events.push_back({t, "break-away", c, 0});
            continue;
          }
        }
        set_mode(c, Mode::stick);
        events.push_back({t, "stick", c, 0});
      }
    } else if (p.hybrid) {
      if (!risen[g++]) continue;
      jump(c, t, y, events);
    }
  }
  for (const int c : varying_) {
    if (!risen[g++]) continue;
    Point& p = point(c);
    const auto z = y.subspan(at(p.start), at(p.size));
    p.state->put(z);
    const double before = p.state->stored(mechanics_.load(c, t));
    p.state->relax(0);  // a contact that opens forgets, and one that closes is fresh
    p.state->get(z);
    p.jump_loss += before;
    events.push_back({t, mechanics_.signed_load(c, t + 1e-9) > 0 ? "loaded" : "unloaded", c, 0});
  }
  for (int k = 0; k < static_cast<int>(mechanics_.rig().gaps.size()); ++k, ++g) {
    if (!risen[g]) continue;
    const Gap& gap = mechanics_.rig().gaps[at(k)];
    const double opening =
        mechanics_.velocity(gap.a, t, u)[0] - mechanics_.velocity(gap.b, t, u)[0];
    events.push_back({t, opening > 0 ? "gap-opens" : "gap-closes", k, std::abs(opening)});
  }
  for (std::size_t w = 0; w < walls_.size(); ++w, g += 2) {
    if (!risen[g] && !risen[g + 1]) continue;
    const Stop& stop = mechanics_.rig().stops[w];
    const auto i = at(walls_[w].coordinate);
    double& v = y[at(dofs()) + i];
    const double before = mechanics_.kinetic(u), speed = std::abs(v);
    y[i] = risen[g] ? stop.high : stop.low;
    v *= -stop.restitution;
    if (std::abs(v) < 1e-9) {
      v = 0;
      walls_[w].held = risen[g] ? 1 : -1;
    }
    reset_loss_ += before - mechanics_.kinetic(u);
    events.push_back({t, "stop", static_cast<int>(w), speed});
    follow_slip(t, y);
  }
  arrest(t, y);
  find_modes(t, y, events);
}

/// The jump of a hybrid law, with the force that would hold the contact.
void Dynamics::jump(int contact, double t, std::span<double> y, std::vector<RunEvent>& events) {
  Point& p = point(contact);
  const auto z = y.subspan(at(p.start), at(p.size));
  ContactSlip slip = slip_of(contact, t, q_of(y), u_of(y));
  slip.f_e = holding_force(contact, t, y);
  p.state->put(z);
  const double before = p.state->stored(slip.fn);
  const int mode_before = p.state->mode();
  std::copy(z.begin(), z.end(), was_.begin());
  p.state->jump(slip);
  p.state->get(z);
  const double lost = before - p.state->stored(slip.fn);
  p.jump_loss += lost;
  const int mode = p.state->mode();
  // A guard may touch 0 a rounding before the law sees it.
  if (mode == mode_before && std::equal(z.begin(), z.end(), was_.begin())) return;
  events.push_back({t, mode < 0 ? "mode" : (mode == 0 ? "stick" : "slip"), contact, lost});
}

/// After velocities have jumped: contacts that slip now, and which way.
void Dynamics::follow_slip(double t, std::span<const double> y) {
  for (int c = 0; c < contacts(); ++c) {
    Point& p = point(c);
    if (!p.set_valued) continue;
    const Planar v = mechanics_.slip(c, t, q_of(y), u_of(y));
    if (p.speed(v) > std::max(p.band, v_round)) {
      p.along = p.way(v);
      p.mode = Mode::slip;
    } else if (p.mode != Mode::breaking) {
      p.mode = Mode::stick;
    }
  }
  refactor();
}

void Dynamics::settle(double t, std::span<double> y, std::vector<RunEvent>& events) {
  for (Point& p : points_) p.before = p.mode;
  follow_slip(t, y);
  for (int c = 0; c < contacts() && t > 0; ++c) {
    const Mode now = point(c).mode;
    if (!point(c).set_valued || now == point(c).before) continue;
    events.push_back({t, now == Mode::stick ? "stick" : "slip", c, 0});
  }
  for (int c = 0; c < contacts(); ++c) {
    if (!point(c).hybrid) continue;
    point(c).state->put(y.subspan(at(point(c).start), at(point(c).size)));
    if (point(c).state->guard(slip_of(c, t, q_of(y), u_of(y))) > 0) jump(c, t, y, events);
  }
  arrest(t, y);
  find_modes(t, y, events);
  note_past(t, y);
}

bool Dynamics::accept(double t, std::span<double> y, std::vector<RunEvent>& events) {
  note_past(t, y);
  bool changed = false;
  for (int c = 0; c < contacts(); ++c) {
    Point& p = point(c);
    if (p.set_valued && p.axes > 1 && p.mode == Mode::slip) {
      const Planar v = mechanics_.slip(c, t, q_of(y), u_of(y));
      if (p.speed(v) > v_min) p.along = p.way(v);
    }
    if (p.size == 0 || !mechanics_.load_varies(c)) continue;
    // Deflection that a falling load no longer carries returns at once.
    const auto z = y.subspan(at(p.start), at(p.size));
    p.state->put(z);
    const double fn = mechanics_.load(c, t), before = p.state->stored(fn);
    std::copy(z.begin(), z.end(), was_.begin());
    p.state->relax(fn);
    p.state->get(z);
    for (std::size_t k = 0; k < z.size(); ++k) {
      changed |= std::abs(was_[k] - z[k]) > 1e-12 * std::abs(was_[k]);
    }
    p.jump_loss += before - p.state->stored(fn);
  }
  for (Wall& wall : walls_) {
    if (wall.held * y[at(dofs() + wall.coordinate)] < -1e-12) wall.held = 0;
  }
  events.insert(events.end(), noted_.begin(), noted_.end());
  noted_.clear();
  return changed;
}

void Dynamics::arrest(double t, std::span<double> y) {
  if (held_.empty()) return;
  const auto q = q_of(y), u = u_of(y);
  const std::span<double> impulse(holding_);
  std::size_t row = 0;
  bool slips = false;
  for (const int c : held_) {
    const Planar v = mechanics_.slip(c, t, q, u);
    for (int k = 0; k < point(c).axes; ++k) {
      impulse[row++] = v[k];
      slips |= v[k] != 0;
    }
  }
  if (!slips) return;
  const double before = mechanics_.kinetic(u);
  hold_.solve(impulse);
  const auto inverse = mechanics_.inverse_mass();
  row = 0;
  for (const int c : held_) {
    for (int k = 0; k < point(c).axes; ++k, ++row) {
      for (const Mechanics::Entry& e : mechanics_.slip_row(c, k)) {
        if (e.coordinate < 0) continue;
        y[at(dofs() + e.coordinate)] -= inverse[at(e.coordinate)] * e.factor * impulse[row];
      }
    }
  }
  reset_loss_ += before - mechanics_.kinetic(u);
}

Planar Dynamics::slip_acceleration(int contact, double t,
                                   std::span<const double> y) const noexcept {
  Planar a = mechanics_.slip_drift(contact, t, q_of(y), u_of(y));
  const auto inverse = mechanics_.inverse_mass();
  for (int k = 0; k < point(contact).axes; ++k) {
    for (const Mechanics::Entry& e : mechanics_.slip_row(contact, k)) {
      if (e.coordinate >= 0)
        a[k] += e.factor * inverse[at(e.coordinate)] * force_[at(e.coordinate)];
    }
  }
  return a;
}

/// Releases the sticking contact whose holding force passes its limit by the largest share.
bool Dynamics::release_worst(double t, std::span<const double> y, std::vector<RunEvent>& events) {
  int worst = -1;
  double most = 1e-12;
  for (const int c : held_) {
    const double excess = stick_excess(c, t) / std::max(stick_set(c, t).max, 1e-250);
    if (excess > most) {
      most = excess;
      worst = c;
    }
  }
  if (worst < 0) return false;
  Point& p = point(worst);
  p.along = outgoing(worst, t, y);
  const bool by_band = p.band > 0;
  set_mode(worst, by_band ? Mode::breaking : Mode::slip);
  if (t > 0) events.push_back({t, by_band ? "break-away" : "slip", worst, 0});
  return true;
}

/// Which of the resting contacts hold? Starting from all of them, the worst offender is let go
/// until the rest can hold; one that would then move against its own friction is held again.
void Dynamics::find_modes(double t, std::span<double> y, std::vector<RunEvent>& events) {
  evaluate(t, y);
  --evaluations_;
  for (int round = 0; round < 4 * contacts() + 4; ++round) {
    bool changed = release_worst(t, y, events);
    if (!changed) {
      for (int c = 0; c < contacts() && !changed; ++c) {
        Point& p = point(c);
        if (!p.set_valued || p.mode != Mode::slip || p.band > 0) continue;
        if (p.speed(mechanics_.slip(c, t, q_of(y), u_of(y))) > v_round) continue;
        const double a = p.inner(slip_acceleration(c, t, y), p.along);
        if (a > -1e-12 * (1 + p.force.norm())) continue;
        set_mode(c, Mode::stick);
        events.push_back({t, "stick", c, 0});
        changed = true;
      }
    }
    if (!changed) return;
    evaluate(t, y);
    --evaluations_;
  }
}

}  // namespace bristle
