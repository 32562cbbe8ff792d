#pragma once

// Areas and motions that many tests go through.

#include <array>
#include <cmath>
#include <vector>

#include "bristle/area/pressed_area.hpp"

namespace bristle::testing {

inline Pressure hertz(double slope_x = 0, double slope_y = 0) {
  return {.kind = Pressure::Kind::hertz, .slope = {slope_x, slope_y}};
}
inline Pressure linear(double slope_x, double slope_y) { return {.slope = {slope_x, slope_y}}; }

/// An L with a notch: not convex, both senses of turns.
inline std::vector<Point2> hook() {
  return {{0, 0}, {1, 0}, {1, 0.4}, {0.6, 0.3}, {0.4, 0.5}, {0.4, 1.1}, {0, 1}};
}

/// One of everything, of the size 1.
inline std::vector<PressedArea> every_area() {
  const std::array x{-1.0, -0.2, 0.7};
  const std::array y{-0.5, 0.4};
  const std::array values{1.0, 2.0, 0.0, 0.5, 3.0, 1.0};
  const std::array supports{Support{0.9, 0.1, 1}, Support{-0.5, 0.6, 2}, Support{-0.4, -0.7, 1}};
  const std::array parts{PressedArea::disc(0.3).moved({0.6, 0}),
                         PressedArea::rectangle(0.4, 0.8).moved({-0.5, 0.1}, 0.4)};
  return {PressedArea::disc(1),
          PressedArea::disc(1, linear(0.5, 0.25)),
          PressedArea::disc(1, hertz()),
          PressedArea::disc(1, hertz(0.4, -0.8)),
          PressedArea::annulus(0.5, 1),
          PressedArea::annulus(0.3, 1, linear(-0.6, 0.7)),
          PressedArea::ellipse(1, 0.4),
          PressedArea::ellipse(0.5, 1, linear(0.7, 0.6)),
          PressedArea::ellipse(1, 0.5, hertz()),
          PressedArea::ellipse(1, 0.2, hertz(-0.5, 1)),
          PressedArea::rectangle(2, 1),
          PressedArea::rectangle(2, 0.6, linear(0.8, -0.3)),
          PressedArea::polygon(hook()),
          PressedArea::polygon(hook(), linear(0.6, -0.5)),
          PressedArea::points(supports),
          PressedArea::table(x, y, values),
          PressedArea::together(parts, std::array{1.0, 2.0})};
}

/// λ = 1, as in the paper.
inline Planar motion(double theta, double phi) {
  return {std::cos(theta) * std::cos(phi), std::cos(theta) * std::sin(phi), std::sin(theta)};
}
/// Spin of 1 about this point.
inline Planar about(const Point2& centre) { return {centre.y(), -centre.x(), 1}; }

}  // namespace bristle::testing
