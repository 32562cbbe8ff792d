// Scenarios: one run, or one for each value of a setting.

#include "bristle/scenario/scenario.hpp"
#include "sources.hpp"

namespace bristle::papers::detail {
namespace {

/// A built-in scenario with settings, as `bristle run` takes them.
struct Rerun {
  std::string scenario, data;
  std::vector<Setting> settings;
  bool needs_data = false;

  Rerun(const Node& node, std::string data_folder)
      : scenario(node["scenario"].text()),
        data(std::move(data_folder)),
        settings(node["set"].settings()) {
    constexpr std::string_view mark = "$data";
    for (Setting& setting : settings) {
      setting.file.clear();  // as from the command line
      const std::size_t at = setting.value.find(mark);
      if (at == std::string::npos) continue;
      needs_data = true;
      if (!data.empty()) setting.value.replace(at, mark.size(), data);
    }
    try {
      scenario_text(scenario);
    } catch (const InputError& error) {
      Fault fault = node["scenario"].fault(error.fault().message);
      fault.expected = error.fault().expected;
      fault.nearest = error.fault().nearest;
      throw InputError(std::move(fault));
    }
  }

  std::string command() const { return "bristle run " + scenario + set_options(settings); }
  std::string absent() const { return needs_data && data.empty() ? no_data_folder : ""; }
  std::string inputs() const { return needs_data ? data : ""; }
};

}  // namespace

Data data_of(const RunResult& result) {
  Data data;
  for (const Column& column : result.columns) data[column.name] = column.values;
  for (const auto& [name, value] : result.metrics) data[name] = {value};
  for (const auto& [name, values] : result.lists) data[name] = values;
  data["energy_error"] = {result.energy.relative_error};
  data["energy_dissipated"] = {result.energy.dissipated};
  data["steps"] = {static_cast<double>(result.steps)};
  data["evaluations"] = {static_cast<double>(result.evaluations)};
  // Where contacts stick and slip, and gaps close: "slip_t" has all times, "slip1_t" those of the
  // first contact.
  for (const RunEvent& event : result.events) {
    data[event.kind + "_t"].push_back(event.t);
    data[fmt::format("{}{}_t", event.kind, event.where + 1)].push_back(event.t);
  }
  for (const Impact& impact : result.impacts) {
    data["impact_t"].push_back(impact.t);
    data["impact_v"].push_back(impact.v_in);
    data["impact_e"].push_back(impact.restitution());
  }
  return data;
}

namespace {

Data run_with(const Rerun& rerun, const std::vector<Setting>& settings) {
  const Scenario scenario = load_scenario(rerun.scenario, settings);
  RunOptions options = scenario.options;
  options.frames = 0;
  const RunResult result = run(scenario, options);
  return data_of(result);
}

class Run final : public Source {
 public:
  Run(const Node& node, const std::string& data) : rerun_(node, data) {}
  Data compute(const Lookup&) const override { return run_with(rerun_, rerun_.settings); }
  std::string command() const override { return rerun_.command(); }
  std::string scenario() const override { return rerun_.scenario; }
  std::string absent() const override { return rerun_.absent(); }
  std::string inputs() const override { return rerun_.inputs(); }

 private:
  Rerun rerun_;
};

class Sweep final : public Source {
 public:
  Sweep(const Node& node, const std::string& data)
      : rerun_(node, data), over_(node["over"].text()), values_(fixed_values(node["values"])) {
    for (const auto& [name, expression] : node["take"].required("what to take").entries()) {
      take_.emplace_back(name, formula(expression));
    }
  }

  Data compute(const Lookup&) const override {
    Data data;
    data["value"] = values_;
    for (const double value : values_) {
      std::vector<Setting> settings = rerun_.settings;
      settings.push_back({over_, fmt::format("{}", value), "", 0});
      const Data run = run_with(rerun_, settings);
      for (const auto& [name, expression] : take_) {
        data[name].push_back(expression.number(lookup_in(run, nullptr)));
      }
    }
    return data;
  }
  std::string command() const override {
    return rerun_.command() + fmt::format(" --set {}={}", over_, values_.front()) +
           fmt::format("   # … {} values to {}", values_.size(), values_.back());
  }
  std::string scenario() const override { return rerun_.scenario; }
  std::string absent() const override { return rerun_.absent(); }
  std::string inputs() const override { return rerun_.inputs(); }

 private:
  Rerun rerun_;
  std::string over_;
  Values values_;
  std::vector<std::pair<std::string, Expression>> take_;
};

}  // namespace

SourcePtr read_run(const Node& node, const std::string& data) {
  return std::make_shared<const Run>(node, data);
}
SourcePtr read_sweep(const Node& node, const std::string& data) {
  return std::make_shared<const Sweep>(node, data);
}

}  // namespace bristle::papers::detail
