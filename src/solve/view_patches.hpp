#pragma once

// Drawing the patches of a pair.

#include "bristle/solve/patch_contacts.hpp"
#include "bristle/solve/patch_view.hpp"

namespace bristle {

/// Of a pair as it was last looked at; it must have a patch.
PatchView view_patches(const World& world, const PatchContacts::Pair& pair, double t,
                       const Pose& pose_a, const Pose& pose_b);

}  // namespace bristle
