#pragma once

// The common volume of two shapes as a sum over many parallel lines: on each, both bodies are
// intervals. Slow, right to four digits or so, and without a formula in common with the
// overlaps.

#include <algorithm>

#include "bristle/shape/chord.hpp"
#include "bristle/shape/overlap.hpp"
#include "bristle/shape/shape.hpp"

namespace bristle::testing {

/// Lines along `u`, n × n of them over the shadow of A, which has an end.
inline Moments add_columns(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                           const Vector3& u, int n) {
  const double r = bounding_radius(a), step = 2 * r / n;
  const Vector3 e1 = u.unitOrthogonal(), e2 = u.cross(e1);
  Moments sum;
  sum.about = pose_a.position;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const Vector3 across = ((i + 0.5) * step - r) * e1 + ((j + 0.5) * step - r) * e2;
      const Vector3 p = pose_a.position + across;
      for (const Chord& in_a : chords(a, pose_a, p, u)) {
        for (const Chord& in_b : chords(b, pose_b, p, u)) {
          const double from = std::max(in_a.from, in_b.from), to = std::min(in_a.to, in_b.to);
          if (!(to > from)) continue;
          const double length = to - from, volume = step * step * length;
          const Vector3 x = across + 0.5 * (from + to) * u;
          sum.volume += volume;
          sum.first += volume * x;
          sum.second += volume * (x * x.transpose() + length * length / 12 * u * u.transpose());
        }
      }
    }
  }
  return sum;
}

}  // namespace bristle::testing
