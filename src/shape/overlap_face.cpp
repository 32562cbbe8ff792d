#include "overlap_face.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "bristle/shape/mass_properties.hpp"
#include "bristle/shape/mesh.hpp"

namespace bristle::detail {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double endless = std::numeric_limits<double>::infinity();

struct SurfaceArea {
  double operator()(const Sphere& s) const noexcept { return 4 * pi * s.radius * s.radius; }
  double operator()(const HalfSpace&) const noexcept { return endless; }
  double operator()(const Bore&) const noexcept { return endless; }
  double operator()(const Wall&) const noexcept { return endless; }
  double operator()(const Cylinder& c) const noexcept {
    return 2 * pi * c.radius * (c.radius + c.length);
  }
  double operator()(const Box& b) const noexcept {
    const Vector3& s = b.size;
    return 2 * (s.x() * s.y() + s.y() * s.z() + s.z() * s.x());
  }
  double operator()(const Capsule& c) const noexcept {
    return 2 * pi * c.radius * (2 * c.radius + c.length);
  }
  double operator()(const Point&) const noexcept { return 0; }
  double operator()(const Ellipsoid& e) const noexcept {
    return 4 * pi * e.radii.prod() / e.radii.minCoeff();
  }
  double operator()(const Cone& c) const noexcept {
    return pi * c.radius * (c.radius + std::hypot(c.radius, c.length));
  }
  double operator()(const MeshShape& m) const noexcept { return m.mesh->area(); }
};

}  // namespace

double surface_area(const Shape& shape) noexcept { return std::visit(SurfaceArea{}, shape); }

double height_over(const Pose& half_space, const Vector3& point) noexcept {
  return axis_z(half_space).dot(point - half_space.position);
}

FaceFrame face_below(const Vector3& point, const Pose& half_space) noexcept {
  FaceFrame frame;
  frame.axes << axis_x(half_space), axis_y(half_space), axis_z(half_space);
  frame.origin = point - height_over(half_space, point) * frame.axes.col(2);
  return frame;
}

Overlap laid_out(const Immersed& part, const FaceFrame& frame) noexcept {
  const Vector3 shift(part.first.x() / part.volume, part.first.y() / part.volume, 0);
  const Moments local = moved({Vector3::Zero(), part.volume, part.first, part.second}, shift);
  Overlap overlap;
  overlap.moments.about = frame.origin + frame.axes * shift;
  overlap.moments.volume = part.volume;
  overlap.moments.first = part.first.z() * frame.axes.col(2);
  overlap.moments.second = frame.axes * local.second * frame.axes.transpose();
  overlap.vector_area = -part.area * frame.axes.col(2);
  overlap.wetted_area = part.wetted + part.area;
  overlap.depth = part.depth;
  return overlap;
}

Overlap swallowed(const Shape& shape, const Pose& pose, double depth) noexcept {
  // ∫x² = (I_yy + I_zz − I_xx)/2, and so on.
  const Vector3 gyration = squared_gyration_radii(shape);
  const Vector3 squares = Vector3::Constant(0.5 * gyration.sum()) - gyration;
  Overlap overlap;
  Moments own{center_of_mass(shape), volume(shape), Vector3::Zero(), Matrix3::Zero()};
  own.second.diagonal() = own.volume * squares;
  overlap.moments = placed(own, pose);
  overlap.wetted_area = surface_area(shape);
  overlap.depth = depth;
  return overlap;
}

}  // namespace bristle::detail
