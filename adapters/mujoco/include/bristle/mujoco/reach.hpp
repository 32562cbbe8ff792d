#pragma once

/// Where the joints have to be for a point of the robot to be somewhere: inverse kinematics, at
/// set-up.

#include <string>
#include <vector>

#include "bristle/mujoco/model.hpp"

namespace bristle {

/// Of a site or a body, at the places q.
Pose point_pose(const mjModel& model, const std::vector<double>& q, const std::string& point);

/// Places near q, by Gauss and Newton's method with damping, at which the site or body is there, to
/// a nanometre and a nanoradian; InputError if it does not get there.
std::vector<double> reach(const mjModel& model, std::vector<double> q, const std::string& point,
                          const Pose& wanted);

}  // namespace bristle
