#include "bristle/contact/patch_slip.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/LU>

#include "bristle/contact/gonthier_slip.hpp"

namespace bristle {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int most_speeds = 24;   ///< sizes of the slip that are tried
constexpr int most_returns = 10;  ///< to the limit curve, for one of them

/// A share of the limit, found by secants in its inverse, in which it is nearly linear: the force
/// is (A p + B û)/ρ, and 1/excess grows with ρ.
class Return {
 public:
  double rho() const noexcept { return rho_; }
  /// False if this is good enough.
  bool better(double excess) noexcept {
    const double error = 1 / excess - 1;
    if (std::abs(error) < 1e-9) return false;
    double next = rho_ * excess;
    if (std::isfinite(last_error_) && error != last_error_) {
      const double secant = rho_ - error * (rho_ - last_rho_) / (error - last_error_);
      if (secant > 0.05 * rho_) next = secant;
    }
    last_rho_ = rho_;
    last_error_ = error;
    rho_ = std::max(1.0, next);
    return rho_ != last_rho_;
  }

 private:
  double rho_ = 1, last_rho_ = 1, last_error_ = infinity;
};

class Search {
 public:
  Search(const PatchFriction& law, const PatchSlip& patch, const PatchFriction::State& state,
         const PatchSlipProblem& problem) noexcept
      : law_(law),
        at_(patch),
        state_(state),
        problem_(problem),
        drive_(problem.b - patch.fn * problem.c),
        x_(problem.h * patch.fn * problem.w) {}

  /// |û(ν)| = ν by a bracketed secant, from the speed of the step before.
  PatchSlipAnswer go() noexcept {
    const double small = 1e-9 * law_.v_s;
    double nu = std::min(at_.u.norm(), problem_.u.norm() + problem_.h * drive_.norm());
    share_ = share_of(at_.u.squaredNorm() > 0 ? at_.u : problem_.u);
    PatchSlipAnswer answer = at_speed(nu);
    double error = answer.slip.norm() - nu, low = 0, high = infinity;
    double last_nu = nu, last_error = infinity;
    for (int i = 0; i < most_speeds; ++i) {
      const double share = share_of(answer.slip);
      const bool turned = answer.slip.norm() > small && std::abs(share - share_) > 1e-5;
      if (!turned && std::abs(error) <= 1e-6 * nu + small) break;
      if (std::abs(share - share_) > 1e-3) {  // another curve: what was known of it is void
        low = 0;
        high = infinity;
        last_error = infinity;
      }
      if (turned) share_ = share;
      (error > 0 ? low : high) = nu;
      double next = nu + error;
      if (std::isfinite(last_error) && error != last_error) {
        next = nu - error * (nu - last_nu) / (error - last_error);
      }
      const bool inside = next > low && next < high;
      if (!inside) next = std::isfinite(high) ? 0.5 * (low + high) : std::max(2 * nu, small);
      last_nu = nu;
      last_error = error;
      nu = next;
      answer = at_speed(nu);
      error = answer.slip.norm() - nu;
    }
    return answer;
  }

 private:
  /// Of the spin in a slip, as the sine of an angle; neither part is ever quite absent, so that the
  /// force per slip is known for both.
  static double share_of(const Vector3& u) noexcept {
    const double size = u.norm();
    if (!(size > 0)) return 1e-6;
    return std::clamp(std::abs(u[2]) / size, 1e-6, 1 - 1e-12);
  }
  PatchSlipAnswer at_speed(double nu) noexcept {
    at_.u = {nu * std::sqrt(1 - share_ * share_), 0, nu * share_};
    const PatchFriction::Frozen f = law_.frozen(at_, state_, problem_.h);
    const Vector3 b(f.along, f.along, f.about), ap = f.a * state_.p;
    PatchSlipAnswer answer;
    Return along, about;
    Vector3 w = Vector3::Zero();
    bool bounded = false;
    for (int i = 0; i < most_returns; ++i) {
      const Vector3 share(1 / along.rho(), 1 / along.rho(), 1 / about.rho());
      const Vector3 slope = share.cwiseProduct(b) + Vector3::Constant(law_.sigma2);
      const double theta = implicitness((x_.diagonal().cwiseProduct(slope)).maxCoeff());
      const Matrix3 system = Matrix3::Identity() + theta * x_ * slope.asDiagonal();
      const Vector3 start = problem_.u + theta * problem_.h * drive_;
      answer.slip = system.inverse() * (start - theta * (x_ * share.cwiseProduct(ap)));
      answer.theta = theta;
      w = share.cwiseProduct(ap + b.cwiseProduct(answer.slip));
      const PatchFriction::Excess excess = law_.excess(at_, w, f.s_dw);
      const bool over_along = excess.along > 1 || along.rho() > 1;
      const bool over_about = excess.about > 1 || about.rho() > 1;
      if (!over_along && !over_about) break;
      bounded = true;
      const bool one = over_along && excess.along > 0 && along.better(excess.along);
      const bool other = over_about && excess.about > 0 && about.better(excess.about);
      if (!one && !other) break;
    }
    const double fn = at_.fn;
    answer.force = fn * (w + law_.sigma2 * answer.slip);
    answer.follow = answer.force / fn;
    if (!bounded && f.s > 0.5) {
      const Vector3 slope = fn * (b + Vector3::Constant(law_.sigma2));
      const double step = answer.theta * problem_.h;
      const Matrix3 held = Matrix3::Identity() + step * slope.asDiagonal() * problem_.w;
      answer.follow = held.inverse() * (answer.force / fn - step * slope.cwiseProduct(problem_.c));
    }
    return answer;
  }

  const PatchFriction& law_;
  PatchSlip at_;
  const PatchFriction::State& state_;
  const PatchSlipProblem& problem_;
  Vector3 drive_;
  Matrix3 x_;
  double share_ = 0;
};

}  // namespace

PatchSlipAnswer patch_slip_step(const PatchFriction& law, const PatchSlip& patch,
                                const PatchFriction::State& state,
                                const PatchSlipProblem& problem) noexcept {
  PatchSlipAnswer answer;
  answer.slip = problem.u + 0.5 * problem.h * (problem.b - patch.fn * problem.c);
  const bool frictionless = law.mu_s <= 0 && law.sigma2 <= 0;
  if (!(patch.fn > 1e-250) || frictionless) return answer;
  return Search(law, patch, state, problem).go();
}

}  // namespace bristle
