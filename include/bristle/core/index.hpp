#pragma once

#include <cstddef>

namespace bristle::detail {

/// Indices are `int` where they are kept and handed on; containers want this.
constexpr std::size_t at(int i) noexcept { return static_cast<std::size_t>(i); }

}  // namespace bristle::detail
