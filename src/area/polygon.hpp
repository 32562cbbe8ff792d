#pragma once

/// Simple polygons: whether one is, and the triangles it is made of.

#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "bristle/core/planar.hpp"

namespace bristle::area_detail {

/// Twice the area, positive if counter-clockwise.
double twice_area(std::span<const Point2> corners) noexcept;

/// Two sides that cross, touch or lie on each other, by the numbers of their first corners.
std::optional<std::pair<std::size_t, std::size_t>> crossing_sides(std::span<const Point2> corners);

/// Ears cut off one after the other (Meisters 1975). The corners run counter-clockwise and no sides
/// cross. Counter-clockwise triangles, corners by number.
std::vector<std::array<std::size_t, 3>> cut_ears(std::span<const Point2> corners);

}  // namespace bristle::area_detail
