#pragma once

/// Friction of a contact patch that slides and spins: Gonthier's dwell-time bristles with a
/// torsional one beside them (Boos 2011 (4.31)–(4.42)).
///
/// In units of the patch, u = (v, r_gyr ω_n) and p = (z, r_gyr θ), the law is Gonthier's in three
/// dimensions, per newton of load:
///
///   s  = exp(−u·u/v_s²)
///   ṗ  = s u + (1−s)(w_C − σ0 p)/σ1
///   w  = sat(σ0 p + σ1 ṗ) + σ2 u,       f_t = −f_n (w_1, w_2),   τ_n = −f_n r_gyr w_3
///   ṡ_dw = (s − s_dw)/τ,   τ = τ_dw if s ≥ s_dw, else σ1/σ0;   μ_max = μ_k + (μ_s − μ_k) s_dw
///
/// and while saturated the stored rate is the saturated one. What differs is how sliding and spin
/// share the friction:
///
///   disc        w_C = μ_k times the point of the limit curve for this motion (limit_curve.hpp);
///               sat is the radial return onto μ_max times that curve. The default.
///   contensou   w_C = μ_k (C_v dir v, C_ω dir ω), and the two parts saturate each by itself at
///               μ_max C_v and μ_max C_ω, with C_v,s = s + (1−s)|v|/|u| and C_ω,s likewise: the
///               thesis's model. Against exact Coulomb friction on a disc its force is up to
///               0.10 μN too high and its torque 0.135 μN R, at slow spin twice what it should be.
///
/// dir is smoothed below v_ε. Pure spin gives the torque μ r_gyr f_n in `contensou` (print has one
/// r_gyr too many in 4.5, 4.7 and 4.34), and 0.943 of it, exact for a flat disc, in `disc`.

#include <cmath>

#include "bristle/contact/limit_curve.hpp"
#include "bristle/core/scalar.hpp"
#include "bristle/shape/pose.hpp"

namespace bristle {

enum class SpinCoupling { disc, contensou };

/// Of a patch in its tangent plane: two components, and the one about the normal.
struct PatchSlip {
  Vector3 u = Vector3::Zero();  ///< v along e1 and e2, and r_gyr ω_n; m/s
  double fn = 0;                ///< N
  double r_gyr = 0;             ///< m
  LimitCurve curve{0};          ///< of the patch's pressure
};

struct PatchFriction {
  double mu_s = 0.25, mu_k = 0.2;
  double sigma0 = 1e4, sigma1 = 100, sigma2 = 0;  ///< per newton: 1/m, s/m, s/m
  double v_s = 1e-3, tau_dw = 0.3, v_eps = 0;
  SpinCoupling coupling = SpinCoupling::disc;

  struct State {
    Vector3 p = Vector3::Zero();  ///< z along e1 and e2, and r_gyr θ; m
    double s_dw = 0;
  };

  /// w of the formulas: friction per newton of load, as a resistance.
  Vector3 wrench(const PatchSlip& slip, const State& state) const noexcept {
    const Terms k = terms(slip);
    return saturated(k, slip, free_wrench(k, state.p), state.s_dw) + sigma2 * slip.u;
  }
  State rate(const PatchSlip& slip, const State& state) const noexcept {
    const Terms k = terms(slip);
    const Vector3 w = saturated(k, slip, free_wrench(k, state.p), state.s_dw);
    return {(w - sigma0 * state.p) / sigma1, (k.s - state.s_dw) * dwell_rate(k.s, state.s_dw)};
  }
  /// Over dt at frozen slip. The free bristle and the saturated one both relax exponentially
  /// towards a fixed point; which of the two it is, is decided at the end of the step.
  State advance(const PatchSlip& slip, const State& state, double dt) const noexcept {
    const Terms k = terms(slip);
    State next;
    next.s_dw = state.s_dw + (k.s - state.s_dw) * approached(dt * dwell_rate(k.s, state.s_dw));
    const Decay<double> d = decay(k.q * sigma0 / sigma1 * dt);
    next.p = d.e * state.p + d.phi * dt * (k.stick + k.slide / sigma1);
    const Vector3 free = free_wrench(k, next.p), held = saturated(k, slip, free, next.s_dw);
    if (held != free) {
      next.p = state.p + approached(sigma0 / sigma1 * dt) * (held / sigma0 - state.p);
    }
    return next;
  }
  /// Over dt at a slip of the speeds of `slip`, frozen: the mean of w before saturation is
  /// A p + B u, B alike along e1 and e2.
  struct Frozen {
    double a = 0, along = 0, about = 0;  ///< A, and B in the plane and about n
    double s = 0, s_dw = 0;              ///< share of sticking; mean dwell state
  };
  Frozen frozen(const PatchSlip& slip, const State& state, double dt) const noexcept {
    const Terms k = terms(slip);
    const double rh = k.q * sigma0 / sigma1 * dt;
    const Decay<double> d = decay(rh), dwell = decay(dt * dwell_rate(k.s, state.s_dw));
    const double fed = sigma0 * dt * fed_mean(rh, d.phi) + sigma1 * d.phi;
    return {k.s * sigma0 * d.phi, (k.s + k.slide_along / sigma1) * fed,
            (k.s + k.slide_about / sigma1) * fed, k.s, k.s + (state.s_dw - k.s) * dwell.phi};
  }
  /// How far a wrench is beyond its limit, 1 on it: along the plane and about n.
  struct Excess {
    double along = 0, about = 0;
  };
  Excess excess(const PatchSlip& slip, const Vector3& w, double s_dw) const noexcept {
    const double top = std::fmax(mu_k + (mu_s - mu_k) * s_dw, 1e-300);
    const double force = std::hypot(w[0], w[1]);
    if (coupling == SpinCoupling::disc) {
      const double both = slip.curve.gauge(force, w[2]) / top;
      return {both, both};
    }
    const Terms k = terms(slip);
    return {force / (top * k.along), std::abs(w[2]) / (top * k.about)};
  }
  /// Energy in the bristles, J.
  double stored(const PatchSlip& slip, const State& state) const noexcept {
    return 0.5 * sigma0 * slip.fn * state.p.squaredNorm();
  }

 private:
  struct Terms {
    double s, q;          ///< share of sticking, and 1 − s without cancellation
    double along, about;  ///< C_v,s and C_ω,s
    /// (1−s) w_C over the slip: along and about the normal.
    double slide_along, slide_about;
    Vector3 stick;  ///< s u
    Vector3 slide;  ///< (1−s) w_C
  };
  Terms terms(const PatchSlip& slip) const noexcept {
    const double v = std::hypot(slip.u[0], slip.u[1]), spin = std::abs(slip.u[2]);
    const double size = std::hypot(v, spin), ratio = size / v_s;
    Terms k{};
    k.s = gauss(ratio);
    k.q = approached(ratio * ratio);
    k.stick = k.s * slip.u;
    k.along = k.s + k.q * (size > 0 ? v / size : 1);
    k.about = k.s + k.q * (size > 0 ? spin / size : 1);
    const double edge = v_eps > 0 ? v_eps : 0.01 * v_s;
    const auto dir = [&](double speed) {  // over the speed
      const double r = speed / edge;
      return r < 1 ? (1.5 - 0.5 * r * r) / edge : 1 / speed;
    };
    if (coupling == SpinCoupling::contensou) {
      k.slide_along = k.q * mu_k * dir(v) * k.along;
      k.slide_about = k.q * mu_k * dir(spin) * k.about;
    } else if (size > 0) {
      const LimitPoint w = slip.curve.sliding(v, spin);
      const double smooth = dir(size) * size;
      k.slide_along = v > 0 ? k.q * mu_k * smooth * w.force / v : 0;
      k.slide_about = spin > 0 ? k.q * mu_k * smooth * w.torque / spin : 0;
    }
    k.slide = {k.slide_along * slip.u[0], k.slide_along * slip.u[1], k.slide_about * slip.u[2]};
    return k;
  }
  /// σ0 p + σ1 ṗ before saturation.
  Vector3 free_wrench(const Terms& k, const Vector3& p) const noexcept {
    return (k.s * sigma0) * p + sigma1 * k.stick + k.slide;
  }
  Vector3 saturated(const Terms& k, const PatchSlip& slip, const Vector3& w,
                    double s_dw) const noexcept {
    const double top = mu_k + (mu_s - mu_k) * s_dw, force = std::hypot(w[0], w[1]);
    if (coupling == SpinCoupling::disc) {
      const double excess = slip.curve.gauge(force, w[2]);
      return excess > top ? Vector3(w * (top / excess)) : w;
    }
    const double most = top * k.along, turn = top * k.about;
    const double a = force > most ? most / force : 1;
    const double b = std::abs(w[2]) > turn ? turn / std::abs(w[2]) : 1;
    return {a * w[0], a * w[1], b * w[2]};
  }
  double dwell_rate(double s, double s_dw) const noexcept {
    return s >= s_dw ? 1 / tau_dw : sigma0 / sigma1;
  }
};

}  // namespace bristle
