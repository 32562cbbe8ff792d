#pragma once

// From the curve and the inside vertices to the connected pieces of the common volume and their
// integrals. Not installed.

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "bristle/shape/mesh_pair.hpp"
#include "pair_curve.hpp"
#include "pair_inside.hpp"

namespace bristle::pair_detail {

/// A closed surface that hangs together: the skin of a piece of the common volume, or of a void in
/// one. Sums over its triangles (a, b, c), relative to the origin, A's frame; d = a·(b × c):
///   V = Σ d/6,  ∫r = Σ d/24 s,  ∫r rᵀ = Σ d/120 (s sᵀ + a aᵀ + b bᵀ + c cᵀ),  s = a + b + c.
struct Skin {
  Vector3 origin = Vector3::Zero();
  double d = 0;
  Vector3 ds = Vector3::Zero();
  std::array<double, 6> dss{};                  ///< xx, yy, zz, xy, xz, yz
  Vector3 twice_vector_area = Vector3::Zero();  ///< of A's part
  double twice_area = 0;
  /// The first pair of triangles it meets: gives patches their order.
  std::uint64_t key = std::numeric_limits<std::uint64_t>::max();
  int host = -1;  ///< for a void: the skin around it; else itself, or −1: nothing
  int patch = -1;
  int apex_triangle = -1;  ///< see Patches::visit
  Vector3 apex = Vector3::Zero();
};

class Patches {
 public:
  Patches(Body& a, Body& b, int crossings);
  void grow(int crossings);

  std::span<const Overlap> find(const Curve& curve, const Inside& inside, const Pose& a) noexcept;
  void clear() noexcept { count_ = 0; }
  std::span<const Overlap> overlaps() const noexcept {
    return {overlaps_.data(), static_cast<std::size_t>(count_)};
  }
  std::span<const MeshPairSegment> segments(const Curve& curve, const Pose& a) noexcept;

 private:
  Body& body(int i) noexcept { return i == 0 ? a_ : b_; }
  int root(int i) noexcept;
  void join(int i, int j) noexcept;
  void join_edge(const Curve& curve, int body, int edge) noexcept;
  void number_skins(const Curve& curve, const Inside& inside) noexcept;
  int add_skin(int element, const Vector3& origin) noexcept;
  Skin& skin_of_crossing(int c) noexcept { return at(skins_, at(skin_, c)); }
  Skin& skin_of_component(int c) noexcept { return at(skins_, at(skin_, crossings_ + c)); }

  /// Calls add(skin, q, x, y, n) for triangles that together are each skin, n the unit normal of
  /// the mesh's triangle they lie in.
  template <class Add>
  void visit(const Curve& curve, const Inside& inside, Add&& add) noexcept;
  template <class Add>
  void visit_touched(const Curve& curve, int body, int triangle, Add&& add) noexcept;
  template <class Add>
  void visit_side(const Curve& curve, Body& own, int link, Add&& add) noexcept;

  void integrate(const Curve& curve, const Inside& inside) noexcept;
  void house_voids(const Curve& curve, const Inside& inside) noexcept;
  int host(int skin, const Curve& curve, const Inside& inside) noexcept;
  void write(const Curve& curve, const Inside& inside, const Pose& a) noexcept;
  void measure(const Curve& curve, const Inside& inside) noexcept;

  Body& a_;
  Body& b_;
  int crossings_ = 0;  ///< of this step: elements of the union are crossings, then components
  std::vector<int> parent_{}, skin_{};
  std::vector<Skin> skins_{};
  std::vector<double> winding_{};
  std::vector<int> sorted_{};
  int skin_count_ = 0;
  struct Extent {
    Vector3 normal = Vector3::Zero(), about = Vector3::Zero();
    double low = 0, high = 0, height = 0, turn = 0;
  };
  std::vector<Extent> extents_{};
  std::vector<Overlap> overlaps_{};
  std::vector<MeshPairSegment> segments_{};
  int count_ = 0;
};

}  // namespace bristle::pair_detail
