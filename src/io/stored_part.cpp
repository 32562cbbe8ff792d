#include "stored_part.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bristle/core/error.hpp"
#include "bristle/core/input_file.hpp"

namespace bristle::detail {
namespace {

std::size_t index_within(int from_one, std::size_t count, const char* what) {
  if (from_one > 0 && static_cast<std::size_t>(from_one) <= count) {
    return static_cast<std::size_t>(from_one) - 1;
  }
  throw Refused{fmt::format("no {} {}", what, from_one), fmt::format("1 to {}", count)};
}

}  // namespace

Stretch stretch_of(std::span<const std::size_t> shape, const Part& part) {
  if (part.column != 0 && part.row != 0) {
    throw Refused{"a row and a column", "one of the two"};
  }
  if (shape.empty()) return {.axis = 0, .fixed = 0, .count = 1};
  if (shape.size() > 2) {
    throw Refused{fmt::format("an array of {} dimensions", shape.size()), "a vector or a matrix"};
  }
  const std::size_t rows = shape[0];
  const std::size_t columns = shape.size() == 2 ? shape[1] : 1;
  if (part.column != 0) return {0, index_within(part.column, columns, "column"), rows};
  if (part.row != 0) return {1, index_within(part.row, rows, "row"), columns};
  if (columns == 1) return {.axis = 0, .fixed = 0, .count = rows};
  if (rows == 1) return {.axis = 1, .fixed = 0, .count = columns};
  throw Refused{fmt::format("a matrix of {} rows and {} columns", rows, columns),
                fmt::format("which column, 1 to {}, or row, 1 to {}", columns, rows)};
}

void require_count(std::size_t count) {
  if (count <= limits::values) return;
  throw Refused{fmt::format("{} values", count), fmt::format("at most {}", limits::values)};
}

}  // namespace bristle::detail
