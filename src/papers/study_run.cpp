// One law of a study: its run, what is taken from it, and how that is kept.

#include <cmath>

#include <fmt/format.h>

#include "bristle/papers/study.hpp"
#include "bristle/scenario/scenario.hpp"
#include "item_parts.hpp"
#include "kept.hpp"
#include "sources.hpp"

namespace bristle::papers {
namespace {

constexpr std::size_t figure_samples = 600;

/// Not a number where the run of this law has no such value, as a period where nothing swings.
double value_of_run(const Expression& of, const Data& data) {
  for (const std::string& name : of.names()) {
    const auto found = data.find(name);
    if (found == data.end() || found->second.empty()) return std::nan("");
  }
  return of.number(detail::lookup_in(data, nullptr));
}

std::vector<Series> curves_of(const Study& study, const std::string& label, const Data& data) {
  Figure figure;
  for (const FigurePanel& panel : study.panels) {
    Panel drawn = detail::empty_panel(panel);
    drawn.series.push_back(
        detail::series_of(panel.curves[0], panel, detail::lookup_in(data, nullptr)));
    drawn.series.back().label = label;
    figure.panels.push_back(std::move(drawn));
  }
  std::vector<Series> curves;
  for (Panel& panel : thinned(figure, figure_samples).panels) {
    curves.push_back(std::move(panel.series[0]));
  }
  return curves;
}

/// All that a row depends on besides the program; findings may be rewritten without a run.
std::string inputs_of(const Study& study, std::size_t row) {
  std::string text = study.command(row) + '\n';
  for (const Quantity& quantity : study.quantities) text += quantity.of.text() + '\n';
  for (const FigurePanel& panel : study.panels) {
    text += fmt::format("{}\n{}\n{} {}\n", panel.curves[0].x.text(), panel.curves[0].y.text(),
                        panel.from.value_or(-HUGE_VAL), panel.to.value_or(HUGE_VAL));
  }
  return text;
}

}  // namespace

StudyRow compute_row(const Study& study, std::size_t row) {
  StudyRow result{.law = study.law(row)};
  try {
    const Scenario scenario = load_scenario(study.scenario, study.settings_of(row));
    const RunResult run = bristle::run(scenario, scenario.options);
    const Data data = detail::data_of(run);
    result.method = run.method;
    result.steps = static_cast<double>(run.steps);
    result.cost = static_cast<double>(run.evaluations);
    for (const Quantity& quantity : study.quantities) {
      result.values.push_back(value_of_run(quantity.of, data));
    }
    result.curves = curves_of(study, result.law, data);
  } catch (const std::exception& error) {
    result = {.law = study.law(row), .error = error.what()};
    result.values.assign(study.quantities.size(), std::nan(""));
    result.steps = result.cost = std::nan("");
  }
  return result;
}

std::string cache_key(const Study& study, std::size_t row, const std::string& program) {
  return fmt::format("study-{}-{}-{}", study.name, row,
                     detail::fingerprint(program + '\n' + inputs_of(study, row)));
}

std::string to_cache(const StudyRow& row) {
  detail::Json curves = detail::Json::array();
  for (const Series& series : row.curves) curves.push_back(detail::json_of(series));
  return detail::Json{{"law", row.law},
                      {"method", row.method},
                      {"values", detail::json_of(row.values)},
                      {"steps", detail::number_json(row.steps)},
                      {"cost", detail::number_json(row.cost)},
                      {"error", row.error},
                      {"curves", curves}}
      .dump();
}

std::optional<StudyRow> row_from_cache(const Study& study, const std::string& text) {
  try {
    const detail::Json json = detail::Json::parse(text);
    StudyRow row{.law = json.at("law"), .method = json.at("method")};
    row.values = detail::values_of(json.at("values"));
    row.steps = detail::number_of(json.at("steps"));
    row.cost = detail::number_of(json.at("cost"));
    row.error = json.at("error");
    for (const detail::Json& curve : json.at("curves")) {
      row.curves.push_back(detail::series_from(curve));
    }
    const bool whole = row.values.size() == study.quantities.size() &&
                       (!row.error.empty() || row.curves.size() == study.panels.size());
    return whole ? std::optional(std::move(row)) : std::nullopt;
  } catch (const detail::Json::exception&) {
    return std::nullopt;  // half a file, or one of another program: computed anew
  }
}

}  // namespace bristle::papers
