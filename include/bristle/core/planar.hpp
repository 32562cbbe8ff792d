#pragma once

/// Three numbers of plane motion: along x, along y, about the normal.
///
/// Of a motion they are (v_x, v_y, ω), m/s and rad/s; of friction (T_x, T_y, M), N and N m. A
/// contact on a line uses the first, one in a plane the first two.

#include <Eigen/Core>

namespace bristle {

using Planar = Eigen::Vector3d;
using Point2 = Eigen::Vector2d;

}  // namespace bristle
