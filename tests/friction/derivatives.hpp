#pragma once

// Exact derivatives of any law along a random line through parameters, slip, load and state,
// against central differences.

#include <utility>
#include <vector>

#include <ceres/jet.h>

#include "random_cases.hpp"
#include "states.hpp"

namespace bristle::testing {

using Jet = ceres::Jet<double, 1>;

/// x along a random line: x(ε) = x + ε dx, evaluated at a double ε or at a dual ε.
class Line {
 public:
  double along(double x, double scale, double eps) { return x + eps * slope(x, scale); }
  Jet along(double x, double scale, const Jet& eps) { return Jet(x) + eps * slope(x, scale); }
  void rewind() { next_ = 0; }

 private:
  double slope(double x, double scale) {
    if (next_ == slopes_.size()) slopes_.push_back(2 * draw_share() - 1);
    return slopes_[next_++] * (x != 0 ? std::abs(x) : scale);
  }
  std::vector<double> slopes_;
  std::size_t next_ = 0;
};

/// The case (law, slip, state) moved along the line; T is double or Jet.
template <template <class> class Law, int D, class T>
struct Case {
  Law<T> law;
  Slip<T, D> slip;
  typename Law<T>::template State<T, D> state;

  Case(const Law<double>& law0, const Slip<double, D>& slip0,
       const typename Law<double>::template State<double, D>& state0, Line& line, const T& eps) {
    line.rewind();
    move_parameters(law0, line, eps);
    const double speed = norm<double, D>(slip0.v);
    for (int i = 0; i < D; ++i) slip.v[i] = line.along(slip0.v[i], speed, eps);
    slip.fn = line.along(slip0.fn, 1, eps);
    for (int i = 0; i < D; ++i) slip.f_e[i] = line.along(slip0.f_e[i], 1, eps);
    for (int i = 0; i < D; ++i) slip.v_lag[i] = line.along(slip0.v_lag[i], speed, eps);
    move_state(state0, line, eps);
  }

 private:
  void move_parameters(const Law<double>& law0, Line& line, const T& eps) {
    std::vector<std::pair<double, Kind>> values;
    std::vector<std::pair<double, double>> ends;
    for_each_parameter(law0, [&](const Traits& t, const auto& m) {
      values.emplace_back(parameter_value(m), t.kind);
      ends.emplace_back(t.range.min, t.range.max);
    });
    std::size_t next = 0;
    for_each_parameter(law, [&](const Traits&, auto& m) {
      const auto [value, kind] = values[next];
      const bool at_end = value == ends[next].first || value == ends[next].second;
      ++next;
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(m)>, T>) {
        // A parameter at the end of its range stays there.
        m = kind == Kind::real && !at_end ? T(line.along(value, 0, eps)) : T(value);
      } else {
        assign_parameter(m, value);
      }
    });
  }
  template <class S0>
  void move_state(const S0& state0, Line& line, const T& eps) {
    zip_states(state, state0, [&](auto& member, void* place) {
      using M = std::remove_cvref_t<decltype(member)>;
      const auto move_vector = [&](auto& v, const Tangent<double, D>& from) {
        for (int i = 0; i < D; ++i) v[i] = line.along(from[i], 1e-9, eps);
      };
      if constexpr (is_vector<M>) {
        move_vector(member, *static_cast<const Tangent<double, D>*>(place));
      } else if constexpr (is_list<M>) {
        using Item = std::remove_cvref_t<decltype(member[0])>;
        if constexpr (is_vector<Item>) {
          const auto* from = static_cast<const Tangent<double, D>*>(place);
          for (std::size_t i = 0; i < member.size(); ++i) move_vector(member[i], from[i]);
        } else {
          member = *static_cast<const M*>(place);
        }
      } else if constexpr (std::is_same_v<M, T>) {
        member = line.along(*static_cast<const double*>(place), 0, eps);
      } else {
        member = *static_cast<const M*>(place);
      }
    });
  }
};

struct DerivativeCount {
  int smooth = 0, kinks = 0;
};

/// Compares the dual derivative of f with central differences along the line; a jump or corner
/// within the difference's reach counts as a kink and is not compared.
template <template <class> class Law, int D, class F>
void compare_derivative(const Law<double>& law, const Slip<double, D>& slip,
                        const typename Law<double>::template State<double, D>& state, F&& f,
                        DerivativeCount& count) {
  Line line;
  const auto at = [&](double eps) { return f(Case<Law, D, double>(law, slip, state, line, eps)); };
  constexpr double h = 1e-6;
  const Tangent<double, D> middle = at(0), above = at(h), below = at(-h);
  const Tangent<Jet, D> dual = f(Case<Law, D, Jet>(law, slip, state, line, Jet(0.0, 0)));
  Tangent<double, D> exact;
  for (int i = 0; i < D; ++i) exact[i] = dual[i].v[0];
  const Tangent<double, D> right = (above - middle) / h, left = (middle - below) / h;
  const double size = norm<double, D>(middle) + norm<double, D>(exact);
  if (norm<double, D>(right - left) > 3e-5 * (size + norm<double, D>(right))) {
    ++count.kinks;
    return;
  }
  ++count.smooth;
  const Tangent<double, D> central = (above - below) / (2 * h);
  RC_LOG() << "middle " << middle.transpose() << " exact " << exact.transpose() << " central "
           << central.transpose() << "\n";
  const double gap = norm<double, D>(exact - central), slope = norm<double, D>(central);
  RC_ASSERT(gap <= 2e-5 * (size + slope));
}

}  // namespace bristle::testing
