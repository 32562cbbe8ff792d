// The results of the recipe `drive`: for a program, for a terminal, and as a page.

#include <algorithm>

#include <fmt/format.h>

#include "bristle/identify/drive_recipe.hpp"
#include "estimate_report.hpp"

namespace bristle {
namespace {

using Json = OrderedJson;

constexpr int position_digits = 5, force_digits = 3;  // of per cent

Json json_of(const LoopErrors& e) {
  return {{"position", json_number(e.position)}, {"force", json_number(e.force)}};
}

Json inverse_json(const DriveFit& fit) {
  Json parameters = Json::array();
  for (std::size_t i = 0; i < fit.inverse.names.size(); ++i) {
    const auto j = static_cast<Eigen::Index>(i);
    parameters.push_back(
        {{"name", fit.inverse.names[i]},
         {"value", fit.inverse.estimate[j]},
         {"se", json_number(fit.inverse.standard_error[j])},
         {"ci95", {json_number(fit.inverse.low[j]), json_number(fit.inverse.high[j])}},
         {"determined", static_cast<bool>(fit.inverse.determined[i])}});
  }
  return {{"parameters", parameters},
          {"relative_error", fit.inverse.relative_error},
          {"held_out", json_number(fit.inverse_held_out)},
          {"inner_error", fit.inner_error},
          {"samples", fit.inverse.samples},
          {"aic", fit.inverse.aic},
          {"bic", fit.inverse.bic}};
}

Json json_of(const DriveFit& fit) {
  Json json = {{"law", fit.law.name}, {"terms", fit.law.terms}};
  if (fit.search) {
    Json parameters = Json::array();
    for (const Estimate& e : fit.confidence.parameters) parameters.push_back(bristle::json_of(e));
    json["parameters"] = parameters;
    json["cost"] = fit.search->cost;
    json["rank"] = fit.confidence.rank;
    json["closed_loop"] = {
        {"errors", json_of(fit.errors)},     {"settled", json_of(fit.settled)},
        {"held_out", json_of(fit.held_out)}, {"samples", fit.confidence.samples},
        {"aic", fit.confidence.aic},         {"bic", fit.confidence.bic},
        {"lag1", fit.confidence.whiteness},  {"widening", fit.confidence.widening}};
  } else {
    json["parameters"] = inverse_json(fit)["parameters"];
    json["rank"] = fit.inverse.rank;
  }
  json["inverse_dynamics"] = inverse_json(fit);
  return json;
}

PageTable inverse_table(const DriveFit& fit) {
  PageTable table{"", {"term", "estimate", "standard error", "95 % interval"}, {}};
  for (std::size_t i = 0; i < fit.inverse.names.size(); ++i) {
    const auto j = static_cast<Eigen::Index>(i);
    const bool known = fit.inverse.determined[i];
    table.rows.push_back(
        {fit.inverse.names[i], known ? show(fit.inverse.estimate[j]) : "–",
         known ? show(fit.inverse.standard_error[j]) : "–",
         known ? fmt::format("{} … {}", show(fit.inverse.low[j]), show(fit.inverse.high[j]))
               : "not determined: it depends on the others"});
  }
  return table;
}

PageTable law_table(const DriveResult& result) {
  PageTable table{
      "Inverse dynamics",
      {"law", "terms", "inner error (%)", "relative error (%)", "held out (%)", "AIC", "BIC"},
      {}};
  for (const DriveFit& fit : result.fits) {
    table.rows.push_back({fit.law.name, fmt::format("{}", fit.law.terms.size()),
                          percent(fit.inner_error), percent(fit.inverse.relative_error),
                          percent(fit.inverse_held_out), fmt::format("{:.0f}", fit.inverse.aic),
                          fmt::format("{:.0f}", fit.inverse.bic)});
  }
  return table;
}

PageTable loop_table(const DriveTask& task, const DriveResult& result) {
  PageTable table{"Closed loop",
                  {"law", "parameters", "position (%)", "force (%)",
                   fmt::format("force after {} samples (%)", task.settle), "held out: position (%)",
                   "force (%)", "AIC", "BIC"},
                  {}};
  for (const DriveFit& fit : result.fits) {
    table.rows.push_back(
        {fit.law.name, fmt::format("{}", fit.search->p.size()),
         percent(fit.errors.position, position_digits), percent(fit.errors.force, force_digits),
         percent(fit.settled.force, force_digits), percent(fit.held_out.position, position_digits),
         percent(fit.held_out.force, force_digits), fmt::format("{:.0f}", fit.confidence.aic),
         fmt::format("{:.0f}", fit.confidence.bic)});
  }
  return table;
}

std::vector<double> difference(const std::vector<double>& a, const std::vector<double>& b,
                               double factor) {
  std::vector<double> d(a.size());
  for (std::size_t k = 0; k < d.size(); ++k) d[k] = factor * (a[k] - b[k]);
  return d;
}

Figure loop_figure(const Recording& r, const DriveFit& fit) {
  Figure figure{.title = fit.law.name};
  const char* time = "Time t (s)";
  figure.panels = {{.x_label = time,
                    .y_label = "Force (N)",
                    .series = {{.label = "measured", .x = r.t, .y = r.at("force")},
                               {.label = "closed loop", .x = r.t, .y = fit.run.force}}},
                   {.x_label = time,
                    .y_label = "Force (N)",
                    .series = {{.label = "closed loop − measured",
                                .x = r.t,
                                .y = difference(fit.run.force, r.at("force"), 1)}}},
                   {.x_label = time,
                    .y_label = "Position (µm)",
                    .series = {{.label = "closed loop − measured",
                                .x = r.t,
                                .y = difference(fit.run.q, r.at("position"), 1e6)}}},
                   {.x_label = time,
                    .y_label = "Position (m)",
                    .series = {{.label = "measured", .x = r.t, .y = r.at("position")},
                               {.label = "reference", .x = r.t, .y = r.at("reference")}}}};
  return figure;
}

/// Friction over speed, as each law has it at position 0.
Figure friction_figure(const DriveResult& result) {
  Panel panel{.x_label = "Speed v (m/s)", .y_label = "Resistance at constant speed (N)"};
  double most = 0;
  for (const DriveFit& fit : result.fits) {
    for (const double v : fit.run.v) most = std::max(most, std::abs(v));
  }
  for (const DriveFit& fit : result.fits) {
    const DrivePlant plant = DriveModel(fit.law.terms).at(fit.search->p);
    Series curve{.label = fit.law.name};
    constexpr int half = 200;
    for (int i = -half; i <= half; ++i) {
      const double v = most * i / half;
      if (i == 0) {  // the jump
        curve.x.insert(curve.x.end(), {0.0, 0.0});
        curve.y.insert(curve.y.end(), {plant.backwards(0, 0), plant.forwards(0, 0)});
        continue;
      }
      curve.x.push_back(v);
      curve.y.push_back(v > 0 ? plant.forwards(0, v) : plant.backwards(0, v));
    }
    panel.series.push_back(std::move(curve));
  }
  return {.panels = {panel}};
}

std::vector<Headline> headlines(const DriveFit& best) {
  std::vector<Headline> all = {{.label = "law", .value = best.law.name}};
  if (best.search) {
    all.push_back({.label = "held out, closed loop",
                   .value = percent(best.held_out.force, 2),
                   .unit = "% of the force"});
    all.push_back({.label = "position error",
                   .value = percent(best.errors.position, position_digits),
                   .unit = "%"});
  }
  all.push_back({.label = "held out, inverse dynamics",
                 .value = percent(best.inverse_held_out, 2),
                 .unit = "% of the force"});
  return all;
}

ReportPage page_of(const DriveTask& task, const DriveResult& result) {
  const DriveFit& best = result.fits[static_cast<std::size_t>(result.chosen)];
  const Recording& r = task.recording;
  ReportPage page{.title = task.title,
                  .subtitle = fmt::format("{}: {} samples in {:.4g} s", r.file, r.size(),
                                          r.t.back() - r.t.front()),
                  .headlines = headlines(best)};
  page.sections.push_back(
      {.title = "Laws compared",
       .paragraphs = {fmt::format(
           "The first {:.0f} % of the record were fitted for what is held out; all of it for the "
           "other columns. Laws grew by the inner error, of halves of the fitted part on each "
           "other: what is held out had no say. Errors are relative, ‖model − "
           "measured‖/‖measured‖.",
           100 * task.share)},
       .tables = {law_table(result)}});
  if (task.controller) page.sections.back().tables.push_back(loop_table(task, result));
  if (best.search) {
    page.sections.push_back(
        {.title = "Parameters of " + best.law.name + ", closed loop",
         .paragraphs = {fmt::format(
             "Neighbouring residuals correlate by {:.3f}; intervals are {:.2g} times as wide as "
             "they would be without.",
             best.confidence.whiteness, best.confidence.widening)},
         .tables = {estimate_table(best.confidence.parameters)}});
    page.sections.push_back({.title = "Closed loop",
                             .paragraphs = r.steps,
                             .figures = {loop_figure(r, best), friction_figure(result)}});
    for (const DriveFit& fit : result.fits) {
      if (&fit == &best) continue;
      page.sections.push_back({.title = "Parameters of " + fit.law.name + ", closed loop",
                               .tables = {estimate_table(fit.confidence.parameters)}});
    }
  }
  Section inverse{.title = "Inverse dynamics",
                  .paragraphs = {fmt::format(
                      "Position filtered at {:g} Hz and differentiated, all terms filtered and "
                      "decimated by {}. The relative error depends on that factor.",
                      task.inverse.cutoff, task.inverse.factor)}};
  for (const DriveFit& fit : result.fits) {
    PageTable table = inverse_table(fit);
    table.title = fit.law.name;
    inverse.tables.push_back(std::move(table));
  }
  page.sections.push_back(std::move(inverse));
  return page;
}

std::string text_of(const DriveTask& task, const DriveResult& result) {
  std::string text = task.title + "\n";
  for (const DriveFit& fit : result.fits) {
    text += fmt::format("{}: inverse dynamics {} %, held out {} %\n", fit.law.name,
                        percent(fit.inverse.relative_error), percent(fit.inverse_held_out));
    if (!fit.search) continue;
    text += fmt::format(
        "  closed loop: position {} %, force {} % ({} % after {} samples); held out {} %, {} %\n",
        percent(fit.errors.position, position_digits), percent(fit.errors.force, force_digits),
        percent(fit.settled.force, force_digits), task.settle,
        percent(fit.held_out.position, position_digits), percent(fit.held_out.force));
  }
  const DriveFit& best = result.fits[static_cast<std::size_t>(result.chosen)];
  text += fmt::format("lowest inner error: {}\n", best.law.name);
  for (const Estimate& e : best.confidence.parameters) {
    text += fmt::format("  {:<24} {:>12.6g} {:<10} [{}]  {}: {}\n", e.name, e.value, e.unit,
                        show(interval_of(e)), to_string(e.verdict), e.reason);
  }
  return text;
}

}  // namespace

RecipeResult drive_report(const DriveTask& task, const DriveResult& result) {
  Json json = json_of(result.fits[static_cast<std::size_t>(result.chosen)]);
  json["title"] = task.title;
  json["recipe"] = "drive";
  json["laws"] = Json::array();
  for (const DriveFit& fit : result.fits) json["laws"].push_back(json_of(fit));
  json["data"] = {{"file", task.recording.file},
                  {"samples", task.recording.size()},
                  {"steps", task.recording.steps}};
  return {text_of(task, result), json.dump(1) + "\n", page_of(task, result)};
}

}  // namespace bristle
