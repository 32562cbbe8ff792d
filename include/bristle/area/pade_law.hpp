#pragma once

/// Padé approximants in the ratio of slip and spin: Zhuravlev 1998, for any area.
///
/// With e the direction of v, ς = sgn ω, and the ends of the exact friction as in ratio_law.hpp
///
///   first order   T = (v e + p|ω| ςT_0)/(v + p|ω|),     p = (1 − ς e·T_0)/(e·S e)
///                 M = (M_0 ω + q v M_∞)/(|ω| + q v),    q = (M_0 − ςM_∞)/(e·C e)
///
///   second order  T = (v² e + v|ω| (βe + ς(e·c̄)Je) + γω² ςT_0)/(v² + βv|ω| + γω²)
///                     γ = ½ e·C e/(1 − ς e·T_0),   β = γ e·S e/(1 − ς e·T_0)
///                 M = (ω² ςM_0 + v|ω| βςM_0 + γv² M_∞)/(ω² + β|ω|v + γv²)
///                     γ = ½ e·S e/(M_0 − ςM_∞),    β = γ e·C e/(M_0 − ςM_∞)
///
/// with M_0 = c_{0,0,−1} and M_∞ = e·Jc̄. The first order has the values at both ends and one slope;
/// on the round Hertzian patch it is Zhuravlev's, p = 8R/(3π) and q = 15π/(16R). The second has
/// values and slopes at both ends and the bend of the torque at pure spin, of the force at pure
/// sliding. For areas that are not round the source has nothing; here each direction e has its own
/// approximant, and since |e·T_0| < 1 and |M_∞| < M_0 no denominator can vanish.
///
/// Limits: no fit, and no parameter to fit. The slope at the far end of each is wrong, and errors
/// are large: on a uniform disc up to 0.37 μN for the first order, 0.24 for the second (I_{0,0}:
/// 0.11). The limit surface of the first order is hollow, not convex. `sliding` has kinks where the
/// spin changes sign. Away from the centre of pressure both get worse and may drive: see
/// shifted_law.hpp.

#include "bristle/area/ratio_law.hpp"

namespace bristle {

class PadeLaw final : public AreaLaw {
 public:
  enum class Order { first, second };
  PadeLaw(const RatioMoments& moments, Order order) noexcept;

  std::string name() const override { return order_ == Order::first ? "pade" : "pade2"; }
  Planar sliding(const Planar& motion) const noexcept override;

 private:
  /// Ends of the exact friction for one direction and one sense of the spin.
  struct Ends;
  Ends ends(const Planar& motion) const noexcept;

  RatioMoments c_;
  Order order_;
};

}  // namespace bristle
