// The page docs/solvers.md: what each method needs for what accuracy, where explicit steps break,
// and how well contacts stick. All numbers are of the scenarios that ship with the product.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bristle/report/run_report.hpp"
#include "bristle/scenario/scenario.hpp"
#include "docgen.hpp"

namespace bristle::docgen {
namespace {

using Settings = std::vector<Setting>;

Setting set(std::string key, std::string value) {
  return {std::move(key), std::move(value), "", 0};
}
Setting set(std::string key, double value) {
  return {std::move(key), fmt::format("{}", value), "", 0};
}

RunResult run_with(const std::string& scenario, const Settings& settings) {
  const Scenario loaded = load_scenario(scenario, settings);
  return run(loaded.rig, loaded.options);
}

/// The same, or nothing if the method fails on its way.
std::optional<RunResult> try_with(const std::string& scenario, const Settings& settings) {
  try {
    return run_with(scenario, settings);
  } catch (const InputError&) {
    throw;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

// ---- work and precision -------------------------------------------------------------------------

struct Problem {
  std::string title, scenario;
  Settings settings;
};

double largest_difference(const RunResult& a, const RunResult& b, const char* column) {
  const std::vector<double>&x = a.column(column), &y = b.column(column);
  double largest = 0;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    largest = std::max(largest, std::abs(x[i] - y[i]));
  }
  return largest;
}

std::string precision_table(const Problem& problem) {
  Settings base = problem.settings;
  base.push_back(set("output.samples", 500));
  Settings finest = base;
  finest.push_back(set("solver.method", "event"));
  finest.push_back(set("solver.rtol", 1e-13));
  const RunResult exact = run_with(problem.scenario, finest);
  std::string text = fmt::format(
      "### {}\n\n| method | tolerance or step | evaluations | largest error of x (m) | energy "
      "error "
      "|\n|---|---|---|---|---|\n",
      problem.title);
  const auto row = [&](const std::string& method, const std::string& key, double value) {
    Settings settings = base;
    settings.push_back(set("solver.method", method));
    settings.push_back(set(key, value));
    const std::optional<RunResult> result = try_with(problem.scenario, settings);
    const std::string what =
        key == "solver.step" ? fmt::format("{:g} ms", 1e3 * value) : fmt::format("{:g}", value);
    if (!result) {
      text += fmt::format("| {} | {} | – | diverges | – |\n", method, what);
      return;
    }
    text += fmt::format("| {} | {} | {} | {:.1e} | {:.1e} |\n", method, what, result->evaluations,
                        largest_difference(exact, *result, "x"), result->energy.relative_error);
  };
  for (const char* method : {"rodas", "cvode", "event"}) {
    for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) row(method, "solver.rtol", rtol);
  }
  for (const char* method : {"euler", "semi-implicit", "heun", "ode3", "rk4", "bristle"}) {
    for (const double step : {1e-2, 1e-3, 3e-4, 1e-4, 1e-5}) row(method, "solver.step", step);
  }
  return text + "\n";
}

// ---- where explicit methods break ---------------------------------------------------------------

std::string limits_table() {
  const Settings base{set("duration", 20), set("output.samples", 400)};
  Settings finest = base;
  finest.push_back(set("solver.rtol", 1e-12));
  finest.push_back(set("solver.method", "event"));
  const RunResult exact = run_with("bowden-leben", finest);
  const std::vector<std::string> methods{"euler", "semi-implicit", "heun",
                                         "ode3",  "rk4",           "bristle"};
  std::string text = "| step (ms) |";
  for (const std::string& method : methods) text += fmt::format(" {} |", method);
  text += "\n|---|";
  for (std::size_t i = 0; i < methods.size(); ++i) text += "---|";
  text += "\n";
  for (const double step : {0.2, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 7.0, 8.0, 10.0, 20.0}) {
    text += fmt::format("| {:g} |", step);
    for (const std::string& method : methods) {
      Settings settings = base;
      settings.push_back(set("solver.method", method));
      settings.push_back(set("solver.step", 1e-3 * step));
      const std::optional<RunResult> result = try_with("bowden-leben", settings);
      const double error = result ? largest_difference(exact, *result, "x") : 1e9;
      text += error < 1 ? fmt::format(" {:.1e} |", error) : " diverges |";
    }
    text += "\n";
  }
  return text;
}

// ---- stick --------------------------------------------------------------------------------------

std::string micrometres(double metres) {
  const double um = 1e6 * metres;
  return std::abs(um) < 1e-6 ? "0" : fmt::format("{:.3g}", um);
}

/// Displacement after ten seconds on the slope, and per cycle when shaken.
std::string stick_table() {
  std::string text =
      "| law | at rest, 10 s (µm) | shaken, per cycle (µm) | the same with `bristle` at 1 ms (µm) "
      "|\n|---|---|---|---|\n";
  const double tangent = 0.6 * 0.25, angle = std::atan(tangent);
  const double swing = 0.15 * 0.25 * 9.81 * std::cos(angle);
  const Settings shaken{set("angle", angle), set("shake", swing), set("duration", 3),
                        set("output.interval", 0.05)};
  const auto per_cycle = [&](Settings settings) {
    settings.insert(settings.end(), shaken.begin(), shaken.end());
    const RunResult result = run_with("incline-hold", settings);
    const std::vector<double>& x = result.column("x");
    return (x.back() - x[10]) / static_cast<double>(x.size() - 11);
  };
  for (const std::string& law : load_scenario("incline-hold").laws) {
    const Setting choose = set("friction.law", law);
    const RunResult held = run_with("incline-hold", {choose});
    text += fmt::format("| {} | {} | {} | {} |\n", law, micrometres(held.final("x")),
                        micrometres(per_cycle({choose})),
                        micrometres(per_cycle(
                            {choose, set("solver.method", "bristle"), set("solver.step", 1e-3)})));
  }
  return text;
}

}  // namespace

Figure stick_slip_figure() {
  const RunResult result = run_with("mass-spring", {set("friction.law", "karnopp")});
  Figure figure{.title = "A mass pulled by a spring: bristle run mass-spring"};
  const std::vector<Band> bands = stick_bands(result, 0, 0.002);
  const std::vector<double>& t = result.column("t");
  figure.panels.push_back({.x_label = "Time t (s)",
                           .y_label = "Position x (m)",
                           .series = {{.label = "x", .x = t, .y = result.column("x")}}});
  figure.panels.push_back({.x_label = "Time t (s)",
                           .y_label = "Friction F (N)",
                           .series = {{.label = "F", .x = t, .y = result.column("F")}}});
  for (Panel& panel : figure.panels) panel.bands = bands;
  return figure;
}

std::string solvers_page() {
  std::string page = R"(# Solvers

Generated by `build/bristle_docgen solvers docs/solvers.md`.

| method | kind | laws | when |
|---|---|---|---|
| `rodas` | Rodas5P, linearly implicit with the exact Jacobian, order 5(4), adaptive | all but the random one | stiff and smooth: the default for smooth laws on up to ten bodies and contacts |
| `cvode` | BDF of SUNDIALS, exact Jacobian, adaptive | all but the random one | stiff with many unknowns |
| `event` | Dormand–Prince 5(4), adaptive, changes of mode located | all but the random one | set-valued and hybrid laws: the default for them |
| `bristle` | fixed step: exact mean of the friction force, implicit slip | all | real time; stable where explicit steps are not |
| `euler`, `heun`, `ode3`, `rk4` | fixed step, explicit | smooth and hybrid | comparison, and code that has nothing else |
| `semi-implicit` | fixed step, velocity first | also the random one | the default for the random law |

`auto` chooses. The adaptive methods restart where a mode changes and where a source breaks, find the
moment of each change on their dense output, and measure friction work as an integral of its own.
Several contacts that stick at once are solved together: all resting contacts are held, the one that
passes its limit by most is let go, until the rest can hold. Ask for `--check` to see what a finer run
changes.

The step `bristle` freezes the slip of each contact at a velocity v̂, solves its law exactly on that
path, and takes the exact mean F̄ of its force: v̂ = v + θ h (b − w F̄(v̂)), with θ = ½ + x/(12 + 2x) and
x = h w ∂F̄/∂v. It is second order where friction is soft and damps where it is stiff. Springs and
sources are taken in the middle of the step, so springs need ω h < 2. Changes of mode fall on the grid
of steps, so a law with bands (karnopp) acts as plain stiction there. [Over an area](area.md) w is a
matrix and so is θ. Contacts are swept one after the other, with Anderson's mixing where they share a
body and settle slowly, 50 rounds at most.

## True stick

A block on an incline at 80 % of the angle of friction, for 10 s; and at 60 % of its static limit,
shaken by ± 15 % at 20 Hz: displacement per cycle after the tenth. At rest the bristles deflect by a
micrometre or two, which comes back when the load is taken away; what grows with time is creep.

)";
  page += stick_table();
  page += R"(
Set-valued laws, Karnopp and the reset integrator do not move; the elasto-plastic law does not below
its break-away deflection. LuGre and Dahl drift, because any slip, however small and whichever way,
drags the foot of the bristle: a varying load walks it down the slope. Gonthier's law drifts far less,
through the small slip speeds at which s < 1. Laws that are functions of velocity alone creep at the
speed at which their curve meets the load.

## Error against work

The error is the largest difference of x over 500 samples from a run of `event` at a tolerance of 1e-13.

)";
  page += precision_table({"Mass–spring, LuGre, 5 s", "mass-spring", {}});
  page += precision_table({"Mass–spring, reset integrator, 5 s",
                           "mass-spring",
                           {set("friction.law", "reset-integrator")}});
  page += precision_table({"Bowden–Leben, Gonthier, 10 s", "bowden-leben", {set("duration", 10)}});
  page += R"(## Where explicit steps break

Bowden–Leben at 0.1 m/s, 20 s: largest error of x (m). While the block sticks, its bristle is an
oscillator with λ² + (σ1/m) λ + σ0/m = 0; Euler needs h < σ1/σ0 = 3.2 ms, RK4 about 8 ms.

)";
  page += limits_table();
  return page;
}

}  // namespace bristle::docgen
