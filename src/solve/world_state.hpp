#pragma once

// Reading and writing the pieces of a world's state vector.

#include <span>

#include "bristle/core/index.hpp"
#include "bristle/shape/pose.hpp"

namespace bristle::detail {

inline constexpr int body_places = 7, body_speeds = 6, joint_places = 2;

inline Vector3 triple(std::span<const double> y, int i) noexcept {
  return {y[at(i)], y[at(i + 1)], y[at(i + 2)]};
}
inline Eigen::Vector2d couple(std::span<const double> y, int i) noexcept {
  return {y[at(i)], y[at(i + 1)]};
}
inline Eigen::Quaterniond turned(std::span<const double> y, int i) noexcept {
  return Eigen::Quaterniond(y[at(i)], y[at(i + 1)], y[at(i + 2)], y[at(i + 3)]).normalized();
}
template <class V>
void put(std::span<double> y, int i, const V& v) noexcept {
  for (int k = 0; k < v.size(); ++k) y[at(i + k)] = v[k];
}

}  // namespace bristle::detail
