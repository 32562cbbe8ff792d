#include "bristle/identify/task.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "bristle/core/error.hpp"
#include "bristle/core/hash.hpp"
#include "bristle/core/names.hpp"
#include "bristle/identify/global_search.hpp"
#include "bristle/io/located.hpp"

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
void read_parameters(const Node& section, const AnyLaw& law, UnknownSettings& settings) {
  for (const auto& [key, node] : section.entries()) {
    const Parameter* parameter = law.info().find(key);
    if (parameter == nullptr) continue;
    settings[parameter->name] = read_unknown(node, parse_unit(parameter->unit).dimension);
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

/// Of the file as it was read and of all samples.
std::string key_of(const Document& document, const std::vector<Recording>& recordings) {
  Fnv1a hash;
  hash.add(document.dump());
  for (const Recording& r : recordings) {
    hash.add(r.t);
    for (const auto& column : r.columns) hash.add(column);
  }
  return fmt::format("{:016x}", hash.value());
}

// ---- motion -------------------------------------------------------------------------------------

std::vector<Observed> read_observed(const Node& node) {
  std::vector<Observed> list;
  for (const auto& [role, entry] : node.entries()) {
    Observed o{.role = role, .column = ""};
    o.column = entry.is_map() ? entry["column"].text() : entry.text();
    if (entry.is_map() && entry["noise"].exists()) o.noise = entry["noise"].number(above(0));
    list.push_back(std::move(o));
  }
  return list.empty() ? std::vector{Observed{}} : list;
}

/// Quantities of a scenario have any unit; it is that of the start.
void read_quantities(const Node& section, MotionMatchOptions& options) {
  for (const auto& [path, node] : section.entries()) {
    const std::string start = (node["fixed"].exists() ? node["fixed"] : node["start"])
                                  .required("a value with its unit")
                                  .text();
    const auto blank = start.find(' ');
    const Unit unit = blank == std::string::npos
                          ? Unit{}
                          : parse_unit(std::string_view(start).substr(blank + 1),
                                       node.fault("unit of a quantity that is sought"));
    options.quantities[path] = read_unknown(node, unit.dimension);
    options.units[path] = si_unit(unit.dimension);
  }
}

/// The scenario of each recording under a law, with the settings of all and of its own.
std::vector<MotionRun> read_runs(const Document& document, const AnyLaw& law,
                                 const std::vector<Recording>& recordings) {
  std::vector<MotionRun> runs;
  const Node name = document["scenario"];
  const std::filesystem::path beside =
      std::filesystem::path(name.file()).parent_path() / name.text();
  const std::string which =
      std::filesystem::is_regular_file(beside) ? beside.string() : name.text();
  const auto entries = document["data"].items();
  for (std::size_t i = 0; i < recordings.size(); ++i) {
    std::vector<Setting> settings{
        {.key = "friction.law", .value = std::string(law.name()), .file = {}}};
    for (const Setting& s : document["set"].settings()) settings.push_back(s);
    if (i < entries.size()) {
      for (const Setting& s : entries[i]["set"].settings()) settings.push_back(s);
    }
    runs.push_back({located(name, [&] { return load_scenario(which, settings); }), recordings[i]});
  }
  return runs;
}

/// Lets what does not fit the scenario fail while the file can be pointed at.
void check_motion(const Node& blamed, const LawTask& task) {
  located(blamed, [&] { return MotionMatch(task.runs, task.motion).size(); });
}

LawTask read_law(const Document& document, const AnyLaw& law,
                 const std::vector<Recording>& recordings) {
  LawTask task{.law = law};
  UnknownSettings settings;
  NamedOrders orders;
  read_parameters(document["parameters"], law, settings);
  const Node own = document["laws_parameters"][law.name()];
  check_known(own, {law});
  read_parameters(own, law, settings);
  for (const Node& pair : document["orders"].items()) {
    const auto names = pair.items();
    if (names.size() != 2) throw InputError(pair.fault("an order is [greater, smaller]"));
    orders.emplace_back(names[0].text(), names[1].text());
  }
  const double share = document["fit_share"].number(1.0, above_to(0, 1));
  if (document["scenario"].exists()) {
    task.runs = read_runs(document, law, recordings);
    task.motion.observe = read_observed(document["observe"]);
    task.motion.parameters = std::move(settings);
    task.motion.orders = std::move(orders);
    task.motion.share = share;
    task.motion.rtol = document["rtol"].number(1e-9, between(1e-13, 1e-3));
    check_motion(document["observe"], task);
    read_quantities(document["quantities"], task.motion);
    check_motion(document["quantities"], task);
  } else {
    task.force.parameters = std::move(settings);
    task.force.orders = std::move(orders);
    task.force.share = share;
    task.force.offset = document["offset"].flag(false);
  }
  return task;
}

std::unique_ptr<LawMatch> make_match(const LawTask& task,
                                     const std::vector<Recording>& recordings) {
  if (!task.runs.empty()) return std::make_unique<MotionMatch>(task.runs, task.motion);
  return std::make_unique<ForceMatch>(task.law, recordings, task.force);
}

/// What the user has given as a start for every parameter is one.
std::vector<std::vector<double>> given_starts(const LawMatch& problem, const LawTask& task) {
  std::vector<double> start;
  for (const Unknown& u : problem.unknowns()) {
    const auto find = [&](const UnknownSettings& settings) -> std::optional<double> {
      const auto found = settings.find(u.name);
      return found == settings.end() ? std::nullopt : found->second.start;
    };
    auto value = find(task.runs.empty() ? task.force.parameters : task.motion.parameters);
    if (!value) value = find(task.motion.quantities);
    if (!value) return {};
    start.push_back(*value);
  }
  return {start};
}

LawFit fit_law(const IdentifyTask& task, const LawTask& law) {
  const std::unique_ptr<LawMatch> problem = make_match(law, task.recordings);
  LawFit fit{.law = std::string(law.law.name()), .unit = problem->unit()};
  fit.idle = problem->idle();
  SearchOptions options = task.search;
  options.given = given_starts(*problem, law);
  if (task.log) {
    options.known = task.log->starts(fit.law);
    options.keep = [&](std::size_t i, const StartResult& s) { task.log->add(fit.law, i, s); };
  }
  fit.search = find_minimum(*problem, options);
  if (fit.search.stopped) {
    throw SearchStopped(fmt::format("stopped in the search for '{}', lowest rms so far {:.4g} {}",
                                    fit.law, std::sqrt(fit.search.cost / problem->residuals()),
                                    fit.unit));
  }
  fit.confidence = confidence_of(*problem, fit.search, task.confidence);
  advise(*problem, fit.confidence);
  fit.motion = problem->motion(fit.search.p);
  fit.matched = problem->match(fit.search.p);
  fit.loops = problem->loops(fit.search.p);
  fit.rms = std::sqrt(fit.search.cost / problem->residuals());
  fit.held_out = problem->held_out(fit.search.p);
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
  const std::vector<AnyLaw> laws = read_laws(document);
  check_known(document["parameters"], laws);
  for (const AnyLaw& law : laws) task.laws.push_back(read_law(document, law, task.recordings));
  const Node search = document["search"];
  // A motion that sticks and slips has many wrong minima: more looks, fewer runs.
  const bool motion = document["scenario"].exists();
  task.search.starts = search["starts"].integer(motion ? 4 : 20, between(1, 1e5));
  task.search.screen = search["screen"].integer(motion ? 64 : 12, between(1, 1e5));
  task.search.rounds = search["rounds"].integer(motion ? 3 : 2, between(1, 20));
  task.search.seed = static_cast<std::uint64_t>(search["seed"].integer(1, at_least(0)));
  task.search.threads = search["threads"].integer(0, between(0, 1024));
  task.search.least_squares.iterations = search["iterations"].integer(50, between(1, 1e6));
  task.search.least_squares.loss = read_loss(document["loss"]);
  task.search.least_squares.loss_scale =
      document["loss_scale"].quantity(motion ? dim::length : dim::force, 1.0, above(0));
  task.search.polish.loss = task.search.least_squares.loss;
  task.search.polish.loss_scale = task.search.least_squares.loss_scale;
  if (search["global"].exists()) task.search.global = search["global"].word(global_methods());
  task.search.global_evaluations = search["evaluations"].integer(2000, between(1, 1e8));
  task.key = key_of(document, task.recordings);
  task.confidence.profile = document["profile"].flag(true);
  const Dimension residual = motion ? dim::length : dim::force;
  task.confidence.noise = document["noise"].quantity(residual, 0.0, at_least(0));
  task.confidence.threads = task.search.threads;
  task.confidence.least_squares = task.search.polish;
  task.confidence.least_squares.tolerance = 1e-9;
  return task;
}

Identification identify(const IdentifyTask& task) {
  Identification result;
  for (const LawTask& law : task.laws) {
    try {
      result.fits.push_back(fit_law(task, law));
    } catch (const SearchStopped&) {
      throw;
    } catch (const std::runtime_error& error) {
      // One law that does not fit this data must not cost the others; alone it is the user's
      // matter.
      if (task.laws.size() == 1) throw;
      result.fits.push_back({.law = std::string(law.law.name()), .fault = error.what()});
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
