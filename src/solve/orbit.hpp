#pragma once

// A periodic motion with stick and slip, seen on a section: the state whenever slip starts.

#include <map>
#include <string>
#include <vector>

namespace bristle::detail {

class Orbit {
 public:
  /// Slip starts from the state `point`. A rest of less than a twentieth of the slip before it is a
  /// passage, not a stick: that slip goes on.
  void slip(double t, std::vector<double> point);
  void stick(double t);
  bool empty() const noexcept { return starts_.empty(); }

  /// The last period: after how many slips the state is back, up to 1e-3 of `scale` (one per
  /// component). Puts `orbit_period`, `orbit_sticks`, `orbit_error` (how far it is from closed,
  /// over the scale), `orbit_contraction` (by which factor a period shortens that distance) and
  /// `stick_share`; `orbit_sticks` = 0 if the motion has not come back.
  void report(const std::vector<double>& scale, std::map<std::string, double>& metrics,
              std::map<std::string, std::vector<double>>& lists) const;

 private:
  double apart(std::size_t i, std::size_t j, const std::vector<double>& scale) const;
  /// The largest distance between the last `count` points and those `count` before them.
  double opening(std::size_t count, const std::vector<double>& scale, std::size_t back = 0) const;
  double stuck_between(double from, double to) const;

  std::vector<double> starts_, ends_;  ///< of slips; ends_[i] belongs to starts_[i]
  std::vector<std::vector<double>> points_;
};

}  // namespace bristle::detail
