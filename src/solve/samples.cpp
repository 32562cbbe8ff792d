#include "samples.hpp"

#include "bristle/core/index.hpp"
#include "bristle/core/names.hpp"

namespace bristle::detail {

std::size_t column_at(const std::vector<Column>& columns, std::string_view name, std::string key) {
  std::vector<std::string> names;
  for (const Column& column : columns) {
    if (column.name == name) return names.size();
    names.push_back(column.name);
  }
  throw InputError({.message = "no such column",
                    .key = std::move(key),
                    .value = std::string(name),
                    .expected = one_of(names),
                    .nearest = nearest_name(name, names)});
}

Samples::Samples(std::vector<Column> columns, const RunOptions& options)
    : columns_(std::move(columns)),
      duration_(options.duration),
      interval_(options.duration / options.samples),
      count_(options.samples) {
  for (Column& column : columns_) column.values.reserve(at(options.samples) + 1);
}

}  // namespace bristle::detail
