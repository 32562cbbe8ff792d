#pragma once

// Integrals over a piece of surface from which the cones to any point follow.

#include <span>

#include "mesh_detail.hpp"

namespace bristle::mesh_detail {

/// Symmetric matrices are stored as xx, yy, zz, xy, xz, yz.
using Six = std::array<double, 6>;

/// y = x − center, N the unit normal outwards.
struct SurfaceTensors {
  Vector3 center = Vector3::Zero();
  Vector3 n = Vector3::Zero();  ///< ∫ N dS
  std::array<Vector3, 3> ny{};  ///< ∫ N_i y dS
  std::array<Six, 3> nyy{};     ///< ∫ N_i y yᵀ dS
  Six yy{};                     ///< ∫ (y·N) y yᵀ dS
  double area = 0;              ///< ∫ dS

  static SurfaceTensors at(const Vector3& center) noexcept;
  void add(const Vector3& x0, const Vector3& x1, const Vector3& x2) noexcept;  ///< a triangle
  void add(const SurfaceTensors& other) noexcept;
};

/// 3V, 4∫r dV and 5∫r rᵀ dV of the cones from a point to a surface, ∫ N dS and ∫ dS.
struct ConeSums {
  double volume = 0;
  Vector3 first = Vector3::Zero();
  Six second{};
  Vector3 vector_area = Vector3::Zero();
  double area = 0;

  /// The cones from center − e.
  void add(const SurfaceTensors& t, const Vector3& e) noexcept;
};

}  // namespace bristle::mesh_detail
