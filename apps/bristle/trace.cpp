// bristle trace MODEL --input FILE.csv: drive a law with a recorded or generated slip history.

#include <cmath>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bristle/core/names.hpp"
#include "bristle/core/unit.hpp"
#include "bristle/io/csv.hpp"
#include "bristle/report/plot.hpp"
#include "bristle/solve/prescribed.hpp"
#include "commands.hpp"

namespace bristle::cli {
namespace {

struct Options {
  LawOptions law;
  std::string input, wave, fn = "1", duration = "1", step = "1e-3", plot, out, method = "advance";
  std::vector<std::string> state;
  int substeps = 1;
  bool quiet = false, all_states = false;
};

// ---- slip histories -----------------------------------------------------------------------------

const std::array<const char*, 2> axes{"_x", "_y"};

/// Column names of a vector: v on a line, v_x and v_y in the plane.
template <int D>
std::vector<std::string> components(const std::string& name) {
  if constexpr (D == 1) {
    return {name};
  } else {
    return {name + axes[0], name + axes[1]};
  }
}

template <int D>
std::vector<Tangent<double, D>> vectors(const Table& table, const std::string& name) {
  std::vector<Tangent<double, D>> all(table.rows());
  const std::vector<std::string> names = components<D>(name);
  for (int c = 0; c < D; ++c) {
    const std::vector<double>& column = table.at(names[static_cast<std::size_t>(c)]);
    for (std::size_t k = 0; k < all.size(); ++k) all[k][c] = column[k];
  }
  return all;
}

template <int D>
SlipHistory<D> history_of(const Table& table, double fn) {
  SlipHistory<D> history;
  history.t = table.at("t");
  history.v = vectors<D>(table, "v");
  history.fn = table.has("fn") ? table.at("fn") : std::vector<double>(table.rows(), fn);
  if (table.has(components<D>("fe")[0])) history.f_e = vectors<D>(table, "fe");
  history.file = table.file;
  history.lines = table.lines;
  return history;
}

/// Refuses columns that would be ignored: a misspelt 'Fn' must not silently mean 1 N.
void check_columns(const Table& table, bool plane) {
  std::vector<std::string> known{"t", "fn"};
  for (const char* name : {"v", "fe"}) {
    for (const std::string& c : plane ? components<2>(name) : components<1>(name))
      known.push_back(c);
  }
  for (const std::string& name : table.names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string nearest = nearest_name(name, known);
    if (nearest.empty()) continue;  // some other measured quantity
    throw InputError({.message = "unknown column",
                      .file = table.file,
                      .line = 1,
                      .key = name,
                      .expected = fmt::format("one of {}", fmt::join(known, ", ")),
                      .nearest = nearest});
  }
}

/// Refuses a column given in a unit of the wrong kind.
void check_unit(const Table& table, const std::string& name, const char* unit) {
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    const Dimension wanted = parse_unit(unit).dimension;
    if (table.names[i] != name || i >= table.dimensions.size() || !table.dimensions[i]) continue;
    if (*table.dimensions[i] == wanted) continue;
    throw InputError({.message = "a column in the wrong unit",
                      .file = table.file,
                      .line = 1,
                      .key = name,
                      .value = dimension_name(*table.dimensions[i]),
                      .expected = dimension_name(wanted)});
  }
}
void check_units(const Table& table) {
  check_unit(table, "t", "s");
  check_unit(table, "fn", "N");
  for (const char* name : {"v", "v_x", "v_y"}) check_unit(table, name, "m/s");
  for (const char* name : {"fe", "fe_x", "fe_y"}) check_unit(table, name, "N");
}

/// KIND:NUMBERS, for example sine:AMPLITUDE:FREQUENCY[:MEAN].
SlipHistory<1> generated(const Options& options) {
  std::vector<std::string> parts;
  std::stringstream text(options.wave);
  for (std::string part; std::getline(text, part, ':');) parts.push_back(part);
  const auto refuse = [&](const std::string& message) -> InputError {
    return InputError({.message = message,
                       .key = "--wave",
                       .value = options.wave,
                       .expected =
                           "constant:V, ramp:ACCELERATION, sine:AMPLITUDE:FREQUENCY[:MEAN] or "
                           "triangle:AMPLITUDE:FREQUENCY[:MEAN]"});
  };
  const auto number = [&](std::size_t i, const char* unit) {
    return i < parts.size() ? parse_option(parts[i], "--wave", unit) : 0.0;
  };
  const std::string kind = parts.empty() ? "" : parts[0];
  const bool periodic = kind == "sine" || kind == "triangle";
  const std::size_t least = periodic ? 3 : 2;
  if (!periodic && kind != "constant" && kind != "ramp")
    throw refuse("unknown kind of slip history");
  if (parts.size() < least || parts.size() > (periodic ? 4U : 2U))
    throw refuse("wrong number of values");
  const double size = number(1, kind == "ramp" ? "m/s^2" : "m/s");
  const double frequency = periodic ? number(2, "Hz") : 0.0;
  const double mean = periodic ? number(3, "m/s") : 0.0;
  const double duration = parse_option(options.duration, "--duration", "s");
  const double step = parse_option(options.step, "--step", "s");
  const double steps = std::round(duration / step);
  if (!(step > 0) || !(steps >= 1) || steps > 1e8) {
    throw InputError({.message = "no such time grid",
                      .key = "--step",
                      .value = options.step,
                      .expected = "0 < step <= duration, at most 1e8 samples"});
  }
  SlipHistory<1> history;
  for (double i = 0; i <= steps; ++i) {
    const double t = i * step;
    const double phase = frequency * t;
    double v = size;
    if (kind == "ramp") v = size * t;
    if (kind == "sine") v = mean + size * std::sin(2 * std::numbers::pi * phase);
    if (kind == "triangle") {
      const double saw = phase + 0.25 - std::floor(phase + 0.25);
      v = mean + size * (1 - 4 * std::abs(saw - 0.5));
    }
    history.t.push_back(t);
    history.v.emplace_back(v);
  }
  const double fn = parse_option(options.fn, "--fn", "N");
  history.fn.assign(history.t.size(), fn);
  return history;
}

// ---- results ------------------------------------------------------------------------------------

template <int D>
Table table_of(const SlipHistory<D>& history, const Trace<D>& trace, bool all_states) {
  Table table;
  const auto add = [&](std::string name, std::vector<double> column) {
    table.names.push_back(std::move(name));
    table.columns.push_back(std::move(column));
  };
  const auto add_vectors = [&](const char* name, const std::vector<Tangent<double, D>>& all) {
    const std::vector<std::string> names = components<D>(name);
    for (int c = 0; c < D; ++c) {
      std::vector<double> column;
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
  for (const std::string& c : components<D>("v")) {
    figure.panels.push_back(panel_over_time(table, c, "Slip " + c + " (m/s)"));
  }
  for (const std::string& c : components<D>("F")) {
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

PrescribedOptions solver_options(const Options& options) {
  PrescribedOptions solver;
  solver.substeps = options.substeps;
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
    solver.initial[s.key] = parse_option(s.value, "--state " + s.key, "1");
  }
  return solver;
}

template <int D>
void run(const Options& options, const SlipHistory<D>& history) {
  const AnyLaw law = options.law.law();
  const PrescribedOptions solver = solver_options(options);
  if (!options.plot.empty()) check_figure_path(options.plot);
  const Trace<D> trace = run_prescribed(law, history, solver);
  const Table table = table_of(history, trace, options.all_states);
  std::ostringstream csv;
  write_csv(csv, table);
  const double error = options.quiet ? 0.0 : step_error(law, history, solver);
  write_result(options.out, csv.str());
  if (!options.plot.empty()) save_figure(figure_of(law, table, trace), options.plot);
  if (options.quiet) return;
  const EnergyAudit& audit = trace.audit;
  fmt::print(stderr,
             "trace: {} samples, {} mode changes\n"
             "energy: work {:.6g} J = stored {:.6g} + dissipated {:.6g} + jumps {:.6g}, "
             "relative error {:.1e}\n",
             history.t.size(), trace.events.size(), audit.work, audit.stored, audit.dissipated,
             audit.jumps, audit.relative_error);
  if (std::isfinite(error)) {
    fmt::print(stderr, "step: halving it moves the force by at most {:.1e} N\n", error);
  }
}

void run(const Options& options) {
  if (options.input.empty() == options.wave.empty()) {
    throw InputError({.message = "one slip history is needed",
                      .key = "--input",
                      .value = options.input,
                      .expected = "either --input FILE.csv or --wave KIND:…"});
  }
  if (!options.wave.empty()) {
    run<1>(options, generated(options));
    return;
  }
  const Table table = read_csv(options.input);
  const double fn = parse_option(options.fn, "--fn", "N");
  const bool plane = table.has("v_x") || table.has("v_y");
  check_columns(table, plane);
  check_units(table);
  if (plane) {
    run<2>(options, history_of<2>(table, fn));
  } else {
    run<1>(options, history_of<1>(table, fn));
  }
}

}  // namespace

void add_trace(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "trace",
      "drive a law with a recorded or generated slip history: force, states, energy audit");
  options->law.add_to(*command);
  command
      ->add_option(
          "--input", options->input,
          "CSV with columns t, v (or v_x, v_y), and optionally fn and the holding force fe "
          "(or fe_x, fe_y); units in brackets, as in 'v [mm/s]', are converted")
      ->type_name("FILE");
  command
      ->add_option("--wave", options->wave,
                   "generate the slip instead: constant:V, ramp:ACCELERATION, "
                   "sine:AMPLITUDE:FREQUENCY[:MEAN], triangle:AMPLITUDE:FREQUENCY[:MEAN]")
      ->type_name("KIND:…");
  command->add_option("--duration", options->duration, "length of a generated history")
      ->type_name("S")
      ->capture_default_str();
  command->add_option("--step", options->step, "sample spacing of a generated history")
      ->type_name("S")
      ->capture_default_str();
  command->add_option("--fn", options->fn, "normal load where the input has no column fn")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--state", options->state, "initial state, for example s_dw=0; repeatable")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command
      ->add_option("--method", options->method,
                   "advance: the law's own step (any law); rk4: Runge–Kutta (smooth laws)")
      ->type_name("NAME")
      ->capture_default_str();
  command->add_option("--substeps", options->substeps, "steps per sample")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--plot", options->plot, "also draw it: FILE.svg, FILE.html or FILE.png")
      ->type_name("FILE");
  command->add_option("--out", options->out, "write the CSV to a file instead")->type_name("FILE");
  command->add_flag("--all-states", options->all_states, "also each bond of the bristle law");
  command->add_flag("--quiet", options->quiet, "no energy audit and step check on standard error");
  command->footer(
      "Output: t, v, fn, F, the law's states, and the work, stored and dissipated energy (J).\n"
      "Examples:\n"
      "  bristle trace lugre --wave sine:1e-3:1 --duration 3 --plot loop.html\n"
      "  bristle trace gonthier --input slip.csv --state s_dw=0 --out friction.csv\n"
      "  bristle trace karnopp --input slip_and_holding_force.csv");
  command->callback([options] { run(*options); });
}

}  // namespace bristle::cli
