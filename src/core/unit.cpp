#include "bristle/core/unit.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bristle/core/names.hpp"

namespace bristle {
namespace {

// Far beyond any physical unit, and small enough that no exponent can overflow.
constexpr int max_power = 9;
constexpr int max_dimension = 99;
constexpr int max_exponent10 = 300;
constexpr int max_depth = 8;

constexpr double pi = 3.14159265358979323846;

struct NamedUnit {
  std::string_view name;
  Unit unit;
};

constexpr Unit decimal(const Dimension& dimension, int exponent10) {
  return {dimension, 1.0, 1.0, exponent10};
}

// 'µ' is read as 'u', hence not listed.
constexpr std::array named_units{
    NamedUnit{"1", decimal(dim::none, 0)},
    NamedUnit{"%", decimal(dim::none, -2)},
    NamedUnit{"m", decimal(dim::length, 0)},
    NamedUnit{"km", decimal(dim::length, 3)},
    NamedUnit{"cm", decimal(dim::length, -2)},
    NamedUnit{"mm", decimal(dim::length, -3)},
    NamedUnit{"um", decimal(dim::length, -6)},
    NamedUnit{"nm", decimal(dim::length, -9)},
    NamedUnit{"in", {dim::length, 254.0, 1.0, -4}},
    NamedUnit{"inch", {dim::length, 254.0, 1.0, -4}},
    NamedUnit{"ft", {dim::length, 3048.0, 1.0, -4}},
    NamedUnit{"kg", decimal(dim::mass, 0)},
    NamedUnit{"g", decimal(dim::mass, -3)},
    NamedUnit{"mg", decimal(dim::mass, -6)},
    NamedUnit{"t", decimal(dim::mass, 3)},
    NamedUnit{"tonne", decimal(dim::mass, 3)},
    NamedUnit{"s", decimal(dim::time, 0)},
    NamedUnit{"ms", decimal(dim::time, -3)},
    NamedUnit{"us", decimal(dim::time, -6)},
    NamedUnit{"ns", decimal(dim::time, -9)},
    NamedUnit{"min", {dim::time, 60.0, 1.0, 0}},
    NamedUnit{"h", {dim::time, 3600.0, 1.0, 0}},
    NamedUnit{"N", decimal(dim::force, 0)},
    NamedUnit{"kN", decimal(dim::force, 3)},
    NamedUnit{"mN", decimal(dim::force, -3)},
    NamedUnit{"uN", decimal(dim::force, -6)},
    NamedUnit{"Hz", decimal(dim::frequency, 0)},
    NamedUnit{"kHz", decimal(dim::frequency, 3)},
    NamedUnit{"rad", decimal(dim::angle, 0)},
    NamedUnit{"mrad", decimal(dim::angle, -3)},
    NamedUnit{"deg", {dim::angle, pi, 180.0, 0}},
    NamedUnit{"rpm", {dim::angular_speed, pi, 30.0, 0}},
    NamedUnit{"Pa", decimal(dim::pressure, 0)},
    NamedUnit{"kPa", decimal(dim::pressure, 3)},
    NamedUnit{"MPa", decimal(dim::pressure, 6)},
    NamedUnit{"GPa", decimal(dim::pressure, 9)},
    NamedUnit{"J", decimal(dim::energy, 0)},
    NamedUnit{"mJ", decimal(dim::energy, -3)},
    NamedUnit{"kJ", decimal(dim::energy, 3)},
    NamedUnit{"W", decimal(dim::power, 0)},
    NamedUnit{"A", decimal(dim::current, 0)},
    NamedUnit{"mA", decimal(dim::current, -3)},
    NamedUnit{"V", decimal(dim::voltage, 0)},
};

/// Products that are usually written in one word. A power belongs to the last factor, as in
/// 'kgm^2'.
struct GluedUnit {
  std::string_view name, head, last;
};

constexpr std::array glued_units{
    GluedUnit{"Nm", "N", "m"},     GluedUnit{"kNm", "kN", "m"},   GluedUnit{"mNm", "mN", "m"},
    GluedUnit{"uNm", "uN", "m"},   GluedUnit{"Nmm", "N", "mm"},   GluedUnit{"Ncm", "N", "cm"},
    GluedUnit{"Ns", "N", "s"},     GluedUnit{"mNs", "mN", "s"},   GluedUnit{"Nms", "Nm", "s"},
    GluedUnit{"mNms", "mNm", "s"}, GluedUnit{"Pas", "Pa", "s"},   GluedUnit{"kgm", "kg", "m"},
    GluedUnit{"kgcm", "kg", "cm"}, GluedUnit{"kgmm", "kg", "mm"}, GluedUnit{"gcm", "g", "cm"},
    GluedUnit{"gmm", "g", "mm"},
};

const GluedUnit* find_glued(std::string_view name) {
  const auto found = std::find_if(glued_units.begin(), glued_units.end(),
                                  [&](const GluedUnit& glued) { return glued.name == name; });
  return found == glued_units.end() ? nullptr : &*found;
}

struct NamedDimension {
  Dimension dimension;
  std::string_view word;
  std::string_view si;
};

constexpr std::array named_dimensions{
    NamedDimension{dim::length, "length", "m"},
    NamedDimension{raised(dim::length, 2), "area", "m^2"},
    NamedDimension{raised(dim::length, 3), "volume", "m^3"},
    NamedDimension{dim::none / dim::length, "inverse length", "1/m"},
    NamedDimension{dim::mass, "mass", "kg"},
    NamedDimension{dim::mass * raised(dim::length, 2), "moment of inertia", "kg m^2"},
    NamedDimension{dim::mass / raised(dim::length, 3), "density", "kg/m^3"},
    NamedDimension{dim::time, "time", "s"},
    NamedDimension{dim::frequency, "frequency", "1/s"},
    NamedDimension{dim::speed, "speed", "m/s"},
    NamedDimension{dim::none / dim::speed, "inverse speed", "s/m"},
    NamedDimension{dim::acceleration, "acceleration", "m/s^2"},
    NamedDimension{dim::force, "force", "N"},
    NamedDimension{dim::force / dim::time, "force rate", "N/s"},
    NamedDimension{dim::force * dim::time, "impulse", "N s"},
    NamedDimension{dim::stiffness, "stiffness", "N/m"},
    NamedDimension{dim::viscous, "viscous coefficient", "N s/m"},
    NamedDimension{dim::pressure, "pressure", "Pa"},
    NamedDimension{dim::pressure * dim::time, "dynamic viscosity", "Pa s"},
    NamedDimension{dim::energy, "energy or torque", "N m"},
    NamedDimension{dim::power, "power", "W"},
    NamedDimension{dim::current, "current", "A"},
    NamedDimension{dim::voltage, "voltage", "V"},
    NamedDimension{dim::force / dim::current, "force constant", "N/A"},
    NamedDimension{dim::angle, "angle", "rad"},
    NamedDimension{dim::angular_speed, "angular speed", "rad/s"},
    NamedDimension{dim::angular_speed / dim::time, "angular acceleration", "rad/s^2"},
    NamedDimension{dim::energy / dim::angle, "torsional stiffness", "N m/rad"},
    NamedDimension{dim::energy / dim::angular_speed, "torsional viscous coefficient", "N m s/rad"},
};

// 1 for n <= 0. Exact for powers of ten up to 1e22; std::pow promises no such thing.
double integer_power(double base, int n) noexcept {
  double result = 1.0;
  for (int i = 0; i < n; ++i) result *= base;
  return result;
}

Unit power(const Unit& base, int n) {
  const int size = std::abs(n);
  double numerator = integer_power(base.numerator, size);
  double denominator = integer_power(base.denominator, size);
  if (n < 0) std::swap(numerator, denominator);
  return {raised(base.dimension, n), numerator, denominator, base.exponent10 * n};
}

Unit product(const Unit& a, const Unit& b) {
  return {a.dimension * b.dimension, a.numerator * b.numerator, a.denominator * b.denominator,
          a.exponent10 + b.exponent10};
}

bool within_bounds(const Unit& unit) {
  const Dimension& d = unit.dimension;
  const int largest = std::max({std::abs(d.length), std::abs(d.mass), std::abs(d.time),
                                std::abs(d.current), std::abs(d.angle)});
  const double scale = unit.scale();
  return largest <= max_dimension && std::abs(unit.exponent10) <= max_exponent10 &&
         std::isfinite(scale) && scale > 0.0;
}

const Unit* find_unit(std::string_view name) {
  for (const NamedUnit& named : named_units) {
    if (named.name == name) return &named.unit;
  }
  return nullptr;
}

// 'Nkm' was meant as 'N km', although 'nm' is nearer to it as text.
std::string split_in_two(std::string_view name) {
  for (std::size_t i = 1; i < name.size(); ++i) {
    const std::string_view head = name.substr(0, i);
    const std::string_view tail = name.substr(i);
    if (find_unit(head) != nullptr && find_unit(tail) != nullptr) {
      return fmt::format("{} {}", head, tail);
    }
  }
  return {};
}

std::string nearest_unit(std::string_view name) {
  std::string two = split_in_two(name);
  if (!two.empty()) return two;
  std::vector<std::string> names;
  names.reserve(named_units.size());
  for (const NamedUnit& named : named_units) names.emplace_back(named.name);
  return nearest_name(name, names);
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Recursive descent over
//   quotient := factor (times? factor)* ('/' factor)*
//   factor   := ('(' quotient ')' | name) power?
class UnitParser {
 public:
  UnitParser(std::string_view text, Fault where)
      : text_(trimmed(text)), rest_(text_), where_(std::move(where)) {
    if (where_.value.empty()) where_.value = text;
    if (where_.expected.empty()) where_.expected = "a unit such as 'm/s', 'N s/m', '1/m' or '%'";
  }

  Unit parse() {
    if (rest_.empty()) fail("empty unit");
    const Unit unit = quotient(0);
    if (!rest_.empty()) fail(fmt::format("unit {}: unbalanced ')'", quote(text_)));
    return unit;
  }

 private:
  [[noreturn]] void fail(std::string message) const {
    Fault fault = where_;
    fault.message = std::move(message);
    throw InputError(std::move(fault));
  }

  std::string_view next_character() const {
    return rest_.substr(0, std::max<std::size_t>(utf8_length(rest_), 1));
  }

  bool take(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  void skip_blanks() {
    while (take(" ") || take("\t")) {
    }
  }

  // Between two factors: a blank, a sign of multiplication, or a parenthesis.
  void require_gap(bool times) const {
    const char before = *(rest_.data() - 1);
    if (times || before == ' ' || before == '\t' || before == ')' || rest_.front() == '(') return;
    fail(fmt::format("unit {}: unexpected {}", quote(text_), quote(next_character())));
  }

  bool take_times() { return take("*") || take("·") || take("⋅"); }

  Unit checked(const Unit& unit) {
    if (!within_bounds(unit)) fail(fmt::format("unit {} is out of range", quote(text_)));
    return unit;
  }

  Unit quotient(int depth) {
    Unit result = factor(depth);
    bool divided = false;
    while (true) {
      skip_blanks();
      if (rest_.empty() || rest_.front() == ')') return result;
      if (take("/")) {
        divided = true;
        result = checked(product(result, power(factor(depth), -1)));
        continue;
      }
      require_gap(take_times());
      const Unit next = factor(depth);
      if (divided) fail_ambiguous();
      result = checked(product(result, next));
    }
  }

  [[noreturn]] void fail_ambiguous() {
    fail(
        fmt::format("ambiguous unit {}: a factor follows a division; write 'N s/m' or 'N/(m s)', "
                    "not 'N/m s'",
                    quote(text_)));
  }

  Unit factor(int depth) {
    skip_blanks();
    if (take("(")) return raised_as_written(parenthesised(depth + 1));
    const std::string name = take_name();
    const GluedUnit* glued = find_glued(name);
    if (glued == nullptr) return raised_as_written(named(name));
    return checked(product(product_of(glued->head), raised_as_written(named(glued->last))));
  }

  /// Of a name that is in the tables.
  static Unit product_of(std::string_view name) {
    const GluedUnit* glued = find_glued(name);
    return glued == nullptr ? *find_unit(name)
                            : product(product_of(glued->head), *find_unit(glued->last));
  }

  Unit raised_as_written(const Unit& base) {
    const std::optional<int> exponent = exponent_of_factor();
    return exponent ? checked(power(base, *exponent)) : base;
  }

  Unit parenthesised(int depth) {
    if (depth > max_depth) fail("unit with too many nested parentheses");
    const Unit inner = quotient(depth);
    if (!take(")")) fail(fmt::format("unit {}: missing ')'", quote(text_)));
    return inner;
  }

  Unit named(std::string_view name) {
    if (name.empty()) fail_no_name();
    const Unit* unit = find_unit(name);
    if (unit == nullptr) fail_unknown(name);
    if (name != "1" && !rest_.empty() && is_digit(rest_.front())) {
      fail(fmt::format("unit {}: a power is written with '^', as in 's^2'", quote(text_)));
    }
    return *unit;
  }

  // Letters, or digits, or '%'; both code points of the micro sign become 'u'.
  std::string take_name() {
    std::string name;
    if (take("%")) return "%";
    while (!rest_.empty() && is_digit(rest_.front())) take_char(name);
    if (!name.empty()) return name;
    while (!rest_.empty()) {
      if (take("\u00b5") || take("\u03bc")) {
        name += 'u';
      } else if (is_letter(rest_.front())) {
        take_char(name);
      } else {
        break;
      }
    }
    return name;
  }

  void take_char(std::string& name) {
    name += rest_.front();
    rest_.remove_prefix(1);
  }

  [[noreturn]] void fail_no_name() {
    if (rest_.empty()) fail(fmt::format("unit {} ends too early", quote(text_)));
    const std::string_view found = next_character();
    const std::string_view hint =
        found == "/" && found.data() == text_.data() ? " (write '1/s', not '/s')" : "";
    fail(fmt::format("unit {}: unexpected {}{}", quote(text_), quote(found), hint));
  }

  [[noreturn]] void fail_unknown(std::string_view name) {
    if (is_digit(name.front())) {
      fail(fmt::format("unit {}: the only number in a unit is '1', as in '1/m'", quote(text_)));
    }
    if (where_.nearest.empty()) where_.nearest = nearest_unit(name);
    fail(fmt::format("unknown unit {}", quote(name)));
  }

  std::optional<int> exponent_of_factor() {
    if (take("^")) return checked_exponent(take_plain_exponent());
    if (!starts_with_superscript()) return std::nullopt;
    const int sign = take("⁻") ? -1 : 1;
    const std::optional<int> digit = take_superscript_digit();
    if (starts_with_superscript()) return checked_exponent(std::nullopt);
    return checked_exponent(digit ? std::optional(sign * *digit) : std::nullopt);
  }

  int checked_exponent(std::optional<int> exponent) {
    if (!exponent || std::abs(*exponent) > max_power) {
      fail(fmt::format("unit {}: a power is an integer from -{} to {}", quote(text_), max_power,
                       max_power));
    }
    return *exponent;
  }

  std::optional<int> take_plain_exponent() {
    int exponent = 0;
    const char* const end = rest_.data() + rest_.size();
    const auto [stop, error] = std::from_chars(rest_.data(), end, exponent);
    const bool fraction = stop != end && *stop == '.';
    if (error != std::errc() || fraction) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(stop - rest_.data()));
    return exponent;
  }

  static constexpr std::array<std::string_view, 10> superscripts{"⁰", "¹", "²", "³", "⁴",
                                                                 "⁵", "⁶", "⁷", "⁸", "⁹"};

  bool starts_with_superscript() const {
    return rest_.starts_with("⁻") ||
           std::any_of(superscripts.begin(), superscripts.end(),
                       [this](std::string_view digit) { return rest_.starts_with(digit); });
  }

  std::optional<int> take_superscript_digit() {
    for (std::size_t i = 0; i < superscripts.size(); ++i) {
      if (take(superscripts[i])) return static_cast<int>(i);
    }
    return std::nullopt;
  }

  std::string_view text_;
  std::string_view rest_;
  Fault where_;
};

const NamedDimension* find_dimension(const Dimension& dimension) {
  for (const NamedDimension& named : named_dimensions) {
    if (named.dimension == dimension) return &named;
  }
  return nullptr;
}

std::string si_text(const Dimension& d) {
  const std::array<std::pair<std::string_view, int>, 5> bases{
      {{"kg", d.mass}, {"m", d.length}, {"s", d.time}, {"A", d.current}, {"rad", d.angle}}};
  std::string above;
  std::string below;
  int divisors = 0;
  for (const auto& [name, exponent] : bases) {
    if (exponent == 0) continue;
    std::string& side = exponent > 0 ? above : below;
    // A power that is too large to be read back is written in pieces.
    for (int left = std::abs(exponent); left > 0; left -= max_power) {
      if (!side.empty()) side += ' ';
      side += name;
      if (left != 1) side += fmt::format("^{}", std::min(left, max_power));
      if (exponent < 0) ++divisors;
    }
  }
  if (above.empty()) above = "1";
  if (divisors == 0) return above;
  return above + (divisors == 1 ? "/" + below : "/(" + below + ")");
}

// Rounding once: the power of ten of the unit goes into the text of the number. nullopt when the
// number is too long for the buffer, which costs only half a unit in its last place.
std::optional<NumberScan> scan_shifted(std::string_view number, int shift) noexcept {
  std::array<char, 128> buffer{};
  const std::size_t e = std::min(number.find_first_of("eE"), number.size());
  constexpr std::size_t room_for_exponent = 16;
  if (e + room_for_exponent > buffer.size()) return std::nullopt;
  int exponent = 0;
  if (e < number.size()) {
    const std::size_t sign = number[e + 1] == '+' ? 1 : 0;
    const char* const first = number.data() + e + 1 + sign;
    const auto parsed = std::from_chars(first, number.data() + number.size(), exponent);
    if (parsed.ec != std::errc() || std::abs(exponent) > 100000) return std::nullopt;
  }
  char* out = std::copy_n(number.data(), e, buffer.data());
  *out++ = 'e';
  out = std::to_chars(out, buffer.data() + buffer.size(), exponent + shift).ptr;
  NumberScan scan;
  const auto parsed = std::from_chars(buffer.data(), out, scan.value);
  scan.length = number.size();
  scan.state = parsed.ec == std::errc() ? NumberState::good : NumberState::out_of_range;
  return scan;
}

NumberScan scan_converted(const NumberScan& plain, std::string_view number, const Unit& unit) {
  if (unit.numerator == 1.0 && unit.denominator == 1.0) {
    const std::optional<NumberScan> shifted = scan_shifted(number, unit.exponent10);
    if (shifted) return *shifted;
  }
  NumberScan scan = plain;
  scan.value = unit.to_si(plain.value);
  const bool lost = !std::isfinite(scan.value) || (scan.value == 0.0 && plain.value != 0.0);
  if (lost) scan.state = NumberState::out_of_range;
  return scan;
}

bool is_unity(const Unit& unit) {
  return unit.numerator == 1.0 && unit.denominator == 1.0 && unit.exponent10 == 0;
}

[[noreturn]] void refuse(Fault where, std::string message) {
  where.message = std::move(message);
  throw InputError(std::move(where));
}

void require_dimension(const Unit& unit, std::string_view text, const Dimension& wanted,
                       const Fault& where) {
  if (unit.dimension == wanted) return;
  refuse(where, fmt::format("unit {} has the wrong dimension: {} instead of {}", quote(text),
                            dimension_name(unit.dimension), dimension_name(wanted)));
}

// What follows the number is no unit at all: another number, or a decimal comma.
void require_unit_like(std::string_view rest, const Fault& where) {
  const bool inverse = rest.starts_with("1/") || rest.starts_with("1 /");
  const bool number = !inverse && (is_digit(rest.front()) || rest.front() == '.');
  if (!number && rest.front() != ',') return;
  const std::string_view hint = rest.front() == ',' ? " (decimals are set off by a point)" : "";
  refuse(where, fmt::format("a number followed by {}{}", quote(rest), hint));
}

}  // namespace

double Unit::to_si(double value) const noexcept {
  const double above = numerator * integer_power(10.0, exponent10);
  const double below = denominator * integer_power(10.0, -exponent10);
  return value * above / below;
}

Unit parse_unit(std::string_view text, Fault where) {
  return UnitParser(text, std::move(where)).parse();
}

Unit as_meant(const Unit& unit, const Dimension& wanted) {
  const bool per_minute = unit.dimension == dim::frequency && unit.numerator == 1.0 &&
                          unit.denominator == 60.0 && unit.exponent10 == 0;
  return per_minute && wanted == dim::angular_speed ? *find_unit("rpm") : unit;
}

std::string dimension_name(const Dimension& dimension) {
  if (dimension == dim::none) return "dimensionless";
  const NamedDimension* named = find_dimension(dimension);
  if (named == nullptr) return si_text(dimension);
  return fmt::format("{} ({})", named->word, named->si);
}

std::string si_unit(const Dimension& dimension) {
  const NamedDimension* named = find_dimension(dimension);
  return named != nullptr ? std::string(named->si) : si_text(dimension);
}

std::string expected_quantity(const Dimension& wanted) {
  if (wanted == dim::none) return "a dimensionless number, for example '0.3' or '30 %'";
  const NamedDimension* named = find_dimension(wanted);
  const std::string si = si_unit(wanted);
  const std::string word = named != nullptr ? std::string(named->word) : "quantity in " + si;
  const bool vowel = std::string_view("aeiou").find(word.front()) != std::string_view::npos;
  return fmt::format("{} {}, for example '1 {}', or a plain number in SI", vowel ? "an" : "a", word,
                     si);
}

NumberScan scan_number(std::string_view text, const Unit& unit) noexcept {
  NumberScan scan;
  std::string_view number = text;
  const bool plus = number.starts_with('+');
  if (plus) number.remove_prefix(1);
  if (plus && number.starts_with('-')) return scan;  // from_chars would take '+-5' for -5
  const char* const end = number.data() + number.size();
  const auto [stop, error] = std::from_chars(number.data(), end, scan.value);
  if (error == std::errc::invalid_argument) return scan;
  number = number.substr(0, static_cast<std::size_t>(stop - number.data()));
  scan.length = number.size() + (plus ? 1 : 0);
  if (error == std::errc::result_out_of_range) {
    scan.state = NumberState::out_of_range;
    return scan;
  }
  scan.state = std::isfinite(scan.value) ? NumberState::good : NumberState::not_finite;
  if (scan.state != NumberState::good || scan.value == 0.0 || is_unity(unit)) return scan;
  const std::size_t length = scan.length;
  scan = scan_converted(scan, number, unit);
  scan.length = length;
  return scan;
}

std::string_view describe(NumberState state) noexcept {
  switch (state) {
    case NumberState::good:
      return "a number";
    case NumberState::malformed:
      return "not a number";
    case NumberState::not_finite:
      return "not a finite number";
    case NumberState::out_of_range:
      return "number beyond the range of double precision";
  }
  return "not a number";
}

double parse_quantity(std::string_view text, const Dimension& wanted, Fault where) {
  if (where.value.empty()) where.value = text;
  if (where.expected.empty()) where.expected = expected_quantity(wanted);
  const std::string_view body = trimmed(text);
  if (body.empty()) refuse(where, "empty value");
  const NumberScan plain = scan_number(body);
  if (plain.state != NumberState::good) refuse(where, std::string(describe(plain.state)));
  const std::string_view rest = trimmed(body.substr(plain.length));
  if (rest.empty()) return plain.value;
  require_unit_like(rest, where);
  const Unit unit = as_meant(parse_unit(rest, where), wanted);
  require_dimension(unit, rest, wanted, where);
  const NumberScan converted = scan_number(body, unit);
  if (converted.state != NumberState::good) refuse(where, std::string(describe(converted.state)));
  return converted.value;
}

}  // namespace bristle
