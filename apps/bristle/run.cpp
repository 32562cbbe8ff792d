// bristle run SCENARIO|FILE.yaml: a trajectory, its audit and a page.

#include <cmath>

#include <fmt/format.h>

#include "commands.hpp"
#include "progress.hpp"
#include "result_folder.hpp"
#include "run_scenario.hpp"
#include "say.hpp"

namespace bristle::cli {
namespace run_detail {

struct Options {
  ScenarioOptions scenario;
  std::string out;
  bool check = false, json = false;
};

std::string brief(const ComparedRun& run, const std::string& folder) {
  const RunResult& result = run.result;
  std::string text = fmt::format("{}: {}\n", run.description.scenario, run.description.title);
  const auto line = [&](const std::string& name, const std::string& value) {
    text += fmt::format("  {:<22} {}\n", name, value);
  };
  line("law", run.description.law);
  line("solver", fmt::format("{}, {} steps, {} evaluations, {} events", result.method, result.steps,
                             result.evaluations, result.events.size()));
  for (const auto& [name, value] : result.metrics) {
    line(name, std::isfinite(value) ? fmt::format("{:.9g}", value) : "none");
  }
  line("energy error", fmt::format("{:.2e}", energy_error(result.energy)));
  if (result.degraded.steps > 0 || result.degraded.payments > 0) {
    line("degraded steps", to_string(result.degraded));
  }
  for (const CheckedValue& value : run.description.check) {
    line("check " + value.name,
         fmt::format("changes by {:.2e}", std::abs(value.value - value.finer)));
  }
  line("wall time", fmt::format("{:.1f} ms", 1e3 * run.description.wall_seconds));
  text += fmt::format("  results in {}\n", folder);
  return text;
}

void run(const Options& options) {
  const Scenario scenario = options.scenario.load();
  const std::string folder = options.out.empty() ? "results/" + scenario.name : options.out;
  const Interrupt interrupt;  // from before there is anything to leave behind
  ResultFolder results(folder, {.files = run_files()});
  ComparedRun done = run_scenario(scenario);
  if (options.check && !done.result.partial) {
    done.description.check = check_against_finer(scenario, done.result);
  }
  write_run(results.draft(), scenario, done);
  results.publish();
  if (done.result.partial) {
    throw std::runtime_error(fmt::format("interrupted at t = {:.6g} s; what was done is in {}",
                                         done.result.t_end, folder));
  }
  RunDescription plain = done.description;
  plain.wall_seconds = -1;
  write_result("", options.json ? summary_json(plain, done.result) : brief(done, folder));
  refuse_wrong_energy(options.scenario, done);
}

}  // namespace run_detail

void add_run(CLI::App& app) {
  using namespace run_detail;
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("run", "run a scenario: trajectory, energy audit, report page");
  options->scenario.add_to(*command);
  command->add_option("--out", options->out, "folder for the results (default results/SCENARIO)")
      ->type_name("DIR");
  command->add_flag("--check", options->check,
                    "run again with a tenth of the tolerance or half the step and report what "
                    "changes");
  command->add_flag("--json", options->json, "print summary.json");
  command->footer(
      "Writes trajectory.csv, trajectory.h5, summary.json, report.html, scenario.yaml (as run) "
      "and\n"
      "timing.json; measured.csv too where the scenario has a 'measurement'. Ctrl-C keeps what "
      "has\n"
      "been done, marked partial.\n"
      "solver.method: auto chooses; rodas, cvode (adaptive, for stiff laws), event (adaptive, for "
      "laws\n"
      "that stick), bristle (the fixed step made for friction), semi-implicit, euler, heun, ode3, "
      "rk4.\n"
      "Examples:\n"
      "  bristle run mass-spring --out ms\n"
      "  bristle run mass-spring --set friction.law=karnopp --set duration='10 s' --check\n"
      "  bristle run bowden-leben --set speed=0.05 --set solver.method=bristle --set "
      "solver.step='1 ms'\n"
      "  bristle run my-rig.yaml");
  command->callback([options] { run(*options); });
}

}  // namespace bristle::cli
