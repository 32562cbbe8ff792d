#pragma once

/// Gonthier, McPhee, Lange, Piedbœuf 2004: bristles with dwell time.
///
///   s = exp(−v·v/v_s²)                                    1 when sticking, 0 when sliding
///   ż = s v + (1−s)(f_C − σ0 z)/σ1,   f_C = μ_k f_n dir(v)
///   ṡ_dw = (s − s_dw)/τ,   τ = τ_dw if s ≥ s_dw, else σ1/σ0
///   F = sat(σ0 z + σ1 ż, f_max) + σ2 v,   f_max = f_n [μ_k + (μ_s − μ_k) s_dw]
///
/// dir(v) = v/|v| above v_ε and (v/|v|)(1.5 r − 0.5 r³), r = |v|/v_ε, below. `bounded`: while
/// saturated the stored rate is the saturated one, σ1 ż = sat(…) − σ0 z (Boos 4.21), so that z
/// cannot run away; the 2004 paper has it unbounded. `returns`: bounded deflection that a falling
/// load no longer carries returns at once, |σ0 z| ≤ μ_s f_n; without it, with its own time
/// constant.
///
/// Limits: steady force as LuGre where σ1 |v| ≥ (μ_s−μ_k) f_n (1−s); the break-away peak grows with
/// the time at rest. Rates stay below σ0/σ1: explicit fixed steps work. Passive if bounded and
/// μ_k f_n ≤ 2 σ1 v_s.

#include "bristle/friction/law.hpp"

namespace bristle {

template <class P = double>
struct Gonthier {
  P mu_s = P(0.25), mu_k = P(0.2), sigma0 = P(1e5), sigma1 = P(316.22776601683796), sigma2 = P(0.4),
    v_s = P(1e-3), tau_dw = P(2), v_eps = P(0);
  bool bounded = true, returns = true, per_load = false;

  template <class T, int D>
  struct State {
    Tangent<T, D> z = zero<T, D>();
    T s_dw = T(0);
    template <class S, class F>
    static void visit(S& s, F&& f) noexcept {
      f("z", "m", s.z);
      f("s_dw", "1", s.s_dw);
    }
    bool operator==(const State&) const = default;
  };

  static constexpr auto describe() {
    return description(
        Page{
            .name = "gonthier",
            .title = "Gonthier dwell-time",
            .source = "Gonthier, McPhee, Lange, Piedbœuf 2004 (15)–(22); Boos 2011 (4.17)–(4.30)",
            .formula =
                R"(\dot z = s\,v + (1-s)\frac{f_C-\sigma_0 z}{\sigma_1},\quad s = e^{-v\cdot v/v_s^2},\quad \dot s_{dw} = \frac{s-s_{dw}}{\tau},\quad \tau = \begin{cases}\tau_{dw} & s \ge s_{dw}\\ \sigma_1/\sigma_0 & s < s_{dw}\end{cases},\quad F = \operatorname{sat}\left(\sigma_0 z+\sigma_1\dot z,\ f_n[\mu_k+(\mu_s-\mu_k)s_{dw}]\right)+\sigma_2 v,\quad f_C = \mu_k f_n\,\frac{v}{|v|}\begin{cases}1 & |v| \ge v_\varepsilon\\ \tfrac32 r - \tfrac12 r^3,\ r = |v|/v_\varepsilon & |v| < v_\varepsilon\end{cases})",
            .use =
                "Real-time simulation of robots in contact: true stick, a static peak that grows "
                "with the time at rest, and rates that explicit fixed steps can follow.",
            .limits =
                "Creeps slowly under vibration. Unbounded, its deflection is not returned when "
                "the load falls. At rates far above 1/τ_dw the peak disappears. "
                "Not passive when unbounded, or when μ_k f_n > 2 σ1 v_s (the bristle then "
                "relaxes faster than the slip feeds it).",
            .printed = "dir(v) is printed with v/v_ε in front, which is not C¹; Boos prints one "
                       "symbol for bounded and unbounded ż and drops a dot on s_dw in (4.29)",
            .advance =
                "exact while not saturated; second order on a line where saturation begins or "
                "ends within the step, first order in the plane while saturated"},
        fields(field(&Gonthier::mu_s, "mu_s", "μ_s", "1", at_least(0), usual(0.05, 1),
                     "static coefficient after a long rest"),
               field(&Gonthier::mu_k, "mu_k", "μ_k", "1", at_least(0), usual(0.05, 1),
                     "kinetic coefficient")
                   .also("mu_d", "mu_c"),
               field(&Gonthier::sigma0, "sigma0", "σ_0", "N/m", above(0), usual(1e3, 1e7),
                     "bristle stiffness")
                   .per_load(),
               field(&Gonthier::sigma1, "sigma1", "σ_1", "N s/m", above(0), usual(1, 1e3),
                     "bristle damping")
                   .per_load(),
               field(&Gonthier::sigma2, "sigma2", "σ_2", "N s/m", at_least(0), usual(0.01, 10),
                     "viscous coefficient")
                   .per_load(),
               field(&Gonthier::v_s, "v_s", "v_s", "m/s", above(0), usual(1e-4, 1e-1),
                     "Stribeck speed: slower counts as sticking"),
               field(&Gonthier::tau_dw, "tau_dw", "τ_dw", "s", above(0), usual(1e-2, 10),
                     "dwell time constant: how fast static friction builds up at rest"),
               field(&Gonthier::v_eps, "v_eps", "v_ε", "m/s", at_least(0), usual(1e-6, 1e-4),
                     "speed below which the sliding direction is smoothed; 0 means v_s/100")
                   .from("Gonthier 2004 (20)"),
               flag(&Gonthier::bounded, "bounded",
                    "the deflection stops growing while the force is saturated"),
               flag(&Gonthier::returns, "returns",
                    "bounded deflection that a falling load no longer carries returns at once, not "
                    "with the time constant of the bristles"),
               flag(&Gonthier::per_load, "per_load",
                    "sigma0, sigma1, sigma2 are per newton of load (Boos's form)")),
        orders(Order{"mu_s", "mu_k"}));
  }

  /// At rest for a long time: s_dw = 1. A fresh contact has s_dw = 0 (relax at no load).
  template <class T, int D = 1>
  State<T, D> initial(const T&) const noexcept {
    return {zero<T, D>(), T(1)};
  }
  template <class T, int D>
  State<T, D> relax(const T& fn, const State<T, D>& state) const noexcept {
    if (!loaded(fn)) return {};
    if (!bounded || !returns) return state;  // z may exceed the force that it can carry
    return {held<T, D>(state.z, T(sigma0 * scale(fn)), T(mu_s * fn)), state.s_dw};
  }
  template <class T, int D>
  State<T, D> rate(const Slip<T, D>& slip, const State<T, D>& state) const noexcept {
    if (!loaded(slip.fn)) return {};
    const State<T, D> st = relax(slip.fn, state);
    const Terms<T, D> k = terms(slip);
    return {stretch_rate(k, st.z, ceiling(slip.fn, st.s_dw)),
            (k.s - st.s_dw) * dwell_rate(k, st.s_dw)};
  }
  template <class T, int D>
  Tangent<T, D> force(const Slip<T, D>& slip, const State<T, D>& state) const noexcept {
    if (!loaded(slip.fn)) return zero<T, D>();
    const State<T, D> st = relax(slip.fn, state);
    const Terms<T, D> k = terms(slip);
    return clip<T, D>(free_force(k, st.z), ceiling(slip.fn, st.s_dw)) + k.s2 * slip.v;
  }

  /// Unsaturated, ż and ṡ_dw are linear at frozen slip: exact. Where the free force crosses f_max
  /// within the step, the crossing is placed by interpolation, and the saturated part relaxes as
  /// σ1 ż = f_max n − σ0 z towards the direction n that the free force would have had in the end.
  template <class T, int D>
  State<T, D> advance(const Slip<T, D>& slip, const State<T, D>& state,
                      const T& dt) const noexcept {
    if (!loaded(slip.fn)) return {};
    const State<T, D> st = relax(slip.fn, state);
    const Terms<T, D> k = terms(slip);
    const T s_dw = st.s_dw + (k.s - st.s_dw) * approached<T>(dt * dwell_rate(k, st.s_dw));
    const Tangent<T, D> z = free_step(k, st.z, dt);
    if (!bounded) return {z, s_dw};
    const T top0 = ceiling(slip.fn, st.s_dw), top1 = ceiling(slip.fn, s_dw);
    const Tangent<T, D> free0 = free_force(k, st.z), free1 = free_force(k, z);
    const bool before = exceeds(free0, top0), after = exceeds(free1, top1);
    if (!before && !after) return {z, s_dw};
    const Tangent<T, D> along = direction<T, D>(free1);
    if (before && after) return {saturated_step(k, st.z, along, T(0.5) * (top0 + top1), dt), s_dw};
    const T excess0 = norm<T, D>(free0) - top0, excess1 = norm<T, D>(free1) - top1;
    const T part = excess0 / (excess0 - excess1);
    const T top = top0 + part * (top1 - top0);
    if (after) {
      const Tangent<T, D> crossing = st.z + part * (z - st.z);
      return {saturated_step(k, crossing, along, T(0.5) * (top + top1), T((T(1) - part) * dt)),
              s_dw};
    }
    const Tangent<T, D> freed = saturated_step(k, st.z, along, T(0.5) * (top0 + top), T(part * dt));
    return {free_step(k, freed, T((T(1) - part) * dt)), s_dw};
  }

  /// The free force is linear in z, so its mean is that at the mean deflection; then saturated at
  /// the mean ceiling.
  template <class T, int D>
  Tangent<T, D> mean_force(const Slip<T, D>& slip, const State<T, D>& state,
                           const T& dt) const noexcept {
    if (!loaded(slip.fn)) return zero<T, D>();
    const State<T, D> st = relax(slip.fn, state);
    const Terms<T, D> k = terms(slip);
    const T x = k.q * k.relaxation * dt;
    const T phi = decay(x).phi;
    const Tangent<T, D> z = phi * st.z + (dt * fed_mean(x, phi)) * (k.stick + k.slide / k.s1);
    const T s_dw = k.s + (st.s_dw - k.s) * decay(T(dt * dwell_rate(k, st.s_dw))).phi;
    return clip<T, D>(free_force(k, z), ceiling(slip.fn, s_dw)) + k.s2 * slip.v;
  }

  /// Sliding at constant v, ż = 0: the free force f_C + σ1 v s/(1−s), as far as f_max allows.
  template <class T, int D>
  Tangent<T, D> steady(const Tangent<T, D>& v, const T& fn) const noexcept {
    if (!loaded(fn) || value_of(norm<T, D>(v)) == 0.0) return zero<T, D>();
    const Terms<T, D> k = terms(sliding<T, D>(v, fn));
    const T top = ceiling(fn, k.s);
    const T q_top = k.q * top;
    // (1−s) times the free force, so that nothing divides by a vanishing 1−s.
    const Tangent<T, D> free = k.slide + k.s1 * k.stick;
    if (norm<T, D>(free) >= q_top) return direction<T, D>(v) * top + k.s2 * v;
    return free / k.q + k.s2 * v;
  }
  template <class T, int D>
  T bound(const Tangent<T, D>& v, const T& fn) const noexcept {
    return mu_s * fn + sigma2 * scale(fn) * norm<T, D>(v);
  }
  template <class T, int D>
  T stored(const T& fn, const State<T, D>& state) const noexcept {
    const Tangent<T, D> z = relax(fn, state).z;
    return T(0.5) * sigma0 * scale(fn) * z.dot(z);
  }
  /// Unsaturated: s σ1 v² + (1−s)[f_C·v − ζ·(f_C − ζ)/σ1] + σ2 v² with ζ = σ0 z. Saturated: the
  /// clipped force does the work, less what goes into the spring.
  template <class T, int D>
  T dissipation(const Slip<T, D>& slip, const State<T, D>& state) const noexcept {
    if (!loaded(slip.fn)) return T(0);
    const State<T, D> st = relax(slip.fn, state);
    const Terms<T, D> k = terms(slip);
    const Tangent<T, D> zeta = k.s0 * st.z;
    const Tangent<T, D> free = free_force(k, st.z);
    const T top = ceiling(slip.fn, st.s_dw);
    const T viscous = k.s2 * slip.v.dot(slip.v);
    if (!longer<T, D>(free, top)) {
      return k.s1 * k.stick.dot(slip.v) + k.slide.dot(slip.v) -
             zeta.dot(k.slide - k.q * zeta) / k.s1 + viscous;
    }
    return clip<T, D>(free, top).dot(slip.v) - zeta.dot(stretch_rate(k, st.z, top)) + viscous;
  }
  /// From s q² + (1−s)(q − 1/4) ≥ 0 with q = σ1 |v|/f_C, the worst case of the bracket above: holds
  /// for every speed if f_C ≤ 2 σ1 v_s, and for slow slip only then.
  template <class T>
  bool passive(const T& fn) const noexcept {
    return bounded && !(T(mu_k * fn) > T(2 * sigma1 * v_s * scale(fn)));
  }

 private:
  template <class T>
  T scale(const T& fn) const noexcept {
    return per_load ? fn : T(1);
  }

  template <class T, int D>
  struct Terms {
    T s0, s1, s2;
    T relaxation;         ///< σ0/σ1, 1/s: the fastest rate of the law
    T s, q;               ///< stick share s, and q = 1 − s without cancellation
    Tangent<T, D> stick;  ///< s v
    Tangent<T, D> slide;  ///< (1−s) f_C
  };
  template <class T, int D>
  Terms<T, D> terms(const Slip<T, D>& slip) const noexcept {
    const T k = scale(slip.fn);
    const Polar<T, D> v = polar<T, D>(slip.v);
    const T ratio = v.length / v_s;
    const T x = ratio * ratio;
    // Both s and 1 − s to full relative accuracy: from the small one of the two.
    const bool slow = x < T(0.3);
    const T small = slow ? T(x * phi_series(x)) : gauss<T>(ratio);
    const T large = T(1) - small;
    const T s = slow ? large : small, q = slow ? small : large;
    return {
        sigma0 * k, sigma1 * k, sigma2 * k, T(sigma0 / sigma1),
        s,          q,          s * slip.v, sliding_direction(slip.v, v) * T(q * mu_k * slip.fn)};
  }
  template <class T, int D>
  Tangent<T, D> sliding_direction(const Tangent<T, D>& v, const Polar<T, D>& p) const noexcept {
    const T edge = value_of(v_eps) > 0.0 ? T(v_eps) : T(v_s * P(0.01));
    if (!(p.length < edge)) return p.along;
    const T r = p.length / edge;
    return v * ((T(1.5) - T(0.5) * r * r) / edge);
  }
  /// σ0 z + σ1 ż before saturation: s (σ0 z + σ1 v) + (1−s) f_C.
  template <class T, int D>
  static Tangent<T, D> free_force(const Terms<T, D>& k, const Tangent<T, D>& z) noexcept {
    return (k.s * k.s0) * z + k.s1 * k.stick + k.slide;
  }
  /// |f| > top, by more than rounding: a contact that slides rests on this edge.
  template <class T, int D>
  static bool exceeds(const Tangent<T, D>& f, const T& top) noexcept {
    return longer<T, D>(f, top * T(1 + 1e-13));
  }
  template <class T>
  T ceiling(const T& fn, const T& s_dw) const noexcept {
    return fn * (mu_k + (mu_s - mu_k) * s_dw);
  }
  /// 1/τ: static friction builds up slowly and breaks down at the bristles' own rate.
  template <class T, int D>
  T dwell_rate(const Terms<T, D>& k, const T& s_dw) const noexcept {
    return k.s >= s_dw ? T(T(1) / tau_dw) : k.relaxation;
  }
  /// ż: the free one, or while saturated (and bounded) the one that the clipped force leaves.
  template <class T, int D>
  Tangent<T, D> stretch_rate(const Terms<T, D>& k, const Tangent<T, D>& z,
                             const T& top) const noexcept {
    const Tangent<T, D> zeta = k.s0 * z;
    const Tangent<T, D> free = free_force(k, z);
    if (bounded && longer<T, D>(free, top)) return (clip<T, D>(free, top) - zeta) / k.s1;
    return k.stick + (k.slide - k.q * zeta) / k.s1;
  }
  /// Exact solution of ż = s v + (1−s)(f_C − σ0 z)/σ1.
  template <class T, int D>
  static Tangent<T, D> free_step(const Terms<T, D>& k, const Tangent<T, D>& z,
                                 const T& dt) noexcept {
    const Decay<T> d = decay(T(k.q * k.relaxation * dt));
    return d.e * z + (d.phi * dt) * (k.stick + k.slide / k.s1);
  }
  /// Exact solution of σ1 ż = top·along − σ0 z.
  template <class T, int D>
  static Tangent<T, D> saturated_step(const Terms<T, D>& k, const Tangent<T, D>& z,
                                      const Tangent<T, D>& along, const T& top,
                                      const T& dt) noexcept {
    return z + approached<T>(dt * k.relaxation) * (along * (top / k.s0) - z);
  }
};

}  // namespace bristle
