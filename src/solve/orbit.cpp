#include "orbit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bristle::detail {

void Orbit::slip(double t, std::vector<double> point) {
  if (starts_.size() > ends_.size()) return;  // it slips already
  if (!ends_.empty() && t - ends_.back() < (ends_.back() - starts_.back()) / 20) {
    ends_.pop_back();
    return;
  }
  starts_.push_back(t);
  points_.push_back(std::move(point));
}
void Orbit::stick(double t) {
  if (starts_.size() > ends_.size()) ends_.push_back(t);
}

double Orbit::apart(std::size_t i, std::size_t j, const std::vector<double>& scale) const {
  double most = 0;
  for (std::size_t k = 0; k < scale.size(); ++k) {
    if (scale[k] > 0) most = std::max(most, std::abs(points_[i][k] - points_[j][k]) / scale[k]);
  }
  return most;
}

double Orbit::opening(std::size_t count, const std::vector<double>& scale, std::size_t back) const {
  if (points_.size() < 2 * count + back) return std::numeric_limits<double>::infinity();
  double most = 0;
  const std::size_t end = points_.size() - back;
  for (std::size_t i = end - count; i < end; ++i) most = std::max(most, apart(i, i - count, scale));
  return most;
}

/// Time without slip between two starts of slip.
double Orbit::stuck_between(double from, double to) const {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < starts_.size(); ++i) {
    if (starts_[i] >= from && starts_[i + 1] <= to) sum += starts_[i + 1] - ends_[i];
  }
  return sum;
}

void Orbit::report(const std::vector<double>& scale, std::map<std::string, double>& metrics,
                   std::map<std::string, std::vector<double>>& lists) const {
  lists["slip_starts"] = starts_;
  lists["slip_ends"] = ends_;
  metrics["orbit_sticks"] = 0;
  const std::size_t n = points_.size();
  for (std::size_t count = 1; 2 * count <= n; ++count) {
    const double error = opening(count, scale);
    if (error > 1e-3) continue;
    metrics["orbit_sticks"] = static_cast<double>(count);
    metrics["orbit_period"] = starts_[n - 1] - starts_[n - 1 - count];
    metrics["orbit_error"] = error;
    const double before = opening(count, scale, count);
    // Below this what is left is rounding and tolerance, not the orbit's own contraction.
    if (std::isfinite(before) && error > 1e-9) metrics["orbit_contraction"] = error / before;
    metrics["stick_share"] =
        stuck_between(starts_[n - 1 - count], starts_[n - 1]) / metrics["orbit_period"];
    return;
  }
}

}  // namespace bristle::detail
