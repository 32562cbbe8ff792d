#pragma once

// What a user is told beside the results.

#include <cstdio>

#include <fmt/format.h>

namespace bristle::cli {

/// To standard error. One that is closed or full ends no work: results do not depend on it.
template <class... Arguments>
void say(fmt::format_string<Arguments...> format, Arguments&&... arguments) noexcept {
  try {
    fmt::memory_buffer line;
    fmt::format_to(std::back_inserter(line), format, std::forward<Arguments>(arguments)...);
    std::fwrite(line.data(), 1, line.size(), stderr);
  } catch (...) {
    // No memory for a long line.
  }
}

}  // namespace bristle::cli
