#include "bristle/identify/task.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>

#include <fmt/format.h>

#include "bristle/core/error.hpp"
#include "bristle/core/hash.hpp"
#include "bristle/core/names.hpp"
#include "bristle/identify/global_search.hpp"
#include "bristle/identify/prepare.hpp"
#include "bristle/identify/robust.hpp"
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

void check_known(const Node& node, const std::string& key, const std::vector<AnyLaw>& laws) {
  std::vector<std::string> names;
  for (const AnyLaw& law : laws) {
    if (law.info().find(key) != nullptr) return;
    for (const Parameter& p : law.info().parameters) names.emplace_back(p.name);
  }
  Fault fault = node.fault("no law of this identification has such a parameter");
  fault.key = key;
  fault.nearest = nearest_name(key, names);
  throw InputError(fault);
}
void check_known(const Node& section, const std::vector<AnyLaw>& laws) {
  for (const auto& [key, node] : section.entries()) check_known(node, key, laws);
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

/// A scenario's columns may be observed under any name.
std::vector<Role> roles_with(const Node& observe) {
  std::vector<Role> roles = common_roles();
  for (const auto& [name, node] : observe.entries()) {
    const bool common = std::any_of(roles.begin(), roles.end(),
                                    [&name = name](const Role& role) { return role.name == name; });
    if (common) continue;
    roles.push_back({.name = name,
                     .dimensions = {dim::length, dim::angle, dim::speed, dim::angular_speed,
                                    dim::acceleration, dim::force, dim::energy, dim::none},
                     .must_vary = true});
  }
  return roles;
}

/// Recordings of all entries of `data`, each with the entry that it is a window of.
struct Data {
  std::vector<Recording> recordings{};
  std::vector<Node> entries{};
};
Data read_data(const Node& node, const std::vector<Role>& roles) {
  Data data;
  const std::vector<Node> entries = node.is_map() ? std::vector{node} : node.items();
  for (const Node& entry : entries) {
    for (Recording& recording : read_recordings(entry, roles)) {
      data.recordings.push_back(std::move(recording));
      data.entries.push_back(entry);
    }
  }
  if (entries.empty()) throw InputError(node.fault("has no recording"));
  tell_columns(data.recordings, node);
  return data;
}

/// Friction along a slip that was measured: what would make a fit mean nothing is refused.
void check_friction(const Data& data, std::vector<std::string>& warnings) {
  for (std::size_t i = 0; i < data.recordings.size(); ++i) {
    const Recording& r = data.recordings[i];
    if (!data.entries[i]["columns"]["slip"].is_scalar()) check_slip(r);
    std::string warning = check_load(r);
    if (!warning.empty()) warnings.push_back(std::move(warning));
  }
}

/// The scenario of each recording under a law, with the settings of all and of its own.
std::vector<MotionRun> read_runs(const Document& document, const AnyLaw& law, const Data& data) {
  std::vector<MotionRun> runs;
  const Node name = document["scenario"];
  const std::filesystem::path beside =
      std::filesystem::path(name.file()).parent_path() / name.text();
  const std::string which =
      std::filesystem::is_regular_file(beside) ? beside.string() : name.text();
  for (std::size_t i = 0; i < data.recordings.size(); ++i) {
    std::vector<Setting> settings{
        {.key = "friction.law", .value = std::string(law.name()), .file = {}}};
    for (const Setting& s : document["set"].settings()) settings.push_back(s);
    for (const Setting& s : data.entries[i]["set"].settings()) settings.push_back(s);
    runs.push_back(
        {located(name, [&] { return load_scenario(which, settings); }), data.recordings[i]});
  }
  return runs;
}

/// Lets what does not fit the scenario fail while the file can be pointed at.
void check_motion(const Node& blamed, const LawTask& task) {
  located(blamed, [&] { return MotionMatch(task.runs, task.motion).size(); });
}

/// Pairs of which the law has both. A name that no law has, and a pair that none has, are slips.
NamedOrders read_orders(const Node& list, const AnyLaw& law, const std::vector<AnyLaw>& laws) {
  NamedOrders orders;
  for (const Node& pair : list.items()) {
    const auto names = pair.items();
    if (names.size() != 2) throw InputError(pair.fault("an order is [greater, smaller]"));
    for (const Node& name : names) check_known(name, name.text(), laws);
    const auto has = [&](const AnyLaw& any) {
      return any.info().find(names[0].text()) != nullptr &&
             any.info().find(names[1].text()) != nullptr;
    };
    if (std::none_of(laws.begin(), laws.end(), has)) {
      throw InputError(pair.fault("no law of this identification has both"));
    }
    if (has(law)) orders.emplace_back(names[0].text(), names[1].text());
  }
  return orders;
}

LawTask read_law(const Document& document, const AnyLaw& law, const std::vector<AnyLaw>& laws,
                 const Data& data) {
  LawTask task{.law = law};
  UnknownSettings settings;
  read_parameters(document["parameters"], law, settings);
  const Node own = document["laws_parameters"][law.name()];
  check_known(own, {law});
  read_parameters(own, law, settings);
  NamedOrders orders = read_orders(document["orders"], law, laws);
  const double share = document["fit_share"].number(1.0, above_to(0, 1));
  if (document["scenario"].exists()) {
    task.runs = read_runs(document, law, data);
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

std::vector<double> residuals_at(const Problem& problem, std::span<const double> p) {
  std::vector<double> r(static_cast<std::size_t>(problem.residuals()));
  problem.evaluate(p, r);
  return r;
}

double rms_of(const std::vector<double>& r) {
  double sum = 0;
  for (const double value : r) sum += value * value;
  return std::sqrt(sum / static_cast<double>(r.size()));
}

/// Where the loss of a law begins to bend: by the spread of its residuals about the best squares,
/// then about the best of that loss, since squares follow the outliers.
double scale_for(const IdentifyTask& task, const LawTask& law, Watch& watch) {
  const std::unique_ptr<LawMatch> match = make_match(law, task.recordings);
  const WatchedProblem problem(*match, watch);
  watch.begin({.what = "scale of the loss, " + std::string(law.law.name()), .unit = match->unit()});
  SearchOptions options = task.search;
  options.progress = [&](int, double) { return watch.goes_on(); };
  options.given = given_starts(*match, law);
  std::vector<double> p = find_minimum(problem, options).p;
  double scale = 0;
  for (int i = 0; i < 3 && !watch.stopped(); ++i) {
    scale = usual_scale(task.loss.loss) * robust_deviation(residuals_at(*match, p));
    if (!(scale > 0)) break;
    const Damped damped(problem, {task.loss.loss, scale});
    const Coordinates c(damped);
    p = c.parameters(minimise(damped, c, c.coordinates(p), options.polish).x);
  }
  if (watch.stopped()) throw SearchStopped("stopped while the scale of the loss was sought");
  return scale;
}

/// One scale for all laws, or their costs could not be compared: that of the law which fits best.
LossOptions settled_loss(const IdentifyTask& task, Watch& watch) {
  LossOptions loss = task.loss;
  if (loss.loss == Loss::squares || loss.scale > 0) return loss;
  loss.scale = std::numeric_limits<double>::infinity();
  for (const LawTask& law : task.laws) {
    try {
      const double scale = scale_for(task, law, watch);
      if (scale > 0) loss.scale = std::min(loss.scale, scale);
    } catch (const SearchStopped&) {
      throw;
    } catch (const std::runtime_error&) {
      // Told where the law is fitted.
    }
  }
  // Residuals without any spread are fitted exactly; no loss does better.
  if (!std::isfinite(loss.scale)) loss.loss = Loss::squares;
  return loss;
}

std::vector<std::string> ended_at_bounds(const LawMatch& problem, const std::vector<double>& p) {
  constexpr double near = 1e-3;  // of the range, or of the value where it is sought by logarithm
  std::vector<std::string> names;
  for (std::size_t j = 0; j < p.size(); ++j) {
    const Unknown& u = problem.unknowns()[j];
    const double from_low = u.log ? std::log(p[j] / u.low) : (p[j] - u.low) / (u.high - u.low);
    const double from_high = u.log ? std::log(u.high / p[j]) : (u.high - p[j]) / (u.high - u.low);
    if (std::min(from_low, from_high) < near) names.push_back(u.name);
  }
  return names;
}

/// Starts up to the end of the round that is going on: each has twice as many as the one before.
int starts_in_sight(const SearchOptions& options, int done) {
  int all = std::max(1, options.starts);
  for (int round = 1; round < options.rounds && done > all; ++round) all += options.starts << round;
  return std::max(all, done);
}

/// The law that is on, for who looks on.
struct Turn {
  std::size_t number = 0, of = 1;
  /// Of all the work, when so much of the starts of this law is done.
  double share(double starts, bool profiles) const {
    return (static_cast<double>(number) + (profiles ? 0.5 : 1.0) * starts) /
           static_cast<double>(of);
  }
};

LawFit fit_law(const IdentifyTask& task, const LawTask& law, const LossOptions& loss,
               const Turn& turn, Watch& watch) {
  const std::unique_ptr<LawMatch> problem = make_match(law, task.recordings);
  const Damped damped(*problem, loss);
  const WatchedProblem watched(
      loss.loss == Loss::squares ? static_cast<const Problem&>(*problem) : damped, watch);
  const auto rms = [&](double cost) { return std::sqrt(cost / problem->residuals()); };
  LawFit fit{.law = std::string(law.law.name()), .unit = problem->unit()};
  fit.idle = problem->idle();
  SearchOptions options = task.search;
  options.given = given_starts(*problem, law);
  if (task.log) {
    options.known = task.log->starts(fit.law);
    options.keep = [&](std::size_t i, const StartResult& s) {
      // What ended because it was stopped has not come to its end.
      if (!watch.stopped()) task.log->add(fit.law, i, s);
    };
  }
  const bool profiles = task.confidence.profile;
  options.progress = [&](int done, double lowest) {
    const int of = starts_in_sight(options, done);
    watch.count(done, of, rms(lowest), turn.share(static_cast<double>(done) / of, profiles));
    if (task.search.progress && !task.search.progress(done, lowest)) return false;
    return watch.goes_on();
  };
  watch.begin({.what = fit.law,
               .of = starts_in_sight(options, 0),
               .unit = fit.unit,
               .share = turn.share(0, profiles)});
  fit.search = find_minimum(watched, options);
  const std::string so_far =
      std::isfinite(fit.search.cost)
          ? fmt::format(", lowest rms so far {:.4g} {}", rms(fit.search.cost), fit.unit)
          : "";
  if (fit.search.stopped || watch.stopped()) {
    throw SearchStopped(fmt::format("stopped in the search for '{}'{}", fit.law, so_far));
  }
  watch.begin({.what = (profiles ? "profiles of " : "intervals of ") + fit.law,
               .lowest = rms(fit.search.cost),
               .unit = fit.unit,
               .share = turn.share(1, profiles)});
  fit.confidence = confidence_of(watched, fit.search, task.confidence);
  if (watch.stopped()) {
    throw SearchStopped(fmt::format("stopped in the profiles of '{}'{}", fit.law, so_far));
  }
  advise(*problem, fit.confidence);
  fit.motion = problem->motion(fit.search.p);
  fit.matched = problem->match(fit.search.p);
  fit.loops = problem->loops(fit.search.p);
  fit.rms = rms_of(residuals_at(*problem, fit.search.p));
  fit.held_out = problem->held_out(fit.search.p);
  fit.at_bounds = ended_at_bounds(*problem, fit.search.p);
  return fit;
}

/// What cycles repeat to in all recordings; 0: one of them does not repeat.
double floor_of(const std::vector<std::optional<Repeatability>>& repeats) {
  double squares = 0;
  int cycles = 0;
  for (const auto& r : repeats) {
    if (!r) return 0;
    squares += r->cycles * r->rms * r->rms;
    cycles += r->cycles;
  }
  return cycles > 0 ? std::sqrt(squares / cycles) : 0;
}

double signal_of(const LawFit& fit) {
  double squares = 0, count = 0;
  for (const Matched& m : fit.matched) {
    for (const double y : m.measured) squares += y * y;
    count += static_cast<double>(m.measured.size());
  }
  return std::sqrt(squares / std::max(1.0, count));
}

void judge_shapes(Identification& result) {
  const LawFit* best = nullptr;
  for (const LawFit& fit : result.fits) {
    if (!fit.fault.empty()) continue;
    if (best == nullptr || fit.misses_by() < best->misses_by()) best = &fit;
  }
  const double floor = floor_of(result.repeats);
  constexpr double alike = 0.2;  // of the cost: a tenth of the rms; ends need not be polished
  for (LawFit& fit : result.fits) {
    if (!fit.fault.empty()) continue;
    fit.shape = judge_shape({.rms = fit.misses_by(),
                             .signal = signal_of(fit),
                             .whiteness = fit.confidence.whiteness,
                             .whiteness_p = fit.confidence.whiteness_p,
                             .agreeing = fit.search.agreeing(alike),
                             .at_bounds = fit.at_bounds},
                            best->law, best->misses_by(), floor);
  }
}

}  // namespace

IdentifyTask read_task(const Document& document) {
  IdentifyTask task;
  task.title = document["title"].text("Identification");
  const Data data = read_data(document["data"].required("a recording, or a list of them"),
                              roles_with(document["observe"]));
  task.recordings = data.recordings;
  if (!document["scenario"].exists()) check_friction(data, task.warnings);
  const std::vector<AnyLaw> laws = read_laws(document);
  check_known(document["parameters"], laws);
  for (const AnyLaw& law : laws) task.laws.push_back(read_law(document, law, laws, data));
  const Node search = document["search"];
  // A motion that sticks and slips has many wrong minima: more looks, fewer runs.
  const bool motion = document["scenario"].exists();
  task.search.starts = search["starts"].integer(motion ? 4 : 20, between(1, 1e5));
  task.search.screen = search["screen"].integer(motion ? 64 : 12, between(1, 1e5));
  task.search.rounds = search["rounds"].integer(motion ? 3 : 2, between(1, 20));
  task.search.seed = static_cast<std::uint64_t>(search["seed"].integer(1, at_least(0)));
  task.search.threads = search["threads"].integer(0, between(0, 1024));
  task.search.least_squares.iterations = search["iterations"].integer(50, between(1, 1e6));
  for (const Node& width : search["smoothing"].items()) {
    task.search.smoothing.push_back(width.number(above_to(0, 1)));
  }
  task.loss.loss = read_loss(document["loss"]);
  task.loss.scale =
      document["loss_scale"].quantity(motion ? dim::length : dim::force, 0.0, above(0));
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
  std::exception_ptr first_fault;
  Watch watch(task.watcher);
  Identification result{.fits = {}, .loss = settled_loss(task, watch)};
  for (const LawTask& law : task.laws) {
    try {
      const Turn turn{.number = static_cast<std::size_t>(&law - task.laws.data()),
                      .of = task.laws.size()};
      result.fits.push_back(fit_law(task, law, result.loss, turn, watch));
    } catch (const SearchStopped&) {
      throw;
    } catch (const std::runtime_error& error) {
      if (watch.stopped()) {
        throw SearchStopped(fmt::format("stopped in the search for '{}'", law.law.name()));
      }
      // One law that does not fit this data must not cost the others; where all fail, it is the
      // user's matter.
      if (!first_fault) first_fault = std::current_exception();
      result.fits.push_back({.law = std::string(law.law.name()), .fault = error.what()});
    }
  }
  if (std::all_of(result.fits.begin(), result.fits.end(),
                  [](const LawFit& fit) { return !fit.fault.empty(); })) {
    std::rethrow_exception(first_fault);
  }
  const auto score = [](const LawFit& fit) {
    if (!fit.fault.empty()) return std::numeric_limits<double>::infinity();
    return std::isfinite(fit.held_out) ? fit.held_out : fit.confidence.bic;
  };
  std::stable_sort(result.fits.begin(), result.fits.end(),
                   [&](const LawFit& a, const LawFit& b) { return score(a) < score(b); });
  const bool forces = task.laws.front().runs.empty();
  for (const Recording& r : task.recordings) {
    result.repeats.push_back(forces ? repeatability_of(r) : std::nullopt);
  }
  judge_shapes(result);
  return result;
}

}  // namespace bristle
