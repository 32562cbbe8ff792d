#pragma once

/// Where a straight line runs inside a solid. Two solids' chords together give the depth of their
/// contact point by point: what pictures of a patch are made of.

#include <vector>

#include "bristle/shape/shape.hpp"

namespace bristle {

struct Chord {
  double from, to;  ///< along the line, x = origin + s direction
};

/// In increasing order, not touching each other; ends may be infinite.
std::vector<Chord> chords(const Shape& shape, const Pose& pose, const Vector3& origin,
                          const Vector3& direction);

/// Total length of the line inside both.
double common_length(const std::vector<Chord>& a, const std::vector<Chord>& b) noexcept;

/// Parallel lines through the middles of the cells of a grid, u to the right and v up.
struct LineGrid {
  Vector3 origin = Vector3::Zero();  ///< lower left corner
  Vector3 e1 = Vector3::UnitX(), e2 = Vector3::UnitY(), direction = Vector3::UnitZ();
  double cell = 1;
  int columns = 1, rows = 1;

  Vector3 at(int column, int row) const noexcept {
    return origin + (column + 0.5) * cell * e1 + (row + 0.5) * cell * e2;
  }
};
/// The chords of each line, row by row. Of a mesh only the triangles over the grid are looked at.
std::vector<std::vector<Chord>> chords(const Shape& shape, const Pose& pose, const LineGrid& grid);

}  // namespace bristle
