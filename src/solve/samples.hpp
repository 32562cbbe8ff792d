#pragma once

// The rows of a trajectory, at even times.

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "bristle/solve/run.hpp"

namespace bristle::detail {

using Row = std::vector<double>;

/// Where the column stands; InputError if there is none, with its nearest name. `key` is the entry
/// that asks for it.
std::size_t column_at(const std::vector<Column>& columns, std::string_view name,
                      std::string key = "");

class Samples {
 public:
  /// The first of the columns is the time.
  Samples(std::vector<Column> columns, const RunOptions& options);

  void start(const Row& row) { add(row); }
  /// Rows before `to`, each read(t); the one at `to` itself is left to what follows there, so that
  /// a jump shows its new side. With `at_end`, as fixed steps want it, it is read too: after the
  /// next step contacts are what they are then.
  template <class Read>
  void until(double to, Read&& read, bool at_end = false) {
    const double slack = 1e-9 * interval_;
    const bool last = at_end || to >= duration_;
    at_end_ = at_end;
    while (next_ <= count_) {
      const double t = next_time();
      if (last ? t > to + slack : t > to - slack) return;
      put(t, read(std::min(t, to)));
    }
  }
  /// The state has jumped at t: that is the row if one is due there.
  void jumped(double t, const Row& row) {
    const double slack = 1e-9 * interval_, last = columns_[0].values.back();
    if (next_ <= count_ && std::abs(next_time() - t) <= slack) {
      put(next_time(), row);
    } else if (at_end_ && std::abs(last - t) <= slack) {
      for (std::size_t i = 1; i < columns_.size(); ++i) columns_[i].values.back() = row[i];
    }
  }
  /// A run that was interrupted ends with the last that is known.
  void finish(double t_end, const Row& last) {
    if (columns_[0].values.back() < t_end) put(t_end, last);
  }

  double interval() const noexcept { return interval_; }
  const std::vector<Column>& columns() const noexcept { return columns_; }
  const std::vector<double>& operator[](std::size_t column) const noexcept {
    return columns_[column].values;
  }
  std::vector<Column> take() noexcept { return std::move(columns_); }

 private:
  double next_time() const {
    return next_ == count_ ? duration_ : interval_ * static_cast<double>(next_);
  }
  void add(const Row& row) {
    for (std::size_t i = 0; i < columns_.size(); ++i) columns_[i].values.push_back(row[i]);
  }
  void put(double t, const Row& row) {
    add(row);
    columns_[0].values.back() = t;
    ++next_;
  }

  std::vector<Column> columns_;
  double duration_, interval_;
  long count_, next_ = 1;
  bool at_end_ = false;
};

}  // namespace bristle::detail
