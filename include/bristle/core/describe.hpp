#pragma once

/// Parameters are described once, next to the member.
///
///   static constexpr auto describe() {
///     return description(
///         Page{.name = "lugre", .title = "LuGre", .source = "Canudas de Wit et al. 1995", …},
///         fields(field(&LuGre::mu_s, "mu_s", "μ_s", "1", at_least(0), usual(0.05, 1),
///                      "static coefficient"), …),
///         orders(Order{"mu_s", "mu_k"}));
///   }
///
/// Everything else that needs to know a parameter — range checks, YAML and `--set` reading, the
/// listing of `bristle models`, bounds of an identification, the reference page of the law — is
/// generated from this description through `Parameter`, its run-time form.

#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "bristle/core/scalar.hpp"

namespace bristle {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// The values a parameter may take.
struct Range {
  double min = -infinity, max = infinity;
  bool min_open = false, max_open = false;

  constexpr bool contains(double x) const {
    return (min_open ? x > min : x >= min) && (max_open ? x < max : x <= max);
  }
};
constexpr Range at_least(double a) { return {a, infinity, false, true}; }
constexpr Range above(double a) { return {a, infinity, true, true}; }
constexpr Range at_most(double b) { return {-infinity, b, true, false}; }
constexpr Range between(double a, double b) { return {a, b, false, false}; }
constexpr Range inside(double a, double b) { return {a, b, true, true}; }
constexpr Range above_to(double a, double b) { return {a, b, true, false}; }

/// The values met in practice: where random tests draw from and where a search starts. Spread
/// logarithmically where both ends are positive.
struct Usual {
  double min = 0, max = 1;
};
constexpr Usual usual(double a, double b) { return {a, b}; }

enum class Kind { real, flag, count, choice };

/// What is known of a parameter apart from its place in memory. `text`, `symbol` and `unit` are
/// UTF-8; the unit is SI ("1": dimensionless).
struct Traits {
  const char* name = "";
  const char* symbol = "";
  const char* unit = "1";
  Range range;
  Usual usual;
  const char* text = "";
  const char* source = "";
  Kind kind = Kind::real;
  std::array<const char*, 3> aliases{};  ///< other names accepted for the same key
  std::array<const char*, 4> choices{};  ///< names of the values of a choice
  bool load_scaled = false;              ///< multiplied by f_n when `per_load` is set
  bool one_sided = true;                 ///< may differ between the two directions of slip
};

/// A parameter: its traits and the member that holds it.
template <class Owner, class M>
struct Field {
  M Owner::*member;
  Traits traits;

  /// Where the parameter comes from, if not simply the law's own source.
  constexpr Field from(const char* source) const { return with(&Traits::source, source); }
  /// The unit loses its newton when `per_load` is set (Boos's form: 1/m, s/m).
  constexpr Field per_load() const { return with(&Traits::load_scaled, true); }
  /// Of the start, or of both directions together: `minus.KEY` is refused.
  constexpr Field shared() const { return with(&Traits::one_sided, false); }
  constexpr Field also(const char* a, const char* b = nullptr, const char* c = nullptr) const {
    return with(&Traits::aliases, std::array{a, b, c});
  }

 private:
  template <class V>
  constexpr Field with(V Traits::*trait, V value) const {
    Field copy = *this;
    copy.traits.*trait = value;
    return copy;
  }
};

template <class Owner, class M>
constexpr Field<Owner, M> field(M Owner::*member, const char* name, const char* symbol,
                                const char* unit, Range range, Usual usual, const char* text) {
  Traits traits{name, symbol, unit, range, usual, text};
  if constexpr (std::is_integral_v<M>) traits.kind = Kind::count;
  return {member, traits};
}
template <class Owner>
constexpr Field<Owner, bool> flag(bool Owner::*member, const char* name, const char* text) {
  Traits traits{name, name, "1", between(0, 1), {0, 1}, text};
  traits.kind = Kind::flag;
  return {member, traits};
}
template <class Owner, class E>
  requires std::is_enum_v<E>
constexpr Field<Owner, E> choice(E Owner::*member, const char* name,
                                 std::array<const char*, 4> choices, const char* text) {
  int n = 0;
  while (n < 4 && choices[static_cast<std::size_t>(n)] != nullptr) ++n;
  Traits traits{name, name, "1", between(0, n - 1), {0, static_cast<double>(n - 1)}, text};
  traits.kind = Kind::choice;
  traits.choices = choices;
  return {member, traits};
}

/// greater ≥ smaller (or > where strict), by parameter name.
struct Order {
  const char* greater = "";
  const char* smaller = "";
  bool strict = false;
};

/// The prose of a reference page. `formula` is LaTeX.
struct Page {
  const char* name = "";
  const char* title = "";
  const char* source = "";
  const char* formula = "";
  const char* use = "";      ///< when to use it
  const char* limits = "";   ///< what it cannot do, and limiting cases
  const char* printed = "";  ///< misprints of the source: "printed as …"
  const char* advance = "";  ///< how exact a step with frozen inputs is
};

template <class Fields, std::size_t N>
struct Description {
  Page page;
  Fields fields;
  std::array<Order, N> orders;
};
template <class... F>
constexpr std::tuple<F...> fields(F... f) {
  return {f...};
}
template <class... O>
constexpr std::array<Order, sizeof...(O)> orders(O... o) {
  return {o...};
}
template <class Fields, std::size_t N>
constexpr Description<Fields, N> description(Page page, Fields f, std::array<Order, N> o) {
  return {page, f, o};
}

/// The run-time form of a described parameter. Values travel as double: a flag is 0 or 1, a choice
/// is the index of its name.
struct Parameter : Traits {
  double default_value = 0;
};

/// Calls f(traits, value) for each parameter of a law; a const law gives const values.
template <class L, class F>
constexpr void for_each_parameter(L& law, F&& f) {
  std::apply([&](const auto&... fld) { (f(fld.traits, law.*(fld.member)), ...); },
             std::remove_const_t<L>::describe().fields);
}

template <class M>
double parameter_value(const M& member) noexcept {
  if constexpr (std::is_enum_v<M>) {
    return static_cast<double>(static_cast<int>(member));
  } else if constexpr (std::is_integral_v<M>) {
    return static_cast<double>(member);
  } else {
    return value_of(member);
  }
}
template <class M>
void assign_parameter(M& member, double value) noexcept {
  if constexpr (std::is_enum_v<M>) {
    member = static_cast<M>(static_cast<int>(value));
  } else if constexpr (std::is_same_v<M, bool>) {
    member = value != 0.0;
  } else {
    member = static_cast<M>(value);
  }
}

template <class L>
std::vector<Parameter> parameters_of() {
  std::vector<Parameter> list;
  const L defaults{};
  for_each_parameter(defaults, [&](const Traits& traits, const auto& member) {
    list.push_back({traits, parameter_value(member)});
  });
  return list;
}

/// True if `key` is the parameter's name or one of its aliases.
bool is_named(const Traits& traits, std::string_view key);
/// "[0, inf)", "true or false", "one of tanh, atan, sqrt": for messages and pages.
std::string to_string(const Range& range);
std::string expectation(const Traits& traits);
/// A value as it is written: "0.25", "true", "tanh".
std::string value_text(const Traits& traits, double value);

/// Refuses a value outside the range, NaN, or a fraction for a count (InputError).
void check_value(const Parameter& parameter, double value, std::string_view owner);

}  // namespace bristle
