// Damping from driven impacts at several speeds: Boos 2011, 3.1.2 and 3.3.2.
//
//   F = k_V V(δ) (1 + a v)                      (3.6), each impact with an a of its own
//   a = c/v_i                                   the law's inverse relation (2.7)
//   c = a v_i  →  e: u − ln(1+u) + e u + ln(1−e u) = 0 at u = c   (Gonthier et al. 2004, 9–11)
//
// k_V and the sphere come from an indentation; v by central differences (3.8) unless there is a
// column of it. v_i is the slope of the position before the contact. The point of contact, from the
// first sample of each recording, is given or sought with a: the rest after the impact tells it.
//
// The driven impact is no free collision; e is the restitution a free one with this a would have.

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "bristle/normal/restitution.hpp"
#include "recipe_kit.hpp"
#include "rig_recipes.hpp"

namespace bristle::recipes {
namespace {

struct Impact {
  std::vector<double> t, p, v, force;
};

struct Sphere {
  double k_v = 0, radius = 0;
  std::optional<double> contact{};

  double force(double depth) const {
    return depth > 0 ? k_v * std::numbers::pi / 3 * depth * depth * (3 * radius - depth) : 0;
  }
  double slope(double depth) const {
    return depth > 0 ? k_v * std::numbers::pi * depth * (2 * radius - depth) : 0;
  }
};

Impact impact_of(const Recording& r) {
  Impact impact{r.t, r.at("position"), r.at("slip"), r.at("force")};
  const double start = impact.p.front();
  for (double& p : impact.p) p -= start;
  return impact;
}

/// With the point of contact known, (3.7) is linear in a.
Fit fit_known(const Impact& impact, const Sphere& sphere, const FitLabel& label) {
  const auto n = static_cast<Eigen::Index>(impact.p.size());
  LinearProblem problem{
      .names = {"a"}, .regressors = Eigen::MatrixXd(n, 1), .measured = Eigen::VectorXd(n)};
  for (Eigen::Index k = 0; k < n; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const double still = sphere.force(impact.p[i] - *sphere.contact);
    problem.regressors(k, 0) = still * impact.v[i];
    problem.measured[k] = impact.force[i] - still;
  }
  return fitted(label, problem, {"s/m"});
}

Fit fit_sought(const Impact& impact, const Sphere& sphere, const FitLabel& label, Watch& watch) {
  const auto [low, high] = range_of(impact.p);
  const double fastest = range_of(impact.v).second;
  const Unknown damping{.name = "a",
                        .unit = "s/m",
                        .low = 0,
                        .high = 1e6 / fastest,
                        .usual_low = 0,
                        .usual_high = 10 / fastest};
  const Unknown contact{.name = "p0",
                        .unit = "m",
                        .low = low - (high - low),
                        .high = high,
                        .usual_low = low,
                        .usual_high = high};
  const auto model = [&](std::size_t i, std::span<const double> q, std::span<double> by) {
    const double depth = impact.p[i] - q[1], still = sphere.force(depth);
    const double gain = 1 + q[0] * impact.v[i];
    if (!by.empty()) {
      by[0] = still * impact.v[i];
      by[1] = -sphere.slope(depth) * gain;
    }
    return still * gain;
  };
  return fitted(label, CurveFit({damping, contact}, impact.force, model), watch, {.starts = 8});
}

/// The slope of the position before p0: a line through those samples, or through the first three.
double impact_speed(const Recording& recording, const Impact& impact, double p0) {
  std::size_t n = 0;
  while (n < impact.p.size() && impact.p[n] < p0) ++n;
  if (n < 2) {
    Fault fault = recording.fault("fewer than two samples before the contact", "position");
    fault.expected = "an approach at constant speed, which gives the speed of the impact";
    throw InputError(std::move(fault));
  }
  double t = 0, p = 0, above = 0, below = 0;
  for (std::size_t i = 0; i < n; ++i) {
    t += impact.t[i] / static_cast<double>(n);
    p += impact.p[i] / static_cast<double>(n);
  }
  for (std::size_t i = 0; i < n; ++i) {
    above += (impact.t[i] - t) * (impact.p[i] - p);
    below += (impact.t[i] - t) * (impact.t[i] - t);
  }
  if (above > 0) return above / below;
  Fault fault = recording.fault("the position does not grow before the contact", "position");
  fault.expected = "positions that grow into the contact (a 'gain' of -1 turns their sign)";
  throw InputError(std::move(fault));
}

struct Damped {
  Fit fit;
  double v_i = 0;
};

Damped fit_impact(const Recording& recording, const Sphere& sphere, std::size_t number,
                  Watch& watch) {
  const Impact impact = impact_of(recording);
  const FitLabel label{.name = fmt::format("impact {}", number),
                       .formula = "F = k_V V(p − p0) (1 + a v)",
                       .file = recording.file,
                       .helps = {{"a", "more samples within the impact: a higher rate"},
                                 {"p0", "samples before the contact, or contact_point given"}}};
  Damped result{.fit = sphere.contact ? fit_known(impact, sphere, label)
                                      : fit_sought(impact, sphere, label, watch)};
  const double p0 = sphere.contact ? *sphere.contact : result.fit.at("p0").value;
  result.v_i = impact_speed(recording, impact, p0);
  return result;
}

/// a = c/v_i, all impacts alike (Figures 3.10, 3.11).
Fit fit_inverse(const std::vector<Damped>& impacts) {
  const auto n = static_cast<Eigen::Index>(impacts.size());
  LinearProblem problem{
      .names = {"c"}, .regressors = Eigen::MatrixXd(n, 1), .measured = Eigen::VectorXd(n)};
  for (Eigen::Index k = 0; k < n; ++k) {
    const Damped& impact = impacts[static_cast<std::size_t>(k)];
    problem.regressors(k, 0) = 1 / impact.v_i;
    problem.measured[k] = impact.fit.at("a").value;
  }
  Fit fit = fitted({.name = "damping law",
                    .formula = "a = c/v_i",
                    .unit = "s/m",
                    .helps = {{"c", "more impacts, slow ones above all: their a is largest"}}},
                   problem, {"1"});
  if (fit.at("c").value > 0) {
    fit.derived.push_back(derived_from(
        fit.at("c"), [](double c) { return normal::effective_restitution(std::max(c, 0.0)); }, "e",
        "1"));
  }
  return fit;
}

/// ln a = ln c − q ln v_i: q = 1 is the inverse relation.
Fit fit_power(const std::vector<Damped>& impacts) {
  const auto n = static_cast<Eigen::Index>(impacts.size());
  LinearProblem problem{
      .names = {"q", "ln_c"}, .regressors = Eigen::MatrixXd(n, 2), .measured = Eigen::VectorXd(n)};
  double slowest = impacts.front().v_i, fastest = slowest;
  for (const Damped& impact : impacts) {
    slowest = std::min(slowest, impact.v_i);
    fastest = std::max(fastest, impact.v_i);
  }
  for (Eigen::Index k = 0; k < n; ++k) {
    const Damped& impact = impacts[static_cast<std::size_t>(k)];
    problem.regressors(k, 0) = -std::log(impact.v_i);
    problem.regressors(k, 1) = 1;
    problem.measured[k] = std::log(impact.fit.at("a").value);
  }
  const std::string wider =
      fmt::format("impacts over a wider range of speeds than {:.2g} to {:.2g} m/s, or more of them",
                  slowest, fastest);
  return fitted({.name = "power of the speed",
                 .formula = "ln a = ln c − q ln v_i",
                 .unit = "1",
                 .helps = {{"q", wider}, {"ln_c", wider}}},
                problem, {"1", "1"});
}

Figure impact_figure(const Recording& r, const Damped& damped, const Sphere& sphere) {
  const Impact impact = impact_of(r);
  const double p0 = sphere.contact ? *sphere.contact : damped.fit.at("p0").value;
  std::vector<double> with(impact.p.size()), without(impact.p.size());
  for (std::size_t k = 0; k < with.size(); ++k) {
    without[k] = sphere.force(impact.p[k] - p0);
    with[k] = without[k] * (1 + damped.fit.at("a").value * impact.v[k]);
  }
  Figure figure = curve_figure(fmt::format("{}: {:.3g} m/s", r.file, damped.v_i), "Time t (s)",
                               "Force F (N)", r.t, impact.force, {{"with damping", r.t, with}});
  figure.panels.front().series.push_back(
      {.label = "volume alone", .x = r.t, .y = without, .style = Series::Style::dashed});
  return figure;
}

void tell_impacts(const std::vector<Damped>& impacts, Findings& findings) {
  PageTable table{"Impacts", {"impact", "v_i (m/s)", "a (s/m)", "standard error", "a v_i"}, {}};
  std::vector<double> v, a, law;
  for (const Damped& impact : impacts) {
    const Estimate& e = impact.fit.at("a");
    table.rows.push_back({impact.fit.name, fmt::format("{:.5g}", impact.v_i),
                          fmt::format("{:.5g}", e.value), fmt::format("{:.2g}", e.se),
                          fmt::format("{:.4g}", e.value * impact.v_i)});
    v.push_back(impact.v_i);
    a.push_back(e.value);
  }
  findings.tables.push_back(std::move(table));
  if (impacts.size() < 2) return;
  for (const double speed : v) law.push_back(findings.fits.front().at("c").value / speed);
  Figure figure =
      curve_figure("Damping against speed", "Impact speed v_i (m/s)", "Damping a (s/m)", v, a, {});
  figure.panels.front().series.push_back({.label = "c/v_i", .x = v, .y = law});
  figure.panels.pop_back();
  findings.figures.insert(findings.figures.begin(), std::move(figure));
}

}  // namespace

RecipeResult damping(const Document& document, Watch& watch) {
  Findings findings{.recipe = "damping",
                    .title = document["title"].text("Damping of impacts"),
                    .source = "Boos 2011, section 3.3.2"};
  findings.recordings = read_data(document, common_roles(), {"position", "force"});
  Sphere sphere;
  const Dimension volumetric = dim::force / raised(dim::length, 3);
  sphere.radius = document["indenter"]["sphere"]["radius"].quantity(dim::length, above(0));
  sphere.k_v = document["k_v"].quantity(volumetric, above(0));
  if (document["contact_point"].exists()) {
    sphere.contact = document["contact_point"].quantity(dim::length);
  }
  document.finish();
  std::vector<Damped> impacts;
  for (Recording& r : findings.recordings) {
    require_slip(r);
    impacts.push_back(fit_impact(r, sphere, impacts.size() + 1, watch));
    findings.figures.push_back(impact_figure(r, impacts.back(), sphere));
  }
  if (impacts.size() > 1) findings.fits.push_back(fit_inverse(impacts));
  bool positive = impacts.size() > 2;
  for (const Damped& impact : impacts) positive = positive && impact.fit.at("a").value > 0;
  if (positive) findings.fits.push_back(fit_power(impacts));
  tell_impacts(impacts, findings);
  for (Damped& impact : impacts) findings.fits.push_back(std::move(impact.fit));
  if (positive) {
    const Estimate& q = findings.fits[1].at("q");
    findings.notes.push_back(fmt::format(
        "the damping falls as the speed to the power −{:.3f} [{:.3f} … {:.3f}]; the law's is −1",
        q.value, q.wald.low, q.wald.high));
  }
  findings.assumptions = {
      "k_V and the radius are known, from an indentation of the same pair; an error of k_V goes "
      "into a.",
      "The approach is at constant speed; v by central differences is coarse where an impact "
      "lasts few samples: fast impacts then give a somewhat low.",
      "e is what a free collision under this law would have; a driven impact has none of its own."};
  return told(findings);
}

}  // namespace bristle::recipes
