#include "polyhedron.hpp"

#include <algorithm>
#include <cmath>

#include "bristle/core/index.hpp"

namespace bristle::detail {
Polyhedron::Polyhedron(const Vector3& corner, Vector3 x, const Vector3& y,
                       const Vector3& z) noexcept {
  // Vertex i has bits 0, 1, 2 for x, y, z. Faces run counter-clockwise seen from outside if the
  // edges are right-handed; if not, an edge is counted from its other end.
  Vector3 start = corner;
  if (x.cross(y).dot(z) < 0) {
    start += x;
    x = -x;
  }
  for (int i = 0; i < 8; ++i) {
    Vector3 v = start;
    if ((i & 1) != 0) v += x;
    if ((i & 2) != 0) v += y;
    if ((i & 4) != 0) v += z;
    add_vertex(v);
  }
  constexpr std::array<std::array<int, 4>, 6> around{
      {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};
  for (const auto& four : around) {
    Face& face = face_[at(faces_++)];
    for (const int i : four) face.push(i);
  }
}

int Polyhedron::add_vertex(const Vector3& v) noexcept {
  if (vertices_ == most_vertices) return vertices_ - 1;
  vertex_[at(vertices_)] = v;
  return vertices_++;
}

/// The vertices that one cut makes: each on an edge, which two faces share.
class Polyhedron::Cut {
 public:
  Cut(Polyhedron& solid, const Vector3& normal, const Vector3& point, double tolerance) noexcept
      : solid_(solid), tolerance_(tolerance) {
    for (int i = 0; i < solid.vertices_; ++i) {
      height_[at(i)] = normal.dot(solid.vertex(i) - point);
      outside_ += is_outside(i) ? 1 : 0;
    }
  }
  bool is_outside(int i) const noexcept { return height_[at(i)] > tolerance_; }
  bool is_on(int i) const noexcept { return std::abs(height_[at(i)]) <= tolerance_; }
  int outside() const noexcept { return outside_; }

  /// The face without what is outside. The new edge p → q that closes it is, turned round, one of
  /// the face that the cut leaves.
  Face kept(const Face& face) noexcept {
    Face rest;
    rest.owner = face.owner;
    int leaving = -1, first_return = -1;
    for (int i = 0; i < face.count; ++i) {
      const int here = face.at(i), next = face.at((i + 1) % face.count);
      if (!is_outside(here)) rest.push(here);
      if (is_outside(here) == is_outside(next)) continue;
      const int made = on_edge(here, next);
      rest.push(made);
      if (is_outside(next)) {
        leaving = made;
      } else if (leaving < 0) {
        first_return = made;  // the face began outside
      } else {
        follow(made) = leaving;
        leaving = -1;
      }
    }
    if (first_return >= 0) follow(first_return) = leaving;
    return rest;
  }
  /// The faces in the plane: one loop of new vertices, but for rounding.
  void close() noexcept {
    for (int k = 0; k < made_; ++k) {
      if (new_[at(k)].used || solid_.faces_ == most_faces) continue;
      Face& face = solid_.face_[at(solid_.faces_++)];
      face = {};
      face.owner = Owner::plane;
      for (int i = k; i >= 0 && !new_[at(i)].used; i = index(new_[at(i)].follows)) {
        new_[at(i)].used = true;
        face.push(new_[at(i)].vertex);
      }
    }
  }

 private:
  struct New {
    int in, out, vertex, follows;
    bool used;
  };
  int index(int vertex) const noexcept {
    for (int k = 0; k < made_; ++k) {
      if (new_[at(k)].vertex == vertex) return k;
    }
    return -1;
  }
  int& follow(int vertex) noexcept { return new_[at(std::max(index(vertex), 0))].follows; }
  int on_edge(int i, int j) noexcept {
    const int in = is_outside(i) ? j : i, out = is_outside(i) ? i : j;
    for (int k = 0; k < made_; ++k) {
      if (new_[at(k)].in == in && new_[at(k)].out == out) return new_[at(k)].vertex;
    }
    const double below = std::fmax(-height_[at(in)], 0), above = height_[at(out)];
    const Vector3 x =
        solid_.vertex(in) + below / (below + above) * (solid_.vertex(out) - solid_.vertex(in));
    const int vertex = solid_.add_vertex(x);
    if (made_ < most_vertices) new_[at(made_++)] = {in, out, vertex, vertex, false};
    return vertex;
  }

  Polyhedron& solid_;
  double tolerance_;
  std::array<double, most_vertices> height_{};
  std::array<New, most_vertices> new_{};
  int outside_ = 0, made_ = 0;
};

void Polyhedron::clip(const Vector3& normal, const Vector3& point, double tolerance) noexcept {
  Cut cut(*this, normal, point, tolerance);
  if (cut.outside() == vertices_) {
    vertices_ = faces_ = 0;
    return;
  }
  const int before = faces_;
  if (cut.outside() == 0) {
    for (int f = 0; f < before; ++f) {
      Face& face = face_[at(f)];
      const auto corners = std::span(face.corner).first(at(face.count));
      if (std::all_of(corners.begin(), corners.end(), [&](int i) { return cut.is_on(i); })) {
        face.owner = Owner::both;
      }
    }
    return;
  }
  faces_ = 0;
  for (int f = 0; f < before; ++f) {
    const Face rest = cut.kept(face_[at(f)]);
    if (rest.count > 2) face_[at(faces_++)] = rest;
  }
  cut.close();
  drop_unused();
}

void Polyhedron::drop_unused() noexcept {
  std::array<int, most_vertices> index{};
  index.fill(-1);
  std::array<Vector3, most_vertices> kept;
  int count = 0;
  for (int f = 0; f < faces_; ++f) {
    Face& face = face_[at(f)];
    for (int i = 0; i < face.count; ++i) {
      int& corner = face.corner[at(i)];
      if (index[at(corner)] < 0) {
        kept[at(count)] = vertex_[at(corner)];
        index[at(corner)] = count++;
      }
      corner = index[at(corner)];
    }
  }
  std::copy_n(kept.begin(), count, vertex_.begin());
  vertices_ = count;
}

Moments Polyhedron::moments() const noexcept {
  Moments m;
  for (const Vector3& v : vertices()) m.about += v / vertices_;
  for (const Face& face : faces()) {
    const Vector3 a = vertex(face.at(0)) - m.about;
    for (int i = 2; i < face.count; ++i) {
      const Vector3 to_b = vertex(face.at(i - 1)) - vertex(face.at(0));
      const Vector3 to_c = vertex(face.at(i)) - vertex(face.at(0));
      const double d = a.dot(to_b.cross(to_c));  // six times the tetrahedron (about, a, b, c)
      const Vector3 b = a + to_b, c = a + to_c, s = a + b + c;
      m.volume += d / 6;
      m.first += d / 24 * s;
      m.second +=
          d / 120 * (s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
    }
  }
  return m;
}

Vector3 Polyhedron::area_of(const Face& face) const noexcept {
  Vector3 sum = Vector3::Zero();
  for (int i = 2; i < face.count; ++i) {
    const Vector3 b = vertex(face.at(i - 1)) - vertex(face.at(0));
    sum += 0.5 * b.cross(vertex(face.at(i)) - vertex(face.at(0)));
  }
  return sum;
}

Vector3 Polyhedron::vector_area(Owner owner) const noexcept {
  Vector3 sum = Vector3::Zero();
  for (const Face& face : faces()) {
    if (face.owner == owner) sum += area_of(face);
    if (face.owner == Owner::both) sum += 0.5 * area_of(face);
  }
  return sum;
}
double Polyhedron::area() const noexcept {
  double sum = 0;
  for (const Face& face : faces()) sum += area_of(face).norm();
  return sum;
}
double Polyhedron::area(Owner owner) const noexcept {
  double sum = 0;
  for (const Face& face : faces()) {
    if (face.owner == owner) sum += area_of(face).norm();
  }
  return sum;
}

/// Whose the face is that has the edge, in its own direction.
Owner Polyhedron::owner_beyond(int from, int to) const noexcept {
  for (const Face& face : faces()) {
    for (int i = 0; i < face.count; ++i) {
      if (face.at(i) == from && face.at((i + 1) % face.count) == to) return face.owner;
    }
  }
  return Owner::both;
}

double Polyhedron::curve_height(const Vector3& n, const Vector3& from) const noexcept {
  double sum = 0, angles = 0;
  for (const Face& face : faces()) {
    if (face.owner == Owner::both) continue;
    for (int i = 0; i < face.count; ++i) {
      const int j = (i + 1) % face.count;
      if (owner_beyond(face.at(j), face.at(i)) == face.owner) continue;
      // Edges of two owners are met twice, from either side; those of a face of both once.
      const Vector3 a = vertex(face.at(i)) - from, b = vertex(face.at(j)) - from;
      const double angle = std::atan2(a.cross(b).norm(), a.dot(b));
      angles += angle;
      sum += angle * (n.dot(from) + 0.5 * n.dot(a + b));
    }
  }
  return angles > 0 ? sum / angles : 0;
}

}  // namespace bristle::detail
