#pragma once

/// A bristle that stretches with the slip until its length is p0, then slides: what the reset
/// integrator and the two MDSF laws share.
///
///   stick:  ṗ = v,                          F = (1+a) k p + β ṗ
///   slip:   ṗ = v − (v·p/|p|) p/|p|,        F = k p (+ β ṗ: MDSF)   (|p| = p0 = μ f_n/k, p·v > 0)
///
/// On a line the slip rate is 0. In the plane p turns towards v along the circle: with θ the angle
/// between them, tan(θ/2) decays as exp(−|v| t/p0), so a step with frozen slip is exact.
///
/// ½ (1+a) k p² is stored in both modes: with this storage no jump carries energy, and the law is
/// passive.

#include "bristle/friction/law.hpp"

namespace bristle {

template <class T, int D>
struct ResetState {
  Tangent<T, D> p = zero<T, D>();
  Mode mode = Mode::stick;
  template <class S, class F>
  static void visit(S& s, F&& f) noexcept {
    f("p", "m", s.p);
    f("mode", "1", s.mode);
  }
  bool operator==(const ResetState&) const = default;
};

/// Law gives coefficients(): stiffness k, stiction gain a, damping β, coefficient μ, and per_load.
template <class Law>
struct ResetLaw {
  template <class T, int D>
  using State = ResetState<T, D>;

  template <class T, int D = 1>
  State<T, D> initial(const T&) const noexcept {
    return {};
  }
  template <class T, int D>
  State<T, D> relax(const T& fn, const ResetState<T, D>& state) const noexcept {
    if (!loaded(fn)) return {};
    return {clip<T, D>(state.p, limit(fn)), state.mode};
  }
  /// Rises through 0 where the mode changes: the bristle is fully stretched, or slip turns back.
  template <class T, int D>
  T guard(const Slip<T, D>& slip, const ResetState<T, D>& state) const noexcept {
    if (!loaded(slip.fn)) return T(-1);
    if (state.mode == Mode::slip) return -state.p.dot(slip.v) / limit(slip.fn);
    return norm<T, D>(state.p) / limit(slip.fn) - T(1);
  }
  /// The mode that fits slip and load. A bristle that slides on keeps sliding while the load, and
  /// with it its limit, grows: the next step stretches it along, as far as the slip goes.
  template <class T, int D>
  State<T, D> jump(const Slip<T, D>& slip, const ResetState<T, D>& state) const noexcept {
    State<T, D> next = relax(slip.fn, slip.keep_mode ? on_circle(slip, state) : state);
    if (!loaded(slip.fn)) return next;
    const bool stretched = reaches(next.p, limit(slip.fn));
    const T outwards = next.p.dot(slip.v);
    if (outwards > T(0) && stretched) next.mode = Mode::slip;
    if (outwards < T(0) || (value_of(outwards) == 0.0 && !stretched)) next.mode = Mode::stick;
    return next;
  }
  template <class T, int D>
  State<T, D> rate(const Slip<T, D>& slip, const ResetState<T, D>& state) const noexcept {
    if (!loaded(slip.fn)) return {};
    const State<T, D> st = slip.keep_mode ? on_circle(slip, state) : jump(slip, state);
    return {rate_of(slip, st), Mode::stick};
  }
  template <class T, int D>
  Tangent<T, D> force(const Slip<T, D>& slip, const ResetState<T, D>& state) const noexcept {
    if (!loaded(slip.fn)) return zero<T, D>();
    const State<T, D> st = slip.keep_mode ? on_circle(slip, state) : jump(slip, state);
    const auto c = self().coefficients();
    const T k = scale(slip.fn);
    const T stiffness = st.mode == Mode::slip ? T(c.k * k) : T(c.k * k * (T(1) + c.a));
    if (st.mode == Mode::slip && !c.damps_turning) return stiffness * st.p;
    return stiffness * st.p + T(c.beta * k) * rate_of(slip, st);
  }
  template <class T, int D>
  State<T, D> advance(const Slip<T, D>& slip, const ResetState<T, D>& state,
                      const T& dt) const noexcept {
    if (!loaded(slip.fn)) return {};
    State<T, D> st = jump(slip, state);
    const T speed = norm<T, D>(slip.v);
    if (value_of(speed) == 0.0) return st;
    const T radius = limit(slip.fn);
    const Tangent<T, D> along = direction<T, D>(slip.v);
    T path = speed * dt;
    if (st.mode == Mode::stick || !reaches(st.p, radius)) {
      const T room = to_circle(st.p, along, radius);
      if (path < room) return {st.p + along * path, Mode::stick};
      path -= room;
      st.p = clip<T, D>(st.p + along * room, radius);
    }
    return {turned(st.p, along, radius, path), Mode::slip};
  }
  /// Stretching up to the circle, then sliding on it, each for its share of dt.
  template <class T, int D>
  Tangent<T, D> mean_force(const Slip<T, D>& slip, const ResetState<T, D>& state,
                           const T& dt) const noexcept {
    if (!loaded(slip.fn)) return zero<T, D>();
    const State<T, D> st = jump(slip, state);
    const auto c = self().coefficients();
    const T k = c.k * scale(slip.fn), speed = norm<T, D>(slip.v);
    const bool stretches = st.mode == Mode::stick || !reaches(st.p, limit(slip.fn));
    T share(stretches ? 1.0 : 0.0);
    if (stretches && value_of(speed) > 0.0) {
      const T room = to_circle(st.p, direction<T, D>(slip.v), limit(slip.fn));
      share = smaller<T>(T(1), room / (speed * dt));
    }
    const Tangent<T, D> stuck = (k * (T(1) + c.a)) * (st.p + slip.v * (share * dt / 2)) +
                                T(c.beta * scale(slip.fn)) * slip.v;
    if (!(share < T(1))) return stuck;
    const State<T, D> edge = advance(slip, st, T(share * dt)), end = advance(slip, st, dt);
    return share * stuck + (T(1) - share) * (k / 2) * (edge.p + end.p);
  }
  template <class T, int D>
  Tangent<T, D> steady(const Tangent<T, D>& v, const T& fn) const noexcept {
    if (!loaded(fn)) return zero<T, D>();
    return direction<T, D>(v) * (self().coefficients().mu * fn);
  }
  template <class T, int D>
  T bound(const Tangent<T, D>& v, const T& fn) const noexcept {
    const auto c = self().coefficients();
    return c.mu * fn * (T(1) + c.a) + c.beta * scale(fn) * norm<T, D>(v);
  }
  template <class T, int D>
  T stored(const T& fn, const ResetState<T, D>& state) const noexcept {
    const auto c = self().coefficients();
    const Tangent<T, D> p = relax(fn, state).p;
    return T(0.5) * c.k * scale(fn) * (T(1) + c.a) * p.dot(p);
  }
  /// Stick: β v². Slip: the sliding force does k p·v, and the turning bristle β ṗ² where it is
  /// damped.
  template <class T, int D>
  T dissipation(const Slip<T, D>& slip, const ResetState<T, D>& state) const noexcept {
    if (!loaded(slip.fn)) return T(0);
    const State<T, D> st = slip.keep_mode ? on_circle(slip, state) : jump(slip, state);
    const auto c = self().coefficients();
    const T k = scale(slip.fn);
    const Tangent<T, D> p_rate = rate_of(slip, st);
    const T damped = c.beta * k * p_rate.dot(p_rate);
    if (st.mode != Mode::slip) return damped;
    return c.k * k * st.p.dot(slip.v) + (c.damps_turning ? damped : T(0));
  }
  template <class T>
  bool passive(const T&) const noexcept {
    return true;
  }

  /// Largest deflection p0 (s_max), m.
  template <class T>
  T limit(const T& fn) const noexcept {
    const auto c = self().coefficients();
    return c.mu * fn / (c.k * scale(fn));
  }

 protected:
  template <class P>
  struct Coefficients {
    P k, a, beta, mu;
    bool damps_turning;  ///< β acts on a bristle that turns on its circle too
  };
  const Law& self() const noexcept { return static_cast<const Law&>(*this); }

 private:
  /// While the solver keeps the mode, a bristle that slides is as long as the load allows, however
  /// the load changes.
  template <class T, int D>
  State<T, D> on_circle(const Slip<T, D>& slip, const ResetState<T, D>& state) const noexcept {
    if (state.mode != Mode::slip) return state;
    return {direction<T, D>(state.p) * limit(slip.fn), Mode::slip};
  }
  template <class T>
  T scale(const T& fn) const noexcept {
    return self().per_load ? fn : T(1);
  }
  template <class T, int D>
  static Tangent<T, D> rate_of(const Slip<T, D>& slip, const ResetState<T, D>& st) noexcept {
    if (st.mode != Mode::slip) return slip.v;
    if constexpr (D == 1) {
      return zero<T, D>();
    } else {
      const Tangent<T, D> out = direction<T, D>(st.p);
      return slip.v - out * out.dot(slip.v);
    }
  }
  template <class T, int D>
  static bool reaches(const Tangent<T, D>& p, const T& radius) noexcept {
    return !(norm<T, D>(p) < radius * T(1 - 1e-12));
  }
  /// Path along the unit vector `along` from p to the circle of the given radius, p inside it.
  template <class T, int D>
  static T to_circle(const Tangent<T, D>& p, const Tangent<T, D>& along, const T& radius) noexcept {
    using std::sqrt;
    const T part = p.dot(along);
    if constexpr (D == 1) {
      return radius - part;
    } else {
      const T square = radius * radius - (p.dot(p) - part * part);
      return larger<T>(T(0), (value_of(square) > 0.0 ? T(sqrt(square)) : T(0)) - part);
    }
  }
  /// p on the circle, after v has dragged it over `path`: tan(θ/2) = sin θ/(1 + cos θ) decays.
  template <class T, int D>
  static Tangent<T, D> turned(const Tangent<T, D>& p, const Tangent<T, D>& along, const T& radius,
                              const T& path) noexcept {
    using std::exp;
    if constexpr (D == 1) {
      return along * radius;
    } else {
      const Tangent<T, D> out = direction<T, D>(p);
      const T cosine = out.dot(along);
      const Tangent<T, D> across = out - along * cosine;
      const T half = exp(-path / radius) / (T(1) + cosine);  // tan(θ/2)/sin θ, decayed
      const T half_sine2 = half * half * across.dot(across);
      const T shrink = T(1) / (T(1) + half_sine2);
      return along * (radius * (T(1) - half_sine2) * shrink) +
             across * (radius * T(2) * half * shrink);
    }
  }
};

}  // namespace bristle
