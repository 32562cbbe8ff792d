#pragma once

/// Armstrong's seven-parameter model, Armstrong-Hélouvry, Dupont, Canudas de Wit 1994.
///
///   stick:  F = k_t d, ḋ = v;   breaks away when |F| ≥ F_c + F_s(t_2),
///           F_s(t_2) = F_sa + (F_s∞ − F_sa) t_2/(t_2 + γ),   t_2: time at rest
///   slip:   F = [F_c + F_v |v| + F_s/(1 + (v(t−τ_L)/v_s)²)] sgn v,  F_s frozen at its break-away
///   value rest again when |v| falls through D_v:  F_sa := F_s, t_2 := 0, d := F_e/k_t
///
/// with F_c = μ_k f_n, F_s∞ = (μ_s − μ_k) f_n and F_e the force that would hold the body, supplied
/// by the solver. A slip that ends before it has left the band D_v comes to rest where it turns.
/// F_s and F_sa are kept per newton of load. v is kept while sticking. Limits: not passive (the
/// stick spring starts loaded with F_e); γ → 0 forgets the time at rest.

#include "bristle/friction/law.hpp"

namespace bristle {

template <class P = double>
struct Armstrong {
  P mu_s = P(0.25), mu_k = P(0.2), f_v = P(0.01), k_t = P(1e4), v_s = P(1e-4), tau_L = P(0),
    gamma = P(100), dv = P(1e-4), f_sa0 = P(1);

  template <class T, int D>
  struct State {
    Tangent<T, D> d = zero<T, D>();  ///< stretch of the stick spring, x − x_ref
    T f_sa = T(0);                   ///< F_sa/f_n: Stribeck level of the previous sliding
    T f_s = T(0);                    ///< F_s/f_n: frozen at break-away
    T t_2 = T(0);                    ///< time at rest
    Mode mode = Mode::stick;
    template <class S, class F>
    static void visit(S& s, F&& f) noexcept {
      f("d", "m", s.d);
      f("f_sa", "1", s.f_sa);
      f("f_s", "1", s.f_s);
      f("t_2", "s", s.t_2);
      f("mode", "1", s.mode);
    }
    bool operator==(const State&) const = default;
  };

  static constexpr auto describe() {
    return description(
        Page{
            .name = "armstrong-7",
            .title = "Armstrong's seven parameters",
            .source = "Armstrong-Hélouvry, Dupont, Canudas de Wit 1994; Lin 2001 (2.3)–(2.5)",
            .formula =
                R"(F = \begin{cases} k_t\,(x-x_{ref}) & \text{stick, until } |F| \ge F_c+F_s(t_2)\\ \left[F_c+F_v|v|+\dfrac{F_s}{1+(v(t-\tau_L)/v_s)^2}\right]\operatorname{sgn} v & \text{slip, until } |v| \text{ falls through } D_v\end{cases}\qquad F_s(t_2) = F_{s,a}+(F_{s,\infty}-F_{s,a})\frac{t_2}{t_2+\gamma},\qquad F_c = \mu_k f_n,\qquad F_{s,\infty} = (\mu_s-\mu_k) f_n)",
            .use = "Machines whose static friction grows with rest and whose sliding friction lags "
                   "behind speed; the survey's reference model.",
            .limits =
                "Two switching rules and a jump: not passive, and sensitive to where the stick "
                "spring starts. Needs F_e from the solver and the slip of τ_L ago. A contact that "
                "breaks away and does not exceed D_v rests again where its slip turns back: until "
                "then it gathers no dwell time.",
            .printed =
                "printed with 1/k_t for k_t, without the square of v/v_s, and with the static "
                "level 0.25 N in the place of the Stribeck magnitude F_s∞ = 0.05 N",
            .advance =
                "exact for frozen slip and load but for the moment of break-away, which is "
                "second order in the step; coming to rest is noticed at the start of a step, "
                "so along a history it is first order"},
        fields(field(&Armstrong::mu_s, "mu_s", "μ_s", "1", above(0), usual(0.05, 1),
                     "static level after a long rest: F_c + F_s∞ = μ_s f_n"),
               field(&Armstrong::mu_k, "mu_k", "μ_k", "1", at_least(0), usual(0.05, 1),
                     "Coulomb level: F_c = μ_k f_n")
                   .also("mu_d"),
               field(&Armstrong::f_v, "f_v", "F_v", "N s/m", at_least(0), usual(0.01, 10),
                     "viscous coefficient")
                   .also("F_v", "sigma2"),
               field(&Armstrong::k_t, "k_t", "k_t", "N/m", above(0), usual(1e3, 1e7),
                     "tangential stiffness while sticking"),
               field(&Armstrong::v_s, "v_s", "v_s", "m/s", above(0), usual(1e-4, 1e-1),
                     "Stribeck speed"),
               field(&Armstrong::tau_L, "tau_L", "τ_L", "s", at_least(0), usual(1e-3, 0.1),
                     "frictional memory: the Stribeck part follows the slip of τ_L ago")
                   .also("tau_l"),
               field(&Armstrong::gamma, "gamma", "γ", "s", at_least(0), usual(0.1, 100),
                     "time at rest after which half of the static growth is reached"),
               field(&Armstrong::dv, "dv", "D_v", "m/s", at_least(0), usual(1e-6, 1e-3),
                     "speed below which sliding ends")
                   .from("Lin 2001 3.1.4"),
               field(&Armstrong::f_sa0, "f_sa0", "F_sa(0)/F_s∞", "1", between(0, 1), usual(0.1, 1),
                     "Stribeck level at the start, as a fraction of F_s∞: 1 fully rested, 0 fresh")
                   .from("Lin 2001 3.1.4")
                   .shared()),
        orders(Order{"mu_s", "mu_k"}));
  }

  P delay() const noexcept { return tau_L; }

  template <class T, int D = 1>
  State<T, D> initial(const T&) const noexcept {
    const T start(f_sa0 * (mu_s - mu_k));
    return {zero<T, D>(), start, start, T(0), Mode::stick};
  }
  template <class T, int D>
  State<T, D> relax(const T& fn, const State<T, D>& state) const noexcept {
    return loaded(fn) ? state : State<T, D>{};
  }
  /// Rises through 0 at break-away and where |v| falls through D_v, or through 0 before it has
  /// passed D_v.
  template <class T, int D>
  T guard(const Slip<T, D>& slip, const State<T, D>& st) const noexcept {
    if (!loaded(slip.fn)) return T(-1);
    switch (st.mode) {
      case Mode::stick:
        return stretch(slip.fn, st) / (mu_s * slip.fn);
      case Mode::slip:
        return T(dv) - pace(slip, st);
      case Mode::breaking: {
        const T out = norm<T, D>(slip.v) - T(dv), back = -ahead(slip, st);
        return value_of(out) > value_of(back) ? out : back;
      }
    }
    return T(-1);
  }
  /// The mode that fits slip and load. `breaking` is slip that has not left the band D_v yet: it
  /// sticks again only where it turns back. `d` keeps its way.
  template <class T, int D>
  State<T, D> jump(const Slip<T, D>& slip, const State<T, D>& state) const noexcept {
    State<T, D> st = relax(slip.fn, state);
    if (!loaded(slip.fn)) return st;
    const T speed = norm<T, D>(slip.v);
    if (st.mode == Mode::breaking && speed > T(dv)) st.mode = Mode::slip;
    if (st.mode == Mode::slip && !(pace(slip, st) > T(dv))) return rest(slip, st);
    if (st.mode == Mode::breaking && ahead(slip, st) < T(0)) return rest(slip, st);
    if (st.mode == Mode::stick && stretch(slip.fn, st) > T(0)) break_away(slip, st);
    return st;
  }
  template <class T, int D>
  State<T, D> rate(const Slip<T, D>& slip, const State<T, D>& state) const noexcept {
    if (!loaded(slip.fn)) return {};
    if ((slip.keep_mode ? state : jump(slip, state)).mode != Mode::stick) return {};
    return {slip.v, T(0), T(0), T(1), Mode::stick};
  }
  template <class T, int D>
  Tangent<T, D> force(const Slip<T, D>& slip, const State<T, D>& state) const noexcept {
    if (!loaded(slip.fn)) return zero<T, D>();
    const State<T, D> st = slip.keep_mode ? state : jump(slip, state);
    if (st.mode == Mode::stick) return k_t * st.d;
    // As it turns back it goes on smoothly, until the event is found.
    const bool turns = (st.mode == Mode::breaking && ahead(slip, st) < T(0)) ||
                       (st.mode == Mode::slip && pace(slip, st) < T(0));
    const bool rests = value_of(norm<T, D>(slip.v)) == 0.0;
    return direction<T, D>(turns || rests ? st.d : slip.v) * sliding_level(slip, st.f_s);
  }
  template <class T, int D>
  State<T, D> advance(const Slip<T, D>& slip, const State<T, D>& state,
                      const T& dt) const noexcept {
    if (!loaded(slip.fn)) return {};
    State<T, D> end = jump(slip, state);
    if (end.mode != Mode::stick) return end;
    const State<T, D> st = end;
    end.d += slip.v * dt;
    end.t_2 += dt;
    const T excess1 = stretch(slip.fn, end);
    if (!(excess1 > T(0))) return end;
    const T excess0 = stretch(slip.fn, st);
    const T part = -excess0 / (excess1 - excess0);
    end.d = st.d + slip.v * (part * dt);
    end.t_2 = st.t_2 + part * dt;
    break_away(slip, end);
    return end;
  }
  /// Sliding for ever after a long rest: F_s = F_s∞, v(t−τ_L) = v.
  template <class T, int D>
  Tangent<T, D> steady(const Tangent<T, D>& v, const T& fn) const noexcept {
    if (!loaded(fn)) return zero<T, D>();
    return direction<T, D>(v) * sliding_level(sliding<T, D>(v, fn), T(mu_s - mu_k));
  }
  template <class T, int D>
  T bound(const Tangent<T, D>& v, const T& fn) const noexcept {
    return mu_s * fn + f_v * norm<T, D>(v);
  }
  template <class T, int D>
  T stored(const T& fn, const State<T, D>& state) const noexcept {
    if (!loaded(fn) || state.mode != Mode::stick) return T(0);
    return T(0.5) * k_t * state.d.dot(state.d);
  }
  template <class T, int D>
  T dissipation(const Slip<T, D>& slip, const State<T, D>& state) const noexcept {
    if (!loaded(slip.fn)) return T(0);
    const State<T, D> st = slip.keep_mode ? state : jump(slip, state);
    if (st.mode == Mode::stick) return T(0);
    return sliding_level(slip, st.f_s) * norm<T, D>(slip.v);
  }
  /// A stick that begins with F_e in its spring is energy from nowhere.
  template <class T>
  bool passive(const T&) const noexcept {
    return false;
  }

 private:
  /// Where the load falls away from a spring that is being let go, slip goes against the stretch.
  template <class T, int D>
  void break_away(const Slip<T, D>& slip, State<T, D>& st) const noexcept {
    st.f_s = risen(st);
    st.mode = norm<T, D>(slip.v) > T(dv) ? Mode::slip : Mode::breaking;
    if (ahead(slip, st) < T(0)) st.d = direction<T, D>(slip.v) * norm<T, D>(st.d);
  }
  /// Slip along the way of the last stretch.
  template <class T, int D>
  T ahead(const Slip<T, D>& slip, const State<T, D>& st) const noexcept {
    return slip.v.dot(direction<T, D>(st.d));
  }
  /// Speed of a contact that slides; on a line, where events are located, below 0 as it turns.
  template <class T, int D>
  T pace(const Slip<T, D>& slip, const State<T, D>& st) const noexcept {
    if constexpr (D == 1) {
      if (slip.keep_mode && value_of(st.d[0]) != 0.0) return ahead(slip, st);
    }
    return norm<T, D>(slip.v);
  }
  /// F_s(t_2)/f_n
  template <class T, int D>
  T risen(const State<T, D>& st) const noexcept {
    const T age = st.t_2 + gamma;
    const T share = value_of(gamma) == 0.0 ? T(1) : T(st.t_2 / age);
    return st.f_sa + (mu_s - mu_k - st.f_sa) * share;
  }
  /// |F| − (F_c + F_s(t_2)) while sticking.
  template <class T, int D>
  T stretch(const T& fn, const State<T, D>& st) const noexcept {
    return k_t * norm<T, D>(st.d) - fn * (mu_k + risen(st));
  }
  template <class T, int D>
  T sliding_level(const Slip<T, D>& slip, const T& f_s) const noexcept {
    const T x = norm<T, D>(slip.v_lag) / v_s;
    return slip.fn * (mu_k + f_s / (T(1) + x * x)) + f_v * norm<T, D>(slip.v);
  }
  /// At rest again: the stick spring takes over F_e, as far as the new static level allows.
  template <class T, int D>
  State<T, D> rest(const Slip<T, D>& slip, const State<T, D>& st) const noexcept {
    const T level = slip.fn * (mu_k + st.f_s);
    return {clip<T, D>(slip.f_e, level) / k_t, st.f_s, st.f_s, T(0), Mode::stick};
  }
};

}  // namespace bristle
