#include "bristle/io/document.hpp"

#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "bristle/core/names.hpp"
#include "document_tree.hpp"

namespace bristle {
namespace {

using detail::Cell;
using detail::CellPtr;
using detail::Form;

[[noreturn]] void refuse(Fault where, std::string message, std::string expected = {}) {
  where.message = std::move(message);
  where.expected = std::move(expected);
  throw InputError(std::move(where));
}

CellPtr make_value(std::string_view value, int depth, const Fault& where) {
  detail::require_text(value, where);
  const bool flow = value.starts_with('[') || value.starts_with('{');
  return flow ? detail::load_value(value, depth, where) : detail::make_scalar(value);
}

CellPtr& element(Cell& list, std::string_view part, const Fault& where) {
  std::size_t i = 0;
  const char* const end = part.data() + part.size();
  const auto [stop, error] = std::from_chars(part.data(), end, i);
  const std::size_t count = list.children.size();
  if (error == std::errc() && stop == end && i < count) return list.children[i];
  const std::string range = count == 1 ? "0" : fmt::format("a number from 0 to {}", count - 1);
  refuse(where, fmt::format("no element {} in a list of {}", quote(part), count),
         count == 0 ? "" : range);
}

// The child of that name, made when there is none.
CellPtr& entry(Cell& map, std::string_view name, const Fault& where) {
  if (map.form == Form::null) {
    map.form = Form::map;
    map.keys = std::make_unique<detail::Keys>();
  }
  if (!map.find(name)) {
    detail::require_text(name, where);
    detail::require_key(name, where);
    map.add(std::string(name), detail::make_cell(Form::null, nullptr, 0));
  }
  return map.children[map.keys->places.find(name)->second];
}

CellPtr& descend(Cell& cell, std::string_view part, std::string_view path, const Fault& where) {
  if (cell.form == Form::list) return element(cell, part, where);
  if (cell.form != Form::scalar) return entry(cell, part, where);
  const std::string_view above =
      path.substr(0, static_cast<std::size_t>(part.data() - path.data()) - 1);
  refuse(where,
         fmt::format("{} is one value, {}, and has no keys", quote(above), quote(cell.text)));
}

}  // namespace

Document::Document() : root_(detail::make_cell(Form::map, nullptr, 0)) {}
Document::Document(const Document& other) : root_(detail::clone(*other.root_)) {}
Document& Document::operator=(const Document& other) {
  if (this != &other) root_ = detail::clone(*other.root_);
  return *this;
}

Document Document::read(const std::filesystem::path& path, const FindInclude& find_include) {
  return Document(detail::load_file(path, find_include));
}

Document Document::parse(std::string_view text, const std::string& file_name,
                         const FindInclude& find_include) {
  return Document(detail::load_text(text, file_name, find_include));
}

Node Document::root() const {
  Node node;
  node.cell_ = node.place_ = root_;
  return node;
}

void Document::set(std::string_view path, std::string_view value) {
  value = trimmed(value);
  const Fault where{.key = std::string(path), .value = std::string(value)};
  put(path, where, [&](int depth) { return make_value(value, depth, where); });
}

void Document::set_text(std::string_view path, std::string_view text) {
  const Fault where{.key = std::string(path), .value = std::string(text)};
  detail::require_text(text, where);
  put(path, where, [&](int) {
    CellPtr cell = detail::make_cell(Form::scalar, nullptr, 0);
    cell->text = text;
    return cell;
  });
}

void Document::put(std::string_view path, const Fault& where, const MakeCell& make) {
  // Worked out on a copy: a path that is refused half-way must not leave maps behind.
  CellPtr root = detail::clone(*root_);
  CellPtr* place = &root;
  int depth = 0;
  for (std::string_view rest = path;;) {
    if (++depth > detail::max_depth) refuse(where, "maps and lists nested too deeply");
    const bool whole = (*place)->find(rest) != nullptr;  // a key may hold dots
    const std::size_t dot = whole ? std::string_view::npos : rest.find('.');
    place = &descend(**place, rest.substr(0, dot), path, where);
    if (dot == std::string_view::npos) break;
    rest.remove_prefix(dot + 1);
  }
  *place = make(depth);
  root_ = std::move(root);
}

namespace {

void remove_below(Cell& cell, std::string_view path) {
  if (cell.form == Form::map && cell.find(path) != nullptr) return cell.remove(path);
  const std::size_t dot = path.find('.');
  if (dot == std::string_view::npos) return;
  const std::string_view name = path.substr(0, dot);
  CellPtr child = cell.find(name);
  if (cell.form == Form::list) child = element(cell, name, {.key = std::string(path)});
  if (child == nullptr) return;
  remove_below(*child, path.substr(dot + 1));
  if (cell.form == Form::map && child->form == Form::map && child->children.empty()) {
    cell.remove(name);
  }
}

}  // namespace

void Document::remove(std::string_view path) {
  CellPtr root = detail::clone(*root_);
  remove_below(*root, path);
  root_ = std::move(root);
}

void Document::merge(const Document& below) {
  detail::fill_in(*root_, *detail::clone(*below.root_));
}

namespace {

void fill_cell(detail::Cell& cell, const detail::Cell* values, const std::string& path) {
  for (std::size_t i = 0; i < cell.children.size(); ++i) {
    const std::string name = cell.keys ? cell.keys->names[i] : std::to_string(i);
    fill_cell(*cell.children[i], values, detail::joined(path, name));
  }
  if (cell.form != detail::Form::scalar || !cell.text.starts_with('$')) return;
  std::string name = cell.text.substr(1);
  CellPtr value = values == nullptr ? nullptr : values->find(name);
  // A parameter may stand for another one, in a chain that ends.
  for (int i = 0; i < 10 && value != nullptr && value->text.starts_with('$'); ++i) {
    name = value->text.substr(1);
    value = values->find(name);
  }
  if (value != nullptr && value->form == detail::Form::scalar) {
    cell.text = value->text;
    return;
  }
  const bool empty = value != nullptr && value->form == detail::Form::null;
  Fault fault{.message = empty ? "the parameter has no value" : "no such parameter",
              .file = cell.file ? *cell.file : "",
              .line = cell.line,
              .key = path,
              .value = cell.text};
  if (!empty && values != nullptr && values->keys != nullptr) {
    fault.expected = one_of(values->keys->names);
    fault.nearest = nearest_name(name, values->keys->names);
  }
  throw InputError(fault);
}

}  // namespace

void Document::fill_parameters(std::string_view section) {
  const CellPtr values = root_->find(section);
  const CellPtr kept = values == nullptr ? nullptr : detail::clone(*values);
  fill_cell(*root_, kept.get(), "");
}

std::string Document::dump() const { return detail::dump(*root_); }

}  // namespace bristle
