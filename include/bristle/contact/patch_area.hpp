#pragma once

/// The plane area that a volumetric contact presses on, for friction laws over areas.
///
///   const Overlap shared = together(finder.find(pose_a, pose_b));
///   const PressedArea area = patch_area(make_patch(shared), a, pose_a, b, pose_b);
///   const auto law = make_area_law("I11", area);
///
/// A bed of springs presses with k_V times the depth, so σ is the length of each line along the
/// normal inside both bodies, on a grid of `cells` by at most as many, linear between its nodes.
/// The pole is the centre of pressure; x and y are the patch's, e1 and e2 of `tangent_basis(normal,
/// x)`.
///
/// Limits: the outline of the patch is known to a cell, so integrals are off by the order of
/// (size/cells)² where the depth falls to 0 at the rim, and of size/cells for flush faces.

#include "bristle/area/pressed_area.hpp"
#include "bristle/shape/overlap.hpp"
#include "bristle/shape/shape.hpp"

namespace bristle {

/// InputError for a patch without a direction.
PressedArea patch_area(const Patch& patch, const Shape& a, const Pose& pose_a, const Shape& b,
                       const Pose& pose_b, int cells = 48);

}  // namespace bristle
