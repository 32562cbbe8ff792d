#include "surface_tensors.hpp"

#include <cmath>

namespace bristle::mesh_detail {
namespace {

/// a bᵀ + b aᵀ, halved on the diagonal where `a` is `b`: symmetric products.
Six square(const Vector3& a) noexcept {
  return {a.x() * a.x(), a.y() * a.y(), a.z() * a.z(), a.x() * a.y(), a.x() * a.z(), a.y() * a.z()};
}
Six twice_product(const Vector3& a, const Vector3& b) noexcept {
  return {2 * a.x() * b.x(),
          2 * a.y() * b.y(),
          2 * a.z() * b.z(),
          a.x() * b.y() + a.y() * b.x(),
          a.x() * b.z() + a.z() * b.x(),
          a.y() * b.z() + a.z() * b.y()};
}
void add_scaled(Six& to, double factor, const Six& what) noexcept {
  for (std::size_t i = 0; i < 6; ++i) to[i] += factor * what[i];
}

/// ∫ (y·N) y dS, which nyy holds.
Vector3 contracted(const std::array<Six, 3>& nyy) noexcept {
  return {nyy[0][0] + nyy[1][3] + nyy[2][4], nyy[0][3] + nyy[1][1] + nyy[2][5],
          nyy[0][4] + nyy[1][5] + nyy[2][2]};
}

}  // namespace

SurfaceTensors SurfaceTensors::at(const Vector3& center) noexcept {
  SurfaceTensors t;
  t.center = center;
  t.ny.fill(Vector3::Zero());
  return t;
}

// Over a triangle with 2·area·N = w: ∫1 = |w|/2, ∫y = |w|/6 Σ, ∫y yᵀ = |w|/24 (Σ Σᵀ + Σ v vᵀ), and
// y·N is the same everywhere.
void SurfaceTensors::add(const Vector3& x0, const Vector3& x1, const Vector3& x2) noexcept {
  const Vector3 a = x0 - center, b = x1 - center, c = x2 - center, sum = a + b + c;
  const Vector3 w = (b - a).cross(c - a);
  Six squares = square(sum);
  for (const Vector3& v : {a, b, c}) add_scaled(squares, 1, square(v));
  n += w / 2;
  for (std::size_t i = 0; i < 3; ++i) {
    const double wi = w[static_cast<int>(i)];
    ny[i] += wi / 6 * sum;
    add_scaled(nyy[i], wi / 24, squares);
  }
  add_scaled(yy, a.dot(w) / 24, squares);
  area += w.norm() / 2;
}

// y' = y + f.
void SurfaceTensors::add(const SurfaceTensors& other) noexcept {
  const Vector3 f = other.center - center;
  ConeSums cones;
  cones.add(other, f, Vector3::Zero());
  add_scaled(yy, 1, cones.second);
  for (std::size_t i = 0; i < 3; ++i) {
    const double ni = other.n[static_cast<int>(i)];
    add_scaled(nyy[i], 1, other.nyy[i]);
    add_scaled(nyy[i], 1, twice_product(other.ny[i], f));
    add_scaled(nyy[i], ni, square(f));
    ny[i] += other.ny[i] + ni * f;
  }
  n += other.n;
  area += other.area;
}

// r = y + e: r·N = y·N + e·N. With g = ∫ (r·N) y,
//   3V = ∫ r·N,   4∫r = g + 3V e,   5∫r rᵀ = ∫ (r·N) y yᵀ + e gᵀ + g eᵀ + 3V e eᵀ.
void ConeSums::add(const SurfaceTensors& t, const Vector3& e, const Vector3& normal) noexcept {
  const double v = t.ny[0].x() + t.ny[1].y() + t.ny[2].z() + e.dot(t.n);
  const Vector3 g = contracted(t.nyy) + e.x() * t.ny[0] + e.y() * t.ny[1] + e.z() * t.ny[2];
  volume += v;
  first += g + v * e;
  const Six mixed = twice_product(e, g + 0.5 * v * e);
  for (std::size_t i = 0; i < 6; ++i) {
    second[i] +=
        t.yy[i] + e.x() * t.nyy[0][i] + e.y() * t.nyy[1][i] + e.z() * t.nyy[2][i] + mixed[i];
  }
  cap -= normal.dot(t.n);
  area += t.area;
}

}  // namespace bristle::mesh_detail
