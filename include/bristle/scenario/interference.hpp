#pragma once

/// What two posed shapes share, from a few lines of YAML:
///
///   bodies:
///     - {shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.08]}
///     - {shape: {half-space: {}}}
///   stiffness: [1e9 N/m^3, 3e9 N/m^3]   # two deformable bodies; without it, as if B were rigid
///   normal: area                        # or eigenvector, the papers' choice
///
///   const Interference pair = read_interference(Document::read("pair.yaml"));
///   const std::vector<Overlap> pieces = pair.overlaps();
///   if (!pieces.empty()) const Patch patch = pair.patch(together(pieces));

#include <array>
#include <optional>
#include <vector>

#include "bristle/io/document.hpp"
#include "bristle/shape/overlap.hpp"
#include "bristle/shape/shape.hpp"

namespace bristle {

struct Interference {
  std::array<Shape, 2> shape{};
  std::array<Pose, 2> pose{};
  std::optional<std::array<double, 2>> stiffness{};  ///< k_V of either body, N/m³
  bool eigenvector = false;  ///< n is an eigenvector of J_V, not the direction of S

  /// The pieces of the common volume; none if the bodies are apart.
  std::vector<Overlap> overlaps() const;
  /// With the normal and the sharing of deformation asked for.
  Patch patch(const Overlap& overlap) const;
};

/// InputError with file, line and key for what is wrong, among it a pair of shapes that no overlap
/// is known of. Every key is read: `finish` the document afterwards.
Interference read_interference(const Node& node);
inline Interference read_interference(const Document& document) {
  return read_interference(document.root());
}

}  // namespace bristle
