#pragma once

/// Shared by the reports of runs and by nothing else.

#include <cmath>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "bristle/solve/run.hpp"

namespace bristle::run_detail {

inline std::string show(double value) {
  return std::isfinite(value) ? fmt::format("{:.6g}", value) : "–";
}

/// Null if there is no such column.
inline const Column* find(const RunResult& result, std::string_view name) {
  for (const Column& column : result.columns) {
    if (column.name == name) return &column;
  }
  return nullptr;
}

}  // namespace bristle::run_detail
