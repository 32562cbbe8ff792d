#pragma once

// Reading shapes and where they are.

#include "bristle/io/document.hpp"
#include "bristle/shape/shape.hpp"

namespace bristle::detail {

Vector3 read_vector(const Node& node, const Dimension& dimension, const Vector3& fallback);

/// {sphere: {radius: 0.1 m}}, {box: {size: [1, 2, 3]}}, …
Shape read_shape(const Node& node);

/// {file: part.stl, scale: 0.001}, {shape: {sphere: {…}}, chord: 1e-5 m}, {gear: {teeth: 12}}, …
Shape read_mesh_shape(const Node& node);

/// A quaternion [w, x, y, z], or {axis: [x, y, z], angle: 20 deg}; no rotation if it is missing.
Eigen::Quaterniond read_rotation(const Node& node);

/// `position` and `rotation` of a body; the origin, unturned, where they are missing.
Pose read_pose(const Node& body);

}  // namespace bristle::detail
