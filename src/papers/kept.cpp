#include "kept.hpp"

#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "bristle/core/hash.hpp"

namespace bristle::papers::detail {

std::string fingerprint(std::string_view text) {
  const auto hash = [&](Fnv1a value) {
    value.add(text);
    return value.value();
  };
  return fmt::format("{:016x}{:016x}", hash(Fnv1a()), hash(Fnv1a(1099511628211ull)));
}

Json number_json(double value) { return std::isfinite(value) ? Json(value) : Json(); }
double number_of(const Json& json) { return json.is_number() ? json.get<double>() : std::nan(""); }

Json json_of(const Values& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number_json(value));
  return list;
}
Values values_of(const Json& json) {
  Values values;
  for (const Json& value : json) values.push_back(number_of(value));
  return values;
}

Json json_of(const Series& series) {
  return {{"label", series.label},
          {"style", static_cast<int>(series.style)},
          {"x", json_of(series.x)},
          {"y", json_of(series.y)}};
}
Series series_from(const Json& json) {
  return {json.at("label"), values_of(json.at("x")), values_of(json.at("y")),
          static_cast<Series::Style>(json.at("style").get<int>())};
}

}  // namespace bristle::papers::detail
