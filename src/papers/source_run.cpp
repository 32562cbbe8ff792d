// Scenarios: one run, or one for each value of a setting.

#include "bristle/scenario/scenario.hpp"
#include "sources.hpp"

namespace bristle::papers::detail {
namespace {

/// A built-in scenario with settings, as `bristle run` takes them.
struct Rerun {
  std::string scenario;
  std::vector<Setting> settings;

  explicit Rerun(const Node& node)
      : scenario(node["scenario"].text()), settings(node["set"].settings()) {
    for (Setting& setting : settings) setting.file.clear();  // as from the command line
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
};

Data data_of(const RunResult& result) {
  Data data;
  for (const Column& column : result.columns) data[column.name] = column.values;
  for (const auto& [name, value] : result.metrics) data[name] = {value};
  for (const auto& [name, values] : result.lists) data[name] = values;
  data["energy_error"] = {result.energy.relative_error};
  data["energy_dissipated"] = {result.energy.dissipated};
  data["steps"] = {static_cast<double>(result.steps)};
  for (const Impact& impact : result.impacts) {
    data["impact_t"].push_back(impact.t);
    data["impact_v"].push_back(impact.v_in);
    data["impact_e"].push_back(impact.restitution());
  }
  return data;
}

Data run_with(const Rerun& rerun, const std::vector<Setting>& settings) {
  const Scenario scenario = load_scenario(rerun.scenario, settings);
  RunOptions options = scenario.options;
  options.frames = 0;
  const RunResult result = run(scenario, options);
  return data_of(result);
}

class Run final : public Source {
 public:
  explicit Run(const Node& node) : rerun_(node) {}
  Data compute(const Lookup&) const override { return run_with(rerun_, rerun_.settings); }
  std::string command() const override { return rerun_.command(); }
  std::string scenario() const override { return rerun_.scenario; }

 private:
  Rerun rerun_;
};

class Sweep final : public Source {
 public:
  explicit Sweep(const Node& node)
      : rerun_(node), over_(node["over"].text()), values_(fixed_values(node["values"])) {
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

 private:
  Rerun rerun_;
  std::string over_;
  Values values_;
  std::vector<std::pair<std::string, Expression>> take_;
};

}  // namespace

SourcePtr read_run(const Node& node) { return std::make_shared<const Run>(node); }
SourcePtr read_sweep(const Node& node) { return std::make_shared<const Sweep>(node); }

}  // namespace bristle::papers::detail
