#include "bristle/identify/drive_recipe.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "bristle/core/names.hpp"
#include "bristle/identify/prepare.hpp"
#include "drive_terms.hpp"
#include "estimate_report.hpp"
#include "recipe_kit.hpp"

namespace bristle {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr double worthwhile = 0.99;  // the inner error has to fall below this share of itself

std::vector<std::string> texts(const Node& list) {
  std::vector<std::string> all;
  for (const Node& item : list.items()) all.push_back(item.text());
  return all;
}

DriveController read_controller(const Node& node) {
  const Dimension command = dim::voltage;
  DriveController c;
  c.position_gain = node["position_gain"].quantity(dim::frequency, at_least(0));
  c.velocity_gain = node["velocity_gain"].quantity(command / dim::speed, above(0));
  c.force_gain = node["force_gain"].quantity(dim::force / command, above(0));
  c.limit = node["limit"].quantity(command, 0.0, above(0));
  c.velocity_span = node["velocity_span"].integer(1, between(0, 1000));
  return c;
}

std::vector<DriveCandidate> read_laws(const Node& node) {
  std::vector<DriveCandidate> laws;
  for (const auto& [name, terms] : node.entries()) laws.push_back({name, texts(terms)});
  if (laws.empty()) {
    laws = {{"symmetric", symmetric_drive()}, {"asymmetric", asymmetric_drive()}};
  }
  for (const DriveCandidate& law : laws) static_cast<void>(DriveModel(law.terms));
  return laws;
}

double fastest(const Recording& recording) {
  const std::vector<double>& q = recording.at("position");
  const double step = sampling_step(recording);
  double most = 0;  // over ten samples, so that noise counts little
  for (std::size_t k = 10; k < q.size(); ++k) most = std::max(most, std::abs(q[k] - q[k - 10]));
  return most / (10 * step);
}

/// Both directions on their own: drag, dry friction that changes with speed over a range of speeds,
/// and friction that changes along the way.
std::vector<TermGroup> usual_candidates(const Recording& recording) {
  std::vector<TermGroup> groups = {{"quadratic+", "quadratic-"}, {"position+", "position-"}};
  const double most = fastest(recording);
  for (const char* name : {"stribeck", "stribeck2"}) {
    for (const double share : {0.04, 0.08, 0.16, 0.32}) {
      const std::string term = fmt::format("{}({:.2g})", name, share * most);
      groups.push_back({term + "+", term + "-"});
    }
  }
  return groups;
}

std::vector<TermGroup> read_candidates(const Node& node, const Recording& recording) {
  if (!node.exists()) return usual_candidates(recording);
  std::vector<TermGroup> groups;
  for (const Node& group : node.items()) {
    groups.push_back(group.is_list() ? texts(group) : TermGroup{group.text()});
  }
  return groups;
}

int read_grow(const Node& node, const std::vector<DriveCandidate>& laws) {
  std::vector<std::string> names;
  for (const DriveCandidate& law : laws) names.push_back(law.name);
  const std::string wanted = node.word(names, names.back());
  return static_cast<int>(std::find(names.begin(), names.end(), wanted) - names.begin());
}

/// Names without speeds, so that groups which differ in those only are the same.
TermGroup family_of(const TermGroup& group) {
  TermGroup family;
  for (const std::string& term : group) {
    const std::string name = term.substr(0, term.find('('));
    family.push_back(name.starts_with("stribeck") ? "stribeck" : name);
  }
  return family;
}

Recording fitted_part(const DriveTask& task) {
  const auto n = static_cast<double>(task.recording.size());
  return part_of(task.recording, 0, static_cast<std::size_t>(task.share * n));
}

/// Halves of the fitted part on each other.
double inner_error(const DriveTask& task, const std::vector<std::string>& terms) {
  const HoldOut inner = hold_out(drive_problem(fitted_part(task), terms, task.inverse));
  return (inner.second_from_first + inner.first_from_second) / 2;
}

std::vector<std::string> joined(std::vector<std::string> terms, const TermGroup& more) {
  terms.insert(terms.end(), more.begin(), more.end());
  return terms;
}

std::vector<DriveCandidate> grown(const DriveTask& task) {
  std::vector<DriveCandidate> rounds;
  if (task.grow < 0) return rounds;
  DriveCandidate law = task.laws[static_cast<std::size_t>(task.grow)];
  double lowest = inner_error(task, law.terms);
  std::vector<TermGroup> left = task.candidates;
  while (!left.empty()) {
    std::vector<double> errors;
    for (const TermGroup& group : left) {
      errors.push_back(inner_error(task, joined(law.terms, group)));
    }
    const auto best = std::min_element(errors.begin(), errors.end());
    if (!(*best < worthwhile * lowest)) break;
    lowest = *best;
    const TermGroup added = left[static_cast<std::size_t>(best - errors.begin())];
    law = {law.name + " + " + family_of(added).front(), joined(law.terms, added)};
    while (law.name.ends_with('+') || law.name.ends_with('-')) law.name.pop_back();
    rounds.push_back(law);
    std::erase_if(left, [&](const TermGroup& g) { return family_of(g) == family_of(added); });
  }
  return rounds;
}

double inverse_held_out(const DriveTask& task, const LinearProblem& whole) {
  const auto fitted = static_cast<Eigen::Index>(task.share * static_cast<double>(whole.samples()));
  if (fitted >= whole.samples()) return none;
  const LinearFit fit = fit_linear(whole.rows(0, fitted));
  return relative_error(whole.rows(fitted, whole.samples() - fitted), fit.estimate);
}

/// What a stopped search returns means nothing.
void require_going_on(const Watch& watch, const DriveCandidate& law) {
  if (watch.stopped()) {
    throw SearchStopped(fmt::format("stopped in the closed loop with '{}'", law.name));
  }
}

Search closed_loop_search(const DriveTask& task, const LoopMatch& problem,
                          const DriveCandidate& law, Watch& watch) {
  SearchOptions options = task.search;
  options.given = {problem.start()};
  watch.begin({.what = "closed loop, " + law.name});
  Search search = find_minimum(WatchedProblem(problem, watch), options);
  require_going_on(watch, law);
  return search;
}

LoopErrors loop_held_out(const DriveTask& task, const DriveModel& model, const DriveCandidate& law,
                         Watch& watch) {
  const auto fitted =
      static_cast<std::size_t>(task.share * static_cast<double>(task.recording.size()));
  if (fitted >= task.recording.size()) return {none, none};
  const LoopMatch part(task.recording, model, *task.controller, {.count = fitted}, task.inverse);
  const LoopMatch rest(task.recording, model, *task.controller, {.first = fitted}, task.inverse);
  return rest.errors(closed_loop_search(task, part, law, watch).p);
}

/// Factors of terms come first, in the order of the terms; then the speeds.
void add_helps(const DriveCandidate& law, Confidence& confidence) {
  for (std::size_t j = 0; j < confidence.parameters.size(); ++j) {
    add_help(j < law.terms.size() ? detail::parse_drive_term(law.terms[j]).entry->term.helps
                                  : "steady strokes at speeds about it",
             confidence.parameters[j]);
  }
}

DriveFit fit_drive(const DriveTask& task, const DriveCandidate& law, Watch& watch) {
  DriveFit fit{.law = law, .inner_error = inner_error(task, law.terms)};
  const LinearProblem linear = drive_problem(task.recording, law.terms, task.inverse);
  fit.inverse = fit_linear(linear);
  fit.inverse_force = linear.measured;
  const DriveModel model(law.terms);
  std::vector<std::string> units = model.units();
  units.resize(law.terms.size());  // those of the speeds follow: they are as written here
  fit.inverse_confidence = recipes::linear_confidence(linear, fit.inverse, units);
  add_helps(law, fit.inverse_confidence);
  fit.inverse_held_out = inverse_held_out(task, linear);
  if (!task.controller) return fit;
  const LoopMatch whole(task.recording, model, *task.controller, {}, task.inverse);
  fit.search = closed_loop_search(task, whole, law, watch);
  watch.begin({.what = "intervals of the closed loop, " + law.name});
  fit.confidence = confidence_of(WatchedProblem(whole, watch), *fit.search, task.confidence);
  require_going_on(watch, law);
  add_helps(law, fit.confidence);
  fit.errors = whole.errors(fit.search->p);
  fit.settled = whole.errors(fit.search->p, task.settle);
  fit.run = whole.run(fit.search->p);
  fit.held_out = loop_held_out(task, model, law, watch);
  return fit;
}

}  // namespace

DriveTask read_drive(const Document& document) {
  document["recipe"].text("drive");
  DriveTask task;
  task.title = document["title"].text("Drive");
  const Node data = document["data"].required("a recording of the drive");
  std::vector<Recording> recordings = read_recordings(data);
  if (recordings.size() != 1) {
    // Filters, halves that are held out and the loop's controller need one stretch of time.
    Fault fault = data.fault(fmt::format("{} recordings or windows", recordings.size()));
    fault.expected = "one stretch of time; a file for each of them";
    throw InputError(std::move(fault));
  }
  task.recording = std::move(recordings.front());
  tell_columns({&task.recording, 1}, data);
  const Node controller = document["controller"];
  if (document["closed_loop"].flag(controller.exists())) {
    task.controller =
        read_controller(controller.required("the controller of the drive, for the closed loop"));
    task.recording.at("reference");
  } else if (controller.exists()) {
    read_controller(controller);
  }
  task.laws = read_laws(document["laws"]);
  task.candidates = read_candidates(document["candidates"], task.recording);
  for (const TermGroup& group : task.candidates) {
    static_cast<void>(DriveModel(joined({"acceleration"}, group)));
  }
  task.grow = read_grow(document["grow"], task.laws);
  task.share = document["fit_share"].number(0.5, above_to(0, 1));
  task.settle = static_cast<std::size_t>(document["settle"].integer(50, at_least(0)));
  const Node inverse = document["inverse"];
  task.inverse.cutoff = inverse["cutoff"].quantity(dim::frequency, 80.0, at_least(0));
  task.inverse.order = inverse["order"].integer(5, between(1, 12));
  task.inverse.factor = inverse["factor"].integer(10, between(1, 1000));
  task.inverse.trim = inverse["trim"].integer(10, at_least(0));
  const Node search = document["search"];
  task.search.starts = search["starts"].integer(1, between(1, 1e4));
  task.search.seed = static_cast<std::uint64_t>(search["seed"].integer(1, at_least(0)));
  task.search.threads = search["threads"].integer(0, between(0, 1024));
  task.search.first_look = 0;
  task.search.polish.tolerance = 1e-9;
  task.confidence.threads = task.search.threads;
  task.confidence.profile = document["profile"].flag(false);
  task.confidence.least_squares.tolerance = 1e-9;
  return task;
}

DriveResult identify_drive(const DriveTask& task, Watch& watch) {
  DriveResult result;
  std::vector<DriveCandidate> laws = task.laws;
  for (DriveCandidate& law : grown(task)) laws.push_back(std::move(law));
  for (const DriveCandidate& law : laws) result.fits.push_back(fit_drive(task, law, watch));
  const auto best = std::min_element(
      result.fits.begin(), result.fits.end(),
      [](const DriveFit& a, const DriveFit& b) { return a.inner_error < b.inner_error; });
  result.chosen = static_cast<int>(best - result.fits.begin());
  return result;
}

RecipeResult run_drive(const Document& document, Watch& watch) {
  const DriveTask task = read_drive(document);
  document.finish();
  try {
    return drive_report(task, identify_drive(task, watch));
  } catch (const InputError& error) {  // of a fit, which knows no file
    Fault fault = error.fault();
    if (fault.file.empty()) fault.file = task.recording.file;
    throw InputError(std::move(fault));
  }
}

}  // namespace bristle
