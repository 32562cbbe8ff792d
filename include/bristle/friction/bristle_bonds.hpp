#pragma once

/// Bristle model, Haessig and Friedland 1991: N bonds that stretch, snap and form again at random.
///
///   F = (f_n/f_ref) Σ k_b δ_i over the bonds that count;   δ̇_i = v
///   a bond with |δ_i| > δ_s is shortened by U sgn δ_i, U uniform in (0, Δ), until |δ_i| ≤ δ_s
///
/// All N bonds count while |v| ≤ v_b, the first n_slide otherwise. In the plane a bond is shortened
/// along itself. Random numbers are keyed by (seed, bond, draw), so a step is a pure function.
/// Limits: mean sliding force n_slide k_b (δ_s − Δ/3) (renewal theory); largest N k_b δ_s. Passive
/// only if n_slide = N: bonds that do not count still store the slip.

#include <array>

#include "bristle/core/random.hpp"
#include "bristle/friction/law.hpp"

namespace bristle {

template <class P = double>
struct BristleBonds {
  static constexpr int capacity = 64;  ///< most bonds: the state has a fixed size

  P k_b = P(1250), delta_s = P(1e-5), delta_new = P(0.8e-5), v_b = P(1e-4), f_ref = P(1);
  int n = 25, n_slide = 20, seed = 1;

  template <class T, int D>
  struct State {
    std::array<Tangent<T, D>, capacity> delta = filled();
    std::array<std::uint32_t, capacity> draws{};
    template <class S, class F>
    static void visit(S& s, F&& f) noexcept {
      f("delta", "m", s.delta);
      f("draws", "1", s.draws);
    }
    bool operator==(const State&) const = default;

   private:
    static std::array<Tangent<T, D>, capacity> filled() noexcept {
      std::array<Tangent<T, D>, capacity> all;
      all.fill(zero<T, D>());
      return all;
    }
  };

  static constexpr auto describe() {
    return description(
        Page{
            .name = "bristle",
            .title = "Bristle (random bonds)",
            .source = "Haessig and Friedland 1991; Lin 2001 2.3.1, 3.1.5",
            .formula =
                R"(F = \frac{f_n}{f_{ref}}\sum_{i=1}^{N(v)} k_b\,\delta_i,\qquad \dot\delta_i = v,\qquad |\delta_i|>\delta_s:\ \delta_i \leftarrow \delta_i - U\operatorname{sgn}\delta_i,\ U\sim(0,\Delta),\qquad N(v) = \begin{cases}N & |v| \le v_b\\ N_{slide} & |v| > v_b\end{cases})",
            .use = "Studies of the scatter of friction: the force is random, with a mean and a "
                   "variance that follow from the bonds.",
            .limits =
                "Noisy by design; judge by statistics over seeds. Not passive when the number "
                "of bonds depends on speed.",
            .printed = "the range of uniform(), the initial bonds and the switching rule of N are "
                       "not printed; Lin's numbers give a mean of 0.183 N (20 bonds) and 0.229 N "
                       "(25), not 0.20 and 0.25",
            .advance = "exact for frozen slip on a line; in the plane first order in the slip per "
                       "step over δ_s"},
        fields(field(&BristleBonds::n, "n", "N", "1", between(1, capacity), usual(5, 64),
                     "number of bonds while sticking")
                   .also("N"),
               field(&BristleBonds::n_slide, "n_slide", "N_slide", "1", between(1, capacity),
                     usual(1, 64), "number of bonds that count while sliding"),
               field(&BristleBonds::k_b, "k_b", "k_b", "N/m", above(0), usual(1e2, 1e6),
                     "stiffness of a bond at the load f_ref"),
               field(&BristleBonds::delta_s, "delta_s", "δ_s", "m", above(0), usual(1e-6, 1e-4),
                     "stretch at which a bond snaps"),
               field(&BristleBonds::delta_new, "delta_new", "Δ", "m", above(0), usual(1e-7, 1e-5),
                     "range of the shortening when a bond forms again")
                   .also("Delta"),
               field(&BristleBonds::v_b, "v_b", "v_b", "m/s", at_least(0), usual(1e-5, 1e-3),
                     "speed above which only n_slide bonds count")
                   .from("Lin 2001 3.1.5, switching speed chosen as 1e-4 m/s"),
               field(&BristleBonds::f_ref, "f_ref", "f_ref", "N", above(0), usual(0.1, 100),
                     "load at which k_b holds"),
               field(&BristleBonds::seed, "seed", "seed", "1", between(0, 2147483647),
                     usual(1, 1e6), "seed of the random numbers")),
        orders(Order{"n", "n_slide"}));
  }
  const char* inconsistency() const noexcept {
    return delta_new > P(2) * delta_s ? "delta_new must not exceed 2 delta_s" : "";
  }

  template <class T, int D = 1>
  State<T, D> initial(const T&) const noexcept {
    return {};
  }
  template <class T, int D>
  State<T, D> relax(const T& fn, const State<T, D>& state) const noexcept {
    return loaded(fn) ? state : State<T, D>{};
  }
  /// Rises through 0 where the first bond snaps.
  template <class T, int D>
  T guard(const Slip<T, D>&, const State<T, D>& st) const noexcept {
    T longest(0);
    for (int i = 0; i < n; ++i) longest = larger<T>(longest, norm<T, D>(st.delta[at(i)]));
    return longest / delta_s - T(1);
  }
  template <class T, int D>
  State<T, D> jump(const Slip<T, D>& slip, const State<T, D>& state) const noexcept {
    State<T, D> st = relax(slip.fn, state);
    for (int i = 0; i < n; ++i) snap(st, i);
    return st;
  }
  template <class T, int D>
  State<T, D> rate(const Slip<T, D>& slip, const State<T, D>&) const noexcept {
    State<T, D> st;
    for (int i = 0; i < n && loaded(slip.fn); ++i) st.delta[at(i)] = slip.v;
    return st;
  }
  template <class T, int D>
  Tangent<T, D> force(const Slip<T, D>& slip, const State<T, D>& st) const noexcept {
    if (!loaded(slip.fn)) return zero<T, D>();
    Tangent<T, D> sum = zero<T, D>();
    const int counting = bonds(norm<T, D>(slip.v));
    for (int i = 0; i < counting; ++i) sum += clip<T, D>(st.delta[at(i)], T(delta_s));
    return sum * (k_b * (slip.fn / f_ref));
  }
  template <class T, int D>
  State<T, D> advance(const Slip<T, D>& slip, const State<T, D>& state,
                      const T& dt) const noexcept {
    if (!loaded(slip.fn)) return {};
    State<T, D> st = state;
    const Tangent<T, D> path = slip.v * dt;
    for (int i = 0; i < n; ++i) {
      st.delta[at(i)] += path;
      snap(st, i);
    }
    return st;
  }
  template <class T, int D>
  Tangent<T, D> steady(const Tangent<T, D>& v, const T& fn) const noexcept {
    if (!loaded(fn)) return zero<T, D>();
    const T mean = k_b * (delta_s - delta_new / P(3)) * (fn / f_ref);
    return direction<T, D>(v) * (mean * T(bonds(norm<T, D>(v))));
  }
  template <class T, int D>
  T bound(const Tangent<T, D>& v, const T& fn) const noexcept {
    return T(bonds(norm<T, D>(v))) * k_b * delta_s * (fn / f_ref);
  }
  template <class T, int D>
  T stored(const T& fn, const State<T, D>& st) const noexcept {
    if (!loaded(fn)) return T(0);
    T sum(0);
    for (int i = 0; i < n; ++i) sum += st.delta[at(i)].dot(st.delta[at(i)]);
    return T(0.5) * k_b * (fn / f_ref) * sum;
  }
  /// Between snaps nothing is lost; bonds that do not count are stretched without work.
  template <class T, int D>
  T dissipation(const Slip<T, D>& slip, const State<T, D>& st) const noexcept {
    if (!loaded(slip.fn)) return T(0);
    T idle(0);
    for (int i = bonds(norm<T, D>(slip.v)); i < n; ++i) idle += st.delta[at(i)].dot(slip.v);
    return -k_b * (slip.fn / f_ref) * idle;
  }
  template <class T>
  bool passive(const T&) const noexcept {
    return n_slide == n;
  }

 private:
  static std::size_t at(int i) noexcept { return static_cast<std::size_t>(i); }
  template <class T>
  int bonds(const T& speed) const noexcept {
    return speed > T(v_b) ? n_slide : n;
  }
  /// Shortens bond i until it holds. After `memory` ranges of overshoot nothing is left of where
  /// the bond started, so a longer overshoot is cut to that: the number of draws stays bounded.
  template <class T, int D>
  void snap(State<T, D>& st, int i) const noexcept {
    constexpr double memory = 16;
    constexpr int most_draws = 256;
    Tangent<T, D>& delta = st.delta[at(i)];
    if (!longer<T, D>(delta, T(delta_s))) return;
    const Polar<T, D> bond = polar<T, D>(delta);
    T size = smaller<T>(bond.length, T(delta_s + memory * delta_new));
    for (int draw = 0; size > T(delta_s); ++draw) {
      size = draw < most_draws
                 ? T(size - delta_new * uniform(static_cast<std::uint64_t>(seed),
                                                static_cast<std::uint64_t>(i), st.draws[at(i)]++))
                 : T(delta_s);
    }
    delta = bond.along * size;
  }
};

}  // namespace bristle
