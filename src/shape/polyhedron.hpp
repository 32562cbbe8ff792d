#pragma once

// A convex polyhedron of few faces that planes are cut from, without allocation. Vertices are
// shared between faces and each is on one side of a plane for all of them, so that it stays closed
// whatever rounding does to a plane that only grazes a face or an edge.

#include <array>
#include <cstdint>
#include <span>

#include "bristle/shape/overlap.hpp"

namespace bristle::detail {

/// Whose surface a face belongs to: the body's that was there first, the planes', or both, where a
/// plane is flush with a face.
enum class Owner : std::uint8_t { body, plane, both };

class Polyhedron {
 public:
  /// The box with a corner here and these edges from it, in any order.
  Polyhedron(const Vector3& corner, Vector3 x, const Vector3& y, const Vector3& z) noexcept;

  /// Keeps what has normal·(v − point) ≤ 0. Vertices within `tolerance` of the plane count as
  /// being on it.
  void clip(const Vector3& normal, const Vector3& point, double tolerance) noexcept;

  bool empty() const noexcept { return faces_ == 0; }
  std::span<const Vector3> vertices() const noexcept {
    return std::span(vertex_).first(static_cast<std::size_t>(vertices_));
  }

  /// About the mean of its vertices, a point inside: all terms of the sum are positive.
  Moments moments() const noexcept;
  /// ∫ N dS over the faces of an owner; those of both count half.
  Vector3 vector_area(Owner owner) const noexcept;
  double area() const noexcept;
  double area(Owner owner) const noexcept;
  /// n·x averaged over the curve where faces of the two owners meet, weighted by the angle under
  /// which `from` sees it; 0 where there is no such curve. Of a face of both the edges on its two
  /// sides count half.
  double curve_height(const Vector3& n, const Vector3& from) const noexcept;

 private:
  // A box cut by six planes has at most 12 faces, 20 vertices and 16 to a face.
  static constexpr int most_vertices = 64, most_faces = 16, most_corners = 24;

  struct Face {
    std::array<int, most_corners> corner{};
    int count = 0;
    Owner owner = Owner::body;

    int at(int i) const noexcept { return corner[static_cast<std::size_t>(i)]; }
    void push(int vertex) noexcept {
      if (count < most_corners) corner[static_cast<std::size_t>(count++)] = vertex;
    }
  };
  class Cut;

  std::span<const Face> faces() const noexcept {
    return std::span(face_).first(static_cast<std::size_t>(faces_));
  }
  const Vector3& vertex(int i) const noexcept { return vertex_[static_cast<std::size_t>(i)]; }
  int add_vertex(const Vector3& v) noexcept;
  Vector3 area_of(const Face& face) const noexcept;
  void drop_unused() noexcept;
  Owner owner_beyond(int from, int to) const noexcept;

  std::array<Vector3, most_vertices> vertex_;
  std::array<Face, most_faces> face_{};
  int vertices_ = 0, faces_ = 0;
};

}  // namespace bristle::detail
