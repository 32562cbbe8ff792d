#include "bristle/identify/law_unknowns.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bristle/core/error.hpp"
#include "bristle/core/names.hpp"

namespace bristle {
namespace {

bool is_coefficient(const Parameter& parameter) {
  return std::string_view(parameter.unit) == "1" &&
         std::string_view(parameter.name).starts_with("mu");
}

Unknown unknown_of(const Parameter& parameter, const UnknownSetting& setting,
                   const DataScales& scales) {
  const std::string_view unit = parameter.unit;
  Unknown u{.name = parameter.name, .unit = parameter.unit, .text = parameter.text};
  u.usual_low = parameter.usual.min;
  u.usual_high = parameter.usual.max;
  const bool speed = unit == "m/s" && scales.speed > 0;
  if (speed) {
    u.usual_low = scales.small_speed / 3;
    u.usual_high = scales.speed;
  }
  if (scales.ratio > 0 && is_coefficient(parameter)) {
    u.usual_low = scales.ratio / 10;
    u.usual_high = 1.5 * scales.ratio;
  }
  if (setting.start) {
    u.usual_low = std::min(*setting.start / 10, *setting.start * 10);
    u.usual_high = std::max(*setting.start / 10, *setting.start * 10);
  }
  u.log = setting.log.value_or(u.usual_low > 0 && parameter.range.min >= 0);
  // Where the data or the shape give the scale, two decades beyond it are enough.
  const double beyond = speed || unit == "1" ? 1e2 : 1e4;
  const double reach = std::max(std::abs(u.usual_low), std::abs(u.usual_high)) * beyond;
  u.low =
      setting.low.value_or(u.log ? u.usual_low / beyond : std::max(parameter.range.min, -reach));
  u.high = setting.high.value_or(std::min(parameter.range.max, reach));
  if (u.log) u.low = std::max(u.low, parameter.range.min);
  // A search ends at its bounds, and the law takes no value at an open one.
  const double inside = 1e-9 * std::max(std::abs(u.low), std::abs(u.high));
  if (parameter.range.max_open && u.high >= parameter.range.max) u.high -= inside;
  if (parameter.range.min_open && u.low <= parameter.range.min) u.low += inside;
  u.usual_low = std::clamp(u.usual_low, u.low, u.high);
  u.usual_high = std::clamp(u.usual_high, u.low, u.high);
  return u;
}

Fault unknown_parameter(const AnyLaw& law, const std::string& key) {
  std::vector<std::string> names;
  for (const Parameter& parameter : law.info().parameters) names.emplace_back(parameter.name);
  return {.message = fmt::format("unknown parameter of law '{}'", law.name()),
          .key = key,
          .expected = one_of(names),
          .nearest = nearest_name(key, names)};
}

}  // namespace

LawUnknowns::LawUnknowns(const AnyLaw& given, const UnknownSettings& settings,
                         const DataScales& scales)
    : law(given) {
  std::map<const Parameter*, UnknownSetting> known;
  for (const auto& [key, setting] : settings) {
    const Parameter* parameter = law.info().find(key);
    if (parameter == nullptr) throw InputError(unknown_parameter(law, key));
    known[parameter] = setting;
    if (setting.fixed) law.set(parameter->name, *setting.fixed);
  }
  for (const Parameter& parameter : law.info().parameters) {
    const UnknownSetting& setting = known[&parameter];
    if (parameter.kind != Kind::real || setting.fixed) continue;
    sought.emplace_back(parameter.name);
    unknowns.push_back(unknown_of(parameter, setting, scales));
  }
}

void LawUnknowns::drop(std::size_t i) {
  sought.erase(sought.begin() + static_cast<long>(i));
  unknowns.erase(unknowns.begin() + static_cast<long>(i));
}

int LawUnknowns::find(std::string_view name) const {
  const Parameter* parameter = law.info().find(name);
  const auto i = std::find(sought.begin(), sought.end(), parameter ? parameter->name : name);
  return i == sought.end() ? -1 : static_cast<int>(i - sought.begin());
}

std::vector<UnknownOrder> LawUnknowns::orders(const NamedOrders& more) {
  std::vector<UnknownOrder> list;
  const auto add = [&](std::string_view greater_name, std::string_view smaller_name) {
    const int greater = find(greater_name), smaller = find(smaller_name);
    if (greater >= 0 && smaller >= 0) {
      list.push_back({greater, smaller});
    } else if (greater >= 0) {
      double& low = unknowns[static_cast<std::size_t>(greater)].low;
      low = std::max(low, law.get(smaller_name));
    } else if (smaller >= 0) {
      double& high = unknowns[static_cast<std::size_t>(smaller)].high;
      high = std::min(high, law.get(greater_name));
    }
  };
  for (const Order& order : law.info().orders) add(order.greater, order.smaller);
  for (const auto& [greater, smaller] : more) {
    for (const std::string& name : {greater, smaller}) {
      if (law.info().find(name) == nullptr) throw InputError(unknown_parameter(law, name));
    }
    add(greater, smaller);
  }
  return list;
}

AnyLaw LawUnknowns::with(std::span<const double> p) const {
  AnyLaw made = law;
  for (std::size_t j = 0; j < sought.size(); ++j) made.set(sought[j], p[j]);
  return made;
}

}  // namespace bristle
