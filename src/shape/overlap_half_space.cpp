// Sphere and ellipsoid against a half-space.

#include <cmath>
#include <numbers>

#include "bristle/shape/overlap_pairs.hpp"
#include "overlap_face.hpp"
#include "sphere_cap.hpp"

namespace bristle {

std::optional<Overlap> overlap_half_space(const Sphere& sphere, const Pose& pose,
                                          const Pose& half_space) noexcept {
  const double d = sphere.radius - detail::height_over(half_space, pose.position);
  if (!(d > 0)) return std::nullopt;
  if (d >= 2 * sphere.radius) return detail::swallowed(sphere, pose, 2 * sphere.radius);
  const detail::SphereCap cap(sphere.radius, d);
  if (!(cap.volume > 0)) return std::nullopt;
  detail::Immersed part;
  part.volume = cap.volume;
  part.first.z() = -cap.first;
  part.second.diagonal() << cap.across, cap.across, cap.second;
  part.area = cap.area;
  part.wetted = cap.surface;
  part.depth = d;
  return detail::laid_out(part, detail::face_below(pose.position, half_space));
}

// x = D y takes the unit ball to the ellipsoid, D = diag(radii), and the half-space m·x ≤ c to
// (D m)·y ≤ c: a cap of the unit ball, of depth d/ℓ with ℓ = |D m| the distance from the centre to
// the tangent plane. Moments map with det D and D; the section, with normal g = D m/ℓ, to one of
// area det D/ℓ times its own, whose centre lies along p = D g. The cap's moments across g, I (1 −
// g gᵀ), become D (1 − g gᵀ) D, which has no part along m, since D m is along g.
std::optional<Overlap> overlap_half_space(const Ellipsoid& ellipsoid, const Pose& pose,
                                          const Pose& half_space) noexcept {
  const Vector3 m = rotate_inverse(pose, axis_z(half_space));
  const Vector3 stretched = ellipsoid.radii.cwiseProduct(m);
  const double l = stretched.norm(), d = l - detail::height_over(half_space, pose.position);
  if (!(d > 0)) return std::nullopt;
  if (d >= 2 * l) return detail::swallowed(ellipsoid, pose, 2 * l);
  const Vector3 g = stretched / l;
  const Vector3 p = rotate(pose, ellipsoid.radii.cwiseProduct(g));
  const detail::SphereCap cap(1, d / l);
  const double det = ellipsoid.radii.prod();
  if (!(cap.volume * det > 0)) return std::nullopt;

  const detail::FaceFrame frame = detail::face_below(pose.position - (l - d) / l * p, half_space);
  const Vector3 along(p.dot(frame.axes.col(0)), p.dot(frame.axes.col(1)), l);
  const auto across = [&](int i) -> Vector3 {
    const Vector3 e = ellipsoid.radii.cwiseProduct(rotate_inverse(pose, frame.axes.col(i)));
    return e - g.dot(e) * g;
  };
  const Vector3 u = across(0), v = across(1);
  detail::Immersed part;
  part.volume = det * cap.volume;
  part.first = -det * cap.first * along;
  part.second = cap.second * along * along.transpose();
  part.second(0, 0) += cap.across * u.dot(u);
  part.second(1, 1) += cap.across * v.dot(v);
  part.second(0, 1) += cap.across * u.dot(v);
  part.second(1, 0) = part.second(0, 1);
  part.second *= det;
  part.area = det / l * cap.area;
  part.wetted = det / ellipsoid.radii.minCoeff() * cap.surface;  // no element grows by more
  part.depth = d;
  return detail::laid_out(part, frame);
}

}  // namespace bristle
