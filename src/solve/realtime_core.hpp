#pragma once

// What rigs and worlds at a fixed rate have in common: columns, and times at which sources break.

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "bristle/core/index.hpp"
#include "bristle/solve/equations.hpp"
#include "bristle/solve/realtime_step.hpp"
#include "bristle/system/inputs.hpp"
#include "samples.hpp"

namespace bristle::detail {

class RealTimeCore {
 public:
  RealTimeCore(const RealTimeOptions& options, SignalInputs inputs)
      : rate_(options.rate),
        period_(1 / options.rate),
        budget_(options.budget),
        inputs_(std::move(inputs)) {
    for (const auto& input : inputs_) listed_.push_back({input->name, input->unit, input->start});
  }
  virtual ~RealTimeCore() = default;
  RealTimeCore(const RealTimeCore&) = delete;
  RealTimeCore& operator=(const RealTimeCore&) = delete;

  void step() noexcept {
    if (!finite_) return;
    if (changed_) follow_inputs();
    changed_ = false;
    finite_ = advance();
    look();
  }
  const std::vector<RealTimeInput>& inputs() const noexcept { return listed_; }
  bool set_input(std::size_t i, double value) noexcept {
    if (i >= inputs_.size() || !std::isfinite(value)) return false;
    SignalInput& input = *inputs_[i];
    if (value == input.value) return true;
    input.set(time(), value);
    changed_ = true;
    return true;
  }
  virtual double time() const noexcept = 0;
  int state_size() const noexcept { return moving_size() + numbers_of_inputs(); }
  void save(std::span<double> numbers) const noexcept {
    const auto moving = at(moving_size());
    save_moving(numbers.first(moving));
    if (inputs_.empty()) return;
    double* next = numbers.data() + moving;
    *next++ = changed_ ? 1 : 0;
    for (const auto& input : inputs_) {
      *next++ = input->value;
      *next++ = input->since;
      *next++ = input->area;
    }
  }
  void restore(std::span<const double> numbers) noexcept {
    const auto moving = at(moving_size());
    if (!inputs_.empty()) {
      const double* next = numbers.data() + moving;
      changed_ = *next++ != 0;
      for (const auto& input : inputs_) {
        input->value = *next++;
        input->since = *next++;
        input->area = *next++;
      }
    }
    put_back(numbers.first(moving));
    finite_ = true;
    look();
  }
  virtual BudgetUse used_up() const noexcept = 0;
  virtual int most_substeps() const noexcept = 0;

  double period() const noexcept { return period_; }
  bool finite() const noexcept { return finite_; }
  std::span<const double> outputs() const noexcept { return outputs_; }
  const std::vector<Column>& columns() const noexcept { return columns_; }

 protected:
  /// What moves by itself, without the inputs.
  virtual int moving_size() const noexcept = 0;
  virtual void save_moving(std::span<double> numbers) const noexcept = 0;
  /// An input has jumped, now.
  virtual void follow_inputs() noexcept = 0;
  /// One step; false if the state is no longer finite.
  virtual bool advance() noexcept = 0;
  virtual void put_back(std::span<const double> numbers) noexcept = 0;
  /// All columns now.
  virtual const Row& row() noexcept = 0;

  /// Of `all`, those that a state determines may be asked for; `asked` are.
  template <class Offers>
  void choose(const std::vector<Column>& all, const std::vector<std::string>& asked,
              Offers&& offers) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!offers(all[i].name)) continue;
      columns_.push_back({all[i].name, all[i].unit, {}});
      places.push_back(i);
    }
    for (const std::string& name : asked) {
      picked_.push_back(places[column_at(columns_, name, "columns")]);
    }
    outputs_.resize(picked_.size());
    look();
  }
  void look() noexcept {
    if (picked_.empty()) return;
    const Row& all = row();
    for (std::size_t i = 0; i < picked_.size(); ++i) outputs_[i] = all[picked_[i]];
  }
  void set_breaks(std::vector<double> times) {
    breaks_ = std::move(times);
    std::sort(breaks_.begin(), breaks_.end());
  }
  /// The first break after t, by more than rounding.
  double next_break(double t) const noexcept {
    const auto next = std::upper_bound(breaks_.begin(), breaks_.end(), t + slack());
    return next == breaks_.end() ? std::numeric_limits<double>::infinity() : *next;
  }
  double slack() const noexcept { return 1e-9 * period_; }

  double rate_, period_;
  StepBudget budget_;

 private:
  int numbers_of_inputs() const noexcept {
    return inputs_.empty() ? 0 : 1 + 3 * static_cast<int>(inputs_.size());
  }

  SignalInputs inputs_;
  std::vector<RealTimeInput> listed_;
  bool changed_ = false;  ///< an input, since the last step
  bool finite_ = true;
  std::vector<double> breaks_;
  std::vector<Column> columns_;
  std::vector<std::size_t> picked_;
  std::vector<double> outputs_;
};

std::unique_ptr<RealTimeCore> make_realtime_core(const Rig& rig, const RealTimeOptions& options);
std::unique_ptr<RealTimeCore> make_realtime_core(const World& world,
                                                 const RealTimeOptions& options);

}  // namespace bristle::detail
