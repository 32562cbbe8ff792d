#include "bristle/contact/patch_area.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "bristle/core/error.hpp"
#include "bristle/shape/chord.hpp"
#include "bristle/shape/touch.hpp"

namespace bristle {
namespace {

/// Nodes of a grid seen along the normal, and the depth at each.
struct Depths {
  std::vector<double> x, y, values;
};

struct Pair {
  const Shape &a, &b;
  const Pose &pose_a, &pose_b;
};

struct Window {
  double left, right, low, high;
};

Depths depths_in(const Pair& pair, const Patch& patch, const Window& box, int cells) {
  const Vector3& n = patch.normal;
  const TangentBasis basis = tangent_basis(n, Vector3::UnitX());
  LineGrid grid{.e1 = basis.e1, .e2 = basis.e2, .direction = n};
  grid.cell = std::max(box.right - box.left, box.high - box.low) / cells;
  grid.columns = std::max(2, static_cast<int>(std::ceil((box.right - box.left) / grid.cell)));
  grid.rows = std::max(2, static_cast<int>(std::ceil((box.high - box.low) / grid.cell)));
  grid.origin = patch.surface_centroid + box.left * basis.e1 + box.low * basis.e2;
  const auto inside_a = chords(pair.a, pair.pose_a, grid);
  const auto inside_b = chords(pair.b, pair.pose_b, grid);
  Depths depths;
  for (int i = 0; i < grid.columns; ++i) depths.x.push_back(box.left + (i + 0.5) * grid.cell);
  for (int j = 0; j < grid.rows; ++j) depths.y.push_back(box.low + (j + 0.5) * grid.cell);
  for (std::size_t k = 0; k < inside_a.size(); ++k) {
    depths.values.push_back(common_length(inside_a[k], inside_b[k]));
  }
  return depths;
}

/// Around the nodes with depth, with one empty node on each side.
Window box_of(const Depths& depths, const Window& outer) {
  Window box{outer.right, outer.left, outer.high, outer.low};
  const double cell = depths.x[1] - depths.x[0];
  for (std::size_t k = 0; k < depths.values.size(); ++k) {
    if (!(depths.values[k] > 0)) continue;
    const double x = depths.x[k % depths.x.size()], y = depths.y[k / depths.x.size()];
    box = {std::min(box.left, x - cell), std::max(box.right, x + cell), std::min(box.low, y - cell),
           std::max(box.high, y + cell)};
  }
  return box;
}

}  // namespace

PressedArea patch_area(const Patch& patch, const Shape& a, const Pose& pose_a, const Shape& b,
                       const Pose& pose_b, int cells) {
  if (!patch.directed) {
    throw InputError({.message = "one body is inside or right through the other: their contact has "
                                 "no direction, and so no plane"});
  }
  // Three standard deviations hold a patch whatever its shape; the second look is closer.
  const TangentBasis basis = tangent_basis(patch.normal, Vector3::UnitX());
  const auto spread = [&](const Vector3& e) {
    return 3 * std::sqrt(std::max(0.0, e.dot(patch.M * e)) / patch.volume) + 1e-12;
  };
  const double u = spread(basis.e2), v = spread(basis.e1);
  const Pair pair{a, b, pose_a, pose_b};
  const Window wide{-u, u, -v, v};
  const Window close = box_of(depths_in(pair, patch, wide, 32), wide);
  const Depths depths = depths_in(pair, patch, close, cells);
  return PressedArea::table(depths.x, depths.y, depths.values);
}

}  // namespace bristle
