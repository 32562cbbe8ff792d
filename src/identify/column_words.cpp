#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bristle/identify/prepare.hpp"

namespace bristle {
namespace {

std::string source_of(const Node& node) {
  if (node["rate"].exists()) {
    return fmt::format("{} samples a second, the first at 0", node["rate"].text());
  }
  std::string text;
  if (node["columns"].exists()) {
    std::vector<std::string> names;
    for (const Node& name : node["columns"].items()) names.push_back(name.text());
    text = fmt::format("columns {}", fmt::join(names, ", "));
  } else {
    text = "column " + node["column"].text();
  }
  for (const char* part : {"index", "row"}) {
    if (node[part].exists()) text += fmt::format(", {} {}", part, node[part].text());
  }
  if (node["unit"].exists()) text += " in " + node["unit"].text();
  if (node["gain"].exists()) text += ", times " + node["gain"].text();
  return text;
}

}  // namespace

std::vector<std::string> column_words(const Node& columns) {
  std::vector<std::string> words;
  for (const auto& [role, node] : columns.entries()) {
    const bool toss = role == "toss";  // the one scalar that names a column
    words.push_back(fmt::format("{}: {}", role,
                                !node.is_scalar() ? source_of(node)
                                : toss            ? "column " + node.text()
                                                  : node.text() + " for all samples"));
  }
  return words;
}

void tell_columns(std::span<Recording> recordings, const Node& data) {
  const std::vector<Node> entries = data.is_map() ? std::vector{data} : data.items();
  std::size_t next = 0;
  for (const Node& entry : entries) {
    const std::vector<std::string> words = column_words(entry["columns"]);
    const std::size_t windows = std::max<std::size_t>(1, entry["windows"].items().size());
    for (std::size_t i = 0; i < windows && next < recordings.size(); ++i, ++next) {
      std::vector<std::string>& steps = recordings[next].steps;
      steps.insert(steps.begin(), words.begin(), words.end());
    }
  }
}

}  // namespace bristle
