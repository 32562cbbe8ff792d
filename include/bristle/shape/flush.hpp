#pragma once

/// Faces that pass each other exactly flush.
///
/// Where a flat face of A lies in the plane of a flat face of B, which of the two surfaces is the
/// one inside the other changes at once over all that they share: V is continuous there, but its
/// gradient S jumps by the shared area, and a force V S/|S| with it. So contact over an area is,
/// and a run lists such a moment as an event.
///
/// A pass between two poses is one if
///
///   – the two faces are parallel at both, to 1e-9 rad: faces that turn meet in a line, and S is
///     continuous, however steep;
///   – one has changed sides of the other's plane, or has come to lie in it;
///   – the bodies share a volume on both sides of it (else it is a touch or a parting);
///   – S jumps there, seen 1e-9 of the smaller body to either side.
///
/// Flat faces are those of half-spaces, boxes, cylinders and cones, and of meshes all groups of
/// coplanar neighbours with at least 1 % of the surface.

#include <optional>
#include <vector>

#include "bristle/shape/overlap_finder.hpp"

namespace bristle {

/// In the shape's frame: all x with normal·x = offset, the solid behind it.
struct FlatFace {
  Vector3 normal;
  double offset;
};
std::vector<FlatFace> flat_faces(const Shape& shape);

struct FlushPass {
  double share;    ///< of the way from the one pose to the other
  double area;     ///< by which S jumps, m²
  Vector3 normal;  ///< of A's face, world
};

class FlushWatch {
 public:
  FlushWatch(const Shape& a, const Shape& b);

  struct Poses {
    Pose a, b;
  };
  /// The first pass on the way. `finder`, of the same pair, is asked at four poses more where one
  /// is suspected; nothing is allocated.
  std::optional<FlushPass> between(const Poses& from, const Poses& to,
                                   OverlapFinder& finder) const noexcept;

 private:
  std::vector<FlatFace> a_, b_;
  double size_;
};

}  // namespace bristle
