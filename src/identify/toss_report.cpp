// The results of the recipe `tosses`: for a program, for a terminal, and as a page.

#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include "bristle/identify/toss_recipe.hpp"
#include "estimate_report.hpp"

namespace bristle {
namespace {

using Json = OrderedJson;
using bristle::show;

constexpr double degree = std::numbers::pi / 180;

std::string show(const Spread& s, double factor = 1) {
  return fmt::format("{:.4g} [{:.4g}, {:.4g}]", factor * s.value, factor * s.low, factor * s.high);
}

Json json_of(const Spread& s) {
  return {{"value", json_number(s.value)},
          {"ci95", {json_number(s.low), json_number(s.high)}},
          {"deviation", json_number(s.deviation)},
          {"count", s.count}};
}

/// The lowest and highest median that a choice of the samples around the impact brings.
Interval systematic(const ImpactFindings& found) {
  Interval range{found.restitution.value, found.restitution.value};
  for (const auto* samples : {&found.by_sample, &found.by_samples_alone}) {
    for (const Spread& s : *samples) {
      range.low = std::min(range.low, s.value);
      range.high = std::max(range.high, s.value);
    }
  }
  return range;
}

bool apart(const Spread& a, const Spread& b) { return a.high < b.low || b.high < a.low; }

// ---- parameters with verdicts -------------------------------------------------------------------

Estimate estimate_of(const char* name, const char* unit, const Spread& s, std::string reason) {
  constexpr double determined_within = 0.05, z = 1.959963984540054;
  Estimate e{.name = name, .unit = unit, .value = s.value, .se = (s.high - s.low) / (2 * z)};
  e.wald = {s.low, s.high};
  const double half = (s.high - s.low) / (2 * std::abs(s.value));
  e.verdict = half <= determined_within ? Verdict::determined : Verdict::weak;
  e.reason = fmt::format("known to ±{:.2g} % ({} of them){}", 100 * half, s.count, reason);
  return e;
}

Estimate restitution_estimate(const ImpactFindings& found) {
  const Interval range = systematic(found);
  Estimate e = estimate_of("e", "1", found.restitution, "");
  const double half = (range.high - range.low) / (2 * found.restitution.value);
  e.reason +=
      fmt::format("; but {:.3f} to {:.3f} by which samples around the impact are taken, ±{:.0f} %",
                  range.low, range.high, 100 * half);
  if (half > 0.05) e.verdict = Verdict::weak;
  add_help("a higher rate, at which an impact falls between two samples less often", e);
  return e;
}

Estimate stiffness_estimate(const TossTask& task, const TossResult& r) {
  const double rate = 1 / task.tosses.front().step;
  Estimate e{.name = "stiffness", .unit = "N/m", .value = NAN, .se = NAN};
  e.wald = {r.least_stiffness, INFINITY, false, true};
  e.verdict = Verdict::not_determined;
  e.reason = fmt::format(
      "at {:.0f} Hz an impact is over within {:.0f} sample(s), {:.1f} ms or less: only a lower "
      "limit "
      "follows, from half a period of {:.3g} kg on a spring",
      rate, median_value(r.impacts.samples), 1e3 * r.longest_contact, r.impacts.effective_mass);
  if (!r.predictions.empty()) {
    e.reason += fmt::format(
        "; ten times the stiffness changes the predicted motion's error by "
        "{:+.1f} %",
        100 * r.stiffness_effect);
  }
  constexpr double enough = 10;  // samples in an impact
  add_help(
      fmt::format("a record of the force, or at {:.0f} Hz and more", enough / r.longest_contact),
      e);
  return e;
}

std::vector<Estimate> estimates(const TossTask& task, const TossResult& r) {
  std::vector<Estimate> all = {restitution_estimate(r.impacts)};
  const bool disagree = apart(r.impacts.friction, r.face_friction);
  all.push_back(
      estimate_of("mu, impacts that slide", "1", r.impacts.friction,
                  disagree ? "; not that of sliding on a face" : "; sliding on a face agrees"));
  if (r.face_friction.count > 0) {
    all.push_back(estimate_of("mu, sliding on a face", "1", r.face_friction,
                              disagree ? "; not that of impacts" : "; impacts agree"));
  }
  Spread inertia = r.odd.inertia_factor;
  const double solid = r.box.solid_inertia().mean();
  inertia.value *= solid;
  inertia.low *= solid;
  inertia.high *= solid;
  all.push_back(estimate_of("inertia, mean of the axes", "kg m^2", inertia,
                            "; from the impulse at the corner and the change of spin"));
  all.push_back(stiffness_estimate(task, r));
  return all;
}

// ---- in words -----------------------------------------------------------------------------------

std::string friction_words(const TossResult& r) {
  if (r.face_friction.count == 0) return "No box slid on a face for long enough.";
  const std::string numbers = fmt::format(
      "Impacts that slide give μ = {}, sliding on a face {} ({} if the free fall of the "
      "record counts as gravity)",
      show(r.impacts.friction), show(r.face_friction),
      fmt::format("{:.4g}", r.face_friction_in_record.value));
  if (!apart(r.impacts.friction, r.face_friction)) return numbers + ": they agree.";
  return numbers +
         fmt::format(
             ": they disagree, by {:.0f} % and far beyond their intervals. One coefficient does "
             "not "
             "describe both; corners in an impact of milliseconds and faces under their weight are "
             "different contacts. A single number is good to no better than this.",
             100 * std::abs(r.face_friction.value / r.impacts.friction.value - 1));
}

std::vector<std::string> oddity_words(const TossTask& task, const TossResult& r) {
  std::vector<std::string> words;
  const TossOddities& odd = r.odd;
  words.push_back(fmt::format(
      "The spin is given in {} axes: against the change of the rotation it is off by {:.3g} rad/s "
      "(median) in body axes, by {:.3g} rad/s in world axes.",
      odd.spin.frame() == SpinFrame::body ? "body" : "world", odd.spin.body, odd.spin.world));
  const Difference kind = odd.velocity.kind();
  words.push_back(fmt::format(
      "The velocity is the {} difference of the position: off by {:.2g} m/s (median), by {:.2g}, "
      "{:.2g} and {:.2g} m/s from backward, central and forward differences.{}",
      kind == Difference::backward  ? "backward"
      : kind == Difference::central ? "central"
                                    : "forward",
      std::min({odd.velocity.backward, odd.velocity.central, odd.velocity.forward}),
      odd.velocity.backward, odd.velocity.central, odd.velocity.forward,
      kind == Difference::central
          ? ""
          : fmt::format(" It belongs half a sample {}, which in free fall is {:.3g} m/s.",
                        kind == Difference::backward ? "earlier" : "later",
                        task.box.gravity * task.tosses.front().step / 2)));
  words.push_back(
      fmt::format("Free fall: z'' = {} m/s² over {} tosses, {:+.1f} % against the gravity given.",
                  show(odd.free_fall), odd.free_fall.count,
                  100 * (-odd.free_fall.value / task.box.gravity - 1)));
  words.push_back(fmt::format(
      "Boxes rest with their centre at {} of half their edge. {}", show(odd.rest_ratio),
      odd.scale == 1
          ? "Free fall and rest do not agree on a common error of the lengths: they are used as "
            "given."
          : fmt::format("Free fall says the same: lengths of the record are {:.1f} % short against "
                        "the edges and gravity given. All that follows uses the lengths of the "
                        "record, with the edges times {:.4f} and the gravity measured.",
                        100 * (1 - odd.scale), odd.scale)));
  const Vector3 solid = r.box.solid_inertia(), hollow = r.box.hollow_inertia();
  const double factor = odd.inertia_factor.value;
  const double shell = (hollow.cwiseQuotient(solid)).mean();
  words.push_back(
      fmt::format("Impulse and change of spin at the corner ask for an inertia of {} times that of "
                  "the solid box "
                  "({:.3g} kg m²); thin walls of the same mass would have {:.3g} times. {}",
                  show(odd.inertia_factor), solid.mean(), shell,
                  odd.inertia_factor.low > 1 && std::abs(factor - shell) < std::abs(factor - 1)
                      ? "It is rather hollow than solid."
                      : "It is rather solid than hollow."));
  words.push_back(
      fmt::format("At the time of impact, where the flights before and after meet, a sharp corner "
                  "would be {} mm "
                  "below the plane: rounded corners, yielding material and errors of the tracking "
                  "cannot be told "
                  "apart here.",
                  show(odd.depth, 1e3)));
  return words;
}

std::string gain_words(const PredictionGain& g) {
  const auto judged = [](const Spread& s) {
    return s.low > 0 ? "ours is better" : s.high < 0 ? "ours is worse" : "no clear difference";
  };
  return fmt::format("{} minus {}, toss by toss: {} mm in position ({}), {}° in rotation ({}).",
                     g.other, g.ours, show(g.position, 1e3), judged(g.position),
                     show(g.rotation, 1 / degree), judged(g.rotation));
}

// ---- tables and figures -------------------------------------------------------------------------

PageTable position_table(const TossResult& r) {
  PageTable table{
      "Position", {"contact", "μ", "e", "mean (mm)", "median (mm)", "mean, of an edge (%)"}, {}};
  for (const PredictionFindings& p : r.predictions) {
    table.rows.push_back({p.by.name, fmt::format("{:.3f}", p.by.contact.mu),
                          fmt::format("{:.3f}", p.by.contact.e), show(p.position_mean, 1e3),
                          show(p.position_median, 1e3),
                          fmt::format("{:.1f}", 100 * p.position_mean.value / r.box.edges.mean())});
  }
  return table;
}

PageTable rotation_table(const TossResult& r) {
  PageTable table{"Rotation", {"contact", "mean (°)", "median (°)"}, {}};
  for (const PredictionFindings& p : r.predictions) {
    table.rows.push_back(
        {p.by.name, show(p.rotation_mean, 1 / degree), show(p.rotation_median, 1 / degree)});
  }
  return table;
}

PageTable sample_table(const ImpactFindings& found) {
  PageTable table{
      "",
      {"velocity after the impact", "velocity before it", "e (median)", "95 % interval", "scatter"},
      {}};
  const auto add = [&](const char* name, const char* before, const Spread& s) {
    table.rows.push_back({name, before, fmt::format("{:.3f}", s.value),
                          fmt::format("{:.3f} … {:.3f}", s.low, s.high),
                          fmt::format("{:.3f}", s.deviation)});
  };
  const char* after[] = {"last sample of the jump", "next sample", "the one after"};
  add("fitted flight", "fitted flight", found.restitution);
  for (std::size_t j = 0; j < 3; ++j) add(after[j], "fitted flight", found.by_sample[j]);
  for (std::size_t j = 0; j < 3; ++j) add(after[j], "sample before", found.by_samples_alone[j]);
  return table;
}

/// Share of values up to each.
Series distribution(std::string label, std::vector<double> values, double factor) {
  std::sort(values.begin(), values.end());
  Series curve{.label = std::move(label)};
  for (std::size_t i = 0; i < values.size(); ++i) {
    curve.x.push_back(factor * values[i]);
    curve.y.push_back((static_cast<double>(i) + 0.5) / static_cast<double>(values.size()));
  }
  return curve;
}

Figure prediction_figure(const TossResult& r) {
  Panel position{.x_label = "Mean position error of a toss (mm)", .y_label = "Share of tosses"},
      rotation{.x_label = "Mean rotation error of a toss (°)", .y_label = "Share of tosses"};
  for (const PredictionFindings& p : r.predictions) {
    std::vector<double> x, angle;
    for (const TossError& e : p.errors) {
      x.push_back(e.position);
      angle.push_back(e.rotation);
    }
    position.series.push_back(distribution(p.by.name, x, 1e3));
    rotation.series.push_back(distribution(p.by.name, angle, 1 / degree));
  }
  return {.panels = {position, rotation}};
}

Figure impact_figure(const TossResult& r) {
  Series e{.label = "first impacts", .style = Series::Style::points};
  Series mu{.label = "impacts that slide", .style = Series::Style::points};
  for (const CornerImpact& i : r.corners) {
    e.x.push_back(-i.corner_before().z());
    e.y.push_back(i.restitution());
    if (!i.slides()) continue;
    mu.x.push_back(i.corner_before().head<2>().norm());
    mu.y.push_back(i.impulse_ratio());
  }
  Figure figure;
  figure.panels = {{.x_label = "Approach of the corner (m/s)",
                    .y_label = "Restitution e",
                    .series = {std::move(e)}},
                   {.x_label = "Slip of the corner before the impact (m/s)",
                    .y_label = "|p_t|/p_n",
                    .series = {std::move(mu)}}};
  return figure;
}

Figure friction_figure(const TossTask& task, const TossResult& r) {
  std::vector<double> impacts, faces;
  for (const CornerImpact& i : r.corners) {
    if (i.slides()) impacts.push_back(i.impulse_ratio());
  }
  for (const double a : r.slides) faces.push_back(a / task.box.gravity);
  return {.panels = {{.x_label = "Coefficient of friction",
                      .y_label = "Share of events",
                      .series = {distribution("impacts that slide", impacts, 1),
                                 distribution("sliding on a face", faces, 1)}}}};
}

std::vector<Headline> headlines(const TossResult& r) {
  const Interval range = systematic(r.impacts);
  std::vector<Headline> all = {
      {.label = "e, first corner impacts",
       .value = fmt::format("{:.3f}", r.impacts.restitution.value),
       .note = fmt::format("{:.2f} to {:.2f} by the sample taken", range.low, range.high)},
      {.label = "μ, impacts that slide",
       .value = fmt::format("{:.3f}", r.impacts.friction.value),
       .note = fmt::format("{:.3f} to {:.3f}", r.impacts.friction.low, r.impacts.friction.high)},
      {.label = "μ, sliding on a face",
       .value = fmt::format("{:.3f}", r.face_friction.value),
       .note = fmt::format("{:.3f} to {:.3f}", r.face_friction.low, r.face_friction.high),
       .status = apart(r.impacts.friction, r.face_friction) ? Headline::Status::warn
                                                            : Headline::Status::good},
      {.label = "stiffness", .value = "not determined", .status = Headline::Status::warn}};
  return all;
}

Section prediction_section(const TossTask& task, const TossResult& r) {
  Section section{
      .title = "Held-out tosses predicted",
      .paragraphs = {fmt::format(
          "{} tosses were used to find friction and restitution, the other {} were simulated from "
          "their first sample. Errors are means over each toss; then mean and median over the "
          "tosses, with 95 % bootstrap intervals.",
          r.training, static_cast<int>(task.tosses.size()) - r.training)},
      .tables = {position_table(r), rotation_table(r)},
      .figures = {prediction_figure(r)}};
  for (const PredictionGain& g : r.gains) section.paragraphs.push_back(gain_words(g));
  if (r.match.evaluations > 0) {
    section.paragraphs.push_back(fmt::format(
        "Matching whole tosses (position over an edge plus rotation in rad) lowered the mean error "
        "of {} of the first from {:.3f} to {:.3f} in {} simulations of them all. What it finds "
        "makes "
        "up for whatever else the model lacks, such as impacts on edges and faces.",
        std::min(task.match, r.training), r.match.start_cost, r.match.cost, r.match.evaluations));
  }
  return section;
}

ReportPage page_of(const TossTask& task, const TossResult& r) {
  ReportPage page{.title = task.title,
                  .subtitle = fmt::format("{}: {} tosses, {} first impacts on one clear corner",
                                          task.file, task.tosses.size(), r.corners.size()),
                  .headlines = headlines(r)};
  page.sections.push_back({.title = "Parameters", .tables = {estimate_table(estimates(task, r))}});
  page.sections.push_back({.title = "The record", .paragraphs = oddity_words(task, r)});
  page.sections.push_back(
      {.title = "Restitution of first corner impacts",
       .paragraphs =
           {"Flights before and after the impact are fitted and carried to the time at which they "
            "meet. Single samples after the impact answer differently, because a difference over a "
            "sample in which the impact falls mixes before and after. Samples alone, before the "
            "impact too, are carried to the middle of the first step of the jump: when in that "
            "step "
            "the impact was, and how the box had turned by then, they do not know."},
       .tables = {sample_table(r.impacts)},
       .figures = {impact_figure(r)}});
  page.sections.push_back({.title = "Friction: two answers",
                           .paragraphs = {friction_words(r)},
                           .figures = {friction_figure(task, r)}});
  if (!r.predictions.empty()) page.sections.push_back(prediction_section(task, r));
  Section data{.title = "What was done to the data"};
  for (const std::string& step : task.steps) data.paragraphs.push_back(task.file + ": " + step);
  page.sections.push_back(std::move(data));
  return page;
}

std::string text_of(const TossTask& task, const TossResult& r) {
  std::string text = fmt::format("{}: {} tosses, {} first corner impacts\n", task.title,
                                 task.tosses.size(), r.corners.size());
  for (const Estimate& e : estimates(task, r)) {
    text += fmt::format("  {:<26} {:>10} {:<7} [{}]  {}: {}\n", e.name, show(e.value),
                        e.unit == "1" ? "" : e.unit, show(interval_of(e)), to_string(e.verdict),
                        e.reason);
  }
  text += friction_words(r) + "\n";
  for (const std::string& words : oddity_words(task, r)) text += words + "\n";
  for (const PredictionFindings& p : r.predictions) {
    text += fmt::format(
        "held out, {} (mu {:.3f}, e {:.3f}): position mean {} mm, median {} mm; rotation mean {} "
        "deg, median {} deg\n",
        p.by.name, p.by.contact.mu, p.by.contact.e, show(p.position_mean, 1e3),
        show(p.position_median, 1e3), show(p.rotation_mean, 1 / degree),
        show(p.rotation_median, 1 / degree));
  }
  for (const PredictionGain& g : r.gains) text += gain_words(g) + "\n";
  return text;
}

Json prediction_json(const PredictionFindings& p) {
  return {
      {"contact", p.by.name},
      {"mu", p.by.contact.mu},
      {"e", p.by.contact.e},
      {"tosses", p.errors.size()},
      {"position", {{"mean", json_of(p.position_mean)}, {"median", json_of(p.position_median)}}},
      {"rotation", {{"mean", json_of(p.rotation_mean)}, {"median", json_of(p.rotation_median)}}}};
}

Json oddity_json(const TossResult& r) {
  const TossOddities& odd = r.odd;
  const Difference kind = odd.velocity.kind();
  return {
      {"spin_frame", odd.spin.frame() == SpinFrame::body ? "body" : "world"},
      {"spin_error", {{"body", odd.spin.body}, {"world", odd.spin.world}}},
      {"velocity_is", kind == Difference::backward  ? "backward difference"
                      : kind == Difference::central ? "central difference"
                                                    : "forward difference"},
      {"free_fall", json_of(odd.free_fall)},
      {"rest_ratio", json_of(odd.rest_ratio)},
      {"length_scale", odd.scale},
      {"corner_depth", json_of(odd.depth)},
      {"inertia_over_solid", json_of(odd.inertia_factor)},
      {"hollow_over_solid", r.box.hollow_inertia().cwiseQuotient(r.box.solid_inertia()).mean()}};
}

}  // namespace

RecipeResult toss_report(const TossTask& task, const TossResult& r) {
  Json json = {{"recipe", "tosses"}, {"title", task.title}, {"parameters", Json::array()}};
  for (const Estimate& e : estimates(task, r)) {
    Json one = bristle::json_of(e);
    one["value"] = json_number(e.value);
    json["parameters"].push_back(std::move(one));
  }
  const Interval range = systematic(r.impacts);
  json["restitution"] = {{"systematic", {range.low, range.high}},
                         {"flights", json_of(r.impacts.restitution)},
                         {"by_sample", Json::array()},
                         {"by_samples_alone", Json::array()}};
  for (const Spread& s : r.impacts.by_sample) {
    json["restitution"]["by_sample"].push_back(json_of(s));
  }
  for (const Spread& s : r.impacts.by_samples_alone) {
    json["restitution"]["by_samples_alone"].push_back(json_of(s));
  }
  json["friction"] = {{"impacts", json_of(r.impacts.friction)},
                      {"faces", json_of(r.face_friction)},
                      {"faces_by_free_fall", json_of(r.face_friction_in_record)},
                      {"agree", !apart(r.impacts.friction, r.face_friction)},
                      {"words", friction_words(r)}};
  json["record"] = oddity_json(r);
  json["data"] = {{"file", task.file},
                  {"steps", task.steps},
                  {"tosses", task.tosses.size()},
                  {"impacts", r.corners.size()},
                  {"training", r.training}};
  json["predictions"] = Json::array();
  for (const PredictionFindings& p : r.predictions) {
    json["predictions"].push_back(prediction_json(p));
  }
  json["gains"] = Json::array();
  for (const PredictionGain& g : r.gains) {
    json["gains"].push_back({{"ours", g.ours},
                             {"other", g.other},
                             {"position", json_of(g.position)},
                             {"rotation", json_of(g.rotation)}});
  }
  return {text_of(task, r), json.dump(1) + "\n", page_of(task, r)};
}

}  // namespace bristle
