#include "bristle/papers/study.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bristle/core/names.hpp"
#include "bristle/scenario/scenario.hpp"
#include "builtin.hpp"
#include "item_parts.hpp"
#include "sources.hpp"

namespace bristle::papers {
namespace {

std::vector<std::string> names_of(const Node& node) {
  std::vector<std::string> names;
  for (const Node& name : node.items()) names.push_back(name.text());
  return names;
}

/// Laws that the study has.
std::vector<std::string> members(const Node& node, const std::vector<std::string>& laws) {
  std::vector<std::string> names;
  for (const Node& name : node.items()) names.push_back(name.word(laws));
  return names;
}

/// As from the command line: a fault in a run then names the setting, not a line of this file.
std::vector<Setting> settings_at(const Node& node) {
  std::vector<Setting> settings = node.settings();
  for (Setting& setting : settings) setting.file.clear();
  return settings;
}

bool is_name(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}
void check_name(const Node& node, const std::string& name) {
  if (is_name(name)) return;
  Fault fault = node.fault("not a name that formulas can use");
  fault.expected = "small letters, digits and '_'";
  throw InputError(std::move(fault));
}

std::vector<Quantity> read_quantities(const Node& node) {
  std::vector<Quantity> list;
  for (const auto& [key, quantity] : node.required("a map of quantities").entries()) {
    check_name(quantity, key);
    list.push_back({key, quantity["title"].text(), quantity["unit"].text(""),
                    detail::formula(quantity["of"])});
  }
  return list;
}

/// GROUP.QUANTITY with both known.
void check_names(const Node& node, const Study& study, const Expression& expression) {
  std::vector<std::string> groups = {"all", "reference"}, keys = {"cost", "steps"};
  if (!study.finer.empty()) groups.emplace_back("finer");
  for (const auto& [name, laws] : study.groups) groups.push_back(name);
  for (const Quantity& quantity : study.quantities) keys.push_back(quantity.key);
  const auto known = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const std::string& name : expression.names()) {
    const std::size_t dot = name.find('.');
    const std::string group = name.substr(0, dot);
    const std::string key = dot == std::string::npos ? "" : name.substr(dot + 1);
    if (known(groups, group) && known(keys, key)) continue;
    Fault fault = node.fault(fmt::format("'{}' is no GROUP.QUANTITY of this study", name));
    const bool group_is_known = known(groups, group);
    fault.expected = group_is_known ? one_of(keys) : one_of(groups);
    fault.nearest = group_is_known ? nearest_name(key, keys) : nearest_name(group, groups);
    throw InputError(std::move(fault));
  }
}

Finding read_finding(const Node& node, const Study& study) {
  Finding finding{detail::formula(node["if"]), detail::sentence_at(node["then"]),
                  detail::sentence_at(node["else"])};
  check_names(node["if"], study, finding.condition);
  for (const Expression& formula : finding.then_say.formulas()) {
    check_names(node["then"], study, formula);
  }
  for (const Expression& formula : finding.else_say.formulas()) {
    check_names(node["else"], study, formula);
  }
  return finding;
}

void check_scenario(const Node& node) {
  try {
    scenario_text(node.text());
  } catch (const InputError& error) {
    Fault fault = node.fault(error.fault().message);
    fault.expected = error.fault().expected;
    fault.nearest = error.fault().nearest;
    throw InputError(std::move(fault));
  }
}

void read_figure(const Node& node, Study& study) {
  for (const Node& panel : node["panels"].items()) {
    study.panels.push_back(detail::read_panel(panel));
    if (study.panels.back().curves.size() == 1) continue;
    throw InputError(panel["curves"].fault("a panel of a study has one curve, drawn for each law"));
  }
  study.drawn = node["laws"].exists() ? members(node["laws"], study.laws) : study.laws;
}

}  // namespace

std::vector<Setting> Study::settings_of(std::size_t row) const {
  std::vector<Setting> all = settings;
  all.insert(all.begin(), {"friction.law", law(row), "", 0});
  const auto own = law_settings.find(law(row));
  if (own != law_settings.end()) all.insert(all.end(), own->second.begin(), own->second.end());
  if (row >= laws.size()) all.insert(all.end(), finer.begin(), finer.end());
  return all;
}

std::string Study::command(std::size_t row) const {
  return "bristle run " + scenario + detail::set_options(settings_of(row));
}

Study read_study(const Document& document, std::string name) {
  Study study;
  study.name = std::move(name);
  study.title = document["title"].text();
  study.text = document["text"].text("");
  study.scenario = document["scenario"].text();
  check_scenario(document["scenario"]);
  study.settings = settings_at(document["set"]);
  study.finer = settings_at(document["finer"]);
  study.laws = names_of(document["laws"].required("a list of laws"));
  study.reference = document["reference"].word(study.laws);
  for (const auto& [law, node] : document["set_for"].entries()) {
    if (std::find(study.laws.begin(), study.laws.end(), law) == study.laws.end()) {
      Fault fault = node.fault("no law of this study");
      fault.nearest = nearest_name(law, study.laws);
      throw InputError(std::move(fault));
    }
    study.law_settings[law] = settings_at(node);
  }
  for (const auto& [group, node] : document["groups"].entries()) {
    check_name(node, group);
    study.groups.emplace_back(group, members(node, study.laws));
  }
  study.quantities = read_quantities(document["quantities"]);
  for (const Node& finding : document["findings"].items()) {
    study.findings.push_back(read_finding(finding, study));
  }
  read_figure(document["figure"], study);
  document.finish();
  return study;
}

std::vector<Study> builtin_studies() {
  std::vector<Study> studies;
  for (const detail::BuiltInPaper& file : detail::builtin_study_files()) {
    const std::string name(file.name);
    studies.push_back(read_study(Document::parse(file.text, name + ".yaml (built in)"), name));
  }
  return studies;
}

std::vector<Study> read_studies(const std::string& folder) {
  std::vector<Study> studies;
  for (const auto& file : detail::yaml_files(folder, "studies")) {
    studies.push_back(read_study(Document::read(file), file.stem().string()));
  }
  return studies;
}

}  // namespace bristle::papers
