#pragma once

/// Quantities and units written as text, turned into SI numbers.
///
///   parse_quantity("5 mm/s", dim::speed, {.key = "v_s"});  // 0.005, to the last bit
///   parse_quantity("0.005", dim::speed, {.key = "v_s"});   // a plain number is SI
///   parse_quantity("0.3 deg", dim::none, {.key = "mu"});   // InputError: it is an angle
///
/// A unit is a product of named units with integer powers, divided by factors:
///
///   "N s/m"  "N*s/m"  "N·s/m"  "m/s^2"  "m/s²"  "s^-1"  "1/m"  "N/(m s)"  "m/s/s"  "%"  "1"
///
/// The rule for '/': it divides by the one factor that follows it, and nothing may be multiplied
/// after it. 'N/m s' is refused, because half of those who write it mean N/(m s) and the other half
/// N s/m. Names are case-sensitive (mN is not MN), and factors are kept apart, but for the usual
/// words: 'Nm', 'Nms', 'Ns', 'Pas', 'kgm^2' and their like with prefixes, where a power belongs to
/// the last factor. '1/min' where an angular speed is wanted means revolutions.

#include <cstddef>
#include <string>
#include <string_view>

#include "bristle/core/error.hpp"

namespace bristle {

/// Exponents of m, kg, s, A and rad. The angle is a base of its own, so that degrees cannot slip
/// into a dimensionless coefficient, nor revolutions per minute into a frequency.
struct Dimension {
  int length = 0;
  int mass = 0;
  int time = 0;
  int current = 0;
  int angle = 0;

  bool operator==(const Dimension&) const = default;
};

constexpr Dimension raised(const Dimension& base, int n) {
  return {base.length * n, base.mass * n, base.time * n, base.current * n, base.angle * n};
}

constexpr Dimension operator*(const Dimension& a, const Dimension& b) {
  return {a.length + b.length, a.mass + b.mass, a.time + b.time, a.current + b.current,
          a.angle + b.angle};
}

constexpr Dimension operator/(const Dimension& a, const Dimension& b) { return a * raised(b, -1); }

namespace dim {
inline constexpr Dimension none{};
inline constexpr Dimension length{.length = 1};
inline constexpr Dimension mass{.mass = 1};
inline constexpr Dimension time{.time = 1};
inline constexpr Dimension current{.current = 1};
inline constexpr Dimension angle{.angle = 1};
inline constexpr Dimension frequency = none / time;
inline constexpr Dimension speed = length / time;
inline constexpr Dimension acceleration = speed / time;
inline constexpr Dimension force = mass * acceleration;
inline constexpr Dimension stiffness = force / length;
inline constexpr Dimension viscous = force / speed;
inline constexpr Dimension pressure = force / raised(length, 2);
inline constexpr Dimension energy = force * length;  ///< and torque
inline constexpr Dimension power = energy / time;
inline constexpr Dimension voltage = power / current;
inline constexpr Dimension angular_speed = angle / time;
}  // namespace dim

/// One such unit is numerator / denominator * 10^exponent10 SI units. The power of ten is kept
/// apart because thousandths have no exact binary form: 'mm/ms' is then exactly 'm/s', and a number
/// in a decimal unit is rounded once, not twice.
struct Unit {
  Dimension dimension{};
  double numerator = 1.0;
  double denominator = 1.0;
  int exponent10 = 0;

  double scale() const noexcept { return to_si(1.0); }
  double to_si(double value) const noexcept;
};

/// Throws InputError: `where`, completed with the message and, where they are empty, the value,
/// what was expected and the nearest unit.
Unit parse_unit(std::string_view text, Fault where = {});

/// What a unit means where `wanted` is: '1/min' of an angular speed counts revolutions, and is else
/// a frequency.
Unit as_meant(const Unit& unit, const Dimension& wanted);

/// "speed (m/s)" where there is a word for it, else SI text that parse_unit reads: "kg m/(s^3 A)".
std::string dimension_name(const Dimension& dimension);

/// The SI unit alone, as parse_unit reads it: "m/s"; "1" without a dimension.
std::string si_unit(const Dimension& dimension);

/// "a speed, for example '1 m/s', or a plain number in SI", made for Fault::expected.
std::string expected_quantity(const Dimension& wanted);

/// A number in SI. `text` is a number, or a number and a unit of dimension `wanted`. What is not
/// finite, has the wrong dimension or anything left over is refused with InputError: `where`,
/// completed as in parse_unit. The unit '1' is refused here: '0 1' is rather two numbers than one.
double parse_quantity(std::string_view text, const Dimension& wanted, Fault where);

enum class NumberState { good, malformed, not_finite, out_of_range };

struct NumberScan {
  double value = 0.0;      ///< in SI; meaningful only when good
  std::size_t length = 0;  ///< characters of the text that belong to the number
  NumberState state = NumberState::malformed;
};

/// Reads the number at the start of `text` as a count of `unit`s. No locale, no exception and no
/// allocation: made for reading large tables.
NumberScan scan_number(std::string_view text, const Unit& unit = {}) noexcept;

/// What is wrong with a number in that state, for Fault::message.
std::string_view describe(NumberState state) noexcept;

}  // namespace bristle
