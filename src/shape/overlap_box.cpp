// Boxes against a half-space and against each other: polyhedra, clipped.

#include <algorithm>
#include <cmath>

#include "bristle/shape/overlap_pairs.hpp"
#include "overlap_face.hpp"
#include "polyhedron.hpp"

namespace bristle {

using detail::Owner;
using detail::Polyhedron;

// In a frame under the lowest corner, with edges that lead up from it: heights near the face are
// small numbers there.
std::optional<Overlap> overlap_half_space(const Box& box, const Pose& pose,
                                          const Pose& half_space) noexcept {
  const Vector3 n = axis_z(half_space);
  Matrix3 edges;
  edges << box.size.x() * axis_x(pose), box.size.y() * axis_y(pose), box.size.z() * axis_z(pose);
  for (int i = 0; i < 3; ++i) {
    if (edges.col(i).dot(n) < 0) edges.col(i) *= -1;
  }
  const Vector3 half = 0.5 * edges.rowwise().sum();
  const double reach = half.dot(n);
  const double depth = reach - detail::height_over(half_space, pose.position);
  if (!(depth > 0)) return std::nullopt;
  if (depth >= 2 * reach) return detail::swallowed(box, pose, 2 * reach);

  const detail::FaceFrame frame = detail::face_below(pose.position - half, half_space);
  const Matrix3 local = frame.axes.transpose() * edges;
  Polyhedron solid({0, 0, -depth}, local.col(0), local.col(1), local.col(2));
  solid.clip(Vector3::UnitZ(), Vector3::Zero(), 0);
  if (solid.empty()) return std::nullopt;
  const Moments m = moved(solid.moments(), Vector3::Zero());
  if (!(m.volume > 0)) return std::nullopt;
  detail::Immersed part;
  part.volume = m.volume;
  part.first = m.first;
  part.second = m.second;
  part.area = solid.vector_area(Owner::plane).z();
  part.wetted = solid.area(Owner::body);
  part.depth = depth;
  return detail::laid_out(part, frame);
}

std::optional<Overlap> overlap_boxes(const Box& a, const Pose& pose_a, const Box& b,
                                     const Pose& pose_b) noexcept {
  const Vector3 centre = apply_inverse(pose_a, pose_b.position);
  const double reach = 0.5 * (a.size.norm() + b.size.norm());
  if (!(centre.norm() < reach)) return std::nullopt;
  const Matrix3 axes = (pose_a.rotation.conjugate() * pose_b.rotation).toRotationMatrix();

  // A's frame. A plane nearer than rounding to a vertex goes through it.
  const double tolerance = 4e-15 * reach;
  Polyhedron solid(-0.5 * a.size, {a.size.x(), 0, 0}, {0, a.size.y(), 0}, {0, 0, a.size.z()});
  for (int i = 0; i < 3; ++i) {
    for (const double side : {-1.0, 1.0}) {
      const Vector3 normal = side * axes.col(i);
      solid.clip(normal, centre + 0.5 * b.size[i] * normal, tolerance);
      if (solid.empty()) return std::nullopt;
    }
  }
  Overlap overlap;
  overlap.wetted_area = solid.area();
  const Moments m = solid.moments();
  if (!(m.volume > tolerance * overlap.wetted_area)) return std::nullopt;  // they only touch
  overlap.moments = placed(moved(m, m.centroid()), pose_a);

  const Vector3 s = solid.vector_area(Owner::body);
  overlap.vector_area = rotate(pose_a, s);
  if (!(s.norm() > least_directed * overlap.wetted_area)) return overlap;
  const Vector3 n = s.normalized();
  overlap.surface_height = solid.curve_height(n, m.centroid()) - n.dot(m.centroid());
  double low = n.dot(solid.vertices()[0]), high = low;
  for (const Vector3& v : solid.vertices()) {
    low = std::fmin(low, n.dot(v));
    high = std::fmax(high, n.dot(v));
  }
  overlap.depth = high - low;
  return overlap;
}

}  // namespace bristle
