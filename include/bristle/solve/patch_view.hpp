#pragma once

/// What a contact over an area looks like at one time, for pictures: seen along its normal, from
/// inside body A, with pressure, outline, centre of pressure and the direction of friction.

#include <array>
#include <string>
#include <vector>

#include "bristle/shape/pose.hpp"

namespace bristle {

struct PatchView {
  int pair = 0;
  double t = 0;
  std::string a, b;  ///< names of the bodies
  double cell = 0;   ///< m
  int columns = 0, rows = 0;
  /// k_V times the length of the normal inside both bodies, Pa; row by row from below.
  std::vector<double> pressure;
  double left = 0, bottom = 0;                  ///< of the grid, from the centre of the view, m
  std::vector<std::array<double, 4>> outline;   ///< segments u0 v0 u1 v1, m
  std::vector<std::array<double, 2>> centres;   ///< of pressure, of each patch
  std::vector<std::array<double, 4>> friction;  ///< place u v and direction, of friction on A
  double fn = 0, force = 0, torque = 0, volume = 0, area = 0;  ///< totals
  Vector3 centre = Vector3::Zero(), e1 = Vector3::UnitX(), e2 = Vector3::UnitY();
};

}  // namespace bristle
