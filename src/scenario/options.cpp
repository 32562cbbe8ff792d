#include <algorithm>

#include <fmt/format.h>

#include "bristle/core/names.hpp"
#include "bristle/io/located.hpp"
#include "reader.hpp"

namespace bristle::detail {
namespace {

/// Settings of the chosen law from a section. They win over those of the sections before, by
/// whatever name; within a section no parameter may be given twice.
template <class Law>
void append(std::vector<Setting>& settings, const Law& law, const Node& section) {
  std::vector<Setting> more = section.settings({"law"});
  check_repeats(law.info(), more);
  std::erase_if(settings, [&](const Setting& before) {
    const Parameter* parameter = law.info().find(before.key);
    return std::any_of(more.begin(), more.end(), [&](const Setting& s) {
      return s.key == before.key || (parameter != nullptr && law.info().find(s.key) == parameter);
    });
  });
  settings.insert(settings.end(), more.begin(), more.end());
}
/// What is there for all, where the contact has a law of its own: it was asked for.
void pass_over(const Node& section) { (void)section.settings({"law"}); }

int index_of(const Node& node, const std::vector<std::string>& names, int fallback) {
  if (!node.exists()) return fallback;
  const std::string name = node.word(names);
  return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
}

MetricOptions read_metrics(const Node& node, const std::vector<std::string>& bodies,
                           std::size_t contact_count) {
  MetricOptions m;
  const auto contacts = static_cast<double>(contact_count);
  m.contact = node["contact"].integer(0, between(0, std::max(0.0, contacts - 1)));
  m.slip_speed = node["slip_speed"].quantity(dim::speed, 0.0, at_least(0));
  m.cycle_body = index_of(node["cycle"], bodies, -1);
  m.from = node["from"].quantity(dim::time, 0.0);
  m.to = node["to"].quantity(dim::time, std::numeric_limits<double>::infinity());
  m.until_first_slip = node["until_first_slip"].flag(false);
  for (const Node& name : node["extremes"].items()) m.extremes.push_back(name.text());
  m.force_levels = node["force_levels"].quantities(dim::force, Node::any_count, above(0), {});
  m.at_speeds = node["at_speeds"].quantities(dim::speed, Node::any_count, {}, {});
  m.loop_area = node["loop_area"].flag(false);
  m.orbit = node["orbit"].flag(false);
  return m;
}

}  // namespace

namespace {

/// What materials say, as far as the law knows it and the settings do not: by whatever name.
template <class Law>
void add_materials(std::vector<Setting>& settings, const Law& law,
                   const std::vector<Setting>& materials) {
  const std::size_t said = settings.size();
  for (const Setting& setting : materials) {
    const Parameter* parameter = law.info().find(setting.key);
    if (parameter == nullptr) continue;
    const bool known =
        std::any_of(settings.begin(), settings.begin() + static_cast<long>(said),
                    [&](const Setting& other) { return law.info().find(other.key) == parameter; });
    if (!known) settings.push_back(setting);
  }
}

}  // namespace

AnyLaw read_friction(const Document& document, const Node& contact,
                     const std::vector<Setting>& materials) {
  const Node common = document["friction"], own = contact["friction"];
  const Node law_node = own["law"].exists() ? own["law"] : common["law"];
  const std::string law =
      law_node.required("a friction law; 'bristle models' lists them").word(AnyLaw::names());
  std::vector<Setting> settings;
  const AnyLaw known(law);
  append(settings, known, document["laws"][law]);
  append(settings, known, contact["laws"][law]);
  own["law"].exists() ? pass_over(common) : append(settings, known, common);
  append(settings, known, own);
  add_materials(settings, known, materials);
  return make_law(law, settings);
}

AnyNormal read_normal(const Document& document, const Node& contact,
                      const std::vector<Setting>& materials) {
  const Node common = document["normal"], own = contact["normal"];
  const Node law_node = own["law"].exists() ? own["law"] : common["law"];
  const std::string law = law_node.word(AnyNormal::names(), "gonthier");
  std::vector<Setting> settings;
  const AnyNormal known(law);
  append(settings, known, document["normal_laws"][law]);
  own["law"].exists() ? pass_over(common) : append(settings, known, common);
  append(settings, known, own);
  add_materials(settings, known, materials);
  return make_normal(law, settings);
}

std::optional<VolumetricLaw> read_volumetric(const Document& document, const Node& contact,
                                             const std::vector<Setting>& materials) {
  const Node common = document["volumetric"], own = contact["volumetric"];
  if (!common.exists() && !own.exists()) return std::nullopt;
  std::vector<Setting> settings;
  VolumetricLaw law;
  append(settings, law, common);
  append(settings, law, own);
  add_materials(settings, law, materials);
  for (const Setting& setting : settings) apply_setting(law, setting, setting.key);
  check_settings(law, settings);
  return law;
}

void read_laws(const Document& document, Rig& rig) {
  const std::vector<Node> nodes = contact_nodes(document);
  for (std::size_t c = 0; c < nodes.size(); ++c) {
    rig.contacts[c].law = read_friction(document, nodes[c]);
    if (rig.axes(rig.contacts[c]) > 1 && rig.contacts[c].law.is_asymmetric()) {
      const Node own = nodes[c]["friction"]["law"];
      throw InputError((own.exists() ? own : document["friction"]["law"])
                           .fault("a contact in the plane cannot have two sides or an offset"));
    }
  }
  located(document["friction"], [&] { rig.check(); });
  check_law_sets(document, nodes);
}

void check_law_sets(const Document& document, const std::vector<Node>& nodes) {
  for (const auto& [law, node] : document["normal_laws"].entries()) {
    if (std::find(AnyNormal::names().begin(), AnyNormal::names().end(), law) ==
        AnyNormal::names().end()) {
      Fault fault = node.fault("unknown normal law");
      fault.nearest = nearest_name(law, AnyNormal::names());
      throw InputError(fault);
    }
    std::vector<Setting> settings;
    append(settings, AnyNormal(law), node);
    make_normal(law, settings);
  }
  // Parameter sets of laws that are not in use are read all the same, so that a slip in one is not
  // found only when someone chooses it.
  const auto check_sets = [](const Node& section) {
    for (const auto& [law, node] : section.entries()) {
      if (std::find(AnyLaw::names().begin(), AnyLaw::names().end(), law) == AnyLaw::names().end()) {
        Fault fault = node.fault("unknown friction law");
        fault.nearest = nearest_name(law, AnyLaw::names());
        throw InputError(fault);
      }
      std::vector<Setting> settings;
      append(settings, AnyLaw(law), node);
      make_law(law, settings);
    }
  };
  check_sets(document["laws"]);
  for (const Node& node : nodes) check_sets(node["laws"]);
}

namespace {

StepBudget read_budget(const Node& node, bool world) {
  StepBudget budget;
  budget.substeps = node["substeps"].integer(budget.substeps, between(1, 1e5));
  int& sweeps = world ? budget.sweeps : budget.rig_sweeps;
  sweeps = node["sweeps"].integer(sweeps, between(1, 1e4));
  if (!world) return budget;  // a rig has no impacts: their keys are refused
  budget.per_impact = node["per_impact"].integer(budget.per_impact, between(1, 1000));
  budget.touches = node["touches"].integer(budget.touches, between(1, 1000));
  budget.looks = node["looks"].integer(budget.looks, between(1, 1000));
  return budget;
}

}  // namespace

RunOptions read_options(const Document& document, const std::vector<std::string>& bodies,
                        std::size_t contacts) {
  RunOptions options;
  options.duration = document["duration"].quantity(dim::time, above_to(0, 1e9));
  const Node solver = document["solver"];
  options.method = solver["method"].word(run_methods(), "auto");
  options.step = solver["step"].quantity(dim::time, 1e-3, above(0));
  options.tolerance.rtol = solver["rtol"].number(1e-9, between(1e-14, 0.1));
  options.tolerance.atol = solver["atol"].number(1.0, above(0));
  options.break_away = solver["break_away"].number(1.0, at_least(1));
  options.budget = read_budget(solver["budget"], is_world(document));
  const Node output = document["output"];
  options.samples = output["samples"].integer(5000, between(1, 1e8));
  if (output["interval"].exists()) {
    const double interval = output["interval"].quantity(dim::time, above(0));
    const double count = options.duration / interval;
    if (count > 1e8) throw InputError(output["interval"].fault("more than 1e8 samples"));
    options.samples = std::max(1, static_cast<int>(count + 0.5));
  }
  options.frames = output["frames"].integer(900, between(0, 1e5));
  options.metrics = read_metrics(document["metrics"], bodies, contacts);
  return options;
}

}  // namespace bristle::detail
