#include "bristle/shape/overlap.hpp"

#include <cmath>

#include <Eigen/Eigenvalues>

namespace bristle {
namespace {

/// (tr C) I − C, from ∫ρρᵀ to the tensor that turns an angular velocity into a moment.
Matrix3 inertia_like(const Matrix3& c) noexcept { return c.trace() * Matrix3::Identity() - c; }

/// s_c at height h beyond p_c along n: J_s = [the planar part of C] + h² V across n.
void set_surface(Patch& patch, const Matrix3& in_plane, double h) noexcept {
  const Vector3& n = patch.normal;
  const Matrix3 across = Matrix3::Identity() - n * n.transpose();
  patch.surface_centroid = patch.volume_centroid + h * n;
  patch.J_s = inertia_like(in_plane) + h * h * patch.volume * across;
}

/// The direction of S; none where S vanishes.
Vector3 direction(const Overlap& overlap) noexcept {
  const double size = overlap.vector_area.norm();
  return size > 0 ? Vector3(overlap.vector_area / size) : Vector3(Vector3::Zero());
}

}  // namespace

Moments moved(const Moments& m, const Vector3& about) noexcept {
  const Vector3 d = m.about - about;  // r' = r + d
  Moments out{about, m.volume, m.first + m.volume * d, {}};
  out.second =
      m.second + m.first * d.transpose() + d * m.first.transpose() + m.volume * d * d.transpose();
  return out;
}

Moments placed(const Moments& m, const Pose& pose) noexcept {
  const Matrix3 r = pose.rotation.toRotationMatrix();
  return {apply(pose, m.about), m.volume, r * m.first, r * m.second * r.transpose()};
}

Patch make_patch(const Overlap& overlap, const Vector3& last_normal) noexcept {
  Patch patch;
  const Moments& m = overlap.moments;
  const double size = overlap.vector_area.norm();
  patch.directed = size > least_directed * overlap.wetted_area;
  patch.normal = patch.directed ? Vector3(overlap.vector_area / size) : last_normal;
  patch.volume = m.volume;
  patch.area = size;
  patch.depth = overlap.depth;
  patch.mean_depth = patch.directed ? m.volume / size : 0;
  patch.volume_centroid = m.centroid();

  const Vector3& n = patch.normal;
  const Matrix3 central = m.central();
  const Matrix3 across = Matrix3::Identity() - n * n.transpose();
  const Matrix3 in_plane = across * central * across;
  patch.J_V = inertia_like(central);
  patch.M = in_plane.trace() * across - in_plane;
  patch.r_gyr = std::sqrt(std::fmax(n.dot(patch.J_V * n), 0) / m.volume);
  const double h = patch.directed ? overlap.surface_height - n.dot(m.first) / m.volume : 0;
  set_surface(patch, in_plane, h);
  return patch;
}

Overlap together(std::span<const Overlap> pieces) noexcept {
  Overlap sum = pieces.front();
  double area = 0, height = 0;
  for (const Overlap& piece : pieces.subspan(1)) {
    const Moments m = moved(piece.moments, sum.moments.about);
    sum.moments.volume += m.volume;
    sum.moments.first += m.first;
    sum.moments.second += m.second;
    sum.vector_area += piece.vector_area;
    sum.wetted_area += piece.wetted_area;
    sum.depth = std::fmax(sum.depth, piece.depth);
  }
  const Vector3 n = direction(sum);
  for (const Overlap& piece : pieces) {
    const Vector3 on_surface =
        piece.moments.about + piece.surface_height * direction(piece) - sum.moments.about;
    area += piece.vector_area.norm();
    height += piece.vector_area.norm() * n.dot(on_surface);
  }
  if (area > 0) sum.surface_height = height / area;
  return sum;
}

Overlap seen_along(const Overlap& overlap, const Vector3& normal) noexcept {
  const Vector3 n = direction(overlap);
  const Vector3 centroid = overlap.moments.first / overlap.moments.volume;  // from `about`
  const double beyond = (overlap.surface_height - n.dot(centroid)) / n.dot(normal);
  Overlap seen = overlap;
  seen.vector_area = overlap.vector_area.dot(normal) * normal;
  seen.surface_height = normal.dot(centroid) + beyond;
  return seen;
}

void share_deformation(Patch& patch, double k_a, double k_b) noexcept {
  const Vector3& n = patch.normal;
  // M = tr(P) I_t − P in two dimensions, so tr(P) = tr(M).
  const Matrix3 in_plane = patch.M.trace() * (Matrix3::Identity() - n * n.transpose()) - patch.M;
  set_surface(patch, in_plane, (k_a - k_b) / (k_a + k_b) * patch.mean_depth / 2);
}

Vector3 eigen_normal(const Patch& patch) noexcept {
  const Eigen::SelfAdjointEigenSolver<Matrix3> solver(patch.J_V);
  Vector3 best = patch.normal;
  double most = -1;
  for (int i = 0; i < 3; ++i) {
    const Vector3 axis = solver.eigenvectors().col(i);
    const double along = axis.dot(patch.normal);
    if (std::abs(along) > most) {
      most = std::abs(along);
      best = along < 0 ? Vector3(-axis) : axis;
    }
  }
  return best;
}

}  // namespace bristle
