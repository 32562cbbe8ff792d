// Cylinder, cone and capsule against a half-space, in every pose.
//
// A slice across the body's axis a is a disc, and the face cuts it by a line: a segment, whose
// moments are known (disc_segment.hpp). What remains is one integral along the axis. Let n be the
// outward normal of the face, k = a·n, s = |a × n|, and e1 the direction in the face with
//
//   a = k n − s e1.
//
// The lowest point of the slice is its centre − ρ (s n + k e1); u runs from there up the slice, so
// that a point lies at e1 = x + k u and at the depth τ = τ_low − s u. Depths are measured from the
// face, lengths along the axis from the end that is deeper, and angles on the round ends of a
// capsule from their lowest point: all are small in a shallow contact and none a difference.
//
// The cut has the area A = −∫ n·N over the wetted surface:
//
//   A = k (area of the slice at one end − at the other) + ∫ (s chord + 2 k ρ ρ' β) dz
//
// with β the half-angle of the wetted arc. It needs no division by s or k, which both may vanish.

#include <array>
#include <cmath>
#include <numbers>

#include "bristle/shape/overlap_pairs.hpp"
#include "disc_segment.hpp"
#include "overlap_face.hpp"
#include "quadrature.hpp"

namespace bristle {
namespace {

using detail::DiscSegment;

/// First what is not negative and is watched by the quadrature; `skin_` is the wetted side with s
/// times the chords.
enum Sum : std::size_t { volume_, xx_, dd_, yy_, skin_, x_, d_, xd_, area_, chord_, sums_ };
using Sums = detail::Sums<sums_>;
using Integrator = detail::Integrator<sums_, x_>;

/// A slice of the body across its axis.
struct Slice {
  double x = 0, depth = 0;  ///< of its lowest point
  double radius = 0;
  double flare = 0;  ///< ρ dρ/dz
  double side = 0;   ///< surface of the side per length of axis and angle
};

/// The pose of an axis over a face.
struct Lean {
  double s, k;
  double height;  ///< of the body's origin
  detail::FaceFrame frame;

  Lean(const Pose& pose, const Pose& half_space) noexcept
      : height(detail::height_over(half_space, pose.position)),
        frame(detail::face_below(pose.position, half_space)) {
    const Vector3 a = axis_z(pose), n = frame.axes.col(2);
    const Vector3 c = a.cross(n);
    s = c.norm();
    k = a.dot(n);
    if (s < 1e-15) return;  // upright: any direction will do
    Vector3 e2 = c / s;
    e2 = (e2 - e2.dot(n) * n).normalized();
    frame.axes.col(0) = e2.cross(n);
    frame.axes.col(1) = e2;
  }

  DiscSegment cut(const Slice& slice) const noexcept {
    const double whole = 2 * slice.radius;
    const bool under = slice.depth >= s * whole;
    return detail::disc_segment(slice.radius, under ? whole : slice.depth / s);
  }

  /// The integrands at a slice, per length of axis.
  Sums sums(const Slice& slice) const noexcept {
    Sums f{};
    if (!(slice.depth > 0)) return f;
    const DiscSegment g = cut(slice);
    const double x = slice.x, d = slice.depth;
    f[volume_] = g.area;
    f[x_] = x * g.area + k * g.u;
    f[d_] = d * g.area - s * g.u;
    f[xx_] = x * x * g.area + 2 * x * k * g.u + k * k * g.uu;
    f[xd_] = x * d * g.area + (k * d - s * x) * g.u - s * k * g.uu;
    f[dd_] = d * d * g.area - 2 * d * s * g.u + s * s * g.uu;
    f[yy_] = g.vv;
    f[chord_] = s * g.chord;
    f[skin_] = 2 * g.half_angle * slice.side + f[chord_];
    f[area_] = 2 * k * slice.flare * g.half_angle + f[chord_];
    return f;
  }
};

/// A straight stretch of the profile: the slice at the deeper end, and how it changes from there.
struct Stretch {
  Slice deep{};
  double length;
  double dx, fall, widening;  ///< per length: of x, of −depth (≥ 0), of the radius

  /// From z0 to z1 > z0, radii r0 and r1; x is counted from `origin`.
  Stretch(const Lean& lean, double z0, double r0, double z1, double r1, double origin) noexcept
      : length(z1 - z0) {
    const double slope = (r1 - r0) / length, rise = lean.k - lean.s * slope;
    const double way = rise < 0 ? -1 : 1;
    const double z = rise < 0 ? z1 : z0, r = rise < 0 ? r1 : r0;
    deep = {-lean.s * z - lean.k * r - origin, -(lean.height + lean.k * z - lean.s * r), r, 0, 0};
    deep.flare = slope;  // times the radius, at each slice
    deep.side = std::hypot(1, slope);
    dx = -way * (lean.s + lean.k * slope);
    fall = std::abs(rise);
    widening = way * slope;
  }
  Slice at(double z) const noexcept {
    const double r = std::fmax(deep.radius + widening * z, 0);
    return {deep.x + dx * z, deep.depth - fall * z, r, r * deep.flare, r * deep.side};
  }
  void add_to(Integrator& sum, const Lean& lean) const noexcept {
    // Where the lowest and the highest line of the side come out of the face.
    const double low = deep.depth / fall;
    const double high = (deep.depth - 2 * lean.s * deep.radius) / (fall + 2 * lean.s * widening);
    const std::array<double, 2> branches{low, high};
    sum.add([&](double z) noexcept { return lean.sums(at(z)); }, 0, length, branches);
  }
};

/// A round end: the half of a sphere beyond the plane across the axis through its centre. A slice
/// at the latitude λ has its lowest point at the angle y = λ + χ from the lowest of the sphere,
/// sin χ = k, cos χ = s.
void add_round_end(Integrator& sum, const Lean& lean, double radius, double z, bool upper,
                   double origin) noexcept {
  const double depth = radius - (lean.height + lean.k * z);
  if (!(depth > 0)) return;
  const double chi = std::atan2(lean.k, lean.s), pi = std::numbers::pi;
  const double x = -lean.s * z - origin;
  const auto slice = [&](double y) noexcept {
    const double half = std::sin(0.5 * y), latitude = y - chi;
    const double cosine = std::fmax(std::cos(latitude), 0);
    const Slice at{x - radius * std::sin(y), depth - 2 * radius * half * half, radius * cosine,
                   -radius * std::sin(latitude), radius};
    Sums f = lean.sums(at);
    for (double& value : f) value *= radius * cosine;  // dz = R cos λ dλ
    return f;
  };
  // The lowest point of a slice is under the face within ± out, the highest beyond ± in.
  std::array<double, 4> branches{};
  std::size_t count = 0;
  if (depth < 2 * radius) {
    const double out = 2 * std::asin(std::sqrt(depth / (2 * radius))), in = pi - out;
    branches = {-out, out, 2 * chi - in, 2 * chi + in};
    count = 4;
  }
  const double from = upper ? chi : chi - pi / 2;
  sum.add(slice, from, from + pi / 2, std::span(branches).first(count));
}

/// `start` and `end`: the flat ends at −z and +z, if any.
std::optional<Overlap> finish(Integrator& sum, const Lean& lean, const Slice& start,
                              const Slice& end, double origin, double depth) noexcept {
  Sums& f = sum.total;
  if (!(f[volume_] > 0)) return std::nullopt;
  const auto flat = [&](const Slice& slice) noexcept {
    return slice.depth > 0 ? lean.cut(slice).area : 0;
  };
  const double at_start = flat(start), at_end = flat(end);
  detail::Immersed part;
  part.volume = f[volume_];
  part.first = {f[x_], 0, -f[d_]};
  part.second << f[xx_], 0, -f[xd_], 0, f[yy_], 0, -f[xd_], 0, f[dd_];
  part.area = std::fmax(f[area_] + lean.k * (at_start - at_end), 0);
  part.wetted = f[skin_] - f[chord_] + at_start + at_end;
  part.depth = depth;
  detail::FaceFrame frame = lean.frame;
  frame.origin += origin * frame.axes.col(0);
  return detail::laid_out(part, frame);
}

/// A cylinder or a cone.
std::optional<Overlap> frustum(const Shape& shape, const Pose& pose, const Pose& half_space,
                               double length, double radius_start, double radius_end) noexcept {
  const Lean lean(pose, half_space);
  const double z = 0.5 * length;
  const auto depth = [&](double at, double radius) {
    return -(lean.height + lean.k * at - lean.s * radius);
  };
  const double start = depth(-z, radius_start), end = depth(z, radius_end);
  const double deepest = std::fmax(start, end);
  if (!(deepest > 0)) return std::nullopt;
  const double highest = std::fmin(depth(-z, -radius_start), depth(z, -radius_end));
  if (highest >= 0) return detail::swallowed(shape, pose, deepest - highest);

  const double origin =
      start > end ? lean.s * z - lean.k * radius_start : -lean.s * z - lean.k * radius_end;
  Integrator sum;
  Stretch(lean, -z, radius_start, z, radius_end, origin).add_to(sum, lean);
  return finish(sum, lean, {0, start, radius_start, 0, 0}, {0, end, radius_end, 0, 0}, origin,
                deepest);
}

}  // namespace

std::optional<Overlap> overlap_half_space(const Cylinder& cylinder, const Pose& pose,
                                          const Pose& half_space) noexcept {
  return frustum(cylinder, pose, half_space, cylinder.length, cylinder.radius, cylinder.radius);
}

std::optional<Overlap> overlap_half_space(const Cone& cone, const Pose& pose,
                                          const Pose& half_space) noexcept {
  return frustum(cone, pose, half_space, cone.length, cone.radius, 0);
}

std::optional<Overlap> overlap_half_space(const Capsule& capsule, const Pose& pose,
                                          const Pose& half_space) noexcept {
  const Lean lean(pose, half_space);
  const double z = 0.5 * capsule.length, r = capsule.radius;
  const double rise = std::abs(lean.k) * z;
  const double deepest = r - (lean.height - rise), highest = -(lean.height + rise + r);
  if (!(deepest > 0)) return std::nullopt;
  if (highest >= 0) return detail::swallowed(capsule, pose, deepest - highest);
  const double origin = lean.k > 0 ? lean.s * z : -lean.s * z;
  Integrator sum;
  add_round_end(sum, lean, r, -z, false, origin);
  Stretch(lean, -z, r, z, r, origin).add_to(sum, lean);
  add_round_end(sum, lean, r, z, true, origin);
  return finish(sum, lean, {}, {}, origin, deepest);
}

}  // namespace bristle
