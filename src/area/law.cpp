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

/// Newton's method for the direction in the plane that touches the sphere at `centre`, with slopes
/// by differences at first and Broyden's updates after: a law may be slow to ask.
class Chart {
 public:
  Chart(const Sphere& sphere, const Try& centre, const Planar& e) noexcept
      : sphere_(sphere), e_(e), centre_(centre), at_d_(tangents(centre.d)), at_e_(tangents(e)) {
    const double z = std::abs(centre.d.z());
    for (int i = 0; i < 2; ++i) {
      // Where the spin changes sign laws may have a kink: keep to one side of it.
      const double side = 0.5 * z / std::fmax(std::abs(at_d_(2, i)), 1e-300);
      const double h = std::clamp(side, 1e-9, 6e-6);
      const Eigen::Vector2d x = h * Eigen::Vector2d::Unit(i);
      slope_.col(i) = (miss(at(x)) - miss(at(-x))) / (2 * h);
    }
  }
  Try at(const Eigen::Vector2d& x) const noexcept {
    return make_try(sphere_, (centre_.d + at_d_ * x).normalized(), e_);
  }
  /// Towards the answer from x, where the try is t; false if there is no such way.
  bool step(const Try& t, Eigen::Vector2d& dx) const noexcept {
    const double det = slope_.determinant();
    if (!(std::abs(det) > 1e-14 * slope_.squaredNorm())) return false;
    const Eigen::Vector2d r = miss(t);
    dx = {-(slope_(1, 1) * r[0] - slope_(0, 1) * r[1]) / det,
          -(slope_(0, 0) * r[1] - slope_(1, 0) * r[0]) / det};
    constexpr double longest = 0.7;
    if (dx.norm() > longest) dx *= longest / dx.norm();
    return std::isfinite(dx.squaredNorm());
  }
  void learn(const Try& before, const Try& after, const Eigen::Vector2d& dx) noexcept {
    slope_ += (miss(after) - miss(before) - slope_ * dx) * dx.transpose() / dx.squaredNorm();
  }

 private:
  Eigen::Vector2d miss(const Try& t) const noexcept {
    return at_e_.transpose() * (t.wrench.normalized() - e_);
  }
  const Sphere& sphere_;
  Planar e_;
  Try centre_;
  Matrix32 at_d_, at_e_;
  Eigen::Matrix2d slope_;
};

/// As far as one chart goes: until found, or until it no longer gains by leaps. With fresh slopes a
/// step that does not gain is halved.
Try improve_in_chart(const Sphere& sphere, Try now, const Planar& e) noexcept {
  Chart chart(sphere, now, e);
  Eigen::Vector2d x = Eigen::Vector2d::Zero(), dx;
  for (int i = 0; i < 12 && now.miss > good_enough && chart.step(now, dx); ++i) {
    Try next = chart.at(x + dx);
    const int halves = i == 0 && now.miss > tolerance ? 30 : 0;
    for (int half = 0; half < halves && !(next.miss < now.miss); ++half) {
      dx *= 0.5;
      next = chart.at(x + dx);
    }
    if (!(next.miss < now.miss)) break;
    const bool leap = next.miss < 0.25 * now.miss;
    chart.learn(now, next, dx);
    x += dx;
    now = next;
    if (!leap) break;
  }
  return now;
}

/// Chart after chart from `now`.
Try improve(const Sphere& sphere, Try now, const Planar& e, int charts) noexcept {
  for (int i = 0; i < charts && now.miss > good_enough && now.miss < 1.9; ++i) {
    const Try next = improve_in_chart(sphere, now, e);
    const bool stuck = !(next.miss < now.miss);
    now = next;
    if (stuck || now.miss < tolerance / 10) break;
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

/// For associated laws: the motion with e·t = 1 that takes the least power P(t) = t·s(t), a convex
/// problem, by damped Newton. Slower, and blind to nothing but kinks at the answer itself.
Try least_power(const Sphere& sphere, const Planar& e) noexcept {
  const Matrix32 b = tangents(e);
  Planar t = e, s = sphere.wrench(e);
  for (int i = 0; i < 200; ++i) {
    const double power = t.dot(s);
    const Eigen::Vector2d slope = b.transpose() * s;
    if (slope.norm() < 1e-9 * s.norm()) break;
    Eigen::Matrix2d bend;
    const double h = 1e-6 * t.norm();
    for (int j = 0; j < 2; ++j) {
      const Planar side = h * b.col(j);
      bend.col(j) = b.transpose() * (sphere.wrench(t + side) - sphere.wrench(t - side)) / (2 * h);
    }
    bend(0, 1) = bend(1, 0) = 0.5 * (bend(0, 1) + bend(1, 0));
    bend.diagonal().array() += 1e-6 * bend.trace() + 1e-12 / t.norm();
    Planar step = -b * (bend.inverse() * slope);
    const double gain = s.dot(step);
    if (!(gain < 0)) break;
    double share = std::min(1.0, 3 * t.norm() / step.norm());
    const auto at = [&](double x) { return (t + x * step).dot(sphere.wrench(t + x * step)); };
    while (share > 1e-12 && at(share) > power + 1e-3 * share * gain) share /= 2;
    t += share * step;
    s = sphere.wrench(t);
  }
  return make_try(sphere, t.normalized(), e);
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

namespace {

/// Steps for central differences, a share of the motion itself. Where the spin changes sign a law
/// may have a kink; a step of half the spin stays on one side of it.
Planar difference_steps(const Planar& motion, double size, double length) noexcept {
  const double h = 6e-6 * size, side = 0.5 * std::abs(length * motion.z());
  return {h, h, std::clamp(side, 1e-4 * h, h) / length};
}

}  // namespace

Planar AreaLaw::speed_gradient(const Planar& motion) const noexcept {
  const double size = std::hypot(motion.x(), motion.y(), length_ * motion.z());
  if (!(size > 0)) return Planar::Zero();
  const Planar step = difference_steps(motion, size, length_);
  Planar g;
  for (int i = 0; i < 3; ++i) {
    const Planar h = step[i] * Planar::Unit(i);
    g[i] = (speed(motion + h) - speed(motion - h)) / (2 * h[i]);
  }
  return g;
}

Eigen::Matrix3d AreaLaw::derivative(const Planar& motion) const noexcept {
  const double size = std::hypot(motion.x(), motion.y(), length_ * motion.z());
  if (!(size > 0)) return Eigen::Matrix3d::Zero();
  const Planar step = difference_steps(motion, size, length_);
  Eigen::Matrix3d j;
  for (int i = 0; i < 3; ++i) {
    const Planar h = step[i] * Planar::Unit(i);
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
  if (is_associated()) {
    const Try convex = improve(sphere, least_power(sphere, aim.e), aim.e, 20);
    if (convex.miss < tolerance) return answer(convex, aim.size);
    if (convex.miss < best.miss) best = convex;
  }
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
  const double size = direction.norm();
  if (size > 0) {
    const Sphere sphere(*this);
    const Try start = make_try(sphere, direction / size, aim.e);
    const Try t = improve(sphere, start, aim.e, 12);
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
