#pragma once

/// A double pendulum in the x–z plane, z up: link 1 hangs from the pivot, link 2 from its end.
///
///   M(θ) θ̈ = Q(θ, θ̇),   θ1, θ2 the angles of the links from the downward vertical, both absolute
///   M11 = J1 + m1 c1² + m2 l1²,   M12 = m2 l1 c2 cos(θ1 − θ2),   M22 = J2 + m2 c2²
///   Q1 = −m2 l1 c2 sin(θ1 − θ2) θ̇2² − (m1 c1 + m2 l1) g sin θ1
///   Q2 = +m2 l1 c2 sin(θ1 − θ2) θ̇1² − m2 c2 g sin θ2
///
/// c_i is where the mass of link i sits on it, J_i its inertia about that point. Users see φ1 = θ1
/// and φ2, which is θ2 − θ1 (relative, as a joint angle) or θ2 (absolute).

#include <cmath>
#include <string>

#include <Eigen/Core>

#include "bristle/shape/pose.hpp"

namespace bristle {

/// Where a link has its mass: at its end, spread along it (J = m l²/12), in its middle.
enum class LinkMass { tip, rod, middle };

struct DoublePendulum {
  std::string name = "pendulum";
  Vector3 pivot = Vector3::Zero();
  double l1 = 1, l2 = 1, m1 = 1, m2 = 1;
  double c1 = 1, c2 = 1, j1 = 0, j2 = 0;
  bool relative = true;  ///< φ2 is counted from link 1
  double phi1 = 0, phi2 = 0, rate1 = 0, rate2 = 0;
  double tip_radius = 0;

  void set_mass(LinkMass where) noexcept {
    const double at = where == LinkMass::tip ? 1 : 0.5;
    c1 = at * l1;
    c2 = at * l2;
    j1 = where == LinkMass::rod ? m1 * l1 * l1 / 12 : 0;
    j2 = where == LinkMass::rod ? m2 * l2 * l2 / 12 : 0;
  }

  using Pair = Eigen::Vector2d;
  /// Absolute angles of given φ, and back; rates alike.
  Pair absolute(const Pair& phi) const noexcept {
    return {phi[0], relative ? phi[0] + phi[1] : phi[1]};
  }
  Pair shown(const Pair& theta) const noexcept {
    return {theta[0], relative ? theta[1] - theta[0] : theta[1]};
  }

  struct Inertia {
    double m11, m12, m22;
    Pair solve(const Pair& force) const noexcept {
      const double share = 1 / (m11 * m22 - m12 * m12);
      return {(m22 * force[0] - m12 * force[1]) * share, (m11 * force[1] - m12 * force[0]) * share};
    }
    double energy(const Pair& rate) const noexcept {
      return 0.5 * (m11 * rate[0] * rate[0] + m22 * rate[1] * rate[1]) + m12 * rate[0] * rate[1];
    }
  };
  /// Sines and cosines of both angles: all that the equations need of them.
  struct Trig {
    double s1, c1, s2, c2;
    explicit Trig(const Pair& theta) noexcept
        : s1(std::sin(theta[0])),
          c1(std::cos(theta[0])),
          s2(std::sin(theta[1])),
          c2(std::cos(theta[1])) {}
    /// Of both angles turned on by `by`: for small turns by their series, exact to rounding and
    /// without a call.
    Trig turned(const Pair& by) const noexcept {
      Trig t = *this;
      turn(t.s1, t.c1, by[0]);
      turn(t.s2, t.c2, by[1]);
      return t;
    }

   private:
    static void turn(double& s, double& c, double d) noexcept {
      const double q = d * d;
      double sd, cd;
      if (q < 1e-4) {
        sd = d * (1 - q * (1.0 / 6 - q * (1.0 / 120)));
        cd = 1 - q * (0.5 - q * (1.0 / 24 - q * (1.0 / 720)));
      } else if (q < 0.01) {
        sd = d * (1 - q * (1.0 / 6 - q * (1.0 / 120 - q * (1.0 / 5040 - q / 362880))));
        cd = 1 - q * (0.5 - q * (1.0 / 24 - q * (1.0 / 720 - q * (1.0 / 40320 - q / 3628800))));
      } else {
        sd = std::sin(d);
        cd = std::cos(d);
      }
      const double s1_ = s * cd + c * sd;
      c = c * cd - s * sd;
      s = s1_;
    }
  };
  Inertia inertia(const Trig& a) const noexcept {
    return {j1 + m1 * c1 * c1 + m2 * l1 * l1, m2 * l1 * c2 * (a.c1 * a.c2 + a.s1 * a.s2),
            j2 + m2 * c2 * c2};
  }
  Inertia inertia(const Pair& theta) const noexcept { return inertia(Trig(theta)); }
  /// Gravity and the links' own motion.
  Pair force(const Trig& a, const Pair& rate, double g) const noexcept {
    const double s = m2 * l1 * c2 * (a.s1 * a.c2 - a.c1 * a.s2);
    return {-s * rate[1] * rate[1] - (m1 * c1 + m2 * l1) * g * a.s1,
            s * rate[0] * rate[0] - m2 * c2 * g * a.s2};
  }
  Pair acceleration(const Pair& theta, const Pair& rate, double g) const noexcept {
    const Trig a(theta);
    return inertia(a).solve(force(a, rate, g));
  }
  double potential(const Pair& theta, double g) const noexcept {
    return -g * ((m1 * c1 + m2 * l1) * std::cos(theta[0]) + m2 * c2 * std::cos(theta[1]));
  }
  Vector3 tip(const Trig& a) const noexcept {
    return pivot + Vector3(l1 * a.s1 + l2 * a.s2, 0, -l1 * a.c1 - l2 * a.c2);
  }
  Vector3 tip(const Pair& theta) const noexcept { return tip(Trig(theta)); }
  /// Velocity of the tip per unit of each rate; that of a point at the lever `arm` from it, moving
  /// with link 2, differs by the rate of link 2 (turning from x to z).
  struct Columns {
    Vector3 by1, by2;
  };
  Columns columns(const Trig& a, const Vector3& arm) const noexcept {
    return {{l1 * a.c1, 0, l1 * a.s1}, {l2 * a.c2 - arm.z(), 0, l2 * a.s2 + arm.x()}};
  }
};

}  // namespace bristle
