// What a file of an identification says.

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "bristle/core/error.hpp"
#include "bristle/core/hash.hpp"
#include "bristle/core/names.hpp"
#include "bristle/identify/global_search.hpp"
#include "bristle/identify/prepare.hpp"
#include "bristle/identify/task.hpp"
#include "bristle/io/located.hpp"

namespace bristle {
namespace {

/// What is held is not sought, and what is sought starts within its bounds.
void check_sought(const Node& node, const UnknownSetting& setting) {
  for (const char* key : {"start", "min", "max", "log"}) {
    if (!setting.fixed || !node[key].exists()) continue;
    throw InputError(node[key].fault("the parameter is fixed, and not sought"));
  }
  const bool low = setting.start && setting.low && *setting.start < *setting.low;
  const bool high = setting.start && setting.high && *setting.start > *setting.high;
  if (!low && !high) return;
  throw InputError(node["start"].fault(low ? "start is below min" : "start is above max"));
}

UnknownSetting read_unknown(const Node& node, const Dimension& dimension, const Range& range = {}) {
  UnknownSetting setting;
  const auto read = [&](const char* key, std::optional<double>& to, const Range& allowed) {
    if (node[key].exists()) to = node[key].quantity(dimension, allowed);
  };
  read("fixed", setting.fixed, range);
  read("start", setting.start, range);
  read("min", setting.low, {});
  read("max", setting.high, {});
  if (node["log"].exists()) setting.log = node["log"].flag();
  if (setting.low && setting.high && !(*setting.low < *setting.high)) {
    throw InputError(node.fault("min must be below max"));
  }
  check_sought(node, setting);
  return setting;
}

/// Settings of a section for one law. Keys that no law of the task knows are refused elsewhere.
void read_parameters(const Node& section, const AnyLaw& law, UnknownSettings& settings) {
  for (const auto& [key, node] : section.entries()) {
    const Parameter* parameter = law.info().find(key);
    if (parameter == nullptr) continue;
    settings[parameter->name] = read_unknown(node, written_dimension(*parameter), parameter->range);
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

}  // namespace bristle
