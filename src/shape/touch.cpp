#include "bristle/shape/touch.hpp"

#include <algorithm>
#include <cassert>

#include "bristle/shape/touch_bore.hpp"
#include "bristle/shape/touch_half_space.hpp"
#include "bristle/shape/touch_solids.hpp"
#include "bristle/shape/touch_wall.hpp"

namespace bristle {
namespace {

// ---- the pairs, each in one order; this is the list of what is supported ------------------------
using One = std::array<Touch, 1>;

/// What is a sphere, perhaps of radius 0, to its partner.
double radius_of(const Sphere& sphere) noexcept { return sphere.radius; }
double radius_of(const Point&) noexcept { return 0; }
template <class A>
concept Ball = requires(const A& a) { radius_of(a); };

template <Ball A>
One pair(const A& a, const Pose& pa, const HalfSpace&, const Pose& pb) noexcept {
  return {touch_sphere_half_space(radius_of(a), pa.position, pb)};
}
template <Ball A>
One pair(const A& a, const Pose& pa, const Bore& b, const Pose& pb) noexcept {
  return {touch_sphere_bore(radius_of(a), pa.position, b, pb)};
}
One pair(const Sphere& a, const Pose& pa, const Sphere& b, const Pose& pb) noexcept {
  return {touch_sphere_sphere(a.radius, pa.position, b.radius, pb.position)};
}
/// Like the sphere against other solids, and unlike two spheres: the force acts at the point.
One pair(const Point&, const Pose& pa, const Sphere& b, const Pose& pb) noexcept {
  Touch touch = touch_sphere_sphere(0, pa.position, b.radius, pb.position, axis_z(pb));
  touch.point = pa.position;
  touch.reference = reference_beside(touch.normal, axis_z(pb), axis_x(pb));
  return {touch};
}
template <Ball A>
One pair(const A& a, const Pose& pa, const Box& b, const Pose& pb) noexcept {
  return {touch_sphere_box(radius_of(a), pa.position, b, pb)};
}
template <Ball A>
One pair(const A& a, const Pose& pa, const Capsule& b, const Pose& pb) noexcept {
  return {touch_sphere_capsule(radius_of(a), pa.position, b, pb)};
}
template <Ball A>
One pair(const A& a, const Pose& pa, const Cylinder& b, const Pose& pb) noexcept {
  return {touch_sphere_cylinder(radius_of(a), pa.position, b, pb)};
}
auto pair(const Capsule& a, const Pose& pa, const HalfSpace&, const Pose& pb) noexcept {
  return touch_capsule_half_space(a, pa, pb);
}
auto pair(const Capsule& a, const Pose& pa, const Bore& b, const Pose& pb) noexcept {
  return touch_capsule_bore(a, pa, b, pb);
}
One pair(const Capsule& a, const Pose& pa, const Capsule& b, const Pose& pb) noexcept {
  return {touch_capsule_capsule(a, pa, b, pb)};
}
auto pair(const Box& a, const Pose& pa, const HalfSpace&, const Pose& pb) noexcept {
  return touch_box_half_space(a, pa, pb);
}
auto pair(const Cylinder& a, const Pose& pa, const HalfSpace&, const Pose& pb) noexcept {
  return touch_cylinder_half_space(a, pa, pb);
}
auto pair(const Box& a, const Pose& pa, const Wall& b, const Pose& pb) noexcept {
  return touch_box_wall(a, pa, b, pb);
}

// ---- either order -------------------------------------------------------------------------------
template <class A, class B>
concept Listed = requires(const A& a, const B& b, const Pose& pose) { pair(a, pose, b, pose); };

template <class A, class B>
constexpr int count_of() noexcept {
  if constexpr (Listed<A, B>) {
    using Touches = decltype(pair(std::declval<A>(), Pose{}, std::declval<B>(), Pose{}));
    return static_cast<int>(std::tuple_size_v<Touches>);
  } else if constexpr (Listed<B, A>) {
    return count_of<B, A>();
  } else {
    return 0;
  }
}

template <class A, class B>
int write(const A& a, const Pose& pa, const B& b, const Pose& pb, std::span<Touch> out) noexcept {
  assert(out.size() >= static_cast<std::size_t>(count_of<A, B>()));
  if constexpr (Listed<A, B>) {
    std::ranges::copy(pair(a, pa, b, pb), out.begin());
  } else if constexpr (Listed<B, A>) {
    std::ranges::transform(pair(b, pb, a, pa), out.begin(), flipped);
  }
  return count_of<A, B>();
}

}  // namespace

int touches(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
            std::span<Touch> out) noexcept {
  return std::visit(
      [&](const auto& sa, const auto& sb) noexcept { return write(sa, pose_a, sb, pose_b, out); },
      a, b);
}

int touch_count(const Shape& a, const Shape& b) noexcept {
  return std::visit([]<class A, class B>(const A&, const B&) noexcept { return count_of<A, B>(); },
                    a, b);
}

std::vector<std::string> supported_pairs() {
  const std::array<Shape, 8> all{Sphere{},   Point{},     Box{},  Capsule{},
                                 Cylinder{}, HalfSpace{}, Bore{}, Wall{}};
  std::vector<std::string> list;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i; j < all.size(); ++j) {
      if (touch_count(all[i], all[j]) == 0) continue;
      list.push_back(std::string(name(all[i])) + " – " + std::string(name(all[j])));
    }
  }
  return list;
}

}  // namespace bristle
