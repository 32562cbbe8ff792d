#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>

#include "bristle/io/stored_column.hpp"

namespace bristle::detail {

/// Where the values of a part lie in an array of one or two dimensions: `count` of them along
/// `axis`, at `fixed` of the other one.
struct Stretch {
  std::size_t axis = 0, fixed = 0, count = 0;
};

/// Throws Refused with a sentence about the shape when the part is not one column of the array.
Stretch stretch_of(std::span<const std::size_t> shape, const Part& part);

/// Throws Refused when there are more values than may be read at once.
void require_count(std::size_t count);

/// What went wrong inside a library, to be told with the name of the file.
struct Refused {
  std::string message;
  std::string expected{};
};

}  // namespace bristle::detail
