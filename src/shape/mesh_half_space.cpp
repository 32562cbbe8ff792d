#include "bristle/shape/mesh_half_space.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "mesh_half_space_work.hpp"
#include "tet_sums.hpp"

namespace bristle {
namespace mesh_detail {
namespace {

constexpr int leaf_size = 4;            ///< triangles that are looked at one by one
constexpr int tensor_size = 8;          ///< triangles for which tensors are faster than summing up
constexpr std::size_t stack_size = 64;  ///< more than the depth of any tree

struct Integrator {
  Vector3 anchor, below;  ///< a point of the patch; the way there from p0
  TetSums tets{};
  ConeSums cones{};

  Vector3 from_p0(const Vector3& x) const noexcept { return (x - anchor) + below; }

  void add_whole(const Vector3& x0, const Vector3& x1, const Vector3& x2) noexcept {
    tets.add(from_p0(x0), x1 - x0, x2 - x0);
  }
  /// Of the triangle with corner x0 below: the sides from there are cut where they meet the plane.
  void add_one_below(const Vector3& x0, const Vector3& x1, const Vector3& x2, double h0, double h1,
                     double h2) noexcept {
    tets.add(from_p0(x0), h0 / (h0 - h1) * (x1 - x0), h0 / (h0 - h2) * (x2 - x0));
  }
  /// Of the triangle with corners x0 and x1 below: (x1, q, x0) and (x0, q, p) with q on the side
  /// from x1 to x2 and p on that from x0 to x2.
  void add_two_below(const Vector3& x0, const Vector3& x1, const Vector3& x2, double h0, double h1,
                     double h2) noexcept {
    const Vector3 to_q = h1 / (h1 - h2) * (x2 - x1), to_p = h0 / (h0 - h2) * (x2 - x0);
    tets.add(from_p0(x1), to_q, x0 - x1);
    tets.add(from_p0(x0), (x1 - x0) + to_q, to_p);
  }
};

Matrix3 full(const Six& s) noexcept {
  Matrix3 m;
  m << s[0], s[3], s[4], s[3], s[1], s[5], s[4], s[5], s[2];
  return m;
}

}  // namespace

// s = n_W·(p_A + R_A x − p_B) with n_W the third column of R_B.
Plane Plane::seen_from(const Pose& mesh, const Pose& half_space) noexcept {
  using Long = Eigen::Matrix<long double, 3, 1>;
  const Long up = half_space.rotation.cast<long double>().toRotationMatrix().col(2);
  const Long n = mesh.rotation.cast<long double>().toRotationMatrix().transpose() * up;
  const Long apart = mesh.position.cast<long double>() - half_space.position.cast<long double>();
  Plane plane;
  plane.n = {n[0], n[1], n[2]};
  plane.offset = up.dot(apart);
  plane.normal = n.cast<double>();
  return plane;
}

void Plane::drop_anchor(const Vector3& x) noexcept {
  anchor = x;
  anchor_height = static_cast<double>(n[0] * x.x() + n[1] * x.y() + n[2] * x.z() + offset);
}

}  // namespace mesh_detail

using mesh_detail::Deepest;
using mesh_detail::FlatBox;

// ---- set-up -------------------------------------------------------------------------------------

MeshHalfSpace::Work::Work(std::shared_ptr<const Mesh> shared)
    : mesh(std::move(shared)), center(mesh->tree().front().center) {
  const std::size_t count = mesh->triangles().size();
  for (const Vector3& v : mesh->vertices()) size = std::max(size, (v - center).norm());
  neighbours.resize(count);
  for (std::size_t t = 0; t < count; ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const int side = mesh->triangle_edges()[t][k];
      const MeshEdge& edge = mesh->edges()[static_cast<std::size_t>(side / 2)];
      neighbours[t][k] = side % 2 == 0 ? edge.right : edge.left;
    }
  }
  parent.resize(count);  // `connected` needs it
  boxes.reserve(count + 1);
  node_of_box.reserve(count + 1);
  boxes.emplace_back();
  node_of_box.push_back(0);
  flatten(0);
  outer_start.push_back(0);
  make_tensors(0);
  std::vector<double> volumes(static_cast<std::size_t>(mesh->shells()));
  for (std::size_t t = 0; t < count; ++t) {
    const auto at = [&](std::size_t k) { return Vector3(corner(static_cast<int>(t), k) - center); };
    volumes[static_cast<std::size_t>(mesh->shell()[t])] += at(0).dot(at(1).cross(at(2)));
  }
  for (const double v : volumes) inside_out.push_back(v < 0);
  queue.reserve(boxes.size());
  rim.reserve(count);
  inside.reserve(count);
  part_of.resize(count);
  patch_of.resize(count);
  sorted.resize(count);
  start.reserve(count / 3 + 2);
  points.resize(count);
  loops.reserve(count / 3 + 1);
  overlaps.reserve(count / 3 + 1);
}

void MeshHalfSpace::Work::flatten(int box) {
  const auto node_number = node_of_box[static_cast<std::size_t>(box)];
  const MeshNode& node = mesh->tree()[static_cast<std::size_t>(node_number)];
  FlatBox flat;
  const Vector3 c = node.center - center;
  const auto row = [&](int i) {
    return Eigen::Array4f(static_cast<float>(node.half[0] * node.axes(i, 0)),
                          static_cast<float>(node.half[1] * node.axes(i, 1)),
                          static_cast<float>(node.half[2] * node.axes(i, 2)),
                          static_cast<float>(c[i]));
  };
  flat.x = row(0), flat.y = row(1), flat.z = row(2);
  flat.begin = node.begin, flat.end = node.end;
  if (node.end - node.begin > mesh_detail::leaf_size) {
    flat.child = static_cast<int>(boxes.size());
    boxes.resize(boxes.size() + 2);
    node_of_box.push_back(node.child);
    node_of_box.push_back(node.child + 1);
    flatten(flat.child);
    flatten(flat.child + 1);
  }
  boxes[static_cast<std::size_t>(box)] = flat;
}

/// From the leaves up. Branches in several pieces get none: their pieces may be of different
/// patches.
void MeshHalfSpace::Work::make_tensors(int number) {
  FlatBox& box = boxes[static_cast<std::size_t>(number)];
  if (box.end - box.begin < mesh_detail::tensor_size) return;
  auto sums = mesh_detail::SurfaceTensors::at(
      mesh->tree()[static_cast<std::size_t>(node_of_box[static_cast<std::size_t>(number)])].center);
  const auto add_triangles = [&](int begin, int end) {
    for (int t = begin; t < end; ++t) sums.add(corner(t, 0), corner(t, 1), corner(t, 2));
  };
  if (box.child < 0) {
    add_triangles(box.begin, box.end);
  } else {
    for (const int c : {box.child, box.child + 1}) {
      make_tensors(c);
      const FlatBox& child = boxes[static_cast<std::size_t>(c)];
      if (child.tensors < 0) {
        add_triangles(child.begin, child.end);
      } else {
        sums.add(tensors[static_cast<std::size_t>(child.tensors)]);
      }
    }
  }
  if (!connected(box.begin, box.end)) return;
  box.tensors = static_cast<int>(tensors.size());
  tensors.push_back(sums);
  for (int t = box.begin; t < box.end; ++t) {
    for (const int other : neighbours[static_cast<std::size_t>(t)]) {
      if (other < box.begin || other >= box.end) outer.push_back(other);
    }
  }
  outer_start.push_back(static_cast<int>(outer.size()));
}

bool MeshHalfSpace::Work::connected(int begin, int end) {
  for (int t = begin; t < end; ++t) parent[static_cast<std::size_t>(t)] = t;
  int pieces = end - begin;
  for (int t = begin; t < end; ++t) {
    for (const int other : neighbours[static_cast<std::size_t>(t)]) {
      if (other < begin || other >= t) continue;
      const int a = root(t), b = root(other);
      if (a == b) continue;
      parent[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
      --pieces;
    }
  }
  return pieces == 1;
}

// ---- one call -----------------------------------------------------------------------------------

/// Boxes are compared in `float`; `slack` is more than all its rounding, and what they leave open
/// is decided by the triangles.
void MeshHalfSpace::Work::aim() noexcept {
  const auto three = [&](int i) {
    return Eigen::Array4f::Constant(static_cast<float>(plane.normal[i])).eval();
  };
  nx = three(0), ny = three(1), nz = three(2);
  plane.drop_anchor(center);
  box_height = static_cast<float>(plane.anchor_height);
  slack = static_cast<float>(16 * 0x1p-24 * (size + std::abs(plane.anchor_height)));
}

MeshHalfSpace::Work::Reach MeshHalfSpace::Work::reach(const FlatBox& box) const noexcept {
  const Eigen::Array4f along = nx * box.x + ny * box.y + nz * box.z;
  const float middle = along[3] + box_height;
  const float half = std::abs(along[0]) + std::abs(along[1]) + std::abs(along[2]) + slack;
  return {middle - half, middle + half};
}

double MeshHalfSpace::Work::lowest_of_box(int box) const noexcept {
  const MeshNode& node =
      mesh->tree()[static_cast<std::size_t>(node_of_box[static_cast<std::size_t>(box)])];
  const Vector3 along = node.axes.transpose() * plane.normal;
  return plane.height(node.center) - along.cwiseAbs().dot(node.half);
}

void MeshHalfSpace::Work::offer(int begin, int end, Deepest& best) const noexcept {
  for (int t = begin; t < end; ++t) {
    for (const int v : mesh->triangles()[static_cast<std::size_t>(t)]) {
      const double h = plane.height(mesh->vertices()[static_cast<std::size_t>(v)]);
      if (h < best.height) best = {h, v};
    }
  }
}

/// Branch and bound, the lower branch first. `float` boxes cannot tell the vertices of a face that
/// lies parallel to the plane apart, so near the best the boxes proper are asked; vertices within
/// rounding of the best are not looked for.
void MeshHalfSpace::Work::find_deepest(int from, Deepest& best) const noexcept {
  struct Entry {
    int box;
    float low;
  };
  std::array<Entry, mesh_detail::stack_size> stack{};
  std::size_t top = 0;
  stack[top++] = {from, reach(boxes[static_cast<std::size_t>(from)]).low};
  const double rounding = 64 * std::numeric_limits<double>::epsilon() * size;
  while (top > 0) {
    const Entry entry = stack[--top];
    if (entry.low >= best.height) continue;
    if (entry.low > best.height - 4 * slack && lowest_of_box(entry.box) >= best.height - rounding) {
      continue;
    }
    const FlatBox& box = boxes[static_cast<std::size_t>(entry.box)];
    if (box.child < 0) {
      offer(box.begin, box.end, best);
      continue;
    }
    const float left = reach(boxes[static_cast<std::size_t>(box.child)]).low;
    const float right = reach(boxes[static_cast<std::size_t>(box.child) + 1]).low;
    const bool left_first = left <= right;
    stack[top++] = left_first ? Entry{box.child + 1, right} : Entry{box.child, left};
    stack[top++] = left_first ? Entry{box.child, left} : Entry{box.child + 1, right};
  }
}

void MeshHalfSpace::Work::collect_triangles(int begin, int end) noexcept {
  for (int t = begin; t < end; ++t) {
    const double h0 = plane.height(corner(t, 0)), h1 = plane.height(corner(t, 1)),
                 h2 = plane.height(corner(t, 2));
    const int below = (h0 < 0 ? 1 : 0) | (h1 < 0 ? 2 : 0) | (h2 < 0 ? 4 : 0);
    if (below == 0) continue;
    if (below == 7) {
      inside.push_back({t, t + 1, -1, -1, static_cast<float>(std::min({h0, h1, h2})) - slack});
    } else {
      part_of[static_cast<std::size_t>(t)] = static_cast<int>(rim.size());
      rim.push_back({t, below, {h0, h1, h2}});
    }
  }
}

void MeshHalfSpace::Work::collect() noexcept {
  rim.clear();
  inside.clear();
  queue.clear();
  queue.push_back(0);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const int number = queue[i];
    const FlatBox& box = boxes[static_cast<std::size_t>(number)];
    const Reach heights = reach(box);
    if (heights.low >= 0) continue;
    if (heights.high < 0 && box.tensors >= 0) {
      inside.push_back({box.begin, box.end, box.tensors, number, heights.low});
    } else if (box.child < 0) {
      collect_triangles(box.begin, box.end);
    } else {
      __builtin_prefetch(&boxes[static_cast<std::size_t>(box.child)]);
      __builtin_prefetch(&boxes[static_cast<std::size_t>(box.child) + 1]);
      queue.push_back(box.child);
      queue.push_back(box.child + 1);
    }
  }
}

/// The deepest vertex of these parts. Of branches that are below as a whole the lowest is searched
/// first, and then those that may be deeper still.
Deepest MeshHalfSpace::Work::deepest_of(std::span<const int> parts) const noexcept {
  Deepest best;
  const mesh_detail::InsidePart* lowest = nullptr;
  for (const int i : parts) {
    const auto part = static_cast<std::size_t>(i);
    if (part >= rim.size()) {
      const mesh_detail::InsidePart& one = inside[part - rim.size()];
      if (lowest == nullptr || one.low < lowest->low) lowest = &one;
      continue;
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const int v = mesh->triangles()[static_cast<std::size_t>(rim[part].triangle)][k];
      if (rim[part].height[k] < best.height) best = {rim[part].height[k], v};
    }
  }
  const auto search = [&](const mesh_detail::InsidePart& part) {
    if (part.box < 0) return offer(part.begin, part.end, best);
    find_deepest(part.box, best);
  };
  if (lowest != nullptr) search(*lowest);
  for (const int i : parts) {
    const auto part = static_cast<std::size_t>(i);
    if (part < rim.size()) continue;
    if (inside[part - rim.size()].low < best.height) search(inside[part - rim.size()]);
  }
  return best;
}

/// Puts the anchor on the deepest vertex of a patch. Where the patch is shallow its heights are
/// taken again from there; which corners are below has been decided.
void MeshHalfSpace::Work::anchor(std::span<const int> parts) noexcept {
  constexpr double least = std::numeric_limits<double>::min();
  const Deepest deepest = deepest_of(parts);
  plane.drop_anchor(mesh->vertices()[static_cast<std::size_t>(deepest.vertex)]);
  plane.anchor_height = std::min(plane.anchor_height, -least);
  if (-plane.anchor_height > 0.01 * size) return;
  for (const int i : parts) {
    const auto part = static_cast<std::size_t>(i);
    if (part >= rim.size()) break;
    for (std::size_t k = 0; k < 3; ++k) {
      const double h = plane.height(corner(rim[part].triangle, k));
      const bool below = (rim[part].below & (1 << k)) != 0;
      rim[part].height[k] = below ? std::min(h, -least) : std::max(h, 0.0);
    }
  }
}

/// The sums of one patch, in the world.
Overlap MeshHalfSpace::Work::overlap_of(std::span<const int> parts, const Pose& pose,
                                        const Vector3& normal) noexcept {
  anchor(parts);
  mesh_detail::Integrator sums{plane.anchor, plane.anchor_height * plane.normal};
  for (const int i : parts) {
    const auto number = static_cast<std::size_t>(i);
    if (number >= rim.size()) {
      const auto& part = inside[number - rim.size()];
      if (part.tensors < 0) {
        sums.add_whole(corner(part.begin, 0), corner(part.begin, 1), corner(part.begin, 2));
      } else {
        const auto& t = tensors[static_cast<std::size_t>(part.tensors)];
        sums.cones.add(t, sums.from_p0(t.center));
      }
      continue;
    }
    const auto& [t, below, h] = rim[number];
    constexpr std::array<std::size_t, 8> first_corner{0, 0, 1, 0, 2, 2, 1, 0};
    const std::size_t k = first_corner[static_cast<std::size_t>(below)], l = (k + 1) % 3,
                      m = (k + 2) % 3;
    if (below == 1 || below == 2 || below == 4) {
      sums.add_one_below(corner(t, k), corner(t, l), corner(t, m), h[k], h[l], h[m]);
    } else {
      sums.add_two_below(corner(t, k), corner(t, l), corner(t, m), h[k], h[l], h[m]);
    }
  }
  sums.tets.flush();
  const mesh_detail::TetSums& tets = sums.tets;
  const mesh_detail::ConeSums& cones = sums.cones;
  mesh_detail::Six second{};
  for (std::size_t i = 0; i < 6; ++i) second[i] = tets.second(i) + cones.second[i] / 5;
  const Moments own{plane.anchor - sums.below, tets.volume() + cones.volume / 3,
                    tets.first() + cones.first / 4, mesh_detail::full(second)};
  const bool closed = static_cast<std::size_t>(parts.front()) >= rim.size();
  const double cap = closed ? 0 : -plane.normal.dot(tets.vector_area() + cones.vector_area);
  return {.moments = placed(own, pose),
          .vector_area = -cap * normal,
          .wetted_area = tets.area() + cones.area + cap,
          .surface_height = 0,
          .depth = -plane.anchor_height};
}

std::span<const Overlap> MeshHalfSpace::Work::find(const Pose& pose,
                                                   const Pose& half_space) noexcept {
  overlaps.clear();
  plane = mesh_detail::Plane::seen_from(pose, half_space);
  aim();
  if (plane.anchor_height > 2 * size) return {};
  collect();
  if (rim.empty() && inside.empty()) return {};
  const Vector3 normal = axis_z(half_space);
  if (mesh->shells() == 1 && (rim.empty() || one_loop())) {
    const std::span<int> all(sorted.data(), rim.size() + inside.size());
    std::iota(all.begin(), all.end(), 0);
    overlaps.push_back(overlap_of(all, pose, normal));
    return overlaps;
  }
  split();
  for (std::size_t i = 0; i + 1 < start.size(); ++i) {
    const auto first = static_cast<std::size_t>(start[i]);
    const auto count = static_cast<std::size_t>(start[i + 1]) - first;
    overlaps.push_back(overlap_of({sorted.data() + first, count}, pose, normal));
  }
  return overlaps;
}

MeshHalfSpace::MeshHalfSpace(std::shared_ptr<const Mesh> mesh)
    : work_(std::make_unique<Work>(std::move(mesh))) {}
MeshHalfSpace::~MeshHalfSpace() = default;
MeshHalfSpace::MeshHalfSpace(MeshHalfSpace&&) noexcept = default;
MeshHalfSpace& MeshHalfSpace::operator=(MeshHalfSpace&&) noexcept = default;

std::span<const Overlap> MeshHalfSpace::find(const Pose& mesh, const Pose& half_space) noexcept {
  return work_->find(mesh, half_space);
}
const Mesh& MeshHalfSpace::mesh() const noexcept { return *work_->mesh; }

}  // namespace bristle
