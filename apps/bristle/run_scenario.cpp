#include "run_scenario.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "bristle/io/atomic_file.hpp"
#include "bristle/io/hdf5.hpp"
#include "commands.hpp"
#include "progress.hpp"
#include "say.hpp"

namespace bristle::cli {
namespace {

/// Of a friction law or a normal law.
template <class Law>
PageTable law_table(const Law& law, std::size_t index) {
  PageTable table{fmt::format("Contact {}: {}", index + 1, law.info().page.title),
                  {"parameter", "value", "unit", "meaning"},
                  {}};
  for (const Parameter& parameter : law.info().parameters) {
    table.rows.push_back({std::string(parameter.name),
                          value_text(parameter, law.get(parameter.name)),
                          std::string(parameter.unit), std::string(parameter.text)});
  }
  return table;
}

PageTable world_table(const World& world) {
  PageTable table{"Bodies", {"body", "shape", "mass (kg)", "inertia (kg m²)"}, {}};
  for (const RigidBody& body : world.bodies) {
    const Vector3 i = body.mass.inertia.diagonal();
    table.rows.push_back({body.name, std::string(name(body.shape)),
                          body.fixed ? "fixed" : fmt::format("{:g}", body.mass.mass),
                          body.fixed ? "–" : fmt::format("{:g}, {:g}, {:g}", i[0], i[1], i[2])});
  }
  for (const DoublePendulum& p : world.pendulums) {
    table.rows.push_back({p.name, fmt::format("double pendulum, {:g} m and {:g} m", p.l1, p.l2),
                          fmt::format("{:g}, {:g}", p.m1, p.m2),
                          fmt::format("{:g}, {:g} at {:g} m, {:g} m", p.j1, p.j2, p.c1, p.c2)});
  }
  return table;
}

PageTable body_table(const Rig& rig) {
  PageTable table{"Bodies", {"body", "mass or inertia", "unit"}, {}};
  for (const Body& body : rig.bodies) {
    table.rows.push_back(
        {body.name, fmt::format("{:g}", body.inertia), body.rotational ? "kg m²" : "kg"});
  }
  return table;
}

RunDescription describe(const Scenario& scenario, const std::string& method) {
  RunDescription run;
  run.scenario = scenario.name;
  run.title = scenario.title;
  run.source = scenario.source;
  run.text = scenario.text;
  run.law = scenario.law;
  run.rtol = scenario.options.tolerance.rtol;
  run.step = is_fixed_step(method) ? scenario.options.step : 0;
  run.slip_speed = scenario.options.metrics.slip_speed;
  run.normal_law = scenario.normal_law;
  if (scenario.world) {
    run.parameters.push_back(world_table(*scenario.world));
    for (std::size_t c = 0; c < scenario.world->pairs.size(); ++c) {
      const ContactPair& pair = scenario.world->pairs[c];
      if (pair.volumetric) {
        run.parameters.push_back(law_table(*pair.volumetric, c));
        continue;
      }
      run.parameters.push_back(law_table(pair.normal, c));
      run.parameters.push_back(law_table(pair.friction, c));
    }
    return run;
  }
  if (!scenario.rig.bodies.empty()) run.parameters.push_back(body_table(scenario.rig));
  for (std::size_t c = 0; c < scenario.rig.contacts.size(); ++c) {
    run.parameters.push_back(law_table(scenario.rig.contacts[c].law, c));
  }
  return run;
}

std::string csv_of(const std::vector<Column>& columns) {
  std::string csv;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    csv += (i > 0 ? "," : "") + columns[i].name;
  }
  csv += '\n';
  const std::size_t rows = columns.front().values.size();
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const double value = columns[i].values[r];
      if (i > 0) csv += ',';
      if (std::isfinite(value)) {
        fmt::format_to(std::back_inserter(csv), "{}", value);  // shortest that reads back the same
      } else {
        csv += "null";
      }
    }
    csv += '\n';
  }
  return csv;
}

}  // namespace

void ScenarioOptions::add_to(CLI::App& command) {
  command
      .add_option("SCENARIO", scenario,
                  "name of a built-in scenario ('bristle scenarios' lists them) or FILE.yaml")
      ->required();
  command.add_flag("--allow-energy-error", allow_energy_error,
                   "exit with 0 although energy is wrong by more than 10 % of the largest");
  command
      .add_option("--set", set,
                  "change the scenario: PATH=VALUE, for example friction.law=lugre, "
                  "friction.mu_s=0.3, solver.method=bristle, solver.step='1 ms', duration=5; "
                  "repeatable, in any order")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
}

Scenario ScenarioOptions::load(const std::vector<Setting>& more) const {
  std::vector<Setting> settings;
  for (const std::string& text : set) settings.push_back(parse_setting(text, "--set"));
  settings.insert(settings.end(), more.begin(), more.end());
  return load_scenario(scenario, settings);
}

ComparedRun run_scenario(const Scenario& scenario) {
  Progress progress(fmt::format("{} {}", scenario.name, scenario.law), scenario.options.duration);
  RunOptions options = scenario.options;
  options.progress = [&](double t) { return progress(t); };
  const auto start = std::chrono::steady_clock::now();
  ComparedRun run;
  run.result = bristle::run(scenario, options);
  const auto end = std::chrono::steady_clock::now();
  for (const std::string& note : run.result.notes) say("bristle: note: {}\n", note);
  for (const RunWarning& warning : run.result.warnings) {
    say("bristle: warning: {}: {}\n", warning.kind, warning.text);
  }
  for (const RunEvent& event : run.result.events) {
    if (event.kind != "no-direction") continue;
    say("bristle: warning: from t = {:.6g} s on, contact {} has a body inside or right through "
        "the other: its last normal is held\n",
        event.t, event.where + 1);
  }
  run.description = describe(scenario, run.result.method);
  run.description.wall_seconds = std::chrono::duration<double>(end - start).count();
  return run;
}

void refuse_wrong_energy(const ScenarioOptions& options, const ComparedRun& run) {
  const double error = energy_error(run.result.energy);
  if (options.allow_energy_error || !(error > wrong_energy)) return;
  throw std::runtime_error(fmt::format(
      "energy is wrong by {:.3g} % of the largest: do not use this run; its results are "
      "written all the same, and --allow-energy-error ends with exit code 0",
      100 * error));
}

std::vector<CheckedValue> check_against_finer(const Scenario& scenario, const RunResult& result) {
  Scenario finer = scenario;
  finer.options.tolerance.rtol = std::max(1e-13, finer.options.tolerance.rtol / 10);
  finer.options.step /= 2;
  const RunResult other = run_scenario(finer).result;
  std::vector<CheckedValue> list;
  for (const Column& column : result.columns) {
    if (column.name == "t" || column.name.starts_with("W_") || column.name.starts_with("E_"))
      continue;
    list.push_back({"final." + column.name, column.values.back(), other.final(column.name)});
  }
  for (const auto& [name, value] : result.metrics) {
    const auto found = other.metrics.find(name);
    list.push_back({name, value, found == other.metrics.end() ? std::nan("") : found->second});
  }
  return list;
}

namespace {

/// As a logger would head them, `z [m]`: whoever reads the file then knows.
std::vector<Column> with_units(std::vector<Column> columns) {
  for (Column& column : columns) {
    if (column.unit != "1") column.name += fmt::format(" [{}]", column.unit);
  }
  return columns;
}

}  // namespace

const std::vector<std::string>& run_files() {
  static const std::vector<std::string> files = {"trajectory.csv", "trajectory.h5", "summary.json",
                                                 "report.html",    "timing.json",   "scenario.yaml",
                                                 "measured.csv"};
  return files;
}

void write_run(const std::filesystem::path& base, const Scenario& scenario,
               const ComparedRun& run) {
  write_file(base / "trajectory.csv", csv_of(run.result.columns));
  if (!scenario.measurement.channels.empty()) {
    write_file(base / "measured.csv",
               csv_of(with_units(measured(scenario.measurement, run.result))));
  }
  std::vector<Hdf5Column> columns;
  for (const Column& column : run.result.columns) {
    columns.push_back({column.name, column.unit, column.values});
  }
  write_hdf5(base / "trajectory.h5", columns,
             {{"scenario", run.description.scenario},
              {"law", run.description.law},
              {"partial", static_cast<std::int64_t>(run.result.partial)}});
  write_file(base / "scenario.yaml", scenario.resolved.dump());
  RunDescription description = run.description;
  description.wall_seconds = -1;  // the page is the same for the same run
  write_file(base / "report.html", render_page(run_page(description, run.result)));
  write_file(base / "timing.json",
             fmt::format("{{\"wall_seconds\": {}}}\n", run.description.wall_seconds));
  write_file(base / "summary.json", summary_json(description, run.result));
}

std::string text_table(const PageTable& table) {
  // Width in characters, not bytes: heads and dashes may be UTF-8.
  const auto length = [](const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
      return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    }));
  };
  std::vector<std::size_t> widths;
  for (const std::string& head : table.heads) widths.push_back(length(head));
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size() && i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], length(row[i]));
    }
  }
  std::string text;
  const auto add = [&](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string pad(widths[i] - length(row[i]), ' ');
      text += (i > 0 ? "  " : "") + (i == 0 ? row[i] + pad : pad + row[i]);
    }
    while (!text.empty() && text.back() == ' ') text.pop_back();
    text += '\n';
  };
  add(table.heads);
  for (const auto& row : table.rows) add(row);
  return text;
}

}  // namespace bristle::cli
