#include "pair_curve.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::pair_detail {
namespace {

std::size_t index(int i) noexcept { return static_cast<std::size_t>(i); }

Separation separation(double gap, const Vector3& axis) noexcept {
  return {static_cast<float>((1 - 1e-6) * gap), axis.cast<float>()};
}

/// Two triangles that two of their sides keep apart: each lies beyond its side, seen along the
/// normal to both sides.
Separation between(const Facet& a, int side_a, const Facet& b, int side_b) noexcept {
  const Vector3 &p = a.corner[index(side_a)], &q = b.corner[index(side_b)];
  const Vector3 normal =
      (a.corner[index(next(side_a))] - p).cross(b.corner[index(next(side_b))] - q);
  const double size = normal.norm(), along = normal.dot(q - p);
  if (size == 0) return {};
  return separation(std::abs(along) / size, (along > 0 ? 1 : -1) / size * normal);
}

}  // namespace

Curve::Curve(Body& a, Body& b, int capacity) : a_(a), b_(b) { grow(std::max(capacity, 16)); }

void Curve::grow(int capacity) {
  const auto size = index(capacity);
  crossings_.resize(size);
  pieces_.resize(size);
  order_.resize(size);
  for (std::size_t k = 0; k < 2; ++k) {
    edges_[k].resize(size);
    touched_[k].resize(size);
  }
}

void Curve::clear() noexcept {
  edge_count_ = touched_count_ = {0, 0};
  count_ = piece_count_ = order_count_ = 0;
  full_ = broken_ = false;
  pairs_ = 0;
}

// A corner in the plane counts as above or below as B's small motion takes it: a corner of B moves
// along N_A, a corner of A seen from B's plane against N_B.
Curve::View Curve::view(int body, const Facet& facet, const Facet& plane,
                        double& apart) const noexcept {
  View v{{}, -1, -1};
  std::array<bool, 3> is_above{};
  int tie = -1;
  double least = 1e300;
  for (std::size_t k = 0; k < 3; ++k) {
    v.above[k] = above(plane, facet.corner[k]);
    is_above[k] = v.above[k] > 0;
    if (v.above[k] == 0) {
      if (tie < 0) tie = leans_up(plane) == (body == 1) ? 1 : 0;
      is_above[k] = tie == 1;
    }
    least = std::min(least, std::abs(v.above[k]));
  }
  if (is_above[0] == is_above[1] && is_above[1] == is_above[2]) {
    apart = is_above[0] ? least : -least;
    return v;
  }
  for (int k = 0; k < 3; ++k) {
    const bool from = is_above[index(k)], to = is_above[index(next(k))];
    if (!from && to) v.up = k;
    if (from && !to) v.down = k;
  }
  return v;
}

// Both triangles cut the line in which their planes meet, along N_A × N_B, in an interval each. A's
// begins where its boundary leaves B (side `up`) and ends where it enters B (`down`); B's begins
// where its boundary enters A and ends where it leaves it. Which of two ends comes first is the
// sign of the two edges:
//   position of b's end − position of a's = orient(a, b) · sign(N_A·b) · sign(N_B·a) · something >
//   0.
Separation Curve::meet(int triangle_a, int triangle_b) noexcept {
  ++pairs_;
  const Facet& fa = a_.facet(triangle_a);
  const Facet& fb = b_.facet(triangle_b);
  double apart = 0;
  const View b = view(1, fb, fa, apart);
  if (b.up < 0) {
    const double scale = a_.per_area(triangle_a), sign = apart > 0 ? 1 : -1;
    return separation(std::abs(apart) * scale, sign * scale * fa.normal);
  }
  const View a = view(0, fa, fb, apart);
  if (a.up < 0) {  // A is above B's triangle: B is against its normal, seen from A
    const double scale = b_.per_area(triangle_b), sign = apart > 0 ? -1 : 1;
    return separation(std::abs(apart) * scale, sign * scale * fb.normal);
  }

  const auto left = [&](int side_a, int side_b) noexcept {
    return passes_left(fa.corner[index(side_a)], fa.corner[index(next(side_a))],
                       fb.corner[index(side_b)], fb.corner[index(next(side_b))]);
  };
  // A's interval begins after the end of B's, or the other way round.
  if (!left(a.up, b.up)) return between(fa, a.up, fb, b.up);
  if (left(a.down, b.down)) return between(fa, a.down, fb, b.down);
  const int start = left(a.up, b.down) ? cross(0, triangle_a, a.up, a, triangle_b)
                                       : cross(1, triangle_b, b.down, b, triangle_a);
  const int end = left(a.down, b.up) ? cross(1, triangle_b, b.up, b, triangle_a)
                                     : cross(0, triangle_a, a.down, a, triangle_b);
  if (start < 0 || end < 0 || piece_count_ == capacity()) {
    full_ = true;
    return {};
  }
  add_piece(start, end, triangle_a, triangle_b);
  return {};
}

int Curve::cross(int body, int triangle, int side, const View& view, int other) noexcept {
  Body& own = this->body(body);
  const int link = at(own.mesh().triangle_edges(), triangle)[index(side)];
  const int edge = link / 2;
  EdgeMark& mark = own.edge(edge);
  if (mark.step != own.step()) {
    if (edge_count_[index(body)] == capacity()) return -1;
    at(edges_[index(body)], edge_count_[index(body)]++) = edge;
    mark = {own.step(), -1, 0};
    own.shell_step(at(own.mesh().shell(), triangle)) = own.step();
  }
  for (int c = mark.first; c >= 0; c = at(crossings_, c).next) {
    if (at(crossings_, c).triangle == other) return c;
  }
  if (count_ == capacity()) return -1;
  const bool forward = link % 2 == 0;
  const int from = forward ? side : next(side), to = forward ? next(side) : side;
  const Facet& facet = own.facet(triangle);
  const Vector3 &p = facet.corner[index(from)], &q = facet.corner[index(to)];
  const double t = parameter(this->body(1 - body).facet(other), p, q, view.above[index(from)],
                             view.above[index(to)]);
  const bool enters = (side == view.down) == forward;
  at(crossings_, count_) = {p + t * (q - p), t,          body, edge, other,
                            enters ? 1 : -1, mark.first, -1,   -1};
  mark.first = count_;
  ++mark.count;
  return count_++;
}

/// Where the edge p→q pierces a plane, right to 1e-8 of its length even where it all but lies in
/// the plane: then the distances are taken from exact sums. Not both are 0, or the edge would not
/// cross.
double Curve::parameter(const Facet& plane, const Vector3& p, const Vector3& q, double above_p,
                        double above_q) const noexcept {
  const double error = above_error(plane, p) + above_error(plane, q);
  if (1e-8 * std::abs(above_p - above_q) < error) {
    const auto& [a, b, c] = plane.corner;
    above_p = exact::orient(a, b, c, p);
    above_q = exact::orient(a, b, c, q);
  }
  return std::clamp(above_p / (above_p - above_q), 0.0, 1.0);
}

void Curve::touch(int body, int triangle, int piece) noexcept {
  Body& own = this->body(body);
  TriangleMark& mark = own.triangle(triangle);
  if (mark.step != own.step()) {
    at(touched_[index(body)], touched_count_[index(body)]++) = triangle;
    mark = {own.step(), -1};
  }
  at(pieces_, piece).next[index(body)] = mark.segment;
  mark.segment = piece;
}

void Curve::add_piece(int start, int end, int triangle_a, int triangle_b) noexcept {
  const int piece = piece_count_++;
  at(pieces_, piece) = {start, end, {triangle_a, triangle_b}, {-1, -1}};
  touch(0, triangle_a, piece);
  touch(1, triangle_b, piece);
  int &starts = at(crossings_, start).starts, &ends = at(crossings_, end).ends;
  broken_ = broken_ || starts >= 0 || ends >= 0;
  starts = ends = piece;
}

bool Curve::close() noexcept {
  for (int body = 0; body < 2; ++body) {
    for (int i = 0; i < crossed_edges(body); ++i) {
      sort_edge(this->body(body).edge(crossed_edge(body, i)));
    }
  }
  return !broken_ && count_ == piece_count_;
}

void Curve::sort_edge(EdgeMark& mark) noexcept {
  const int begin = order_count_;
  for (int c = mark.first; c >= 0; c = at(crossings_, c).next) at(order_, order_count_++) = c;
  mark.first = begin;
  if (mark.count < 2) return;
  std::sort(order_.begin() + begin, order_.begin() + order_count_, [this](int i, int j) {
    const Crossing &c = at(crossings_, i), &d = at(crossings_, j);
    return c.t != d.t ? c.t < d.t : c.triangle < d.triangle;
  });
}

}  // namespace bristle::pair_detail
