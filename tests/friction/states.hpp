#pragma once

// States of any law as numbers: turned, negated, compared.

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "bristle/friction/law.hpp"

namespace bristle::testing {

/// Calls f for each Tangent and each real scalar of two states at once.
template <class A, class B, class F>
void zip_states(A& a, B& b, F&& f) {
  std::vector<void*> places;
  std::remove_const_t<B>::visit(b, [&](const char*, const char*, auto& member) {
    places.push_back(const_cast<void*>(static_cast<const void*>(&member)));
  });
  std::size_t next = 0;
  std::remove_const_t<A>::visit(
      a, [&](const char*, const char*, auto& member) { f(member, places[next++]); });
}

template <class M>
constexpr bool is_vector = requires { M::RowsAtCompileTime; };
template <class M>
constexpr bool is_list = !is_vector<M> && requires(M m) {
  m.size();
  m[0];
};

/// Applies g to every vector member, h to every real scalar member.
template <class S, class G, class H>
S mapped(S state, G&& g, H&& h) {
  S::visit(state, [&](const char*, const char*, auto& member) {
    using M = std::remove_cvref_t<decltype(member)>;
    if constexpr (is_vector<M>) {
      member = g(member);
    } else if constexpr (is_list<M>) {
      for (auto& item : member) {
        if constexpr (is_vector<std::remove_cvref_t<decltype(item)>>) item = g(item);
      }
    } else if constexpr (std::is_floating_point_v<M>) {
      member = h(member);
    }
  });
  return state;
}
template <class S>
S negated(const S& state) {
  return mapped(
      state, [](const auto& v) { return (-v).eval(); }, [](double x) { return x; });
}

/// All numbers of a state, in order; discrete ones too.
template <class S>
std::vector<double> numbers_of(const S& state) {
  std::vector<double> all;
  S::visit(state, [&](const char*, const char*, const auto& member) {
    using M = std::remove_cvref_t<decltype(member)>;
    const auto add_vector = [&](const auto& v) {
      for (int i = 0; i < v.size(); ++i) all.push_back(value_of(v[i]));
    };
    if constexpr (is_vector<M>) {
      add_vector(member);
    } else if constexpr (is_list<M>) {
      for (const auto& item : member) {
        if constexpr (is_vector<std::remove_cvref_t<decltype(item)>>) {
          add_vector(item);
        } else {
          all.push_back(parameter_value(item));
        }
      }
    } else {
      all.push_back(parameter_value(member));
    }
  });
  return all;
}
template <class S>
bool all_finite(const S& state) {
  for (const double x : numbers_of(state)) {
    if (!std::isfinite(x)) return false;
  }
  return true;
}
/// Largest difference of two lists of numbers over their largest number.
inline double relative_gap(const std::vector<double>& a, const std::vector<double>& b) {
  double gap = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    gap = std::max(gap, std::abs(a[i] - b[i]));
    size = std::max({size, std::abs(a[i]), std::abs(b[i])});
  }
  return size > 0 ? gap / size : 0.0;
}
/// Largest relative difference of two states, member by member; a vector much shorter than it was
/// before is measured against that.
template <class S>
double state_gap(const S& a, const S& b, const S& before) {
  std::vector<std::vector<double>> lists;
  const auto collect = [&](const S& state) {
    S::visit(state, [&](const char*, const char*, const auto& member) {
      using M = std::remove_cvref_t<decltype(member)>;
      std::vector<double> numbers;
      const auto add = [&](const auto& x) {
        if constexpr (is_vector<std::remove_cvref_t<decltype(x)>>) {
          for (int i = 0; i < x.size(); ++i) numbers.push_back(x[i]);
        } else {
          numbers.push_back(parameter_value(x));
        }
      };
      if constexpr (is_list<M>) {
        for (const auto& item : member) add(item);
      } else {
        add(member);
      }
      lists.push_back(numbers);
    });
  };
  collect(a);
  collect(b);
  collect(before);
  const std::size_t members = lists.size() / 3;
  double gap = 0;
  for (std::size_t m = 0; m < members; ++m) {
    double size = 0, difference = 0;
    for (std::size_t i = 0; i < lists[m].size(); ++i) {
      const double x = lists[m][i], y = lists[m + members][i];
      difference = std::max(difference, std::abs(x - y));
      size = std::max({size, std::abs(x), std::abs(y), std::abs(lists[m + 2 * members][i])});
    }
    if (size > 0) gap = std::max(gap, difference / size);
  }
  return gap;
}
template <int D>
double relative_gap(const Tangent<double, D>& a, const Tangent<double, D>& b) {
  const double size = std::max(norm<double, D>(a), norm<double, D>(b));
  return size > 0 ? norm<double, D>(a - b) / size : 0.0;
}

}  // namespace bristle::testing
