#include "bristle/core/unit.hpp"

#include <cmath>
#include <limits>
#include <locale>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace bristle {
namespace {

constexpr double pi = 3.14159265358979323846;

Fault unit_fault(std::string_view text) {
  try {
    parse_unit(text);
  } catch (const InputError& error) {
    return error.fault();
  }
  ADD_FAILURE() << "accepted: '" << text << "'";
  return {};
}

Fault quantity_fault(std::string_view text, const Dimension& wanted) {
  try {
    parse_quantity(text, wanted, {.file = "a.toml", .line = 7, .key = "v_s"});
  } catch (const InputError& error) {
    return error.fault();
  }
  ADD_FAILURE() << "accepted: '" << text << "'";
  return {};
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

void expect_unit(std::string_view text, const Dimension& dimension, double scale) {
  const Unit unit = parse_unit(text);
  EXPECT_EQ(unit.dimension, dimension) << text << " is " << dimension_name(unit.dimension);
  EXPECT_EQ(unit.scale(), scale) << text;
}

double quantity(std::string_view text, const Dimension& wanted) {
  return parse_quantity(text, wanted, {});
}

TEST(ParseUnit, NamedUnits) {
  struct Case {
    std::string_view text;
    Dimension dimension;
    double scale;
  };
  const std::vector<Case> cases{
      {"m", dim::length, 1.0},       {"km", dim::length, 1e3},
      {"cm", dim::length, 1e-2},     {"mm", dim::length, 1e-3},
      {"um", dim::length, 1e-6},     {"nm", dim::length, 1e-9},
      {"in", dim::length, 0.0254},   {"inch", dim::length, 0.0254},
      {"ft", dim::length, 0.3048},   {"kg", dim::mass, 1.0},
      {"g", dim::mass, 1e-3},        {"mg", dim::mass, 1e-6},
      {"t", dim::mass, 1e3},         {"tonne", dim::mass, 1e3},
      {"s", dim::time, 1.0},         {"ms", dim::time, 1e-3},
      {"us", dim::time, 1e-6},       {"ns", dim::time, 1e-9},
      {"min", dim::time, 60.0},      {"h", dim::time, 3600.0},
      {"N", dim::force, 1.0},        {"kN", dim::force, 1e3},
      {"mN", dim::force, 1e-3},      {"uN", dim::force, 1e-6},
      {"Hz", dim::frequency, 1.0},   {"kHz", dim::frequency, 1e3},
      {"rad", dim::angle, 1.0},      {"mrad", dim::angle, 1e-3},
      {"deg", dim::angle, pi / 180}, {"rpm", dim::angular_speed, pi / 30},
      {"Pa", dim::pressure, 1.0},    {"kPa", dim::pressure, 1e3},
      {"MPa", dim::pressure, 1e6},   {"GPa", dim::pressure, 1e9},
      {"J", dim::energy, 1.0},       {"mJ", dim::energy, 1e-3},
      {"kJ", dim::energy, 1e3},      {"W", dim::power, 1.0},
      {"A", dim::current, 1.0},      {"mA", dim::current, 1e-3},
      {"V", dim::voltage, 1.0},      {"%", dim::none, 1e-2},
      {"1", dim::none, 1.0},
  };
  for (const Case& c : cases) expect_unit(c.text, c.dimension, c.scale);
}

TEST(ParseUnit, BothMicroSigns) {
  expect_unit("\u00b5m", dim::length, 1e-6);
  expect_unit("\u03bcm", dim::length, 1e-6);
  expect_unit("\u00b5s", dim::time, 1e-6);
  expect_unit("\u00b5N", dim::force, 1e-6);
}

TEST(ParseUnit, DerivedUnitsAgree) {
  EXPECT_EQ(parse_unit("N").dimension, parse_unit("kg m/s^2").dimension);
  EXPECT_EQ(parse_unit("Pa").dimension, parse_unit("N/m^2").dimension);
  EXPECT_EQ(parse_unit("J").dimension, parse_unit("N m").dimension);
  EXPECT_EQ(parse_unit("W").dimension, parse_unit("J/s").dimension);
  EXPECT_EQ(parse_unit("W").dimension, parse_unit("V A").dimension);
  EXPECT_EQ(parse_unit("rpm").dimension, parse_unit("rad/s").dimension);
}

TEST(ParseUnit, ProductsAndQuotients) {
  for (const std::string_view text : {"N s/m", "N*s/m", "N·s/m", "N⋅s/m", " N  s / m ", "N * s / m",
                                      "N/(m/s)", "N s m^-1", "N s m⁻¹", "(N s)/m", "s N/m"}) {
    expect_unit(text, dim::viscous, 1.0);
  }
  expect_unit("mm/s", dim::speed, 1e-3);
  expect_unit("1/m", dim::none / dim::length, 1.0);
  expect_unit("s/m", dim::time / dim::length, 1.0);
  expect_unit("N/mm", dim::stiffness, 1e3);
  expect_unit("N/(m s)", dim::stiffness / dim::time, 1.0);
}

TEST(ParseUnit, Powers) {
  for (const std::string_view text : {"m/s^2", "m/s²", "m s^-2", "m s⁻²", "m/s/s", "m/(s s)"}) {
    expect_unit(text, dim::acceleration, 1.0);
  }
  expect_unit("mm^2", raised(dim::length, 2), 1e-6);
  expect_unit("cm³", raised(dim::length, 3), 1e-6);
  expect_unit("(mm/s)^2", raised(dim::speed, 2), 1e-6);
  expect_unit("m^0", dim::none, 1.0);
  expect_unit("1/mm^2", raised(dim::length, -2), 1e6);
}

TEST(ParseUnit, PowersOfTenCancelExactly) {
  expect_unit("mm/ms", dim::speed, 1.0);
  expect_unit("um/us", dim::speed, 1.0);
  expect_unit("mN/mm", dim::stiffness, 1.0);
}

TEST(ParseUnit, ProductAfterDivisionIsAmbiguous) {
  for (const std::string_view text : {"N/m s", "N/m*s", "N/m·s", "N/(m) s", "1/m s"}) {
    const Fault fault = unit_fault(text);
    EXPECT_TRUE(contains(fault.message, "ambiguous")) << fault.message;
    EXPECT_TRUE(contains(fault.message, "'N s/m' or 'N/(m s)'")) << fault.message;
    EXPECT_EQ(fault.value, text);
  }
}

TEST(ParseUnit, ProductsUsuallyWrittenInOneWord) {
  expect_unit("Nm", dim::energy, 1.0);
  expect_unit("kNm", dim::energy, 1e3);
  expect_unit("Nms/rad", dim::energy / dim::angular_speed, 1.0);
  expect_unit("Nm/rad", dim::energy / dim::angle, 1.0);
  expect_unit("Ns/m", dim::viscous, 1.0);
  expect_unit("Pas", dim::pressure * dim::time, 1.0);
  expect_unit("N/Nm", dim::none / dim::length, 1.0);
  // The power belongs to the last factor.
  expect_unit("kgm^2", dim::mass * raised(dim::length, 2), 1.0);
  expect_unit("kgm²", dim::mass * raised(dim::length, 2), 1.0);
  expect_unit("gcm^2", dim::mass * raised(dim::length, 2), 1e-7);
  expect_unit("1/Nms", dim::none / (dim::energy * dim::time), 1.0);
}

TEST(ParseUnit, TheSiUnitOfAnyUnitReadsBack) {
  for (const std::string_view text : {"(m^9)^2", "(N m)^9", "(kg m^9)^9/(s^9)^9"}) {
    const Dimension dimension = parse_unit(text).dimension;
    expect_unit(si_unit(dimension), dimension, 1.0);
  }
}

TEST(ParseUnit, FactorsAreSetOff) {
  for (const std::string_view text : {"%%", "m%", "%m", "m²s"}) {
    EXPECT_TRUE(contains(unit_fault(text).message, "unexpected")) << text;
  }
  EXPECT_TRUE(contains(quantity_fault("30 %%", dim::none).message, "unexpected '%'"));
  expect_unit("N(m/s)", dim::power, 1.0);
}

TEST(ParseQuantity, RevolutionsPerMinute) {
  EXPECT_EQ(quantity("30 1/min", dim::angular_speed), quantity("30 rpm", dim::angular_speed));
  EXPECT_EQ(quantity("30 min^-1", dim::angular_speed), quantity("30 rpm", dim::angular_speed));
  EXPECT_EQ(quantity("30 1/min", dim::frequency), 0.5);
  EXPECT_TRUE(contains(quantity_fault("30 1/s", dim::angular_speed).message, "wrong dimension"));
}

TEST(ParseUnit, UnknownNamesGetASuggestion) {
  EXPECT_EQ(unit_fault("kn").nearest, "kN");
  EXPECT_EQ(unit_fault("m/sec").nearest, "s");
  EXPECT_EQ(unit_fault("Nkm").nearest, "N km");
  EXPECT_EQ(unit_fault("Nh/m").nearest, "N h");
  const Fault fault = unit_fault("furlong/s");
  EXPECT_EQ(fault.message, "unknown unit 'furlong'");
  EXPECT_EQ(fault.nearest, "");
  EXPECT_TRUE(contains(fault.expected, "a unit such as 'm/s'")) << fault.expected;
}

TEST(ParseUnit, NamesAreCaseSensitive) {
  EXPECT_EQ(unit_fault("MM").nearest, "mm");
  EXPECT_EQ(unit_fault("hz").nearest, "Hz");
  EXPECT_EQ(unit_fault("mn").message, "unknown unit 'mn'");
}

TEST(ParseUnit, MalformedText) {
  EXPECT_EQ(unit_fault("").message, "empty unit");
  EXPECT_EQ(unit_fault("  ").message, "empty unit");
  EXPECT_TRUE(contains(unit_fault("/s").message, "write '1/s', not '/s'"));
  EXPECT_TRUE(contains(unit_fault("m/").message, "ends too early"));
  EXPECT_TRUE(contains(unit_fault("m*").message, "ends too early"));
  EXPECT_TRUE(contains(unit_fault("m//s").message, "unexpected '/'"));
  EXPECT_TRUE(contains(unit_fault("m**s").message, "unexpected '*'"));
  EXPECT_TRUE(contains(unit_fault("N/(m s").message, "missing ')'"));
  EXPECT_TRUE(contains(unit_fault("N)").message, "unbalanced ')'"));
  EXPECT_TRUE(contains(unit_fault("()").message, "unexpected ')'"));
  EXPECT_TRUE(contains(unit_fault("m/s2").message, "a power is written with '^'"));
  EXPECT_TRUE(contains(unit_fault("2 m").message, "the only number in a unit is '1'"));
  EXPECT_TRUE(contains(unit_fault("m€").message, "unexpected '€'"));
  EXPECT_TRUE(contains(unit_fault("m^2^2").message, "unexpected '^'"));
}

TEST(ParseUnit, PowersMustBeSmallIntegers) {
  for (const std::string_view text :
       {"m^", "m^x", "m^1.5", "m^10", "m^-10", "m^99999999999", "m⁻", "m²²", "m^--2"}) {
    const Fault fault = unit_fault(text);
    EXPECT_TRUE(contains(fault.message, "an integer from -9 to 9")) << fault.message;
  }
}

TEST(ParseUnit, AbsurdUnitsAreRefusedSafely) {
  EXPECT_TRUE(contains(unit_fault("(((m^9)^9)^9)^9").message, "out of range"));
  EXPECT_TRUE(contains(unit_fault("((nm^9)^9)").message, "out of range"));
  EXPECT_TRUE(contains(unit_fault("(((min^9)^9)^9)").message, "out of range"));
  EXPECT_TRUE(contains(unit_fault(std::string(100000, '(')).message, "nested parentheses"));
}

TEST(ParseUnit, KeepsWhereItCameFrom) {
  try {
    parse_unit("parsec", {.file = "a.csv", .line = 4, .key = "x", .value = "x [parsec]"});
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.fault().file, "a.csv");
    EXPECT_EQ(error.fault().line, 4);
    EXPECT_EQ(error.fault().key, "x");
    EXPECT_EQ(error.fault().value, "x [parsec]");
  }
}

TEST(DimensionName, WordsWhereThereAreSome) {
  EXPECT_EQ(dimension_name(dim::none), "dimensionless");
  EXPECT_EQ(dimension_name(dim::length), "length (m)");
  EXPECT_EQ(dimension_name(dim::time), "time (s)");
  EXPECT_EQ(dimension_name(dim::speed), "speed (m/s)");
  EXPECT_EQ(dimension_name(dim::force), "force (N)");
  EXPECT_EQ(dimension_name(dim::stiffness), "stiffness (N/m)");
  EXPECT_EQ(dimension_name(dim::viscous), "viscous coefficient (N s/m)");
  EXPECT_EQ(dimension_name(dim::angle), "angle (rad)");
}

TEST(DimensionName, SiTextElse) {
  EXPECT_EQ(dimension_name(raised(dim::mass, 2)), "kg^2");
  EXPECT_EQ(dimension_name(raised(dim::time, -2)), "1/s^2");
  EXPECT_EQ(dimension_name(dim::voltage * dim::time / dim::angle), "kg m^2/(s^2 A rad)");
}

TEST(SiUnit, NamesAndHints) {
  EXPECT_EQ(si_unit(dim::none), "1");
  EXPECT_EQ(si_unit(dim::stiffness), "N/m");
  EXPECT_EQ(si_unit(raised(dim::mass, 2)), "kg^2");
  EXPECT_EQ(expected_quantity(dim::energy / dim::energy),
            "a dimensionless number, for example '0.3' or '30 %'");
  EXPECT_EQ(expected_quantity(dim::acceleration),
            "an acceleration, for example '1 m/s^2', or a plain number in SI");
  EXPECT_EQ(expected_quantity(raised(dim::mass, 2)),
            "a quantity in kg^2, for example '1 kg^2', or a plain number in SI");
}

TEST(DimensionName, TextIsReadBack) {
  for (int power = -2; power <= 2; ++power) {
    for (const Dimension& base : {dim::none, dim::speed, dim::force, dim::voltage, dim::viscous,
                                  dim::angular_speed, dim::energy / dim::angle}) {
      const Dimension dimension = raised(base, power) * dim::length;
      const std::string name = dimension_name(dimension);
      if (name == "dimensionless") continue;
      const std::size_t open = name.find(" (");  // a word comes first
      const bool has_word = open != std::string::npos;
      const std::string text = has_word ? name.substr(open + 2, name.size() - open - 3) : name;
      EXPECT_EQ(parse_unit(text).dimension, dimension) << name;
    }
  }
}

TEST(ParseQuantity, NumberAndUnit) {
  EXPECT_EQ(quantity("5 mm/s", dim::speed), 0.005);
  EXPECT_EQ(quantity("5mm/s", dim::speed), 0.005);
  EXPECT_EQ(quantity("  5   mm / s ", dim::speed), 0.005);
  EXPECT_EQ(quantity("1e5 N/m", dim::stiffness), 1e5);
  EXPECT_EQ(quantity("1e5N/m", dim::stiffness), 1e5);
  EXPECT_EQ(quantity("2 1/s", dim::frequency), 2.0);
  EXPECT_EQ(quantity("30%", dim::none), 0.3);
  EXPECT_EQ(quantity("-3 kN", dim::force), -3000.0);
  EXPECT_DOUBLE_EQ(quantity("180 deg", dim::angle), pi);
  EXPECT_DOUBLE_EQ(quantity("60 rpm", dim::angular_speed), 2 * pi);
  EXPECT_EQ(quantity("1.5 min", dim::time), 90.0);
}

TEST(ParseQuantity, PlainNumberIsSi) {
  EXPECT_EQ(quantity("0.005", dim::speed), 0.005);
  EXPECT_EQ(quantity("+0.005", dim::speed), 0.005);
  EXPECT_EQ(quantity("-.5", dim::speed), -0.5);
  EXPECT_EQ(quantity("5.", dim::speed), 5.0);
  EXPECT_EQ(quantity("1E-3", dim::speed), 1e-3);
  EXPECT_EQ(quantity("1e+3", dim::speed), 1e3);
  EXPECT_EQ(quantity("0.3", dim::angle), 0.3);
}

// Multiplying or dividing the parsed number would miss some of these by one unit in the last place.
TEST(ParseQuantity, DecimalUnitsAreExactToTheLastBit) {
  for (int i = 1; i < 2000; ++i) {
    const std::string number =
        std::to_string(i / 100) + "." + std::to_string(100 + i % 100).substr(1);
    EXPECT_EQ(quantity(number + " mm", dim::length), std::stod(number + "e-3")) << number;
    EXPECT_EQ(quantity(number + "e2 um/s", dim::speed), std::stod(number + "e-4")) << number;
    EXPECT_EQ(quantity(number + "e+2 kN", dim::force), std::stod(number + "e5")) << number;
    EXPECT_EQ(quantity("+" + number + "E-2 GPa", dim::pressure), std::stod(number + "e7"))
        << number;
    EXPECT_EQ(quantity("-" + number + " %", dim::none), std::stod("-" + number + "e-2")) << number;
  }
}

TEST(ParseQuantity, SeventeenDigitsSurvive) {
  EXPECT_EQ(quantity("0.10000000000000001", dim::length), 0.1);
  EXPECT_EQ(quantity("123.45678901234567 mm", dim::length), 0.12345678901234567);
  const std::string digits(400, '3');  // longer than any buffer
  EXPECT_DOUBLE_EQ(quantity("0." + digits + " mm", dim::length), 1.0 / 3000.0);
}

TEST(ParseQuantity, ZeroKeepsItsSign) {
  EXPECT_EQ(quantity("0 mm", dim::length), 0.0);
  EXPECT_TRUE(std::signbit(quantity("-0 mm", dim::length)));
  EXPECT_EQ(quantity("0e99999999999 mm", dim::length), 0.0);
}

TEST(ParseQuantity, WrongDimensionNamesBoth) {
  const Fault fault = quantity_fault("5 mm", dim::speed);
  EXPECT_EQ(fault.message, "unit 'mm' has the wrong dimension: length (m) instead of speed (m/s)");
  EXPECT_EQ(fault.expected, "a speed, for example '1 m/s', or a plain number in SI");
  EXPECT_EQ(fault.file, "a.toml");
  EXPECT_EQ(fault.line, 7);
  EXPECT_EQ(fault.key, "v_s");
  EXPECT_EQ(fault.value, "5 mm");
}

TEST(ParseQuantity, AngleIsNoCoefficient) {
  const Fault fault = quantity_fault("0.3 deg", dim::none);
  EXPECT_TRUE(contains(fault.message, "angle (rad) instead of dimensionless")) << fault.message;
  EXPECT_EQ(fault.expected, "a dimensionless number, for example '0.3' or '30 %'");
  quantity_fault("5 Hz", dim::angular_speed);
  quantity_fault("5 %", dim::angle);
}

TEST(ParseQuantity, ExpectedHasItsArticleAndExample) {
  EXPECT_EQ(quantity_fault("x", dim::angle).expected,
            "an angle, for example '1 rad', or a plain number in SI");
  EXPECT_EQ(quantity_fault("x", raised(dim::time, -2)).expected,
            "a quantity in 1/s^2, for example '1 1/s^2', or a plain number in SI");
}

TEST(ParseQuantity, CallersExpectationIsKept) {
  try {
    parse_quantity("x", dim::speed, {.expected = "a speed in (0, inf)"});
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.fault().expected, "a speed in (0, inf)");
  }
}

TEST(ParseQuantity, NotANumber) {
  for (const std::string_view text : {"x", "mm", "+", "-", "+-5", "-+5", "++5", "- 5", "e5", "."}) {
    EXPECT_EQ(quantity_fault(text, dim::speed).message, "not a number") << text;
  }
  EXPECT_EQ(quantity_fault("", dim::speed).message, "empty value");
  EXPECT_EQ(quantity_fault(" \t", dim::speed).message, "empty value");
}

TEST(ParseQuantity, NotFinite) {
  for (const std::string_view text : {"nan", "NaN", "-nan", "inf", "-inf", "Infinity", "inf m/s"}) {
    EXPECT_EQ(quantity_fault(text, dim::speed).message, "not a finite number") << text;
  }
}

TEST(ParseQuantity, OutOfRange) {
  for (const std::string_view text :
       {"1e999", "-1e999", "1e-999", "1e308 km", "1e308 ft^2", "1e-322 nm", "1e99999999999999"}) {
    const Dimension wanted = contains(text, "ft") ? raised(dim::length, 2) : dim::length;
    EXPECT_TRUE(contains(quantity_fault(text, wanted).message, "range of double")) << text;
  }
  EXPECT_EQ(quantity("4.9406564584124654e-324", dim::none),
            std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(quantity("1.7976931348623157e308", dim::none), std::numeric_limits<double>::max());
}

TEST(ParseQuantity, LeftoversAreRefused) {
  EXPECT_EQ(quantity_fault("0 1", dim::none).message, "a number followed by '1'");
  EXPECT_EQ(quantity_fault("5 6 mm", dim::length).message, "a number followed by '6 mm'");
  EXPECT_EQ(quantity_fault("1.2.3", dim::none).message, "a number followed by '.3'");
  EXPECT_EQ(quantity_fault("1,5 mm", dim::length).message,
            "a number followed by ',5 mm' (decimals are set off by a point)");
  EXPECT_TRUE(contains(quantity_fault("5 mm;", dim::length).message, "unexpected ';'"));
  EXPECT_EQ(quantity_fault("0x10", dim::none).message, "unknown unit 'x'");
  EXPECT_EQ(quantity_fault("5e", dim::none).message, "unknown unit 'e'");
}

TEST(ParseQuantity, UnknownUnitKeepsPlaceAndSuggestion) {
  const Fault fault = quantity_fault("5 kn", dim::force);
  EXPECT_EQ(fault.message, "unknown unit 'kn'");
  EXPECT_EQ(fault.nearest, "kN");
  EXPECT_EQ(fault.value, "5 kn");
  EXPECT_EQ(fault.line, 7);
  EXPECT_EQ(fault.expected, "a force, for example '1 N', or a plain number in SI");
}

TEST(ParseQuantity, AmbiguousUnitIsRefused) {
  EXPECT_TRUE(contains(quantity_fault("5 N/m s", dim::viscous).message, "ambiguous unit 'N/m s'"));
}

class DecimalComma : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
};

TEST(ParseQuantity, LocaleDoesNotMatter) {
  const std::locale old =
      std::locale::global(std::locale(std::locale::classic(), new DecimalComma));
  const double value = quantity("1.5 mm", dim::length);
  std::locale::global(old);
  EXPECT_EQ(value, 0.0015);
}

TEST(ScanNumber, SaysHowMuchBelongsToTheNumber) {
  EXPECT_EQ(scan_number("+1.5mm").length, 4u);
  EXPECT_EQ(scan_number("1.5e").length, 3u);
  EXPECT_EQ(scan_number("+1.5mm", parse_unit("mm")).length, 4u);
  EXPECT_EQ(scan_number("+1.5mm", parse_unit("mm")).value, 0.0015);
  EXPECT_EQ(scan_number("1 in", parse_unit("in")).value, 0.0254);
  EXPECT_EQ(scan_number("").state, NumberState::malformed);
}

}  // namespace
}  // namespace bristle
