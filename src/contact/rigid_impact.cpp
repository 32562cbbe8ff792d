#include "bristle/contact/rigid_impact.hpp"

#include <cmath>
#include <limits>

namespace bristle {
namespace {

constexpr double endless = std::numeric_limits<double>::infinity();

/// A straight piece of the way: what happens per unit of normal impulse.
struct Piece {
  double p_t;       ///< dp_t/dp_n
  double v_t, v_n;  ///< rates of the velocities
};

Piece piece(const ContactInertia& w, double p_t) noexcept {
  return {p_t, w.w_tt * p_t + w.w_tn, w.w_tn * p_t + w.w_nn};
}

/// After slip has stopped. The slope of v_t is set to an exact 0 in stick.
Piece second_piece(const ContactInertia& w, double mu, ImpactSlip& slip) noexcept {
  const double hold = w.w_tt > 0 ? -w.w_tn / w.w_tt : 0.0;
  if (std::abs(hold) <= mu) {
    slip = ImpactSlip::sticks;
    Piece stick = piece(w, hold);
    stick.v_t = 0;
    return stick;
  }
  slip = ImpactSlip::reverses;
  return piece(w, std::copysign(mu, hold));
}

/// The state on the way, and the way itself.
class Way {
 public:
  Way(const ContactInertia& w, const Eigen::Vector2d& velocity, double mu) noexcept
      : v_t_(velocity[0]), v_n_(velocity[1]), after_(second_piece(w, mu, later_)) {
    if (v_t_ == 0) {
      now_ = after_;
      result_.slip = later_;
      return;
    }
    now_ = piece(w, -std::copysign(mu, v_t_));
    result_.jammed = now_.v_n < 0;
    if (v_t_ * now_.v_t < 0) left_ = -v_t_ / now_.v_t;
  }

  /// Goes on until v_n has reached `target` > the present v_n.
  void until_velocity(double target) noexcept {
    if (now_.v_n * left_ < target - v_n_ || now_.v_n <= 0) next();
    if (target > v_n_) go((target - v_n_) / now_.v_n);
  }
  /// Goes on by a normal impulse.
  void by_impulse(double p) noexcept {
    if (p > left_) {
      p -= left_;
      next();
    }
    go(p);
  }
  /// Goes on until the normal force has done this work; v_n ≥ 0 and rising.
  void by_work(double work) noexcept {
    if (left_ < endless) {
      const double first = left_ * (v_n_ + 0.5 * now_.v_n * left_);
      if (work > first) {
        work -= first;
        next();
      }
    }
    // v_n p + ½ v_n' p² = work, in the form that does not cancel.
    const double root = std::sqrt(v_n_ * v_n_ + 2 * now_.v_n * work);
    if (work > 0) go(2 * work / (v_n_ + root));
  }

  const RigidImpact& result() noexcept {
    result_.velocity = {v_t_, v_n_};
    result_.energy_lost = -(result_.normal_work + result_.tangential_work);
    return result_;
  }
  RigidImpact& so_far() noexcept { return result_; }

 private:
  /// Along the present piece.
  void go(double p) noexcept {
    const double v_t = v_t_ + now_.v_t * p, v_n = v_n_ + now_.v_n * p;
    result_.impulse += Eigen::Vector2d(now_.p_t * p, p);
    result_.normal_work += 0.5 * (v_n_ + v_n) * p;
    result_.tangential_work += 0.5 * (v_t_ + v_t) * now_.p_t * p;
    v_t_ = v_t;
    v_n_ = v_n;
    left_ -= p;
  }
  /// To the end of the first piece, where slip stops.
  void next() noexcept {
    go(left_);
    v_t_ = 0;
    now_ = after_;
    left_ = endless;
    result_.slip = later_;
  }

  double v_t_, v_n_;
  ImpactSlip later_ = ImpactSlip::slides;
  Piece after_, now_{};
  double left_ = endless;  ///< normal impulse to the end of the present piece
  RigidImpact result_;
};

}  // namespace

RigidImpact rigid_impact(const ContactInertia& w, const Eigen::Vector2d& velocity, double mu,
                         double e, ImpactLaw law) noexcept {
  if (!(velocity[1] < 0)) return {.velocity = velocity};
  Way way(w, velocity, mu);
  way.until_velocity(0);
  const double compression = way.so_far().impulse[1];
  way.so_far().compression = compression;
  switch (law) {
    case ImpactLaw::newton:
      way.until_velocity(-e * velocity[1]);
      break;
    case ImpactLaw::poisson:
      way.by_impulse(e * compression);
      break;
    case ImpactLaw::stronge:
      way.by_work(-e * e * way.so_far().normal_work);
      break;
  }
  return way.result();
}

}  // namespace bristle
