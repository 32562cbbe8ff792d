#pragma once

// Writes the reference pages of the friction laws: every word and number comes from the laws'
// descriptions or from evaluating them.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bristle/friction/any_law.hpp"
#include "bristle/report/plot.hpp"

namespace bristle::docgen {

/// The load of all pictures and examples, N.
inline constexpr double load = 1.0;

// ---- pages --------------------------------------------------------------------------------------

struct Drift;

/// The reference page of a law, in Markdown.
std::string law_page(const Drift& drift);
/// The table of all laws and of what they can do, in Markdown.
std::string index_page(const std::vector<Drift>& drifts);

/// The page on solvers: true stick, error against work, limits of explicit steps. Takes a minute.
std::string solvers_page();
/// The page on normal laws, and its picture: restitution got against restitution asked for.
std::string bodies_page();
/// The patch of the scenario 'block' while it slides and turns.
std::string patch_svg();
Figure bore_figure();
std::string normal_page();
Figure restitution_figure();
/// Stick-slip of a mass on a spring, with its stick phases shaded.
Figure stick_slip_figure();

// ---- figures ------------------------------------------------------------------------------------

/// The steady curve over both directions of slip.
Figure steady_figure(const AnyLaw& law);
/// Friction against displacement for a slow motion to and fro of growing amplitude: laws with
/// memory only.
Figure loop_figure(const AnyLaw& law);
/// The steady curves of all laws at the same static and kinetic level.
Figure comparison_figure();

/// A speed up to which all bends of the law's steady curve are seen: 1, 2 or 5 times a power of
/// ten.
double speed_range(const AnyLaw& law);
/// The displacement by which a law with memory slides when moved slowly from rest.
double presliding_distance(const AnyLaw& law);
/// A speed at which the law's rate effects are small.
double slow_speed(const AnyLaw& law);
/// The nearest of 1, 2 and 5 times a power of ten, by ratio.
double rounded(double x);

// ---- drift under a varying load -----------------------------------------------------------------

/// A pull that goes up and down, as shares of the static level.
struct VaryingPull {
  double mean, swing;
};
inline constexpr std::array<VaryingPull, 2> varying_pulls{{{0.60, 0.15}, {0.40, 0.10}}};
inline constexpr double drift_frequency = 20;  ///< of the pull, Hz
inline constexpr int drift_settling = 10;      ///< cycles before the measured ones
inline constexpr int drift_measured = 10;      ///< cycles over which the drift is averaged
inline constexpr int drift_coarsest = 100;     ///< steps per cycle, doubled until the drift changes
inline constexpr double drift_accuracy = 2e-3;  ///< by less than this share of it
inline constexpr double no_drift = 1e-12;       ///< or by less than this, m per cycle: counts as 0

struct Drift {
  AnyLaw law;
  double level = 0;                                      ///< the force at which rest ends, N
  std::array<double, varying_pulls.size()> per_cycle{};  ///< displacement, m
  int steps = 0;                                         ///< per cycle, in the finest run
};
Drift drift_of(const AnyLaw& law);

// ---- energy -------------------------------------------------------------------------------------

inline constexpr double pull_speed = 1e-6;  ///< slow, m/s

/// A contact pulled slowly over `path`, then moved at v: it gives back more than it has stored.
struct NegativeLoss {
  double path, v, force, dissipation, stored;
  std::string state;            ///< "z = 2.5e-06 m"
  double ratio;                 ///< dissipation over |F| |v|
  double least_ratio, fastest;  ///< the lowest ratio that was found, up to this speed
};
/// Found by search over paths and speeds; none if dissipation is not negative anywhere.
std::optional<NegativeLoss> negative_loss(const AnyLaw& law);

/// Energy stored before and after a change of mode in which no work is done, J.
struct JumpGain {
  double v, holding, before, after;
};
/// The end of sliding; none if the law has no modes or stores no more than before.
std::optional<JumpGain> jump_gain(const AnyLaw& law);

/// The smallest value of a parameter with which the law is passive, beside the formula for it.
struct PassiveFrom {
  Parameter parameter;
  double value;
  std::string_view formula;
  double by_formula;
};
/// For each parameter that decides.
std::vector<PassiveFrom> passive_from(const AnyLaw& law);

// ---- examples -----------------------------------------------------------------------------------

/// A command line and the beginning of what it prints.
struct Example {
  std::string command, output;
};
Example curve_example(const AnyLaw& law);
Example trace_example(const AnyLaw& law);
/// A solver that asks for a capability which the law lacks.
Example refusal_example();

// ---- Markdown -----------------------------------------------------------------------------------

/// Plain text of a description: μ_s gets its subscript, and nothing is taken for markup.
std::string prose(std::string_view text);
/// The same for a cell of a table.
std::string cell(std::string_view text);
/// With a capital at the beginning and a full stop at the end.
std::string sentence(std::string_view text);
std::string code(std::string_view text);
/// LaTeX as displayed formulas, one for each of the equations that \quad or \qquad set apart.
std::string displays(std::string_view latex);
std::string table_row(const std::vector<std::string>& cells);
/// The row of headings and the line below it.
std::string table_head(const std::vector<std::string>& headings);
std::string transcript(const Example& example);

}  // namespace bristle::docgen
