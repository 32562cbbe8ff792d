#pragma once

/// A friction law over a plane area: what it answers while sliding, and what it can hold.
///
/// Sliding it is a function of the direction of the motion alone: `sliding` gives (T_s, M_s) in
/// units of μN. All of these together are a closed surface, the limit surface. At rest friction may
/// be anything inside it, blown up by η = μ_s/μ_k; `hold` says how far a wrench is from that
/// surface and which way the area would start to slip:
///
///   w = ξ (T_s, M_s)(θ', φ'),   stick while ξ < η              (Kudra and Awrejcewicz (2.5))
///
/// Signs: wrenches here are the friction's reaction, along the motion; the body feels −μN times it.

#include <memory>
#include <string>

#include "bristle/core/planar.hpp"

namespace bristle {

/// Answer of AreaLaw::hold.
struct Hold {
  double xi = 0;                       ///< 1 on the limit surface, less inside
  Planar direction = Planar::UnitX();  ///< of incipient slip, (v_x, v_y, L ω)/|·|, L = length()
  bool found = true;                   ///< false if Newton's method gave up
};

class AreaLaw {
 public:
  virtual ~AreaLaw() = default;
  virtual std::string name() const = 0;

  /// (T_s, M_s) for the motion (v_x, v_y, ω): 0-homogeneous, odd. No motion: zero.
  virtual Planar sliding(const Planar& motion) const noexcept = 0;
  /// A norm of the motion, m/s, by which the law is regularised: v when there is no spin.
  virtual double speed(const Planar& motion) const noexcept;
  /// d speed / d motion; 0 at rest. By differences unless a law knows better.
  virtual Planar speed_gradient(const Planar& motion) const noexcept;
  /// d sliding / d motion. By differences unless a law knows better.
  virtual Eigen::Matrix3d derivative(const Planar& motion) const noexcept;
  /// ξ and the direction of incipient slip of a wrench (T_x, T_y, M) in units of μN.
  /// Laws that fold over (numerators that change sign) may have several; one of them is given.
  virtual Hold hold(const Planar& wrench) const noexcept;
  /// The same by Newton's method from a direction (as in Hold) close to the answer, for a caller
  /// that follows a wrench in time; falls back on `hold`.
  Hold hold_near(const Planar& wrench, const Planar& direction) const noexcept;
  /// A length that makes rad/s comparable with m/s, m.
  double length() const noexcept { return length_; }
  /// Whether sliding dissipates most for the force it gives: the motion is normal to the surface.
  virtual bool is_associated() const noexcept { return false; }

 protected:
  explicit AreaLaw(double length) noexcept : length_(length) {}
  /// Damped Newton on the direction, from the wrench's own direction, from the best of many, and
  /// along a path of wrenches. Right for any smooth law whose surface does not fold.
  Hold hold_by_newton(const Planar& wrench) const noexcept;

 private:
  double length_;
};

/// Kudra's regularisation of any of them, with static above kinetic friction:
///   (T, M) = (T_s, M_s) Λ [1/√(Λ²+ε²) + η' ε³/(Λ²+ε²)²],   Λ = speed(motion)
/// The peak is η at Λ = ε tan a, η' = kudra_peak_factor(η). Its error in slip times is of the order
/// ε^(2/3). Needs ε > 0.
Planar regularised(const AreaLaw& law, const Planar& motion, double eps, double eta_prime) noexcept;
/// Its derivative with respect to the motion. At rest it depends on the direction one leaves in,
/// unless (T_s, M_s) Λ is linear; then and otherwise the columns are those along the axes.
Eigen::Matrix3d regularised_derivative(const AreaLaw& law, const Planar& motion, double eps,
                                       double eta_prime) noexcept;

}  // namespace bristle
