// Static friction and the bristles from a slow start: Boos 2011, 5.1.1 and 5.3.1.
//
//   μ = f_t/f_n                        (5.4);  μ_s is its peak
//   σ0 ≈ μ_s/d_peak                    (5.3)   as printed: the secant to the peak
//   μ ≈ σ0 d + σ1 v before the peak    (5.7)   d: displacement from the first sample
//
// The peak is the top of a parabola through the samples around it, not the largest sample, which
// noise lifts; of several runs the mean counts. σ0 and σ1 come from one regression over all runs,
// up to a share of each peak: towards it bristles already slip, and the secant counts damping as
// stiffness. σ1 with σ0 held at the secant, the thesis' way, stands beside it. Both suppose that
// bristles stick until they break away; Gonthier's begin to slip long before. With `law: NAME` the
// law itself is matched to the runs as well, and supposes nothing of the kind.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bristle/identify/filter.hpp"
#include "bristle/identify/prepare.hpp"
#include "estimate_report.hpp"
#include "friction_runs.hpp"
#include "rig_recipes.hpp"

namespace bristle::recipes {
namespace {

struct Run {
  std::vector<double> d, v, mu;
  std::size_t peak = 0;   ///< sample
  double mu_peak = 0;     ///< top of the parabola
  LinearProblem top{};    ///< the parabola
  std::size_t risen = 0;  ///< samples up to the share of the peak
};

/// The top of a parabola through the samples around the highest smoothed one.
void find_peak(const Recording& recording, Run& run) {
  const std::size_t n = run.mu.size();
  const std::size_t half = std::max<std::size_t>(4, n / 100);
  if (n < 4 * half) {
    Fault fault = recording.fault(fmt::format("{} samples", n));
    fault.expected = fmt::format("at least {}, to see a peak", 4 * half);
    throw InputError(std::move(fault));
  }
  const int points = static_cast<int>(2 * half + 1);
  const std::vector<double> smooth =
      savitzky_golay(run.mu, {points, 2, 0}, sampling_step(recording));
  run.peak =
      static_cast<std::size_t>(std::max_element(smooth.begin(), smooth.end()) - smooth.begin());
  const std::size_t from = std::min(run.peak > half ? run.peak - half : 0, n - 2 * half - 1);
  run.top = {.names = {"mu_s", "slope", "bend"},
             .regressors = Eigen::MatrixXd(points, 3),
             .measured = Eigen::VectorXd(points)};
  for (Eigen::Index k = 0; k < points; ++k) {
    const std::size_t i = from + static_cast<std::size_t>(k);
    const double x =
        (static_cast<double>(i) - static_cast<double>(run.peak)) / static_cast<double>(half);
    run.top.regressors.row(k) << 1, x, x * x;
    run.top.measured[k] = run.mu[i];
  }
  run.mu_peak = fit_linear(run.top).estimate[0];
}

Run run_of(const Recording& recording, double share) {
  Run run{
      .d = recording.at("position"), .v = recording.at("slip"), .mu = friction_ratio(recording)};
  find_peak(recording, run);
  const double rest = run.d.front();
  const double way = run.d[run.peak] < rest ? -1 : 1;
  for (std::size_t k = 0; k < run.d.size(); ++k) {
    run.d[k] = way * (run.d[k] - rest);
    run.v[k] *= way;
  }
  // The last sample before the peak that is below the share: noise may cross it several times.
  run.risen = run.peak;
  while (run.risen > 0 && run.mu[run.risen - 1] > share * run.mu_peak) --run.risen;
  if (run.risen >= 3 && run.d[run.peak] > 0) return run;
  Fault fault = recording.fault("friction peaks at the start, there is no rise before it");
  fault.expected = "a run that starts from rest, slowly";
  throw InputError(std::move(fault));
}

/// The mean of all peaks. Of a single run the samples around it say how sure it is, not how
/// repeatable.
Fit fit_peaks(const std::vector<Run>& runs, const std::string& file) {
  if (runs.size() == 1) {
    return fitted({.name = "static friction",
                   .formula = "μ = μ_s + slope x + bend x² around the peak of f_t/f_n",
                   .unit = "1",
                   .file = file},
                  runs.front().top, {"1", "1", "1"});
  }
  const auto n = static_cast<Eigen::Index>(runs.size());
  LinearProblem mean{
      .names = {"mu_s"}, .regressors = Eigen::MatrixXd::Ones(n, 1), .measured = Eigen::VectorXd(n)};
  for (Eigen::Index k = 0; k < n; ++k) mean.measured[k] = runs[static_cast<std::size_t>(k)].mu_peak;
  return fitted(
      {.name = "static friction",
       .formula = "μ_s: mean of the peaks of f_t/f_n",
       .unit = "1",
       .file = file,
       .helps = {{"mu_s", fmt::format("more starts than these {}, and slower ones", runs.size())}}},
      mean, {"1"});
}

/// μ = σ0 d + σ1 v over the rises of all runs.
Fit fit_bristles(const std::vector<Run>& runs, double share, const std::string& file) {
  Eigen::Index n = 0;
  for (const Run& run : runs) n += static_cast<Eigen::Index>(run.risen);
  LinearProblem problem{.names = {"sigma0", "sigma1"},
                        .regressors = Eigen::MatrixXd(n, 2),
                        .measured = Eigen::VectorXd(n)};
  Eigen::Index k = 0;
  for (const Run& run : runs) {
    for (std::size_t i = 0; i < run.risen; ++i, ++k) {
      problem.regressors.row(k) << run.d[i], run.v[i];
      problem.measured[k] = run.mu[i];
    }
  }
  return fitted({.name = "bristles",
                 .formula = fmt::format("μ = σ0 d + σ1 v up to {:g} of the peak", share),
                 .unit = "1",
                 .file = file,
                 .helps = {{"sigma0", "more samples in the rise: slower starts, or a higher rate"},
                           {"sigma1",
                            "starts at other accelerations, faster ones too: then speed and "
                            "displacement do not grow together"}}},
                problem, {"1/m", "s/m"});
}

/// The thesis' way: σ0 = μ_s/d_peak of each run, σ1 by regression on v up to the peak.
void tell_printed(const std::vector<Run>& runs, Findings& findings) {
  PageTable table{
      "Each run as printed in the thesis: σ0 by the secant to the peak, σ1 with σ0 held",
      {"run", "μ_s", "d at the peak (m)", "σ0 (1/m)", "σ1 (s/m)"},
      {}};
  for (std::size_t j = 0; j < runs.size(); ++j) {
    const Run& run = runs[j];
    const double sigma0 = run.mu_peak / run.d[run.peak];
    double above = 0, below = 0;
    for (std::size_t i = 0; i < run.peak; ++i) {
      above += run.v[i] * (run.mu[i] - sigma0 * run.d[i]);
      below += run.v[i] * run.v[i];
    }
    table.rows.push_back({fmt::format("{}", j + 1), fmt::format("{:.4f}", run.mu_peak),
                          fmt::format("{:.3g}", run.d[run.peak]), fmt::format("{:.4g}", sigma0),
                          fmt::format("{:.4g}", above / below)});
  }
  findings.tables.push_back(std::move(table));
}

Figure run_figure(const std::string& title, const Run& run, double sigma0, double sigma1) {
  Figure figure{.title = title};
  Series data{.label = "measured", .style = Series::Style::points}, law{.label = "σ0 d + σ1 v"},
      spring{.label = "σ0 d", .style = Series::Style::dashed};
  for (std::size_t i = 0; i < run.mu.size(); ++i) {
    data.x.push_back(run.d[i]);
    data.y.push_back(run.mu[i]);
    if (i >= run.peak || sigma0 * run.d[i] > 1.3 * run.mu_peak) continue;
    law.x.push_back(run.d[i]);
    law.y.push_back(sigma0 * run.d[i] + sigma1 * run.v[i]);
    spring.x.push_back(run.d[i]);
    spring.y.push_back(sigma0 * run.d[i]);
  }
  figure.panels.push_back({.x_label = "Displacement d (m)",
                           .y_label = "Friction over load μ",
                           .series = {std::move(data), std::move(law), std::move(spring)}});
  return figure;
}

}  // namespace

BreakAwayOptions read_break_away(const Document& document) {
  BreakAwayOptions options{.share = document["share"].number(0.5, between(0.05, 1))};
  if (!document["law"].exists()) return options;
  const Node known = document["known"];
  options.law = known_law(document["law"].word(AnyLaw::names()), known);
  options.match = holding(*options.law, known);
  return options;
}

namespace {

/// The law along the measured slip of all runs, with nothing approximated: bristles that slip
/// before the peak included.
void match_law(const BreakAwayOptions& options, Findings& findings, Watch& watch) {
  const ForceMatch problem(*options.law, findings.recordings, options.match);
  findings.fits.push_back(fitted({.name = fmt::format("law {}", options.law->name()),
                                  .formula = "along the slip",
                                  .file = files_of(findings.recordings)},
                                 problem, watch, {.starts = 8}));
  const auto predicted = problem.predict(findings.fits.back().search.p);
  for (std::size_t j = 0; j < predicted.size(); ++j) {
    const Recording& r = findings.recordings[j];
    findings.figures.push_back(curve_figure(r.file, "Time t (s)", "Friction (N)", r.t,
                                            r.at("force"), {{"law", r.t, predicted[j]}}));
  }
  for (const ForceLoop& loop : problem.loops(findings.fits.back().search.p)) {
    findings.figures.push_back(loop_figure(loop));
  }
}

/// Peaks that fall as the start gets faster are not yet μ_s.
void note_trend(const std::vector<Run>& runs, Findings& findings) {
  const auto faster = [](const Run& x, const Run& y) { return x.v[x.peak] < y.v[y.peak]; };
  const auto [slow, fast] = std::minmax_element(runs.begin(), runs.end(), faster);
  if (slow->mu_peak - fast->mu_peak < 0.02 * slow->mu_peak) return;
  findings.notes.push_back(fmt::format(
      "the peak falls from {:.4f} in the slowest run to {:.4f} in the fastest: starts slower still "
      "would come nearer to μ_s",
      slow->mu_peak, fast->mu_peak));
}

}  // namespace

void find_break_away(const BreakAwayOptions& options, Findings& findings, Watch& watch) {
  std::vector<Run> runs;
  for (const Recording& r : findings.recordings) runs.push_back(run_of(r, options.share));
  const std::string file = files_of(findings.recordings);
  findings.fits.push_back(fit_peaks(runs, file));
  findings.fits.push_back(fit_bristles(runs, options.share, file));
  findings.answers = 2;
  const double sigma0 = findings.fits.back().at("sigma0").value;
  const double sigma1 = findings.fits.back().at("sigma1").value;
  tell_printed(runs, findings);
  for (std::size_t j = 0; j < runs.size(); ++j) {
    findings.figures.push_back(run_figure(findings.recordings[j].file, runs[j], sigma0, sigma1));
  }
  if (options.law) match_law(options, findings, watch);
  note_trend(runs, findings);
  if (runs.size() == 1) {
    findings.notes.emplace_back(
        "one run: the interval of mu_s is that of its noise, not of repetition");
  }
  findings.assumptions = {
      "Each recording starts from rest, with the bristles relaxed, and ends shortly after the "
      "peak.",
      "Before the share of the peak all displacement is of the bristles, v well below the Stribeck "
      "speed. Give of the rig between sensor and contact counts as bristles.",
      "The peak comes near μ_s only if the start is slow enough for the bristles to follow; runs "
      "at "
      "several accelerations show it."};
}

RecipeResult break_away(const Document& document, Watch& watch) {
  Findings findings{.recipe = "break-away",
                    .title = document["title"].text("Break-away"),
                    .source = "Boos 2011, section 5.3.1"};
  findings.recordings = read_data(document, common_roles(), {"position", "load", "force"});
  const BreakAwayOptions options = read_break_away(document);
  document.finish();
  for (Recording& r : findings.recordings) require_slip(r);
  find_break_away(options, findings, watch);
  return told(findings);
}

}  // namespace bristle::recipes
