// Studies as a page, as JSON, and as a table.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bristle/papers/study.hpp"
#include "bristle/scenario/scenario.hpp"
#include "bristle/version.hpp"
#include "item_parts.hpp"
#include "kept.hpp"

namespace bristle::papers {
namespace {

using detail::Json;
using detail::number_json;

double cheapest(const StudyResult& result) {
  double least = HUGE_VAL;
  for (const StudyRow& row : result.rows) {
    if (row.cost > 0) least = std::min(least, row.cost);
  }
  return least;
}

std::string number_text(double value) {
  return std::isfinite(value) ? fmt::format("{:.5g}", value) : "–";
}

std::string name_of(const StudyResult& result, std::size_t row) {
  const std::string& law = result.rows[row].law;
  return row < result.study->laws.size() ? law : law + ", finer";
}

std::size_t count_run(const StudyResult& result) {
  const auto laws = result.rows.begin() + static_cast<long>(result.study->laws.size());
  return static_cast<std::size_t>(std::count_if(
      result.rows.begin(), laws, [](const StudyRow& row) { return row.error.empty(); }));
}

Json json_of(const StudyResult& result, std::size_t row) {
  const StudyRow& r = result.rows[row];
  Json values = Json::object();
  for (std::size_t q = 0; q < r.values.size(); ++q) {
    values[result.study->quantities[q].key] = number_json(r.values[q]);
  }
  Json json{{"law", r.law},
            {"finer", row >= result.study->laws.size()},
            {"values", values},
            {"steps", number_json(r.steps)},
            {"rhs_evaluations", number_json(r.cost)},
            {"cost", number_json(r.cost / cheapest(result))},
            {"method", r.method}};
  if (!r.error.empty()) json["error"] = r.error;
  return json;
}

Json json_of(const StudyResult& result) {
  const Study& study = *result.study;
  Json laws = Json::array(), findings = Json::array(), quantities = Json::object();
  for (const Quantity& q : study.quantities) {
    quantities[q.key] = {{"title", q.title}, {"unit", q.unit}, {"of", q.of.text()}};
  }
  for (std::size_t row = 0; row < result.rows.size(); ++row) laws.push_back(json_of(result, row));
  for (const Said& said : findings_of(result)) {
    findings.push_back({{"text", said.text}, {"holds", said.holds}});
  }
  return {{"study", study.name},
          {"scenario", study.scenario},
          {"reference", study.reference},
          {"quantities", quantities},
          {"laws", laws},
          {"spread", spreads_of(result)},
          {"findings", findings}};
}

Figure figure_of(const StudyResult& result) {
  const Study& study = *result.study;
  Figure figure;
  for (std::size_t p = 0; p < study.panels.size(); ++p) {
    Panel panel = detail::empty_panel(study.panels[p]);
    for (std::size_t row = 0; row < study.laws.size(); ++row) {
      const StudyRow& r = result.rows[row];
      const bool drawn =
          std::find(study.drawn.begin(), study.drawn.end(), r.law) != study.drawn.end();
      if (drawn && r.error.empty()) panel.series.push_back(r.curves[p]);
    }
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

Card conclusions_card(const StudyResult& result) {
  Card card{.id = result.study->name + "-findings",
            .title = "What the numbers say",
            .subtitle = "Each sentence is chosen and filled in by the numbers below"};
  const std::vector<Said> findings = findings_of(result);
  const auto held =
      std::count_if(findings.begin(), findings.end(), [](const Said& said) { return said.holds; });
  card.verdict = fmt::format("{} of {} statements hold", held, findings.size());
  const bool all = held == static_cast<long>(findings.size());
  card.status = all ? Card::Status::good : Card::Status::corrected;
  for (const Said& said : findings) {
    card.paragraphs.push_back((said.holds ? "✓ " : "✗ ") + said.text);
  }
  for (const std::string& spread : spreads_of(result)) card.remarks.push_back(spread);
  return card;
}

Card rows_card(const StudyResult& result) {
  const Study& study = *result.study;
  const std::size_t run = count_run(result);
  Card card{.id = study.name + "-laws",
            .title = "The laws side by side",
            .subtitle = "Scenario " + study.scenario,
            .verdict = fmt::format("{} of {} laws ran", run, study.laws.size())};
  card.status = run == study.laws.size() ? Card::Status::good : Card::Status::open;
  card.tables.push_back(study_table(result));
  for (const StudyRow& row : result.rows) {
    if (!row.error.empty()) card.remarks.push_back(row.law + ": " + row.error);
  }
  if (!study.panels.empty()) card.figures.push_back(figure_of(result));
  card.commands.push_back("bristle study " + study.name);
  std::string commands;
  for (std::size_t row = 0; row < study.rows(); ++row) commands += study.command(row) + "\n";
  card.unfolding.push_back({"The runs behind it", commands});
  card.unfolding.push_back(
      {"Scenario " + study.scenario, std::string(scenario_text(study.scenario))});
  return card;
}

}  // namespace

PageTable study_table(const StudyResult& result) {
  PageTable table{.title = "", .heads = {"law"}};
  for (const Quantity& q : result.study->quantities) {
    table.heads.push_back(q.unit.empty() ? q.title : fmt::format("{} ({})", q.title, q.unit));
  }
  for (const char* head : {"steps", "evaluations", "cost", "method"})
    table.heads.emplace_back(head);
  const double least = cheapest(result);
  for (std::size_t row = 0; row < result.rows.size(); ++row) {
    const StudyRow& r = result.rows[row];
    std::vector<std::string> cells = {name_of(result, row)};
    for (const double value : r.values) cells.push_back(number_text(value));
    for (const double value : {r.steps, r.cost}) {
      cells.push_back(std::isfinite(value) ? fmt::format("{:.0f}", value) : "–");
    }
    cells.push_back(std::isfinite(r.cost) ? fmt::format("{:.1f}", r.cost / least) : "–");
    cells.push_back(r.error.empty() ? r.method : "not run");
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::string study_json(const std::vector<StudyResult>& results) {
  Json list = Json::array();
  for (const StudyResult& result : results) list.push_back(json_of(result));
  return list.dump(2) + "\n";
}

Gallery study_gallery(const std::vector<StudyResult>& results) {
  Gallery gallery{.title = "The laws, side by side"};
  gallery.subtitle = "One system, every friction law that can drive it, and what follows";
  gallery.paragraphs = {
      "The comparison that Chaturvedi, Sandu and Mukherjee (2021) announce as further work, and "
      "that none of the documents gives: the same system under each law, with the same static and "
      "kinetic levels and stiffness where a law has them. Cost is the number of evaluations of the "
      "right-hand side, relative to the cheapest law. The row 'finer' repeats the reference with "
      "a finer solver: differences below it are not differences of laws."};
  for (const StudyResult& result : results) {
    const std::vector<Said> findings = findings_of(result);
    const auto held = std::count_if(findings.begin(), findings.end(),
                                    [](const Said& said) { return said.holds; });
    gallery.headlines.push_back(
        {.label = result.study->title,
         .value = fmt::format("{} laws", count_run(result)),
         .note = fmt::format("{} of {} statements hold", held, findings.size())});
    CardGroup group{.title = result.study->title};
    if (!result.study->text.empty()) group.paragraphs.push_back(result.study->text);
    group.cards = {conclusions_card(result), rows_card(result)};
    gallery.groups.push_back(std::move(group));
  }
  gallery.footer = fmt::format("bristle {}", version);
  return gallery;
}

}  // namespace bristle::papers
