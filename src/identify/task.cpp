#include "bristle/identify/task.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "bristle/core/error.hpp"
#include "bristle/core/names.hpp"

namespace bristle {
namespace {

UnknownSetting read_unknown(const Node& node, const Dimension& dimension) {
  UnknownSetting setting;
  const auto read = [&](const char* key, std::optional<double>& to) {
    if (node[key].exists()) to = node[key].quantity(dimension);
  };
  read("fixed", setting.fixed);
  read("start", setting.start);
  read("min", setting.low);
  read("max", setting.high);
  if (node["log"].exists()) setting.log = node["log"].flag();
  if (setting.low && setting.high && !(*setting.low < *setting.high)) {
    throw InputError(node.fault("min must be below max"));
  }
  return setting;
}

/// Settings of a section for one law. Keys that no law of the task knows are refused elsewhere.
void read_parameters(const Node& section, const AnyLaw& law, ForceMatchOptions& options) {
  for (const auto& [key, node] : section.entries()) {
    const Parameter* parameter = law.info().find(key);
    if (parameter == nullptr) continue;
    options.parameters[parameter->name] = read_unknown(node, parse_unit(parameter->unit).dimension);
  }
}

void check_known(const Node& section, const std::vector<AnyLaw>& laws) {
  for (const auto& [key, node] : section.entries()) {
    std::vector<std::string> names;
    bool known = false;
    for (const AnyLaw& law : laws) {
      known = known || law.info().find(key) != nullptr;
      for (const Parameter& p : law.info().parameters) names.emplace_back(p.name);
    }
    if (known) continue;
    Fault fault = node.fault("no law of this identification has such a parameter");
    fault.key = key;
    fault.nearest = nearest_name(key, names);
    throw InputError(fault);
  }
}

std::vector<AnyLaw> read_laws(const Document& document) {
  std::vector<AnyLaw> laws;
  const Node list = document["laws"];
  for (const Node& node : list.items()) laws.emplace_back(node.word(AnyLaw::names()));
  if (document["law"].exists()) laws.emplace_back(document["law"].word(AnyLaw::names()));
  if (laws.empty()) {
    throw InputError(
        document.root().fault("needs a law, or a list of laws to choose from; 'bristle "
                              "models' lists them"));
  }
  return laws;
}

Loss read_loss(const Node& node) {
  const std::string word = node.word({"squares", "huber", "cauchy"}, "squares");
  return word == "huber" ? Loss::huber : (word == "cauchy" ? Loss::cauchy : Loss::squares);
}

double mean_load(const std::vector<Recording>& recordings) {
  double sum = 0, count = 0;
  for (const Recording& r : recordings) {
    const std::vector<double>& load = r.at("load");
    sum = std::accumulate(load.begin(), load.end(), sum);
    count += static_cast<double>(load.size());
  }
  return count > 0 ? sum / count : 0;
}

LawFit fit_law(const IdentifyTask& task, std::size_t i, double load) {
  const ForceMatch problem(task.laws[i], task.recordings, task.options[i]);
  LawFit fit{.law = std::string(task.laws[i].name())};
  fit.idle = problem.idle();
  fit.search = find_minimum(problem, task.search);
  fit.confidence = confidence_of(problem, fit.search, task.confidence);
  advise(problem, load, fit.confidence);
  fit.predicted = problem.predict(fit.search.p);
  fit.rms = std::sqrt(fit.search.cost / problem.residuals());
  fit.held_out = problem.held_out(fit.search.p);
  return fit;
}

}  // namespace

IdentifyTask read_task(const Document& document) {
  IdentifyTask task;
  task.title = document["title"].text("Identification");
  for (const Node& node : document["data"].required("a list of recordings").items()) {
    task.recordings.push_back(read_recording(node));
  }
  if (task.recordings.empty()) throw InputError(document["data"].fault("has no recording"));
  task.laws = read_laws(document);
  check_known(document["parameters"], task.laws);
  for (const AnyLaw& law : task.laws) {
    ForceMatchOptions options;
    read_parameters(document["parameters"], law, options);
    const Node own = document["laws_parameters"][law.name()];
    check_known(own, {law});
    read_parameters(own, law, options);
    for (const Node& pair : document["orders"].items()) {
      const auto names = pair.items();
      if (names.size() != 2) throw InputError(pair.fault("an order is [greater, smaller]"));
      options.orders.emplace_back(names[0].text(), names[1].text());
    }
    options.offset = document["offset"].flag(false);
    options.share = document["fit_share"].number(1.0, above_to(0, 1));
    task.options.push_back(std::move(options));
  }
  const Node search = document["search"];
  task.search.starts = search["starts"].integer(20, between(1, 1e5));
  task.search.screen = search["screen"].integer(12, between(1, 1e5));
  task.search.seed = static_cast<std::uint64_t>(search["seed"].integer(1, at_least(0)));
  task.search.threads = search["threads"].integer(0, between(0, 1024));
  task.search.least_squares.iterations = search["iterations"].integer(50, between(1, 1e6));
  task.search.least_squares.loss = read_loss(document["loss"]);
  task.search.least_squares.loss_scale = document["loss_scale"].quantity(dim::force, 1.0, above(0));
  task.search.polish.loss = task.search.least_squares.loss;
  task.search.polish.loss_scale = task.search.least_squares.loss_scale;
  task.confidence.profile = document["profile"].flag(true);
  task.confidence.noise = document["noise"].quantity(dim::force, 0.0, at_least(0));
  task.confidence.threads = task.search.threads;
  task.confidence.least_squares = task.search.polish;
  task.confidence.least_squares.tolerance = 1e-9;
  return task;
}

Identification identify(const IdentifyTask& task) {
  Identification result;
  result.load = mean_load(task.recordings);
  for (std::size_t i = 0; i < task.laws.size(); ++i) {
    try {
      result.fits.push_back(fit_law(task, i, result.load));
    } catch (const std::runtime_error& error) {
      // One law that does not fit this data must not cost the others; alone it is the user's
      // matter.
      if (task.laws.size() == 1) throw;
      result.fits.push_back({.law = std::string(task.laws[i].name()), .fault = error.what()});
    }
  }
  const auto score = [](const LawFit& fit) {
    if (!fit.fault.empty()) return std::numeric_limits<double>::infinity();
    return std::isfinite(fit.held_out) ? fit.held_out : fit.confidence.bic;
  };
  std::stable_sort(result.fits.begin(), result.fits.end(),
                   [&](const LawFit& a, const LawFit& b) { return score(a) < score(b); });
  return result;
}

}  // namespace bristle
