// Every crossing of an edge tells which of its sides is inside the other body, so the edges that
// cross fix the vertices next to the curve, and the rest follows by walking over edges that do not
// cross. Only inside vertices are walked over: the cost is that of the patch, not of the mesh.

#include "pair_inside.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::pair_detail {
namespace {

/// Crossings of one edge that are nearer than this, in parts of its length, may stand in the wrong
/// order (Curve::parameter is right to 1e-8).
constexpr double tie = 1e-7;

std::size_t index(int i) noexcept { return static_cast<std::size_t>(i); }

/// Whether a segment misses a box, both in the frame of the tree.
bool misses(const Box& box, const Vector3& p, const Vector3& q, double slack) noexcept {
  const Vector3 center(box.center()[0], box.center()[1], box.center()[2]);
  for (int k = 0; k < 3; ++k) {
    const Vector3 axis = box.axis(k);
    const double a = axis.dot(p - center), b = axis.dot(q - center), h = box.half()[k] + slack;
    if (std::min(a, b) > h || std::max(a, b) < -h) return true;
  }
  return false;
}

}  // namespace

Inside::Inside(Body& a, Body& b, int crossings) : a_(a), b_(b) {
  for (int i = 0; i < 2; ++i) {
    vertices_[index(i)].resize(body(i).mesh().vertices().size());
    triangles_[index(i)].resize(body(i).mesh().triangles().size());
  }
  stack_.resize(index(std::max(a.depth(), b.depth()) + 2));
  grow(crossings);
}

void Inside::grow(int crossings) {
  // A component has an end of a crossed edge, or is a shell.
  component_.resize(index(2 * crossings + a_.mesh().shells() + b_.mesh().shells()));
}

void Inside::find(const Curve& curve) noexcept {
  components_ = rays_ = 0;
  vertex_count_ = triangle_count_ = {0, 0};
  for (int i = 0; i < 2; ++i) {
    bool doubts = false;
    for (int k = 0; k < curve.crossed_edges(i); ++k) {
      const int edge = curve.crossed_edge(i, k);
      const auto [from, to] = ends(curve, body(i).edge(edge));
      const auto& vertex = at(body(i).mesh().edges(), edge).vertex;
      set(i, vertex[0], from);
      set(i, vertex[1], to);
      doubts = doubts || from == State::doubtful;
    }
    for (int k = 0; doubts && k < curve.crossed_edges(i); ++k) {
      const int edge = curve.crossed_edge(i, k);
      if (ends(curve, body(i).edge(edge))[0] == State::doubtful) settle(i, edge);
    }
    settle_shells(i);
  }
}

/// Entering once more than leaving, or the other way round, says all. An edge that enters as often
/// as it leaves has both ends on the side where it first comes from, which may be a tie.
std::array<Inside::State, 2> Inside::ends(const Curve& curve, const EdgeMark& mark) const noexcept {
  const auto crossing = [&](int k) -> const Crossing& {
    return curve.crossing(curve.ordered(mark.first + k));
  };
  int sum = 0;
  for (int k = 0; k < mark.count; ++k) sum += crossing(k).sign;
  if (sum > 0) return {State::outside, State::inside};
  if (sum < 0) return {State::inside, State::outside};
  const int last = mark.count - 1;
  State both = State::doubtful;
  if (crossing(1).t - crossing(0).t > tie) {
    both = crossing(0).sign < 0 ? State::inside : State::outside;
  } else if (crossing(last).t - crossing(last - 1).t > tie) {
    both = crossing(last).sign > 0 ? State::inside : State::outside;
  }
  return {both, both};
}

void Inside::set(int body, int vertex, State state) noexcept {
  Body& own = this->body(body);
  VertexMark& mark = own.vertex_mark(vertex);
  if (state == State::doubtful || mark.step == own.step()) return;
  if (state == State::inside) {
    flood(body, vertex);
  } else {
    mark = {own.step(), -1};
  }
}

/// A new component, with all vertices that can be reached without crossing the curve. The list of
/// vertices is the queue. No edge of a triangle that the curve does not touch crosses anything.
void Inside::flood(int body, int vertex) noexcept {
  Body& own = this->body(body);
  const int component = components_++;
  at(component_, component) = {body, vertex};
  int head = vertex_count_[index(body)];
  reach(body, vertex, component);
  while (head < vertex_count_[index(body)]) {
    const int v = at(vertices_[index(body)], head++);
    for (const int* c = own.corners_begin(v); c != own.corners_end(v); ++c) {
      const int t = *c / 4, k = *c % 4;
      TriangleMark& mark = own.triangle(t);
      const auto& corner = at(own.mesh().triangles(), t);
      if (mark.step != own.step()) {
        mark = {own.step(), -1};
        at(triangles_[index(body)], triangle_count_[index(body)]++) = {t, component};
        for (const int w : corner) reach(body, w, component);
      } else if (mark.segment >= 0 &&
                 !own.is_crossed(at(own.mesh().triangle_edges(), t)[index(k)] / 2)) {
        reach(body, corner[index(next(k))], component);
      }
    }
  }
}

void Inside::reach(int body, int vertex, int component) noexcept {
  Body& own = this->body(body);
  VertexMark& mark = own.vertex_mark(vertex);
  if (mark.step == own.step()) return;
  mark = {own.step(), component};
  at(vertices_[index(body)], vertex_count_[index(body)]++) = vertex;
}

/// An edge in doubt: what others say about its ends, or else a ray.
void Inside::settle(int body, int edge) noexcept {
  Body& own = this->body(body);
  const auto& [p, q] = at(own.mesh().edges(), edge).vertex;
  bool inside = own.component(p) >= 0 || own.component(q) >= 0;
  if (own.vertex_mark(p).step != own.step() && own.vertex_mark(q).step != own.step()) {
    inside = is_inside(body, p);
  }
  set(body, p, inside ? State::inside : State::outside);
  set(body, q, inside ? State::inside : State::outside);
}

/// Shells that cross nothing are inside as a whole, or outside.
void Inside::settle_shells(int body) noexcept {
  Body& own = this->body(body);
  for (int s = 0; s < own.mesh().shells(); ++s) {
    if (own.shell_step(s) == own.step()) continue;
    const int v = own.shell_vertex(s);
    if (is_inside(body, v)) flood(body, v);
  }
}

bool Inside::is_inside(int body, int vertex) noexcept {
  Body &own = this->body(body), &other = this->body(1 - body);
  const Vector3 p = own.vertex(vertex), p_local = other.local(p);
  const double slack = 1e-6 * (own.radius() + other.radius());
  const Box& root = other.box(0);
  if (misses(root, p_local, p_local, slack)) return false;
  ++rays_;
  const Vector3 thin = root.axis(0);
  const double side = thin.dot(p_local) > 0 ? 1 : -1;
  const Vector3 way = (side * (3 * root.half()[0] + 1e-3 * other.radius())) * thin;
  const Vector3 far = p + other.turned(way), far_local = p_local + way;
  int winding = 0, top = 0;
  at(stack_, top++) = 0;
  while (top > 0) {
    const int node = at(stack_, --top), child = other.child(node);
    if (misses(other.box(node), p_local, far_local, slack)) continue;
    if (child < 0) {
      winding += leaves(body, p, far, ~child);
    } else {
      at(stack_, top++) = child;
      at(stack_, top++) = child + 1;
    }
  }
  return winding > 0;
}

/// +1 where the segment leaves the other body through this triangle, −1 where it enters.
int Inside::leaves(int body, const Vector3& p, const Vector3& far, int triangle) noexcept {
  const Facet& facet = this->body(1 - body).facet(triangle);
  const auto is_above = [&](const Vector3& x) {
    const double value = above(facet, x);
    return value != 0 ? value > 0 : leans_up(facet) == (body == 1);
  };
  const bool up = is_above(far);
  if (is_above(p) == up) return 0;
  for (int k = 0; k < 3; ++k) {
    const Vector3 &a = facet.corner[index(k)], &b = facet.corner[index(next(k))];
    const bool left = body == 0 ? passes_left(p, far, a, b) : passes_left(a, b, p, far);
    if (left != up) return 0;
  }
  return up ? 1 : -1;
}

}  // namespace bristle::pair_detail
