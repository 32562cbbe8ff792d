#include "bristle/scenario/measurement.hpp"

#include <cmath>
#include <numbers>

#include "bristle/core/names.hpp"
#include "bristle/core/random.hpp"

namespace bristle {
namespace {

/// Box and Muller, from two draws of the stream.
double normal_draw(std::uint64_t seed, std::uint64_t stream, std::uint64_t n) {
  const double u = uniform(seed, stream, 2 * n), v = uniform(seed, stream, 2 * n + 1);
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}

}  // namespace

Measurement read_measurement(const Node& node) {
  Measurement m;
  if (!node.exists()) return m;
  m.seed = static_cast<std::uint64_t>(node["seed"].integer(1, at_least(0)));
  for (const auto& [name, channel] : node["columns"].entries()) {
    m.channels.push_back({name, channel["noise"].number(0, at_least(0)),
                          channel["resolution"].number(0, at_least(0)),
                          channel["offset"].number(0, {})});
  }
  return m;
}

std::vector<Column> measured(const Measurement& measurement, const RunResult& result) {
  std::vector<std::string> names;
  names.reserve(result.columns.size());
  for (const Column& column : result.columns) names.push_back(column.name);
  std::vector<Column> list{result.columns.front()};
  for (std::size_t c = 0; c < measurement.channels.size(); ++c) {
    const Measurement::Channel& channel = measurement.channels[c];
    if (!result.has(channel.column)) {
      throw InputError({.message = "no such column",
                        .key = "measurement.columns",
                        .value = channel.column,
                        .expected = one_of(names),
                        .nearest = nearest_name(channel.column, names)});
    }
    for (const Column& source : result.columns) {
      if (source.name == channel.column) list.push_back(source);
    }
    std::vector<double>& values = list.back().values;
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] += channel.offset;
      if (channel.noise > 0) values[i] += channel.noise * normal_draw(measurement.seed, c, i);
      if (channel.resolution > 0) {
        values[i] = channel.resolution * std::round(values[i] / channel.resolution);
      }
    }
  }
  return list;
}

}  // namespace bristle
