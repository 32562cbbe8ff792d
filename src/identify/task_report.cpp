// The results of an identification: for a program, for a terminal, and as a page.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bristle/identify/task.hpp"
#include "estimate_report.hpp"

namespace bristle {
namespace {

using Json = OrderedJson;

Json motion_json(const LawFit& fit) {
  if (!fit.motion) return {};
  Json metrics = Json::object();
  for (const auto& [name, value] : fit.motion->metrics) metrics[name] = json_number(value);
  return {{"metrics", metrics},
          {"energy_error", json_number(fit.motion->energy_error)},
          {"slopes", fit.motion->slopes},
          {"levels",
           {{"sliding", json_number(fit.motion->levels.sliding)},
            {"breaking", json_number(fit.motion->levels.breaking)},
            {"slips", fit.motion->levels.slips}}}};
}

Json json_of(const LawFit& fit) {
  if (!fit.fault.empty()) return {{"law", fit.law}, {"fault", fit.fault}};
  const Confidence& c = fit.confidence;
  Json json = {
      {"law", fit.law},
      {"parameters", json_of(c.parameters)},
      {"cost", fit.search.cost},
      {"lowest_cost", json_number(c.lowest)},
      {"unit", fit.unit},
      {"rms", fit.rms},
      {"held_out_rms", json_number(fit.held_out)},
      {"motion", motion_json(fit)},
      {"idle", fit.idle},
      {"at_bounds", fit.at_bounds},
      {"shape",
       {{"wrong", fit.shape.wrong},
        {"over_best", json_number(fit.shape.over_best)},
        {"over_repeatability", fit.shape.over_floor > 0 ? Json(fit.shape.over_floor) : Json()},
        {"text", fit.shape.text}}},
      {"starts", json_of_starts(fit.search)}};
  json.update(json_of(c));
  return json;
}

/// Residuals of several columns are counted in standard deviations of their noise.
std::string unit_words(const LawFit& fit) { return fit.unit == "1" ? "of the noise" : fit.unit; }

PageTable ranking_table(const Identification& result) {
  PageTable table{"",
                  {"law", fmt::format("rms ({})", unit_words(result.fits.front())),
                   fmt::format("held out ({})", unit_words(result.fits.front())), "BIC", "AIC",
                   "parameters", "starts that agree", "residuals white?"},
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

std::string axis(const Matched& m, const char* what) {
  return fmt::format("{} ({})", what, m.unit);
}

Figure time_figure(const Matched& m) {
  std::vector<double> residual(m.measured.size());
  for (std::size_t k = 0; k < residual.size(); ++k) residual[k] = m.fitted[k] - m.measured[k];
  Figure figure{.title = m.source};
  figure.panels.push_back({.x_label = "Time t (s)",
                           .y_label = axis(m, m.label.c_str()),
                           .series = {{.label = "measured", .x = m.t, .y = m.measured},
                                      {.label = "fit", .x = m.t, .y = m.fitted}}});
  figure.panels.push_back({.x_label = "Time t (s)",
                           .y_label = axis(m, "Residual"),
                           .series = {{.label = "fit − measured", .x = m.t, .y = residual}}});
  return figure;
}

std::optional<Repeatability> repeats_of(const Identification& result, std::size_t recording) {
  return recording < result.repeats.size() ? result.repeats[recording] : std::nullopt;
}

/// What the cycles of a recording repeat to, in words; empty if they do not.
std::string repeat_note(const Identification& result, std::size_t recording) {
  const std::optional<Repeatability> repeats = repeats_of(result, recording);
  if (!repeats) return "";
  return fmt::format(
      "its cycles of {:.4g} s repeat to {:.4g} N rms ({} cycles): no law that answers the same "
      "motion with the same force can do better",
      repeats->period, repeats->rms, repeats->cycles);
}

/// Laws whose shape is wrong, one sentence each.
std::vector<std::string> shape_notes(const Identification& result) {
  std::vector<std::string> notes;
  for (const LawFit& fit : result.fits) {
    if (fit.shape.wrong) notes.push_back(fmt::format("{}: {}.", fit.law, fit.shape.text));
  }
  return notes;
}

/// What a motion is like under the fitted law, and what its record says without any law.
Section motion_section(const LawFit& fit) {
  Section section{.title = "The fitted motion"};
  PageTable table{"", {"quantity", "value"}, {}};
  for (const auto& [name, value] : fit.motion->metrics) table.rows.push_back({name, show(value)});
  table.rows.push_back({"energy error of the simulation", show(fit.motion->energy_error)});
  table.rows.push_back({"slopes by the parameters", fit.motion->slopes});
  section.tables.push_back(std::move(table));
  if (std::isfinite(fit.motion->levels.sliding)) {
    section.paragraphs.push_back(fmt::format(
        "Read from the record before any fit: friction over load {:.4g} while it slides{}.",
        fit.motion->levels.sliding,
        std::isfinite(fit.motion->levels.breaking)
            ? fmt::format(", {:.4g} at the peaks before {} slips", fit.motion->levels.breaking,
                          fit.motion->levels.slips)
            : ""));
  }
  return section;
}

/// Empty if the estimate is the lowest minimum met.
std::string outweighed_note(const Confidence& c) {
  const double lower = (c.cost - c.lowest) / std::max(c.sigma * c.sigma, 1e-300);
  if (!(lower > 0.1)) return "";
  return fmt::format(
      "A minimum lower by {:.2g} squared standard deviations of the residuals was met. It is so "
      "narrow that the estimate outweighs it: what it gains is more likely noise.",
      lower);
}

const char* loss_name(Loss loss) { return loss == Loss::huber ? "huber" : "cauchy"; }

/// Empty if all residuals count alike.
std::string loss_note(const Identification& result) {
  if (result.loss.loss == Loss::squares) return "";
  return fmt::format("Residuals above {:.3g} {} count less ({}).", result.loss.scale,
                     result.fits.front().unit, loss_name(result.loss.loss));
}

/// How sure the estimates of a law are, and from how many starts they came.
void tell_search(const LawFit& fit, Section& section) {
  const Confidence& c = fit.confidence;
  section.paragraphs.push_back(rank_words(c));
  if (PageTable table = correlation_table(c); !table.rows.empty()) {
    section.tables.push_back(std::move(table));
  }
  if (Figure profiles = profile_figure(c, fit.search.cost); !profiles.panels.empty()) {
    section.paragraphs.push_back("Profiles: " + profile_words());
    profiles.title = "Profiles";
    section.figures.push_back(std::move(profiles));
  } else {
    section.paragraphs.emplace_back("No profiles were taken; intervals are Wald's.");
  }
  section.paragraphs.push_back(agreement_words(fit.search));
  if (const std::string note = outweighed_note(c); !note.empty()) {
    section.paragraphs.push_back(note);
  }
  Figure starts = start_figure(fit.search, c.samples, unit_words(fit));
  starts.title = "Starts";
  section.figures.push_back(std::move(starts));
}

}  // namespace

std::string estimate_json(const IdentifyTask& task, const Identification& result) {
  Json json = json_of(result.fits.front());
  json["title"] = task.title;
  Json laws = Json::array();
  for (const LawFit& fit : result.fits) laws.push_back(json_of(fit));
  json["laws"] = laws;
  Json steps = Json::array();
  for (std::size_t i = 0; i < task.recordings.size(); ++i) {
    const Recording& r = task.recordings[i];
    steps.push_back({{"file", r.file}, {"samples", r.size()}, {"steps", r.steps}});
    if (const auto repeats = repeats_of(result, i)) {
      steps.back()["repeatability"] = {
          {"rms", repeats->rms}, {"cycles", repeats->cycles}, {"period", repeats->period}};
    }
  }
  json["data"] = steps;
  if (result.loss.loss != Loss::squares) {
    json["loss"] = {{"name", loss_name(result.loss.loss)}, {"scale", result.loss.scale}};
  }
  json["warnings"] = task.warnings;
  return json.dump(1) + "\n";
}

std::string identification_text(const IdentifyTask& task, const Identification& result) {
  std::string text = fmt::format("{}\n", task.title);
  for (std::size_t i = 0; i < task.recordings.size(); ++i) {
    if (const std::string note = repeat_note(result, i); !note.empty()) {
      text += fmt::format("{}: {}\n", task.recordings[i].file, note);
    }
  }
  for (const std::string& warning : task.warnings) text += fmt::format("note: {}\n", warning);
  if (const std::string note = loss_note(result); !note.empty()) text += note + "\n";
  for (const LawFit& fit : result.fits) {
    if (!fit.fault.empty()) {
      text += fmt::format("{}: not fitted: {}\n", fit.law, fit.fault);
      continue;
    }
    text += fmt::format("{}: rms {:.4g} {}{}, {} of {} starts agree\n", fit.law, fit.rms,
                        unit_words(fit),
                        std::isfinite(fit.held_out)
                            ? fmt::format(", held out {:.4g} {}", fit.held_out, unit_words(fit))
                            : "",
                        fit.search.agreeing(), fit.search.starts.size());
    text += estimate_lines(fit.confidence.parameters);
    if (fit.shape.wrong) text += fmt::format("  {}\n", fit.shape.text);
    if (const std::string note = outweighed_note(fit.confidence); !note.empty()) {
      text += fmt::format("  {}\n", note);
    }
    if (!fit.idle.empty())
      text += fmt::format("  without effect here: {}\n", fmt::join(fit.idle, ", "));
  }
  return text;
}

ReportPage identification_page(const IdentifyTask& task, const Identification& result) {
  const LawFit& best = result.fits.front();
  ReportPage page{.title = task.title,
                  .subtitle = fmt::format("{}, {} samples, rms {:.4g} {}", best.law,
                                          best.confidence.samples, best.rms, unit_words(best))};
  const auto determined =
      std::count_if(best.confidence.parameters.begin(), best.confidence.parameters.end(),
                    [](const Estimate& e) { return e.verdict == Verdict::determined; });
  page.headlines = {
      {.label = "law", .value = best.law},
      {.label = "rms residual", .value = show(best.rms), .unit = unit_words(best)},
      {.label = "determined",
       .value = fmt::format("{} of {}", determined, best.confidence.parameters.size()),
       .status = determined == static_cast<long>(best.confidence.parameters.size())
                     ? Headline::Status::good
                     : Headline::Status::warn},
      {.label = "starts that agree",
       .value = fmt::format("{} of {}", best.search.agreeing(), best.search.starts.size())}};
  if (const auto repeats = repeats_of(result, 0)) {
    page.headlines.push_back({.label = "cycles repeat to",
                              .value = fmt::format("{:.3g}", repeats->rms),
                              .unit = "N",
                              .note = fmt::format("{} cycles", repeats->cycles)});
  }
  page.sections.push_back(
      {.title = "Parameters", .tables = {estimate_table(best.confidence.parameters)}});
  const std::vector<std::string> shapes = shape_notes(result);
  if (result.fits.size() > 1) {
    Section compared{
        .title = "Laws compared",
        .paragraphs = {"Best first: by what was held out, or by BIC where nothing was."},
        .tables = {ranking_table(result)}};
    compared.paragraphs.insert(compared.paragraphs.end(), shapes.begin(), shapes.end());
    page.sections.push_back(std::move(compared));
  } else {
    page.sections.back().paragraphs = shapes;
  }
  Section data{.title = "Data and fit", .paragraphs = task.warnings};
  for (std::size_t i = 0; i < task.recordings.size(); ++i) {
    const Recording& r = task.recordings[i];
    for (std::string& step : step_words(r)) data.paragraphs.push_back(std::move(step));
    if (const std::string note = repeat_note(result, i); !note.empty()) {
      data.paragraphs.push_back(r.file + ": " + note);
    }
  }
  for (const Matched& m : best.matched) data.figures.push_back(time_figure(m));
  for (const ForceLoop& loop : best.loops) data.figures.push_back(loop_figure(loop));
  if (best.motion && !best.loops.empty()) {
    data.paragraphs.emplace_back(
        best.loops.front().measured.slip.empty()
            ? "Loops of friction are those of the fitted simulation: the record alone does not "
              "tell "
              "the friction."
            : "Loops of friction: those of the fitted simulation, beside what the record says "
              "without any law, the applied force less m a (Savitzky–Golay, 7 samples).");
  }
  page.sections.push_back(std::move(data));
  if (best.motion) page.sections.push_back(motion_section(best));
  if (const std::string note = loss_note(result); !note.empty()) {
    page.sections.front().paragraphs.push_back(note);
  }
  Section known{.title = "How sure this is"};
  tell_search(best, known);
  if (result.fits.size() == 1) known.tables.push_back(ranking_table(result));
  page.sections.push_back(std::move(known));
  for (std::size_t k = 1; k < result.fits.size(); ++k) {
    const LawFit& other = result.fits[k];
    if (!other.fault.empty()) continue;
    Section section{.title = "Parameters of " + other.law,
                    .tables = {estimate_table(other.confidence.parameters)}};
    tell_search(other, section);
    page.sections.push_back(std::move(section));
  }
  return page;
}

}  // namespace bristle
