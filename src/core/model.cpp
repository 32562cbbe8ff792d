#include "bristle/core/model.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "bristle/core/names.hpp"
#include "bristle/core/unit.hpp"

namespace bristle {
namespace {

std::string listed(std::span<const std::string> names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

/// All names under which a parameter may be set.
std::vector<std::string> keys_of(const ModelInfo& info) {
  std::vector<std::string> keys;
  for (const Parameter& p : info.parameters) {
    keys.emplace_back(p.name);
    for (const char* alias : p.aliases) {
      if (alias != nullptr) keys.emplace_back(alias);
    }
  }
  return keys;
}

double parse_flag(const Setting& setting, const Parameter& parameter) {
  const std::string& text = setting.value;
  if (text == "true" || text == "yes" || text == "on" || text == "1") return 1.0;
  if (text == "false" || text == "no" || text == "off" || text == "0") return 0.0;
  Fault fault = setting.fault("not a truth value");
  fault.expected = expectation(parameter);
  throw InputError(fault);
}

double parse_choice(const Setting& setting, const Parameter& parameter) {
  std::vector<std::string> names;
  for (const char* name : parameter.choices) {
    if (name != nullptr) names.emplace_back(name);
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == setting.value) return static_cast<double>(i);
  }
  Fault fault = setting.fault("unknown choice");
  fault.expected = expectation(parameter);
  fault.nearest = nearest_name(setting.value, names);
  throw InputError(fault);
}

/// A unit with a power that is not a whole number, or that is another parameter: it cannot be
/// checked, and values are plain SI.
bool has_open_power(std::string_view unit) {
  constexpr std::array<std::string_view, 3> powers{"^δ", "^p", "^("};
  return std::any_of(powers.begin(), powers.end(), [&](std::string_view power) {
    return unit.find(power) != std::string_view::npos;
  });
}

/// The same per newton of load where the law says so.
Dimension wanted_dimension(const Parameter& parameter, bool per_load) {
  const Dimension full = written_dimension(parameter);
  const bool scaled = per_load && parameter.load_scaled && !has_open_power(parameter.unit);
  return scaled ? full / dim::force : full;
}

}  // namespace

const Parameter* ModelInfo::find(std::string_view key) const {
  for (const Parameter& p : parameters) {
    if (is_named(p, key)) return &p;
  }
  return nullptr;
}

const Parameter& ModelInfo::at(std::string_view key) const {
  const Parameter* parameter = find(key);
  if (parameter != nullptr) return *parameter;
  throw InputError(unknown_parameter(*this, {std::string(key), "", "", 0}, key));
}

Fault unknown_law(std::string_view kind, std::string_view name,
                  std::span<const std::string> names) {
  return {.message = fmt::format("unknown {} law", kind),
          .key = "law",
          .value = std::string(name),
          .expected = "one of " + listed(names),
          .nearest = nearest_name(name, names)};
}

const Parameter& checked_parameter(const ModelInfo& info, std::string_view key, double value) {
  const Parameter* parameter = info.find(key);
  if (parameter == nullptr) {
    const Setting setting{std::string(key), fmt::format("{:.15g}", value), "", 0};
    throw InputError(unknown_parameter(info, setting, key));
  }
  check_value(*parameter, value, info.page.name);
  return *parameter;
}

void check_order(const ModelInfo& info, const Order& order, double greater, double smaller) {
  if (order.strict ? greater > smaller : greater >= smaller) return;
  throw InputError({.message = fmt::format("law '{}' does not allow {} < {} (= {:.15g})",
                                           info.page.name, order.greater, order.smaller, smaller),
                    .key = order.greater,
                    .value = fmt::format("{:.15g}", greater),
                    .expected = fmt::format("{} {} {}", order.greater,
                                            order.strict ? ">" : ">=", order.smaller)});
}

void check_consistency(const ModelInfo& info, std::string_view inconsistency) {
  if (inconsistency.empty()) return;
  throw InputError({.message = fmt::format("inconsistent parameters of law '{}': {}",
                                           info.page.name, inconsistency)});
}

Fault unknown_parameter(const ModelInfo& info, const Setting& setting, std::string_view key) {
  Fault fault = setting.fault(fmt::format("unknown parameter of law '{}'", info.page.name));
  std::vector<std::string> names;
  names.reserve(info.parameters.size());
  for (const Parameter& p : info.parameters) names.emplace_back(p.name);
  fault.expected = "one of " + listed(names);
  fault.nearest = nearest_name(key, keys_of(info));
  return fault;
}

Dimension written_dimension(const Parameter& parameter) {
  return has_open_power(parameter.unit) ? dim::none : parse_unit(parameter.unit).dimension;
}

double parse_setting_value(const Setting& setting, const Parameter& parameter, bool per_load) {
  if (parameter.kind == Kind::flag) return parse_flag(setting, parameter);
  if (parameter.kind == Kind::choice) return parse_choice(setting, parameter);
  const Dimension dimension = wanted_dimension(parameter, per_load);
  try {
    return parse_quantity(setting.value, dimension, setting.fault(""));
  } catch (const InputError& error) {
    if (!has_open_power(parameter.unit)) throw;
    Fault fault = error.fault();
    fault.message = "not a plain number";
    fault.expected = fmt::format("a plain number, meant in {}", parameter.unit);
    throw InputError(fault);
  }
}

void check_repeats(const ModelInfo& info, std::span<const Setting> settings) {
  for (std::size_t i = 0; i < settings.size(); ++i) {
    for (std::size_t j = 0; j < i && !settings[i].file.empty(); ++j) {
      const Parameter* p = info.find(settings[i].key);
      const bool repeats = p != nullptr && info.find(settings[j].key) == p;
      if (!repeats || settings[j].file != settings[i].file) continue;
      throw InputError(settings[i].fault(
          fmt::format("the same parameter as '{}' in line {}", settings[j].key, settings[j].line)));
    }
  }
}

Fault located(Fault fault, const Setting& setting) {
  fault.file = setting.file;
  fault.line = setting.line;
  fault.key = setting.key;
  fault.value = setting.value;
  return fault;
}

Fault located(Fault fault, const ModelInfo& info, std::span<const Setting> settings) {
  if (settings.empty()) return fault;
  fault.file = settings.back().file;
  for (const Setting& s : settings) {
    const Parameter* p = info.find(s.key);
    if (p == nullptr || !fault.key.ends_with(p->name)) continue;
    fault.file = s.file;
    fault.line = s.line;
  }
  return fault;
}

}  // namespace bristle
