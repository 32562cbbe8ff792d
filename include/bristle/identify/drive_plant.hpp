#pragma once

/// A drive as an equation of motion: the terms of drive.hpp read the other way round.
///
///   M a = F − g±(q, v),   g± the sum of all terms but the acceleration, by the direction of motion
///
/// with true stick: at v = 0 the drive stays where g−(q, 0) ≤ F ≤ g+(q, 0), the set-valued dry
/// friction, and otherwise leaves in the direction of what is left over.
///
///   const DriveModel model({"acceleration", "viscous", "coulomb", "offset"});
///   const DrivePlant plant = model.at(std::vector{95.1, 203.5, 20.4, -3.2});
///   plant.advance(state, force, 1e-3);        // the force is held; stops and reversals are exact
///
/// Under a held force, constant and viscous terms give, with b the viscous slope, λ = b/M and a₀
/// the acceleration at the start of a piece,
///
///   v = v₀ + a₀ t φ₁(λt),   q = q₀ + v₀ t + a₀ t² φ₂(λt),   stop at t = −ln(1 + λ v₀/a₀)/λ,
///   φ₁(x) = (1 − e⁻ˣ)/x,   φ₂(x) = (x − 1 + e⁻ˣ)/x².
///
/// Other terms are integrated by Runge–Kutta steps of at most a twentieth of the fastest decay
/// (errors of 1e-8 and less), and the stop is found by Newton's method on the last one.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "bristle/identify/drive.hpp"

namespace bristle {

struct DriveState {
  double q = 0, v = 0;  ///< m, m/s
};

class DrivePlant {
 public:
  struct Exponential {
    double size = 0, speed = 1;
    bool squared = false;  ///< exp(−(v/s)²) instead of exp(−|v|/s)
  };
  /// g of one direction of motion.
  struct Branch {
    double constant = 0, viscous = 0, quadratic = 0;  ///< quadratic: of v², signed
    std::array<double, 3> position{};                 ///< of q, q², q³
    std::array<Exponential, 4> exponentials{};
    int count = 0;  ///< of them

    double operator()(double q, double v) const noexcept;
  };

  double mass = 1;
  Branch forwards{}, backwards{};

  /// Over dt under a held force.
  void advance(DriveState& state, double force, double dt) const noexcept;
  /// Stays put under this force.
  bool sticks(double q, double force) const noexcept {
    return backwards(q, 0) <= force && force <= forwards(q, 0);
  }
  /// The dry friction does not push: there is a band of forces (or a point) in which it sticks.
  bool is_dissipative(double q) const noexcept { return backwards(q, 0) <= forwards(q, 0); }

 private:
  friend class DriveModel;
  double rate_ = 0;     ///< 1/s, of the fastest decay at speed 0
  bool closed_ = true;  ///< constant and viscous terms only
};

/// Terms by name, taken apart once; parameters are the factor of each term in their order, then the
/// speed of each term that has one (terms of one name and speed, such as both branches, share it).
class DriveModel {
 public:
  /// InputError for a term nobody knows or one given twice; for no `acceleration`, and for terms
  /// of the acceleration's size or change, which are no equation of motion.
  explicit DriveModel(std::vector<std::string> terms);

  const std::vector<std::string>& terms() const noexcept { return terms_; }
  int size() const noexcept { return static_cast<int>(names_.size()); }
  const std::vector<std::string>& names() const noexcept { return names_; }
  const std::vector<std::string>& units() const noexcept { return units_; }
  /// Of each term the place of its speed among the parameters; −1: none.
  const std::vector<int>& speed_of() const noexcept { return speed_of_; }
  /// The speeds as written, in their order.
  const std::vector<double>& speeds() const noexcept { return speeds_; }
  int mass_at() const noexcept { return mass_at_; }

  DrivePlant at(std::span<const double> p) const;

 private:
  enum class Kind { mass, constant, coulomb, viscous, quadratic, position, exponential };
  struct Term {
    Kind kind{};
    int power = 0;  ///< of the position, or 2 for exp(−(v/s)²)
    int branch = 0;
  };
  void add_speed(const std::string& name, double speed);

  std::vector<std::string> terms_, names_, units_;
  std::vector<Term> parsed_;
  std::vector<int> speed_of_;
  std::vector<double> speeds_;
  int mass_at_ = -1;
};

}  // namespace bristle
