#include <algorithm>

#include <fmt/format.h>

#include "page_detail.hpp"

namespace bristle::plot_detail {
namespace {

std::string_view without_prefix(std::string_view text, std::string_view prefix) {
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

bool is_placeholder(std::string_view cell) {
  constexpr std::array<std::string_view, 8> known = {"", "-", "–", "—", "−", "n/a", "nan", "null"};
  return std::find(known.begin(), known.end(), cell) != known.end();
}

/// Starts as a number and holds no letters but those of 1e-3: "−1.5×10⁻⁴", "0.3 ± 0.1", "12 %".
bool is_number(std::string_view cell) {
  for (const char* prefix : {"<", ">", "≤", "≥", "≈", "+", "-", "−", "±"}) {
    cell = without_prefix(cell, prefix);
  }
  cell = without_prefix(cell, " ");
  if (cell == "inf" || cell == "∞") return true;
  if (cell.find_first_of("0123456789.") != 0) return false;
  return std::none_of(cell.begin(), cell.end(), [](char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return letter && c != 'e' && c != 'E';
  });
}

std::size_t column_count(const PageTable& table) {
  std::size_t count = table.heads.size();
  for (const auto& row : table.rows) count = std::max(count, row.size());
  return count;
}

const std::string& cell_of(const std::vector<std::string>& row, std::size_t column) {
  static const std::string empty;
  return column < row.size() ? row[column] : empty;
}

/// The class of its cells: n for numbers, w for text so long that it is better wrapped.
const char* column_class(const PageTable& table, std::size_t column) {
  bool numbers = false, text = false, wide = false;
  for (const auto& row : table.rows) {
    const std::string& cell = cell_of(row, column);
    if (is_placeholder(cell)) continue;
    (is_number(cell) ? numbers : text) = true;
    wide = wide || text_width(cell, 1.0) > 24.0;  // some 40 letters
  }
  if (numbers && !text) return " class=\"n\"";
  return wide ? " class=\"w\"" : "";
}

std::string row_element(const std::vector<std::string>& row,
                        const std::vector<const char*>& classes, std::string_view kind,
                        std::string_view scope) {
  std::string out = "<tr>";
  for (std::size_t i = 0; i < classes.size(); ++i) {
    out +=
        fmt::format("<{0}{1}{2}>{3}</{0}>", kind, scope, classes[i], escape_xml(cell_of(row, i)));
  }
  return out + "</tr>\n";
}

}  // namespace

// The box scrolls when the table is wide, by keys too, so that the page never does.
std::string table_element(const PageTable& table) {
  std::vector<const char*> classes(column_count(table));
  for (std::size_t i = 0; i < classes.size(); ++i) classes[i] = column_class(table, i);
  std::string out =
      fmt::format("<div class=\"box\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n<table>\n",
                  escape_xml(table.title.empty() ? "Table" : table.title));
  out += element("caption", table.title);
  if (!table.heads.empty()) {
    out += "<thead>\n" + row_element(table.heads, classes, "th", " scope=\"col\"") + "</thead>\n";
  }
  out += "<tbody>\n";
  for (const auto& row : table.rows) out += row_element(row, classes, "td", "");
  return out + "</tbody>\n</table>\n</div>\n";
}

}  // namespace bristle::plot_detail
