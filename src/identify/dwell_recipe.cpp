// Dwell time from oscillations, or from rests of several lengths: Boos 2011, 5.1.1 and 5.3.1.
//
//   ṡ_dw = (s − s_dw)/τ,  τ = τ_dw while it builds up, σ1/σ0 while it breaks down   (4.29)
//   μ_max = μ_d + s_dw (μ_s − μ_d)                                                  (4.30)
//
// The peaks of friction fall as the frequency rises, for static friction has less time to build up
// near each turn. The thesis reads τ_dw off the peaks; here the law is driven along the measured
// slip and matched to the whole record, of which the peaks are a part. What other experiments have
// told of the law is `known`; what they have not is sought with τ_dw, and the verdicts say whether
// these data can.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "estimate_report.hpp"
#include "recipe_kit.hpp"
#include "rig_recipes.hpp"

namespace bristle::recipes {
namespace {

/// Largest friction over load between one turn of the slip and the next.
std::vector<double> peaks_of(const Recording& r, const std::vector<double>& force) {
  const std::vector<double>&v = r.at("slip"), &load = r.at("load");
  const auto [low, high] = range_of(v);
  const double moving = 0.05 * std::max(std::abs(low), std::abs(high));
  std::vector<double> peaks;
  int way = 0;
  for (std::size_t k = 0; k < v.size(); ++k) {
    const int now = v[k] > moving ? 1 : (v[k] < -moving ? -1 : way);
    if (now != way && now != 0) peaks.push_back(0);
    way = now;
    if (!peaks.empty() && load[k] > 0) {
      peaks.back() = std::max(peaks.back(), std::abs(force[k]) / load[k]);
    }
  }
  return peaks;
}

double mean_after_first(const std::vector<double>& peaks) {
  if (peaks.size() < 2) return peaks.empty() ? std::nan("") : peaks.front();
  double sum = 0;
  for (std::size_t k = 1; k < peaks.size(); ++k) sum += peaks[k];
  return sum / static_cast<double>(peaks.size() - 1);
}

/// Turns over time: half the number of strokes.
double frequency_of(const Recording& r, std::size_t strokes) {
  return static_cast<double>(strokes) / 2 / (r.t.back() - r.t.front());
}

void tell_peaks(const std::vector<std::vector<double>>& predicted, Findings& findings) {
  PageTable table{"Peaks of friction over load, first stroke left out",
                  {"file", "frequency (Hz)", "measured", "law"},
                  {}};
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    const Recording& r = findings.recordings[i];
    const std::vector<double> measured = peaks_of(r, r.at("force"));
    table.rows.push_back({r.file, fmt::format("{:.3g}", frequency_of(r, measured.size())),
                          fmt::format("{:.4f}", mean_after_first(measured)),
                          fmt::format("{:.4f}", mean_after_first(peaks_of(r, predicted[i])))});
    findings.figures.push_back(curve_figure(r.file, "Time t (s)", "Friction (N)", r.t,
                                            r.at("force"), {{"law", r.t, predicted[i]}}));
  }
  findings.tables.push_back(std::move(table));
}

}  // namespace

RecipeResult dwell(const Document& document, Watch& watch) {
  Findings findings{.recipe = "dwell",
                    .title = document["title"].text("Dwell time"),
                    .source = "Boos 2011, section 5.3.1; Gonthier et al. 2004"};
  findings.recordings = read_data(document, common_roles(), {"load", "force"});
  const Node known = document["known"];
  if (known["tau_dw"].exists()) {
    throw InputError(known["tau_dw"].fault("the dwell time is what is sought"));
  }
  const AnyLaw law = known_law("gonthier", known);
  const ForceMatchOptions options = holding(law, known);
  SearchOptions search{.starts = document["search"]["starts"].integer(8, between(1, 1e5))};
  search.seed = static_cast<std::uint64_t>(document["search"]["seed"].integer(1, at_least(0)));
  document.finish();
  for (Recording& r : findings.recordings) require_slip(r);
  const ForceMatch problem(law, findings.recordings, options);
  Helps helps;
  for (const Unknown& u : problem.unknowns()) {
    helps[u.name] = "its value from another experiment, under 'known'";
  }
  helps["tau_dw"] =
      "more frequencies, or rests of lengths from a tenth of τ_dw to some times as long, each "
      "followed by a slow slide";
  findings.fits.push_back(fitted({.name = "dwell",
                                  .formula = "law gonthier along the measured slip",
                                  .file = files_of(findings.recordings),
                                  .helps = std::move(helps)},
                                 problem, watch, search));
  tell_peaks(problem.predict(findings.fits.front().search.p), findings);
  for (const ForceLoop& loop : problem.loops(findings.fits.front().search.p)) {
    findings.figures.push_back(loop_figure(loop));
  }
  findings.assumptions = {
      "What is 'known' is known exactly; an error of μ_s or μ_d shows as an error of τ_dw.",
      "At the first sample the contact has rested for long (s_dw = 1 at rest) with its bristles "
      "relaxed.",
      "The slip is measured well through each turn: static friction builds up while the speed is "
      "below the Stribeck speed only, a small part of each stroke."};
  return told(findings);
}

}  // namespace bristle::recipes
