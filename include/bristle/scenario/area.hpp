#pragma once

/// Areas and their laws in input.
///
///   shape: {disc: {radius: 5 mm}}          # annulus, ellipse, rectangle, polygon, points, table,
///                                          # or the overlap of two bodies, as in interference.hpp
///   pressure: {kind: hertz, slope: [20, 0]}   # uniform unless said; slope in 1/m
///   at: [1 mm, 0 mm]                       # of the shape's origin from the pole
///   turned: 30 deg
///   law: {name: I00, m: 2, b: 5 mm}        # exact unless said; without m and b it is fitted
///
/// `together: [{shape: …, weight: 2}, …]` in place of `shape` joins several areas.

#include <memory>

#include "bristle/area/laws.hpp"
#include "bristle/io/document.hpp"

namespace bristle {

PressedArea read_area(const Node& node);
/// From `law` in the same node.
std::unique_ptr<AreaLaw> read_area_law(const Node& node, const PressedArea& area);

}  // namespace bristle
