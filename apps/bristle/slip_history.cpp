#include "slip_history.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bristle/core/names.hpp"
#include "bristle/core/unit.hpp"
#include "bristle/io/csv.hpp"
#include "commands.hpp"

namespace bristle::cli {
namespace {

[[noreturn]] void refuse(const char* option, const std::string& value, const char* message,
                         const char* expected) {
  throw InputError({.message = message, .key = option, .value = value, .expected = expected});
}

double load_of(const HistoryOptions& options) {
  const double fn = options.fn.empty() ? 1.0 : parse_option(options.fn, "--fn", "N");
  if (!(fn >= 0)) refuse("--fn", options.fn, "a normal load cannot pull", "a load of at least 0 N");
  return fn;
}

// ---- from a table -------------------------------------------------------------------------------

/// Refuses a missing column, and one that would be ignored: a misspelt 'Fn' must not mean 1 N.
void check_columns(const Table& table, bool plane) {
  std::vector<std::string> needed{"t"};
  for (const std::string& c : components("v", plane)) needed.push_back(c);
  std::vector<std::string> known = needed;
  known.emplace_back("fn");
  for (const std::string& c : components("fe", plane)) known.push_back(c);
  for (const std::string& name : table.names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string nearest = nearest_name(name, known);
    if (nearest.empty()) continue;  // some other measured quantity
    throw InputError({.message = "unknown column",
                      .file = table.file,
                      .line = 1,
                      .key = name,
                      .expected = one_of(known),
                      .nearest = nearest});
  }
  for (const std::string& name : needed) {
    if (table.has(name)) continue;
    throw InputError(
        {.message = "a slip history needs this column",
         .file = table.file,
         .line = 1,
         .key = name,
         .expected = "columns t, v (or v_x, v_y) and, if known, fn and fe; there are " +
                     fmt::format("{}", fmt::join(table.names, ", "))});
  }
}

/// Refuses a column given in a unit of the wrong kind.
void check_unit(const Table& table, const std::string& name, const Dimension& wanted) {
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    if (table.names[i] != name) continue;
    const Dimension given = table.dimensions[i].value_or(wanted);
    if (given == wanted) continue;
    throw InputError({.message = "a column in the wrong unit",
                      .file = table.file,
                      .line = 1,
                      .key = name,
                      .value = dimension_name(given),
                      .expected = dimension_name(wanted)});
  }
}

template <int D>
std::vector<Tangent<double, D>> vectors(const Table& table, const std::string& name) {
  std::vector<Tangent<double, D>> all(table.rows());
  const std::vector<std::string> names = components(name, D == 2);
  for (int c = 0; c < D; ++c) {
    const std::vector<double>& column = table.at(names[static_cast<std::size_t>(c)]);
    for (std::size_t k = 0; k < all.size(); ++k) all[k][c] = column[k];
  }
  return all;
}

template <int D>
SlipHistory<D> history_of(const Table& table, double fn) {
  check_unit(table, "t", dim::time);
  check_unit(table, "fn", dim::force);
  for (const std::string& name : components("v", D == 2)) check_unit(table, name, dim::speed);
  for (const std::string& name : components("fe", D == 2)) check_unit(table, name, dim::force);
  SlipHistory<D> history;
  history.t = table.at("t");
  history.v = vectors<D>(table, "v");
  history.fn = table.has("fn") ? table.at("fn") : std::vector<double>(table.rows(), fn);
  if (table.has(components("fe", D == 2).front())) history.f_e = vectors<D>(table, "fe");
  history.file = table.file;
  history.lines = table.lines;
  return history;
}

AnyHistory recorded(const HistoryOptions& options) {
  for (const auto& [option, value] :
       {std::pair{"--duration", options.duration}, {"--step", options.step}}) {
    if (!value.empty())
      refuse(option, value, "only a generated history has it", "no such option with --input");
  }
  const Table table = read_csv(options.input);
  const bool plane = table.has("v_x") || table.has("v_y");
  check_columns(table, plane);
  const double fn = load_of(options);
  if (table.has("fn") && !options.fn.empty()) {
    refuse("--fn", options.fn, "the input has a column fn", "the load in one place only");
  }
  if (plane) return history_of<2>(table, fn);
  return history_of<1>(table, fn);
}

// ---- generated ----------------------------------------------------------------------------------

/// KIND:NUMBERS, for example sine:AMPLITUDE:FREQUENCY[:MEAN].
struct Wave {
  std::string kind;
  double size = 0, frequency = 0, mean = 0;

  explicit Wave(const std::string& text) {
    constexpr const char* expected =
        "constant:V, ramp:ACCELERATION, sine:AMPLITUDE:FREQUENCY[:MEAN] or "
        "triangle:AMPLITUDE:FREQUENCY[:MEAN], with a frequency above 0";
    std::vector<std::string> parts;
    std::stringstream stream(text);
    for (std::string part; std::getline(stream, part, ':');) parts.push_back(part);
    kind = parts.empty() ? "" : parts[0];
    const bool periodic = kind == "sine" || kind == "triangle";
    if (!periodic && kind != "constant" && kind != "ramp") {
      refuse("--wave", text, "unknown kind of slip history", expected);
    }
    if (periodic ? parts.size() < 3 || parts.size() > 4 : parts.size() != 2) {
      refuse("--wave", text, "wrong number of values", expected);
    }
    size = parse_option(parts[1], "--wave", kind == "ramp" ? "m/s^2" : "m/s");
    if (!periodic) return;
    frequency = parse_option(parts[2], "--wave", "Hz");
    if (!(frequency > 0)) refuse("--wave", text, "no such frequency", expected);
    if (parts.size() == 4) mean = parse_option(parts[3], "--wave", "m/s");
  }

  double at(double t) const {
    const double phase = frequency * t;
    if (kind == "ramp") return size * t;
    if (kind == "sine") return mean + size * std::sin(2 * std::numbers::pi * phase);
    if (kind == "triangle") {
      const double saw = phase + 0.25 - std::floor(phase + 0.25);
      return mean + size * (1 - 4 * std::abs(saw - 0.5));
    }
    return size;
  }
};

SlipHistory<1> generated(const HistoryOptions& options) {
  const Wave wave(options.wave);
  const double duration =
      options.duration.empty() ? 1.0 : parse_option(options.duration, "--duration", "s");
  const double step = options.step.empty() ? 1e-3 : parse_option(options.step, "--step", "s");
  const double steps = std::round(duration / step);
  const bool whole = std::abs(steps * step - duration) <= 1e-9 * duration;
  if (!(step > 0) || !(steps >= 1) || steps > 1e8 || !whole) {
    refuse("--step", fmt::format("{:g} s in {:g} s", step, duration), "no such time grid",
           "a duration that is a whole number of steps, at most 1e8");
  }
  const double fn = load_of(options);
  SlipHistory<1> history;
  for (double i = 0; i <= steps; ++i) {
    history.t.push_back(i * step);
    history.v.emplace_back(wave.at(i * step));
    history.fn.push_back(fn);
  }
  return history;
}

}  // namespace

std::vector<std::string> components(const std::string& name, bool plane) {
  if (!plane) return {name};
  return {name + "_x", name + "_y"};
}

void HistoryOptions::add_to(CLI::App& command) {
  command
      .add_option("--input", input,
                  "CSV with columns t, v (or v_x, v_y), and optionally fn and the holding force fe "
                  "(or fe_x, fe_y); units in brackets, as in 'v [mm/s]', are converted")
      ->type_name("FILE");
  command
      .add_option("--wave", wave,
                  "generate the slip instead: constant:V, ramp:ACCELERATION, "
                  "sine:AMPLITUDE:FREQUENCY[:MEAN], triangle:AMPLITUDE:FREQUENCY[:MEAN]")
      ->type_name("KIND:...");
  command.add_option("--duration", duration, "length of a generated history [1 s]")->type_name("S");
  command.add_option("--step", step, "sample spacing of a generated history [1 ms]")
      ->type_name("S");
  command.add_option("--fn", fn, "normal load where the input has no column fn [1 N]")
      ->type_name("N");
}

AnyHistory HistoryOptions::read() const {
  if (input.empty() == wave.empty()) {
    refuse("--input", input, "one slip history is needed",
           "either --input FILE.csv or --wave KIND:…");
  }
  if (wave.empty()) return recorded(*this);
  return generated(*this);
}

}  // namespace bristle::cli
