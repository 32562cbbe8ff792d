#pragma once

/// A free impact, integrated: m ẍ = −f(x, ẋ) from touch-down to lift-off, nothing else acting.
///
/// The closed form (restitution.hpp) needs no integration; this is the check on it, and the answer
/// for laws that have none.

#include "bristle/normal/press.hpp"

namespace bristle::normal {

struct Impact {
  double e = 0;         ///< rebound speed over v_i
  double depth = 0;     ///< the deepest point, m
  double duration = 0;  ///< from touch-down until the depth is 0 again, s
  int steps = 0;
};

/// Adaptive steps of order 5 with local errors below `tolerance` times the impact's own scales of
/// depth, speed and time; turning point and lift-off are met exactly, by making the speed and then
/// the depth the independent variable. std::runtime_error if the body does not come back (an
/// overdamped contact that creeps).
Impact integrate_impact(const Press<>& press, double mass, double v_i, double tolerance = 1e-14);

}  // namespace bristle::normal
