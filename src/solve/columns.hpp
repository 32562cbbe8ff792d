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
  void fill(Dynamics& dynamics, double t, std::span<const double> y, std::span<const double> work,
            double error, Row& row) const;

 private:
  void add(std::string name, std::string unit) {
    list_.push_back({std::move(name), std::move(unit), {}});
  }
  std::vector<Column> list_;
  struct OfContact {
    std::vector<std::size_t> states;  ///< of y, those that are shown
    bool sticks = false;              ///< has a column for it
  };
  std::vector<OfContact> contacts_;
};

}  // namespace bristle::detail
