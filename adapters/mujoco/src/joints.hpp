#pragma once

// Places and speeds of MuJoCo's joints, which differ where there are quaternions.

#include <span>
#include <vector>

#include <mujoco/mujoco.h>

#include "bristle/system/mechanism.hpp"

namespace bristle::detail {

/// q̇ at the places q with the speeds u.
void place_rate(const mjModel& model, std::span<const double> q, std::span<const double> u,
                std::span<double> dq) noexcept;

/// Takes the forces of springs, whose energy is a potential's, from f: those of joints and tendons.
void take_springs(const mjModel& model, const mjData& data, Mechanism::Vector& f) noexcept;

std::vector<Mechanism::Output> place_names(const mjModel& model);
std::vector<Mechanism::Output> speed_names(const mjModel& model);

/// Places of a joint: 7 free, 4 ball, 1 slide or hinge; speeds: 6, 3, 1.
int joint_places(int type) noexcept;
int joint_speeds(int type) noexcept;

}  // namespace bristle::detail
