#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "bristle/core/names.hpp"
#include "document_tree.hpp"

namespace bristle {
namespace {

using detail::Form;

constexpr const char* a_map = "a map of keys to values";
constexpr const char* one_value = "one number, word or quantity such as '5 mm/s'";

// "more than 0 kg", "at least 0 and at most 1".
std::string range_text(const Range& range, const std::string& unit) {
  const std::string after = unit == "1" ? "" : " " + unit;
  std::string text;
  if (range.min > -infinity) {
    text = fmt::format("{} {}{}", range.min_open ? "more than" : "at least", range.min, after);
  }
  if (range.max < infinity) {
    text += fmt::format("{}{} {}{}", text.empty() ? "" : " and ",
                        range.max_open ? "less than" : "at most", range.max, after);
  }
  return text;
}

std::optional<bool> flag_value(std::string word) {
  for (char& c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (word == "true" || word == "yes" || word == "on") return true;
  if (word == "false" || word == "no" || word == "off") return false;
  return std::nullopt;
}

std::string values(std::size_t count) {
  return fmt::format("{} {}", count, count == 1 ? "value" : "values");
}

}  // namespace

bool Node::is_map() const noexcept { return cell_ && cell_->form == Form::map; }
bool Node::is_list() const noexcept { return cell_ && cell_->form == Form::list; }
bool Node::is_scalar() const noexcept { return cell_ && !is_map() && !is_list(); }
bool Node::has_value() const noexcept { return cell_ && cell_->form == Form::scalar; }

std::string Node::file() const { return place_ && place_->file ? *place_->file : ""; }
int Node::line() const noexcept { return place_ ? place_->line : 0; }

Fault Node::fault(std::string message) const {
  return {.message = std::move(message),
          .file = file(),
          .line = line(),
          .key = path_,
          .value = cell_ ? cell_->text : ""};
}

void Node::refuse(std::string message, std::string expected, std::string nearest) const {
  Fault fault = this->fault(std::move(message));
  fault.expected = std::move(expected);
  fault.nearest = std::move(nearest);
  throw InputError(std::move(fault));
}

// It is there, or not, but not as what was expected.
void Node::refuse_kind(std::string expected) const {
  const char* const found = !exists()     ? "missing"
                            : is_map()    ? "a map"
                            : is_list()   ? "a list"
                            : has_value() ? "one value"
                                          : "no value";
  refuse(found, std::move(expected));
}

Node Node::required(std::string expected) const {
  if (!exists()) refuse_kind(std::move(expected));
  return *this;
}

// ---- maps and lists
// ------------------------------------------------------------------------------

Node Node::child(std::string_view name, CellPtr cell) const {
  Node node;
  node.place_ = cell ? cell : place_;
  node.cell_ = std::move(cell);
  node.path_ = detail::joined(path_, name);
  node.name_at_ = node.path_.size() - name.size();
  return node;
}

Node Node::child(std::size_t i) const {
  return child(is_map() ? cell_->keys->names[i] : std::to_string(i), cell_->children[i]);
}

Node Node::operator[](std::string_view key) const {
  if (is_list() || has_value()) refuse_kind(a_map);
  return child(key, is_map() ? cell_->ask(key) : nullptr);
}

std::vector<Node> Node::items() const {
  if (is_map() || has_value()) refuse_kind("a list");
  std::vector<Node> nodes;
  if (!is_list()) return nodes;
  nodes.reserve(cell_->children.size());
  for (std::size_t i = 0; i < cell_->children.size(); ++i) nodes.push_back(child(i));
  return nodes;
}

std::vector<std::pair<std::string, Node>> Node::entries() const {
  if (is_list() || has_value()) refuse_kind(a_map);
  std::vector<std::pair<std::string, Node>> nodes;
  if (!is_map()) return nodes;
  for (const std::string& name : cell_->keys->names) nodes.emplace_back(name, (*this)[name]);
  return nodes;
}

std::vector<Setting> Node::settings(std::initializer_list<std::string_view> except) const {
  if (is_list() || has_value()) refuse_kind(a_map);
  std::vector<Setting> settings;
  if (!is_map()) return settings;
  for (const std::string& name : cell_->keys->names) {
    const bool skipped = std::find(except.begin(), except.end(), name) != except.end();
    if (!skipped) (*this)[name].collect(path_.empty() ? 0 : path_.size() + 1, settings);
  }
  return settings;
}

void Node::collect(std::size_t skip, std::vector<Setting>& settings) const {
  if (is_map()) {
    for (const auto& [name, node] : entries()) node.collect(skip, settings);
    return;
  }
  if (is_list()) {  // one text, as on a command line
    std::string text;
    for (const Node& item : items()) text += (text.empty() ? "" : ", ") + item.scalar(one_value);
    settings.push_back({path_.substr(skip), "[" + text + "]", file(), line()});
    return;
  }
  const std::string& value = scalar(one_value);
  settings.push_back({path_.substr(skip), value, file(), line()});
}

void Node::finish() const {
  if (!is_map() && !is_list()) return;
  for (std::size_t i = 0; i < cell_->children.size(); ++i) {
    const Node node = child(i);
    if (is_map() && !cell_->keys->asked[i]) {
      const std::vector<std::string>& wanted = cell_->keys->wanted;
      node.refuse("unknown key", wanted.empty() ? "" : one_of(wanted),
                  nearest_name(node.name(), wanted));
    }
    node.finish();
  }
}

// ---- values
// --------------------------------------------------------------------------------------

const std::string& Node::scalar(const std::string& expected) const {
  if (!has_value()) refuse_kind(expected);
  return cell_->text;
}

double Node::quantity(const Dimension& dimension, const Range& range) const {
  const double value = parse_quantity(scalar(expected_quantity(dimension)), dimension, fault(""));
  if (!range.contains(value)) refuse("out of range", range_text(range, si_unit(dimension)));
  return value;
}

double Node::quantity(const Dimension& dimension, double fallback, const Range& range) const {
  return exists() ? quantity(dimension, range) : fallback;
}

double Node::number(double fallback, const Range& range) const {
  return exists() ? number(range) : fallback;
}

int Node::integer(const Range& range) const {
  constexpr const char* expected = "a whole number";
  Fault where = fault("");
  where.expected = expected;
  const double value = parse_quantity(scalar(expected), dim::none, where);
  if (value != std::floor(value)) refuse("not a whole number", expected);
  if (!range.contains(value)) refuse("out of range", range_text(range, "1"));
  using Limits = std::numeric_limits<int>;
  if (value < Limits::min() || value > Limits::max()) refuse("too large", expected);
  return static_cast<int>(value);
}

int Node::integer(int fallback, const Range& range) const {
  return exists() ? integer(range) : fallback;
}

bool Node::flag() const {
  constexpr const char* expected = "true or false";
  const std::optional<bool> value = flag_value(scalar(expected));
  if (!value) refuse("neither true nor false", expected);
  return *value;
}

bool Node::flag(bool fallback) const { return exists() ? flag() : fallback; }

std::string Node::text() const { return scalar("a word or text"); }

std::string Node::text(std::string_view fallback) const {
  return exists() ? text() : std::string(fallback);
}

std::filesystem::path Node::file_path() const {
  namespace fs = std::filesystem;
  fs::path path = text();
  if (path.is_relative() && !file().empty()) path = fs::path(file()).parent_path() / path;
  std::error_code error;
  if (fs::is_regular_file(path, error)) {
    cell_->found = fs::absolute(path, error).lexically_normal().string();
  }
  return path;
}

std::string Node::word(const std::vector<std::string>& choices) const {
  const std::string& value = scalar(one_of(choices));
  if (std::find(choices.begin(), choices.end(), value) == choices.end()) {
    refuse("no such choice", one_of(choices), nearest_name(value, choices));
  }
  return value;
}

std::string Node::word(const std::vector<std::string>& choices, std::string_view fallback) const {
  return exists() ? word(choices) : std::string(fallback);
}

std::vector<double> Node::quantities(const Dimension& dimension, std::size_t count,
                                     const Range& range) const {
  if (!is_list() && !is_scalar()) refuse_kind("a list, each " + expected_quantity(dimension));
  std::vector<double> result;
  if (is_list()) {
    for (const Node& item : items()) result.push_back(item.quantity(dimension, range));
  } else {
    result.push_back(quantity(dimension, range));
  }
  if (count != any_count && result.size() != count) refuse(values(result.size()), values(count));
  return result;
}

std::vector<double> Node::quantities(const Dimension& dimension, std::size_t count,
                                     const Range& range, std::vector<double> fallback) const {
  return exists() ? quantities(dimension, count, range) : std::move(fallback);
}

}  // namespace bristle
