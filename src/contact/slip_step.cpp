#include "bristle/contact/slip_step.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include <Eigen/LU>

#include "bristle/contact/gonthier_slip.hpp"

namespace bristle {
namespace {

using Vector = Tangent<double, 2>;

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
    std::tie(last_, stuck_) = std::tie(other.last_, other.stuck_);
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
    answer.settled = left <= 1e-6 * scale;
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
    double speed = std::max((p.v + end).norm() / 2, least), change = 0;
    for (int i = 0; i < 20; ++i) {
      answer.force = way * std::abs(law().steady(speed, p.fn));
      const double next = std::max(((p.v + end - p.h * p.w * answer.force) / 2).dot(way), least);
      change = std::abs(next - speed);
      if (change <= 1e-12 * speed) break;
      speed = next;
    }
    answer.settled = change <= 1e-6 * speed;
    answer.slip = way * speed;
    return answer;
  }
  void advance(const Vector& slip, double, double) noexcept override { stuck_ = slip.norm() == 0; }
  void clear() noexcept override { stuck_ = false; }
  double dissipation(const Vector& slip, double fn) const noexcept override {
    return slip.norm() * std::abs(law().steady(std::max(slip.norm(), 1e-12), fn));
  }
  double most(double speed, double fn) const noexcept override {
    return std::max(law().stick_set(fn).max, std::abs(law().steady(speed, fn)));
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
