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
      : per_edge_(1 / (law.get("v_eps") > 0 ? law.get("v_eps") : 0.01 * law.get("v_s"))) {
    for_each_parameter(law_, [&](const Traits& traits, auto& member) {
      assign_parameter(member, law.get(traits.name));
    });
    stuck_below_ = 1e-4 * law_.v_s;
    relaxation_ = law_.sigma0 / law_.sigma1;
    per_v_s_ = 1 / law_.v_s;
    per_sigma1_ = 1 / law_.sigma1;
  }

  SlipAnswer solve(const SlipProblem& p) noexcept override {
    return solve_in<2>(p, Vector::UnitX());
  }
  /// Along the unit vector `along`, where all slip has been so far.
  SlipAnswerIn<1> solve_along(const Vector& along, const SlipProblemIn<1>& p) noexcept {
    return solve_in<1>(p, along);
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
    bend_ = frozen_.bend;
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
    bend_ = frozen_.bend = 1;
  }
  double stored(double fn) const noexcept override { return law_.stored(fn, state_); }
  double dissipation(const Vector& slip, double fn) const noexcept override {
    return law_.dissipation(sliding<double, 2>(slip, fn), state_);
  }
  int size() const noexcept override { return 7; }
  int law_size() const noexcept override { return 3; }
  void save(std::span<double> n) const noexcept override {
    n[0] = state_.z[0];
    n[1] = state_.z[1];
    n[2] = state_.s_dw;
    n[3] = nu_;
    n[4] = ratio_[0];
    n[5] = ratio_[1];
    n[6] = bend_;
  }
  void restore(std::span<const double> n) noexcept override {
    state_.z = Vector(n[0], n[1]);
    state_.s_dw = n[2];
    nu_ = n[3];
    ratio_ = frozen_.ratio = Vector(n[4], n[5]);
    bend_ = frozen_.bend = n[6];
  }
  std::unique_ptr<SlipSolver> clone() const override {
    return std::make_unique<GonthierSlip>(*this);
  }

 private:
  template <int D>
  using In = Tangent<double, D>;
  struct Scaled {
    double s0, s1, s2, f_c, per_s1;
  };
  /// Of a vector of the plane, and back.
  template <int D>
  static In<D> seen(const Vector& v, const Vector& along) noexcept {
    if constexpr (D == 1) {
      return In<1>(along.dot(v));
    } else {
      return v;
    }
  }
  template <int D>
  static Vector spread(const In<D>& v, const Vector& along) noexcept {
    if constexpr (D == 1) {
      return v[0] * along;
    } else {
      return v;
    }
  }

  template <int D>
  SlipAnswerIn<D> solve_in(const SlipProblemIn<D>& p, const Vector& along) noexcept {
    if (!loaded(p.fn)) return {zero<double, D>(), p.v + 0.5 * p.h * p.b, 0, false, 0.5};
    if (p.h != dwell_h_) remember(p.h);
    const In<D> z = seen<D>(state_.z, along);
    if (nu_ < stuck_below_ && !law_.per_load) {
      if (p.w != stuck_w_) prepare_stuck(p.h, p.w);
      // s = 1: a spring and a damper.
      const In<D> az = law_.sigma0 * z;
      const In<D> slip =
          stuck_.share * ((p.v + (stuck_.theta * p.h) * p.b) * stuck_.viscous - stuck_.tw * az);
      const In<D> force = az + stuck_.b * slip;
      const double cap =
          p.fn * (law_.mu_k + (law_.mu_s - law_.mu_k) * (1 + (state_.s_dw - 1) * dwell_.phi));
      if (force.squaredNorm() <= cap * cap && slip.squaredNorm() < stuck_below_ * stuck_below_) {
        return {force + law_.sigma2 * slip, slip, stuck_.grip, false, stuck_.theta};
      }
    }
    const double k = law_.per_load ? p.fn : 1;
    const SlipAnswerIn<D> answer =
        search<D>(p,
                  {law_.sigma0 * k, law_.sigma1 * k, law_.sigma2 * k, law_.mu_k * p.fn,
                   law_.per_load ? per_sigma1_ / k : per_sigma1_},
                  z, seen<D>(ratio_, along));
    frozen_.ratio = spread<D>(answer.force / p.fn, along);
    frozen_.slip = spread<D>(answer.slip, along);
    frozen_.fn = p.fn;
    return answer;
  }
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
  template <int D>
  SlipAnswerIn<D> respond(const SlipProblemIn<D>& p, const Scaled& c, double a, double b,
                          double cap, const In<D>& z) const noexcept {
    // θ = n/m; one division for it and for the slip together.
    const double hw = p.h * p.w, x = hw * (b + c.s2), n = 6 + 2 * x, m = 12 + 2 * x;
    // Deflection that a falling load no longer carries is let go of at once, as the law has it.
    const bool returns = law_.bounded && law_.returns;
    const In<D> az = a * (returns ? held<double, D>(z, c.s0, law_.mu_s * p.fn) : z);
    const double share = 1 / (m + n * x);
    const In<D> slip = (m * p.v + (n * p.h) * (p.b - p.w * az)) * share;
    const In<D> force = az + b * slip;
    const double size = force.squaredNorm();
    if (!(size > cap * cap)) return {force + c.s2 * slip, slip, n * hw * b * share, false, n / m};
    // The slope of the capped force, which meets that of the free one where they meet: a jump of θ
    // there would leave the search without a root.
    const double soft = implicitness(hw * (b * cap / std::sqrt(size) + c.s2));
    const double viscous = c.s2 == 0 ? 1 : 1 / (1 + soft * hw * c.s2), tw = soft * hw * viscous;
    const In<D> late = (p.v + (soft * p.h) * p.b) * viscous;
    const In<D> way = az + b * late;
    const In<D> at_cap = way * (cap / std::max(norm<double, D>(way), 1e-300));
    const In<D> slipped = late - tw * at_cap;
    return {at_cap + c.s2 * slipped, slipped, 0, true, soft};
  }
  template <int D>
  SlipAnswerIn<D> at_speed(double nu, const SlipProblemIn<D>& p, const Scaled& c,
                           const In<D>& z) noexcept {
    const double ratio = nu * per_v_s_, x = ratio * ratio;
    // Sliding fast: s is below rounding, the relaxation that of the bristles alone.
    double q = 1, rh = relaxation_ * p.h;
    Decay<double> d = break_;
    if (x < 37) {
      q = approached(x);
      rh *= q;
      d = decay(rh);
    }
    const double s = 1 - q;
    const double second = fed_mean(rh, d.phi);
    const double r = nu * per_edge_;
    const double psi = r < 1 ? (1.5 - 0.5 * r * r) * per_edge_ : 1 / nu;
    const double kappa = s + q * c.f_c * psi * c.per_s1;
    const Decay<double>& dwell = s >= state_.s_dw ? dwell_ : break_;
    const double s_dw = s + (state_.s_dw - s) * dwell.phi;
    const double cap = p.fn * (law_.mu_k + (law_.mu_s - law_.mu_k) * s_dw);
    SlipAnswerIn<D> answer =
        respond<D>(p, c, c.s0 * s * d.phi, kappa * (c.s0 * p.h * second + c.s1 * d.phi), cap, z);
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
  template <int D>
  SlipAnswerIn<D> search(const SlipProblemIn<D>& p, const Scaled& c, const In<D>& z,
                         const In<D>& friction_ratio) noexcept {
    const double small = 1e-9 * law_.v_s;
    double nu = std::min(nu_, norm<double, D>(p.v) + p.h * norm<double, D>(p.b));
    if (nu > stuck_below_ && std::isfinite(friction_ratio[0])) {
      // Friction in proportion to that of the step before tells the speed to a few digits.
      const In<D> there = p.v + (0.5 * p.h) * (p.b - (p.w * p.fn) * friction_ratio);
      const double ahead = norm<double, D>(there);
      if (ahead > 0.5 * nu && ahead < 2 * nu) nu = ahead;
    }
    SlipAnswerIn<D> answer = at_speed<D>(nu, p, c, z);
    double error = norm<double, D>(answer.slip) - nu;
    double low = 0, high = infinity;
    double bend = bend_;
    for (int i = 0; i < 14 && std::abs(error) > 1e-5 * nu + small; ++i) {
      (error > 0 ? low : high) = nu;
      double next = nu + error * bend;
      const bool inside = next > low && next < high;
      if (!inside) {
        next = std::isfinite(high) ? 0.5 * (low + high) : std::max(2 * nu, small);
      }
      const double last_nu = nu, last_error = error;
      nu = next;
      answer = at_speed<D>(nu, p, c, z);
      error = norm<double, D>(answer.slip) - nu;
      bend = error != last_error ? (nu - last_nu) / (last_error - error) : 1;
    }
    answer.settled = std::abs(error) <= 1e-3 * nu + small;
    // The step before had nearly the same slope; 1 is the fixed point.
    frozen_.bend = bend > 0.1 && bend < 10 ? bend : 1;
    return answer;
  }

  Gonthier<double>::State<double, 2> state_{};
  double nu_ = 1e300, stuck_below_ = 1e-7;
  Vector ratio_ = Vector::Constant(infinity);  ///< friction over load, of the last step
  double dwell_h_ = -1, stuck_w_ = -1;
  Decay<double> dwell_{1, 1}, break_{1, 1};
  /// Of a secant of the last step: −Δν over Δ(|v̂| − ν).
  double bend_ = 1;
  double relaxation_ = 1, per_v_s_ = 1, per_sigma1_ = 1;  ///< σ0/σ1, 1/v_s, 1/σ1
  struct {
    bool whole = false;  ///< the step of the state is linear in z and v̂
    double fn = 0, keep = 1, feed = 0, s = 0, dwell = 1, bend = 1;
    Vector slip = Vector::Zero(), ratio = Vector::Constant(infinity);
  } frozen_;  ///< of the last search: not part of the state
  struct {
    double theta = 1, viscous = 1, tw = 0, share = 1, b = 0, grip = 1;
  } stuck_;
  Gonthier<double> law_{};
  double per_edge_ = 1e5;  ///< 1/v_ε
};

}  // namespace bristle
