#pragma once

/// Measured drives rarely have the same friction in both directions, and their force sensor has an
/// offset. This wrapper makes any law so: one set of parameters for v > 0, one for v < 0, and a
/// constant force added. It is a law on a line (a plane has no two directions), and alone among
/// them it is not odd. Its two springs may differ, so its energy account does not close in general.
///
/// When slip reverses, the deflection is held to what the new side's static level carries. At v = 0
/// a law with memory keeps the set of v > 0; a set-valued law takes the set on whose side the
/// holding force lies.

#include "bristle/friction/law.hpp"

namespace bristle {

template <class L, class P = double>
struct Asymmetric {
  L plus, minus;
  P offset = P(0);

  template <class T, int D>
  using State = typename L::template State<T, D>;

  /// The parameters that hold for this slip.
  template <class T, int D>
  const L& side(const Tangent<T, D>& v) const noexcept {
    static_assert(D == 1, "an asymmetric law has two directions: it lives on a line");
    return v[0] < T(0) ? minus : plus;
  }

  template <class T, int D = 1>
  State<T, D> initial(const T& fn) const noexcept {
    return plus.template initial<T, D>(fn);
  }
  /// The side to which the deflection leans: it holds and stores it.
  template <class S>
  const L& leaning(const S& state) const noexcept {
    bool back = false, known = false;
    S::visit(state, [&](const char*, const char*, const auto& member) {
      if constexpr (requires { member.RowsAtCompileTime; }) {
        if (!known) back = value_of(member[0]) < 0.0;
        known = true;
      }
    });
    return back ? minus : plus;
  }
  template <class T, int D>
  State<T, D> relax(const T& fn, const State<T, D>& state) const noexcept {
    return leaning(state).relax(fn, state);
  }
  template <class T, int D>
  T stored(const T& fn, const State<T, D>& state) const noexcept {
    return leaning(state).stored(fn, state);
  }
  template <class T, int D>
  T dissipation(const Slip<T, D>& slip, const State<T, D>& state) const noexcept {
    if (!loaded(slip.fn)) return T(0);
    return side<T, D>(slip.v).dissipation(slip, state) + offset * slip.v[0];
  }
  template <class T, int D>
  State<T, D> rate(const Slip<T, D>& slip, const State<T, D>& state) const noexcept
    requires Dynamic<L>
  {
    return side<T, D>(slip.v).rate(inner(slip), state);
  }
  template <class T, int D>
  T guard(const Slip<T, D>& slip, const State<T, D>& state) const noexcept
    requires Hybrid<L>
  {
    return side<T, D>(slip.v).guard(inner(slip), state);
  }
  template <class T, int D>
  State<T, D> jump(const Slip<T, D>& slip, const State<T, D>& state) const noexcept
    requires Hybrid<L>
  {
    return side<T, D>(slip.v).jump(inner(slip), state);
  }
  template <class T, int D>
  Tangent<T, D> force(const Slip<T, D>& slip, const State<T, D>& state) const noexcept {
    if (!loaded(slip.fn)) return zero<T, D>();
    const Slip<T, D> own = inner(slip);
    const L* law = &side<T, D>(slip.v);
    if constexpr (SetValued<L>) {
      if (!(norm<T, D>(slip.v) > T(law->stick_band()))) law = &side<T, D>(own.f_e);
    }
    return friction_force(*law, own, state) + Tangent<T, D>::Constant(T(offset));
  }
  template <class T, int D>
  State<T, D> advance(const Slip<T, D>& slip, const State<T, D>& state,
                      const T& dt) const noexcept {
    return advance_state(side<T, D>(slip.v), inner(slip), state, dt);
  }
  template <class T, int D>
  Tangent<T, D> steady(const Tangent<T, D>& v, const T& fn) const noexcept {
    if (!loaded(fn)) return zero<T, D>();
    return side<T, D>(v).steady(v, fn) + Tangent<T, D>::Constant(T(offset));
  }
  template <class T, int D>
  T bound(const Tangent<T, D>& v, const T& fn) const noexcept {
    using std::abs;
    return larger<T>(plus.bound(v, fn), minus.bound(v, fn)) + T(abs(offset));
  }

 private:
  /// What the law inside sees: the offset is not its to hold.
  template <class T, int D>
  Slip<T, D> inner(const Slip<T, D>& slip) const noexcept {
    Slip<T, D> own = slip;
    own.f_e[0] -= offset;
    return own;
  }
};

}  // namespace bristle
