#pragma once

// What rigs and worlds at a fixed rate have in common: columns, and times at which sources break.

#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "bristle/solve/equations.hpp"
#include "bristle/solve/realtime_step.hpp"
#include "samples.hpp"

namespace bristle::detail {

class RealTimeCore {
 public:
  explicit RealTimeCore(const RealTimeOptions& options)
      : rate_(options.rate), period_(1 / options.rate), budget_(options.budget) {}
  virtual ~RealTimeCore() = default;
  RealTimeCore(const RealTimeCore&) = delete;
  RealTimeCore& operator=(const RealTimeCore&) = delete;

  void step() noexcept {
    if (!finite_) return;
    finite_ = advance();
    look();
  }
  virtual double time() const noexcept = 0;
  virtual int state_size() const noexcept = 0;
  virtual void save(std::span<double> numbers) const noexcept = 0;
  void restore(std::span<const double> numbers) noexcept {
    put_back(numbers);
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
