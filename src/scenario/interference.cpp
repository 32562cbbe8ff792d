#include "bristle/scenario/interference.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "bristle/core/names.hpp"
#include "bristle/shape/overlap_finder.hpp"
#include "shapes.hpp"

namespace bristle {

std::vector<Overlap> Interference::overlaps() const {
  OverlapFinder finder(shape[0], shape[1]);
  const std::span<const Overlap> found = finder.find(pose[0], pose[1]);
  if (finder.failure() != nullptr) throw std::runtime_error(finder.failure());
  return {found.begin(), found.end()};
}

Patch Interference::patch(const Overlap& overlap) const {
  Patch made = make_patch(overlap);
  if (!made.directed) return made;
  if (eigenvector) made = make_patch(seen_along(overlap, eigen_normal(made)));
  if (stiffness) share_deformation(made, (*stiffness)[0], (*stiffness)[1]);
  return made;
}

Interference read_interference(const Node& document) {
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
  if (!OverlapFinder::supports(pair.shape[0], pair.shape[1])) {
    Fault fault = list.fault("no overlap is known of these shapes");
    fault.value = fmt::format("{} – {}", name(pair.shape[0]), name(pair.shape[1]));
    fault.expected = one_of(OverlapFinder::pairs());
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
