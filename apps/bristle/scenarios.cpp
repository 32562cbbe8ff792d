// bristle scenarios [NAME]: what there is to run.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "bristle/scenario/scenario.hpp"
#include "commands.hpp"

namespace bristle::cli {
namespace scenarios_detail {

using Json = nlohmann::ordered_json;

struct Options {
  std::string name;
  bool json = false;
};

/// The columns are known only to a run: a very short one.
std::vector<Column> columns_of(const Scenario& scenario) {
  RunOptions options = scenario.options;
  options.duration = std::min(options.duration, 1e-6);
  options.step = 1e-6;
  options.samples = 1;
  options.metrics = {};
  return run(scenario, options).columns;
}

Json to_json(const Scenario& scenario) {
  Json columns = Json::object();
  std::vector<std::string> names;
  for (const Column& column : columns_of(scenario)) {
    columns[column.name] = column.unit;
    names.push_back(column.name);
  }
  Json parameters = Json::object();
  for (const auto& [name, node] : scenario.resolved["parameters"].entries()) {
    parameters[name] = node.text();
  }
  return {{"name", scenario.name},
          {"title", scenario.title},
          {"source", scenario.source},
          {"law", scenario.law},
          {"laws", scenario.laws},
          {"duration", scenario.options.duration},
          {"method",
           scenario.options.method == "auto" ? default_method(scenario) : scenario.options.method},
          {"parameters", parameters},
          {"columns", names},
          {"units", columns}};
}

void run_command(const Options& options) {
  if (!options.name.empty() && !options.json) {
    write_result("", std::string(scenario_text(options.name)));
    return;
  }
  Json list = Json::array();
  std::string text;
  for (const std::string& name : scenario_names()) {
    if (!options.name.empty() && options.name != name) continue;
    const Scenario scenario = load_scenario(name);
    if (options.json) {
      list.push_back(to_json(scenario));
    } else {
      text += fmt::format("{:<18} {}\n", name, scenario.title);
    }
  }
  if (!options.name.empty()) scenario_text(options.name);  // refuses an unknown name
  write_result("", options.json ? Json{{"scenarios", list}}.dump(1) + "\n" : text);
}

}  // namespace scenarios_detail

void add_scenarios(CLI::App& app) {
  using namespace scenarios_detail;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("scenarios", "list the built-in scenarios, or print one");
  command->add_option("NAME", options->name, "print the YAML of this scenario");
  command->add_flag("--json", options->json, "with parameters, laws and columns, as JSON");
  command->footer(
      "Examples:\n"
      "  bristle scenarios\n"
      "  bristle scenarios mass-spring > my-rig.yaml");
  command->callback([options] { run_command(*options); });
}

}  // namespace bristle::cli
