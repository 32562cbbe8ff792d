#pragma once

/// Impact of rigid bodies at one point, in the plane, by Routh's method: time stands still, and the
/// normal impulse p_n grows in its place.
///
///   Δv = W p,   v = (v_t, v_n),   p = (p_t, p_n),   W = [[w_tt, w_tn], [w_tn, w_nn]]
///   slip:   dp_t/dp_n = −μ sgn v_t
///   stick:  dp_t/dp_n = −w_tn/w_tt,   possible if that is at most μ: the critical coefficient
///
/// v_n < 0 approaches; p_n ≥ 0 pushes apart. If slip stops on the way it stays stopped where μ
/// reaches the critical coefficient; otherwise it turns round, or starts, towards sgn w_tn. Hence
/// at most two straight pieces, and the answer is exact. Slip with μ w_tn sgn v_t > w_nn presses
/// the bodies together (jamming): v_n falls at first, but then slip always stops, because W is
/// positive definite.
///
/// Compression ends at the impulse p_c where v_n = 0; the law says how much follows:
///
///   newton    v_n⁺ = −e v_n⁻           can create energy once slip stops or turns round
///   poisson   p_n⁺ = (1 + e) p_c
///   stronge   the normal force gives back e² of the work done on it in compression:
///             never creates energy
///
/// The three agree if slip neither stops nor turns round, and without friction. Only then is e a
/// number one can carry from one law to another.
///
/// Sources: Routh 1905, Dynamics of a System of Rigid Bodies; Stronge 1990, Proc. R. Soc. A 431;
/// Wang and Mason 1992.

#include <Eigen/Core>

namespace bristle {

enum class ImpactLaw { newton, poisson, stronge };

/// W: inverse inertia felt at the contact, J M⁻¹ Jᵀ. Positive definite; w_tt = w_tn = 0 is
/// allowed and means that no impulse changes the slip.
struct ContactInertia {
  double w_tt = 1, w_tn = 0, w_nn = 1;  ///< 1/kg

  Eigen::Vector2d change(const Eigen::Vector2d& impulse) const noexcept {
    return {w_tt * impulse[0] + w_tn * impulse[1], w_tn * impulse[0] + w_nn * impulse[1]};
  }
};

/// How slip ended, or went on.
enum class ImpactSlip { slides, sticks, reverses };

struct RigidImpact {
  Eigen::Vector2d impulse = Eigen::Vector2d::Zero();   ///< (p_t, p_n) on the body, N s
  Eigen::Vector2d velocity = Eigen::Vector2d::Zero();  ///< (v_t, v_n) after
  double compression = 0;      ///< p_c, the normal impulse at greatest compression
  double normal_work = 0;      ///< ∫ v_n dp_n, J
  double tangential_work = 0;  ///< ∫ v_t dp_t ≤ 0, J
  double energy_lost = 0;      ///< −(normal + tangential work); negative: created
  /// What slip did in the end. A contact that begins without slip sticks or `reverses`.
  ImpactSlip slip = ImpactSlip::slides;
  bool jammed = false;  ///< v_n fell at first although the normal force pushed
};

/// Friction mu ≥ 0, restitution 0 ≤ e ≤ 1. A contact that does not approach (v_n ≥ 0) is left
/// alone.
RigidImpact rigid_impact(const ContactInertia& w, const Eigen::Vector2d& velocity, double mu,
                         double e, ImpactLaw law) noexcept;

}  // namespace bristle
