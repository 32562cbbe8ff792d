#include "recorder.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bristle/core/index.hpp"

namespace bristle::detail {
namespace {

/// Golden-section search: two points inside an interval, of which each step gives up an end.
template <class F>
class GoldenSection {
 public:
  double f1 = 0, f2 = 0;

  GoldenSection(double low, double high, F f)
      : f_(f),
        lo_(low),
        hi_(high),
        t1_(high - golden * (high - low)),
        t2_(low + golden * (high - low)) {
    f1 = f_(t1_);
    f2 = f_(t2_);
  }
  void keep_low_side() {
    hi_ = t2_;
    t2_ = t1_;
    f2 = f1;
    t1_ = hi_ - golden * (hi_ - lo_);
    f1 = f_(t1_);
  }
  void keep_high_side() {
    lo_ = t1_;
    t1_ = t2_;
    f1 = f2;
    t2_ = lo_ + golden * (hi_ - lo_);
    f2 = f_(t2_);
  }

 private:
  static constexpr double golden = 0.6180339887498949;
  F f_;
  double lo_, hi_, t1_, t2_;
};

}  // namespace

// ---- following a run ----------------------------------------------------------------------------

Recorder::Extreme::Extreme(std::size_t where, std::string low_name, std::string high_name,
                           bool absolute)
    : column(where),
      low(std::move(low_name)),
      high(std::move(high_name)),
      magnitude(absolute),
      min(std::numeric_limits<double>::infinity()),
      max(-std::numeric_limits<double>::infinity()) {}

Recorder::Recorder(Dynamics& dynamics, const RunOptions& options)
    : f_(dynamics),
      options_(options),
      columns_(dynamics),
      rows_(columns_.list(), options),
      y_(at(dynamics.size())),
      work_(at(dynamics.quadratures())),
      y_at_(y_.size()),
      work_at_(work_.size()),
      window_end_(options.metrics.to) {
  const MetricOptions& m = options.metrics;
  const Rig& rig = f_.mechanics().rig();
  const int contacts = f_.contacts(), bodies = static_cast<int>(rig.bodies.size());
  for (int c = 0; c < contacts; ++c) {
    extremes_.emplace_back(*columns_.find(numbered("F", c, contacts)), "",
                           numbered("peak_friction", c, contacts), true);
  }
  for (const std::string& name : m.extremes) {
    extremes_.emplace_back(column_at(rows_.columns(), name, "metrics.extremes"), name + "_min",
                           name + "_max");
  }
  if (contacts > 0) {
    slip_plane_ = f_.mechanics().axes(m.contact) > 1;
    if (const auto& area = rig.contacts[at(m.contact)].area) spin_length_ = area->length();
    const std::string slip = numbered("slip", m.contact, contacts);
    slip_at_ = *columns_.find(slip_plane_ ? slip + "x" : slip);
    force_at_ = *columns_.find(numbered("F", m.contact, contacts));
    // On a belt or plate slip is counted in both directions, over a surface at rest forwards only.
    const Contact& contact = rig.contacts[at(m.contact)];
    slip_signed_ = contact.b.is_body || rig.frames[at(contact.b.index)].velocity[0].is_zero();
  }
  if (m.cycle_body >= 0 && m.cycle_body < bodies) {
    cycle_plane_ = rig.bodies[at(m.cycle_body)].axes > 1;
    const bool turns = rig.bodies[at(m.cycle_body)].rotational;
    cycle_x_ = *columns_.find(numbered(turns ? "phi" : "x", m.cycle_body, bodies));
    cycle_v_ = *columns_.find(
        numbered(cycle_plane_ ? "vx" : (turns ? "omega" : "v"), m.cycle_body, bodies));
    // In the plane: along the way the surface below it goes.
    if (cycle_plane_ && contacts > 0) {
      const Planar way = f_.mechanics().velocity(rig.contacts[at(m.contact)].b, 0, {});
      if (way.head<2>().norm() > 0) heading_ = way.head<2>().normalized();
    }
  }
  for (const Body& body : rig.bodies) body_columns_ += 2 * at(body.axes);
}

void Recorder::start(double t, std::span<const double> y, std::span<const double> work) {
  const auto q = y.first(at(f_.dofs()));
  kinetic0_ = f_.mechanics().kinetic(y.subspan(at(f_.dofs()), at(f_.dofs())));
  springs0_ = f_.mechanics().stored(t, q);
  largest_ = std::max(kinetic0_, springs0_);
  stored0_.clear();
  f_.look(t, y);
  for (int c = 0; c < f_.contacts(); ++c) stored0_.push_back(f_.read(c, t, y).stored);
  columns_.fill(f_, t, y, work, 0, last_.row);
  last_.t = t;
  rows_.start(last_.row);
  if (t >= options_.metrics.from) {
    for (Extreme& extreme : extremes_) offer(extreme, t, last_.row);
  }
  armed_ = slip_speed(last_.row) < options_.metrics.slip_speed;
}

void Recorder::jumped(double t, std::span<const double> y, std::span<const double> work) {
  columns_.fill(f_, t, y, work, gap_, last_.row);
  last_.t = t;
  rows_.jumped(t, last_.row);
  if (options_.metrics.orbit && f_.contacts() > 0 && f_.is_set_valued(options_.metrics.contact)) {
    follow_orbit(t, last_.row, f_.mode(options_.metrics.contact) != Mode::stick);
  }
  if (t >= options_.metrics.from && t <= window_end_) {
    for (Extreme& extreme : extremes_) offer(extreme, t, last_.row);
  }
}

const Row& Recorder::reading(double t, Integrator& integrator) {
  integrator.at(t, y_at_, work_at_);
  columns_.fill(f_, t, y_at_, work_at_, gap_, row_);
  return row_;
}

void Recorder::step(Integrator& integrator, double from, double to) {
  if (!(to > from)) return;
  integrator.at(to, y_, work_);
  balance(to, y_, work_);
  const bool fixed = !integrator.locates_events();
  const auto read = [&](double t) -> const Row& {
    f_.show_acted(fixed && t < to - 1e-9 * (to - from));
    const Row& row = reading(t, integrator);
    f_.show_acted(false);
    return row;
  };
  rows_.until(to, read, fixed);
  end_.t = to;
  end_.row = reading(to, integrator);
  if (!integrator.locates_events()) {  // a straight line has nothing in its middle
    watch_crossings(integrator, last_, end_);
    for (Extreme& extreme : extremes_) {
      if (to >= options_.metrics.from && to <= window_end_) offer(extreme, to, end_.row);
    }
    std::swap(last_, end_);
    return;
  }
  watch_crossings(integrator, last_, end_);
  if (may_peak(last_, end_)) {
    middle_.t = from + (to - from) / 2;
    middle_.row = reading(middle_.t, integrator);
    watch_extremes(integrator, last_, middle_, end_);
  } else if (to >= options_.metrics.from && to <= window_end_) {
    for (Extreme& extreme : extremes_) offer(extreme, to, end_.row);
  }
  std::swap(last_, end_);
}

// ---- extremes -----------------------------------------------------------------------------------

void Recorder::offer(Extreme& extreme, double t, const Row& row) const {
  const double raw = row[extreme.column], value = extreme.magnitude ? std::abs(raw) : raw;
  // The first of equal peaks: a later one has to be higher by more than rounding.
  if (value > extreme.max + 1e-10 * std::abs(extreme.max) || !std::isfinite(extreme.max)) {
    extreme.max = value;
    extreme.t_max = t;
    extreme.x_max = row.size() > 1 ? row[1] : 0;
  }
  if (value < extreme.min) {
    extreme.min = value;
    extreme.t_min = t;
  }
}

/// False where no extreme can hide inside a step: the values stay well within those known, or go on
/// as in the step before.
bool Recorder::may_peak(const Sampled& a, const Sampled& b) {
  bool possible = false;
  for (Extreme& extreme : extremes_) {
    const double fa = a.row[extreme.column], fb = b.row[extreme.column];
    const double slope = (fb - fa) / (b.t - a.t), before = extreme.slope;
    extreme.slope = slope;
    const double reach = 2 * std::abs(fb - fa), size = std::max(std::abs(fa), std::abs(fb));
    const bool within = extreme.magnitude ? size + reach < 0.98 * extreme.max
                                          : std::max(fa, fb) + reach < extreme.max &&
                                                std::min(fa, fb) - reach > extreme.min;
    const bool steady =
        std::abs(slope - before) < 0.3 * std::min(std::abs(slope), std::abs(before));
    possible |= !within && !steady;
  }
  return possible;
}

/// A parabola through both ends and the middle shows where to look for an extreme between them.
void Recorder::watch_extremes(Integrator& integrator, const Sampled& a, const Sampled& m,
                              const Sampled& b) {
  const MetricOptions& metrics = options_.metrics;
  if (b.t < metrics.from || a.t > window_end_) return;
  for (Extreme& extreme : extremes_) {
    for (const Sampled* s : {&a, &m, &b}) {
      if (s->t >= metrics.from && s->t <= window_end_) offer(extreme, s->t, s->row);
    }
    const auto value = [&](const Row& row) {
      return extreme.magnitude ? std::abs(row[extreme.column]) : row[extreme.column];
    };
    const double fa = value(a.row), fm = value(m.row), fb = value(b.row);
    const double bend = fa - 2 * fm + fb;
    if (bend == 0) continue;
    const double vertex = 0.5 - 0.25 * (fb - fa) / bend;
    if (!(vertex > 0 && vertex < 1)) continue;
    const double reach = fm - (fb - fa) * (fb - fa) / (8 * bend);
    if (!(reach > extreme.max || reach < extreme.min)) continue;
    const double t = a.t + vertex * (b.t - a.t);
    if (t < metrics.from || t > window_end_) continue;
    offer(extreme, t, reading(t, integrator));
  }
  for (Extreme& extreme : extremes_) {
    if (extreme.magnitude && a.t >= metrics.from && b.t <= window_end_) {
      refine_peak(integrator, extreme, a, m, b);
    }
  }
}

/// Friction peaks in corners, which no parabola shows: a golden-section search where the values at
/// five points leave room for a new peak.
void Recorder::refine_peak(Integrator& integrator, Extreme& extreme, const Sampled& a,
                           const Sampled& m, const Sampled& b) {
  const auto value = [&](const Row& row) { return std::abs(row[extreme.column]); };
  const double fa = value(a.row), fm = value(m.row), fb = value(b.row);
  const double best = std::max({fa, fm, fb}), spread = best - std::min({fa, fm, fb});
  if (best + spread <= extreme.max || spread <= 1e-13 * best) return;
  // On a steady way up or down there is no peak inside, and a parabola has found a smooth one.
  const double rise = fm - fa, further = fb - fm;
  if (std::abs(rise - further) <= 0.5 * std::min(std::abs(rise), std::abs(further))) return;
  const auto f = [&](double t) {
    const Row& row = reading(t, integrator);
    offer(extreme, t, row);
    return value(row);
  };
  const double lo = fa >= fm && fa >= fb ? a.t : (fb >= fm ? m.t : a.t);
  const double hi = fa >= fm && fa >= fb ? m.t : b.t;
  GoldenSection search(lo, hi, f);
  for (int i = 0; i < 40 && std::max({search.f1, search.f2, best}) + spread > extreme.max; ++i) {
    search.f1 >= search.f2 ? search.keep_low_side() : search.keep_high_side();
    if (std::abs(search.f1 - search.f2) <= 1e-14 * best) break;
  }
}

// ---- crossings ----------------------------------------------------------------------------------

double Recorder::slip_speed(const Row& row) const {
  if (f_.contacts() == 0) return 0;
  if (spin_length_ > 0) {
    return std::hypot(row[slip_at_], row[slip_at_ + 1], spin_length_ * row[slip_at_ + 2]);
  }
  if (slip_plane_) return std::hypot(row[slip_at_], row[slip_at_ + 1]);
  return slip_signed_ ? row[slip_at_] : std::abs(row[slip_at_]);
}
double Recorder::cycle_speed(const Row& row) const {
  return cycle_plane_ ? row[cycle_v_] * heading_[0] + row[cycle_v_ + 1] * heading_[1]
                      : row[cycle_v_];
}
double Recorder::cycle_position(const Row& row) const {
  return cycle_plane_ ? row[cycle_x_] * heading_[0] + row[cycle_x_ + 1] * heading_[1]
                      : row[cycle_x_];
}

template <class F>
double Recorder::crossing(Integrator& integrator, const Sampled& a, const Sampled& b, F&& f) {
  double lo = a.t, hi = b.t, flo = f(a.row), fhi = f(b.row);
  int side = 0;
  // Illinois: regula falsi that halves the end that stays.
  for (int i = 0; i < 60 && hi - lo > 1e-14 * std::max(1.0, std::abs(hi)); ++i) {
    double t = (lo * fhi - hi * flo) / (fhi - flo);
    if (!(t > lo && t < hi)) t = lo + (hi - lo) / 2;
    const double value = f(reading(t, integrator));
    if (value == 0) return t;
    if ((value > 0) == (fhi > 0)) {
      hi = t;
      fhi = value;
      if (side == 1) flo /= 2;
      side = 1;
    } else {
      lo = t;
      flo = value;
      if (side == -1) fhi /= 2;
      side = -1;
    }
  }
  return hi;
}

/// Whether the slip speed falls below a level and rises again between two ends: golden section,
/// down to where what is left could not reach it.
bool Recorder::dips_below(Integrator& integrator, const Sampled& a, const Sampled& b,
                          double level) {
  const auto f = [&](double t) { return slip_speed(reading(t, integrator)); };
  const double fa = slip_speed(a.row), fb = slip_speed(b.row), lowest = std::min(fa, fb);
  // A step follows the speed closely: it cannot halve and come back within one.
  if (lowest > 2 * level) return false;
  GoldenSection search(a.t, b.t, f);
  const auto found = [&] { return std::min(search.f1, search.f2); };
  for (int i = 0; i < 40 && found() >= level; ++i) {
    if (i == 0 && found() >= lowest) return false;  // falls or rises all the way
    if (std::abs(search.f1 - search.f2) <= 1e-9 * level) return false;
    search.f1 <= search.f2 ? search.keep_low_side() : search.keep_high_side();
  }
  return found() < level;
}

void Recorder::watch_crossings(Integrator& integrator, const Sampled& a, const Sampled& b) {
  const MetricOptions& m = options_.metrics;
  if (m.slip_speed > 0) {
    const auto over = [&](const Row& row) { return slip_speed(row) - m.slip_speed; };
    const bool by_mode = f_.is_set_valued(m.contact) && integrator.locates_events();
    const bool by_speed = m.orbit && !by_mode;
    if (by_speed && over(a.row) >= 0 && over(b.row) < 0) {
      const double t = crossing(integrator, a, b, over);
      follow_orbit(t, reading(t, integrator), false);
    }
    if (over(a.row) < 0 && over(b.row) >= 0) {
      const double t = crossing(integrator, a, b, over);
      pending_slip_ = t;
      if (by_speed) follow_orbit(t, reading(t, integrator), true);
      if (!firsts_.contains("first_slip_time")) {
        const Row& row = reading(t, integrator);
        pending_ = {std::abs(row[force_at_]), row[1], row};
      }
    }
    // Creep that only comes up to the speed crosses it by rounding: no slip.
    if (pending_slip_ >= 0 && over(b.row) > 1e-6 * m.slip_speed) {
      note_slip();
    } else if (over(b.row) < 0) {
      pending_slip_ = -1;
    }
    if (slip_speed(b.row) < m.slip_speed / 4) armed_ = true;
    if (!armed_ && over(b.row) < 0) armed_ = dips_below(integrator, a, b, m.slip_speed / 4);
  }
  if (m.cycle_body >= 0) {
    const auto v = [&](const Row& row) { return cycle_speed(row); };
    const double va = v(a.row), vb = v(b.row);
    if ((va > 0 && vb <= 0) || (va < 0 && vb >= 0)) {
      const double t = vb == 0 ? b.t : crossing(integrator, a, b, v);
      turns_.push_back({t, cycle_position(reading(t, integrator)), va > 0});
    }
  }
  if (f_.contacts() == 0) return;
  for (const double level : m.force_levels) {
    const auto over = [&](const Row& row) { return std::abs(row[force_at_]) - level; };
    const std::string name = fmt::format("x_at_F_{:g}", level);
    if (firsts_.contains(name) || !(over(a.row) < 0 && over(b.row) >= 0)) continue;
    firsts_[name] = reading(crossing(integrator, a, b, over), integrator)[1];
  }
  for (const double speed : m.at_speeds) {
    if (a.t < m.from || b.t > m.to) continue;
    const auto over = [&](const Row& row) { return row[slip_at_] - speed; };
    const bool up = over(a.row) < 0 && over(b.row) >= 0, down = over(a.row) > 0 && over(b.row) <= 0;
    if (!up && !down) continue;
    const double force = reading(crossing(integrator, a, b, over), integrator)[force_at_];
    firsts_[fmt::format("F_{}_{:g}", up ? "up" : "down", speed)] = force;
  }
}

void Recorder::note_slip() {
  const double t = pending_slip_;
  pending_slip_ = -1;
  if (!firsts_.contains("first_slip_time")) {
    firsts_["first_slip_time"] = t;
    firsts_["first_slip_friction"] = pending_.friction;
    firsts_["first_slip_position"] = pending_.position;
    double source = 0;
    for (const Force& force : f_.mechanics().rig().forces) source += force.force[0].value(t);
    if (!f_.mechanics().rig().forces.empty()) firsts_["first_slip_force"] = source;
    if (options_.metrics.until_first_slip) {
      window_end_ = std::min(window_end_, t);
      for (Extreme& extreme : extremes_) offer(extreme, t, pending_.row);
    }
  }
  if (armed_) slip_times_.push_back(t);
  armed_ = false;
}

// ---- energy -------------------------------------------------------------------------------------

void Recorder::balance(double t, std::span<const double> y, std::span<const double> work) {
  const double kinetic = f_.mechanics().kinetic(y.subspan(at(f_.dofs()), at(f_.dofs())));
  const double springs = f_.mechanics().stored(t, y.first(at(f_.dofs())));
  double friction = 0;
  double held = 0;  // at most: some of it may have been lost in jumps
  for (int c = 0; c < f_.contacts(); ++c) {
    friction += work[at(2 + 2 * c)];
    held += std::max(0.0, work[at(2 + 2 * c)] - work[at(3 + 2 * c)]);
  }
  rise_.look(t, kinetic + springs - work[0], held);
  const double gap = work[0] - (kinetic - kinetic0_) - (springs - springs0_) - friction - work[1] -
                     f_.reset_loss();
  gap_ = std::max(gap_, std::abs(gap));
  largest_ = std::max({largest_, std::abs(work[0]), kinetic, springs, std::abs(friction),
                       std::abs(work[1]), std::abs(f_.reset_loss())});
}

void Recorder::finish_energy(RunResult& result) {
  EnergyBooks& books = result.energy;
  const auto last = [&](const char* name) { return rows_[*columns_.find(name)].back(); };
  books.input = last("W_input");
  books.kinetic = last("E_kinetic");
  books.stored = last("E_stored");
  books.damped = last("W_damper");
  books.springs = books.stored;
  books.reset_loss = f_.reset_loss();
  books.dissipated = books.damped + books.reset_loss;
  books.relative_error = largest_ > 0 ? gap_ / largest_ : 0;
  books.largest = largest_;
  books.gain = rise_.gain();
  books.gain_t = rise_.at();
  f_.look(result.t_end, y_);
  for (int c = 0; c < f_.contacts(); ++c) {
    EnergyBooks::OfContact contact;
    contact.work = work_[at(2 + 2 * c)];
    contact.dissipated = contact.by_friction = work_[at(3 + 2 * c)];
    contact.jumps = f_.jump_loss(c);
    contact.bristles = f_.friction(c).size() > 0;
    const double stored = f_.read(c, result.t_end, y_).stored;
    contact.stored = stored - stored0_[at(c)];
    books.springs -= stored;
    const double gap = contact.work - contact.stored - contact.dissipated - contact.jumps;
    const double size = std::max({std::abs(contact.work), std::abs(contact.stored),
                                  std::abs(contact.dissipated), std::abs(contact.jumps)});
    contact.split_error = size > 0 ? std::abs(gap) / size : 0;
    books.dissipated += contact.work - contact.stored;
    books.contacts.push_back(contact);
  }
}

// ---- the end ------------------------------------------------------------------------------------

void Recorder::finish_cycle(RunResult& result) const {
  std::vector<double> high_t, high_x, low_x;
  for (const Turn& turn : turns_) {
    if (turn.high) {
      high_t.push_back(turn.t);
      high_x.push_back(turn.x);
    } else {
      low_x.push_back(turn.x);
    }
  }
  result.lists["turn_times"] = high_t;
  result.lists["x_max"] = high_x;
  result.lists["x_min"] = low_x;
  if (high_t.size() < 2) return;
  const double period = high_t.back() - high_t[high_t.size() - 2];
  result.metrics["period"] = period;
  // Over the last quarter of the run, or the last period if that is longer.
  const double from = std::min(0.75 * result.t_end, high_t.back() - 1.01 * period);
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Turn& turn : turns_) {
    if (turn.t < from) continue;
    low = std::min(low, turn.x);
    high = std::max(high, turn.x);
  }
  result.metrics["amplitude"] = (high - low) / 2;
}

// ---- periodic motions ---------------------------------------------------------------------------

void Recorder::follow_orbit(double t, const Row& row, bool slips) {
  if (!slips) {
    orbit_.stick(t);
  } else {
    orbit_.slip(t, {row.begin() + 1, row.begin() + 1 + static_cast<long>(body_columns_)});
  }
}

/// Distances on the section are measured by how far each coordinate moves in the second half.
void Recorder::finish_orbit(RunResult& result) const {
  std::vector<double> scale;
  const auto half = static_cast<long>(rows_[0].size() / 2);
  for (std::size_t k = 1; k <= body_columns_; ++k) {
    const auto [low, high] = std::minmax_element(rows_[k].begin() + half, rows_[k].end());
    scale.push_back(*high - *low);
  }
  orbit_.report(scale, result.metrics, result.lists);
}

/// ∮F dv from the samples of the window: over whole periods the trapezoidal rule loses nothing.
double Recorder::loop_area() const {
  const MetricOptions& m = options_.metrics;
  const std::vector<double>&t = rows_[0], &v = rows_[slip_at_], &force = rows_[force_at_];
  double area = 0;
  for (std::size_t k = 1; k < t.size(); ++k) {
    if (t[k - 1] < m.from - rows_.interval() / 2 || t[k] > m.to) continue;
    area += (force[k] + force[k - 1]) / 2 * (v[k] - v[k - 1]);
  }
  return area;
}

void Recorder::finish(RunResult& result) {
  const MetricOptions& m = options_.metrics;
  rows_.finish(result.t_end, last_.row);
  if (m.slip_speed > 0) {
    result.metrics["slip_count"] = static_cast<double>(slip_times_.size());
    if (slip_times_.empty()) result.metrics["first_slip_time"] = std::nan("");
    result.lists["slip_times"] = slip_times_;
  }
  for (const auto& [name, value] : firsts_) result.metrics[name] = value;
  for (const Extreme& extreme : extremes_) {
    if (!std::isfinite(extreme.max)) continue;
    if (!extreme.low.empty()) result.metrics[extreme.low] = extreme.min;
    result.metrics[extreme.high] = extreme.max;
    if (extreme.magnitude) {
      result.metrics[extreme.high + "_time"] = extreme.t_max;
      result.metrics[extreme.high + "_position"] = extreme.x_max;
    }
  }
  if (m.cycle_body >= 0) finish_cycle(result);
  if (m.orbit) finish_orbit(result);
  if (m.loop_area) result.metrics["loop_area"] = loop_area();
  if (!m.force_levels.empty() && rows_[0].size() > 2) {
    // dF/dx at the start, from the first two samples extrapolated to none.
    const auto secant = [&](std::size_t k) {
      return (rows_[force_at_][k] - rows_[force_at_][0]) / (rows_[1][k] - rows_[1][0]);
    };
    result.metrics["initial_stiffness"] = 2 * secant(1) - secant(2);
  }
  finish_energy(result);
  result.columns = rows_.take();
}

}  // namespace bristle::detail
