// Tosses from a table.

#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "bristle/core/error.hpp"
#include "bristle/identify/prepare.hpp"
#include "bristle/identify/toss_recipe.hpp"
#include "bristle/io/csv.hpp"

namespace bristle {
namespace {

constexpr std::size_t least_samples = 12;

/// One column in SI: its unit stands in the file or in the task.
std::vector<double> read_column(const Table& table, const std::string& name, const Node& node,
                                const Dimension& wanted) {
  std::vector<double> values = table.at(name);
  std::size_t i = 0;
  while (table.names[i] != name) ++i;
  const bool in_file = table.dimensions[i].has_value();
  if (in_file && *table.dimensions[i] != wanted) {
    throw InputError(
        {.message = fmt::format("the unit of this column is not one of {}", dimension_name(wanted)),
         .file = table.file,
         .key = name});
  }
  const Node unit = node["unit"];
  if (in_file || wanted == dim::none) {
    if (unit.exists()) unit.text();
    return values;
  }
  const Unit given = parse_unit(unit.required(expected_quantity(wanted)).text(), unit.fault(""));
  if (given.dimension != wanted) {
    throw InputError(unit.fault(fmt::format("is no unit of {}", dimension_name(wanted))));
  }
  for (double& x : values) x = given.to_si(x);
  return values;
}

using Columns = std::vector<std::vector<double>>;

Columns read_columns(const Table& table, const Node& node, std::size_t count,
                     const Dimension& wanted) {
  const Node names = node.required("the columns' names")["columns"].required("their names");
  if (names.items().size() != count) {
    throw InputError(names.fault(fmt::format("needs {} columns", count)));
  }
  Columns columns;
  for (const Node& name : names.items()) {
    columns.push_back(read_column(table, name.text(), node, wanted));
  }
  return columns;
}

Vector3 row_of(const Columns& c, std::size_t k) { return {c[0][k], c[1][k], c[2][k]}; }

[[noreturn]] void refuse_row(const Table& table, std::size_t row, std::string message) {
  throw InputError({.message = std::move(message), .file = table.file, .line = table.lines[row]});
}

/// Uniform steps, or the row that is too early or late.
double step_of(const Table& table, const std::vector<double>& t, std::size_t from, std::size_t to) {
  const double step = (t[to - 1] - t[from]) / static_cast<double>(to - from - 1);
  for (std::size_t k = from + 1; k < to; ++k) {
    if (!(std::abs(t[k] - t[k - 1] - step) < 0.01 * step)) {
      refuse_row(table, k,
                 fmt::format("time is not uniform: a step of {:.6g} s among those of "
                             "{:.6g} s",
                             t[k] - t[k - 1], step));
    }
  }
  return step;
}

std::vector<Toss> read_table(const Node& data) {
  const Node file = data["file"].required("a table of tosses");
  const Table table =
      read_csv(std::filesystem::path(file.file()).parent_path() / file.text(), {.blanks = true});
  const Node columns = data["columns"].required("which column is what");
  const std::vector<double> id = table.at(columns["toss"].text("toss"));
  const Node time = columns["time"].required("for example {column: t, unit: s}");
  const std::vector<double> t = read_column(table, time["column"].text(), time, dim::time);
  const Columns x = read_columns(table, columns["position"], 3, dim::length),
                q = read_columns(table, columns["rotation"], 4, dim::none),
                v = read_columns(table, columns["velocity"], 3, dim::speed),
                w = read_columns(table, columns["spin"], 3, dim::angular_speed);
  std::vector<Toss> tosses;
  for (std::size_t from = 0, to = 0; from < id.size(); from = to) {
    while (to < id.size() && id[to] == id[from]) ++to;
    if (to - from < least_samples) {
      refuse_row(table, from, fmt::format("a toss of fewer than {} samples", least_samples));
    }
    Toss toss{.id = static_cast<int>(id[from]), .step = step_of(table, t, from, to)};
    for (std::size_t k = from; k < to; ++k) {
      const Eigen::Quaterniond rotation(q[0][k], q[1][k], q[2][k], q[3][k]);
      if (std::abs(rotation.norm() - 1) > 1e-2) {
        refuse_row(table, k,
                   fmt::format("not a rotation: a quaternion of length {:.4g}", rotation.norm()));
      }
      toss.pose.push_back({row_of(x, k), rotation.normalized()});
      toss.velocity.push_back(row_of(v, k));
      toss.spin.push_back(row_of(w, k));
    }
    tosses.push_back(std::move(toss));
  }
  if (tosses.size() < 8) throw InputError(file.fault("fewer than 8 tosses"));
  return tosses;
}

}  // namespace

TossTask read_tosses(const Document& document) {
  document["recipe"].text("tosses");
  TossTask task;
  task.title = document["title"].text("Tosses of a box");
  const std::vector<double> edges =
      document["edges"].required("three lengths").quantities(dim::length, 3, above(0));
  task.box.edges = {edges[0], edges[1], edges[2]};
  task.box.mass = document["mass"].quantity(dim::mass, above(0));
  task.box.gravity = document["gravity"].quantity(dim::acceleration, 9.81, above(0));
  task.box.plane = document["plane"].quantity(dim::length, 0.0);
  task.held_out = document["held_out"].number(0.5, between(0, 0.9));
  for (const auto& [name, node] : document["compare"].entries()) {
    task.compare.push_back(
        {name, {.mu = node["mu"].number(at_least(0)), .e = node["e"].number(above_to(0, 1))}});
  }
  task.match = document["match"].integer(task.match, at_least(0));
  task.seed = static_cast<std::uint64_t>(document["seed"].integer(1, at_least(0)));
  task.threads = document["threads"].integer(0, between(0, 1024));
  const Node data = document["data"].required("a table of tosses");
  task.file = data["file"].text();
  task.tosses = read_table(data);
  task.steps = column_words(data["columns"]);
  return task;
}

}  // namespace bristle
