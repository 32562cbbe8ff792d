#pragma once

/// A box in the plane of its own x and z axes against a chamfered wall: what two flat plates do,
/// and a square peg in a hole made of two such walls (Lin 2001, Appendix B).
///
///        mouth        z
///   ──────╮           │        A wall is solid for x ≤ 0, z ≤ 0, its edge cut off between
///   solid  ╲          │        mouth (−c_x, 0) and root (0, −c_z).
///           │ root    └── x
///           │ face
///
/// Candidates 0–3 are the corners of the box (bit 0: at +x, bit 1: at +z) against the wall, 4 and 5
/// the root and the mouth of the wall against the box. A corner that is inside acts at itself,
/// along the normal of the nearest of the wall's three faces; an edge of the wall that is inside
/// the box acts along the normal of the box's nearest face. A box that lies flat on the wall is
/// held by a corner and an edge, at both ends of what they share. A wall without a chamfer has one
/// edge: its mouth never touches.
///
/// All happens at the height y of the box's centre: for bodies that turn about y only.

#include <array>

#include "bristle/shape/touch.hpp"

namespace bristle {

std::array<Touch, 6> touch_box_wall(const Box& box, const Pose& pose, const Wall& wall,
                                    const Pose& wall_pose) noexcept;

}  // namespace bristle
