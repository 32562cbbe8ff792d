#pragma once

/// The implicit step of Gonthier's law, in closed form but for one scalar root. With ν = |v̂|
/// frozen,
///
///   z' = E z + κ h φ v̂,   F̄ = A z + B v̂,   A = s σ0 φ,   B = κ (σ0 h φ₂ + σ1 φ),
///
/// E, φ, φ₂ those of a relaxation by r h, r = (1−s) σ0/σ1, κ = s + (1−s) f_C ψ/σ1. Beyond the cap
/// the force is returned to it radially. While the contact sticks (ν below 10⁻⁴ v_s, s = 1) nothing
/// is iterated, and what depends on the step alone is kept from step to step.

#include <algorithm>
#include <cmath>

#include "bristle/contact/slip_step.hpp"
#include "bristle/friction/gonthier.hpp"

namespace bristle {

/// θ of the step for x = h w ∂F̄/∂v.
inline double implicitness(double x) noexcept { return 0.5 + x / (12 + 2 * x); }

class GonthierSlip final : public SlipSolver {
 public:
  using Vector = Tangent<double, 2>;

  explicit GonthierSlip(const AnyLaw& law)
      : edge_(law.get("v_eps") > 0 ? law.get("v_eps") : 0.01 * law.get("v_s")) {
    for_each_parameter(law_, [&](const Traits& traits, auto& member) {
      assign_parameter(member, law.get(traits.name));
    });
    stuck_below_ = 1e-4 * law_.v_s;
    relaxation_ = law_.sigma0 / law_.sigma1;
    per_v_s_ = 1 / law_.v_s;
  }

  SlipAnswer solve(const SlipProblem& p) noexcept override {
    if (!loaded(p.fn)) return {Vector::Zero(), p.v + 0.5 * p.h * p.b, 0, false, 0.5};
    if (p.h != dwell_h_) remember(p.h);
    if (nu_ < stuck_below_ && !law_.per_load) {
      if (p.w != stuck_w_) prepare_stuck(p.h, p.w);
      // s = 1: a spring and a damper.
      const Vector az = law_.sigma0 * state_.z;
      const Vector slip =
          stuck_.share * ((p.v + (stuck_.theta * p.h) * p.b) * stuck_.viscous - stuck_.tw * az);
      const Vector force = az + stuck_.b * slip;
      const double cap =
          p.fn * (law_.mu_k + (law_.mu_s - law_.mu_k) * (1 + (state_.s_dw - 1) * dwell_.phi));
      if (force.squaredNorm() <= cap * cap && slip.squaredNorm() < stuck_below_ * stuck_below_) {
        return {force + law_.sigma2 * slip, slip, stuck_.grip, false, stuck_.theta};
      }
    }
    const double k = law_.per_load ? p.fn : 1;
    SlipAnswer answer =
        search(p, {law_.sigma0 * k, law_.sigma1 * k, law_.sigma2 * k, law_.mu_k * p.fn});
    frozen_.ratio = answer.force / p.fn;
    frozen_.slip = answer.slip;
    frozen_.fn = p.fn;
    return answer;
  }

  void advance(const Vector& slip, double fn, double h) noexcept override {
    const double speed = std::sqrt(slip.squaredNorm());
    nu_ = speed;
    if (speed < stuck_below_ && loaded(fn) && h == dwell_h_) {
      state_.z += h * slip;
      if (law_.bounded && law_.returns) {
        const double k = law_.per_load ? fn : 1;
        state_.z = held<double, 2>(state_.z, law_.sigma0 * k, law_.mu_s * fn);
      }
      state_.s_dw = 1 + (state_.s_dw - 1) * dwell_.e;
      return;
    }
    ratio_ = frozen_.ratio;
    if (frozen_.whole && slip == frozen_.slip && fn == frozen_.fn && h == dwell_h_) {
      // The step just solved: its coefficients are at hand.
      state_.z = frozen_.keep * state_.z + frozen_.feed * slip;
      state_.s_dw = frozen_.s + (state_.s_dw - frozen_.s) * frozen_.dwell;
      return;
    }
    state_ = law_.advance(sliding<double, 2>(slip, fn), state_, h);
  }
  void turn(double angle) noexcept override {
    state_.z += angle * Vector(-state_.z[1], state_.z[0]) - 0.5 * angle * angle * state_.z;
  }
  void clear() noexcept override {
    state_ = {};
    nu_ = 1e300;
    ratio_.setConstant(infinity);
    frozen_.ratio.setConstant(infinity);
  }
  double stored(double fn) const noexcept override { return law_.stored(fn, state_); }
  double dissipation(const Vector& slip, double fn) const noexcept override {
    return law_.dissipation(sliding<double, 2>(slip, fn), state_);
  }
  int size() const noexcept override { return 6; }
  int law_size() const noexcept override { return 3; }
  void save(std::span<double> n) const noexcept override {
    n[0] = state_.z[0];
    n[1] = state_.z[1];
    n[2] = state_.s_dw;
    n[3] = nu_;
    n[4] = ratio_[0];
    n[5] = ratio_[1];
  }
  void restore(std::span<const double> n) noexcept override {
    state_.z = Vector(n[0], n[1]);
    state_.s_dw = n[2];
    nu_ = n[3];
    ratio_ = frozen_.ratio = Vector(n[4], n[5]);
  }
  std::unique_ptr<SlipSolver> clone() const override {
    return std::make_unique<GonthierSlip>(*this);
  }

 private:
  struct Scaled {
    double s0, s1, s2, f_c;
  };
  /// Steps are mostly alike: the exponentials of a step and the coefficients of a stuck contact are
  /// kept.
  void remember(double h) noexcept {
    dwell_h_ = h;
    stuck_w_ = -1;
    dwell_ = decay(h / law_.tau_dw);
    break_ = decay(h * relaxation_);
  }
  void prepare_stuck(double h, double w) noexcept {
    stuck_w_ = w;
    const double b = 0.5 * law_.sigma0 * h + law_.sigma1;
    stuck_.b = b;
    stuck_.theta = implicitness(h * w * (b + law_.sigma2));
    stuck_.viscous = 1 / (1 + stuck_.theta * h * w * law_.sigma2);
    stuck_.tw = stuck_.theta * h * w * stuck_.viscous;
    stuck_.share = 1 / (1 + stuck_.tw * b);
    stuck_.grip = stuck_.tw * b * stuck_.share;
  }
  /// v̂ and F̄ = A z + B v̂, returned radially to the cap where it is beyond.
  SlipAnswer respond(const SlipProblem& p, const Scaled& c, double a, double b,
                     double cap) const noexcept {
    const double hw = p.h * p.w;
    const auto outside = [&](double theta, double& tw) {
      const double viscous = c.s2 == 0 ? 1 : 1 / (1 + theta * hw * c.s2);
      tw = theta * hw * viscous;
      return Vector((p.v + (theta * p.h) * p.b) * viscous);
    };
    double tw = 0;
    const double theta = implicitness(hw * (b + c.s2));
    const Vector start = outside(theta, tw);
    // Deflection that a falling load no longer carries is let go of at once, as the law has it.
    const Vector z =
        law_.bounded && law_.returns ? held<double, 2>(state_.z, c.s0, law_.mu_s * p.fn) : state_.z;
    const Vector az = a * z;
    const double share = 1 / (1 + tw * b);
    const Vector slip = (start - tw * az) * share;
    const Vector force = az + b * slip;
    const double size = force.squaredNorm();
    if (!(size > cap * cap)) return {force + c.s2 * slip, slip, tw * b * share, false, theta};
    // The slope of the capped force, which meets that of the free one where they meet: a jump of θ
    // there would leave the search without a root.
    const double soft = implicitness(hw * (b * cap / std::sqrt(size) + c.s2));
    const Vector late = outside(soft, tw);
    const Vector way = az + b * late;
    const Vector at_cap = way * (cap / std::max(way.norm(), 1e-300));
    const Vector slipped = late - tw * at_cap;
    return {at_cap + c.s2 * slipped, slipped, 0, true, soft};
  }
  SlipAnswer at_speed(double nu, const SlipProblem& p, const Scaled& c) noexcept {
    const double ratio = nu * per_v_s_, x = ratio * ratio;
    const double q = approached(x), s = 1 - q;
    const double rh = q * relaxation_ * p.h;
    const Decay<double> d = decay(rh);
    const double second = fed_mean(rh, d.phi);
    const double r = nu / edge_;
    const double psi = r < 1 ? (1.5 - 0.5 * r * r) / edge_ : 1 / nu;
    const double kappa = s + q * c.f_c * psi / c.s1;
    const Decay<double>& dwell = s >= state_.s_dw ? dwell_ : break_;
    const double s_dw = s + (state_.s_dw - s) * dwell.phi;
    const double cap = p.fn * (law_.mu_k + (law_.mu_s - law_.mu_k) * s_dw);
    SlipAnswer answer =
        respond(p, c, c.s0 * s * d.phi, kappa * (c.s0 * p.h * second + c.s1 * d.phi), cap);
    // Bounded and at its cap the bristle follows another law; so does one that the load lets go.
    frozen_.whole = !law_.bounded || !(answer.slides || law_.returns);
    frozen_.keep = d.e;
    frozen_.feed = kappa * p.h * d.phi;
    frozen_.s = s;
    frozen_.dwell = dwell.e;
    // Sliding friction is at the kinetic level, which goes with the load, long before the cap.
    answer.slides |= q > 0.5;
    return answer;
  }
  /// |v̂(ν)| = ν by a bracketed secant, from the speed of the step before: of several roots the
  /// nearest.
  SlipAnswer search(const SlipProblem& p, const Scaled& c) noexcept {
    const double small = 1e-9 * law_.v_s;
    double nu = std::min(nu_, p.v.norm() + p.h * p.b.norm());
    if (nu > stuck_below_ && std::isfinite(ratio_[0])) {
      // Friction in proportion to that of the step before tells the speed to a few digits.
      const double ahead = (p.v + (0.5 * p.h) * (p.b - (p.w * p.fn) * ratio_)).norm();
      if (ahead > 0.5 * nu && ahead < 2 * nu) nu = ahead;
    }
    SlipAnswer answer = at_speed(nu, p, c);
    double error = answer.slip.norm() - nu;
    double low = 0, high = infinity;
    double last_nu = nu, last_error = error;
    for (int i = 0; i < 14 && std::abs(error) > 1e-5 * nu + small; ++i) {
      (error > 0 ? low : high) = nu;
      double next = nu + error;  // the fixed point first, then secants
      if (i > 0 && error != last_error) {
        next = nu - error * (nu - last_nu) / (error - last_error);
      }
      const bool inside = next > low && next < high;
      if (!inside) {
        next = std::isfinite(high) ? 0.5 * (low + high) : std::max(2 * nu, small);
      }
      last_nu = nu;
      last_error = error;
      nu = next;
      answer = at_speed(nu, p, c);
      error = answer.slip.norm() - nu;
    }
    return answer;
  }

  Gonthier<double>::State<double, 2> state_{};
  double nu_ = 1e300, stuck_below_ = 1e-7;
  Vector ratio_ = Vector::Constant(infinity);  ///< friction over load, of the last step
  double dwell_h_ = -1, stuck_w_ = -1;
  Decay<double> dwell_{1, 1}, break_{1, 1};
  double relaxation_ = 1, per_v_s_ = 1;  ///< σ0/σ1, 1/v_s
  struct {
    bool whole = false;  ///< the step of the state is linear in z and v̂
    double fn = 0, keep = 1, feed = 0, s = 0, dwell = 1;
    Vector slip = Vector::Zero(), ratio = Vector::Constant(infinity);
  } frozen_;  ///< of the last search: not part of the state
  struct {
    double theta = 1, viscous = 1, tw = 0, share = 1, b = 0, grip = 1;
  } stuck_;
  Gonthier<double> law_{};
  double edge_ = 1e-5;
};

}  // namespace bristle
