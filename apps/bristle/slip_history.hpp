#pragma once

// Slip histories as the user gives them: a CSV file, or a wave generated on a uniform grid.

#include <string>
#include <variant>
#include <vector>

#include <CLI/CLI.hpp>

#include "bristle/solve/prescribed.hpp"

namespace bristle::cli {

/// On a line (column v) or in the plane (columns v_x, v_y).
using AnyHistory = std::variant<SlipHistory<1>, SlipHistory<2>>;

struct HistoryOptions {
  std::string input, wave, fn, duration, step;  // empty: not given

  void add_to(CLI::App& command);
  AnyHistory read() const;
};

/// Column names of a vector: v on a line, v_x and v_y in the plane.
std::vector<std::string> components(const std::string& name, bool plane);

}  // namespace bristle::cli
