#pragma once

/// Robots in scenarios:
///
///   robots:
///     arm:
///       model: arm7.xml              # next to the scenario, or one that comes with Bristle
///       links: [peg]                 # geoms, bodies or sites that our contact takes
///       keyframe: over               # of the model; or joints: {j2: 30 deg, …}, or both
///       start: {at: tip, position: [2 mm, 0, 8 mm], turn: [0, 0.05, 0]}   # from there, by its
///       joints rates: {j2: 0.1 rad/s} actuators: {motor: 2}        # functions of time control:
///         at: tip
///         stiffness: [3000, 3000, 3000]
///         damping: [100, 100, 100]
///         turning: [100, 100, 100]
///         turn_damping: [5, 5, 5]
///         target: {z: {value: -10 mm/s, until: 3 s}, turn_y: 0}
///         gravity: true
///         posture: {stiffness: 5, damping: 2}

#include <memory>
#include <string>

#include "bristle/io/document.hpp"
#include "bristle/system/mechanism.hpp"

namespace bristle {

/// InputError with file and line for what is wrong with it, or with the model. Gravity is the
/// scenario's, not the model's.
std::shared_ptr<const Mechanism> read_robot(const std::string& name, const Node& node,
                                            const Vector3& gravity);

}  // namespace bristle
