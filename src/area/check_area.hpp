#pragma once

/// What the makers of PressedArea refuse. All throw InputError, with the value and what was
/// expected.

#include <span>
#include <string>

#include "bristle/area/pressed_area.hpp"

namespace bristle::area_detail {

/// A length.
void need_positive(double value, const char* key, const std::string& what);
void need_finite(const Point2& point, const std::string& what);
void need_weight(double weight, const char* key, const std::string& whose);
/// `least` is the smallest 1 + slope · (r − centre) in the area, found at `where`.
void need_pressed(const Pressure& pressure, double least, const Point2& where);
/// No Hertzian pressure.
void need_flat(const Pressure& pressure, const char* shape);
void need_table(std::span<const double> x, std::span<const double> y,
                std::span<const double> values);
/// Three corners or more, not on a line, and sides that meet at corners only.
void need_simple(std::span<const Point2> ring);
/// The triangles of a polygon make up its area.
void need_whole(std::span<const TrianglePiece> triangles, double area);

}  // namespace bristle::area_detail
