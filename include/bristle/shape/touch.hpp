#pragma once

/// Where two posed shapes touch, or would touch first: the points at which a point contact acts.
///
///   Touch touch[max_touches];
///   const int n = touches(Sphere{0.1}, ball, HalfSpace{}, floor, touch);
///
/// A pair of shapes has a fixed number of candidates, written whether they touch or not, so that
/// the index names a contact and its bristles from step to step:
///
///   sphere, point  – any solid   1
///   box            – half-space  8   corners; bit 0, 1, 2 of the index: at +x, +y, +z
///   capsule        – half-space  2   end spheres: at −z, at +z
///   cylinder       – half-space  6   3 of the face at −z, then 3 of that at +z: the deepest point
///                                    of the rim, the one opposite, the centre
///   sphere, point  – bore        1
///   capsule        – bore        2   end spheres: at −z, at +z
///   capsule        – capsule     1
///   box            – wall        6   4 corners in the plane of x and z, then root and mouth of the
///                                    wall; for boxes that turn about y only (touch_wall.hpp)
///
/// Either order of the shapes will do: exchanging them turns `normal` round and leaves the rest.
///
/// Point of action: the deepest point of the first shape as listed above, p = r − R n for a sphere
/// (Gonthier 2004 (27)); half-way between the two surfaces for two shapes of one kind.
///
/// The rate of `gap` is n·(v_A − v_B) with both velocities taken at `point`, whatever the motion.

#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "bristle/shape/shape.hpp"

namespace bristle {

/// World frame.
struct Touch {
  Vector3 point;      ///< where the force acts
  Vector3 normal;     ///< unit; from B's surface towards A: pushes A
  double gap = 0;     ///< > 0 apart, < 0 depth of penetration
  Vector3 reference;  ///< unit, never along `normal`: the tangent basis is measured from it
};

/// The most candidates any pair has.
inline constexpr int max_touches = 8;

/// Writes the candidates of the pair and says how many; 0 for a pair that is not supported. `out`
/// must have room for touch_count(a, b).
int touches(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
            std::span<Touch> out) noexcept;

/// 0: the pair is not supported.
int touch_count(const Shape& a, const Shape& b) noexcept;

/// "sphere – half-space", …: for messages.
std::vector<std::string> supported_pairs();

/// Right-handed with the normal: e1 × e2 = n.
struct TangentBasis {
  Vector3 e1, e2;
};
/// e1 is the reference projected on the tangent plane, e2 = n × e1. A reference along n, which no
/// `Touch` has, gives some basis rather than NaN.
inline TangentBasis tangent_basis(const Vector3& normal, const Vector3& reference) noexcept {
  Vector3 e1 = reference - reference.dot(normal) * normal;
  double square = e1.squaredNorm();
  if (!(square > 1e-20)) {
    const Vector3 other = std::abs(normal.x()) < 0.7 ? Vector3::UnitX() : Vector3::UnitY();
    e1 = other - other.dot(normal) * normal;
    square = e1.squaredNorm();
  }
  e1 /= std::sqrt(square);
  return {e1, normal.cross(e1)};
}

/// The same contact with A and B exchanged.
inline Touch flipped(const Touch& touch) noexcept {
  return {touch.point, -touch.normal, touch.gap, touch.reference};
}

}  // namespace bristle
