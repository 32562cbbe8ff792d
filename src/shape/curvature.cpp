#include "bristle/shape/curvature.hpp"

#include <cmath>

namespace bristle {

std::optional<RelativeCurvature> relative_curvature(const Shape& a, const Shape& b) noexcept {
  const auto* sphere = std::get_if<Sphere>(&a);
  if (sphere == nullptr) {
    return std::holds_alternative<Sphere>(b) ? relative_curvature(b, a) : std::nullopt;
  }
  const double k = 1 / sphere->radius;
  if (std::holds_alternative<HalfSpace>(b)) return RelativeCurvature{k, k};
  if (const auto* other = std::get_if<Sphere>(&b)) {
    return RelativeCurvature{k + 1 / other->radius, k + 1 / other->radius};
  }
  if (const auto* bore = std::get_if<Bore>(&b); bore != nullptr && bore->radius > sphere->radius) {
    return RelativeCurvature{k, k - 1 / bore->radius};
  }
  return std::nullopt;
}

double effective_radius(const RelativeCurvature& curvature) noexcept {
  return 1 / std::sqrt(curvature.k1 * curvature.k2);
}

}  // namespace bristle
