#include "bristle/contact/slip_step.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/LU>

#include "bristle/friction/gonthier.hpp"

namespace bristle {
namespace {

using Vector = Tangent<double, 2>;

double implicitness(double x) noexcept { return 0.5 + x / (12 + 2 * x); }

/// Gonthier's law in closed form but for one scalar root. With ν = |v̂| frozen,
///   z' = E z + κ h φ v̂,   F̄ = A z + B v̂,   A = s σ0 φ,   B = κ (σ0 h φ₂ + σ1 φ),
/// E, φ, φ₂ those of a relaxation by r h, r = (1−s) σ0/σ1, κ = s + (1−s) f_C ψ/σ1.
class GonthierSlip final : public SlipSolver {
 public:
  explicit GonthierSlip(const AnyLaw& law) {
    for_each_parameter(law_, [&](const Traits& traits, auto& member) {
      assign_parameter(member, law.get(traits.name));
    });
    edge_ = law_.v_eps > 0 ? law_.v_eps : 0.01 * law_.v_s;
  }

  SlipAnswer solve(const SlipProblem& p) noexcept override {
    if (!loaded(p.fn)) return {Vector::Zero(), p.v + 0.5 * p.h * p.b, 0, false};
    remember(p.h);
    const double k = law_.per_load ? p.fn : 1;
    const Scaled c{law_.sigma0 * k, law_.sigma1 * k, law_.sigma2 * k, law_.mu_k * p.fn};
    if (nu_ < stuck_below()) {
      // s = 1: a spring and a damper, no iteration.
      const double cap =
          p.fn * (law_.mu_k + (law_.mu_s - law_.mu_k) * (1 + (state_.s_dw - 1) * dwell_.phi));
      const SlipAnswer stuck = respond(p, c, c.s0, 0.5 * c.s0 * p.h + c.s1, cap);
      if (!stuck.slides && stuck.slip.norm() < stuck_below()) return stuck;
    }
    return search(p, c);
  }

  void advance(const Vector& slip, double fn, double h) noexcept override {
    const double speed = slip.norm();
    nu_ = speed;
    if (speed < stuck_below() && loaded(fn)) {
      remember(h);
      state_.z += h * slip;
      if (law_.bounded) {
        const double k = law_.per_load ? fn : 1;
        state_.z = held<double, 2>(state_.z, law_.sigma0 * k, law_.mu_s * fn);
      }
      state_.s_dw = 1 + (state_.s_dw - 1) * dwell_.e;
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
  }
  double stored(double fn) const noexcept override { return law_.stored(fn, state_); }
  double dissipation(const Vector& slip, double fn) const noexcept override {
    return law_.dissipation(sliding<double, 2>(slip, fn), state_);
  }
  int size() const noexcept override { return 4; }
  int law_size() const noexcept override { return 3; }
  void save(std::span<double> n) const noexcept override {
    n[0] = state_.z[0];
    n[1] = state_.z[1];
    n[2] = state_.s_dw;
    n[3] = nu_;
  }
  void restore(std::span<const double> n) noexcept override {
    state_.z = Vector(n[0], n[1]);
    state_.s_dw = n[2];
    nu_ = n[3];
  }
  std::unique_ptr<SlipSolver> clone() const override {
    return std::make_unique<GonthierSlip>(*this);
  }

 private:
  struct Scaled {
    double s0, s1, s2, f_c;
  };
  double stuck_below() const noexcept { return 1e-4 * law_.v_s; }
  /// Steps are mostly alike: the exponential of the dwell time is kept.
  void remember(double h) noexcept {
    if (h == dwell_h_) return;
    dwell_h_ = h;
    dwell_ = decay(h / law_.tau_dw);
  }
  /// v̂ and F̄ = A z + B v̂, returned radially to the cap where it is beyond.
  SlipAnswer respond(const SlipProblem& p, const Scaled& c, double a, double b,
                     double cap) const noexcept {
    const double hw = p.h * p.w;
    const auto outside = [&](double theta, double& tw) {
      const double viscous = 1 + theta * hw * c.s2;
      tw = theta * hw / viscous;
      return Vector((p.v + (theta * p.h) * p.b) / viscous);
    };
    double tw = 0;
    const double theta = implicitness(hw * (b + c.s2));
    const Vector start = outside(theta, tw);
    // Deflection that a falling load no longer carries is let go of at once, as the law has it.
    const Vector z = law_.bounded ? held<double, 2>(state_.z, c.s0, law_.mu_s * p.fn) : state_.z;
    const Vector az = a * z;
    const double grip = tw * b / (1 + tw * b);
    const Vector slip = (start - tw * az) / (1 + tw * b);
    const Vector force = az + b * slip;
    if (!(force.squaredNorm() > cap * cap)) return {force + c.s2 * slip, slip, grip, false, theta};
    const double soft = implicitness(hw * c.s2);
    const Vector late = outside(soft, tw);
    const Vector way = az + b * late;
    const Vector at_cap = way * (cap / std::max(way.norm(), 1e-300));
    const Vector slipped = late - tw * at_cap;
    return {at_cap + c.s2 * slipped, slipped, 0, true, soft};
  }
  SlipAnswer at_speed(double nu, const SlipProblem& p, const Scaled& c) const noexcept {
    const double ratio = nu / law_.v_s, x = ratio * ratio;
    const double q = approached(x), s = 1 - q;
    const double rate = c.s0 / c.s1, rh = q * rate * p.h;
    const Decay<double> d = decay(rh);
    const double second = fed_mean(rh, d.phi);
    const double r = nu / edge_;
    const double psi = r < 1 ? (1.5 - 0.5 * r * r) / edge_ : 1 / nu;
    const double kappa = s + q * c.f_c * psi / c.s1;
    const bool building = s >= state_.s_dw;
    const double phi = building ? dwell_.phi : decay(rate * p.h).phi;
    const double s_dw = s + (state_.s_dw - s) * phi;
    const double cap = p.fn * (law_.mu_k + (law_.mu_s - law_.mu_k) * s_dw);
    SlipAnswer answer =
        respond(p, c, c.s0 * s * d.phi, kappa * (c.s0 * p.h * second + c.s1 * d.phi), cap);
    // Sliding friction is at the kinetic level, which goes with the load, long before the cap.
    answer.slides |= q > 0.5;
    return answer;
  }
  /// |v̂(ν)| = ν by a bracketed secant, from the speed of the step before: of several roots the
  /// nearest.
  SlipAnswer search(const SlipProblem& p, const Scaled& c) const noexcept {
    const double small = 1e-9 * law_.v_s;
    double nu = std::min(nu_, p.v.norm() + p.h * p.b.norm());
    SlipAnswer answer = at_speed(nu, p, c);
    double error = answer.slip.norm() - nu;
    double low = 0, high = infinity;
    double last_nu = nu, last_error = error;
    for (int i = 0; i < 14 && std::abs(error) > 1e-7 * nu + small; ++i) {
      (error > 0 ? low : high) = nu;
      double next = nu + error;  // the fixed point first, then secants
      if (i > 0 && error != last_error) {
        next = nu - error * (nu - last_nu) / (error - last_error);
      }
      if (!(next > low && next < high)) {
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

  Gonthier<double> law_{};
  Gonthier<double>::State<double, 2> state_{};
  double edge_ = 1e-5, nu_ = 1e300;
  double dwell_h_ = -1;
  Decay<double> dwell_{1, 1};
};

/// Any law through its mean force.
class AnySlip : public SlipSolver {
 public:
  explicit AnySlip(const AnyLaw& law)
      : law_(law), group_(law.plane(1)), numbers_(static_cast<std::size_t>(group_->state_size())) {
    const std::vector<StateColumn> columns = group_->columns();
    for (std::size_t i = 0; i + 1 < columns.size(); ++i) {
      if (columns[i].name.ends_with("_x") && !columns[i].discrete) pairs_.push_back(i);
    }
    fresh_.resize(numbers_.size());
    group_->relax(0, 0.0);
    group_->save(0, fresh_);
  }
  AnySlip(const AnySlip& other) : AnySlip(other.law_) {
    other.group_->save(0, numbers_);
    group_->restore(0, numbers_);
    last_ = other.last_;
    stuck_ = other.stuck_;
  }
  AnySlip& operator=(const AnySlip&) = delete;
  AnySlip(AnySlip&&) = delete;
  AnySlip& operator=(AnySlip&&) = delete;
  ~AnySlip() override = default;

  SlipAnswer solve(const SlipProblem& p) noexcept override {
    if (!loaded(p.fn)) return {Vector::Zero(), p.v + 0.5 * p.h * p.b, 0, false};
    contact_.fn = p.fn;
    contact_.f_e = p.w > 0 ? Vector(p.b / p.w) : Vector::Zero();
    const double scale = p.v.norm() + p.h * p.b.norm() + 1e-12;
    // From the slip of the step before; where a law jumps that may lead nowhere, and the slip that
    // there is now may do better.
    SlipAnswer answer;
    double left = search(p, last_.norm() < 1e100 ? last_ : p.v, scale, answer);
    for (const Vector& start : {p.v, Vector(p.v + p.h * p.b)}) {
      if (left <= 1e-6 * scale) break;
      SlipAnswer other;
      const double there = search(p, start, scale, other);
      if (there >= left) continue;
      left = there;
      answer = other;
    }
    if (left > 1e-6 * scale && numbers_.empty()) return along(p);
    return answer;
  }
  void advance(const Vector& slip, double fn, double h) noexcept override {
    last_ = slip;
    contact_ = sliding<double, 2>(slip, fn);
    group_->advance({&contact_, 1}, h);
  }
  void turn(double angle) noexcept override {
    if (pairs_.empty()) return;
    group_->save(0, numbers_);
    const double cosine = std::cos(angle), sine = std::sin(angle);
    for (const std::size_t i : pairs_) {
      const double x = numbers_[i], y = numbers_[i + 1];
      numbers_[i] = cosine * x - sine * y;
      numbers_[i + 1] = sine * x + cosine * y;
    }
    group_->restore(0, numbers_);
  }
  void clear() noexcept override {
    if (!fresh_.empty()) group_->restore(0, fresh_);
    last_ = Vector::Constant(1e300);
  }
  double stored(double fn) const noexcept override { return group_->stored(0, fn); }
  double dissipation(const Vector& slip, double fn) const noexcept override {
    return group_->dissipation(0, sliding<double, 2>(slip, fn));
  }
  int size() const noexcept override { return group_->state_size() + 3; }
  int law_size() const noexcept override { return group_->state_size(); }
  void save(std::span<double> numbers) const noexcept override {
    const auto n = numbers_.size();
    if (n > 0) group_->save(0, numbers.first(n));
    numbers[n] = last_[0];
    numbers[n + 1] = last_[1];
    numbers[n + 2] = stuck_ ? 1 : 0;
  }
  void restore(std::span<const double> numbers) noexcept override {
    const auto n = numbers_.size();
    if (n > 0) group_->restore(0, numbers.first(n));
    last_ = Vector(numbers[n], numbers[n + 1]);
    stuck_ = numbers[n + 2] != 0;
  }
  std::unique_ptr<SlipSolver> clone() const override { return std::make_unique<AnySlip>(*this); }

 protected:
  const AnyLaw& law() const noexcept { return law_; }
  Vector mean_force(const Vector& slip, double h) noexcept {
    contact_.v = contact_.v_lag = slip;
    return group_->mean_force(0, contact_, h);
  }
  bool stuck_ = false;  ///< of set-valued laws

 private:
  /// Without a state friction is along the slip, and the slip along v + θ h b: one number, between
  /// 0 and what there would be without friction.
  SlipAnswer along(const SlipProblem& p) noexcept {
    SlipAnswer answer;
    const auto excess = [&](double speed) {
      Vector way = p.v + 0.5 * p.h * p.b;
      for (int i = 0; i < 2; ++i) {  // θ from the force, which hardly knows the direction
        way.normalize();
        answer.force = mean_force(speed * way, p.h);
        const double x = p.h * p.w * answer.force.norm() / speed;
        answer.theta = implicitness(x);
        answer.grip = answer.theta * x / (1 + answer.theta * x);
        way = p.v + (answer.theta * p.h) * p.b;
      }
      const double free = way.norm();
      answer.slip = speed * (free > 0 ? Vector(way / free) : Vector::UnitX());
      return free - answer.theta * p.h * p.w * answer.force.norm() - speed;
    };
    double low = 0, high = p.v.norm() + p.h * p.b.norm() + 1e-300, speed = high;
    for (int i = 0; i < 60; ++i) {
      speed = 0.5 * (low + high);
      (excess(speed) > 0 ? low : high) = speed;
    }
    answer.slides = answer.grip < 0.5;
    return answer;
  }
  /// Damped Newton from v; how much of the residual is left.
  double search(const SlipProblem& p, Vector v, double scale, SlipAnswer& answer) noexcept {
    Vector r = residual(p, v, answer);
    for (int i = 0; i < 20 && r.norm() > 1e-10 * scale; ++i) {
      const double d = 1e-7 * std::max(v.norm(), 1e-6 * scale) + 1e-18;
      Eigen::Matrix2d slope;
      SlipAnswer ignored;
      slope.col(0) = (residual(p, v + Vector(d, 0), ignored) - r) / d;
      slope.col(1) = (residual(p, v + Vector(0, d), ignored) - r) / d;
      const Vector step = slope.inverse() * r;
      if (!step.allFinite()) break;
      bool moved = false;
      for (double share = 1; share > 1e-6 && !moved; share /= 2) {
        SlipAnswer trial;
        const Vector there = residual(p, v - share * step, trial);
        if (there.norm() < r.norm() * (1 - 1e-4 * share)) {
          v -= share * step;
          r = there;
          answer = trial;
          moved = true;
        }
      }
      if (!moved) break;
    }
    return r.norm();
  }
  /// v̂ − v − θ h (b − w F̄(v̂)), with θ from the secant of the mean force.
  Vector residual(const SlipProblem& p, const Vector& slip, SlipAnswer& answer) noexcept {
    const double tiny = 1e-12;
    const Vector probe = slip.norm() > tiny ? slip : Vector(tiny, 0);
    const Vector base = mean_force(Vector::Zero(), p.h);
    const Vector top = mean_force(probe, p.h);
    const double slope = std::max(0.0, (top - base).dot(probe) / probe.squaredNorm());
    answer.force = slip.norm() > tiny ? top : mean_force(slip, p.h);
    answer.slip = slip;
    const double x = p.h * p.w * slope, theta = implicitness(x);
    answer.grip = theta * x / (1 + theta * x);
    answer.slides = answer.grip < 0.5;
    answer.theta = theta;
    return slip - p.v - theta * p.h * (p.b - p.w * answer.force);
  }

  AnyLaw law_;
  std::unique_ptr<Group<2>> group_;
  std::vector<double> numbers_, fresh_;
  std::vector<std::size_t> pairs_;  ///< where the numbers of the state are vectors
  Slip<double, 2> contact_{};
  Vector last_ = Vector::Constant(1e300);
};

/// Sticks if the force that brings the slip to rest is within the limit: static while it sticks,
/// kinetic while it slides.
class SetValuedSlip final : public AnySlip {
 public:
  using AnySlip::AnySlip;

  SlipAnswer solve(const SlipProblem& p) noexcept override {
    if (!loaded(p.fn)) return {Vector::Zero(), p.v + 0.5 * p.h * p.b, 0, false};
    const StickSet set = law().stick_set(p.fn);
    const double least = std::max(1e-12, 1.001 * set.band);
    const Vector end = p.v + p.h * p.b;
    if (p.w > 0) {
      const Vector stop = end / (p.h * p.w);
      const double kinetic = std::abs(law().steady(least, p.fn));
      if (stop.norm() <= (stuck_ ? set.max : std::min(set.max, kinetic))) {
        return {stop, Vector::Zero(), 1, false, 1};
      }
    }
    const Vector way = end.norm() > 0 ? Vector(end.normalized()) : Vector::UnitX();
    SlipAnswer answer{Vector::Zero(), way, 0, true};
    double speed = std::max((p.v + end).norm() / 2, least);
    for (int i = 0; i < 20; ++i) {
      answer.force = way * std::abs(law().steady(speed, p.fn));
      const double next = std::max(((p.v + end - p.h * p.w * answer.force) / 2).dot(way), least);
      if (std::abs(next - speed) <= 1e-12 * speed) break;
      speed = next;
    }
    answer.slip = way * speed;
    return answer;
  }
  void advance(const Vector& slip, double, double) noexcept override { stuck_ = slip.norm() == 0; }
  void clear() noexcept override { stuck_ = false; }
  double dissipation(const Vector& slip, double fn) const noexcept override {
    return slip.norm() * std::abs(law().steady(std::max(slip.norm(), 1e-12), fn));
  }
  std::unique_ptr<SlipSolver> clone() const override {
    return std::make_unique<SetValuedSlip>(*this);
  }
};

}  // namespace

std::unique_ptr<SlipSolver> SlipSolver::make(const AnyLaw& law) {
  if (law.name() == "gonthier") return std::make_unique<GonthierSlip>(law);
  if (law.info().can(Capability::set_valued)) return std::make_unique<SetValuedSlip>(law);
  return std::make_unique<AnySlip>(law);
}

}  // namespace bristle
