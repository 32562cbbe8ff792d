#pragma once

/// Runs a rig: from its initial state over a time, with a method of choice.
///
///   RunOptions options;
///   options.duration = 5;
///   const RunResult result = run(rig, options);
///   result.column("x");                    // the trajectory
///   result.metrics.at("first_slip_time");
///   result.energy.relative_error;          // why one may trust it
///
/// Methods: `rodas` (stiff, adaptive; for few unknowns), `cvode` (stiff, adaptive), `event`
/// (adaptive, explicit; made for set-valued laws), `euler`, `semi-implicit`, `heun`, `ode3`, `rk4`
/// (fixed step), `bristle` (the fixed step made for friction) and `auto`. What cannot work together
/// is refused with the reason and the alternative.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bristle/solve/equations.hpp"
#include "bristle/solve/impact.hpp"
#include "bristle/solve/integrator.hpp"
#include "bristle/solve/patch_view.hpp"
#include "bristle/solve/scene.hpp"
#include "bristle/system/rig.hpp"

namespace bristle {

struct World;  // in system/world.hpp

/// What is measured on the way, beside the samples.
struct MetricOptions {
  int contact = 0;
  /// First slip: the slip speed reaches this. A slip is counted when it rises through it after
  /// having been below a quarter of it. 0: not measured.
  double slip_speed = 0;
  /// Turning points of this body give `period` and `amplitude`; −1: not measured.
  int cycle_body = -1;
  /// Peaks and extremes are taken in this window, s.
  double from = 0, to = std::numeric_limits<double>::infinity();
  bool until_first_slip = false;        ///< the window also ends there
  std::vector<std::string> extremes{};  ///< columns whose min and max are reported
  std::vector<double> force_levels{};   ///< displacement where the friction first reaches these, N
  std::vector<double> at_speeds{};      ///< friction where the slip passes these, up and down, m/s
  bool loop_area = false;               ///< ∫F dv over the window
  /// Whether the motion comes back to where slip started, after how many slips and how long: by the
  /// modes of a set-valued law, else by slip_speed.
  bool orbit = false;
};

struct RunOptions {
  std::string method = "auto";
  double duration = 1;
  double step = 1e-3;   ///< of fixed-step methods
  StepBudget budget{};  ///< of the method `bristle`
  Tolerance tolerance{};
  int samples = 5000;  ///< rows of the trajectory beside t = 0
  int frames = 0;      ///< most of the scene of a world; 0: none
  double break_away = 1;
  MetricOptions metrics{};
  /// Called now and then with the time reached; false stops the run, which is then partial.
  std::function<bool(double)> progress{};
};

struct Column {
  std::string name, unit;
  std::vector<double> values{};
};

/// Where the work went, J. `relative_error` is the largest gap over time between the two sides of
/// input = Δkinetic + Δstored in springs + friction work + damped + reset loss, over the largest
/// energy; every one of them is measured on its own.
struct EnergyBooks {
  double input = 0, kinetic = 0, stored = 0, dissipated = 0;
  double springs = 0, damped = 0, reset_loss = 0, relative_error = 0;
  double largest = 0;           ///< the largest energy or work, to which errors are compared
  double gain = 0, gain_t = 0;  ///< the most that energy rose above an earlier low; when
  struct OfContact {
    double work = 0, stored = 0, dissipated = 0, jumps = 0;
    double split_error = 0;  ///< |work − stored − dissipated − jumps| / largest; NaN: not measured
    double by_friction = 0, by_normal = 0;  ///< what each law says that it dissipated
    bool bristles = false;                  ///< its friction stores energy
  };
  std::vector<OfContact> contacts{};
};

/// Why a run may be wrong. Kinds: energy-gain, energy-balance, not-passive, budget, unsettled,
/// deep-start, missed-contact.
struct RunWarning {
  std::string kind, text;
};

struct RunResult {
  std::string method;
  std::vector<Column> columns;
  std::map<std::string, double> metrics;
  std::map<std::string, std::vector<double>> lists;  ///< slip_times, peaks, …
  EnergyBooks energy;
  std::vector<RunEvent> events;
  std::vector<Impact> impacts;     ///< of worlds
  std::vector<PatchView> patches;  ///< of contacts over areas, at a telling moment
  Scene scene;                     ///< of worlds, if frames were asked for
  std::vector<std::string> notes;  ///< what a user should know, such as a tolerance tightened
  std::vector<RunWarning> warnings;
  BudgetUse degraded;  ///< steps of the method `bristle` that had to do with less
  long steps = 0, evaluations = 0, restarts = 0;
  double t_end = 0;
  bool partial = false;

  const std::vector<double>& column(std::string_view name) const;
  bool has(std::string_view name) const;
  double final(std::string_view name) const { return column(name).back(); }
};

/// Energy that is wrong, over the largest: by the balance or by a rise from nowhere.
double energy_error(const EnergyBooks& books);
/// Above these a run is doubtful, and wrong.
inline constexpr double doubtful_energy = 1e-3, wrong_energy = 0.1;

/// The method that `auto` means for this rig.
std::string default_method(const Rig& rig);
/// InputError if the method cannot run these laws, with the reason and what to use instead.
void check_method(const Rig& rig, const std::string& method);
const std::vector<std::string>& run_methods();
/// True for methods that take `step`.
bool is_fixed_step(std::string_view method);

/// InputError for what cannot be run, std::runtime_error for a run that fails on its way.
RunResult run(const Rig& rig, const RunOptions& options);

/// The same for bodies in contact.
std::string default_method(const World& world);
void check_method(const World& world, const std::string& method);
RunResult run(const World& world, const RunOptions& options);

}  // namespace bristle
