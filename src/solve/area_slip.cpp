#include "bristle/solve/area_slip.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/LU>

namespace bristle {
namespace {

using Eigen::Matrix3d;

constexpr double least_speed = 1e-30;  // m/s; any law is linear below

/// The one equation: the speed of v̂(s) less s.
class SpeedEquation {
 public:
  SpeedEquation(const AreaStep& step, const Matrix3d& stiffness, AreaSlip& answer) noexcept
      : step_(step),
        stiffness_(stiffness),
        by_level_(step.mobility * stiffness),
        both_(3 * (step.now + step.free)),
        late_(by_level_ * step.free),
        answer_(answer) {}

  /// Leaves v̂ and its force in the answer.
  double operator()(double s) noexcept {
    ++answer_.evaluations;
    const double level = step_.law.steady(std::max(s, step_.slowest), step_.fn) / s;
    const Matrix3d x = level * by_level_;
    Matrix3d matrix = x * x + 4 * x;
    matrix.diagonal().array() += 6;
    answer_.slip = matrix.partialPivLu().solve(both_ + level * late_);
    answer_.force = level * (stiffness_ * answer_.slip);
    return step_.area.speed(answer_.slip) - s;
  }

 private:
  const AreaStep& step_;
  const Matrix3d& stiffness_;
  Matrix3d by_level_;
  Planar both_, late_;
  AreaSlip& answer_;
};

bool is_root(double miss, double s) noexcept { return std::abs(miss) <= 1e-11 * s; }

/// Regula falsi (Illinois) between a and b, where the equation has opposite signs.
double between(SpeedEquation& miss, double a, double ga, double b, double gb) noexcept {
  int side = 0;
  double s = b;
  for (int i = 0; i < 60; ++i) {
    s = (a * gb - b * ga) / (gb - ga);
    if (!(s > std::min(a, b) && s < std::max(a, b))) s = (a + b) / 2;
    const double g = miss(s);
    if (is_root(g, s) || std::abs(b - a) <= 1e-15 * s) break;
    if ((g > 0) == (gb > 0)) {
      if (side == 1) ga /= 2;
      b = s;
      gb = g;
      side = 1;
    } else {
      if (side == -1) gb /= 2;
      a = s;
      ga = g;
      side = -1;
    }
  }
  return s;
}

/// The root next to s. The plain iteration s → Λ(v̂(s)) does not pass it, as more speed means less
/// resistance; secants go on beyond, by no more than a factor of two, until the root is between.
double nearest_speed(SpeedEquation& miss, double s) noexcept {
  s = std::max(s, least_speed);
  double g = miss(s), slope = -1;
  for (int i = 0; i < 400 && !is_root(g, s); ++i) {
    const double plain = s + g;
    if (!(plain > least_speed)) return s;  // it rests
    const double reach = slope < 0 ? s - g / slope : s + 2 * g;
    const double next =
        g > 0 ? std::clamp(reach, plain, 2 * plain) : std::clamp(reach, plain / 2, plain);
    const double g_next = miss(next);
    if ((g_next > 0) != (g > 0) && !is_root(g_next, next)) {
      return between(miss, s, g, next, g_next);
    }
    if (next == s) break;
    slope = (g_next - g) / (next - s);
    s = next;
    g = g_next;
  }
  return s;
}

/// G = ∂(Λ T_s)/∂v along a direction.
Matrix3d stiffness_along(const AreaLaw& area, const Planar& way) noexcept {
  return area.sliding(way) * area.speed_gradient(way).transpose() +
         area.speed(way) * area.derivative(way);
}

/// (v_x, v_y, L ω) of size 1.
Planar unit(const AreaLaw& area, const Planar& v) noexcept {
  Planar w = v / v.cwiseAbs().maxCoeff();
  return w / std::hypot(w[0], w[1], area.length() * w[2]);
}

}  // namespace

AreaSlip solve_area_slip(const AreaStep& step, const Planar& start) noexcept {
  AreaSlip answer;
  Planar way = start;
  if (way.isZero(0)) way = step.now + step.free;
  if (way.isZero(0)) return answer;
  way = unit(step.area, way);
  double speed = step.area.speed(start), before = std::numeric_limits<double>::infinity();
  Planar last = way;
  constexpr int passes = 40;
  for (int i = 0; i < passes; ++i) {
    const Matrix3d stiffness = stiffness_along(step.area, way);
    SpeedEquation equation(step, stiffness, answer);
    speed = nearest_speed(equation, speed);
    const double size = step.area.speed(answer.slip);
    if (!(size > least_speed)) return answer;
    // What the frozen G gives of T_s, against T_s itself.
    const Planar error = stiffness * answer.slip / size - step.area.sliding(answer.slip);
    const double miss = std::hypot(error[0], error[1], error[2] / step.area.length());
    answer.settled = miss < 1e-10;
    if (answer.settled) return answer;
    const Planar next = unit(step.area, answer.slip);
    if (miss < before) {
      last = way;
      way = next;
      before = miss;
    } else {
      way = unit(step.area, (last + way) / 2);
    }
  }
  return answer;
}

bool comes_to_rest(const AreaStep& step, int& evaluations) noexcept {
  const double length = step.area.length();
  const Planar scale(1, 1, length);
  const double speed = step.area.speed(step.now);
  if (!(speed > 0)) return true;
  ++evaluations;
  const double level = step.law.steady(std::max(speed, step.slowest), step.fn);
  // In steps of time: v̇ = a(w), w the direction, all components speeds.
  const auto pull = [&](const Planar& w) -> Planar {
    const Planar friction = level * step.area.sliding(w.cwiseQuotient(scale));
    return scale.cwiseProduct(step.free - step.now - step.mobility * friction);
  };
  const Planar start = scale.cwiseProduct(step.now);
  const double first = start.norm();
  Planar w = start / first;
  double size = first, time = 0;
  for (int i = 0; i < 400; ++i) {
    const Planar a = pull(w);
    const double rate = 0.2 / std::max(a.norm(), 1e-300);
    const Planar middle = (w + rate / 2 * (a - a.dot(w) * w)).normalized();
    const Planar am = pull(middle);
    const double along = am.dot(middle);
    w = (w + rate * (am - along * middle)).normalized();
    const double next = size * std::exp(rate * along);
    time += rate * (size + next) / 2;
    size = next;
    if (size < 1e-3 * first) return true;
    if (time > 1 || size > 10 * first) return false;
  }
  return false;
}

}  // namespace bristle
