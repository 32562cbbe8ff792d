#pragma once

// The contacts of one law: the only place where a law's type meets a run-time interface.

#include <algorithm>
#include <type_traits>

#include <ceres/jet.h>

#include "bristle/friction/any_law.hpp"

namespace bristle::detail {

/// Calls number(name, unit, axis, index, member) for each number of a state; index is −1 outside
/// arrays.
template <class S, class F>
void each_number(S& state, F&& number) {
  std::remove_const_t<S>::visit(state, [&](const char* name, const char* unit, auto& member) {
    using M = std::remove_cvref_t<decltype(member)>;
    static constexpr std::array<const char*, 3> axes{"_x", "_y", "_z"};
    const auto vector = [&](auto& v, int index) {
      constexpr int d = std::remove_cvref_t<decltype(v)>::RowsAtCompileTime;
      for (int k = 0; k < d; ++k) {
        number(name, unit, d == 1 ? "" : axes[static_cast<std::size_t>(k)], index, v[k]);
      }
    };
    if constexpr (requires { M::RowsAtCompileTime; }) {
      vector(member, -1);
    } else if constexpr (requires { member.size(); }) {
      int index = 0;
      for (auto& item : member) {
        if constexpr (requires { std::remove_cvref_t<decltype(item)>::RowsAtCompileTime; }) {
          vector(item, index);
        } else {
          number(name, unit, "", index, item);
        }
        ++index;
      }
    } else {
      number(name, unit, "", -1, member);
    }
  });
}

template <class S>
int count_numbers() {
  S state{};
  int count = 0;
  each_number(state, [&](auto&&...) { ++count; });
  return count;
}

template <class S>
void save_state(const S& state, std::span<double> numbers) noexcept {
  std::size_t i = 0;
  each_number(state, [&](std::string_view, const char*, const char*, int, const auto& member) {
    numbers[i++] = parameter_value(member);
  });
}
template <class S>
void restore_state(S& state, std::span<const double> numbers) noexcept {
  std::size_t i = 0;
  each_number(state, [&](std::string_view, const char*, const char*, int, auto& member) {
    assign_parameter(member, numbers[i++]);
  });
}

/// Derivatives are taken a few at a time with one dual type, so that each law is compiled for it
/// once; a bristle on a line needs a single pass.
using Dual = ceres::Jet<double, 4>;

/// The variable number `variable` (of v, load, state) as a dual number of the pass from `first` on.
inline Dual seeded(double value, int variable, int first) noexcept {
  const int k = variable - first;
  return k >= 0 && k < Dual::DIMENSION ? Dual(value, k) : Dual(value);
}

template <class L, int D>
class LawGroup final : public Group<D> {
 public:
  using State = typename L::template State<double, D>;
  using typename Group<D>::Vector;
  using typename Group<D>::Contact;

  LawGroup(const L& law, int contacts)
      : law_(law),
        states_(static_cast<std::size_t>(contacts), law.template initial<double, D>(1.0)),
        state_size_(count_numbers<State>()) {}

  int size() const noexcept override { return static_cast<int>(states_.size()); }
  void reset(int i, double fn) noexcept override {
    states_[at(i)] = law_.template initial<double, D>(fn);
  }
  void force(std::span<const Contact> slips, std::span<Vector> forces) const noexcept override {
    for (std::size_t i = 0; i < states_.size(); ++i) forces[i] = force_of(slips[i], states_[i]);
  }
  void advance(std::span<const Contact> slips, double dt) noexcept override {
    if constexpr (!std::is_empty_v<State>) {
      for (std::size_t i = 0; i < states_.size(); ++i) {
        states_[i] = law_.advance(slips[i], states_[i], dt);
      }
    }
  }
  Vector mean_force(int i, const Contact& slip, double dt) const noexcept override {
    return average_force(law_, slip, states_[at(i)], dt);
  }
  int state_size() const noexcept override { return state_size_; }
  void save(int i, std::span<double> numbers) const noexcept override {
    save_state(states_[at(i)], numbers);
  }
  void restore(int i, std::span<const double> numbers) noexcept override {
    restore_state(states_[at(i)], numbers);
  }
  void rate(int i, const Contact& slip, std::span<double> numbers) const noexcept override {
    if constexpr (!std::is_empty_v<State>) {
      save_state(law_.rate(slip, states_[at(i)]), numbers);
    }
  }
  void respond(int i, const Contact& slip, Vector& force, std::span<double> rate,
               double& dissipation) const noexcept override {
    const State& state = states_[at(i)];
    if constexpr (requires { law_.respond(slip, state, force, dissipation); }) {
      save_state(law_.respond(slip, state, force, dissipation), rate);
      return;
    }
    force = force_of<double>(slip, state);
    if constexpr (!std::is_empty_v<State>) {
      save_state(law_.rate(slip, state), rate);
      dissipation = law_.dissipation(slip, state);
    } else {
      dissipation = force.dot(slip.v);  // nothing is stored
    }
  }
  void derivatives(int i, const Contact& slip, std::span<double> force_by,
                   std::span<double> rate_by) const noexcept override {
    std::fill(force_by.begin(), force_by.end(), 0.0);
    std::fill(rate_by.begin(), rate_by.end(), 0.0);
    if constexpr (
        !requires { law_.seed; } && !requires { law_.plus.seed; }) {
      const int variables = D + 1 + state_size_;
      for (int first = 0; first < variables; first += Dual::DIMENSION) {
        one_pass(slip, states_[at(i)], first, variables, force_by, rate_by);
      }
    }
  }
  std::vector<StateColumn> columns() const override {
    std::vector<StateColumn> list;
    State state{};
    each_number(state, [&](std::string_view name, const char* unit, const char* suffix, int index,
                           auto& member) {
      const std::string number = index < 0 ? "" : std::to_string(index + 1);
      const bool real = std::is_floating_point_v<std::remove_cvref_t<decltype(member)>>;
      list.push_back({std::string(name) + number + suffix, unit, !real, index >= 0});
    });
    return list;
  }
  double stored(int i, double fn) const noexcept override {
    return law_.stored(fn, states_[at(i)]);
  }
  double dissipation(int i, const Contact& slip) const noexcept override {
    return law_.dissipation(slip, states_[at(i)]);
  }
  void relax(int i, double fn) noexcept override {
    states_[at(i)] = law_.relax(fn, states_[at(i)]);
  }
  double guard(int i, const Contact& slip) const noexcept override {
    if constexpr (requires { law_.guard(slip, states_[0]); }) {
      return law_.guard(slip, states_[at(i)]);
    }
    return -1.0;
  }
  void jump(int i, const Contact& slip) noexcept override {
    if constexpr (requires { law_.jump(slip, states_[0]); }) {
      states_[at(i)] = law_.jump(slip, states_[at(i)]);
    }
  }

 private:
  static std::size_t at(int i) noexcept { return static_cast<std::size_t>(i); }
  template <class T>
  Tangent<T, D> force_of(const Slip<T, D>& slip,
                         const typename L::template State<T, D>& state) const noexcept {
    if constexpr (FrictionLaw<L>) {
      return friction_force(law_, slip, state);
    } else {
      return law_.force(slip, state);
    }
  }
  void one_pass(const Contact& slip, const State& state, int first, int variables,
                std::span<double> force_by, std::span<double> rate_by) const noexcept {
    const auto put = [&](std::span<double> matrix, int row, const Dual& value) {
      for (int k = 0; k < Dual::DIMENSION && first + k < variables; ++k) {
        matrix[at(row * variables + first + k)] = value.v[k];
      }
    };
    const Slip<Dual, D> s = seeded_slip(slip, first);
    const auto z = seeded_state(state, first);
    const Tangent<Dual, D> f = force_of<Dual>(s, z);
    for (int row = 0; row < D; ++row) put(force_by, row, f[row]);
    if constexpr (!std::is_empty_v<State>) {
      const auto rates = law_.rate(s, z);
      int row = 0;
      each_number(rates, [&](std::string_view, const char*, const char*, int, const auto& member) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(member)>, Dual>) {
          put(rate_by, row, member);
        }
        ++row;
      });
    }
  }
  Slip<Dual, D> seeded_slip(const Contact& slip, int first) const noexcept {
    Slip<Dual, D> s;
    for (int k = 0; k < D; ++k) {
      s.v[k] = seeded(slip.v[k], k, first);
      s.f_e[k] = Dual(slip.f_e[k]);
      s.v_lag[k] = looks_back() ? Dual(slip.v_lag[k]) : s.v[k];
    }
    s.fn = seeded(slip.fn, D, first);
    s.keep_mode = slip.keep_mode;
    return s;
  }
  bool looks_back() const noexcept {
    if constexpr (requires { law_.delay(); }) return law_.delay() > 0;
    return false;
  }
  typename L::template State<Dual, D> seeded_state(const State& state, int first) const noexcept {
    // Through the plain numbers: the two states list the same members in the same order.
    std::array<double, 16> numbers{};
    save_state(state, numbers);
    typename L::template State<Dual, D> z{};
    int variable = D + 1;
    each_number(z, [&](std::string_view, const char*, const char*, int, auto& member) {
      const double value = numbers[at(variable - D - 1)];
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(member)>, Dual>) {
        member = seeded(value, variable, first);
      } else {
        assign_parameter(member, value);
      }
      ++variable;
    });
    return z;
  }

  L law_;
  std::vector<State> states_;
  int state_size_;
};

}  // namespace bristle::detail
