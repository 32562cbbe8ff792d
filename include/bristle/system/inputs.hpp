#pragma once

/// Inputs of a rig or a world: what is set from outside while it moves.

#include <memory>
#include <vector>

#include "bristle/system/rig.hpp"
#include "bristle/system/world.hpp"

namespace bristle {

using SignalInputs = std::vector<std::shared_ptr<SignalInput>>;

/// Copies of a rig or a world share their inputs with the original. This gives one inputs of its
/// own, all at their start: one for each name, in the order in which they are met. InputError where
/// a name has two units or two values to start with.
SignalInputs own_inputs(Rig& rig);
SignalInputs own_inputs(World& world);

}  // namespace bristle
