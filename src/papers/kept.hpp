#pragma once

// Results as JSON, on disk and back.

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "bristle/papers/expression.hpp"
#include "bristle/report/plot.hpp"

namespace bristle::papers::detail {

using Json = nlohmann::ordered_json;

/// 32 hexadecimal digits, twice FNV with different starts: 128 bits against chance.
std::string fingerprint(std::string_view text);

/// NaN has no place in JSON: it is null, and comes back as NaN.
Json number_json(double value);
double number_of(const Json& json);
Json json_of(const Values& values);
Values values_of(const Json& json);
Json json_of(const Series& series);
Series series_from(const Json& json);

}  // namespace bristle::papers::detail
