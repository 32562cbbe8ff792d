// bristle compare SCENARIO --models a,b,c: one scenario under several laws.

#include <filesystem>
#include <fstream>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bristle/io/atomic_file.hpp"
#include "commands.hpp"
#include "progress.hpp"
#include "result_folder.hpp"
#include "run_scenario.hpp"

namespace bristle::cli {
namespace compare_detail {

struct Options {
  ScenarioOptions scenario;
  std::vector<std::string> models;
  std::string out;
  bool json = false;
};

/// Of the laws that the last comparison was of.
void replace_runs(ResultFolder& results) {
  std::ifstream file(results.old() / "compare.json");
  const auto json = nlohmann::json::parse(file, nullptr, false);
  if (!json.is_object() || !json.contains("runs")) return;
  for (const auto& item : json["runs"]) {
    if (!item.is_object() || !item.contains("law") || !item["law"].is_string()) continue;
    const std::string folder = item["law"].get<std::string>() + "/";
    for (const std::string& name : run_files()) results.replace(folder + name);
  }
}

void run(const Options& options) {
  std::vector<Scenario> scenarios;
  std::vector<std::string> models = options.models;
  if (models.empty()) models = options.scenario.load().laws;
  if (models.empty()) {
    throw InputError({.message = "the scenario has no parameter sets of its own",
                      .key = "--models",
                      .expected = "laws to compare, for example lugre,karnopp"});
  }
  // All are read before the first is run: a slip in the last costs no time.
  for (const std::string& model : models) {
    scenarios.push_back(options.scenario.load({{"friction.law", model, "", 0}}));
  }
  const Interrupt interrupt;  // from before there is anything to leave behind
  std::optional<ResultFolder> results;
  if (!options.out.empty()) {
    results.emplace(options.out, ResultNames{.files = {"compare.json", "report.html"}});
    replace_runs(*results);
  }
  std::vector<ComparedRun> runs;
  for (const Scenario& scenario : scenarios) {
    runs.push_back(run_scenario(scenario));
    if (runs.back().result.partial) throw std::runtime_error("interrupted; nothing was written");
  }
  if (results) {
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const std::filesystem::path folder = results->draft() / models[i];
      std::filesystem::create_directory(folder);
      write_run(folder, scenarios[i], runs[i]);
    }
    write_file(results->draft() / "compare.json", compare_json(runs));
    write_file(results->draft() / "report.html", render_page(compare_page(runs)));
    results->publish();
  }
  write_result("", options.json ? compare_json(runs) : text_table(compare_table(runs)));
  for (const ComparedRun& run : runs) refuse_wrong_energy(options.scenario, run);
}

}  // namespace compare_detail

void add_compare(CLI::App& app) {
  using namespace compare_detail;
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("compare", "run a scenario under several laws, side by side");
  options->scenario.add_to(*command);
  command
      ->add_option("--models", options->models,
                   "laws, separated by commas (default: all that the scenario has parameters for)")
      ->type_name("LAW,...")
      ->delimiter(',');
  command
      ->add_option("--out", options->out,
                   "folder: report.html, compare.json, and the results of each law in a folder")
      ->type_name("DIR");
  command->add_flag("--json", options->json, "print the comparison as JSON");
  command->footer(
      "Examples:\n"
      "  bristle compare mass-spring --models classical,karnopp,lugre,reset-integrator\n"
      "  bristle compare spring-belt --out belt");
  command->callback([options] { run(*options); });
}

}  // namespace bristle::cli
