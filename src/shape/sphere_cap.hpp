#pragma once

// A cap of a sphere, cut off by a plane.

#include <numbers>

namespace bristle::detail {

/// Moments about the centre of its flat face; ζ from there into the cap, 0 … depth. With η = depth
/// − ζ the height over the pole, the slice at η has the squared radius η (2r − η): every integral
/// is a polynomial in the depth, and none is a difference of large numbers.
struct SphereCap {
  double volume, first, second;  ///< ∫1, ∫ζ, ∫ζ²
  double across;                 ///< ∫x² = ∫y²
  double area, surface;          ///< of the flat face, of the round side

  /// 0 ≤ depth ≤ 2 radius.
  constexpr SphereCap(double r, double d) noexcept
      : volume(std::numbers::pi * d * d * (r - d / 3)),
        first(std::numbers::pi * d * d * d * (r / 3 - d / 12)),
        second(std::numbers::pi * d * d * d * d * (r / 6 - d / 30)),
        across(std::numbers::pi / 4 * d * d * d * (4.0 / 3 * r * r - r * d + d * d / 5)),
        area(std::numbers::pi * d * (2 * r - d)),
        surface(2 * std::numbers::pi * r * d) {}
};

}  // namespace bristle::detail
