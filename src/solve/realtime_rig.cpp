// A rig at a fixed rate: the event loop of a run (event_loop.cpp) for fixed steps, in memory that
// is there from the start.

#include <cmath>

#include "bristle/core/index.hpp"
#include "columns.hpp"
#include "fixed_step.hpp"
#include "methods.hpp"
#include "realtime_core.hpp"

namespace bristle::detail {
namespace {

std::unique_ptr<FixedStep> make_step(Dynamics& dynamics, const RealTimeOptions& options) {
  RunOptions run;
  run.step = 1 / options.rate;
  run.budget = options.budget;
  const std::string method = options.method == "auto" ? "bristle" : options.method;
  // Methods that pass check_realtime are fixed steps.
  return std::unique_ptr<FixedStep>(
      static_cast<FixedStep*>(make_integrator(dynamics, method, run).release()));
}

class RigCore final : public RealTimeCore {
 public:
  RigCore(const Rig& rig, SignalInputs inputs, const RealTimeOptions& options)
      : RealTimeCore(options, std::move(inputs)),
        f_(rig, options.break_away),
        step_(make_step(f_, options)),
        shown_(f_),
        y_(f_.initial()),
        work_(at(f_.quadratures())),
        before_(at(f_.guards())),
        after_(before_.size()),
        armed_(before_.size()),
        risen_(std::make_unique<bool[]>(before_.size())) {
    f_.locate_modes(false);
    f_.reserve_past(period_);
    // A step notes at most a few events per contact and gap.
    events_.reserve(64 + 16 * (rig.contacts.size() + rig.gaps.size()));
    set_breaks(f_.breaks(options.duration));
    begin(0);
    choose(shown_.list(), options.columns,
           [](const std::string& name) { return name != "E_error"; });
  }

  double time() const noexcept override { return t_; }
  BudgetUse used_up() const noexcept override { return used_up_; }
  int most_substeps() const noexcept override { return most_; }

 private:
  int moving_size() const noexcept override {
    return 2 + static_cast<int>(2 * before_.size()) + step_->memory() + f_.memory();
  }
  void save_moving(std::span<double> numbers) const noexcept override {
    double* next = numbers.data();
    *next++ = t_;
    *next++ = static_cast<double>(ticks_);
    for (std::size_t g = 0; g < before_.size(); ++g) {
      *next++ = before_[g];
      *next++ = armed_[g];
    }
    step_->save(next);
    f_.save(next);
  }
  /// At a break of the sources, and at the start.
  void begin(double t) noexcept {
    const double sampling = f_.sampling_period();
    if (sampling > 0) {
      const double k = std::round(t / sampling);
      if (std::abs(t - k * sampling) <= slack()) f_.sample(static_cast<int>(k), y_);
    }
    settle();
  }
  void follow_inputs() noexcept override { settle(); }
  void settle() noexcept {
    f_.set_horizon(std::numeric_limits<double>::infinity());
    events_.clear();
    f_.settle(t_, y_, events_);
    restart();
  }
  void restart() noexcept {
    step_->start(t_, y_, work_);
    f_.guard_values(t_, y_, before_);
    for (std::size_t g = 0; g < before_.size(); ++g) armed_[g] = before_[g] < 0 ? 1 : 0;
  }
  double next_end() const noexcept {
    const double sampling = f_.sampling_period();
    if (sampling == 0) return next_break(t_);
    return std::min(next_break(t_), sampling * (std::floor((t_ + slack()) / sampling) + 1));
  }

  bool advance() noexcept override {
    const double target = static_cast<double>(ticks_ + 1) / rate_;
    const long unsettled = step_->used_up().sweeps;
    int pieces = 0;
    bool over = false;
    while (t_ < target) {
      const double end = next_end();
      const bool breaks = end <= target + slack(), inside = end < target - slack();
      const bool cut = inside && pieces + 1 < budget_.substeps;
      over |= inside && !cut;
      f_.set_horizon(inside && !cut ? std::numeric_limits<double>::infinity() : end);
      const double to = cut ? end : target;
      if (!step_->advance(to)) return false;
      t_ = to;
      ++pieces;
      accept();
      if (breaks) begin(t_);
    }
    ++ticks_;
    most_ = std::max(most_, pieces);
    const bool swept = step_->used_up().sweeps > unsettled;
    used_up_.substeps += over ? 1 : 0;
    used_up_.sweeps += swept ? 1 : 0;
    used_up_.steps += over || swept ? 1 : 0;
    return true;
  }
  /// The end of a step: what has happened on the way is an event there.
  void accept() noexcept {
    step_->at(t_, y_, work_);
    events_.clear();
    f_.guard_values(t_, y_, after_);
    bool any = false;
    for (std::size_t g = 0; g < before_.size(); ++g) {
      risen_[g] = crosses(g);
      any |= risen_[g];
    }
    if (any) {
      f_.handle(t_, y_, {risen_.get(), before_.size()}, events_);
      restart();
      return;
    }
    const bool changed = f_.accept(t_, y_, events_);
    for (std::size_t g = 0; g < after_.size(); ++g) {
      if (after_[g] < 0) armed_[g] = 1;
    }
    std::swap(before_, after_);
    if (changed) restart();
  }
  bool crosses(std::size_t g) const noexcept {
    const double a = before_[g], b = after_[g];
    const auto [from, to] = f_.two_way_guards();
    if (g >= at(from) && g < at(to)) return (a < 0) != (b < 0);
    return armed_[g] != 0 ? a < 0 && b >= 0 : b > 0 && b > a;
  }
  void put_back(std::span<const double> numbers) noexcept override {
    const double* next = numbers.data();
    t_ = *next++;
    ticks_ = static_cast<long>(*next++);
    for (std::size_t g = 0; g < before_.size(); ++g) {
      before_[g] = *next++;
      armed_[g] = static_cast<char>(*next++);
    }
    step_->restore(next);
    f_.restore(next);
    f_.set_horizon(std::numeric_limits<double>::infinity());
    step_->at(t_, y_, work_);
  }
  const Row& row() noexcept override {
    shown_.fill(f_, t_, y_, work_, 0, row_);
    return row_;
  }

  Dynamics f_;
  std::unique_ptr<FixedStep> step_;
  Columns shown_;
  std::vector<double> y_, work_, before_, after_;
  std::vector<char> armed_;
  std::unique_ptr<bool[]> risen_;
  std::vector<RunEvent> events_;
  Row row_;
  double t_ = 0;
  long ticks_ = 0;
  BudgetUse used_up_;
  int most_ = 0;
};

}  // namespace

std::unique_ptr<RealTimeCore> make_realtime_core(const Rig& rig, const RealTimeOptions& options) {
  Rig own = rig;
  SignalInputs inputs = own_inputs(own);
  return std::make_unique<RigCore>(own, std::move(inputs), options);
}

}  // namespace bristle::detail
