#include "bristle/system/mechanism.hpp"

#include <algorithm>

namespace bristle {

void Mechanism::rate(std::span<const double> u, std::span<double> dq) const noexcept {
  std::copy(u.begin(), u.end(), dq.begin());
}
void Mechanism::move(std::span<double> q, std::span<const double> u, double h) const noexcept {
  for (std::size_t k = 0; k < q.size(); ++k) q[k] += h * u[k];
}
void Mechanism::normalise(std::span<double> q) const noexcept { static_cast<void>(q); }

}  // namespace bristle
