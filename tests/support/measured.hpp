#pragma once

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "support/paths.hpp"

namespace bristle::testing_support {

/// A file or folder of measurements by others.
inline std::filesystem::path measured(const std::string& name) {
  return std::filesystem::path(measured_dir()) / name;
}

}  // namespace bristle::testing_support

/// Leaves the calling test out where these measurements are absent; scripts/left_out looks for this
/// sentence.
#define BRISTLE_NEEDS_MEASURED(name)                                                             \
  if (!std::filesystem::exists(bristle::testing_support::measured(name))) {                      \
    GTEST_SKIP() << "measurements are absent: " << std::filesystem::path(name).begin()->string() \
                 << " (needed: " << bristle::testing_support::measured(name).string() << ")";    \
  }
