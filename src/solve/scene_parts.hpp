#pragma once

// What of a world is drawn, and where it is. Whatever moves in a new way adds its parts to the one
// function and their places, in the same order, to the other.

#include <span>
#include <vector>

#include "bristle/solve/scene.hpp"
#include "bristle/solve/world_dynamics.hpp"

namespace bristle::detail {

ScenePart::Role role_of(const World& world, Side side);

/// Bodies in their order, then the links of pendulums.
std::vector<ScenePart> scene_parts(const World& world);

/// Of the shapes of those parts that move.
void scene_poses(const WorldDynamics& f, double t, std::span<const double> y,
                 std::vector<Pose>& poses);

}  // namespace bristle::detail
