// Two spheres, and a sphere in a bore.

#include <array>
#include <cmath>
#include <numbers>

#include "axial_frame.hpp"
#include "bristle/shape/overlap_pairs.hpp"
#include "overlap_face.hpp"
#include "quadrature.hpp"
#include "sphere_cap.hpp"

namespace bristle {

// With D the distance of the centres and δ = R_a + R_b − D, the plane of the common circle cuts a
// cap of the depth δ (2 R_b − δ)/2D from A, and likewise from B.
std::optional<Overlap> overlap_spheres(const Sphere& a, const Pose& pose_a, const Sphere& b,
                                       const Pose& pose_b) noexcept {
  const Vector3 between = pose_b.position - pose_a.position;
  const double distance = between.norm(), depth = a.radius + b.radius - distance;
  if (!(depth > 0)) return std::nullopt;
  if (distance <= std::abs(a.radius - b.radius)) {
    return a.radius < b.radius ? detail::swallowed(a, pose_a, 2 * a.radius)
                               : detail::swallowed(b, pose_b, 2 * b.radius);
  }
  const Vector3 n = between / distance;
  const double depth_a = depth * (2 * b.radius - depth) / (2 * distance);
  const double depth_b = depth * (2 * a.radius - depth) / (2 * distance);
  const detail::SphereCap of_a(a.radius, depth_a), of_b(b.radius, depth_b);
  Overlap overlap;
  Moments& m = overlap.moments;
  m.about = pose_a.position + (a.radius - depth_a) * n;
  m.volume = of_a.volume + of_b.volume;
  if (!(m.volume > 0)) return std::nullopt;
  m.first = (of_a.first - of_b.first) * n;
  const double across = of_a.across + of_b.across, along = of_a.second + of_b.second;
  m.second = across * Matrix3::Identity() + (along - across) * n * n.transpose();
  overlap.vector_area = of_a.area * n;
  overlap.wetted_area = of_a.surface + of_b.surface;
  overlap.depth = depth;
  return overlap;
}

namespace {

// ---- sphere in bore -----------------------------------------------------------------------------
//
// Polar coordinates (r, φ, z) of the bore, φ from the side where the sphere is; R its radius, e its
// offset, R_b the bore's radius, δ = e + R − R_b. The wall meets the sphere in the curve
//
//   z_m(φ)² = δ (2R − δ) − 4 e R_b sin²(φ/2),
//
// and above the wall at (φ, z) the sphere reaches the height t beyond R_b, with
//
//   t² + 2 b t = z_m² − z²,   b = R_b − e cos φ.
//
// Across the wall the integrals are polynomials in t; two quadratures remain. b ≥ 0 as long as the
// centre of the sphere is within the hole.

/// First what is watched.
enum Sum : std::size_t { volume_, xx_, yy_, zz_, x_, sphere_, sums_ };
using Sums = detail::Sums<sums_>;

struct SphereInBore {
  double radius, bore, offset;
  double top;     ///< δ (2R − δ), the square of z_m(0)
  double widest;  ///< the end of φ; π where the sphere touches all round
  bool all_round;

  SphereInBore(double r, double rb, double e) noexcept : radius(r), bore(rb), offset(e) {
    const double depth = e + r - rb;
    top = depth * (2 * r - depth);
    const double sine = top / (4 * e * rb);  // of φ/2, squared
    all_round = !(sine < 1);
    widest = all_round ? std::numbers::pi : 2 * std::asin(std::sqrt(sine));
  }
  double curve_squared(double phi) const noexcept {
    const double sine = std::sin(0.5 * phi);
    return std::fmax(top - 4 * offset * bore * sine * sine, 0);
  }
  /// The integrals over the ray sector at φ, for z ≥ 0, about the point of the wall at φ = 0.
  Sums sector(double phi) const noexcept {
    const double square = curve_squared(phi), sine = std::sin(phi), cosine = std::cos(phi);
    const double half = std::sin(0.5 * phi), back = 2 * bore * half * half;
    const double b = bore - offset * cosine, root2 = b * b + square;
    detail::Integrator<sums_, x_> sum;
    const auto column = [&](double z) noexcept {
      const double left = square - z * z, root = std::sqrt(std::fmax(root2 - z * z, 0));
      const double t = left / (b + root);
      const double i0 = t * (bore + t / 2), i1 = t * t * (bore / 2 + t / 3),
                   i2 = t * t * t * (bore / 3 + t / 4);
      Sums f{};
      f[volume_] = i0;
      f[x_] = cosine * i1 - back * i0;
      f[xx_] = cosine * cosine * i2 - 2 * cosine * back * i1 + back * back * i0;
      f[yy_] = sine * sine * (bore * bore * i0 + 2 * bore * i1 + i2);
      f[zz_] = z * z * i0;
      f[sphere_] = radius * (bore + t) / std::fmax(root, 1e-9 * radius);
      return f;
    };
    const double end = std::sqrt(square), branch = std::sqrt(root2);
    if (branch > 1.2 * end) {
      sum.add_smooth(column, 0, end);
    } else {
      sum.add(column, 0, end, std::array<double, 2>{-branch, branch});
    }
    return sum.total;
  }
};

/// The wall inside the sphere, its area and its vector area, which is along x: 2 z_m wide at φ.
struct WallPatch {
  double projected = 0, area = 0;

  explicit WallPatch(const SphereInBore& pair) noexcept {
    detail::Integrator<2, 1> sum;
    const auto strip = [&](double phi) noexcept {
      const double width = 4 * pair.bore * std::sqrt(pair.curve_squared(phi));
      return detail::Sums<2>{width, width * std::cos(phi)};
    };
    const std::array<double, 2> branches{-pair.widest, pair.widest};
    sum.add(strip, 0, pair.widest, std::span(branches).first(pair.all_round ? 0 : 2));
    area = sum.total[0];
    projected = sum.total[1];
  }
};

/// The centre of the sphere lies beyond the wall: all of the sphere but what is in the hole.
std::optional<Overlap> mostly_inside(const Sphere& sphere, const Pose& pose, const Bore& bore,
                                     const Pose& pose_bore, const detail::AxialFrame& frame,
                                     double depth) noexcept {
  const Cylinder hole{bore.radius, 4 * sphere.radius};
  const Pose level{frame.point({0, 0, frame.along}), pose_bore.rotation};
  const std::optional<Overlap> rest = overlap_cylinder(sphere, pose, hole, level);
  Overlap overlap = detail::swallowed(sphere, pose, 2 * sphere.radius);
  if (!rest) return overlap;
  const Vector3 wall = frame.point({bore.radius, 0, frame.along});
  const Moments whole = moved(overlap.moments, wall), gap = moved(rest->moments, wall);
  overlap.moments = {wall, whole.volume - gap.volume, whole.first - gap.first,
                     whole.second - gap.second};
  overlap.vector_area = -rest->vector_area;
  overlap.wetted_area += rest->wetted_area;
  overlap.depth = std::fmin(depth, 2 * sphere.radius);
  return overlap;
}

}  // namespace

std::optional<Overlap> overlap_bore(const Sphere& sphere, const Pose& pose, const Bore& bore,
                                    const Pose& pose_bore) noexcept {
  const detail::AxialFrame frame(pose_bore, pose.position);
  const double depth = frame.offset + sphere.radius - bore.radius;
  if (!(depth > 0)) return std::nullopt;
  const SphereInBore pair(sphere.radius, bore.radius, frame.offset);
  const double half = std::sin(0.5 * pair.widest);
  const double extent = pair.all_round ? 2 * sphere.radius : depth + 2 * bore.radius * half * half;
  if (frame.offset > bore.radius) {
    return mostly_inside(sphere, pose, bore, pose_bore, frame, extent);
  }
  detail::Integrator<sums_, x_> sum;
  const std::array<double, 2> branches{-pair.widest, pair.widest};
  sum.add([&](double phi) noexcept { return pair.sector(phi); }, 0, pair.widest,
          std::span(branches).first(pair.all_round ? 0 : 2));
  Sums& f = sum.total;
  for (double& value : f) value *= 4;  // φ < 0, z < 0
  if (!(f[volume_] > 0)) return std::nullopt;

  Overlap overlap;
  Moments local{{bore.radius, 0, frame.along}, f[volume_], {f[x_], 0, 0}, Matrix3::Zero()};
  local.second.diagonal() << f[xx_], f[yy_], f[zz_];
  overlap.moments = frame.placed(local);
  const WallPatch wall(pair);
  overlap.vector_area = frame.direction({wall.projected, 0, 0});
  overlap.wetted_area = wall.area + f[sphere_];
  overlap.depth = extent;
  return overlap;
}

}  // namespace bristle
