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

const Column& column_of(const RunResult& result, const std::string& wanted) {
  std::vector<std::string> names;
  names.reserve(result.columns.size());
  for (const Column& column : result.columns) {
    if (column.name == wanted) return column;
    names.push_back(column.name);
  }
  throw InputError({.message = "no such column",
                    .key = "measurement.columns",
                    .value = wanted,
                    .expected = one_of(names),
                    .nearest = nearest_name(wanted, names)});
}

/// What the sensor of a channel feels, before its own faults.
Column felt(const Measurement::Channel& channel, const RunResult& result) {
  if (channel.sum.empty()) return column_of(result, channel.column);
  Column total = column_of(result, channel.sum.front());
  total.name = channel.column;
  for (std::size_t k = 1; k < channel.sum.size(); ++k) {
    const Column& more = column_of(result, channel.sum[k]);
    if (more.unit != total.unit) {
      throw InputError({.message = "a sum of unlike quantities",
                        .key = "measurement.columns." + channel.column,
                        .value = more.name,
                        .expected = "a column in " + total.unit});
    }
    for (std::size_t i = 0; i < more.values.size(); ++i) total.values[i] += more.values[i];
  }
  return total;
}

}  // namespace

Measurement read_measurement(const Node& node) {
  Measurement m;
  if (!node.exists()) return m;
  m.seed = static_cast<std::uint64_t>(node["seed"].integer(1, at_least(0)));
  for (const auto& [name, channel] : node["columns"].entries()) {
    std::vector<std::string> sum;
    for (const Node& item : channel["sum"].items()) sum.push_back(item.text());
    m.channels.push_back({name, channel["noise"].number(0, at_least(0)),
                          channel["resolution"].number(0, at_least(0)),
                          channel["offset"].number(0, {}), std::move(sum)});
  }
  return m;
}

std::vector<Column> measured(const Measurement& measurement, const RunResult& result) {
  std::vector<Column> list{result.columns.front()};
  for (std::size_t c = 0; c < measurement.channels.size(); ++c) {
    const Measurement::Channel& channel = measurement.channels[c];
    list.push_back(felt(channel, result));
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
