#pragma once

/// Described models chosen by name at run time: what friction laws and normal laws share.
///
/// A model M here is the run-time form of a law (AnyLaw, AnyNormal), with
///
///   const Info& info() const;             Info derives from ModelInfo
///   double get(std::string_view) const;
///   void set(std::string_view, double);   checks the one value
///   void check() const;                   checks all of them together

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bristle/core/describe.hpp"
#include "bristle/core/setting.hpp"
#include "bristle/core/unit.hpp"

namespace bristle {

/// All that is known of a model without its parameters' values.
struct ModelInfo {
  Page page;
  std::vector<Parameter> parameters;
  std::vector<Order> orders;

  /// The parameter of this name or alias; null if there is none.
  const Parameter* find(std::string_view key) const;
  /// The same; InputError naming the nearest if there is none.
  const Parameter& at(std::string_view key) const;
};

template <class L>
ModelInfo model_info() {
  const auto described = L::describe();
  return {described.page, parameters_of<L>(),
          std::vector<Order>(described.orders.begin(), described.orders.end())};
}

/// The value of a described parameter, as double; and setting it, unchecked.
template <class L>
double get_parameter(const L& law, const Parameter& parameter) noexcept {
  double value = 0;
  for_each_parameter(law, [&](const Traits& traits, const auto& member) {
    if (std::string_view(traits.name) == parameter.name) value = parameter_value(member);
  });
  return value;
}
template <class L>
void set_parameter(L& law, const Parameter& parameter, double value) noexcept {
  for_each_parameter(law, [&](const Traits& traits, auto& member) {
    if (std::string_view(traits.name) == parameter.name) assign_parameter(member, value);
  });
}
/// What a law finds wrong with its parameters as a whole; empty if nothing.
template <class L>
std::string_view inconsistency_of(const L& law) noexcept {
  if constexpr (requires { law.inconsistency(); }) return law.inconsistency();
  return {};
}

/// "unknown friction law": names all that there are, and the nearest.
Fault unknown_law(std::string_view kind, std::string_view name, std::span<const std::string> names);

/// The parameter that a value is meant for, after checking the value (InputError).
const Parameter& checked_parameter(const ModelInfo& info, std::string_view key, double value);
/// Refuses greater < smaller (InputError).
void check_order(const ModelInfo& info, const Order& order, double greater, double smaller);
/// Refuses what the law itself found (InputError); an empty text is fine.
void check_consistency(const ModelInfo& info, std::string_view inconsistency);

// ---- Settings -----------------------------------------------------------------------------------

Fault unknown_parameter(const ModelInfo& info, const Setting& setting, std::string_view key);
/// The dimension in which values of a parameter are written. A unit with a power that is not a
/// whole number, or that is another parameter, cannot be checked: values are then plain numbers in
/// SI.
Dimension written_dimension(const Parameter& parameter);
/// The setting's value in SI; `per_load` as in Traits.
double parse_setting_value(const Setting& setting, const Parameter& parameter, bool per_load);
/// A file may not give one parameter under two names (InputError).
void check_repeats(const ModelInfo& info, std::span<const Setting> settings);
/// The fault as found, with the place where the offending setting was written.
Fault located(Fault fault, const Setting& setting);
Fault located(Fault fault, const ModelInfo& info, std::span<const Setting> settings);

/// Applies one setting; `key` is the parameter's name without a prefix.
template <class M>
void apply_setting(M& model, const Setting& setting, std::string_view key, bool per_load = false) {
  const ModelInfo& info = model.info();
  const Parameter* parameter = info.find(key);
  if (parameter == nullptr) throw InputError(unknown_parameter(info, setting, key));
  const double value = parse_setting_value(setting, *parameter, per_load);
  try {
    model.set(key, value);
  } catch (const InputError& error) {
    throw InputError(located(error.fault(), setting));
  }
}

/// Checks the model as a whole and blames the last setting that took part.
template <class M>
void check_settings(const M& model, std::span<const Setting> settings,
                    std::string_view prefix = "") {
  try {
    model.check();
  } catch (const InputError& error) {
    Fault fault = error.fault();
    if (!fault.key.empty()) fault.key.insert(0, prefix);
    throw InputError(located(std::move(fault), model.info(), settings));
  }
}

}  // namespace bristle
