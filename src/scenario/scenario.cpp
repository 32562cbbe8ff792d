#include "bristle/scenario/scenario.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bristle/core/names.hpp"
#include "builtin.hpp"
#include "reader.hpp"

namespace bristle {
namespace {

std::optional<std::string> find_builtin(std::string_view name) {
  for (const detail::BuiltIn& scenario : detail::builtin_scenarios()) {
    if (scenario.name == name) return std::string(scenario.text);
  }
  return std::nullopt;
}

/// `--set v0=0.01` for a parameter of that name.
std::string full_path(const Document& document, const std::string& key) {
  const bool short_form = key.find('.') == std::string::npos;
  if (short_form && !document[key].exists() && document["parameters"][key].exists()) {
    return "parameters." + key;
  }
  return key;
}

template <class Contacts, class Name>
std::string laws_of(const Contacts& contacts, Name&& name_of) {
  std::vector<std::string> names;
  for (const auto& contact : contacts) {
    const std::string name(name_of(contact));
    if (names.empty() || names.back() != name) names.push_back(name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Sorted; those with robots only where something reads them.
std::vector<std::string> names_of(bool with_robots) {
  std::vector<std::string> list;
  for (const detail::BuiltIn& scenario : detail::builtin_scenarios()) {
    const bool robots = scenario.text.find("\nrobots:") != std::string_view::npos;
    if (with_robots || !robots) list.emplace_back(scenario.name);
  }
  std::sort(list.begin(), list.end());
  return list;
}

}  // namespace

const std::vector<std::string>& scenario_names() {
  static const std::vector<std::string> all = names_of(true), without_robots = names_of(false);
  return detail::knows_robots() ? all : without_robots;
}

std::string_view scenario_text(std::string_view name) {
  for (const detail::BuiltIn& scenario : detail::builtin_scenarios()) {
    if (scenario.name == name) return scenario.text;
  }
  throw InputError({.message = "unknown scenario",
                    .value = std::string(name),
                    .expected = one_of(scenario_names()),
                    .nearest = nearest_name(name, scenario_names())});
}

Scenario load_scenario(const std::string& name_or_file, const std::vector<Setting>& settings) {
  const bool is_file = name_or_file == "-" || name_or_file.ends_with(".yaml") ||
                       name_or_file.ends_with(".yml") ||
                       name_or_file.find('/') != std::string::npos;
  if (!is_file) scenario_text(name_or_file);  // a clear message for a misspelt name
  const std::string name = name_or_file == "-" ? "standard-input"
                           : is_file           ? std::filesystem::path(name_or_file).stem().string()
                                               : name_or_file;
  Document document = is_file ? Document::read(name_or_file, find_builtin)
                              : Document::parse(scenario_text(name_or_file),
                                                name_or_file + ".yaml (built in)", find_builtin);
  return read_scenario(std::move(document), name, settings);
}

Scenario read_scenario(Document document, std::string name, const std::vector<Setting>& settings) {
  const Document file = document;
  for (const Setting& setting : settings) {
    document.set(full_path(document, setting.key), setting.value);
  }
  document.fill_parameters("parameters");
  detail::choose_laws(document, file);
  if (!document["name"].exists()) document.set_text("name", name);
  Scenario scenario;
  const Document doc = document;  // a copy in which nothing has been asked for
  scenario.name = doc["name"].text();
  scenario.title = doc["title"].text(scenario.name);
  scenario.source = doc["source"].text("");
  scenario.text = doc["text"].text("");
  (void)doc["parameters"].entries();
  std::vector<std::string> names;
  std::size_t contacts = 0;
  if (detail::is_world(doc)) {
    scenario.world = detail::read_world(doc);
    contacts = scenario.world->pairs.size();
    if (doc["peg"].exists()) scenario.peg = read_peg_hole(doc["peg"], *scenario.world);
    scenario.law = laws_of(scenario.world->pairs, [](const ContactPair& p) {
      return p.volumetric ? std::string_view(VolumetricLaw::info().page.name) : p.friction.name();
    });
    scenario.normal_law = laws_of(scenario.world->pairs, [](const ContactPair& p) {
      return p.volumetric ? std::string_view(VolumetricLaw::info().page.name) : p.normal.name();
    });
    if (scenario.normal_law == scenario.law && scenario.law == VolumetricLaw::info().page.name) {
      scenario.normal_law.clear();  // one law for both
    }
  } else {
    scenario.rig = detail::read_rig(doc);
    detail::read_laws(doc, scenario.rig);
    for (const Body& body : scenario.rig.bodies) names.push_back(body.name);
    contacts = scenario.rig.contacts.size();
    scenario.law = laws_of(scenario.rig.contacts, [](const Contact& c) { return c.law.name(); });
  }
  for (const auto& [law, node] : doc["laws"].entries()) scenario.laws.push_back(law);
  for (const Node& node : detail::contact_nodes(doc)) {
    for (const auto& [law, child] : node["laws"].entries()) {
      if (std::find(scenario.laws.begin(), scenario.laws.end(), law) == scenario.laws.end()) {
        scenario.laws.push_back(law);
      }
    }
  }
  scenario.options = detail::read_options(doc, names, contacts);
  scenario.measurement = read_measurement(doc["measurement"]);
  doc.finish();
  scenario.resolved = doc;
  if (scenario.world) {
    check_method(*scenario.world, scenario.options.method);
  } else {
    check_method(scenario.rig, scenario.options.method);
  }
  return scenario;
}

std::string default_method(const Scenario& scenario) {
  return scenario.world ? default_method(*scenario.world) : default_method(scenario.rig);
}
RunResult run(const Scenario& scenario, const RunOptions& options) {
  if (!scenario.world) return run(scenario.rig, options);
  RunResult result = run(*scenario.world, options);
  if (scenario.peg) add_peg_log(*scenario.peg, result);
  return result;
}

}  // namespace bristle
