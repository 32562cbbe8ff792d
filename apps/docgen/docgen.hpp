#pragma once

// Writes the reference pages of the friction laws: every word and number comes from the laws'
// descriptions or from evaluating them.

#include <string>
#include <string_view>
#include <vector>

#include "bristle/friction/any_law.hpp"
#include "bristle/report/plot.hpp"

namespace bristle::docgen {

/// The load of all pictures and examples, N.
inline constexpr double load = 1.0;

// ---- pages --------------------------------------------------------------------------------------

/// The reference page of a law, in Markdown.
std::string law_page(const AnyLaw& law);
/// The table of all laws and of what they can do, in Markdown.
std::string index_page();

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
