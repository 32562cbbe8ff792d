#pragma once

/// Table: friction measured at a few speeds, with straight lines between.
///
///   F = s f_n μ(|v|) sgn v,   μ linear between (v_k, μ_k),   any |F| ≤ p s μ(0) f_n at v = 0
///
/// Limits: two points of one level are `coulomb`; points on a Stribeck curve tend to `stribeck`.
/// After the last point μ keeps its level. The slope jumps at each point.

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "bristle/friction/law.hpp"

namespace bristle {

/// The points of a table. They are data rather than parameters: not described one by one, neither
/// drawn by tests nor sought by an identification. The room is fixed, so that a law stays a plain
/// value.
struct FrictionPoints {
  static constexpr std::size_t room = 128;
  std::array<double, room> speed{0, 1e-3, 2e-3, 3e-3}, level{0.25, 0.218, 0.201, 0.2};
  std::size_t count = 4;

  /// Empty if the points make a curve; else what is wrong.
  static constexpr std::string_view fault(std::span<const double> speed,
                                          std::span<const double> level) {
    if (speed.size() != level.size()) return "as many levels as speeds";
    if (speed.size() < 2 || speed.size() > room) return "2 to 128 points";
    if (speed[0] != 0) return "a first speed of 0";
    for (std::size_t k = 0; k < speed.size(); ++k) {
      if (k > 0 && !(speed[k] > speed[k - 1])) return "speeds that increase";
      if (!(level[k] >= 0 && level[k] < infinity)) return "levels of at least 0";
    }
    return speed.back() < infinity ? "" : "finite speeds";
  }
  template <class T>
  T at(const T& v) const noexcept {
    const auto* const end = speed.data() + count;
    const auto* const above = std::upper_bound(speed.data(), end, value_of(v));
    if (above == end) return T(level[count - 1]);
    const auto k = static_cast<std::size_t>(above - speed.data());
    const double slope = (level[k] - level[k - 1]) / (speed[k] - speed[k - 1]);
    return level[k - 1] + slope * (v - speed[k - 1]);
  }
};

template <class P = double>
struct Tabulated : SetValuedLaw<Tabulated<P>> {
  P scale = P(1), peak = P(1);
  FrictionPoints points{};

  static constexpr auto describe() {
    return description(
        Page{
            .name = "table",
            .title = "Table",
            .source = "Modelica Standard Library 4, Mechanics.Translational.SupportFriction",
            .formula =
                R"(F = s f_n\,\mu(|v|)\operatorname{sgn} v,\qquad \mu \text{ linear between } (v_k, \mu_k),\qquad |F| \le p\,s\,\mu(0) f_n \text{ at } v = 0)",
            .use =
                "A measured friction–velocity curve as it is, without fitting a formula to it. The "
                "points are given as two lists, `speeds` (m/s, from 0, increasing) and `levels` "
                "(coefficients; newtons under a load of 1 N): 2 to 128 of them, in a file as "
                "`speeds: [0, 1 mm/s]`, on the command line as `speeds='0, 1 mm/s'`.",
            .limits = "Set-valued at rest. The slope jumps at each point; after the last one the "
                      "level stays. An identification seeks `scale` and `peak`, not the points.",
            .printed = "",
            .advance = "no memory"},
        fields(field(&Tabulated::scale, "scale", "s", "1", at_least(0), usual(0.1, 10),
                     "factor on all levels"),
               field(&Tabulated::peak, "peak", "p", "1", at_least(1), usual(1, 2),
                     "break-away level as a multiple of the level at rest")),
        orders());
  }

  template <class T>
  T slip_level(const T& speed, const T& fn) const noexcept {
    return scale * fn * points.at(speed);
  }
  template <class T>
  T stick_limit(const T& fn) const noexcept {
    return peak * scale * fn * points.level[0];
  }
  P stick_band() const noexcept { return P(0); }
};

}  // namespace bristle
