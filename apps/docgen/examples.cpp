// Command lines for the pages. What they print is made here by the same calls as in the command;
// a test runs each of them and compares.

#include <cmath>
#include <numbers>
#include <sstream>

#include <fmt/format.h>

#include "bristle/io/csv.hpp"
#include "bristle/solve/prescribed.hpp"
#include "docgen.hpp"

namespace bristle::docgen {
namespace {

std::string csv_of(const Table& table) {
  std::ostringstream text;
  write_csv(text, table);
  return text.str();
}

/// The first lines, with an ellipsis for the others.
std::string beginning(const std::string& text, int lines) {
  std::size_t end = 0;
  for (int i = 0; i < lines && end < text.size(); ++i) end = text.find('\n', end) + 1;
  return text.substr(0, end) + (end < text.size() ? "…\n" : "");
}

struct Sine {
  double amplitude, frequency, duration, step;
};

SlipHistory<1> history_of(const Sine& sine) {
  SlipHistory<1> history;
  const double steps = std::round(sine.duration / sine.step);
  for (double i = 0; i <= steps; ++i) {
    const double t = i * sine.step;
    history.t.push_back(t);
    history.v.emplace_back(sine.amplitude * std::sin(2 * std::numbers::pi * (sine.frequency * t)));
    history.fn.push_back(load);
  }
  return history;
}

Table table_of(const SlipHistory<1>& history, const Trace<1>& trace) {
  Table table;
  const auto add = [&](std::string name, std::vector<double> column) {
    table.names.push_back(std::move(name));
    table.columns.push_back(std::move(column));
  };
  std::vector<double> v, force;
  for (std::size_t k = 0; k < history.t.size(); ++k) {
    v.push_back(history.v[k][0]);
    force.push_back(trace.force[k][0]);
  }
  add("t", history.t);
  add("v", v);
  add("fn", history.fn);
  add("F", force);
  for (std::size_t i = 0; i < trace.columns.size(); ++i) {
    if (!trace.columns[i].of_array) add(trace.columns[i].name, trace.state[i]);
  }
  add("work", trace.work);
  add("stored", trace.stored);
  add("dissipated", trace.dissipated);
  return table;
}

}  // namespace

Example curve_example(const AnyLaw& law) {
  constexpr int points = 9;
  const double range = speed_range(law);
  const bool set_valued = law.info().can(Capability::set_valued);
  const StickSet stick = law.stick_set(load);
  std::vector<double> v, force, least, most;
  for (int i = 0; i < points; ++i) {
    const double up = i, down = points - 1 - i;
    v.push_back((down * -range + up * range) / (up + down));
    force.push_back(law.steady(v.back(), load));
    const bool rests = stick.rests(v.back());
    least.push_back(rests ? stick.min : force.back());
    most.push_back(rests ? stick.max : force.back());
  }
  Table table{.names = {"v", "F"}, .columns = {v, force}};
  if (set_valued) {
    table.names.insert(table.names.end(), {"F_min", "F_max"});
    table.columns.insert(table.columns.end(), {least, most});
  }
  return {fmt::format("bristle curve {0} --v=-{1:g}:{1:g}:{2}", law.name(), range, points),
          csv_of(table)};
}

Example trace_example(const AnyLaw& law) {
  // A sine of the slip that moves the contact to and fro by about four pre-sliding distances.
  const double amplitude = slow_speed(law);
  const double frequency = rounded(amplitude / (4 * std::numbers::pi * presliding_distance(law)));
  const Sine sine{amplitude, frequency, std::stod(fmt::format("{:g}", 2 / frequency)),
                  std::stod(fmt::format("{:g}", 0.01 / frequency))};
  const SlipHistory<1> history = history_of(sine);
  const std::string printed = csv_of(table_of(history, run_prescribed(law, history)));
  return {fmt::format("bristle trace {} --wave sine:{:g}:{:g} --duration {:g} --step {:g} --quiet",
                      law.name(), sine.amplitude, sine.frequency, sine.duration, sine.step),
          beginning(printed, 5)};
}

Example refusal_example() {
  const AnyLaw law(laws_with(Capability::set_valued).front());
  constexpr double speed = 0.01;
  SlipHistory<1> history;
  for (const double t : {0.0, 1e-3}) {
    history.t.push_back(t);
    history.v.emplace_back(speed);
    history.fn.push_back(load);
  }
  Example example{
      fmt::format("bristle trace {} --wave constant:{:g} --method rk4", law.name(), speed), ""};
  try {
    PrescribedOptions options;
    options.method = PrescribedOptions::Method::rk4;
    run_prescribed(law, history, options);
  } catch (const InputError& error) {
    example.output = fmt::format("bristle: {}\n", error.what());
  }
  return example;
}

}  // namespace bristle::docgen
