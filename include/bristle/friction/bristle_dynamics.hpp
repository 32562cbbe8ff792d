#pragma once

/// What the laws with a mean bristle deflection share: ż = v − a |v| z/z_ss and
/// F = σ0 z + σ1 ż + σ2 v, written so that nothing overflows at any speed.

#include "bristle/friction/law.hpp"

namespace bristle {

/// The coefficients of a bristle law at this speed and load.
template <class T>
struct BristleTerms {
  T s0, s1, s2;    ///< stiffness, damping, viscosity (times f_n if per_load)
  T g;             ///< steady level σ0 z_ss, N
  T share = T(1);  ///< the part of the slip that drags the bristle's foot: 1 but for elasto-plastic
};

/// g = f_n [μ_k + (μ_s − μ_k) exp(−(|v|/v_s)²)].
template <class T, class P>
T stribeck_level(const P& mu_s, const P& mu_k, const P& v_s, const T& speed, const T& fn) noexcept {
  return fn * (mu_k + (mu_s - mu_k) * gauss<T>(speed / v_s));
}

/// Exact solution after dt of ż = v − |v| z/z_ss at constant v: z approaches z_ss v/|v|.
template <class T, int D>
Tangent<T, D> approach(const Tangent<T, D>& z, const Polar<T, D>& v, const T& z_ss,
                       const T& dt) noexcept {
  return z + approached<T>(v.length * (dt / z_ss)) * (v.along * z_ss - z);
}

/// LuGre and its relatives: Law gives its parameters mu_s, mu_k, v_s, sigma0…2 and per_load, and
/// terms(v, speed, fn, z).
template <class Law>
struct BristleLaw {
  template <class T, int D>
  using State = Deflection<T, D>;

  template <class T, int D = 1>
  State<T, D> initial(const T&) const noexcept {
    return {};
  }
  template <class T, int D>
  State<T, D> relax(const T& fn, const Deflection<T, D>& state) const noexcept {
    if (!loaded(fn)) return {};
    return {held<T, D>(state.z, T(self().sigma0 * scale(fn)), T(self().mu_s * fn))};
  }
  template <class T, int D>
  State<T, D> rate(const Slip<T, D>& slip, const Deflection<T, D>& state) const noexcept {
    if (!loaded(slip.fn)) return {};
    const Tangent<T, D> z = relax(slip.fn, state).z;
    return {rate_of(slip.v, norm<T, D>(slip.v), z, terms_at(slip, z))};
  }
  template <class T, int D>
  Tangent<T, D> force(const Slip<T, D>& slip, const Deflection<T, D>& state) const noexcept {
    if (!loaded(slip.fn)) return zero<T, D>();
    const Tangent<T, D> z = relax(slip.fn, state).z;
    const BristleTerms<T> b = terms_at(slip, z);
    return b.s0 * z + b.s1 * rate_of(slip.v, norm<T, D>(slip.v), z, b) + b.s2 * slip.v;
  }
  /// force, rate and dissipation from one evaluation of the terms.
  template <class T, int D>
  State<T, D> respond(const Slip<T, D>& slip, const Deflection<T, D>& state, Tangent<T, D>& force,
                      T& dissipation) const noexcept {
    force = zero<T, D>();
    dissipation = T(0);
    if (!loaded(slip.fn)) return {};
    const Tangent<T, D> z = relax(slip.fn, state).z;
    const T speed = norm<T, D>(slip.v);
    const BristleTerms<T> b = self().terms(slip.v, speed, slip.fn, z);
    const Tangent<T, D> rate = rate_of(slip.v, speed, z, b), spring = b.s0 * z;
    force = spring + b.s1 * rate + b.s2 * slip.v;
    dissipation = b.s1 * rate.dot(slip.v) + b.s2 * slip.v.dot(slip.v) +
                  b.share * speed * (spring.dot(spring) / b.g);
    return {rate};
  }
  /// σ0 z̄ + σ1 Δz/dt + σ2 v. While the whole slip drags the foot, z̄ is that of an exponential
  /// approach; else Simpson's rule along the step.
  template <class T, int D>
  Tangent<T, D> mean_force(const Slip<T, D>& slip, const Deflection<T, D>& state,
                           const T& dt) const noexcept {
    if (!loaded(slip.fn)) return zero<T, D>();
    const Deflection<T, D> st = relax(slip.fn, state);
    const BristleTerms<T> b = terms_at(slip, st.z);
    const Tangent<T, D> end = self().advance(slip, st, dt).z;
    Tangent<T, D> mean;
    if (value_of(b.share) == 1.0) {
      const Polar<T, D> v = polar<T, D>(slip.v);
      const Tangent<T, D> target = v.along * (b.g / b.s0);
      mean = target + (st.z - target) * decay<T>(v.length * dt * b.s0 / b.g).phi;
    } else {
      mean = (st.z + T(4) * self().advance(slip, st, T(dt / 2)).z + end) / T(6);
    }
    return b.s0 * mean + (b.s1 / dt) * (end - st.z) + b.s2 * slip.v;
  }
  template <class T, int D>
  Tangent<T, D> steady(const Tangent<T, D>& v, const T& fn) const noexcept {
    if (!loaded(fn)) return zero<T, D>();
    return direction<T, D>(v) * level(norm<T, D>(v), fn) + v * (self().sigma2 * scale(fn));
  }
  /// σ0 |z| ≤ μ_s f_n and g ≥ μ_k f_n, so |ż| ≤ |v| (1 + μ_s/μ_k).
  template <class T, int D>
  T bound(const Tangent<T, D>& v, const T& fn) const noexcept {
    if (!loaded(fn)) return T(0);
    const T speed = norm<T, D>(v);
    const BristleTerms<T> b = self().terms(v, speed, fn, zero<T, D>());
    return self().mu_s * fn + speed * (b.s1 * (T(1) + self().mu_s / self().mu_k) + b.s2);
  }
  template <class T, int D>
  T stored(const T& fn, const Deflection<T, D>& state) const noexcept {
    const Tangent<T, D> z = relax(fn, state).z;
    return T(0.5) * self().sigma0 * scale(fn) * z.dot(z);
  }
  /// F·v − σ0 z·ż = σ1 ż·v + σ2 v² + a |v| (σ0 z)²/g.
  template <class T, int D>
  T dissipation(const Slip<T, D>& slip, const Deflection<T, D>& state) const noexcept {
    if (!loaded(slip.fn)) return T(0);
    const Tangent<T, D> z = relax(slip.fn, state).z;
    const T speed = norm<T, D>(slip.v);
    const BristleTerms<T> b = terms_at(slip, z);
    const Tangent<T, D> spring = b.s0 * z;
    return b.s1 * rate_of(slip.v, speed, z, b).dot(slip.v) + b.s2 * slip.v.dot(slip.v) +
           b.share * speed * (spring.dot(spring) / b.g);
  }

 protected:
  const Law& self() const noexcept { return static_cast<const Law&>(*this); }

  template <class T>
  T scale(const T& fn) const noexcept {
    return self().per_load ? fn : T(1);
  }
  template <class T>
  T level(const T& speed, const T& fn) const noexcept {
    return stribeck_level(self().mu_s, self().mu_k, self().v_s, speed, fn);
  }
  template <class T>
  T steady_deflection(const T& speed, const T& fn) const noexcept {
    return level(speed, fn) / (self().sigma0 * scale(fn));
  }

 private:
  template <class T, int D>
  BristleTerms<T> terms_at(const Slip<T, D>& slip, const Tangent<T, D>& z) const noexcept {
    return self().terms(slip.v, norm<T, D>(slip.v), slip.fn, z);
  }
  template <class T, int D>
  static Tangent<T, D> rate_of(const Tangent<T, D>& v, const T& speed, const Tangent<T, D>& z,
                               const BristleTerms<T>& b) noexcept {
    return v - z * (b.s0 / b.g) * (b.share * speed);
  }
};

}  // namespace bristle
