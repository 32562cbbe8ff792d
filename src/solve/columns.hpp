#pragma once

// The columns of a trajectory: their names and units, and how to fill a row.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bristle/solve/dynamics.hpp"
#include "samples.hpp"

namespace bristle::detail {

/// "F", or "F1", "F2" where there are several.
std::string numbered(std::string_view name, int index, int count);

/// The columns of a rig and how to fill a row.
class Columns {
 public:
  explicit Columns(const Dynamics& dynamics);
  std::size_t size() const noexcept { return list_.size(); }
  const std::vector<Column>& list() const noexcept { return list_; }
  std::optional<std::size_t> find(std::string_view name) const;
  /// Which number of y a column is, if it is one.
  std::optional<std::size_t> state(std::size_t column) const { return states_[column]; }
  void fill(Dynamics& dynamics, double t, std::span<const double> y, std::span<const double> work,
            double error, Row& row) const;

 private:
  void add(std::string name, std::string unit, std::optional<std::size_t> state = {}) {
    list_.push_back({std::move(name), std::move(unit), {}});
    states_.push_back(state);
  }
  std::vector<Column> list_;
  std::vector<std::optional<std::size_t>> states_;
  struct OfContact {
    std::vector<std::size_t> states;  ///< of y, those that are shown
    bool sticks = false;              ///< has a column for it
  };
  std::vector<OfContact> contacts_;
};

}  // namespace bristle::detail
