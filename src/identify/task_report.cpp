// The results of an identification: for a program, for a terminal, and as a page.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bristle/identify/task.hpp"
#include "estimate_report.hpp"

namespace bristle {
namespace {

using Json = OrderedJson;

Json json_of(const LawFit& fit) {
  if (!fit.fault.empty()) return {{"law", fit.law}, {"fault", fit.fault}};
  const Confidence& c = fit.confidence;
  Json starts = Json::array();
  for (const StartResult& s : fit.search.starts) starts.push_back(json_number(s.cost));
  return {{"law", fit.law},
          {"parameters", json_of(c.parameters)},
          {"cost", fit.search.cost},
          {"rank", c.rank},
          {"rms", fit.rms},
          {"held_out_rms", json_number(fit.held_out)},
          {"sigma", c.sigma},
          {"samples", c.samples},
          {"aic", c.aic},
          {"bic", c.bic},
          {"whiteness", {{"lag1", c.whiteness}, {"p", c.whiteness_p}}},
          {"singular_values", c.singular_values},
          {"correlation", correlation_json(c)},
          {"idle", fit.idle},
          {"starts", {{"costs", starts}, {"agreeing", fit.search.agreeing()}}}};
}

std::string show(double x) { return fmt::format("{:.5g}", x); }

PageTable ranking_table(const Identification& result) {
  PageTable table{"",
                  {"law", "rms (N)", "held out (N)", "BIC", "AIC", "parameters",
                   "starts that agree", "residuals white?"},
                  {}};
  for (const LawFit& fit : result.fits) {
    if (!fit.fault.empty()) {
      table.rows.push_back({fit.law, "–", "–", "–", "–", "–", "–", fit.fault});
      continue;
    }
    const Confidence& c = fit.confidence;
    table.rows.push_back(
        {fit.law, show(fit.rms), std::isfinite(fit.held_out) ? show(fit.held_out) : "–",
         fmt::format("{:.1f}", c.bic), fmt::format("{:.1f}", c.aic),
         fmt::format("{}", c.parameters.size()),
         fmt::format("{} of {}", fit.search.agreeing(), fit.search.starts.size()),
         c.whiteness_p > 0.01 ? "yes"
                              : fmt::format("no: neighbours correlate by {:.2f}", c.whiteness)});
  }
  return table;
}

Figure time_figure(const Recording& r, const std::vector<double>& predicted) {
  const std::vector<double>& measured = r.at("force");
  std::vector<double> residual(measured.size());
  for (std::size_t k = 0; k < measured.size(); ++k) residual[k] = predicted[k] - measured[k];
  Figure figure{.title = r.file};
  figure.panels.push_back({.x_label = "Time t (s)",
                           .y_label = "Friction (N)",
                           .series = {{.label = "measured", .x = r.t, .y = measured},
                                      {.label = "fit", .x = r.t, .y = predicted}}});
  figure.panels.push_back({.x_label = "Time t (s)",
                           .y_label = "Residual (N)",
                           .series = {{.label = "fit − measured", .x = r.t, .y = residual}}});
  return figure;
}

std::vector<double> travelled(const Recording& r) {
  const std::vector<double>& v = r.at("slip");
  std::vector<double> x(v.size(), 0.0);
  for (std::size_t k = 1; k < v.size(); ++k) {
    x[k] = x[k - 1] + (v[k] + v[k - 1]) / 2 * (r.t[k] - r.t[k - 1]);
  }
  return x;
}

Figure loop_figure(const Recording& r, const std::vector<double>& predicted) {
  Figure figure{.title = r.file};
  const std::vector<double> way = travelled(r);
  const auto panel = [&](const std::string& label, const std::vector<double>& x) {
    figure.panels.push_back({.x_label = label,
                             .y_label = "Friction (N)",
                             .series = {{.label = "measured", .x = x, .y = r.at("force")},
                                        {.label = "fit", .x = x, .y = predicted}}});
  };
  panel("Slip velocity (m/s)", r.at("slip"));
  panel("Slip (m)", way);
  return figure;
}

Figure start_figure(const LawFit& fit) {
  Series ends{.label = "end", .style = Series::Style::points},
      from{.label = "start", .style = Series::Style::points};
  for (std::size_t i = 0; i < fit.search.starts.size(); ++i) {
    const StartResult& s = fit.search.starts[i];
    const double n = fit.confidence.samples;
    ends.x.push_back(static_cast<double>(i + 1));
    ends.y.push_back(std::sqrt(s.cost / n));
    from.x.push_back(static_cast<double>(i + 1));
    from.y.push_back(std::sqrt(s.cost_from / n));
  }
  Figure figure;
  figure.panels.push_back(
      {.x_label = "Start", .y_label = "rms residual (N)", .series = {from, ends}, .y_log = true});
  return figure;
}

}  // namespace

std::string estimate_json(const IdentifyTask& task, const Identification& result) {
  Json json = json_of(result.fits.front());
  json["title"] = task.title;
  Json laws = Json::array();
  for (const LawFit& fit : result.fits) laws.push_back(json_of(fit));
  json["laws"] = laws;
  Json steps = Json::array();
  for (const Recording& r : task.recordings)
    steps.push_back({{"file", r.file}, {"samples", r.size()}, {"steps", r.steps}});
  json["data"] = steps;
  return json.dump(1) + "\n";
}

std::string identification_text(const IdentifyTask& task, const Identification& result) {
  std::string text = fmt::format("{}\n", task.title);
  for (const LawFit& fit : result.fits) {
    if (!fit.fault.empty()) {
      text += fmt::format("{}: not fitted: {}\n", fit.law, fit.fault);
      continue;
    }
    text += fmt::format(
        "{}: rms {:.4g} N{}, {} of {} starts agree\n", fit.law, fit.rms,
        std::isfinite(fit.held_out) ? fmt::format(", held out {:.4g} N", fit.held_out) : "",
        fit.search.agreeing(), fit.search.starts.size());
    text += estimate_lines(fit.confidence.parameters);
    if (!fit.idle.empty())
      text += fmt::format("  without effect here: {}\n", fmt::join(fit.idle, ", "));
  }
  return text;
}

ReportPage identification_page(const IdentifyTask& task, const Identification& result) {
  const LawFit& best = result.fits.front();
  ReportPage page{.title = task.title,
                  .subtitle = fmt::format("{}, {} samples, rms {:.4g} N", best.law,
                                          best.confidence.samples, best.rms)};
  const auto determined =
      std::count_if(best.confidence.parameters.begin(), best.confidence.parameters.end(),
                    [](const Estimate& e) { return e.verdict == Verdict::determined; });
  page.headlines = {
      {.label = "law", .value = best.law},
      {.label = "rms residual", .value = show(best.rms), .unit = "N"},
      {.label = "determined",
       .value = fmt::format("{} of {}", determined, best.confidence.parameters.size()),
       .status = determined == static_cast<long>(best.confidence.parameters.size())
                     ? Headline::Status::good
                     : Headline::Status::warn},
      {.label = "starts that agree",
       .value = fmt::format("{} of {}", best.search.agreeing(), best.search.starts.size())}};
  page.sections.push_back(
      {.title = "Parameters", .tables = {estimate_table(best.confidence.parameters)}});
  if (result.fits.size() > 1) {
    page.sections.push_back(
        {.title = "Laws compared",
         .paragraphs = {"Best first: by what was held out, or by BIC where nothing was."},
         .tables = {ranking_table(result)}});
  }
  Section data{.title = "Data and fit"};
  for (std::size_t i = 0; i < task.recordings.size(); ++i) {
    const Recording& r = task.recordings[i];
    for (const std::string& step : r.steps) data.paragraphs.push_back(r.file + ": " + step);
    data.figures.push_back(time_figure(r, best.predicted[i]));
    data.figures.push_back(loop_figure(r, best.predicted[i]));
  }
  page.sections.push_back(std::move(data));
  if (Figure profiles = profile_figure(best.confidence, best.search.cost); !profiles.panels.empty()) {
    page.sections.push_back(
        {.title = "Profiles",
         .paragraphs =
             {"Each parameter held at values around its estimate, all others sought anew. "
              "Where the curve stays below the dashed line, the data allow the value."},
         .figures = {std::move(profiles)}});
  }
  page.sections.push_back({.title = "Starts",
                           .tables = result.fits.size() > 1
                                         ? std::vector<PageTable>{}
                                         : std::vector<PageTable>{ranking_table(result)},
                           .figures = {start_figure(best)}});
  for (std::size_t k = 1; k < result.fits.size(); ++k) {
    if (!result.fits[k].fault.empty()) continue;
    page.sections.push_back({.title = "Parameters of " + result.fits[k].law,
                             .tables = {estimate_table(result.fits[k].confidence.parameters)}});
  }
  return page;
}

}  // namespace bristle
