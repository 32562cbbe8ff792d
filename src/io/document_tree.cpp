#include "document_tree.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace bristle::detail {

CellPtr Cell::find(std::string_view key) const {
  if (form != Form::map) return nullptr;
  const auto place = keys->places.find(key);
  return place == keys->places.end() ? nullptr : children[place->second];
}

CellPtr Cell::ask(std::string_view key) {
  if (form != Form::map) return nullptr;
  const auto place = keys->places.find(key);
  if (place == keys->places.end()) {
    const bool known =
        std::find(keys->wanted.begin(), keys->wanted.end(), key) != keys->wanted.end();
    if (!known) keys->wanted.emplace_back(key);
    return nullptr;
  }
  if (!keys->asked[place->second]) keys->wanted.emplace_back(key);
  keys->asked[place->second] = true;
  return children[place->second];
}

void Cell::add(std::string name, CellPtr child) {
  keys->places.emplace(name, children.size());
  keys->names.push_back(std::move(name));
  keys->asked.push_back(false);
  children.push_back(std::move(child));
}

void Cell::remove(std::string_view key) {
  const auto place = keys->places.find(key);
  if (place == keys->places.end()) return;
  const auto i = static_cast<std::ptrdiff_t>(place->second);
  keys->places.erase(place);
  keys->names.erase(keys->names.begin() + i);
  keys->asked.erase(keys->asked.begin() + i);
  children.erase(children.begin() + i);
  for (auto& [name, at] : keys->places) at -= at > static_cast<std::size_t>(i) ? 1 : 0;
}

CellPtr make_cell(Form form, FileName file, int line) {
  auto cell = std::make_shared<Cell>();
  cell->form = form;
  cell->file = std::move(file);
  cell->line = line;
  if (form == Form::map) cell->keys = std::make_unique<Keys>();
  return cell;
}

CellPtr make_scalar(std::string_view text) {
  CellPtr cell = make_cell(is_null_word(text) ? Form::null : Form::scalar, nullptr, 0);
  if (cell->form == Form::scalar) cell->text = text;
  return cell;
}

bool is_null_word(std::string_view text) {
  constexpr std::array<std::string_view, 5> words{"", "~", "null", "Null", "NULL"};
  return std::find(words.begin(), words.end(), text) != words.end();
}

CellPtr clone(const Cell& cell) {
  CellPtr copy = make_cell(cell.form, cell.file, cell.line);
  copy->text = cell.text;
  copy->found = cell.found;
  for (std::size_t i = 0; i < cell.children.size(); ++i) {
    CellPtr child = clone(*cell.children[i]);
    if (cell.form == Form::map) copy->add(cell.keys->names[i], std::move(child));
    if (cell.form == Form::list) copy->children.push_back(std::move(child));
  }
  return copy;
}

// A key without value reads as an empty map where a map is wanted, so it takes in a map as one.
void fill_in(Cell& above, const Cell& below) {
  if (below.form != Form::map) return;
  if (above.form == Form::null) {
    above.form = Form::map;
    above.keys = std::make_unique<Keys>();
  }
  if (above.form != Form::map) return;
  for (std::size_t i = 0; i < below.children.size(); ++i) {
    const std::string& name = below.keys->names[i];
    if (const CellPtr own = above.find(name)) {
      fill_in(*own, *below.children[i]);
    } else {
      above.add(name, below.children[i]);
    }
  }
}

Size measure_text(std::string_view text) { return {1 + text.size() / 64, 1}; }

Size measure(const Cell& cell) {
  Size size = measure_text(cell.text);
  int below = 0;
  for (const CellPtr& child : cell.children) {
    const Size part = measure(*child);
    size.cells += part.cells;
    below = std::max(below, part.height);
  }
  size.height += below;
  return size;
}

std::string joined(std::string_view path, std::string_view name) {
  return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
}

void require_key(std::string_view key, const Fault& where) {
  Fault fault = where;
  if (key.empty()) {
    fault.message = "a key without a name";
  } else if (key.size() > max_key) {
    fault.message = fmt::format("key of {} bytes", key.size());
    fault.expected = fmt::format("at most {} bytes", max_key);
  } else {
    return;
  }
  throw InputError(std::move(fault));
}

// ---- dump
// ----------------------------------------------------------------------------------------
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// What can stand without quotes anywhere, also between brackets; rather too few than one too many.
bool is_plain(std::string_view text) {
  if (is_null_word(text) || text.back() == ' ') return false;
  const char first = text.front();
  const bool signed_number =
      (first == '-' || first == '+' || first == '.') && text.size() > 1 && is_digit(text[1]);
  const bool starts = is_letter(first) || is_digit(first) || first == '_' || first == '/';
  if (!starts && !signed_number) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    constexpr std::string_view others = "_ ./+-^*()%";
    return is_letter(c) || is_digit(c) || others.find(c) != std::string_view::npos;
  });
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else if (byte < 0x20 || byte == 0x7f) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string scalar_text(std::string_view text) {
  return is_plain(text) ? std::string(text) : quoted(text);
}

bool is_leaf(const Cell& cell) { return cell.form == Form::null || cell.form == Form::scalar; }

bool fits_brackets(const Cell& cell) {
  if (cell.form == Form::map) return cell.children.empty();
  return std::all_of(cell.children.begin(), cell.children.end(),
                     [](const CellPtr& child) { return is_leaf(*child); });
}

std::string inline_text(const Cell& cell) {
  if (cell.form == Form::null) return "null";
  if (cell.form == Form::scalar) return scalar_text(cell.found.empty() ? cell.text : cell.found);
  if (cell.form == Form::map) return "{}";
  std::string text = "[";
  for (const CellPtr& child : cell.children) {
    text += (text.size() > 1 ? ", " : "") + inline_text(*child);
  }
  return text + "]";
}

void write_block(const Cell& cell, std::size_t indent, bool at_dash, std::string& out);

// After "key:" or "-".
void write_child(const Cell& cell, std::size_t indent, bool in_list, std::string& out) {
  if (fits_brackets(cell)) {
    out += " " + inline_text(cell) + "\n";
    return;
  }
  out += in_list ? " " : "\n";
  write_block(cell, indent + 2, in_list, out);
}

// The first line stands behind a dash when the block is an element of a list.
void write_block(const Cell& cell, std::size_t indent, bool at_dash, std::string& out) {
  const bool list = cell.form == Form::list;
  for (std::size_t i = 0; i < cell.children.size(); ++i) {
    if (i > 0 || !at_dash) out += std::string(indent, ' ');
    out += list ? "-" : scalar_text(cell.keys->names[i]) + ":";
    write_child(*cell.children[i], indent, list, out);
  }
}

}  // namespace

std::string dump(const Cell& root) {
  if (root.children.empty()) return "{}\n";
  std::string out;
  write_block(root, 0, false, out);
  return out;
}

}  // namespace bristle::detail
