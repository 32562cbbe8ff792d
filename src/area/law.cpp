#include "bristle/area/law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>
#include <Eigen/LU>

namespace bristle {
namespace {

using Matrix32 = Eigen::Matrix<double, 3, 2>;

/// A law on the unit sphere: motions (v_x, v_y, L ω) and wrenches (T_x, T_y, M/L), so that all
/// components have one unit. What is wanted is the direction d whose wrench points along e.
class Sphere {
 public:
  explicit Sphere(const AreaLaw& law) noexcept : law_(law), length_(law.length()) {}

  Planar wrench(const Planar& d) const noexcept {
    Planar w = law_.sliding({d.x(), d.y(), d.z() / length_});
    w.z() /= length_;
    return w;
  }
  Eigen::Matrix3d derivative(const Planar& d) const noexcept {
    Eigen::Matrix3d j = law_.derivative({d.x(), d.y(), d.z() / length_});
    j.col(2) /= length_;
    j.row(2) /= length_;
    return j;
  }

 private:
  const AreaLaw& law_;
  double length_;
};

/// Two unit vectors that make a frame with d.
Matrix32 tangents(const Planar& d) noexcept {
  int least = 0;
  d.cwiseAbs().minCoeff(&least);
  Matrix32 t;
  t.col(0) = d.cross(Planar::Unit(least)).normalized();
  t.col(1) = d.cross(t.col(0));
  return t;
}

/// A try: a direction, its wrench, and how far the wrench's direction is from the wanted one.
struct Try {
  Planar d, wrench;
  double miss = std::numeric_limits<double>::infinity();  ///< chord between the two, 0 to 2
};

Try make_try(const Sphere& sphere, const Planar& d, const Planar& e) noexcept {
  Try t{d, sphere.wrench(d), std::numeric_limits<double>::infinity()};
  const double size = t.wrench.norm();
  if (size > 0 && std::isfinite(size)) t.miss = (t.wrench / size - e).norm();
  return t;
}

constexpr double good_enough = 4e-15;  // of a chord on the unit sphere; rounding is a few 1e-16
constexpr double tolerance = 1e-12;    // a miss that still counts as found

/// The step on the sphere by which Newton would turn the wrench onto e; false if it has none.
bool newton_step(const Sphere& sphere, const Try& now, const Planar& e, Planar& step) noexcept {
  const Matrix32 at_d = tangents(now.d), at_e = tangents(e);
  const double size = now.wrench.norm();
  const Planar u = now.wrench / size;
  Eigen::Matrix3d turn = sphere.derivative(now.d) / size;  // of the wrench's direction
  turn -= u * (u.transpose() * turn);
  const Eigen::Matrix2d j = at_e.transpose() * turn * at_d;
  const double det = j.determinant();
  if (!(std::abs(det) > 1e-14 * j.squaredNorm())) return false;
  const Eigen::Vector2d miss = at_e.transpose() * (u - e);
  const double a = -(j(1, 1) * miss[0] - j(0, 1) * miss[1]) / det;
  const double b = -(j(0, 0) * miss[1] - j(1, 0) * miss[0]) / det;
  step = a * at_d.col(0) + b * at_d.col(1);
  return std::isfinite(step.squaredNorm());
}

/// Damped Newton from `now`.
Try improve(const Sphere& sphere, Try now, const Planar& e, int steps) noexcept {
  for (int i = 0; i < steps && now.miss > good_enough; ++i) {
    Planar step;
    if (now.miss > 1.9 || !newton_step(sphere, now, e, step)) break;
    const double longest = 0.7;  // rad
    if (step.norm() > longest) step *= longest / step.norm();
    Try next = make_try(sphere, (now.d + step).normalized(), e);
    const int halves = now.miss < tolerance ? 0 : 30;  // at the end only rounding is left
    for (int half = 0; half < halves && !(next.miss < now.miss); ++half) {
      step *= 0.5;
      next = make_try(sphere, (now.d + step).normalized(), e);
    }
    if (!(next.miss < now.miss)) break;
    now = next;
  }
  return now;
}

/// The best of directions spread over the sphere.
Try best_of_many(const Sphere& sphere, const Planar& e) noexcept {
  constexpr int many = 200;
  Try best;
  for (int i = 0; i < many; ++i) {  // Fibonacci's spiral
    const double z = (2 * i + 1.0) / many - 1, r = std::sqrt(1 - z * z), angle = 2.399963 * i;
    const Try t = make_try(sphere, {r * std::cos(angle), r * std::sin(angle), z}, e);
    if (t.miss < best.miss) best = t;
  }
  return best;
}

/// Follows the answer while the wanted direction moves from where `now` points to e.
Try follow(const Sphere& sphere, Try now, const Planar& e) noexcept {
  const Planar from = now.wrench.normalized();
  double done = 0, stride = 0.25;
  while (done < 1 && stride > 1e-4) {
    const double next = std::min(1.0, done + stride);
    const Planar aim = ((1 - next) * from + next * e).normalized();
    const Try t = improve(sphere, make_try(sphere, now.d, aim), aim, 20);
    if (t.miss < tolerance) {
      now = t;
      done = next;
      stride *= 2;
    } else {
      stride *= 0.25;
    }
  }
  return make_try(sphere, now.d, e);
}

Hold answer(const Try& t, double size) noexcept {
  return {size / t.wrench.norm(), t.d, t.miss < tolerance};
}

/// (T_x, T_y, M/L) of a wrench, with its size taken out.
struct Aim {
  Planar e;
  double size;
  Aim(const Planar& wrench, double length) noexcept
      : e(wrench.x(), wrench.y(), wrench.z() / length), size(e.stableNorm()) {
    if (size > 0) e /= size;
  }
};

}  // namespace

double AreaLaw::speed(const Planar& motion) const noexcept {
  return std::hypot(motion.x(), motion.y(), length_ * motion.z());
}

// Central differences with a step that is a share of the motion itself: a kink where the spin
// changes sign is seen only from as close as that.
Planar AreaLaw::speed_gradient(const Planar& motion) const noexcept {
  const double size = std::hypot(motion.x(), motion.y(), length_ * motion.z());
  if (!(size > 0)) return Planar::Zero();
  Planar g;
  for (int i = 0; i < 3; ++i) {
    const Planar h = (6e-6 * size / (i == 2 ? length_ : 1)) * Planar::Unit(i);
    g[i] = (speed(motion + h) - speed(motion - h)) / (2 * h[i]);
  }
  return g;
}

Eigen::Matrix3d AreaLaw::derivative(const Planar& motion) const noexcept {
  const double size = std::hypot(motion.x(), motion.y(), length_ * motion.z());
  if (!(size > 0)) return Eigen::Matrix3d::Zero();
  Eigen::Matrix3d j;
  for (int i = 0; i < 3; ++i) {
    const Planar h = (6e-6 * size / (i == 2 ? length_ : 1)) * Planar::Unit(i);
    j.col(i) = (sliding(motion + h) - sliding(motion - h)) / (2 * h[i]);
  }
  return j;
}

Hold AreaLaw::hold(const Planar& wrench) const noexcept { return hold_by_newton(wrench); }

Hold AreaLaw::hold_by_newton(const Planar& wrench) const noexcept {
  const Aim aim(wrench, length_);
  if (!(aim.size > 0)) return {};
  const Sphere sphere(*this);
  Try best = improve(sphere, make_try(sphere, aim.e, aim.e), aim.e, 40);
  if (best.miss < tolerance) return answer(best, aim.size);
  const Try near = best_of_many(sphere, aim.e);
  const Try second = improve(sphere, near, aim.e, 60);
  if (second.miss < best.miss) best = second;
  if (best.miss < tolerance) return answer(best, aim.size);
  const Try third = follow(sphere, near, aim.e);
  if (third.miss < best.miss) best = third;
  return answer(best, aim.size);
}

Hold AreaLaw::hold_near(const Planar& wrench, const Planar& direction) const noexcept {
  const Aim aim(wrench, length_);
  if (!(aim.size > 0)) return {};
  const Sphere sphere(*this);
  const double size = direction.norm();
  if (size > 0) {
    const Try t = improve(sphere, make_try(sphere, direction / size, aim.e), aim.e, 12);
    if (t.miss < tolerance) return answer(t, aim.size);
  }
  return hold(wrench);
}

namespace {

/// Λ [1/√(Λ²+ε²) + η' ε³/(Λ²+ε²)²] over Λ, and its derivative with respect to Λ over Λ.
struct Smoothing {
  double value, slope;
  Smoothing(double speed, double eps, double eta_prime) noexcept {
    const double x = speed / eps, square = x * x + 1, root = std::sqrt(square);
    const double quartic = eta_prime / (square * square);
    value = (1 / root + quartic) / eps;
    slope = -(1 / (root * square) + 4 * quartic / square) / (eps * eps * eps);
  }
};

constexpr double far_away = 1e70;  // in ε: the smoothing has no effect, and its powers overflow

}  // namespace

Planar regularised(const AreaLaw& law, const Planar& motion, double eps,
                   double eta_prime) noexcept {
  const double speed = law.speed(motion);
  if (!(speed > 0)) return Planar::Zero();
  if (speed > far_away * eps) return law.sliding(motion);
  return law.sliding(motion) * (speed * Smoothing(speed, eps, eta_prime).value);
}

Eigen::Matrix3d regularised_derivative(const AreaLaw& law, const Planar& motion, double eps,
                                       double eta_prime) noexcept {
  const double speed = law.speed(motion);
  if (!(speed > 0)) {
    Eigen::Matrix3d j;
    for (int i = 0; i < 3; ++i) {
      j.col(i) = law.sliding(Planar::Unit(i)) * law.speed(Planar::Unit(i));
    }
    return j * Smoothing(0, eps, eta_prime).value;
  }
  if (speed > far_away * eps) return law.derivative(motion);
  const Smoothing smooth(speed, eps, eta_prime);
  const Planar s = law.sliding(motion);
  const double ds = smooth.value + speed * speed * smooth.slope;
  return law.derivative(motion) * (speed * smooth.value) +
         s * (ds * law.speed_gradient(motion)).transpose();
}

}  // namespace bristle
