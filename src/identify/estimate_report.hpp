#pragma once

/// Estimates with their intervals and verdicts: for a program, for a terminal, and on a page.

#include <string>

#include <nlohmann/json.hpp>

#include "bristle/identify/confidence.hpp"
#include "bristle/identify/law_match.hpp"
#include "bristle/identify/recording.hpp"
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
/// {"rank", "sigma", "samples", "aic", "bic", "whiteness", "singular_values", "correlation"}.
OrderedJson json_of(const Confidence& confidence);
/// {"costs", "agreeing"}, a cost for each start.
OrderedJson json_of_starts(const Search& search);
/// Adds to the reason of an estimate that is weak or not determined what would help.
void add_help(const std::string& help, Estimate& estimate);
/// One line each.
std::string estimate_lines(const std::vector<Estimate>& estimates);
PageTable estimate_table(const std::vector<Estimate>& estimates);
/// What was done to the data, a paragraph each, from the columns on.
std::vector<std::string> step_words(const Recording& recording);
/// How the parameters hang together: correlations, rank and singular values. For one parameter
/// alone the table has no rows.
PageTable correlation_table(const Confidence& confidence);
std::string rank_words(const Confidence& confidence);
/// Force over speed and over displacement.
Figure loop_figure(const ForceLoop& loop);
/// Where each start began and ended, by the root mean square of the residuals.
Figure start_figure(const Search& search, int samples, const std::string& unit);
std::string agreement_words(const Search& search);
/// What a profile is, for those who read the figure.
std::string profile_words();
/// The profiles as rises above the least cost, one panel each; none where they were not taken.
Figure profile_figure(const Confidence& confidence, double least_cost);

}  // namespace bristle
