#include <cmath>
#include <memory>
#include <numbers>

#include <fmt/format.h>

#include "bristle/io/csv.hpp"
#include "reader.hpp"

namespace bristle::detail {
namespace {

Signal windowed(Signal signal, const Node& node) {
  for (const char* window : {"hold_from", "from", "until"}) {
    if (node["input"].exists() && node[window].exists()) {
      throw InputError(
          node[window].fault("an input cannot be cut in time: whoever sets it decides"));
    }
  }
  if (node["hold_from"].exists()) signal = signal.hold_from(node["hold_from"].quantity(dim::time));
  if (node["from"].exists()) signal = signal.from(node["from"].quantity(dim::time));
  if (node["until"].exists()) signal = signal.until(node["until"].quantity(dim::time));
  return signal;
}

void check_times(const Node& node, const std::vector<double>& t, std::size_t values) {
  if (t.size() < 2 || t.size() != values) {
    throw InputError(node.fault("a table needs as many values as times, and at least two"));
  }
  for (std::size_t k = 1; k < t.size(); ++k) {
    if (!(t[k] > t[k - 1])) throw InputError(node.fault("the times of a table must increase"));
  }
}

/// A column of a CSV file, relative to the scenario's own folder.
Signal from_file(const Node& node) {
  const Table table = read_csv(node["file"].file_path());
  std::vector<double> t = table.at(node["time"].text("t"));
  std::vector<double> values = table.at(node["column"].text());
  check_times(node["file"], t, values.size());
  return Signal::table(std::move(t), std::move(values));
}

Signal read_term(const Node& node, const Dimension& dimension) {
  Signal sum;
  if (node["file"].exists()) {
    sum += from_file(node);
  } else if (node["times"].exists()) {
    std::vector<double> t = node["times"].quantities(dim::time);
    std::vector<double> values = node["values"].quantities(dimension);
    check_times(node["times"], t, values.size());
    sum += Signal::table(std::move(t), std::move(values));
  }
  if (node["input"].exists()) {
    const double start = node["value"].exists() ? node["value"].quantity(dimension) : 0;
    sum += Signal::input(std::make_shared<SignalInput>(
        SignalInput{.name = node["input"].text(), .unit = si_unit(dimension), .start = start}));
  }
  const double from = node["from"].exists() ? node["from"].quantity(dim::time) : 0;
  if (node["value"].exists() && !node["input"].exists()) {
    sum += Signal::constant(node["value"].quantity(dimension));
  }
  if (node["rate"].exists()) {
    sum += Signal::ramp(node["rate"].quantity(dimension / dim::time), from);
  }
  if (node["amplitude"].exists()) {
    const double amplitude = node["amplitude"].quantity(dimension);
    const double frequency =
        node["omega"].exists() ? node["omega"].quantity(dim::angular_speed) / (2 * std::numbers::pi)
                               : node["frequency"].quantity(dim::frequency, at_least(0));
    sum += Signal::sine(amplitude, frequency, node["phase"].quantity(dim::angle, 0), from);
  }
  return windowed(sum, node);
}

}  // namespace

Signal read_signal(const Node& node, const Dimension& dimension) {
  if (node.is_scalar()) return Signal::constant(node.quantity(dimension));
  if (node.is_list()) {
    Signal sum;
    for (const Node& item : node.items()) sum += read_signal(item, dimension);
    return sum;
  }
  return read_term(node, dimension);
}

}  // namespace bristle::detail
