#pragma once

/// What the reports of recipes have in common.

#include <cmath>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bristle/identify/confidence.hpp"
#include "bristle/report/page.hpp"

namespace bristle::detail {

using Json = nlohmann::ordered_json;

/// NaN and infinities are null.
inline Json json_number(double x) { return std::isfinite(x) ? Json(x) : Json(); }

inline Json json_interval(const Interval& i) {
  return {i.open_low ? Json() : json_number(i.low), i.open_high ? Json() : json_number(i.high)};
}

inline std::string show(double x) { return std::isfinite(x) ? fmt::format("{:.5g}", x) : "–"; }
inline std::string show(const Interval& i) {
  return fmt::format("{} … {}", i.open_low ? "no limit" : show(i.low),
                     i.open_high ? "no limit" : show(i.high));
}
inline std::string percent(double share, int digits = 3) {
  return std::isfinite(share) ? fmt::format("{:.{}f}", 100 * share, digits) : "–";
}

/// By profile where there is one.
inline const Interval& interval_of(const Estimate& e) {
  return e.curve.empty() ? e.wald : e.profile;
}

inline std::string labelled(const std::string& name, const std::string& unit) {
  return unit.empty() || unit == "1" ? name : fmt::format("{} ({})", name, unit);
}

inline Json json_of(const Estimate& e) {
  return {{"name", e.name},
          {"value", e.value},
          {"unit", e.unit},
          {"se", json_number(e.se)},
          {"ci95", json_interval(interval_of(e))},
          {"verdict", to_string(e.verdict)},
          {"reason", e.reason}};
}

inline PageTable estimate_table(const std::vector<Estimate>& estimates) {
  PageTable table{
      "", {"parameter", "estimate", "standard error", "95 % interval", "verdict", "why"}, {}};
  for (const Estimate& e : estimates) {
    table.rows.push_back({labelled(e.name, e.unit), show(e.value), show(e.se), show(interval_of(e)),
                          std::string(to_string(e.verdict)), e.reason});
  }
  return table;
}

}  // namespace bristle::detail
