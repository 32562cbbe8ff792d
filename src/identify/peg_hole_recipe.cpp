// Friction at both contacts of a peg in a hole: Lin 2001, chapter 5 and Appendix B.
//
//   ‖F(P) − F_measured‖ → min,   P = [μ, k_f, α, β] of the MDSF law (5.2.2), at each point
//
// From the forces on both walls, the depth and the angle follow slip, normal force and friction at
// points a and b (peg_geometry.hpp). Each point is fitted three times: on the insertion, on the
// removal (with the hold before it), and on both together, Lin's P̂1, P̂2, P̂3. Slip by the
// derivative of the displacement, a polynomial through `points` samples (the thesis' is of sixth
// order).
//
// The load is smoothed: a bristle as long as a noisy load allows is let go a little by every dip
// and averages what is left, and a soft bristle would then fit the noise better than the true one.
//
// A hold counts as rest (5.2.1), and is best left out of the stage that counts: on the edge between
// sliding and sticking the law's force is k_f s or (1 + α) k_f s, and noise would decide which. The
// last tenth of a second before it is no better.
//
// The sensors' zero, known from the rest to a few hundredths of a newton, moves μ of insertion and
// removal apart: a constant force is sought with the rest (`offset: false` does not).
//
// At 10 mm/s the bristle is stretched in a few samples: k_f, α and β show at the start of a stage,
// in the hold and at its end, or not at all, which the verdicts say.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bristle/identify/force_match.hpp"
#include "bristle/identify/prepare.hpp"
#include "bristle/scenario/peg_geometry.hpp"
#include "estimate_report.hpp"
#include "recipe_kit.hpp"
#include "rig_recipes.hpp"

namespace bristle::recipes {
namespace {

const std::vector<Role>& peg_roles() {
  static const std::vector<Role> roles = {
      {.name = "depth", .dimensions = {dim::length}, .must_vary = true},
      {.name = "angle", .dimensions = {dim::angle}},
      {.name = "a_across", .dimensions = {dim::force}, .must_vary = true},
      {.name = "a_along", .dimensions = {dim::force}, .must_vary = true},
      {.name = "b_across", .dimensions = {dim::force}, .must_vary = true},
      {.name = "b_along", .dimensions = {dim::force}, .must_vary = true}};
  return roles;
}

struct PegTask {
  double width = 0, root = 0;
  TimeSpan insertion{}, removal{};
  std::optional<TimeSpan> hold{};
  SavitzkyGolay slope{.points = 21, .degree = 4, .derivative = 1};
  SavitzkyGolay load{.points = 41, .degree = 1};
  std::map<std::string, UnknownSetting> parameters{};
  SearchOptions search{};
  std::string law{};
  double least_load = 0.02;  ///< of the largest; less is no contact
  bool offset = true;
};

TimeSpan read_stage(const Node& node) {
  const std::vector<double> ends = node.required("[start, end]").quantities(dim::time, 2);
  if (ends[0] < ends[1]) return {ends[0], ends[1]};
  throw InputError(node.fault("it ends before it starts"));
}

PegTask read_peg(const Document& document) {
  PegTask task;
  task.width = document["peg"]["width"].quantity(dim::length, above(0));
  task.root = document["peg"]["root"].quantity(dim::length, 0.0, at_least(0));
  task.insertion = read_stage(document["stages"]["insertion"]);
  task.removal = read_stage(document["stages"]["removal"]);
  if (document["stages"]["hold"].exists()) task.hold = read_stage(document["stages"]["hold"]);
  task.slope.points = document["slope"]["points"].integer(21, between(3, 1001));
  task.slope.degree = document["slope"]["degree"].integer(4, between(1, 12));
  task.load.points = document["smooth_load"]["points"].integer(41, between(3, 1001));
  task.load.degree = document["smooth_load"]["degree"].integer(1, between(0, 12));
  task.law = document["law"].word({"mdsf-augmented", "reset-integrator", "mdsf-bristle"},
                                  "mdsf-augmented");
  task.least_load = document["smooth_load"]["least"].number(0.02, between(0, 0.5));
  task.offset = document["offset"].flag(true);
  const AnyLaw law(task.law);
  for (const auto& [key, node] : document["fixed"].entries()) {
    const Parameter& parameter = law.info().at(key);
    task.parameters[std::string(parameter.name)].fixed =
        node.quantity(written_dimension(parameter));
  }
  task.search.starts = document["search"]["starts"].integer(10, between(1, 1e5));
  task.search.seed = static_cast<std::uint64_t>(document["search"]["seed"].integer(1, at_least(0)));
  task.search.first_look = 0;  // contact comes late in a stage: its leading part says nothing
  return task;
}

/// The hold is motion with zero velocity (5.2.1): the noise of a sensor must not turn the bristle.
void hold_still(const TimeSpan& hold, Recording& r) {
  std::vector<double>& v = r.at("slip");
  for (std::size_t k = 0; k < v.size(); ++k) {
    if (r.t[k] >= hold.start && r.t[k] <= hold.end) v[k] = 0;
  }
  r.steps.push_back(
      fmt::format("slip: 0 during the hold from {:g} s to {:g} s", hold.start, hold.end));
}

/// What is left of the noise before the contact is no load: a bristle that seems to touch anew at
/// every sample would be damped each time.
void drop_noise(double share, Recording& r) {
  std::vector<double>& load = r.at("load");
  const double least = share * range_of(load).second;
  for (double& n : load) n = n < least ? 0 : n;
  r.steps.push_back(fmt::format("load: below {:.3g} N counts as none", least));
}

/// Slip, load and friction at one point.
Recording at_point(const Recording& whole, const PegTask& task, bool a) {
  Recording r{.file = whole.file, .text = whole.text, .lines = whole.lines, .t = whole.t};
  const std::vector<double>&depth = whole.at("depth"), &angle = whole.at("angle");
  const std::vector<double>&across = whole.at(a ? "a_across" : "b_across"),
        &along = whole.at(a ? "a_along" : "b_along");
  std::vector<double> x(r.size()), load(r.size()), force(r.size());
  for (std::size_t k = 0; k < r.size(); ++k) {
    const PegPoint p = peg_contacts(depth[k], angle[k], task.width, task.root);
    const PegForce f = a ? PegForce{across[k], along[k]} : on_edge(across[k], along[k], angle[k]);
    x[k] = a ? p.along_a : p.along_b;
    load[k] = f.normal;
    force[k] = f.friction;
  }
  r.put("position", std::move(x), dim::length);
  r.put("load", std::move(load), dim::force);
  r.put("force", std::move(force), dim::force);
  smooth(r, "load", task.load);
  drop_noise(task.least_load, r);
  differentiate(r, "position", "slip", task.slope);
  if (task.hold) hold_still(*task.hold, r);
  return r;
}

/// Friction over load where the load is well above its noise: the middle value.
double usual_ratio(const Recording& r) {
  const std::vector<double>&load = r.at("load"), &force = r.at("force");
  const double enough = 0.3 * range_of(load).second;
  std::vector<double> ratios;
  for (std::size_t k = 0; k < load.size(); ++k) {
    if (load[k] > enough) ratios.push_back(std::abs(force[k]) / load[k]);
  }
  std::nth_element(ratios.begin(), ratios.begin() + static_cast<long>(ratios.size() / 2),
                   ratios.end());
  return ratios[ratios.size() / 2];
}

/// The law runs along the whole manoeuvre, so that a stage begins with the bristle as the last one
/// left it; only samples of some stages count.
class StageMatch final : public Problem {
 public:
  StageMatch(const ForceMatch& whole, const std::vector<double>& t,
             const std::vector<TimeSpan>& stages)
      : whole_(whole) {
    unknowns_ = whole.unknowns();
    orders_ = whole.orders();
    for (std::size_t k = 0; k < t.size(); ++k) {
      for (const TimeSpan& stage : stages) {
        if (t[k] < stage.start || t[k] > stage.end) continue;
        rows_.push_back(k);
        break;
      }
    }
  }
  int residuals() const noexcept override { return static_cast<int>(rows_.size()); }
  bool evaluate(std::span<const double> p, std::span<double> r) const override {
    std::vector<double> all(static_cast<std::size_t>(whole_.residuals()));
    if (!whole_.evaluate(p, all)) return false;
    for (std::size_t i = 0; i < rows_.size(); ++i) r[i] = all[rows_[i]];
    return true;
  }
  bool derivatives(std::span<const double> p, std::span<double> r,
                   std::span<double> by) const override {
    const std::size_t m = p.size();
    std::vector<double> all(static_cast<std::size_t>(whole_.residuals())), all_by(all.size() * m);
    if (!whole_.derivatives(p, all, all_by)) return false;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      r[i] = all[rows_[i]];
      std::copy_n(all_by.data() + rows_[i] * m, m, by.data() + i * m);
    }
    return true;
  }

 private:
  const ForceMatch& whole_;
  std::vector<std::size_t> rows_;
};

/// The law changes its mode at samples, so the cost has small steps, and a profile may end at one
/// of them too early: the wider of both intervals counts.
void widen_to_wald(Fit& fit) {
  for (Estimate& e : fit.confidence.parameters) {
    const bool finite = std::isfinite(e.wald.low) && std::isfinite(e.wald.high);
    if (e.curve.empty() || !finite || e.name == "offset") continue;
    e.profile.low = std::min(e.profile.low, e.wald.low);
    e.profile.high = std::max(e.profile.high, e.wald.high);
    e.profile.open_low = e.profile.open_low || e.wald.open_low;
    e.profile.open_high = e.profile.open_high || e.wald.open_high;
    if (e.verdict == Verdict::not_determined) continue;
    const double half = (e.profile.high - e.profile.low) / 2 / std::abs(e.value);
    e.verdict = half <= 0.05 ? Verdict::determined : Verdict::weak;
    e.reason = fmt::format("known to ±{:.2g} %", 100 * half);
    if (!e.profile.open_low && !e.profile.open_high) continue;
    e.verdict = Verdict::not_determined;
    e.reason = "the data set no limit on one side";
  }
}

/// Bristles show where the motion turns, damping where it turns fast.
Helps peg_helps() {
  const std::string turns = "turns of the motion under load, within the stretch of the bristles";
  return {{"k_f", turns},
          {"alpha", turns},
          {"beta", "fast " + turns + ", sampled while they stretch"},
          {"offset", "a longer rest before the stages"}};
}

/// Both stages, insertion, removal: Lin's P̂3, P̂1, P̂2.
void fit_point(const PegTask& task, const std::string& point, const Recording& r,
               Findings& findings, Watch& watch) {
  std::map<std::string, UnknownSetting> parameters = task.parameters;
  const std::string mu(AnyLaw(task.law).info().at("mu_k").name);
  if (!parameters[mu].fixed) parameters[mu].start = usual_ratio(r);
  const ForceMatch whole(AnyLaw(task.law), {r}, {.parameters = parameters, .offset = task.offset});
  std::vector<Series> curves;
  const auto fit = [&](const std::string& stage, const std::vector<TimeSpan>& counted) {
    findings.fits.push_back(fitted({.name = fmt::format("point {}, {}", point, stage),
                                    .formula = fmt::format("law {} along the slip", task.law),
                                    .file = r.file},
                                   StageMatch(whole, r.t, counted), watch, task.search));
    widen_to_wald(findings.fits.back());
    add_helps(peg_helps(), findings.fits.back());
    curves.push_back({stage + " fit", r.t, whole.predict(findings.fits.back().search.p).front()});
  };
  fit("both", {task.insertion, task.removal});
  fit("insertion", {task.insertion});
  fit("removal", {task.removal});
  findings.figures.push_back(curve_figure(fmt::format("Point {}", point), "Time t (s)",
                                          "Friction (N)", r.t, r.at("force"), std::move(curves)));
  ForceLoop loop = whole.loops(findings.fits[findings.fits.size() - 3].search.p).front();
  loop.source = fmt::format("Point {}, fitted to both stages", point);
  findings.figures.push_back(loop_figure(loop));
}

/// Where insertion and removal contradict each other, a joint fit is a compromise and both
/// intervals are too sure.
void compare_stages(const std::string& point, std::size_t first, Findings& findings) {
  const std::vector<Estimate>&in = findings.fits[first + 1].confidence.parameters,
        &out = findings.fits[first + 2].confidence.parameters;
  const auto limits = [](const Estimate& e) { return e.curve.empty() ? e.wald : e.profile; };
  for (std::size_t j = 0; j < in.size(); ++j) {
    if (in[j].verdict == Verdict::not_determined || out[j].verdict == Verdict::not_determined) {
      continue;
    }
    const Interval a = limits(in[j]), b = limits(out[j]);
    if (a.low <= b.high && b.low <= a.high) continue;
    findings.notes.push_back(fmt::format(
        "point {}: {} of insertion ({:.4g}) and removal ({:.4g}) disagree beyond their intervals; "
        "the joint value is a compromise. {}",
        point, in[j].name, in[j].value, out[j].value,
        j == 0 ? "Friction is another in each stage"
               : "Bristles show where the motion turns; at a steady speed small errors of the load "
                 "pass for them"));
  }
}

}  // namespace

RecipeResult peg_hole(const Document& document, Watch& watch) {
  Findings findings{.recipe = "peg-hole",
                    .title = document["title"].text("Peg in a hole"),
                    .source = "Lin 2001, chapter 5 and Appendix B"};
  findings.recordings = read_data(document, peg_roles(),
                                  {"depth", "angle", "a_across", "a_along", "b_across", "b_along"});
  if (findings.recordings.size() != 1) {
    throw InputError(document["data"].fault("one recording of the whole manoeuvre"));
  }
  const PegTask task = read_peg(document);
  document.finish();
  for (const TimeSpan& stage : {task.insertion, task.removal}) {
    Recording part = findings.recordings.front();
    crop(part, stage);  // refuses a stage without samples
  }
  for (const std::string point : {"a", "b"}) {
    const std::size_t first = findings.fits.size();
    const Recording at = at_point(findings.recordings.front(), task, point == "a");
    fit_point(task, point, at, findings, watch);
    compare_stages(point, first, findings);
    for (const std::string& step : at.steps) {
      findings.recordings.front().steps.push_back(fmt::format("point {}, {}", point, step));
    }
  }
  findings.assumptions = {
      "Quasi-static: the inertia of the peg is left out of the forces at the contacts.",
      "The walls' forces are those of one contact each; the angle and the geometry place them.",
      "The zero of the normal forces is exact; the intervals do not know of its error. What a rest "
      "leaves of it, over the mean normal force, moves μ by the same share.",
      "Friction at each point is the law's along its own slip, without deflection at the first "
      "sample of the recording."};
  return told(findings);
}

}  // namespace bristle::recipes
