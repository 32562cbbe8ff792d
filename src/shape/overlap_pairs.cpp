#include "bristle/shape/overlap_pairs.hpp"

#include <array>
#include <cassert>

namespace bristle {
namespace {

using Found = std::optional<Overlap>;

// ---- the pairs, each in one order; this is the list of what is supported ------------------------
Found pair(const Sphere& a, const Pose& pa, const Sphere& b, const Pose& pb) noexcept {
  return overlap_spheres(a, pa, b, pb);
}
Found pair(const Sphere& a, const Pose& pa, const Cylinder& b, const Pose& pb) noexcept {
  return overlap_cylinder(a, pa, b, pb);
}
Found pair(const Sphere& a, const Pose& pa, const Bore& b, const Pose& pb) noexcept {
  return overlap_bore(a, pa, b, pb);
}
Found pair(const Box& a, const Pose& pa, const Box& b, const Pose& pb) noexcept {
  return overlap_boxes(a, pa, b, pb);
}
template <class A>
  requires requires(const A& a, const Pose& pose) { overlap_half_space(a, pose, pose); }
Found pair(const A& a, const Pose& pa, const HalfSpace&, const Pose& pb) noexcept {
  return overlap_half_space(a, pa, pb);
}

// ---- either order -------------------------------------------------------------------------------
template <class A, class B>
concept Listed = requires(const A& a, const B& b, const Pose& pose) { pair(a, pose, b, pose); };

template <class A, class B>
Found find(const A& a, const Pose& pa, const B& b, const Pose& pb) noexcept {
  if constexpr (Listed<A, B>) {
    return pair(a, pa, b, pb);
  } else if constexpr (Listed<B, A>) {
    Found found = pair(b, pb, a, pa);
    if (found) *found = flipped(*found);
    return found;
  } else {
    return std::nullopt;
  }
}

}  // namespace

int overlap(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
            std::span<Overlap> out) noexcept {
  assert(!out.empty());
  const Found found = std::visit(
      [&](const auto& sa, const auto& sb) noexcept { return find(sa, pose_a, sb, pose_b); }, a, b);
  if (!found) return 0;
  out[0] = *found;
  return 1;
}

bool can_overlap(const Shape& a, const Shape& b) noexcept {
  return std::visit(
      []<class A, class B>(const A&, const B&) noexcept { return Listed<A, B> || Listed<B, A>; }, a,
      b);
}

std::vector<std::string> overlap_pairs() {
  const std::array<Shape, 8> all{Sphere{},   Ellipsoid{}, Box{},       Capsule{},
                                 Cylinder{}, Cone{},      HalfSpace{}, Bore{}};
  std::vector<std::string> list;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i; j < all.size(); ++j) {
      if (!can_overlap(all[i], all[j])) continue;
      list.push_back(std::string(name(all[i])) + " – " + std::string(name(all[j])));
    }
  }
  return list;
}

}  // namespace bristle
