#pragma once

// States as numbers, one after the other. A state names its members once, in the order in which
// they are saved:
//
//   template <class S, class F>
//   static void visit(S& s, F&& f) noexcept { f(s.x, s.active, s.frame.n); }
//
// A member is a number, a flag, a vector or a quaternion (w, x, y, z).

#include <type_traits>

#include <Eigen/Geometry>

namespace bristle::detail {

/// f(number) for each number of a member. Flags and counts pass through a number.
template <class M, class F>
void for_each_number(M& member, F&& f) noexcept {
  using T = std::remove_const_t<M>;
  if constexpr (std::is_same_v<T, double>) {
    f(member);
  } else if constexpr (std::is_integral_v<T>) {
    auto number = static_cast<double>(member);
    f(number);
    if constexpr (!std::is_const_v<M>) member = static_cast<T>(number);
  } else if constexpr (std::is_same_v<T, Eigen::Quaterniond>) {
    f(member.w());
    f(member.x());
    f(member.y());
    f(member.z());
  } else {
    for (int i = 0; i < member.size(); ++i) f(member[i]);
  }
}

template <class S>
int numbers_of(const S& state) noexcept {
  int count = 0;
  S::visit(state, [&](const auto&... members) {
    (for_each_number(members, [&](double) { ++count; }), ...);
  });
  return count;
}
/// Both move on to the next free or unread number.
template <class S>
void save_numbers(const S& state, double*& next) noexcept {
  S::visit(state, [&](const auto&... members) {
    (for_each_number(members, [&](double number) { *next++ = number; }), ...);
  });
}
template <class S>
void restore_numbers(S& state, const double*& next) noexcept {
  S::visit(state, [&](auto&... members) {
    (for_each_number(members, [&](double& number) { number = *next++; }), ...);
  });
}

}  // namespace bristle::detail
