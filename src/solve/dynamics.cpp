#include "bristle/solve/dynamics.hpp"

#include <algorithm>
#include <cmath>

#include "bristle/core/index.hpp"

namespace bristle {

using detail::at;

Dynamics::Dynamics(Rig rig, double break_away) : mechanics_(std::move(rig)) {
  const int n = mechanics_.dofs();
  size_ = 2 * n;
  for (int c = 0; c < mechanics_.contacts(); ++c) {
    const AnyLaw& law = mechanics_.rig().contacts[at(c)].law;
    Point p;
    p.axes = mechanics_.axes(c);
    p.area = mechanics_.rig().contacts[at(c)].area.get();
    if (p.area) p.length = p.area->length();
    p.state = FrictionState::make(law, p.axes, p.area);
    p.set_valued = law.info().can(Capability::set_valued);
    p.hybrid = law.info().can(Capability::hybrid);
    p.band = law.stick_set(1.0).band;
    p.delay = law.delay();
    const double own = mechanics_.rig().contacts[at(c)].break_away;
    p.break_away = own > 0 ? own : break_away;
    p.start = size_;
    p.size = p.state->size();
    p.rate.resize(at(p.size));
    size_ += p.size;
    guard_count_ += p.set_valued ? 2 : (p.hybrid ? 1 : 0);
    if (p.delay > 0) longest_step_ = std::min(longest_step_, p.delay / 20);
    const std::size_t width = at(p.axes + p.size);
    law_matrix_.resize(std::max(law_matrix_.size(), width * width));
    points_.push_back(std::move(p));
  }
  // A contact that sticks has no motion to limit the step, but a source may break it loose.
  longest_step_ = std::min(longest_step_, mechanics_.shortest_period() / 20);
  for (int c = 0; c < mechanics_.contacts(); ++c) {
    if (mechanics_.load_varies(c)) varying_.push_back(c);
  }
  int rows = 0;
  for (const Point& p : points_) {
    rows += p.set_valued || p.hybrid ? p.axes : 0;
    was_.resize(std::max(was_.size(), at(p.size)));
  }
  hold_ = ShortestSolution(rows);
  holding_.resize(at(rows));
  held_.reserve(points_.size());
  held_rows_.reserve(at(rows));
  noted_.reserve(2 * points_.size());
  two_way_.first = guard_count_;
  guard_count_ += static_cast<int>(varying_.size() + mechanics_.rig().gaps.size());
  two_way_.second = guard_count_;
  for (const Stop& stop : mechanics_.rig().stops) {
    walls_.push_back({mechanics_.coordinate(stop.body), 0});
    guard_count_ += 2;
  }
  force_.resize(at(n));
  by_q_.resize(at(n * n));
  by_u_.resize(at(n * n));
}

std::span<const double> Dynamics::q_of(std::span<const double> y) const noexcept {
  return y.first(at(dofs()));
}
std::span<const double> Dynamics::u_of(std::span<const double> y) const noexcept {
  return y.subspan(at(dofs()), at(dofs()));
}

std::vector<double> Dynamics::initial() {
  std::vector<double> y(at(size_));
  mechanics_.initial(std::span(y).first(at(dofs())), std::span(y).subspan(at(dofs()), at(dofs())));
  for (int c = 0; c < contacts(); ++c) {
    Point& p = point(c);
    p.state->reset(mechanics_.load(c, 0));
    p.state->get(std::span(y).subspan(at(p.start), at(p.size)));
    p.past.clear();
    p.acted.setZero();
    p.jump_loss = 0;
  }
  reset_loss_ = 0;
  evaluations_ = 0;
  return y;
}

std::vector<double> Dynamics::scales() const {
  std::vector<double> list(at(2 * dofs()), 1e-3);
  for (const Point& p : points_) {
    // Deflections of bristles are micrometres, other states of the order of one.
    for (const StateColumn& column : p.state->columns()) {
      list.push_back(column.unit == "m" ? 1e-7 : 1e-3);
    }
  }
  return list;
}

// ---- evaluation ---------------------------------------------------------------------------------

ContactSlip Dynamics::slip_of(int contact, double t, std::span<const double> q,
                              std::span<const double> u) const noexcept {
  ContactSlip slip;
  find_slip(contact, t, q, u, slip);
  return slip;
}
void Dynamics::find_slip(int contact, double t, std::span<const double> q,
                         std::span<const double> u, ContactSlip& slip) const noexcept {
  const Point& p = point(contact);
  if (p.axes == 1) {
    slip.v_lag[0] = slip.v[0] = mechanics_.slip_along(contact, t, u);
  } else {
    slip.v_lag = slip.v = mechanics_.slip(contact, t, q, u);
  }
  slip.fn = mechanics_.load(contact, t);
  if (p.delay > 0) slip.v_lag = lagged(p, t, slip.v);
  slip.keep_mode = located_;
}

/// The slip that a set-valued law is asked at while its contact slips.
ContactSlip Dynamics::asked(const Point& p, const ContactSlip& slip) const noexcept {
  ContactSlip s = slip;
  if (p.mode == Mode::breaking) {
    // Inside the band the law itself answers with its limit along the holding force.
    s.v = Planar::Zero();
    s.f_e = p.along * 1e300;
    return s;
  }
  const double along = p.inner(slip.v, p.along);
  if (p.band > 0) {
    const double least = p.band * (1 + 1e-12);
    if (p.axes == 1 ? along < least : p.speed(slip.v) < least) {
      s.v = (p.axes == 1 || p.speed(slip.v) == 0 ? p.along : p.way(slip.v)) * least;
    }
  } else {
    // Continued smoothly through the reversal, which an event finds.
    if (p.axes == 1) {
      s.v = p.along * std::max(along, 1e-140);
    } else if (along < v_min) {
      s.v = (slip.v - along * p.along) + v_min * p.along;
    }
  }
  return s;
}

double Dynamics::before_horizon(double t) const noexcept {
  return t < horizon_ ? t : std::nextafter(horizon_, -std::numeric_limits<double>::infinity());
}

void Dynamics::evaluate(double t, std::span<const double> y) noexcept {
  ++evaluations_;
  powers_ = mechanics_.applied(before_horizon(t), q_of(y), u_of(y), force_);
  evaluate_contacts(t, y);
  hold_at_walls();
}

/// Friction of every contact, added to the forces on the coordinates.
void Dynamics::evaluate_contacts(double t, std::span<const double> y) noexcept {
  t = before_horizon(t);
  const auto q = q_of(y), u = u_of(y);
  for (int c = 0; c < contacts(); ++c) {
    Point& p = point(c);
    find_slip(c, t, q, u, p.slip);
    if (p.set_valued && show_acted_) {
      p.force = p.acted;
    } else if (p.set_valued && p.mode == Mode::stick) {
      continue;  // its force follows from all others
    } else if (p.set_valued) {
      p.force = p.state->force(asked(p, p.slip));
    } else {
      p.state->respond(y.subspan(at(p.start), at(p.size)), p.slip, p.force, p.rate, p.dissipation);
    }
    mechanics_.add_friction(c, p.force, force_);
  }
  if (!held_.empty() && !show_acted_) solve_holding(t, q, u);
}

/// W F = J M⁻¹ f + drift for all contacts that stick, then f −= Jᵀ F. Of the forces that hold
/// redundant contacts those that are nearest to what acted in the last fixed step, if there was
/// one.
void Dynamics::solve_holding(double t, std::span<const double> q,
                             std::span<const double> u) noexcept {
  const auto inverse = mechanics_.inverse_mass();
  for (const int c : held_) mechanics_.add_friction(c, point(c).acted, force_);
  std::size_t row = 0;
  for (const int c : held_) {
    const Planar drift = mechanics_.slip_drift(c, t, q, u);
    for (int k = 0; k < point(c).axes; ++k) {
      double sum = drift[k];
      for (const Mechanics::Entry& e : mechanics_.slip_row(c, k)) {
        if (e.coordinate >= 0)
          sum += e.factor * inverse[at(e.coordinate)] * force_[at(e.coordinate)];
      }
      holding_[row++] = sum;
    }
  }
  hold_.solve(holding_);
  row = 0;
  for (const int c : held_) {
    Point& p = point(c);
    Planar more = Planar::Zero();
    for (int k = 0; k < p.axes; ++k) more[k] = holding_[row++];
    p.force = p.acted + more;
    mechanics_.add_friction(c, more, force_);
  }
}

void Dynamics::hold_at_walls() noexcept {
  for (const Wall& wall : walls_) {
    double& f = force_[at(wall.coordinate)];
    if (wall.held * f > 0) f = 0;
  }
}

void Dynamics::rhs(double t, std::span<const double> y, std::span<double> dy) noexcept {
  evaluate(t, y);
  rates(y, dy);
}
void Dynamics::quadrature(double t, std::span<const double> y, std::span<double> dq) noexcept {
  evaluate(t, y);
  --evaluations_;  // counted once per step with the right-hand side
  work_rates(t, y, dq);
}
void Dynamics::rhs_and_quadrature(double t, std::span<const double> y, std::span<double> dy,
                                  std::span<double> dq) noexcept {
  evaluate(t, y);
  rates(y, dy);
  work_rates(t, y, dq);
}

void Dynamics::rates(std::span<const double> y, std::span<double> dy) noexcept {
  const auto n = at(dofs());
  const auto inverse = mechanics_.inverse_mass();
  for (std::size_t i = 0; i < n; ++i) {
    dy[i] = y[n + i];
    dy[n + i] = inverse[i] * force_[i];
  }
  for (const Point& p : points_) {
    std::copy(p.rate.begin(), p.rate.end(), dy.begin() + p.start);
  }
}

void Dynamics::work_rates(double t, std::span<const double> y, std::span<double> dq) noexcept {
  if (dq.empty()) return;
  t = before_horizon(t);
  const auto q = q_of(y);
  dq[0] = powers_.input;
  dq[1] = powers_.damped;
  for (int c = 0; c < contacts(); ++c) {
    const Point& p = point(c);
    const double work = p.force.dot(p.slip.v);
    dq[0] += mechanics_.frame_power(c, t, q, p.force);
    dq[at(2 + 2 * c)] = work;
    dq[at(3 + 2 * c)] = p.set_valued ? work : p.dissipation;
  }
}

void Dynamics::jacobian(double t, std::span<const double> y, std::span<double> matrix) noexcept {
  t = before_horizon(t);
  const auto n = at(dofs()), size = at(size_);
  const auto q = q_of(y), u = u_of(y);
  Eigen::Map<RowMatrix> m(matrix.data(), size_, size_);
  m.setZero();
  mechanics_.applied_derivatives(t, q, u, by_q_, by_u_);
  for (std::size_t i = 0; i < n; ++i) {
    matrix[i * size + n + i] = 1;
    for (std::size_t j = 0; j < n; ++j) {
      matrix[(n + i) * size + j] = by_q_[i * n + j];
      matrix[(n + i) * size + n + j] = by_u_[i * n + j];
    }
  }
  for (int c = 0; c < contacts(); ++c) {
    Point& p = point(c);
    if (p.set_valued && p.mode != Mode::slip) continue;
    p.state->put(y.subspan(at(p.start), at(p.size)));
    p.state->derivatives(slip_of(c, t, q, u), law_matrix_);
    const std::size_t width = at(p.axes + p.size);
    const double spin = mechanics_.spin(c, t);
    // Row `into` of the matrix += factor · (row of the law's derivatives), by the chain rule.
    const auto add_row = [&](std::size_t into, double factor, std::size_t row) {
      for (int k = 0; k < p.axes; ++k) {
        const double by_v = factor * law_matrix_[row * width + at(k)];
        for (const Mechanics::Entry& e : mechanics_.slip_row(c, k)) {
          if (e.coordinate < 0) continue;
          matrix[into * size + n + at(e.coordinate)] += by_v * e.factor;
          // The surface below turns: slip −= spin × r.
          if (spin == 0 || k == 2) continue;
          const int other = e.coordinate + (k == 0 ? 1 : -1);
          matrix[into * size + at(other)] += by_v * e.factor * (k == 0 ? spin : -spin);
        }
      }
      for (int k = 0; k < p.size; ++k) {
        matrix[into * size + at(p.start + k)] += factor * law_matrix_[row * width + at(p.axes + k)];
      }
    };
    for (int k = 0; k < p.axes; ++k) {
      for (const Mechanics::Entry& e : mechanics_.slip_row(c, k)) {
        if (e.coordinate >= 0) add_row(n + at(e.coordinate), -e.factor, at(k));
      }
    }
    for (int k = 0; k < p.size; ++k) add_row(at(p.start + k), 1, at(p.axes + k));
  }
  accelerate(m);
}

/// Rows of a matrix that are changes of the forces on the coordinates become those of
/// accelerations.
void Dynamics::accelerate(Eigen::Ref<RowMatrix> m) noexcept {
  const auto n = at(dofs());
  const auto inverse = mechanics_.inverse_mass();
  if (!held_.empty()) {
    // Holding forces follow the others: dF = W⁺ J M⁻¹ df.
    Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(hold_.rows(), m.cols());
    Eigen::Index row = 0;
    for (const int c : held_) {
      for (int k = 0; k < point(c).axes; ++k, ++row) {
        for (const Mechanics::Entry& e : mechanics_.slip_row(c, k)) {
          if (e.coordinate < 0) continue;
          rows.row(row) += e.factor * inverse[at(e.coordinate)] *
                           m.row(static_cast<Eigen::Index>(n) + e.coordinate);
        }
      }
    }
    Eigen::MatrixXd& held = rows;  // solved in place
    for (Eigen::Index i = 0; i < m.cols(); ++i) hold_.solve({held.col(i).data(), at(hold_.rows())});
    row = 0;
    for (const int c : held_) {
      for (int k = 0; k < point(c).axes; ++k, ++row) {
        for (const Mechanics::Entry& e : mechanics_.slip_row(c, k)) {
          if (e.coordinate >= 0)
            m.row(static_cast<Eigen::Index>(n) + e.coordinate) -= e.factor * held.row(row);
        }
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    m.row(static_cast<Eigen::Index>(n + i)) *= inverse[i];
  }
}

void Dynamics::by_parameters(double t, std::span<const double> y,
                             std::span<const LawParameters> laws,
                             Eigen::Ref<RowMatrix> by) noexcept {
  t = before_horizon(t);
  by.setZero();
  for (const LawParameters& l : laws) {
    Point& p = point(l.contact);
    if (p.set_valued && p.mode == Mode::stick) continue;
    const std::size_t width = l.values.size();
    law_matrix_.resize(std::max(law_matrix_.size(), at(1 + p.size) * width));
    p.state->put(y.subspan(at(p.start), at(p.size)));
    const ContactSlip slip = slip_of(l.contact, t, q_of(y), u_of(y));
    p.state->by_parameters(p.set_valued ? asked(p, slip) : slip, l.law, l.values, law_matrix_);
    const auto add_row = [&](int into, double factor, int row) {
      for (std::size_t j = 0; j < width; ++j) {
        by(into, l.columns[j]) += factor * law_matrix_[at(row) * width + j];
      }
    };
    for (const Mechanics::Entry& e : mechanics_.slip_row(l.contact, 0)) {
      if (e.coordinate >= 0) add_row(dofs() + e.coordinate, -e.factor, 0);
    }
    for (int k = 0; k < p.size; ++k) add_row(p.start + k, 1, 1 + k);
  }
  accelerate(by);
}

void Dynamics::look(double t, std::span<const double> y) noexcept {
  // Only contacts that stick have to know the other forces.
  if (!held_.empty()) powers_ = mechanics_.applied(before_horizon(t), q_of(y), u_of(y), force_);
  evaluate_contacts(t, y);
}

Dynamics::ContactReading Dynamics::read(int contact, double t,
                                        std::span<const double> y) const noexcept {
  t = before_horizon(t);
  const Point& p = point(contact);
  ContactReading reading;
  (void)y;
  reading.slip = p.slip.v;
  reading.force = p.force;
  reading.fn = mechanics_.load(contact, t);
  reading.stored = p.state->stored(reading.fn);
  reading.sticks = p.set_valued ? p.mode == Mode::stick : p.hybrid && p.state->mode() == 0;
  return reading;
}

bool Dynamics::is_even() const noexcept {
  return mechanics_.is_even() &&
         std::all_of(points_.begin(), points_.end(), [](const Point& p) { return p.delay == 0; });
}

// ---- delayed laws -------------------------------------------------------------------------------

Planar Dynamics::lagged(const Point& p, double t, const Planar& now) const noexcept {
  if (p.past.empty()) return now;
  const double then = t - p.delay;
  if (then <= p.past.front().t) return p.past.front().v;
  const auto above = std::upper_bound(p.past.begin(), p.past.end(), then,
                                      [](double s, const Point::Past& past) { return s < past.t; });
  if (above == p.past.end()) return p.past.back().v;
  const auto below = above - 1;
  return below->v + (above->v - below->v) * ((then - below->t) / (above->t - below->t));
}

void Dynamics::note_past(double t, std::span<const double> y) {
  for (int c = 0; c < contacts(); ++c) {
    Point& p = point(c);
    if (p.delay == 0) continue;
    if (!p.past.empty() && t <= p.past.back().t) continue;
    const auto passed = static_cast<long>(stale(p, t));
    if (at(static_cast<int>(2 * passed)) > p.past.size()) {
      p.past.erase(p.past.begin(), p.past.begin() + passed);
    }
    p.past.push_back({t, mechanics_.slip(c, t, q_of(y), u_of(y))});
  }
}

/// How many of the past slips no delay reaches any more.
std::size_t Dynamics::stale(const Point& p, double t) noexcept {
  std::size_t count = 0;
  while (p.past.size() > count + 2 && p.past[count + 1].t < t - 2 * p.delay) ++count;
  return count;
}

// ---- save and restore ---------------------------------------------------------------------------

void Dynamics::reserve_past(double step) {
  for (Point& p : points_) {
    if (p.delay == 0) continue;
    p.past_saved = static_cast<std::size_t>(std::ceil(2 * p.delay / step)) + 4;
    p.past.reserve(2 * p.past_saved + 8);
  }
}

namespace {

constexpr int past_numbers = 4;
constexpr int point_numbers = 9;  // mode, along, acted, jump loss, how many past slips

}  // namespace

int Dynamics::memory() const noexcept {
  int count = 1 + mechanics_.memory();
  for (const Point& p : points_) {
    count += point_numbers + p.state->numbers() + past_numbers * static_cast<int>(p.past_saved);
  }
  return count;
}

void Dynamics::save(double*& next) const noexcept {
  *next++ = reset_loss_;
  mechanics_.save(next);
  for (const Point& p : points_) {
    *next++ = static_cast<double>(p.mode);
    for (const double number : p.along) *next++ = number;
    for (const double number : p.acted) *next++ = number;
    *next++ = p.jump_loss;
    p.state->save({next, at(p.state->numbers())});
    next += p.state->numbers();
    const std::size_t count = std::min(p.past.size(), p.past_saved);
    *next++ = static_cast<double>(count);
    for (std::size_t k = 0; k < p.past_saved; ++k) {
      const Point::Past past =
          k < count ? p.past[p.past.size() - count + k] : Point::Past{0, Planar::Zero()};
      *next++ = past.t;
      for (const double number : past.v) *next++ = number;
    }
  }
}

void Dynamics::restore(const double*& next) noexcept {
  reset_loss_ = *next++;
  mechanics_.restore(next);
  for (Point& p : points_) {
    p.mode = static_cast<Mode>(*next++);
    for (double& number : p.along) number = *next++;
    for (double& number : p.acted) number = *next++;
    p.jump_loss = *next++;
    p.state->restore({next, at(p.state->numbers())});
    next += p.state->numbers();
    const auto count = static_cast<std::size_t>(*next++);
    p.past.clear();
    for (std::size_t k = 0; k < p.past_saved; ++k, next += past_numbers) {
      if (k < count) p.past.push_back({next[0], Planar(next[1], next[2], next[3])});
    }
  }
  refactor();
}

}  // namespace bristle
