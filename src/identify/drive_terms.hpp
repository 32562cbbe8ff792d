#pragma once

/// Terms of a drive by name, taken apart for those who evaluate them. Not for users.

#include <string>
#include <vector>

#include "bristle/identify/drive.hpp"

namespace bristle::detail {

/// All there is to know of one sample.
struct DriveMotion {
  double q = 0, v = 0, a = 0, jerk = 0;
};

using DriveRegressor = double (*)(const DriveMotion&, double speed);

struct DriveEntry {
  DriveTerm term;
  DriveRegressor regressor;
  bool needs_position = false;
};

const std::vector<DriveEntry>& drive_entries();

/// A term as written, taken apart.
struct ParsedTerm {
  const DriveEntry* entry = nullptr;
  double speed = 1;
  int branch = 0;  ///< +1, −1; 0: both

  double operator()(const DriveMotion& m) const {
    const bool outside = (branch > 0 && !(m.v > 0.0)) || (branch < 0 && !(m.v < 0.0));
    return outside ? 0.0 : entry->regressor(m, speed);
  }
  const std::string& name() const { return entry->term.name; }
};

/// InputError for a term nobody knows, or whose speed is missing, superfluous or not positive.
ParsedTerm parse_drive_term(const std::string& written);

[[noreturn]] void refuse_term(const std::string& name, std::string message, std::string expected);

}  // namespace bristle::detail
