// bristle trace MODEL --input FILE.csv: drive a law with a recorded or generated slip history.

#include <cmath>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bristle/core/names.hpp"
#include "bristle/core/unit.hpp"
#include "bristle/io/csv.hpp"
#include "bristle/report/plot.hpp"
#include "bristle/solve/prescribed.hpp"
#include "bristle/solve/run.hpp"
#include "commands.hpp"
#include "say.hpp"
#include "slip_history.hpp"

namespace bristle::cli {
namespace trace_detail {

struct Options {
  LawOptions law;
  HistoryOptions history;
  std::string plot, out, method = "advance", substeps = "1";
  std::vector<std::string> state;
  bool quiet = false, all_states = false, allow_energy_error = false;
};

template <int D>
Table table_of(const SlipHistory<D>& history, const Trace<D>& trace, bool all_states) {
  Table table;
  const auto add = [&](std::string name, std::vector<double> column) {
    table.names.push_back(std::move(name));
    table.columns.push_back(std::move(column));
  };
  const auto add_vectors = [&](const char* name, const std::vector<Tangent<double, D>>& all) {
    const std::vector<std::string> names = components(name, D == 2);
    for (int c = 0; c < D; ++c) {
      std::vector<double> column;
      column.reserve(all.size());
      for (const auto& v : all) column.push_back(v[c]);
      add(names[static_cast<std::size_t>(c)], std::move(column));
    }
  };
  add("t", history.t);
  add_vectors("v", history.v);
  add("fn", history.fn);
  add_vectors("F", trace.force);
  for (std::size_t i = 0; i < trace.columns.size(); ++i) {
    if (!trace.columns[i].of_array || all_states) add(trace.columns[i].name, trace.state[i]);
  }
  add("work", trace.work);
  add("stored", trace.stored);
  add("dissipated", trace.dissipated);
  return table;
}

Panel panel_over_time(const Table& table, const std::string& column, const std::string& label) {
  return {.x_label = "Time t (s)",
          .y_label = label,
          .series = {{.label = "", .x = table.at("t"), .y = table.at(column)}}};
}

template <int D>
Figure figure_of(const AnyLaw& law, const Table& table, const Trace<D>& trace) {
  Figure figure{.title = fmt::format("{} driven by a slip history", law.info().page.title)};
  for (const std::string& c : components("v", D == 2)) {
    figure.panels.push_back(panel_over_time(table, c, "Slip " + c + " (m/s)"));
  }
  for (const std::string& c : components("F", D == 2)) {
    figure.panels.push_back(panel_over_time(table, c, "Friction " + c + " (N)"));
  }
  for (const StateColumn& c : trace.columns) {
    if (c.discrete || c.of_array) continue;
    const std::string unit = c.unit == "1" ? "" : " (" + c.unit + ")";
    figure.panels.push_back(panel_over_time(table, c.name, "State " + c.name + unit));
  }
  if constexpr (D == 1) {
    figure.panels.push_back({.x_label = "Slip v (m/s)",
                             .y_label = "Friction F (N)",
                             .series = {{.label = "", .x = table.at("v"), .y = table.at("F")}}});
  }
  return figure;
}

/// An initial state, in the unit of its column. Modes and counters are the law's own business.
double parse_state(const Setting& setting, const std::vector<StateColumn>& columns) {
  std::vector<std::string> names;
  for (const StateColumn& c : columns) {
    if (c.discrete) continue;
    if (c.name != setting.key) {
      names.push_back(c.name);
      continue;
    }
    const double value =
        parse_quantity(setting.value, parse_unit(c.unit).dimension, setting.fault(""));
    // Shares, levels per newton and times are not negative; s_dw is a share of 1.
    const bool fits = c.unit == "m" || (value >= 0 && (c.name != "s_dw" || value <= 1));
    if (fits) return value;
    Fault fault = setting.fault("not a valid state");
    fault.expected = c.name == "s_dw" ? "a number in [0, 1]" : "at least 0";
    throw InputError(fault);
  }
  Fault fault = setting.fault("no such state");
  fault.expected = names.empty() ? "a law with memory" : one_of(names);
  fault.nearest = nearest_name(setting.key, names);
  throw InputError(fault);
}

PrescribedOptions solver_options(const Options& options, const std::vector<StateColumn>& columns) {
  PrescribedOptions solver;
  const double substeps = parse_option(options.substeps, "--substeps", "1");
  if (substeps < 1 || substeps > 1e6 || substeps != std::floor(substeps)) {
    throw InputError({.message = "no such number of steps",
                      .key = "--substeps",
                      .value = options.substeps,
                      .expected = "a whole number from 1 to 1000000"});
  }
  solver.substeps = static_cast<int>(substeps);
  if (options.method == "rk4") {
    solver.method = PrescribedOptions::Method::rk4;
  } else if (options.method != "advance") {
    throw InputError({.message = "unknown method",
                      .key = "--method",
                      .value = options.method,
                      .expected = "advance or rk4"});
  }
  for (const std::string& text : options.state) {
    const Setting s = parse_setting(text, "--state");
    solver.initial[s.key] = parse_state(s, columns);
  }
  return solver;
}

/// A result may not overwrite the recording, nor one result another.
void check_files(const Options& options) {
  const auto same = [](const std::string& a, const std::string& b) {
    return !a.empty() && !b.empty() &&
           std::filesystem::weakly_canonical(a) == std::filesystem::weakly_canonical(b);
  };
  if (!options.plot.empty()) check_figure_path(options.plot);
  check_result(options.out);
  if (same(options.out, options.history.input) || same(options.out, options.plot)) {
    throw InputError({.message = "two uses of one file",
                      .key = "--out",
                      .value = options.out,
                      .expected = "a file that is neither the input nor the plot"});
  }
}

void report(const AnyLaw& law, const EnergyAudit& audit, const StepError& error,
            std::size_t samples, std::size_t events) {
  say("trace: {} samples, {} mode changes\n", samples, events);
  if (law.is_asymmetric()) {
    say("energy: no audit, the two sides of the law may have different springs\n");
  } else {
    say("energy: work {:.6g} J = stored {:.6g} + dissipated {:.6g} + jumps {:.6g} + load {:.6g}, "
        "relative error {:.1e}\n",
        audit.work, audit.stored, audit.dissipated, audit.jumps, audit.load, audit.relative_error);
  }
  if (!std::isfinite(error.force)) return;
  say("step: halving it moves the force by at most {:.1e} N, the work by {:.1e} of it\n",
      error.force, error.work);
}

/// Says so where the audit does not close.
void judge(const Options& options, const AnyLaw& law, const EnergyAudit& audit) {
  const double error = audit.relative_error;
  if (law.is_asymmetric() || !(error > doubtful_energy)) return;
  if (!options.quiet) {
    fmt::print(
        stderr,
        "bristle: warning: energy-balance: the energy audit is off by {:.3g} % of the largest "
        "of its parts; more --substeps or a finer history may help\n",
        100 * error);
  }
  if (options.allow_energy_error || !(error > wrong_energy)) return;
  throw std::runtime_error(
      "energy is wrong by more than 10 %: do not use this trace; it is written all the same, and "
      "--allow-energy-error ends with exit code 0");
}

template <int D>
void run(const Options& options, const AnyLaw& law, const SlipHistory<D>& history) {
  std::vector<StateColumn> columns;
  if constexpr (D == 1) {
    columns = law.line(1)->columns();
  } else {
    columns = law.plane(1)->columns();
  }
  const PrescribedOptions solver = solver_options(options, columns);
  const Trace<D> trace = run_prescribed(law, history, solver);
  const Table table = table_of(history, trace, options.all_states);
  std::ostringstream csv;
  write_csv(csv, table);
  const StepError error = options.quiet ? StepError{} : step_error(law, history, solver);
  write_result(options.out, csv.str());
  if (!options.plot.empty()) save_figure(figure_of(law, table, trace), options.plot);
  if (!options.quiet) report(law, trace.audit, error, history.t.size(), trace.events.size());
  judge(options, law, trace.audit);
}

}  // namespace trace_detail

void add_trace(CLI::App& app) {
  using namespace trace_detail;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "trace",
      "drive a law with a recorded or generated slip history: force, states, energy audit");
  options->law.add_to(*command);
  options->history.add_to(*command);
  command
      ->add_option(
          "--state", options->state,
          "initial state, for example s_dw=0 or z='1 um'; 'bristle models MODEL' lists them; "
          "repeatable")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command
      ->add_option("--method", options->method,
                   "advance: the law's own step (any law); rk4: Runge–Kutta (smooth laws)")
      ->type_name("NAME")
      ->capture_default_str();
  command->add_option("--substeps", options->substeps, "steps per sample, up to 1000000")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--plot", options->plot, "also draw it: FILE.svg, FILE.html or FILE.png")
      ->type_name("FILE");
  command->add_option("--out", options->out, "write the CSV to a file instead")->type_name("FILE");
  command->add_flag("--all-states", options->all_states, "also each bond of the bristle law");
  command->add_flag("--quiet", options->quiet, "no energy audit and step check on standard error");
  command->add_flag("--allow-energy-error", options->allow_energy_error,
                    "exit with 0 although the energy audit is off by more than 10 %");
  command->footer(
      "Output: t, v, fn, F, the law's states, and the work, stored and dissipated energy (J).\n"
      "A column 'mode' is 0 while sticking, 1 while slipping, 2 while breaking away "
      "(armstrong-7).\n"
      "Contacts start rested; one that lost its load starts fresh.\n"
      "Examples:\n"
      "  bristle trace lugre --wave sine:1e-3:1 --duration 3 --plot loop.html\n"
      "  bristle trace gonthier --input slip.csv --state s_dw=0 --out friction.csv\n"
      "  bristle trace karnopp --input slip_and_holding_force.csv");
  command->callback([options] {
    check_files(*options);
    const AnyLaw law = options->law.law();
    std::visit([&](const auto& history) { run(*options, law, history); }, options->history.read());
  });
}

}  // namespace bristle::cli
