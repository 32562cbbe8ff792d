// The results of the recipe `drive`: for a program, for a terminal, and as a page.

#include <algorithm>
#include <limits>

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
          {"bic", fit.inverse.bic},
          {"singular_values", fit.inverse_confidence.singular_values},
          {"correlation", bristle::json_of(fit.inverse_confidence)["correlation"]}};
}

/// By the closed loop, or by inverse dynamics where there is none.
const Confidence& confidence_in(const DriveFit& fit) {
  return fit.search ? fit.confidence : fit.inverse_confidence;
}

Json json_of(const DriveFit& fit) {
  const Confidence& c = confidence_in(fit);
  Json json = {{"law", fit.law.name},
               {"terms", fit.law.terms},
               {"parameters", bristle::json_of(c.parameters)}};
  json.update(bristle::json_of(c));
  if (fit.search) {
    json["cost"] = fit.search->cost;
    json["starts"] = json_of_starts(*fit.search);
    json["closed_loop"] = {
        {"errors", json_of(fit.errors)},     {"settled", json_of(fit.settled)},
        {"held_out", json_of(fit.held_out)}, {"samples", fit.confidence.samples},
        {"aic", fit.confidence.aic},         {"bic", fit.confidence.bic},
        {"lag1", fit.confidence.whiteness},  {"widening", fit.confidence.widening}};
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

Figure time_figure(const Recording& r, const DriveFit& fit) {
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

/// Slopes over two samples on either side; none at the ends, where the curve is left open.
std::vector<double> speed_of(const Recording& r) {
  const std::vector<double>& q = r.at("position");
  std::vector<double> v(q.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t k = 2; k + 2 < q.size(); ++k) {
    v[k] = (q[k + 2] - q[k - 2]) / (r.t[k + 2] - r.t[k - 2]);
  }
  return v;
}

ForceLoop force_loop(const Recording& r, const DriveFit& fit) {
  return {.source = fit.law.name,
          .label = "Force (N)",
          .measured = {speed_of(r), r.at("position"), r.at("force")},
          .fitted = {fit.run.v, fit.run.q, fit.run.force}};
}

/// Of the best law by inverse dynamics: what was filtered and decimated.
Figure inverse_figure(const DriveTask& task, const DriveFit& fit) {
  const Recording& r = task.recording;
  const double step = (r.t.back() - r.t.front()) / static_cast<double>(r.size() - 1);
  std::vector<double> t, measured, fitted, rest;
  for (Eigen::Index k = 0; k < fit.inverse_force.size(); ++k) {
    t.push_back(r.t.front() +
                step * task.inverse.factor * static_cast<double>(k + task.inverse.trim));
    measured.push_back(fit.inverse_force[k]);
    fitted.push_back(fit.inverse_force[k] - fit.inverse.residuals[k]);
    rest.push_back(-fit.inverse.residuals[k]);
  }
  Figure figure{.title = fit.law.name};
  figure.panels = {{.x_label = "Time t (s)",
                    .y_label = "Force (N)",
                    .series = {{.label = "measured, filtered", .x = t, .y = measured},
                               {.label = "inverse dynamics", .x = t, .y = fitted}}},
                   {.x_label = "Time t (s)",
                    .y_label = "Residual (N)",
                    .series = {{.label = "inverse dynamics − measured", .x = t, .y = rest}}}};
  return figure;
}

/// What is known of the parameters beside their table.
void tell_search(const DriveFit& fit, Section& section) {
  const Confidence& c = confidence_in(fit);
  section.paragraphs.push_back(rank_words(c));
  section.tables.push_back(correlation_table(c));
  if (!fit.search) return;
  section.paragraphs.push_back(agreement_words(*fit.search));
  if (fit.search->starts.size() > 1) {
    section.figures.push_back(start_figure(*fit.search, c.samples, "N"));
    section.figures.back().title = "Starts";
  }
  Figure profiles = profile_figure(c, fit.search->cost);
  if (profiles.panels.empty()) {
    section.paragraphs.emplace_back(
        "No profiles were taken (profile: true takes them); intervals are Wald's.");
    return;
  }
  section.paragraphs.push_back("Profiles: " + profile_words());
  profiles.title = "Profiles";
  section.figures.push_back(std::move(profiles));
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
  const char* way = best.search ? ", closed loop" : ", inverse dynamics";
  Section parameters{
      .title = "Parameters of " + best.law.name + way,
      .paragraphs = {fmt::format(
          "Neighbouring residuals correlate by {:.3f}; intervals are {:.2g} times as wide as "
          "they would be without.",
          confidence_in(best).whiteness, confidence_in(best).widening)},
      .tables = {estimate_table(confidence_in(best).parameters)}};
  tell_search(best, parameters);
  page.sections.push_back(std::move(parameters));
  if (best.search) {
    page.sections.push_back({.title = "Closed loop",
                             .figures = {time_figure(r, best), loop_figure(force_loop(r, best)),
                                         friction_figure(result)}});
    for (const DriveFit& fit : result.fits) {
      if (&fit == &best) continue;
      Section other{.title = "Parameters of " + fit.law.name + ", closed loop",
                    .tables = {estimate_table(fit.confidence.parameters)}};
      tell_search(fit, other);
      page.sections.push_back(std::move(other));
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
  inverse.figures.push_back(inverse_figure(task, best));
  page.sections.push_back(std::move(inverse));
  page.sections.push_back({.title = "What was done to the data", .paragraphs = step_words(r)});
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
  for (const Estimate& e : confidence_in(best).parameters) {
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
