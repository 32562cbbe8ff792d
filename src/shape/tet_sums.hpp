#pragma once

// Volume and moments under triangles, summed fast.

#include <array>
#include <cmath>

#include "bristle/shape/pose.hpp"

namespace bristle::mesh_detail {

/// The tetrahedra from p0 to triangles (a, a + p, a + q). With w = p × q, d = a·w and Σ the sum of
/// the corners, 6V = d, 24∫r = d Σ and 120∫r rᵀ = d Σ v (v + Σ)ᵀ over the three corners. Triangles
/// are kept back and summed two by two, in the two lanes of a register.
class TetSums {
 public:
  void add(const Vector3& a, const Vector3& p, const Vector3& q) noexcept {
    for (std::size_t i = 0; i < 3; ++i) {
      const auto k = static_cast<int>(i);
      kept_[i][count_] = a[k];
      kept_[3 + i][count_] = p[k];
      kept_[6 + i][count_] = q[k];
    }
    if (++count_ == batch) flush();
  }
  void flush() noexcept {
    if (count_ % 2 == 1) {
      for (auto& coordinate : kept_) coordinate[count_] = 0;
    }
    for (std::size_t at = 0; at < count_; at += 2) add_two(at);
    count_ = 0;
  }
  double volume() const noexcept { return sum(0) / 6; }
  Vector3 first() const noexcept { return Vector3(sum(1), sum(2), sum(3)) / 24; }
  double second(std::size_t i) const noexcept { return sum(4 + i) / 120; }
  Vector3 vector_area() const noexcept { return Vector3(sum(10), sum(11), sum(12)) / 2; }
  double area() const noexcept { return sum(13) / 2; }

 private:
  using Two [[gnu::vector_size(16)]] = double;
  static constexpr std::size_t batch = 16;

  double sum(std::size_t i) const noexcept { return sums_[i][0] + sums_[i][1]; }

  void add_two(std::size_t at) noexcept {
    const auto two = [&](std::size_t i) { return Two{kept_[i][at], kept_[i][at + 1]}; };
    const Two ax = two(0), ay = two(1), az = two(2), px = two(3), py = two(4), pz = two(5),
              qx = two(6), qy = two(7), qz = two(8);
    const Two wx = py * qz - pz * qy, wy = pz * qx - px * qz, wz = px * qy - py * qx;
    const Two square = wx * wx + wy * wy + wz * wz;
    const Two bx = ax + px, by = ay + py, bz = az + pz, cx = ax + qx, cy = ay + qy, cz = az + qz;
    const Two sx = ax + bx + cx, sy = ay + by + cy, sz = az + bz + cz;
    const Two d = ax * wx + ay * wy + az * wz;
    sums_[0] += d;
    sums_[1] += d * sx;
    sums_[2] += d * sy;
    sums_[3] += d * sz;
    sums_[4] += d * (ax * (ax + sx) + bx * (bx + sx) + cx * (cx + sx));
    sums_[5] += d * (ay * (ay + sy) + by * (by + sy) + cy * (cy + sy));
    sums_[6] += d * (az * (az + sz) + bz * (bz + sz) + cz * (cz + sz));
    sums_[7] += d * (ax * (ay + sy) + bx * (by + sy) + cx * (cy + sy));
    sums_[8] += d * (ax * (az + sz) + bx * (bz + sz) + cx * (cz + sz));
    sums_[9] += d * (ay * (az + sz) + by * (bz + sz) + cy * (cz + sz));
    sums_[10] += wx;
    sums_[11] += wy;
    sums_[12] += wz;
    sums_[13] += Two{std::sqrt(square[0]), std::sqrt(square[1])};
  }

  alignas(16) std::array<std::array<double, batch>, 9> kept_{};
  std::size_t count_ = 0;
  std::array<Two, 14> sums_{};
};

}  // namespace bristle::mesh_detail
