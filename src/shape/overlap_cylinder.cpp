// A sphere against the side, the rim and the faces of a cylinder.
//
// A slice across the axis of the cylinder shows two discs: its own, of the radius r, and the
// sphere's, ρ(ζ) = √(R² − ζ²) with ζ from the centre of the sphere, e apart. What they share is a
// segment of either:
//
//   heights  (ρ² − (e − r)²)/2e  of the cylinder's,  (r² − (e − ρ)²)/2e  of the sphere's
//
// and 0 or all where one disc holds the other. The integral along ζ has branch points where that
// begins, at ρ = |e − r| and ρ = e + r, and at the poles of the sphere.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "axial_frame.hpp"
#include "bristle/shape/overlap_pairs.hpp"
#include "disc_segment.hpp"
#include "overlap_face.hpp"
#include "quadrature.hpp"

namespace bristle {
namespace {

using detail::DiscSegment;

/// First what is watched. `skin_` is the surface with the chords, which need not be small or right
/// to the last digit by themselves.
enum Sum : std::size_t { volume_, xx_, yy_, zz_, skin_, x_, z_, xz_, chord_, sums_ };
using Sums = detail::Sums<sums_>;

struct SphereAndCylinder {
  double sphere, cylinder, offset;  ///< R, r, e
  double low, high;                 ///< the range of ζ that may be common
  bool low_is_face, high_is_face;
  double x_about = 0, z_about = 0;  ///< the point of the cylinder nearest to the centre; ζ of it

  /// `face_low`, `face_high`: ζ of the faces.
  SphereAndCylinder(double R, double r, double e, double face_low, double face_high) noexcept
      : sphere(R), cylinder(r), offset(e) {
    const double end = e > r ? std::sqrt(std::fmax((R - (e - r)) * (R + (e - r)), 0)) : R;
    low_is_face = face_low > -end;
    high_is_face = face_high < end;
    low = low_is_face ? face_low : -end;
    high = high_is_face ? face_high : end;
    find_nearest(face_low, face_high);
  }
  void find_nearest(double face_low, double face_high) noexcept {
    x_about = std::fmin(offset, cylinder);
    z_about = std::clamp(0.0, face_low, face_high);
    if (offset > cylinder || z_about != 0) return;
    const double side = cylinder - offset, down = -face_low;
    if (side <= std::fmin(down, face_high)) {
      x_about = cylinder;
    } else {
      z_about = down < face_high ? face_low : face_high;
    }
  }
  bool empty() const noexcept { return !(high > low) || !(sphere > offset - cylinder); }

  struct Lens {
    DiscSegment of_cylinder, of_sphere;
    double x_sphere;  ///< of the vertex of the sphere's segment, from x_about
  };
  /// At ζ = low + up.
  Lens lens(double up) const noexcept {
    const double e = offset, r = cylinder, gap = e - r;
    // Sums of small numbers near either end of the range, where the sphere's or the common disc is
    // small.
    const double down = (high - low) - up;
    const auto product = [&](double root) noexcept {
      return ((root + low) + up) * ((root - high) + down);
    };
    const double rho = std::sqrt(std::fmax(product(sphere), 0));
    const double first =
        std::sqrt(std::fmax((sphere - std::abs(gap)) * (sphere + std::abs(gap)), 0));
    const double over = first > 0 ? product(first) : rho * rho - gap * gap;  // ρ² − (e − r)²
    const double common = gap > 0 ? over / (rho + gap) : rho - gap;          // r + ρ − e
    Lens lens{{}, {}, (r - x_about) - common};
    if (!(common > 0)) return lens;
    if (over <= 0) {  // the sphere's disc in the cylinder's
      lens.of_sphere = detail::disc_segment(rho, 2 * rho);
    } else if (rho >= e + r) {
      lens.of_cylinder = detail::disc_segment(r, 2 * r);
    } else {
      lens.of_cylinder = detail::disc_segment(r, over / (2 * e));
      lens.of_sphere = detail::disc_segment(rho, common * (r + e - rho) / (2 * e));
    }
    return lens;
  }
  double area(double up) const noexcept {
    const Lens l = lens(up);
    return l.of_cylinder.area + l.of_sphere.area;
  }
  Sums sums(double up) const noexcept {
    const Lens l = lens(up);
    const DiscSegment &c = l.of_cylinder, &s = l.of_sphere;
    const double xc = cylinder - x_about, xs = l.x_sphere, z = (low - z_about) + up;
    Sums f{};
    f[volume_] = c.area + s.area;
    f[x_] = xc * c.area - c.u + xs * s.area + s.u;
    f[xx_] = xc * xc * c.area - 2 * xc * c.u + c.uu + xs * xs * s.area + 2 * xs * s.u + s.uu;
    f[yy_] = c.vv + s.vv;
    f[z_] = z * f[volume_];
    f[zz_] = z * z * f[volume_];
    f[xz_] = z * f[x_];
    f[chord_] = c.chord;
    f[skin_] = c.chord + 2 * (c.half_angle * cylinder + s.half_angle * sphere);
    return f;
  }
  std::array<double, 6> branches() const noexcept {
    const auto place = [&](double radius) noexcept {
      return std::sqrt((sphere - radius) * (sphere + radius));  // NaN: none
    };
    const double first = place(std::abs(offset - cylinder)), second = place(offset + cylinder);
    return {-sphere - low, sphere - low, -first - low, first - low, -second - low, second - low};
  }

  /// max n·x over the common volume, n across y: there a rectangle and a disc of the plane y = 0.
  double support(double nx, double nz) const noexcept {
    const double face_low = low_is_face ? low : -2 * sphere;
    const double face_high = high_is_face ? high : 2 * sphere;
    const double slack = 1e-12 * (sphere + cylinder);
    double most = -std::numeric_limits<double>::infinity();
    const auto try_point = [&](double x, double z) noexcept {
      const bool in_disc = std::hypot(x - offset, z) <= sphere + slack;
      const bool in_rectangle =
          std::abs(x) <= cylinder + slack && z >= face_low - slack && z <= face_high + slack;
      if (in_disc && in_rectangle) most = std::fmax(most, nx * x + nz * z);
    };
    try_point(offset + sphere * nx, sphere * nz);
    for (const double x : {-cylinder, cylinder}) {
      const double z = std::sqrt((sphere - (x - offset)) * (sphere + (x - offset)));
      for (const double at : {face_low, face_high, -z, z}) try_point(x, at);
    }
    for (const double z : {face_low, face_high}) {
      const double x = std::sqrt((sphere - z) * (sphere + z));
      for (const double side : {-x, x}) try_point(offset + side, z);
    }
    return most;
  }
};

}  // namespace

std::optional<Overlap> overlap_cylinder(const Sphere& sphere, const Pose& pose,
                                        const Cylinder& cylinder,
                                        const Pose& pose_cylinder) noexcept {
  const detail::AxialFrame frame(pose_cylinder, pose.position);
  const double R = sphere.radius, r = cylinder.radius, e = frame.offset;
  const double face_low = -0.5 * cylinder.length - frame.along;
  const double face_high = 0.5 * cylinder.length - frame.along;
  const SphereAndCylinder pair(R, r, e, face_low, face_high);
  if (pair.empty()) return std::nullopt;
  if (e + R <= r && face_low <= -R && face_high >= R) return detail::swallowed(sphere, pose, 2 * R);
  if (std::hypot(e + r, std::fmax(-face_low, face_high)) <= R) {
    return detail::swallowed(cylinder, pose_cylinder, cylinder.length);
  }
  detail::Integrator<sums_, x_> sum;
  const std::array<double, 6> branches = pair.branches();
  sum.add([&](double up) noexcept { return pair.sums(up); }, 0, pair.high - pair.low, branches);
  const Sums& f = sum.total;
  if (!(f[volume_] > 0)) return std::nullopt;

  Overlap overlap;
  Moments local{{pair.x_about, 0, frame.along + pair.z_about},
                f[volume_],
                {f[x_], 0, f[z_]},
                Matrix3::Zero()};
  local.second << f[xx_], 0, f[xz_], 0, f[yy_], 0, f[xz_], 0, f[zz_];
  overlap.moments = frame.placed(local);
  // The cylinder's surface in the sphere: its side and its faces. The sphere's has the opposite.
  const double bottom = pair.low_is_face ? pair.area(0) : 0;
  const double top = pair.high_is_face ? pair.area(pair.high - pair.low) : 0;
  const Vector3 s(-f[chord_], 0, bottom - top);
  overlap.vector_area = frame.direction(s);
  overlap.wetted_area = f[skin_] - f[chord_] + bottom + top;
  if (!(s.norm() > least_directed * overlap.wetted_area)) return overlap;
  const Vector3 n = s.normalized();
  overlap.depth = pair.support(n.x(), n.z()) + pair.support(-n.x(), -n.z());
  return overlap;
}

}  // namespace bristle
