#pragma once

// Random pairs of shapes that overlap.

#include <array>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "bristle/shape/overlap_pairs.hpp"
#include "shape/scenes.hpp"

namespace bristle::testing {

struct OverlapScene {
  Shape a;
  Pose pose_a;
  Shape b;
  Pose pose_b;

  std::string text() const { return std::string(name(a)) + " – " + std::string(name(b)); }
  std::optional<Overlap> overlap() const {
    std::array<Overlap, 1> out;
    if (bristle::overlap(a, pose_a, b, pose_b, out) == 0) return std::nullopt;
    return out[0];
  }
  double volume() const {
    const std::optional<Overlap> o = overlap();
    return o ? o->moments.volume : 0;
  }
  OverlapScene with_a_at(const Vector3& position) const {
    OverlapScene other = *this;
    other.pose_a.position = position;
    return other;
  }
  OverlapScene moved_by(const Pose& motion) const {
    return {a, compose(motion, pose_a), b, compose(motion, pose_b)};
  }
  /// The size of the smaller body.
  double size() const { return std::min(bounding_radius(a), bounding_radius(b)); }
};

inline Shape overlap_shape(SceneDraw& draw, int kind) {
  const auto size = [&] { return draw.between(0.2, 1); };
  if (kind == 7) return Ellipsoid{{size(), size(), size()}};
  if (kind == 8) return Cone{size(), 2 * size()};
  return draw.shape(kind);
}

/// Pulled apart along the normal until only `depth` is left of the way they overlapped.
inline OverlapScene almost_apart(const OverlapScene& scene, double depth) {
  const Vector3 away = -make_patch(*scene.overlap()).normal, start = scene.pose_a.position;
  // In steps that find the clearance of a bore.
  const double step = 0.03 * scene.size();
  double in = 0, out = step;
  while (scene.with_a_at(start + out * away).overlap()) out += step;
  while (out - in > 1e-13) {
    const double middle = 0.5 * (in + out);
    (scene.with_a_at(start + middle * away).overlap() ? in : out) = middle;
  }
  return scene.with_a_at(start + std::max(in - depth, 0.0) * away);
}

/// A directed overlap of two shapes of these kinds, deep or shallow.
inline OverlapScene draw_overlap(SceneDraw& draw, int i, int j, bool shallow) {
  for (;;) {
    OverlapScene scene{overlap_shape(draw, i), draw.pose(1), overlap_shape(draw, j), draw.pose(1)};
    const std::optional<Overlap> o = scene.overlap();
    if (!o || !make_patch(*o).directed) continue;
    // A sphere wider than its bore is a ring, not a contact.
    const auto *sphere = std::get_if<Sphere>(&scene.a), *other = std::get_if<Sphere>(&scene.b);
    const auto *bore = std::get_if<Bore>(&scene.b), *hole = std::get_if<Bore>(&scene.a);
    if (sphere && bore && sphere->radius > 0.95 * bore->radius) continue;
    if (other && hole && other->radius > 0.95 * hole->radius) continue;
    if (!shallow) return scene;
    return almost_apart(scene, std::pow(10, draw.between(-4, -1)) * scene.size());
  }
}

inline constexpr int overlap_kinds = 9;

/// Calls check(scene, draw) for `cases` random overlaps of every pair, in both orders; every other
/// one is shallow.
template <class Check>
void for_every_overlap(int cases, Check&& check) {
  SceneDraw draw(7);
  for (int i = 0; i < overlap_kinds; ++i) {
    for (int j = 0; j < overlap_kinds; ++j) {
      if (!can_overlap(overlap_shape(draw, i), overlap_shape(draw, j))) continue;
      for (int k = 0; k < cases; ++k) {
        check(draw_overlap(draw, i, j, k % 2 == 1), draw);
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

}  // namespace bristle::testing
