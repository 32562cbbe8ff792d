#pragma once

// What `run` and `compare` share: a scenario from the command line, run and described.

#include <filesystem>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "bristle/report/run_report.hpp"
#include "bristle/scenario/scenario.hpp"

namespace bristle::cli {

/// SCENARIO, --set and --allow-energy-error.
struct ScenarioOptions {
  std::string scenario;
  std::vector<std::string> set;
  bool allow_energy_error = false;

  void add_to(CLI::App& command);
  Scenario load(const std::vector<Setting>& more = {}) const;
};

/// Runs it with a progress bar, until it is done or an Interrupt is asked for; wall time in the
/// description.
ComparedRun run_scenario(const Scenario& scenario);
/// std::runtime_error for a run whose energy is wrong by more than 10 %, unless that is allowed.
void refuse_wrong_energy(const ScenarioOptions& options, const ComparedRun& run);
/// Final values and metrics against a run with a tenth of the tolerance or half the step.
std::vector<CheckedValue> check_against_finer(const Scenario& scenario, const RunResult& result);
/// trajectory.csv, trajectory.h5, summary.json, report.html, timing.json and scenario.yaml.
void write_run(const std::filesystem::path& folder, const Scenario& scenario,
               const ComparedRun& run);
/// What write_run may write.
const std::vector<std::string>& run_files();
/// A table as text, columns aligned.
std::string text_table(const PageTable& table);

}  // namespace bristle::cli
