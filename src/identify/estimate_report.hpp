#pragma once

/// Estimates with their intervals and verdicts: for a program, for a terminal, and on a page.

#include <string>

#include <nlohmann/json.hpp>

#include "bristle/identify/confidence.hpp"
#include "bristle/report/page.hpp"

namespace bristle {

using OrderedJson = nlohmann::ordered_json;

/// null for what is not finite.
OrderedJson json_number(double x);
/// Five digits; a dash for what is not finite.
std::string show(double x);
std::string show(const Interval& interval);
/// Of a share; a dash for what is not finite.
std::string percent(double share, int digits = 3);
/// The profile's interval where there is one, else Wald's.
const Interval& interval_of(const Estimate& estimate);
/// [{"name", "value", "unit", "se", "ci95", "wald95", "verdict", "reason"}].
OrderedJson json_of(const std::vector<Estimate>& estimates);
OrderedJson json_of(const Estimate& estimate);
OrderedJson correlation_json(const Confidence& confidence);
/// One line each.
std::string estimate_lines(const std::vector<Estimate>& estimates);
PageTable estimate_table(const std::vector<Estimate>& estimates);
/// The profiles as rises above the least cost, one panel each; none where they were not taken.
Figure profile_figure(const Confidence& confidence, double least_cost);

}  // namespace bristle
