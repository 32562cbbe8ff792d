#pragma once

// Random posed pairs of shapes.

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "bristle/shape/touch.hpp"
#include "support/draw.hpp"

namespace bristle::testing {

struct Twist {
  Vector3 v, omega;
};

/// The pose after moving for a time h: v of the origin and ω constant.
inline Pose moved(const Pose& pose, const Twist& twist, double h) {
  const double speed = twist.omega.norm();
  const Eigen::AngleAxisd turn(speed * h,
                               speed > 0 ? Vector3(twist.omega / speed) : Vector3::UnitX());
  return {pose.position + h * twist.v, (turn * pose.rotation).normalized()};
}
inline Vector3 velocity_at(const Pose& pose, const Twist& twist, const Vector3& point) {
  return twist.v + twist.omega.cross(point - pose.position);
}

struct Scene {
  Shape a;
  Pose pose_a;
  Shape b;
  Pose pose_b;

  std::string text() const { return std::string(name(a)) + " – " + std::string(name(b)); }
  int touches(std::span<Touch> out) const { return bristle::touches(a, pose_a, b, pose_b, out); }
  Scene swapped() const { return {b, pose_b, a, pose_a}; }
  Scene moved_by(const Pose& motion) const {
    return {a, compose(motion, pose_a), b, compose(motion, pose_b)};
  }
};

class SceneDraw : public Draw {
 public:
  using Draw::Draw;

  Pose pose(double size) { return {place(size), rotation()}; }
  Twist twist() { return {place(1), place(1)}; }
  Shape shape(int kind) {
    const auto size = [&] { return between(0.2, 1); };
    switch (kind) {
      case 0:
        return Sphere{size()};
      case 1:
        return HalfSpace{};
      case 2:
        return Bore{2 * size()};
      case 3:
        return Cylinder{size(), 2 * size()};
      case 4:
        return Box{{2 * size(), 2 * size(), 2 * size()}};
      case 5:
        return Capsule{size(), 2 * size()};
      default:
        return Point{};
    }
  }
};

inline constexpr int kinds = 7;

/// Calls check(scene, draw) for `cases` random scenes of every supported pair, in both orders.
template <class Check>
void for_every_pair(int cases, Check&& check) {
  SceneDraw draw(1);
  for (int i = 0; i < kinds; ++i) {
    for (int j = 0; j < kinds; ++j) {
      if (touch_count(draw.shape(i), draw.shape(j)) == 0) continue;
      for (int k = 0; k < cases; ++k) {
        check(Scene{draw.shape(i), draw.pose(1), draw.shape(j), draw.pose(1)}, draw);
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

}  // namespace bristle::testing
