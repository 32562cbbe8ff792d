// Kinetic and viscous friction from runs at steady speeds: Boos 2011, 5.1.1, 5.3.1 and 5.3.2.
//
//   μ = μ_d + σ2 |v|     (5.9); about an axis μ = τ/(r_gyr f_n), v = r_gyr ω (5.13), (5.15)
//
// One point per run: the means of friction over load and of the speed, each run counting once, for
// what differs from run to run (wear, place) is more than the noise within one. The regression has
// as much freedom as there are runs above two.

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "friction_runs.hpp"
#include "rig_recipes.hpp"

namespace bristle::recipes {
namespace {

struct SteadyRun {
  double v = 0, mu = 0, scatter = 0;  ///< means, and the standard deviation of μ within the run
};

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

SteadyRun steady_run(const Recording& recording) {
  const std::vector<double> mu = friction_ratio(recording);
  SteadyRun run{.v = std::abs(mean_of(recording.at("slip"))), .mu = mean_of(mu)};
  double squares = 0;
  for (const double m : mu) squares += (m - run.mu) * (m - run.mu);
  run.scatter = std::sqrt(squares / static_cast<double>(mu.size()));
  return run;
}

LinearProblem regression(const std::vector<SteadyRun>& runs) {
  const auto n = static_cast<Eigen::Index>(runs.size());
  LinearProblem problem{.names = {"mu_d", "sigma2"},
                        .regressors = Eigen::MatrixXd(n, 2),
                        .measured = Eigen::VectorXd(n)};
  for (Eigen::Index k = 0; k < n; ++k) {
    const SteadyRun& run = runs[static_cast<std::size_t>(k)];
    problem.regressors.row(k) << 1, run.v;
    problem.measured[k] = run.mu;
  }
  return problem;
}

/// R²: the share of the variance that the line explains.
double determination(const Fit& fit, const LinearProblem& problem) {
  const double mean = problem.measured.mean();
  return 1 - fit.search.cost / (problem.measured.array() - mean).square().sum();
}

}  // namespace

void find_steady_speed(Findings& findings) {
  std::vector<SteadyRun> runs;
  for (const Recording& r : findings.recordings) runs.push_back(steady_run(r));
  const LinearProblem problem = regression(runs);
  const auto [slowest, fastest] = std::minmax_element(
      runs.begin(), runs.end(), [](const SteadyRun& a, const SteadyRun& b) { return a.v < b.v; });
  findings.fits.push_back(fitted(
      {.name = "kinetic friction",
       .formula = "μ = μ_d + σ2 v, one point per run",
       .unit = "1",
       .file = files_of(findings.recordings),
       .helps = {{"mu_d", fmt::format("more runs than these {}, slow ones above all", runs.size())},
                 {"sigma2", fmt::format("runs over a wider range of speeds than {:.3g} to "
                                        "{:.3g} m/s",
                                        slowest->v, fastest->v)}}},
      problem, {"1", "s/m"}));
  const Fit& fit = findings.fits.back();
  const double r2 = determination(fit, problem);
  findings.notes.push_back(
      fmt::format("R² = {:.3f}: the line explains {:.0f} % of what differs between the {} runs", r2,
                  100 * r2, runs.size()));
  const Estimate& sigma2 = fit.at("sigma2");
  if (sigma2.wald.low < 0 && sigma2.wald.high > 0) {
    findings.notes.emplace_back("viscous friction is not shown: the interval of sigma2 holds 0");
  }
  PageTable table{"Runs", {"file", "v (m/s)", "mean of μ", "standard deviation within"}, {}};
  std::vector<double> v, mu, line;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    table.rows.push_back({findings.recordings[k].file, fmt::format("{:.5g}", runs[k].v),
                          fmt::format("{:.5f}", runs[k].mu),
                          fmt::format("{:.2g}", runs[k].scatter)});
    v.push_back(runs[k].v);
    mu.push_back(runs[k].mu);
    line.push_back(fit.at("mu_d").value + sigma2.value * runs[k].v);
  }
  findings.tables.push_back(std::move(table));
  findings.figures.push_back(curve_figure("Friction against speed", "Speed v (m/s)",
                                          "Friction over load μ", v, mu,
                                          {{"μ_d + σ2 v", v, line}}));
  findings.assumptions = {
      "All speeds are well above the Stribeck speed, so that friction rises in a line, and each "
      "run "
      "is steady: its start is cut off by a window.",
      "Runs differ independently of one another; wear that grows from run to run does not."};
}

RecipeResult steady_speed(const Document& document, Watch&) {
  Findings findings{.recipe = "steady-speed",
                    .title = document["title"].text("Friction at steady speeds"),
                    .source = "Boos 2011, section 5.3.1"};
  findings.recordings = read_data(document, common_roles(), {"load", "force"});
  document.finish();
  for (Recording& r : findings.recordings) require_slip(r);
  find_steady_speed(findings);
  return told(findings);
}

}  // namespace bristle::recipes
