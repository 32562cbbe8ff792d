#include "bristle/solve/prescribed.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bristle/core/names.hpp"

namespace bristle {
namespace {

using Numbers = std::vector<double>;

template <int D>
std::unique_ptr<Group<D>> contact_of(const AnyLaw& law) {
  if constexpr (D == 1) {
    return law.line(1);
  } else {
    return law.plane(1);
  }
}

template <int D>
Fault fault_at(const SlipHistory<D>& history, std::size_t k, std::string message) {
  const int line = k < history.lines.size() ? history.lines[k] : 0;
  const std::string where = line > 0 ? "" : fmt::format(" (sample {})", k + 1);
  return {.message = std::move(message) + where, .file = history.file, .line = line};
}

template <int D>
void check_history(const AnyLaw& law, const SlipHistory<D>& history) {
  if (history.t.empty()) {
    throw InputError({.message = "the slip history has no samples", .file = history.file});
  }
  const std::size_t n = history.t.size();
  if (history.v.size() != n || history.fn.size() != n ||
      (!history.f_e.empty() && history.f_e.size() != n)) {
    throw InputError(
        {.message = "t, v, fn and f_e of a slip history differ in length", .file = history.file});
  }
  const StickSet stick = law.stick_set(1.0);
  for (std::size_t k = 0; k < history.t.size(); ++k) {
    const bool finite = std::isfinite(history.t[k]) && history.v[k].allFinite() &&
                        std::isfinite(history.fn[k]) &&
                        (history.f_e.empty() || history.f_e[k].allFinite());
    if (!finite) throw InputError(fault_at(history, k, "not a finite number"));
    if (k > 0 && !(history.t[k] > history.t[k - 1])) {
      Fault fault = fault_at(history, k, "time does not increase");
      fault.key = "t";
      fault.value = fmt::format("{:.17g}", history.t[k]);
      fault.expected = fmt::format("more than {:.17g}", history.t[k - 1]);
      throw InputError(fault);
    }
    if (!(history.fn[k] >= 0.0)) {
      Fault fault = fault_at(history, k, "a normal load cannot pull");
      fault.key = "fn";
      fault.value = fmt::format("{:.17g}", history.fn[k]);
      fault.expected = "a load of at least 0 N";
      throw InputError(fault);
    }
    const bool rests =
        D == 1 ? stick.rests(history.v[k][0]) : norm<double, D>(history.v[k]) <= stick.band;
    if (law.info().can(Capability::set_valued) && history.f_e.empty() && rests) {
      Fault fault = fault_at(
          history, k,
          fmt::format("law '{}' is set-valued: at |v| <= {:g} m/s its friction is whatever holds "
                      "the contact, which only the force f_e can tell",
                      law.name(), stick.band));
      fault.key = "fe";
      fault.expected = "a column 'fe' with the holding force in N, or a history that never rests";
      throw InputError(fault);
    }
  }
}

/// Linear interpolation of slip, load and holding force, and of the slip a delay ago.
template <int D>
class Interpolant {
 public:
  Interpolant(const SlipHistory<D>& history, double delay) : h_(history), delay_(delay) {}

  /// The slip at time s, known to lie between samples k and k + 1.
  Slip<double, D> at(std::size_t k, double s) const {
    Slip<double, D> slip;
    const std::size_t next = std::min(k + 1, h_.t.size() - 1);
    const double share = next == k ? 0.0 : (s - h_.t[k]) / (h_.t[next] - h_.t[k]);
    slip.v = h_.v[k] + (h_.v[next] - h_.v[k]) * share;
    slip.fn = h_.fn[k] + (h_.fn[next] - h_.fn[k]) * share;
    if (!h_.f_e.empty()) slip.f_e = h_.f_e[k] + (h_.f_e[next] - h_.f_e[k]) * share;
    slip.v_lag = delay_ > 0.0 ? lagged(s - delay_) : slip.v;
    return slip;
  }

 private:
  Tangent<double, D> lagged(double s) const {
    if (s <= h_.t.front()) return h_.v.front();
    const auto above = std::upper_bound(h_.t.begin(), h_.t.end(), s);
    const auto k = static_cast<std::size_t>(above - h_.t.begin()) - 1;
    if (k + 1 >= h_.t.size()) return h_.v.back();
    const double share = (s - h_.t[k]) / (h_.t[k + 1] - h_.t[k]);
    return h_.v[k] + (h_.v[k + 1] - h_.v[k]) * share;
  }

  const SlipHistory<D>& h_;
  double delay_;
};

/// One contact on its way, with its energy books.
template <int D>
class Runner {
 public:
  using Vector = Tangent<double, D>;
  using Contact = Slip<double, D>;

  Runner(const AnyLaw& law, const SlipHistory<D>& history, const PrescribedOptions& options)
      : history_(history),
        options_(options),
        path_(history, law.delay()),
        group_(contact_of<D>(law)),
        columns_(group_->columns()),
        size_(static_cast<std::size_t>(group_->state_size())),
        before_(size_),
        rate_(size_),
        stage_(size_),
        sum_(size_) {
    if (options.substeps < 1) {
      throw InputError({.message = "a run needs at least one step per sample",
                        .key = "substeps",
                        .value = fmt::format("{}", options.substeps),
                        .expected = "a whole number of at least 1"});
    }
    hybrid_ = law.info().can(Capability::hybrid);
    mode_ = column("mode");
    load_stiff_ = stiffens();
    start();
  }

  Trace<D> run() {
    Trace<D> trace;
    trace.columns = columns_;
    trace.state.resize(size_);
    record(trace, 0);
    for (std::size_t k = 0; k + 1 < history_.t.size(); ++k) {
      const double h = (history_.t[k + 1] - history_.t[k]) / options_.substeps;
      for (int i = 0; i < options_.substeps; ++i) step(k, history_.t[k] + i * h, h, trace);
      record(trace, k + 1);
    }
    close_books(trace);
    return trace;
  }

 private:
  std::size_t column(std::string_view name) const {
    for (std::size_t i = 0; i < size_; ++i) {
      if (columns_[i].name == name) return i;
    }
    return size_;
  }
  void start() {
    group_->reset(0, history_.fn.front());
    Numbers numbers(size_);
    group_->save(0, numbers);
    std::vector<std::string> names;
    names.reserve(columns_.size());
    for (const StateColumn& c : columns_) names.push_back(c.name);
    for (const auto& [name, value] : options_.initial) {
      const std::size_t i = column(name);
      if (i == size_) {
        throw InputError({.message = "no such state",
                          .key = name,
                          .expected = fmt::format("one of {}", fmt::join(names, ", ")),
                          .nearest = nearest_name(name, names)});
      }
      numbers[i] = value;
    }
    group_->restore(0, numbers);
    last_load_ = history_.fn.front();
    started_ = group_->stored(0, last_load_);
  }

  Vector force(const Contact& slip) const {
    Vector f;
    group_->force({&slip, 1}, {&f, 1});
    return f;
  }
  /// Without a measured holding force a hybrid law rests at the friction it has.
  void complete(Contact& slip) const {
    if (hybrid_ && history_.f_e.empty()) slip.f_e = last_force_;
  }

  void step(std::size_t k, double t, double h, Trace<D>& trace) {
    if (options_.method == PrescribedOptions::Method::rk4) {
      runge_kutta(k, t, h);
    } else {
      frozen_step(k, t, h, trace);
    }
  }

  /// The law's own step in two halves, so that work and losses can be integrated by Simpson's rule.
  void frozen_step(std::size_t k, double t, double h, Trace<D>& trace) {
    Contact slip = path_.at(k, t + h / 2);
    complete(slip);
    relax(slip.fn);
    const double stored0 = group_->stored(0, slip.fn);
    group_->jump(0, slip);
    group_->save(0, before_);
    jumps_ += stored0 - group_->stored(0, slip.fn);
    note_mode(t, trace);
    const Books first = books(slip);
    group_->advance({&slip, 1}, h / 2);
    const Books middle = books(slip);
    group_->advance({&slip, 1}, h / 2);
    const Books last = books(slip);
    work_ += h / 6 * (first.power + 4 * middle.power + last.power);
    dissipated_ += h / 6 * (first.loss + 4 * middle.loss + last.loss);
    if (hybrid_) book_jumps(slip, h);
    last_force_ = force(slip);
    note_mode(t + h, trace);
  }
  /// What the bristles no longer carry under a smaller load is dissipated at once; where the
  /// stiffness itself goes with the load, the change of stored energy is the load's.
  void relax(double fn) {
    const double before = group_->stored(0, last_load_);
    group_->relax(0, fn);
    (load_stiff_ ? load_ : dissipated_) += before - group_->stored(0, fn);
    last_load_ = fn;
  }
  /// True if the same deflection stores more under a larger load.
  bool stiffens() const {
    Contact creep;
    creep.v[0] = 1e-12;
    group_->reset(0, 1.0);
    group_->advance({&creep, 1}, 1.0);
    const double light = group_->stored(0, 1.0), heavy = group_->stored(0, 2.0);
    return std::abs(heavy - light) > 1e-9 * light;
  }
  struct Books {
    double power, loss;
  };
  Books books(const Contact& slip) const {
    return {force(slip).dot(slip.v), group_->dissipation(0, slip)};
  }
  /// What the state would hold had it followed its rate, less what it holds: lost in jumps where
  /// the mode or a counter has changed, else put in by a load that grew under a sliding bristle.
  void book_jumps(const Contact& slip, double h) {
    group_->save(0, stage_);
    bool changed = false;
    for (std::size_t i = 0; i < size_; ++i) {
      changed |= columns_[i].discrete && stage_[i] != before_[i];
    }
    const double after = group_->stored(0, slip.fn);
    group_->restore(0, before_);
    group_->rate(0, slip, rate_);
    for (std::size_t i = 0; i < size_; ++i) {
      sum_[i] = before_[i] + (columns_[i].discrete ? 0.0 : h * rate_[i]);
    }
    group_->restore(0, sum_);
    (changed ? jumps_ : load_) += group_->stored(0, slip.fn) - after;
    group_->restore(0, stage_);
  }

  void runge_kutta(std::size_t k, double t, double h) {
    static constexpr std::array<double, 4> at{0.0, 0.5, 0.5, 1.0};
    static constexpr std::array<double, 4> weight{1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    group_->save(0, before_);
    sum_ = before_;
    for (std::size_t s = 0; s < 4; ++s) {
      for (std::size_t i = 0; i < size_; ++i)
        stage_[i] = before_[i] + (s > 0 ? at[s] * h * rate_[i] : 0.0);
      group_->restore(0, stage_);
      const Contact slip = path_.at(k, t + at[s] * h);
      const Books b = books(slip);
      work_ += h * weight[s] * b.power;
      dissipated_ += h * weight[s] * b.loss;
      group_->rate(0, slip, rate_);
      for (std::size_t i = 0; i < size_; ++i) sum_[i] += h * weight[s] * rate_[i];
    }
    group_->restore(0, sum_);
    relax(path_.at(k, t + h).fn);
  }

  void note_mode(double t, Trace<D>& trace) {
    if (mode_ == size_) return;
    group_->save(0, stage_);
    const int now = static_cast<int>(stage_[mode_]);
    if (known_mode_ >= 0 && now != known_mode_) trace.events.push_back({t, now});
    known_mode_ = now;
  }

  void record(Trace<D>& trace, std::size_t k) {
    Contact slip = path_.at(k, history_.t[k]);
    complete(slip);
    const Vector f = force(slip);
    relax(slip.fn);
    group_->save(0, stage_);
    const double stored = group_->stored(0, history_.fn[k]);
    bool finite = f.allFinite() && std::isfinite(work_ + dissipated_ + stored);
    for (std::size_t i = 0; i < size_; ++i) {
      finite = finite && std::isfinite(stage_[i]);
      trace.state[i].push_back(stage_[i]);
    }
    if (!finite) {
      throw std::runtime_error(
          fmt::format("the state is no longer finite at t = {:.17g} s: the step is too long for "
                      "this method, or "
                      "a parameter too large; use more substeps or the method 'advance'",
                      history_.t[k]));
    }
    trace.force.push_back(f);
    trace.work.push_back(work_);
    trace.dissipated.push_back(dissipated_);
    trace.stored.push_back(stored);
  }

  void close_books(Trace<D>& trace) const {
    EnergyAudit& audit = trace.audit;
    audit.work = work_;
    audit.stored = trace.stored.back() - started_;
    audit.dissipated = dissipated_;
    audit.jumps = jumps_;
    audit.load = load_;
    const double largest =
        std::max({std::abs(audit.work), std::abs(audit.stored), std::abs(audit.dissipated),
                  std::abs(audit.jumps), std::abs(audit.load)});
    const double gap = audit.work - audit.stored - audit.dissipated - audit.jumps - audit.load;
    audit.relative_error = largest > 0 ? std::abs(gap) / largest : 0.0;
  }

  const SlipHistory<D>& history_;
  const PrescribedOptions& options_;
  Interpolant<D> path_;
  std::unique_ptr<Group<D>> group_;
  std::vector<StateColumn> columns_;
  std::size_t size_;
  Numbers before_, rate_, stage_, sum_;
  Vector last_force_ = zero<double, D>();
  double work_ = 0, dissipated_ = 0, jumps_ = 0, load_ = 0, started_ = 0, last_load_ = 0;
  bool load_stiff_ = false;
  bool hybrid_ = false;
  std::size_t mode_ = 0;
  int known_mode_ = -1;
};

}  // namespace

template <int D>
Trace<D> run_prescribed(const AnyLaw& law, const SlipHistory<D>& history,
                        const PrescribedOptions& options) {
  if (options.method == PrescribedOptions::Method::rk4) {
    require(law, Capability::smooth, "the Runge–Kutta method");
  }
  check_history(law, history);
  return Runner<D>(law, history, options).run();
}

template <int D>
StepError step_error(const AnyLaw& law, const SlipHistory<D>& history,
                     const PrescribedOptions& options) {
  if (law.info().can(Capability::random)) return {std::nan(""), std::nan("")};
  PrescribedOptions finer = options;
  finer.substeps *= 2;
  const Trace<D> coarse = run_prescribed(law, history, options);
  const Trace<D> fine = run_prescribed(law, history, finer);
  double largest = 0;
  for (std::size_t k = 0; k < coarse.force.size(); ++k) {
    largest = std::max(largest, norm<double, D>(coarse.force[k] - fine.force[k]));
  }
  const double work = std::abs(coarse.audit.work - fine.audit.work);
  const double size = std::max(std::abs(coarse.audit.work), std::abs(fine.audit.work));
  return {largest, size > 0 ? work / size : 0.0};
}

template Trace<1> run_prescribed(const AnyLaw&, const SlipHistory<1>&, const PrescribedOptions&);
template Trace<2> run_prescribed(const AnyLaw&, const SlipHistory<2>&, const PrescribedOptions&);
template StepError step_error(const AnyLaw&, const SlipHistory<1>&, const PrescribedOptions&);
template StepError step_error(const AnyLaw&, const SlipHistory<2>&, const PrescribedOptions&);

}  // namespace bristle
