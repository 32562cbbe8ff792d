#include "bristle/shape/touch_wall.hpp"

#include <cmath>

namespace bristle {
namespace {

using Flat = Eigen::Vector2d;  // x and z

struct Nearest {
  double gap;   ///< to the surface; < 0 inside
  Flat normal;  ///< of the surface there, outwards
};

/// From a corner of the surface that lies `away` from the point, whose faces are the ones given.
Nearest from_edge(const Flat& away, const Flat& else_normal) noexcept {
  const double gap = away.norm();
  return {gap, gap > 0 ? Flat(away / gap) : else_normal};
}

/// The wall is convex: inside, the nearest of its faces is the one that is passed least.
Nearest wall_at(const Wall& wall, const Flat& p) noexcept {
  const Flat mouth(-wall.chamfer_width, 0), root(0, -wall.chamfer_height);
  const Flat top(0, 1), face(1, 0);
  Flat along = root - mouth;
  const double length = along.norm();
  const double above = p.y(), beside = p.x();
  if (!(length > 0)) {  // a sharp edge
    if (above > 0 && beside > 0) return from_edge(p, face);
    return above > beside ? Nearest{above, top} : Nearest{beside, face};
  }
  along /= length;
  const Flat slant(-along.y(), along.x());
  const double out = slant.dot(p - mouth);
  if (above <= 0 && beside <= 0 && out <= 0) {
    if (out >= above && out >= beside) return {out, slant};
    return above > beside ? Nearest{above, top} : Nearest{beside, face};
  }
  // Outside: over a face, or before one of the two edges.
  const double s = along.dot(p - mouth);
  if (p.x() <= mouth.x()) return {above, top};
  if (s < 0) return from_edge(p - mouth, top);
  if (s <= length) return {out, slant};
  return p.y() <= root.y() ? Nearest{beside, face} : from_edge(p - root, face);
}

/// A rectangle of half sizes a, centred.
Nearest rectangle_at(const Flat& a, const Flat& p) noexcept {
  const Flat side(p.x() < 0 ? -1 : 1, p.y() < 0 ? -1 : 1);
  const Flat over = p.cwiseProduct(side) - a;  // beyond the nearer faces
  if (over.x() > 0 && over.y() > 0) {
    return from_edge(over.cwiseProduct(side), Flat(side.x(), 0));
  }
  return over.x() > over.y() ? Nearest{over.x(), Flat(side.x(), 0)}
                             : Nearest{over.y(), Flat(0, side.y())};
}

Flat flat(const Vector3& v) noexcept { return {v.x(), v.z()}; }
Vector3 upright(const Flat& v) noexcept { return {v.x(), 0, v.y()}; }

}  // namespace

std::array<Touch, 6> touch_box_wall(const Box& box, const Pose& pose, const Wall& wall,
                                    const Pose& wall_pose) noexcept {
  const Vector3 centre = apply_inverse(wall_pose, pose.position);
  const Vector3 x = rotate_inverse(wall_pose, axis_x(pose)),
                z = rotate_inverse(wall_pose, axis_z(pose));
  const Vector3 across = axis_y(wall_pose);
  const Flat half(0.5 * box.size.x(), 0.5 * box.size.z());
  std::array<Touch, 6> list;
  for (unsigned i = 0; i < 4; ++i) {
    const double sx = (i & 1U) != 0 ? 1 : -1, sz = (i & 2U) != 0 ? 1 : -1;
    const Vector3 corner = centre + sx * half.x() * x + sz * half.y() * z;
    const Nearest near = wall_at(wall, flat(corner));
    list[i] = {apply(wall_pose, corner), rotate(wall_pose, upright(near.normal)), near.gap, across};
  }
  const Flat edges[] = {{0, -wall.chamfer_height}, {-wall.chamfer_width, 0}};
  for (unsigned i = 0; i < 2; ++i) {
    const Flat from = edges[i] - flat(centre);
    const Nearest near = rectangle_at(half, {from.dot(flat(x)), from.dot(flat(z))});
    const Vector3 out = near.normal.x() * x + near.normal.y() * z;
    const Vector3 edge(edges[i].x(), centre.y(), edges[i].y());
    list[4 + i] = {apply(wall_pose, edge), rotate(wall_pose, -out), near.gap, across};
  }
  // A sharp edge is one, not two.
  if (edges[0] == edges[1]) list[5].gap = std::abs(list[5].gap) + half.norm();
  return list;
}

}  // namespace bristle
