#pragma once

// Which vertices of each body lie inside the other, and the triangles between them. Not installed.

#include <array>
#include <vector>

#include "pair_curve.hpp"

namespace bristle::pair_detail {

class Inside {
 public:
  Inside(Body& a, Body& b, int crossings);
  void grow(int crossings);

  /// After the curve is closed.
  void find(const Curve& curve) noexcept;

  /// Inside vertices that hang together by edges that cross nothing, of either body.
  int components() const noexcept { return components_; }
  struct Component {
    int body, vertex;
  };
  const Component& component(int i) const noexcept { return at(component_, i); }
  int vertices(int body) const noexcept { return vertex_count_[static_cast<std::size_t>(body)]; }
  int vertex(int body, int i) const noexcept {
    return at(vertices_[static_cast<std::size_t>(body)], i);
  }
  /// Triangles wholly inside.
  int triangles(int body) const noexcept { return triangle_count_[static_cast<std::size_t>(body)]; }
  struct Whole {
    int triangle, component;
  };
  const Whole& triangle(int body, int i) const noexcept {
    return at(triangles_[static_cast<std::size_t>(body)], i);
  }
  int rays() const noexcept { return rays_; }

 private:
  enum class State { inside, outside, doubtful };
  Body& body(int i) noexcept { return i == 0 ? a_ : b_; }
  /// Of the two ends of a crossed edge.
  std::array<State, 2> ends(const Curve& curve, const EdgeMark& mark) const noexcept;
  void set(int body, int vertex, State state) noexcept;
  void flood(int body, int vertex) noexcept;
  void reach(int body, int vertex, int component) noexcept;
  void settle(int body, int edge) noexcept;
  void settle_shells(int body) noexcept;
  /// How often the other body surrounds a vertex: crossings of a segment that leads out of it.
  bool is_inside(int body, int vertex) noexcept;
  int leaves(int body, const Vector3& p, const Vector3& far, int triangle) noexcept;

  Body& a_;
  Body& b_;
  std::vector<Component> component_{};
  std::array<std::vector<int>, 2> vertices_{};
  std::array<std::vector<Whole>, 2> triangles_{};
  std::array<int, 2> vertex_count_{}, triangle_count_{};
  std::vector<int> stack_{};
  int components_ = 0;
  int rays_ = 0;
};

}  // namespace bristle::pair_detail
