#pragma once

/// Dahl 1968.
///
///   ż = v |1 − y|^n sgn(1 − y),   y = σ0 z sgn(v)/F_c,   F = σ0 z,   F_c = μ_k f_n
///
/// Vector form: y is the part of σ0 z/F_c along v, treated as above; the part of z across v decays
/// at the rate σ0 |v|/F_c. For n = 1 this is ż = v − σ0 |v| z/F_c.
/// Limits: rate-independent; F = F_c (1 − (1 − F_0/F_c) exp(−σ0 x/F_c)) on a straight path (n = 1);
/// no static peak, drifts under a varying load below F_c.

#include "bristle/friction/bristle_dynamics.hpp"

namespace bristle {

template <class P = double>
struct Dahl {
  P mu_k = P(0.2), sigma0 = P(1e5), n = P(1);
  bool per_load = false;

  template <class T, int D>
  using State = Deflection<T, D>;

  static constexpr auto describe() {
    return description(
        Page{
            .name = "dahl",
            .title = "Dahl",
            .source = "Dahl 1968, 1976",
            .formula =
                R"(\dot z = v\,\left|1-\tfrac{\sigma_0 z}{F_c}\operatorname{sgn} v\right|^{n}\operatorname{sgn}\left(1-\tfrac{\sigma_0 z}{F_c}\operatorname{sgn} v\right),\qquad F = \sigma_0 z,\qquad F_c = \mu_k f_n)",
            .use = "Pre-sliding hysteresis of bearings and guides at small amplitudes.",
            .limits =
                "No static peak, no Stribeck effect, no viscous part. Rate-independent. Drifts "
                "under a load that varies below F_c.",
            .printed = "the power is taken in sign-safe form, so that |σ0 z| > F_c relaxes instead "
                       "of blowing up",
            .advance = "exact for frozen slip and load; in the plane for n ≥ 1"},
        fields(field(&Dahl::mu_k, "mu_k", "μ_k", "1", above(0), usual(0.05, 1),
                     "kinetic coefficient, F_c = μ_k f_n")
                   .also("mu_d", "mu"),
               field(&Dahl::sigma0, "sigma0", "σ_0", "N/m", above(0), usual(1e3, 1e7),
                     "bristle stiffness")
                   .per_load(),
               field(&Dahl::n, "n", "n", "1", above(0), usual(0.5, 2),
                     "shape of the hysteresis: 1 exponential, below 1 brittle, above 1 ductile"),
               flag(&Dahl::per_load, "per_load", "sigma0 is per newton of load")),
        orders());
  }

  template <class T, int D = 1>
  State<T, D> initial(const T&) const noexcept {
    return {};
  }
  template <class T, int D>
  State<T, D> relax(const T& fn, const Deflection<T, D>& state) const noexcept {
    if (!loaded(fn)) return {};
    return {held<T, D>(state.z, stiffness(fn), T(mu_k * fn))};
  }
  template <class T, int D>
  State<T, D> rate(const Slip<T, D>& slip, const Deflection<T, D>& state) const noexcept {
    if (!loaded(slip.fn)) return {};
    const Split<T, D> s = split(slip, relax(slip.fn, state).z);
    return {slip.v * power(T(1) - s.y) - (s.across / s.limit) * s.speed};
  }
  template <class T, int D>
  Tangent<T, D> force(const Slip<T, D>& slip, const Deflection<T, D>& state) const noexcept {
    if (!loaded(slip.fn)) return zero<T, D>();
    return stiffness(slip.fn) * relax(slip.fn, state).z;
  }
  template <class T, int D>
  State<T, D> advance(const Slip<T, D>& slip, const Deflection<T, D>& state,
                      const T& dt) const noexcept {
    using std::exp;
    if (!loaded(slip.fn)) return {};
    const Tangent<T, D> z = relax(slip.fn, state).z;
    const T speed = norm<T, D>(slip.v);
    if (value_of(speed) == 0.0) return {z};
    if (is_one(n)) return {approach<T, D>(z, polar<T, D>(slip.v), limit(slip.fn), dt)};
    const Split<T, D> s = split(slip, z);
    const T x = speed * (dt / s.limit);
    const Tangent<T, D> moved =
        s.along * (s.limit * (s.y - growth(T(T(1) - s.y), x))) + s.across * exp(-x);
    return {clip<T, D>(moved, s.limit)};
  }
  template <class T, int D>
  Tangent<T, D> steady(const Tangent<T, D>& v, const T& fn) const noexcept {
    if (!loaded(fn)) return zero<T, D>();
    return direction<T, D>(v) * (mu_k * fn);
  }
  template <class T, int D>
  T bound(const Tangent<T, D>&, const T& fn) const noexcept {
    return mu_k * fn;
  }
  template <class T, int D>
  T stored(const T& fn, const Deflection<T, D>& state) const noexcept {
    const Tangent<T, D> z = relax(fn, state).z;
    return T(0.5) * stiffness(fn) * z.dot(z);
  }
  /// σ0 z·(v − ż): the foot of the bristle slides by v − ż under the force σ0 z.
  template <class T, int D>
  T dissipation(const Slip<T, D>& slip, const Deflection<T, D>& state) const noexcept {
    if (!loaded(slip.fn)) return T(0);
    const Split<T, D> s = split(slip, relax(slip.fn, state).z);
    const T along = s.y * s.limit * (T(1) - power(T(1) - s.y));
    const T across = s.across.dot(s.across) / s.limit;
    return stiffness(slip.fn) * s.speed * (along + across);
  }
  template <class T>
  bool passive(const T&) const noexcept {
    return true;
  }

 private:
  template <class T>
  T stiffness(const T& fn) const noexcept {
    return per_load ? T(sigma0 * fn) : T(sigma0);
  }
  template <class T>
  T limit(const T& fn) const noexcept {
    return mu_k * fn / stiffness(fn);
  }

  template <class T, int D>
  struct Split {
    T speed, limit, y;            ///< y: part of z along v over the limit F_c/σ0
    Tangent<T, D> along, across;  ///< unit vector along v; part of z across v
  };
  template <class T, int D>
  Split<T, D> split(const Slip<T, D>& slip, const Tangent<T, D>& z) const noexcept {
    const T top = limit(slip.fn);
    const Tangent<T, D> along = direction<T, D>(slip.v);
    const T part = z.dot(along);
    const Tangent<T, D> across = D == 1 ? zero<T, D>() : Tangent<T, D>(z - along * part);
    return {norm<T, D>(slip.v), top, part / top, along, across};
  }
  /// A short cut for plain numbers; with n a variable it would lose the slope by n.
  static bool is_one(const P& x) noexcept {
    if constexpr (std::is_floating_point_v<P>) return x == 1.0;
    return false;
  }
  /// sgn(u) |u|^n
  template <class T>
  T power(const T& u) const noexcept {
    using std::pow;
    if (is_one(n)) return u;
    if (value_of(u) == 0.0) return T(0);
    return u < T(0) ? T(-pow(T(-u), T(n))) : T(pow(u, T(n)));
  }
  /// Change of u over the normalised path x, from du/dx = −sgn(u)|u|^n: |u|^(1−n) falls by (1 − n)
  /// x. In logarithms, so that a small change keeps all its digits.
  template <class T>
  T growth(const T& u, const T& x) const noexcept {
    using std::expm1;
    using std::log1p;
    using std::pow;
    if (value_of(u) == 0.0) return T(0);
    const T m(P(1) - n);
    const T path = x * pow(u < T(0) ? T(-u) : u, T(-m)), fall = m * path;
    if (!(value_of(fall) < 1.0)) return -u;  // n < 1 arrives in finite time
    if (std::abs(value_of(fall)) > 1e-3) return u * expm1(T(log1p(-fall) / m));
    // −ln(1 − f)/f, which goes on smoothly through n = 1.
    const T share =
        T(1) + fall * (T(1.0 / 2) + fall * (T(1.0 / 3) + fall * (T(1.0 / 4) + fall * T(1.0 / 5))));
    return u * expm1(T(-path * share));
  }
};

}  // namespace bristle
