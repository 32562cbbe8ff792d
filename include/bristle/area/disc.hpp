#pragma once

/// Round discs that slide and spin at once: the areas whose friction has a closed form.
///
/// With k = v/(R ω), modulus e = min(k, 1/k), q = e², and the complete elliptic integrals
/// B = ∫cos²/√, D = ∫sin²/√, C = (D − B)/q over √(1 − q sin²) from 0 to π/2 (so that K = B + D and
/// E = B + (1 − q) D), the uniform disc has (Farkas et al. 2003, written without differences that
/// cancel)
///
///   k ≤ 1:  T = 4k/(3π) [2B + (1−q) D],   M/R = 4/(9π) [(3−q) B + (1−q)(3−2q) D]
///   k ≥ 1:  T = 4/(3π) [2B + (1−q) D],    M/R = 4e/(9π) [2B + (1−q) C]
///
/// and the Hertzian disc, σ ∝ √(1 − r²/R²),
///
///   k ≤ 1:  T = 3π/32 (4k − k³),   M/R = 3π/128 (8 − 8k² + 3k⁴)
///   k ≥ 1:  T = ¾ ∫(1−p²) √(1−e²p²) dp,   M/R = 3e/16 ∫(1−p²)²/√(1−e²p²) dp   over |p| < 1,
///
/// which are elementary in asin e.

namespace bristle {

/// A point of a limit curve: force along the motion and torque, in units of μN and of μN times a
/// length that the function names.
struct LimitPoint {
  double force = 0, torque = 0;
};

/// Uniform disc: force in μN, torque in μN R; v ≥ 0 and ω R ≥ 0 in the same unit.
LimitPoint disc_friction(double v, double omega_r) noexcept;
/// Hertzian disc, in the same units.
LimitPoint hertz_disc_friction(double v, double omega_r) noexcept;

}  // namespace bristle
