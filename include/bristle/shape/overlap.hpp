#pragma once

/// What two undeformed solids share: the ground of volumetric contact (Gonthier 2007, Boos 2011
/// ch. 2). A finder gives the integrals over each connected piece of the common volume (`Overlap`);
/// everything a contact law wants to know follows from them (`Patch`).

#include <span>

#include "bristle/shape/pose.hpp"

namespace bristle {

/// ∫1, ∫r and ∫r rᵀ over a solid, r = x − about.
struct Moments {
  Vector3 about = Vector3::Zero();
  double volume = 0;
  Vector3 first = Vector3::Zero();
  Matrix3 second = Matrix3::Zero();

  Vector3 centroid() const noexcept { return about + first / volume; }
  /// ∫ (x − c)(x − c)ᵀ with c the centroid.
  Matrix3 central() const noexcept { return second - first * first.transpose() / volume; }
};
/// The same solid, seen from another origin.
Moments moved(const Moments& moments, const Vector3& about) noexcept;
/// The solid in the world, of one given in the frame of a pose.
Moments placed(const Moments& moments, const Pose& pose) noexcept;

/// One connected piece of the common volume of A and B, world frame.
struct Overlap {
  Moments moments{};
  /// S = ∫ N dS over the part of A's surface inside B, N outwards: it points from A into B. The
  /// same part of B's surface has −S, since both end in one curve, and S = ∂V/∂(position of B) ·
  /// (−1) is what makes V smooth. Its length is the area of the contact seen along it.
  Vector3 vector_area = Vector3::Zero();
  /// All of the surface of A inside B and of B inside A, unsigned: what |S| is compared with. A
  /// body through or inside another has S = 0 and no direction.
  double wetted_area = 0;
  /// Where the reference surface lies: n·(x − moments.about) of its points, n = S/|S|. It is the
  /// face of a half-space, the plane of the circle two spheres share, the tangent plane of a bore
  /// under the deepest point, that of a cylinder under a sphere's centre; for boxes and meshes the
  /// mean height of the curve in which the surfaces meet, weighted by the angle under which the
  /// centroid sees it.
  double surface_height = 0;
  /// Extent of the volume along n; the depth of penetration where one of the surfaces is flat.
  double depth = 0;
};

/// What a contact law asks of a contact, world frame.
struct Patch {
  double volume = 0;
  double area = 0;        ///< A = |S|
  double mean_depth = 0;  ///< h_V = V / A
  double depth = 0;
  double r_gyr = 0;                            ///< radius of gyration about n through p_c
  Vector3 volume_centroid = Vector3::Zero();   ///< p_c
  Vector3 surface_centroid = Vector3::Zero();  ///< s_c, the centre of pressure
  Vector3 normal = Vector3::Zero();            ///< from A to B, unit
  /// Inertia-like tensors ∫ (ρ·ρ) I − ρ ρᵀ: J_V over the volume about p_c; J_s over the reference
  /// surface about p_c, weighted with the depth; M over the reference surface about s_c, in the
  /// plane. M is the tensor of rolling resistance of a bed of springs; the two others, the papers'
  /// choices, add M_nn and h² V to it.
  Matrix3 J_V = Matrix3::Zero(), J_s = Matrix3::Zero(), M = Matrix3::Zero();
  /// False where the vector area vanishes (one body inside or right through the other): there is no
  /// direction to push in, and `normal` is the one that was handed in.
  bool directed = true;
};

/// |S| below this part of the wetted area is rounding, not a direction.
inline constexpr double least_directed = 1e-6;

/// `last_normal` is kept where the overlap itself has no direction.
Patch make_patch(const Overlap& overlap, const Vector3& last_normal = Vector3::Zero()) noexcept;

/// Two deformable bodies (Boos 2.17–2.18): moves s_c to
///   s_c = p_c + (k_a − k_b)/(k_a + k_b) · h_V/2 · n
/// and J_s with it. Exact for a slab; for k_b ≫ k_a the contact lies on B's surface.
void share_deformation(Patch& patch, double k_a, double k_b) noexcept;

/// Several pieces as one: integrals added, the reference surface at the mean of theirs weighted
/// with their areas, the greatest depth. At least one piece.
Overlap together(std::span<const Overlap> pieces) noexcept;

/// The same contact seen along another normal n: S is projected on it, and s_c lies where the line
/// through p_c along n meets the reference surface. n must not lie in that surface.
Overlap seen_along(const Overlap& overlap, const Vector3& normal) noexcept;

/// The papers' normal: the eigenvector of J_V nearest to the present one. It is γ/2 off the face's
/// normal for a wedge of angle γ.
Vector3 eigen_normal(const Patch& patch) noexcept;

}  // namespace bristle
