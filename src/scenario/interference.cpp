#include "bristle/scenario/interference.hpp"

#include <cmath>

#include <fmt/format.h>

#include "bristle/core/names.hpp"
#include "bristle/shape/overlap_pairs.hpp"
#include "shapes.hpp"

namespace bristle {
namespace {

/// The direction of S; none where S vanishes.
Vector3 direction(const Overlap& overlap) noexcept {
  const double size = overlap.vector_area.norm();
  return size > 0 ? Vector3(overlap.vector_area / size) : Vector3(Vector3::Zero());
}

}  // namespace

std::vector<Overlap> Interference::overlaps() const {
  std::array<Overlap, 1> piece;
  const int count = overlap(shape[0], pose[0], shape[1], pose[1], piece);
  return {piece.begin(), piece.begin() + count};
}

Patch Interference::patch(const Overlap& overlap) const {
  Patch made = make_patch(overlap);
  if (!made.directed) return made;
  if (eigenvector) made = make_patch(seen_along(overlap, eigen_normal(made)));
  if (stiffness) share_deformation(made, (*stiffness)[0], (*stiffness)[1]);
  return made;
}

Overlap together(std::span<const Overlap> pieces) noexcept {
  Overlap sum = pieces.front();
  double area = 0, height = 0;
  for (const Overlap& piece : pieces.subspan(1)) {
    const Moments m = moved(piece.moments, sum.moments.about);
    sum.moments.volume += m.volume;
    sum.moments.first += m.first;
    sum.moments.second += m.second;
    sum.vector_area += piece.vector_area;
    sum.wetted_area += piece.wetted_area;
    sum.depth = std::fmax(sum.depth, piece.depth);
  }
  const Vector3 n = direction(sum);
  for (const Overlap& piece : pieces) {
    const Vector3 on_surface =
        piece.moments.about + piece.surface_height * direction(piece) - sum.moments.about;
    area += piece.vector_area.norm();
    height += piece.vector_area.norm() * n.dot(on_surface);
  }
  if (area > 0) sum.surface_height = height / area;
  return sum;
}

Overlap seen_along(const Overlap& overlap, const Vector3& normal) noexcept {
  const Vector3 n = direction(overlap);
  const Vector3 centroid = overlap.moments.first / overlap.moments.volume;  // from `about`
  const double beyond = (overlap.surface_height - n.dot(centroid)) / n.dot(normal);
  Overlap seen = overlap;
  seen.vector_area = overlap.vector_area.dot(normal) * normal;
  seen.surface_height = normal.dot(centroid) + beyond;
  return seen;
}

Interference read_interference(const Document& document) {
  const Node list = document["bodies"].required("a list of two bodies");
  const std::vector<Node> bodies = list.items();
  if (bodies.size() != 2) {
    Fault fault = list.fault("interference is between two bodies");
    fault.value = fmt::format("{} bodies", bodies.size());
    throw InputError(fault);
  }
  Interference pair;
  for (std::size_t i = 0; i < 2; ++i) {
    pair.shape[i] =
        detail::read_shape(bodies[i]["shape"].required("for example {sphere: {radius: 0.1 m}}"));
    pair.pose[i] = detail::read_pose(bodies[i]);
  }
  if (!can_overlap(pair.shape[0], pair.shape[1])) {
    Fault fault = list.fault("no overlap is known of these shapes");
    fault.value = fmt::format("{} – {}", name(pair.shape[0]), name(pair.shape[1]));
    fault.expected = one_of(overlap_pairs());
    throw InputError(fault);
  }
  if (document["stiffness"].exists()) {
    const std::vector<double> k =
        document["stiffness"].quantities(dim::force / raised(dim::length, 3), 2, above(0));
    pair.stiffness = {k[0], k[1]};
  }
  pair.eigenvector = document["normal"].word({"area", "eigenvector"}, "area") == "eigenvector";
  return pair;
}

}  // namespace bristle
