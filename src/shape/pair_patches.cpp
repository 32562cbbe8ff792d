#include "pair_patches.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace bristle::pair_detail {
namespace {

std::size_t index(int i) noexcept { return static_cast<std::size_t>(i); }

/// The solid angle of a triangle seen from the origin (Van Oosterom and Strackee 1983).
double solid_angle(const Vector3& a, const Vector3& b, const Vector3& c) noexcept {
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  const double across = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
  return 2 * std::atan2(a.dot(b.cross(c)), across);
}

void add_triangle(Skin& skin, const Vector3& q, const Vector3& x, const Vector3& y,
                  const Vector3& n) noexcept {
  const Vector3 a = q - skin.origin, b = x - skin.origin, c = y - skin.origin, s = a + b + c;
  const Vector3 w = (x - q).cross(y - q);
  const double d = a.dot(w);
  skin.d += d;
  skin.ds += d * s;
  skin.twice_area += n.dot(w);
  const auto product = [&](int i, int j) {
    return d * (s[i] * s[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j]);
  };
  skin.dss[0] += product(0, 0);
  skin.dss[1] += product(1, 1);
  skin.dss[2] += product(2, 2);
  skin.dss[3] += product(0, 1);
  skin.dss[4] += product(0, 2);
  skin.dss[5] += product(1, 2);
}

Moments moments_of(const Skin& skin) noexcept {
  const auto& j = skin.dss;
  Moments m{skin.origin, skin.d / 6, skin.ds / 24, {}};
  m.second << j[0], j[3], j[4], j[3], j[1], j[5], j[4], j[5], j[2];
  m.second /= 120;
  return m;
}

}  // namespace

Patches::Patches(Body& a, Body& b, int crossings) : a_(a), b_(b) { grow(crossings); }

void Patches::grow(int crossings) {
  const int shells = a_.mesh().shells() + b_.mesh().shells();
  parent_.resize(index(3 * crossings + shells));
  skin_.resize(parent_.size());
  // A closed curve has three crossings or more.
  skins_.resize(index(crossings / 3 + shells + 1));
  winding_.resize(skins_.size());
  sorted_.resize(skins_.size());
  extents_.resize(skins_.size());
  overlaps_.resize(skins_.size());
  segments_.resize(index(crossings));
}

int Patches::root(int i) noexcept {
  while (at(parent_, i) != i) {
    int& up = at(parent_, i);
    up = at(parent_, up);
    i = up;
  }
  return i;
}

void Patches::join(int i, int j) noexcept {
  i = root(i), j = root(j);
  at(parent_, std::max(i, j)) = std::min(i, j);
}

std::span<const Overlap> Patches::find(const Curve& curve, const Inside& inside,
                                       const Pose& a) noexcept {
  number_skins(curve, inside);
  integrate(curve, inside);
  house_voids(curve, inside);
  write(curve, inside, a);
  return overlaps();
}

/// What touches along an inside interval of an edge hangs together.
void Patches::join_edge(const Curve& curve, int body, int edge) noexcept {
  Body& own = this->body(body);
  const EdgeMark& mark = own.edge(edge);
  const auto& [p, q] = at(own.mesh().edges(), edge).vertex;
  int last = own.component(p) >= 0 ? crossings_ + own.component(p) : -1;
  int winding = last >= 0 ? 1 : 0;
  for (int k = 0; k < mark.count; ++k) {
    const int c = curve.ordered(mark.first + k);
    if (winding != 0 && last >= 0) join(last, c);
    winding += curve.crossing(c).sign;
    last = c;
  }
  if (winding != 0 && own.component(q) >= 0) join(last, crossings_ + own.component(q));
}

void Patches::number_skins(const Curve& curve, const Inside& inside) noexcept {
  crossings_ = curve.crossings();
  const int elements = crossings_ + inside.components();
  for (int i = 0; i < elements; ++i) at(parent_, i) = i;
  for (int i = 0; i < curve.pieces(); ++i) join(curve.piece(i).start, curve.piece(i).end);
  for (int body = 0; body < 2; ++body) {
    for (int i = 0; i < curve.crossed_edges(body); ++i) {
      join_edge(curve, body, curve.crossed_edge(body, i));
    }
  }
  skin_count_ = 0;
  for (int i = 0; i < crossings_; ++i) {
    if (at(parent_, i) == i) add_skin(i, curve.crossing(i).x);
  }
  for (int i = 0; i < inside.components(); ++i) {
    const auto& [body, vertex] = inside.component(i);
    const int element = crossings_ + i;
    if (at(parent_, element) != element) continue;
    Skin& skin = at(skins_, add_skin(element, this->body(body).vertex(vertex)));
    skin.key = (std::uint64_t{2} + static_cast<std::uint64_t>(body)) << 62U | unsigned(vertex);
  }
  for (int i = 0; i < elements; ++i) at(skin_, i) = at(skin_, root(i));
  for (int i = 0; i < curve.pieces(); ++i) {
    const auto& [ta, tb] = curve.piece(i).triangle;
    std::uint64_t& key = skin_of_crossing(curve.piece(i).start).key;
    key = std::min(key, std::uint64_t{unsigned(ta)} << 32U | unsigned(tb));
  }
}

int Patches::add_skin(int element, const Vector3& origin) noexcept {
  Skin& skin = at(skins_, skin_count_);
  skin = {};
  skin.origin = origin;
  skin.host = skin_count_;
  at(skin_, element) = skin_count_;
  return skin_count_++;
}

// The inside part of a touched triangle is a fan over the pieces of its boundary. The pieces of one
// skin in a triangle form closed loops, so each skin takes a crossing of its own as the fan's apex.
template <class Add>
void Patches::visit(const Curve& curve, const Inside& inside, Add&& add) noexcept {
  for (int body = 0; body < 2; ++body) {
    Body& own = this->body(body);
    for (int i = 0; i < curve.touched(body); ++i) {
      visit_touched(curve, body, curve.touched_triangle(body, i), add);
    }
    for (int i = 0; i < inside.triangles(body); ++i) {
      const auto [t, component] = inside.triangle(body, i);
      const Facet& facet = own.facet(t);
      const auto& [a, b, c] = facet.corner;
      add(skin_of_component(component), a, b, c, facet.normal.normalized());
    }
    for (int i = 0; i < skin_count_; ++i) at(skins_, i).apex_triangle = -1;
  }
}

template <class Add>
void Patches::visit_touched(const Curve& curve, int body, int triangle, Add&& add) noexcept {
  Body& own = this->body(body);
  const Vector3 n = own.facet(triangle).normal.normalized();
  const auto piece = [&](Skin& skin, const Vector3& x, const Vector3& y) {
    if (skin.apex_triangle != triangle) {
      skin.apex_triangle = triangle;
      skin.apex = x;
      return;  // a triangle without area
    }
    add(skin, skin.apex, x, y, n);
  };
  for (int i = own.triangle(triangle).segment; i >= 0; i = curve.piece(i).next[index(body)]) {
    const Vector3 &x = curve.crossing(curve.piece(i).start).x,
                  &y = curve.crossing(curve.piece(i).end).x;
    Skin& skin = skin_of_crossing(curve.piece(i).start);
    if (body == 0) {
      piece(skin, x, y);
    } else {
      piece(skin, y, x);
    }
  }
  for (const int link : at(own.mesh().triangle_edges(), triangle)) {
    visit_side(curve, own, link, piece);
  }
}

/// The inside intervals of a side of a triangle, as often as they are inside: two crossings that
/// stand in the wrong order by rounding then cost rounding only.
template <class Add>
void Patches::visit_side(const Curve& curve, Body& own, int link, Add&& add) noexcept {
  const int edge = link / 2;
  const bool forward = link % 2 == 0;
  const auto& [p, q] = at(own.mesh().edges(), edge).vertex;
  int winding = own.component(p) >= 0 ? 1 : 0;
  const Vector3* last = &own.vertex(p);
  const auto interval = [&](Skin& skin, const Vector3& x) {
    if (winding == 0) return;
    if (forward == (winding > 0)) {
      add(skin, *last, x);
    } else {
      add(skin, x, *last);
    }
  };
  if (!own.is_crossed(edge)) {
    if (winding > 0) interval(skin_of_component(own.component(p)), own.vertex(q));
    return;
  }
  const EdgeMark& mark = own.edge(edge);
  int c = -1;
  for (int k = 0; k < mark.count; ++k) {
    c = curve.ordered(mark.first + k);
    interval(skin_of_crossing(c), curve.crossing(c).x);
    winding += curve.crossing(c).sign;
    last = &curve.crossing(c).x;
  }
  interval(skin_of_crossing(c), own.vertex(q));
}

void Patches::integrate(const Curve& curve, const Inside& inside) noexcept {
  visit(curve, inside,
        [](Skin& skin, const Vector3& q, const Vector3& x, const Vector3& y, const Vector3& n) {
          add_triangle(skin, q, x, y, n);
        });
  for (int i = 0; i < curve.pieces(); ++i) {
    Skin& skin = skin_of_crossing(curve.piece(i).start);
    const Vector3 x = curve.crossing(curve.piece(i).start).x - skin.origin;
    const Vector3 y = curve.crossing(curve.piece(i).end).x - skin.origin;
    skin.twice_vector_area += x.cross(y);
  }
}

// A closed surface without self-crossings either has its solid inside (volume > 0) or around it: a
// void. Overlaps thinner than the rounding of coordinates are nothing.
void Patches::house_voids(const Curve& curve, const Inside& inside) noexcept {
  const double thinnest = 8 * std::numeric_limits<double>::epsilon() * a_.mesh().bounding_radius();
  bool any = false;
  for (int i = 0; i < skin_count_; ++i) {
    Skin& skin = at(skins_, i);
    if (std::abs(skin.d) / 3 <= thinnest * std::abs(skin.twice_area)) skin.host = -1;
    any = any || (skin.host >= 0 && skin.d < 0);
  }
  if (!any) return;
  for (int i = 0; i < skin_count_; ++i) {
    Skin& skin = at(skins_, i);
    if (skin.host < 0 || skin.d >= 0) continue;
    skin.host = host(i, curve, inside);
    if (skin.host < 0) continue;
    Skin& around = at(skins_, skin.host);
    const Moments m = moved(moments_of(skin), around.origin);
    around.d += 6 * m.volume;
    around.ds += 24 * m.first;
    const std::array<double, 6> second{m.second(0, 0), m.second(1, 1), m.second(2, 2),
                                       m.second(0, 1), m.second(0, 2), m.second(1, 2)};
    for (std::size_t k = 0; k < 6; ++k) around.dss[k] += 120 * second[k];
    around.twice_vector_area += skin.twice_vector_area;
    around.twice_area += skin.twice_area;
    around.key = std::min(around.key, skin.key);
  }
}

/// The piece around a void: the smallest of those that wind around a point of it.
int Patches::host(int skin, const Curve& curve, const Inside& inside) noexcept {
  Vector3 point = at(skins_, skin).origin;
  for (int i = 0; i < inside.components(); ++i) {  // rather a vertex than a point of the curve
    if (at(skin_, crossings_ + i) != skin) continue;
    point = body(inside.component(i).body).vertex(inside.component(i).vertex);
    break;
  }
  std::fill_n(winding_.begin(), skin_count_, 0.0);
  visit(curve, inside,
        [&](Skin& of, const Vector3& q, const Vector3& x, const Vector3& y, const Vector3&) {
          at(winding_, static_cast<int>(&of - skins_.data())) +=
              solid_angle(q - point, x - point, y - point);
        });
  int best = -1;
  for (int i = 0; i < skin_count_; ++i) {
    const Skin& other = at(skins_, i);
    const bool around = other.d > 0 && other.host == i && at(winding_, i) > std::numbers::pi;
    if (around && (best < 0 || other.d < at(skins_, best).d)) best = i;
  }
  return best;
}

void Patches::write(const Curve& curve, const Inside& inside, const Pose& a) noexcept {
  count_ = 0;
  for (int i = 0; i < skin_count_; ++i) {
    if (at(skins_, i).host == i && at(skins_, i).d > 0) at(sorted_, count_++) = i;
  }
  std::sort(sorted_.begin(), sorted_.begin() + count_,
            [this](int i, int j) { return at(skins_, i).key < at(skins_, j).key; });
  for (int i = 0; i < count_; ++i) at(skins_, at(sorted_, i)).patch = i;
  for (int i = 0; i < skin_count_; ++i) {
    Skin& skin = at(skins_, i);
    if (skin.host >= 0 && skin.host != i) skin.patch = at(skins_, skin.host).patch;
  }
  measure(curve, inside);
  for (int i = 0; i < count_; ++i) {
    const Skin& skin = at(skins_, at(sorted_, i));
    const Extent& e = at(extents_, i);
    Overlap& out = at(overlaps_, i);
    out.moments = placed(moments_of(skin), a);
    out.vector_area = rotate(a, skin.twice_vector_area / 2);
    out.wetted_area = skin.twice_area / 2;
    const bool directed = e.turn > 0;
    out.depth = directed ? e.high - e.low : 0;
    out.surface_height = directed ? e.height / e.turn + e.normal.dot(e.about - skin.origin) : 0;
  }
}

// Along n = S/|S|: the extent of the volume, whose corners are crossings and inside vertices, and
// the mean height of the curve seen from the centroid (r from there; on a segment r × dr is
// constant):
//   h = ∮ (n·r) n·(r × dr) / ∮ n·(r × dr).
void Patches::measure(const Curve& curve, const Inside& inside) noexcept {
  for (int i = 0; i < count_; ++i) {
    const Skin& skin = at(skins_, at(sorted_, i));
    const double size = skin.twice_vector_area.norm();
    const bool directed = size > least_directed * skin.twice_area;
    at(extents_, i) = {directed ? Vector3(skin.twice_vector_area / size) : Vector3::Zero(),
                       skin.origin + skin.ds / (4 * skin.d),
                       1e300,
                       -1e300,
                       0,
                       0};
  }
  const auto reach = [this](const Skin& skin, const Vector3& x) {
    if (skin.patch < 0) return;
    Extent& e = at(extents_, skin.patch);
    const double h = e.normal.dot(x - e.about);
    e.low = std::min(e.low, h);
    e.high = std::max(e.high, h);
  };
  for (int i = 0; i < crossings_; ++i) reach(skin_of_crossing(i), curve.crossing(i).x);
  for (int body = 0; body < 2; ++body) {
    Body& own = this->body(body);
    for (int i = 0; i < inside.vertices(body); ++i) {
      const int v = inside.vertex(body, i);
      reach(skin_of_component(own.component(v)), own.vertex(v));
    }
  }
  for (int i = 0; i < curve.pieces(); ++i) {
    const Skin& skin = skin_of_crossing(curve.piece(i).start);
    if (skin.patch < 0) continue;
    Extent& e = at(extents_, skin.patch);
    const Vector3 x = curve.crossing(curve.piece(i).start).x - e.about;
    const Vector3 y = curve.crossing(curve.piece(i).end).x - e.about;
    const double turn = e.normal.dot(x.cross(y));
    e.turn += turn;
    e.height += turn * 0.5 * e.normal.dot(x + y);
  }
}

std::span<const MeshPairSegment> Patches::segments(const Curve& curve, const Pose& a) noexcept {
  for (int i = 0; i < curve.pieces(); ++i) {
    const CurvePiece& piece = curve.piece(i);
    at(segments_, i) = {apply(a, curve.crossing(piece.start).x),
                        apply(a, curve.crossing(piece.end).x), skin_of_crossing(piece.start).patch};
  }
  return {segments_.data(), index(curve.pieces())};
}

}  // namespace bristle::pair_detail
