// What follows from the numbers of a study.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bristle/core/error.hpp"
#include "bristle/papers/study.hpp"

namespace bristle::papers {
namespace {

constexpr double near = 0.05;  ///< of the reference: what counts as near it

/// The value of a row by the name that formulas use.
double value_at(const Study& study, const StudyRow& row, const std::string& key) {
  if (key == "cost") return row.cost;
  if (key == "steps") return row.steps;
  for (std::size_t q = 0; q < study.quantities.size(); ++q) {
    if (study.quantities[q].key == key) return row.values[q];
  }
  return std::nan("");
}

bool is_member(const Study& study, std::size_t row, const std::string& group) {
  if (group == "finer") return row >= study.laws.size();
  if (row >= study.laws.size()) return false;
  if (group == "all") return true;
  if (group == "reference") return study.laws[row] == study.reference;
  for (const auto& [name, laws] : study.groups) {
    if (name == group) return std::find(laws.begin(), laws.end(), study.laws[row]) != laws.end();
  }
  return false;
}

Lookup lookup_in(const StudyResult& result) {
  return [&result](const std::string& name) -> std::optional<Values> {
    const std::size_t dot = name.find('.');
    const std::string group = name.substr(0, dot), key = name.substr(dot + 1);
    Values values;
    for (std::size_t row = 0; row < result.rows.size(); ++row) {
      if (!is_member(*result.study, row, group)) continue;
      const double value = value_at(*result.study, result.rows[row], key);
      if (std::isfinite(value)) values.push_back(value);
    }
    if (values.empty()) return std::nullopt;
    return values;
  };
}

/// A slip of the pen in a formula would show as a column of dashes.
void check_present(const StudyResult& result) {
  for (std::size_t q = 0; q < result.study->quantities.size(); ++q) {
    const bool somewhere =
        std::any_of(result.rows.begin(), result.rows.end(),
                    [&](const StudyRow& row) { return std::isfinite(row.values[q]); });
    if (somewhere) continue;
    throw InputError(
        {.message = "no run has this value",
         .key = "quantities." + result.study->quantities[q].key,
         .value = result.study->quantities[q].of.text(),
         .expected = "columns and metrics of scenario '" + result.study->scenario + "'"});
  }
}

struct Entry {
  double value;
  std::string law;
};

std::string with_unit(double value, const std::string& unit) {
  return fmt::format("{:.4g}{}{}", value, unit.empty() ? "" : " ", unit);
}

std::string spread_of(const StudyResult& result, std::size_t q) {
  const Study& study = *result.study;
  const Quantity& quantity = study.quantities[q];
  std::vector<Entry> entries;
  double reference = std::nan("");
  for (std::size_t row = 0; row < study.laws.size(); ++row) {
    const double value = result.rows[row].values[q];
    if (!std::isfinite(value)) continue;
    entries.push_back({value, study.laws[row]});
    if (study.laws[row] == study.reference) reference = value;
  }
  if (entries.empty()) return quantity.title + ": no law has it.";
  const auto less = [](const Entry& a, const Entry& b) { return a.value < b.value; };
  std::stable_sort(entries.begin(), entries.end(), less);
  const Entry &low = entries.front(), &high = entries.back();
  std::string text = fmt::format("{}: from {} ({}) to {} ({})", quantity.title,
                                 with_unit(low.value, quantity.unit), low.law,
                                 with_unit(high.value, quantity.unit), high.law);
  if (std::isfinite(reference)) {
    const auto close = std::count_if(entries.begin(), entries.end(), [&](const Entry& e) {
      return std::abs(e.value - reference) <= near * std::abs(reference);
    });
    text += fmt::format("; {} of {} laws are within {:.0f} % of {} ({})", close, entries.size(),
                        100 * near, study.reference, with_unit(reference, quantity.unit));
  }
  const std::size_t without = study.laws.size() - entries.size();
  if (without > 0) text += fmt::format("; {} without it", without);
  return text + ".";
}

}  // namespace

std::vector<Said> findings_of(const StudyResult& result) {
  check_present(result);
  const Lookup lookup = lookup_in(result);
  std::vector<Said> list;
  for (const Finding& finding : result.study->findings) {
    const double holds = finding.condition.number(lookup);
    const bool yes = std::isfinite(holds) && holds != 0;
    list.push_back({(yes ? finding.then_say : finding.else_say).say(lookup), yes});
  }
  return list;
}

std::vector<std::string> spreads_of(const StudyResult& result) {
  std::vector<std::string> list;
  for (std::size_t q = 0; q < result.study->quantities.size(); ++q) {
    list.push_back(spread_of(result, q));
  }
  return list;
}

}  // namespace bristle::papers
