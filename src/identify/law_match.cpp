#include "bristle/identify/law_match.hpp"

namespace bristle {

std::vector<double> way_of(std::span<const double> t, std::span<const double> slip) {
  std::vector<double> way(slip.size(), 0.0);
  for (std::size_t k = 1; k < way.size(); ++k) {
    way[k] = way[k - 1] + (slip[k] + slip[k - 1]) / 2 * (t[k] - t[k - 1]);
  }
  return way;
}

}  // namespace bristle
