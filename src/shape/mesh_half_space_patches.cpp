// Which parts of the surface below the plane bound one connected piece of the solid; the rules
// stand in mesh_half_space.hpp.
//
// They are all there are: the upper half-space is outside of the piece, so every bit of its
// boundary that has a cap belongs to the one outer boundary and hangs together through surface and
// cap; what does not is closed and wholly below: another solid, or a cavity.

#include <algorithm>
#include <cmath>
#include <limits>

#include "mesh_half_space_work.hpp"

namespace bristle {

using mesh_detail::Deepest;

namespace {

/// The side of a triangle that rises through the plane, by which of its corners are below: seen
/// from outside, the one by which one leaves it when going round the rim with the solid on the
/// left, counter-clockwise about the normal of the plane.
constexpr std::array<std::size_t, 8> rising_side{0, 0, 1, 1, 2, 0, 2, 0};

}  // namespace

int MeshHalfSpace::Work::root(int part) noexcept {
  while (parent[static_cast<std::size_t>(part)] != part) {
    int& up = parent[static_cast<std::size_t>(part)];
    up = parent[static_cast<std::size_t>(up)];
    part = up;
  }
  return part;
}
void MeshHalfSpace::Work::join(int a, int b) noexcept {
  a = root(a), b = root(b);
  parent[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
}

int MeshHalfSpace::Work::next_on_rim(int i) const noexcept {
  const auto& [t, below, h] = rim[static_cast<std::size_t>(i)];
  const int next =
      neighbours[static_cast<std::size_t>(t)][rising_side[static_cast<std::size_t>(below)]];
  return part_of[static_cast<std::size_t>(next)];
}

/// Every piece of a shell that crosses the plane has a rim: one loop, one piece.
bool MeshHalfSpace::Work::one_loop() const noexcept {
  std::size_t steps = 1;
  for (int i = next_on_rim(0); i != 0; i = next_on_rim(i)) ++steps;
  return steps == rim.size();
}

void MeshHalfSpace::Work::split() noexcept {
  for (std::size_t j = 0; j < inside.size(); ++j) {
    const auto& part = inside[j];
    std::fill(part_of.begin() + part.begin, part_of.begin() + part.end,
              static_cast<int>(rim.size() + j));
  }
  for (std::size_t i = 0; i < rim.size() + inside.size(); ++i) parent[i] = static_cast<int>(i);
  join_neighbours();
  trace_loops();
  join_holes();
  join_cavities();
  sort_by_patches();
}

void MeshHalfSpace::Work::join_neighbours() noexcept {
  for (std::size_t i = 0; i < rim.size(); ++i) {
    const auto& [t, below, h] = rim[i];
    for (std::size_t k = 0; k < 3; ++k) {
      const int ends = (1 << k) | (1 << ((k + 1) % 3));
      if ((below & ends) == 0) continue;
      const int other = neighbours[static_cast<std::size_t>(t)][k];
      join(static_cast<int>(i), part_of[static_cast<std::size_t>(other)]);
    }
  }
  for (std::size_t j = 0; j < inside.size(); ++j) {
    const auto part = static_cast<int>(rim.size() + j);
    const auto& [begin, end, tensor, box, low] = inside[j];
    const std::span<const int> around =
        tensor < 0
            ? std::span<const int>(neighbours[static_cast<std::size_t>(begin)])
            : std::span<const int>(outer).subspan(
                  static_cast<std::size_t>(outer_start[static_cast<std::size_t>(tensor)]),
                  static_cast<std::size_t>(outer_start[static_cast<std::size_t>(tensor) + 1] -
                                           outer_start[static_cast<std::size_t>(tensor)]));
    for (const int other : around) join(part, part_of[static_cast<std::size_t>(other)]);
  }
}

/// Where each rim triangle is left, in axes of the plane, and the area that each loop goes round.
void MeshHalfSpace::Work::trace_loops() noexcept {
  loops.clear();
  const Vector3 e1 = plane.normal.unitOrthogonal(), e2 = plane.normal.cross(e1);
  for (std::size_t i = 0; i < rim.size(); ++i) {
    const auto& [t, below, h] = rim[i];
    const std::size_t k = rising_side[static_cast<std::size_t>(below)], l = (k + 1) % 3;
    const Vector3 a = corner(t, k) - plane.anchor, b = corner(t, l) - plane.anchor;
    const Vector3 x = a + h[k] / (h[k] - h[l]) * (b - a);
    points[i] = {e1.dot(x), e2.dot(x), -1};
  }
  for (std::size_t i = 0; i < rim.size(); ++i) {
    if (points[i].loop >= 0) continue;
    const auto number = static_cast<int>(loops.size());
    double twice = 0;
    auto at = i;
    do {
      const auto next = static_cast<std::size_t>(next_on_rim(static_cast<int>(at)));
      const LoopPoint &p = points[at], &q = points[next];
      twice +=
          (p.u - points[i].u) * (q.v - points[i].v) - (q.u - points[i].u) * (p.v - points[i].v);
      points[at].loop = number;
      at = next;
    } while (at != i);
    loops.push_back({twice / 2, static_cast<int>(i)});
  }
}

/// By the number of sides that a ray along u crosses.
bool MeshHalfSpace::Work::loop_encloses(int loop, double u, double v) const noexcept {
  bool is_inside = false;
  const int first = loops[static_cast<std::size_t>(loop)].first;
  int at = first;
  do {
    const int next = next_on_rim(at);
    const LoopPoint &p = points[static_cast<std::size_t>(at)],
                    &q = points[static_cast<std::size_t>(next)];
    if ((p.v > v) != (q.v > v) && u < p.u + (v - p.v) / (q.v - p.v) * (q.u - p.u)) {
      is_inside = !is_inside;
    }
    at = next;
  } while (at != first);
  return is_inside;
}

void MeshHalfSpace::Work::join_holes() noexcept {
  for (const Loop& hole : loops) {
    if (hole.area >= 0) continue;
    const LoopPoint& p = points[static_cast<std::size_t>(hole.first)];
    double smallest = std::numeric_limits<double>::infinity();
    int around = -1;
    for (std::size_t l = 0; l < loops.size(); ++l) {
      if (loops[l].area < -hole.area || loops[l].area >= smallest) continue;
      if (!loop_encloses(static_cast<int>(l), p.u, p.v)) continue;
      smallest = loops[l].area;
      around = loops[l].first;
    }
    if (around >= 0) join(hole.first, around);
  }
}

/// Parts that hang together with no rim are whole shells.
void MeshHalfSpace::Work::join_cavities() noexcept {
  if (mesh->shells() == 1) return;
  for (std::size_t j = 0; j < inside.size(); ++j) {
    const auto part = static_cast<int>(rim.size() + j);
    // Joining makes the lowest number the root, and rim triangles have the lowest.
    if (root(part) != part) continue;
    const auto shell = mesh->shell()[static_cast<std::size_t>(inside[j].begin)];
    if (!inside_out[static_cast<std::size_t>(shell)]) continue;
    Deepest lowest;
    for (std::size_t i = j; i < inside.size(); ++i) {
      const auto& one = inside[i];
      if (mesh->shell()[static_cast<std::size_t>(one.begin)] == shell) {
        offer(one.begin, one.end, lowest);
      }
    }
    const int below = part_under(mesh->vertices()[static_cast<std::size_t>(lowest.vertex)], shell);
    if (below >= 0) join(part, below);
  }
}

/// The part of another shell that the vertical below x meets first.
int MeshHalfSpace::Work::part_under(const Vector3& x, int own_shell) const noexcept {
  const Vector3 down = -plane.normal;
  double nearest = std::numeric_limits<double>::infinity();
  int found = -1;
  std::array<int, 64> stack{};
  std::size_t top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const MeshNode& node = mesh->tree()[static_cast<std::size_t>(stack[--top])];
    const Vector3 to = node.center - x;
    const double along = down.dot(to), reach = node.half.norm();
    if (along < -reach || (to - along * down).norm() > reach) continue;
    if (node.child >= 0) {
      stack[top++] = node.child + 1;
      stack[top++] = node.child;
      continue;
    }
    if (mesh->shell()[static_cast<std::size_t>(node.begin)] == own_shell) continue;
    const Vector3 a = corner(node.begin, 0) - x, b = corner(node.begin, 1) - x,
                  c = corner(node.begin, 2) - x;
    // Signed volumes with the ray: all of one sign where it goes through.
    const double p = down.dot(b.cross(c)), q = down.dot(c.cross(a)), r = down.dot(a.cross(b));
    if (std::min({p, q, r}) < 0 && std::max({p, q, r}) > 0) continue;
    const Vector3 w = (b - a).cross(c - a);
    const double fall = w.dot(a) / w.dot(down);
    if (!(fall > 0) || fall >= nearest) continue;
    nearest = fall;
    found = part_of[static_cast<std::size_t>(node.begin)];
  }
  return found;
}

/// Numbers patches as the parts meet them, and sorts the parts by their numbers.
void MeshHalfSpace::Work::sort_by_patches() noexcept {
  const std::size_t count = rim.size() + inside.size();
  start.clear();
  start.push_back(0);
  for (std::size_t i = 0; i < count; ++i) {
    const auto top = static_cast<std::size_t>(root(static_cast<int>(i)));
    if (top == i) {
      patch_of[i] = static_cast<int>(start.size()) - 1;
      start.push_back(0);
    } else {
      patch_of[i] = patch_of[top];  // top < i
    }
    ++start[static_cast<std::size_t>(patch_of[i]) + 1];
  }
  for (std::size_t p = 1; p < start.size(); ++p) start[p] += start[p - 1];
  for (std::size_t i = count; i-- > 0;) {  // from the back, where each patch ends
    int& end = start[static_cast<std::size_t>(patch_of[i]) + 1];
    sorted[static_cast<std::size_t>(--end)] = static_cast<int>(i);
  }
  // Now start[p + 1] is where patch p begins.
  for (std::size_t p = 1; p < start.size(); ++p) start[p - 1] = start[p];
  start.back() = static_cast<int>(count);
}

}  // namespace bristle
