#pragma once

/// A setting: `key = value` as the user wrote it, with where it was written.

#include <string>

#include "bristle/core/error.hpp"

namespace bristle {

struct Setting {
  std::string key, value;
  std::string file;  ///< empty: the command line
  int line = 0;

  /// A fault that points here.
  Fault fault(std::string message) const {
    return {.message = std::move(message), .file = file, .line = line, .key = key, .value = value};
  }
};

}  // namespace bristle
