#pragma once

/// Elasto-plastic, Dupont, Hayward, Armstrong, Altpeter 2002: LuGre that does not drift.
///
///   ż = v − α(z, v) σ0 |v| z/g(v),   F = σ0 z + σ1 ż + σ2 v,   z_ss = g/σ0,   z_ba = r_ba μ_k
///   f_n/σ0 α = 0 for |z| ≤ z_ba or z·v ≤ 0;  ½ [1 + sin(π (|z| − (z_ss+z_ba)/2)/(z_ss−z_ba))] up
///   to z_ss;
///       1 beyond
///
/// Limits: purely elastic below σ0 z_ba, so no drift there; r_ba → 0 still differs from `lugre`
/// when unloading (α = 0 for z·v ≤ 0).

#include "bristle/friction/bristle_dynamics.hpp"

namespace bristle {

template <class P = double>
struct ElastoPlastic : BristleLaw<ElastoPlastic<P>> {
  P mu_s = P(0.25), mu_k = P(0.2), sigma0 = P(1e5), sigma1 = P(316.22776601683796), sigma2 = P(0.4),
    v_s = P(1e-3), r_ba = P(0.7);
  bool per_load = false;

  static constexpr auto describe() {
    return description(
        Page{
            .name = "elasto-plastic",
            .title = "Elasto-plastic",
            .source = "Dupont, Hayward, Armstrong, Altpeter 2002",
            .formula =
                R"(\dot z = v - \alpha\,\frac{\sigma_0|v|}{g(v)}\,z,\quad F = \sigma_0 z+\sigma_1\dot z+\sigma_2 v,\quad \alpha = \begin{cases}0 & |z|\le z_{ba}\ \text{or}\ z\cdot v\le 0\\ \tfrac12\left[1+\sin\left(\pi\,\frac{|z|-(z_{ss}+z_{ba})/2}{z_{ss}-z_{ba}}\right)\right] & z_{ba}<|z|<z_{ss}\\ 1 & |z|\ge z_{ss}\end{cases},\quad g(v) = f_n\left[\mu_k + (\mu_s-\mu_k)e^{-(v/v_s)^2}\right],\quad z_{ss} = \frac{g(v)}{\sigma_0},\quad z_{ba} = r_{ba}\,\frac{\mu_k f_n}{\sigma_0})",
            .use = "Anything that must hold its place under vibration: brakes, grippers, parked "
                   "robots.",
            .limits =
                "Creeps a little between σ0 z_ba and break-away. In the plane α jumps where slip "
                "turns across the deflection (z·v = 0 beyond z_ba). Same passivity condition as "
                "LuGre.",
            .printed = "",
            .advance =
                "exact while elastic (|z| ≤ z_ba) and, on a line, beyond z_ss; second order in "
                "between, never past z_ss; first order in the plane where slip turns the "
                "deflection"},
        fields(field(&ElastoPlastic::mu_s, "mu_s", "μ_s", "1", above(0), usual(0.05, 1),
                     "static coefficient"),
               field(&ElastoPlastic::mu_k, "mu_k", "μ_k", "1", above(0), usual(0.05, 1),
                     "kinetic coefficient")
                   .also("mu_d"),
               field(&ElastoPlastic::sigma0, "sigma0", "σ_0", "N/m", above(0), usual(1e3, 1e7),
                     "bristle stiffness")
                   .per_load(),
               field(&ElastoPlastic::sigma1, "sigma1", "σ_1", "N s/m", at_least(0), usual(1, 1e3),
                     "bristle damping")
                   .per_load(),
               field(&ElastoPlastic::sigma2, "sigma2", "σ_2", "N s/m", at_least(0), usual(0.01, 10),
                     "viscous coefficient")
                   .per_load(),
               field(&ElastoPlastic::v_s, "v_s", "v_s", "m/s", above(0), usual(1e-4, 1e-1),
                     "Stribeck speed"),
               field(&ElastoPlastic::r_ba, "r_ba", "r_ba", "1", inside(0, 1), usual(0.1, 0.95),
                     "break-away deflection as a fraction of the kinetic one: below it no drift"),
               flag(&ElastoPlastic::per_load, "per_load",
                    "sigma0, sigma1, sigma2 are per newton of load (Boos's form)")),
        orders(Order{"mu_s", "mu_k"}));
  }

  template <class T, int D>
  BristleTerms<T> terms(const Tangent<T, D>& v, const T& speed, const T& fn,
                        const Tangent<T, D>& z) const noexcept {
    const T k = this->scale(fn);
    const T g = this->level(speed, fn);
    const T plastic =
        z.dot(v) > T(0) ? share(norm<T, D>(z), elastic_limit(fn), T(g / (sigma0 * k))) : T(0);
    return {sigma0 * k, sigma1 * k, sigma2 * k, g, plastic};
  }

  /// At frozen slip the deflection depends on the path x = |v| dt alone: first an elastic stretch,
  /// solved exactly; then dz/dx = v/|v| − α z/z_ss with α taken at a linearly implicit guess of the
  /// middle of the path, which makes the step second order and stable for any length.
  template <class T, int D>
  Deflection<T, D> advance(const Slip<T, D>& slip, const Deflection<T, D>& state,
                           const T& dt) const noexcept {
    using std::sqrt;
    if (!loaded(slip.fn)) return {};
    Tangent<T, D> z = this->relax(slip.fn, state).z;
    const Polar<T, D> v = polar<T, D>(slip.v);
    const T z_ba = elastic_limit(slip.fn);
    const T part = z.dot(v.along);
    T path = v.length * dt;
    if (part < z_ba) {
      const T room = z_ba * z_ba - larger<T>(T(0), z.dot(z) - part * part);
      const T elastic = (value_of(room) > 0.0 ? T(sqrt(room)) : T(0)) - part;
      if (!(path > elastic)) return {z + v.along * path};
      if (elastic > T(0)) {
        z += v.along * elastic;
        path -= elastic;
      }
    }
    return {plastic_path(z, {path, v.along}, z_ba, this->steady_deflection(v.length, slip.fn))};
  }
  template <class T>
  bool passive(const T&) const noexcept {
    return sigma2 * mu_k >= sigma1 * (mu_s - mu_k);
  }

 private:
  template <class T>
  T elastic_limit(const T& fn) const noexcept {
    return r_ba * mu_k * fn / (sigma0 * this->scale(fn));
  }
  /// α for motion away from the origin.
  template <class T>
  static T share(const T& size, const T& z_ba, const T& z_ss) noexcept {
    using std::sin;
    if (!(size > z_ba)) return T(0);
    if (!(size < z_ss)) return T(1);
    const T middle = T(0.5) * (z_ss + z_ba);
    return T(0.5) * (T(1) + sin(T(std::numbers::pi) * (size - middle) / (z_ss - z_ba)));
  }
  template <class T, int D>
  static Tangent<T, D> plastic_path(const Tangent<T, D>& z, const Polar<T, D>& path, const T& z_ba,
                                    const T& z_ss) noexcept {
    const T start = norm<T, D>(z);
    // Sliding: α = 1, LuGre's equation. Close below z_ss α differs from 1 by the square of the gap.
    if (!(start < z_ss * T(1 - 1e-9))) return approach<T, D>(z, path, z_ss, T(1));
    const T half = T(0.5) * path.length;
    const T slowed = T(1) + half * share(start, z_ba, z_ss) / z_ss;
    const T a = share(T(norm<T, D>(z + path.along * half) / slowed), z_ba, z_ss);
    // With z_ss/α in the place of z_ss, and for α → 0 a purely elastic stretch.
    const Tangent<T, D> moved = a > T(1e-8) ? approach<T, D>(z, path, T(z_ss / a), T(1))
                                            : Tangent<T, D>(z + path.along * path.length);
    return clip<T, D>(moved, z_ss);
  }
};

}  // namespace bristle
