#pragma once

// The curve in which two surfaces cross: where edges of one body pierce triangles of the other
// (crossings) and the segments between them, one in each pair of triangles that cross. With exact
// signs every crossing ends one segment and starts another, so the segments form closed loops. Not
// installed.

#include <array>
#include <vector>

#include "pair_body.hpp"

namespace bristle::pair_detail {

struct Crossing {
  Vector3 x = Vector3::Zero();
  double t = 0;  ///< along the edge
  int body = 0;  ///< whose edge it is: 0 for A, 1 for B
  int edge = 0;
  int triangle = 0;            ///< the one of the other body it pierces
  int sign = 0;                ///< +1: the edge enters the other body, −1: it leaves it
  int next = -1;               ///< on the same edge
  int starts = -1, ends = -1;  ///< the segments that do so here
};

/// Runs along N_A × N_B, so that the part of A's triangle inside B is on its left.
struct CurvePiece {
  int start, end;               ///< crossings
  std::array<int, 2> triangle;  ///< of A and of B
  std::array<int, 2> next;      ///< in the same triangle of A, of B
};

class Curve {
 public:
  Curve(Body& a, Body& b, int capacity);

  void clear() noexcept;
  /// Adds the segment in which two triangles cross, if they do.
  Separation meet(int triangle_a, int triangle_b) noexcept;
  /// Puts the crossings of each edge in order. False where the loops do not close, which sound
  /// meshes never show.
  bool close() noexcept;

  bool is_full() const noexcept { return full_; }
  int capacity() const noexcept { return static_cast<int>(crossings_.size()); }
  void grow(int capacity);

  int crossings() const noexcept { return count_; }
  const Crossing& crossing(int i) const noexcept { return at(crossings_, i); }
  int pieces() const noexcept { return piece_count_; }
  const CurvePiece& piece(int i) const noexcept { return at(pieces_, i); }
  /// Crossed edges and touched triangles of a body, as they were met.
  int crossed_edges(int body) const noexcept { return edge_count_[static_cast<std::size_t>(body)]; }
  int crossed_edge(int body, int i) const noexcept {
    return at(edges_[static_cast<std::size_t>(body)], i);
  }
  int touched(int body) const noexcept { return touched_count_[static_cast<std::size_t>(body)]; }
  int touched_triangle(int body, int i) const noexcept {
    return at(touched_[static_cast<std::size_t>(body)], i);
  }
  /// The crossing at a place of the sorted order, see EdgeMark::first.
  int ordered(int place) const noexcept { return at(order_, place); }
  long pairs() const noexcept { return pairs_; }  ///< of triangles that were compared

 private:
  /// A triangle seen from the plane of another: `above` of its corners, and its two sides that
  /// cross the plane. From a corner that is not above to one that is: `up`.
  struct View {
    std::array<double, 3> above;
    int up, down;
  };
  /// Where all corners are on one side, `up` is −1 and `apart` their least distance, > 0 above.
  View view(int body, const Facet& facet, const Facet& plane, double& apart) const noexcept;
  Body& body(int i) noexcept { return i == 0 ? a_ : b_; }
  /// −1: no room.
  int cross(int body, int triangle, int side, const View& view, int other) noexcept;
  double parameter(const Facet& plane, const Vector3& p, const Vector3& q, double above_p,
                   double above_q) const noexcept;
  void touch(int body, int triangle, int piece) noexcept;
  void add_piece(int start, int end, int triangle_a, int triangle_b) noexcept;
  void sort_edge(EdgeMark& mark) noexcept;

  Body& a_;
  Body& b_;
  std::vector<Crossing> crossings_{};
  std::vector<CurvePiece> pieces_{};
  std::vector<int> order_{};
  std::array<std::vector<int>, 2> edges_{}, touched_{};
  std::array<int, 2> edge_count_{}, touched_count_{};
  int count_ = 0, piece_count_ = 0, order_count_ = 0;
  bool full_ = false, broken_ = false;
  long pairs_ = 0;
};

}  // namespace bristle::pair_detail
