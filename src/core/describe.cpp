#include "bristle/core/describe.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bristle/core/error.hpp"

namespace bristle {

bool is_named(const Traits& traits, std::string_view key) {
  const auto matches = [&](const char* alias) { return alias != nullptr && key == alias; };
  return key == traits.name || std::any_of(traits.aliases.begin(), traits.aliases.end(), matches);
}

std::string to_string(const Range& range) {
  const auto end = [](double x) {
    return std::isinf(x) ? std::string(x < 0 ? "-inf" : "inf") : fmt::format("{:.15g}", x);
  };
  const bool open_left = range.min_open || std::isinf(range.min);
  const bool open_right = range.max_open || std::isinf(range.max);
  return fmt::format("{}{}, {}{}", open_left ? '(' : '[', end(range.min), end(range.max),
                     open_right ? ')' : ']');
}

std::string expectation(const Traits& traits) {
  switch (traits.kind) {
    case Kind::flag:
      return "true or false";
    case Kind::count:
      return "a whole number in " + to_string(traits.range);
    case Kind::choice: {
      std::string names;
      for (const char* name : traits.choices) {
        if (name != nullptr) names += (names.empty() ? "one of " : ", ") + std::string(name);
      }
      return names;
    }
    case Kind::real:
      break;
  }
  const std::string unit =
      std::string_view(traits.unit) == "1" ? "" : fmt::format(" {}", traits.unit);
  return "a number in " + to_string(traits.range) + unit;
}

std::string value_text(const Traits& traits, double value) {
  if (traits.kind == Kind::flag) return value != 0.0 ? "true" : "false";
  if (traits.kind == Kind::choice) return traits.choices.at(static_cast<std::size_t>(value));
  return fmt::format("{:.15g}", value);
}

void check_value(const Parameter& parameter, double value, std::string_view owner) {
  const bool whole = parameter.kind == Kind::real || value == std::floor(value);
  if (std::isfinite(value) && whole && parameter.range.contains(value)) return;
  throw InputError({.message = fmt::format("not a valid value for a parameter of law '{}'", owner),
                    .key = parameter.name,
                    .value = fmt::format("{:.15g}", value),
                    .expected = expectation(parameter)});
}

}  // namespace bristle
