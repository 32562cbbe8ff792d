#include "bristle/io/csv.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <ostream>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "bristle/core/error.hpp"
#include "bristle/core/input_file.hpp"
#include "bristle/core/names.hpp"
#include "bristle/core/unit.hpp"

namespace bristle {
namespace {

struct HeaderCell {
  std::string text;
  bool quoted = false;
};

std::string cells(std::size_t count) {
  return fmt::format("{} {}", count, count == 1 ? "cell" : "cells");
}

// Most frequent separator outside quotes; a tab or semicolon wins a tie, as a comma may belong to a
// name.
char separator_of(std::string_view header) {
  std::size_t tabs = 0;
  std::size_t semicolons = 0;
  std::size_t commas = 0;
  bool in_quotes = false;
  for (const char c : header) {
    if (c == '"') in_quotes = !in_quotes;
    if (in_quotes) continue;
    tabs += c == '\t' ? 1 : 0;
    semicolons += c == ';' ? 1 : 0;
    commas += c == ',' ? 1 : 0;
  }
  const std::size_t most = std::max({tabs, semicolons, commas});
  if (most == 0 || (commas == most && tabs < most && semicolons < most)) return ',';
  return tabs == most ? '\t' : ';';
}

constexpr char blanks = ' ';  // as a separator: any number of spaces and tabs

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// Cells between blanks, which may not stand in a name; a unit in brackets belongs to the name
// before it.
std::vector<HeaderCell> split_blanks(std::string_view header) {
  std::vector<HeaderCell> result;
  bool in_brackets = false;
  bool in_cell = false;
  for (const char c : header) {
    if (c == '[') {
      in_brackets = true;
      if (!in_cell && !result.empty()) in_cell = true;
    }
    if (is_blank(c) && !in_brackets) {
      in_cell = false;
      continue;
    }
    if (!in_cell) result.emplace_back();
    in_cell = true;
    result.back().text += c;
    if (c == ']') in_brackets = false;
  }
  return result;
}

bool is_number(std::string_view text) {
  const NumberScan scan = scan_number(text);
  return scan.state == NumberState::good && scan.length == text.size();
}

bool has_control(std::string_view text) {
  for (; !text.empty(); text.remove_prefix(1)) {
    if (is_control(text)) return true;
  }
  return false;
}

class CsvParser {
 public:
  CsvParser(std::string_view text, std::string file, const TextLayout& layout)
      : rest_(text), layout_(layout), only_(layout.only.begin(), layout.only.end()) {
    table_.file = std::move(file);
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (rest_.starts_with(byte_order_mark)) rest_.remove_prefix(byte_order_mark.size());
  }

  Table parse() {
    std::string_view row;
    if (!next_row(row)) {
      fail({.message = "empty file", .expected = "a row of column names, then numbers"});
    }
    const bool bare = parse_header(row);
    require_wanted();
    reserve();
    if (bare) parse_row(row);
    while (next_row(row)) parse_row(row);
    return std::move(table_);
  }

 private:
  [[noreturn]] void fail(Fault fault) const {
    fault.file = table_.file;
    throw InputError(std::move(fault));
  }

  // The next line that is neither blank nor a comment; false at the end. Blanks at the ends stay,
  // for with a tab as the separator they are cells.
  bool next_row(std::string_view& row) {
    while (!rest_.empty()) {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      row = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++line_;
      if (row.ends_with('\r')) row.remove_suffix(1);
      const std::string_view content = trimmed(row);
      if (!content.empty() && content.front() != '#') return true;
    }
    return false;
  }

  // True if the row names no columns but is the first one of numbers.
  bool parse_header(std::string_view header) {
    separator_ = separator_of(header);
    if (layout_.blanks && header.find_first_of(",;\t") == std::string_view::npos) {
      separator_ = blanks;
    }
    std::vector<HeaderCell> cells = split_header(header);
    if (cells.size() > limits::columns) {
      fail({.message = fmt::format("a table of {} columns", cells.size()),
            .line = line_,
            .expected = fmt::format("at most {}", limits::columns)});
    }
    const bool bare = layout_.bare && std::all_of(cells.begin(), cells.end(), [](const auto& cell) {
                        return !cell.quoted && is_number(trimmed(cell.text));
                      });
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (bare) cells[i] = {.text = std::to_string(i + 1), .quoted = true};
      add_column(cells[i]);
    }
    return bare;
  }

  void require_wanted() const {
    for (const std::string& name : layout_.only) {
      if (known_names_.contains(name)) continue;
      fail({.message = "no such column",
            .key = name,
            .expected = one_of(all_names_),
            .nearest = nearest_name(name, all_names_)});
    }
  }

  bool wanted(const std::string& name) const { return only_.empty() || only_.contains(name); }

  std::vector<HeaderCell> split_header(std::string_view header) const {
    if (separator_ == blanks) return split_blanks(header);
    std::vector<HeaderCell> result(1);
    bool in_quotes = false;
    for (std::size_t i = 0; i < header.size(); ++i) {
      const char c = header[i];
      if (c == '"') {
        const bool doubled = in_quotes && i + 1 < header.size() && header[i + 1] == '"';
        if (doubled) result.back().text += header[++i];
        if (!doubled) in_quotes = !in_quotes;
        result.back().quoted = true;
      } else if (c == separator_ && !in_quotes) {
        result.emplace_back();
      } else {
        result.back().text += c;
      }
    }
    if (in_quotes) {
      fail({.message = "a quote is opened in the header and never closed",
            .line = line_,
            .value = std::string(header)});
    }
    return result;
  }

  void add_column(const HeaderCell& cell) {
    const std::string_view text = trimmed(cell.text);
    const std::size_t bracket = text.find('[');
    const std::string name(trimmed(text.substr(0, bracket)));
    require_name(name, cell);
    all_names_.push_back(name);
    read_.push_back(wanted(name));
    if (!read_.back()) return;
    const std::string_view in_brackets =
        bracket == std::string_view::npos ? std::string_view() : text.substr(bracket);
    units_.push_back(in_brackets.empty() ? Unit{} : bracketed_unit(name, in_brackets));
    table_.dimensions.push_back(in_brackets.empty() ? std::nullopt
                                                    : std::optional(units_.back().dimension));
    table_.units.push_back(in_brackets.empty() ? std::string() : unit_text(in_brackets));
    table_.names.push_back(name);
    table_.columns.emplace_back();
  }

  void require_name(const std::string& name, const HeaderCell& cell) {
    if (name.empty()) {
      fail({.message = fmt::format("column {} has no name", all_names_.size() + 1),
            .line = line_,
            .value = cell.text});
    }
    if (has_control(name)) {
      fail({.message = "a control character in the name of a column",
            .line = line_,
            .value = cell.text});
    }
    if (!cell.quoted && is_number(name)) {
      fail({.message = "the first row holds a number where it must name a column",
            .line = line_,
            .value = name,
            .expected = "a row of column names, then numbers"});
    }
    if (!known_names_.insert(name).second) {
      fail({.message = "duplicate column", .line = line_, .key = name, .value = cell.text});
    }
  }

  Unit bracketed_unit(const std::string& name, std::string_view text) const {
    if (text.back() != ']') {
      fail({.message = "a unit in brackets must end the column's name",
            .line = line_,
            .key = name,
            .value = std::string(text),
            .expected = fmt::format("a name such as '{} [mm]'", name)});
    }
    const std::string_view inside = trimmed(text.substr(1, text.size() - 2));
    if (inside.empty() || inside == "-") return {};
    return parse_unit(inside, {.file = table_.file, .line = line_, .key = name});
  }

  static std::string unit_text(std::string_view in_brackets) {
    const std::string_view inside = trimmed(in_brackets.substr(1, in_brackets.size() - 2));
    return inside.empty() || inside == "-" ? "1" : std::string(inside);
  }

  // A row takes at least two bytes per cell, which keeps a file of blank lines from claiming
  // memory.
  void reserve() {
    const auto line_count = static_cast<std::size_t>(std::count(rest_.begin(), rest_.end(), '\n'));
    const std::size_t most = rest_.size() / (2 * all_names_.size()) + 1;
    most_rows_ = limits::values / std::max<std::size_t>(table_.columns.size(), 1);
    const std::size_t row_count = std::min({line_count + 1, most, most_rows_});
    for (std::vector<double>& column : table_.columns) column.reserve(row_count);
    table_.lines.reserve(row_count);
  }

  void parse_row(std::string_view row) {
    if (table_.lines.size() >= most_rows_) {
      fail({.message =
                fmt::format("more than {} rows of {} columns", most_rows_, table_.columns.size()),
            .line = line_,
            .expected = fmt::format("at most {} values", limits::values)});
    }
    const std::size_t last = read_.size() - 1;
    std::size_t column = 0;
    std::string_view rest = separator_ == blanks ? trimmed(row) : row;
    for (std::size_t i = 0; i <= last; ++i) {
      const std::size_t end =
          separator_ == blanks ? rest.find_first_of(" \t") : rest.find(separator_);
      if ((end == std::string_view::npos) != (i == last)) fail_ragged(row);
      if (read_[i]) {
        table_.columns[column].push_back(number(column, trimmed(rest.substr(0, end))));
        ++column;
      }
      if (i != last) rest.remove_prefix(end + 1);
      if (separator_ == blanks) rest = trimmed(rest);
    }
    table_.lines.push_back(line_);
  }

  double number(std::size_t column, std::string_view cell) const {
    const NumberScan scan = scan_number(cell, units_[column]);
    if (scan.state == NumberState::good && scan.length == cell.size()) return scan.value;
    fail_number(column, cell, scan.state);
  }

  [[noreturn]] void fail_number(std::size_t column, std::string_view cell,
                                NumberState state) const {
    if (state == NumberState::good)
      state = NumberState::malformed;  // a number, then something else
    fail({.message = cell.empty() ? "empty cell" : std::string(describe(state)),
          .line = line_,
          .key = table_.names[column],
          .value = std::string(cell),
          .expected = "a finite number with a decimal point"});
  }

  std::size_t count_cells(std::string_view row) const {
    if (separator_ == blanks) return split_blanks(row).size();
    return static_cast<std::size_t>(std::count(row.begin(), row.end(), separator_)) + 1;
  }

  // Names the first column that lacks its cell, or the last one when there are cells too many.
  [[noreturn]] void fail_ragged(std::string_view row) const {
    const std::size_t expected = all_names_.size();
    const std::size_t found = count_cells(row);
    fail({.message = fmt::format("ragged row: it has {}", cells(found)),
          .line = line_,
          .key = all_names_[std::min(found, expected - 1)],
          .value = std::string(row),
          .expected =
              cells(expected) + (layout_.bare ? ", as in the first row" : ", as in the header")});
  }

  std::string_view rest_;
  int line_ = 0;
  std::size_t most_rows_ = 0;
  char separator_ = ',';
  const TextLayout& layout_;
  std::unordered_set<std::string_view> only_;
  std::vector<std::string> all_names_;
  std::unordered_set<std::string> known_names_;
  std::vector<bool> read_;   // of all columns
  std::vector<Unit> units_;  // of those that are read
  Table table_;
};

// Quoted where the name would otherwise be cut in pieces, taken for a comment or for a number.
std::string header_cell(const std::string& name) {
  const bool special = name.find_first_of(",;\t\"#") != std::string::npos;
  const bool number = scan_number(name).state == NumberState::good;
  if (!special && !number) return name;
  std::string result = "\"";
  for (const char c : name) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

void require_rectangular(const Table& table) {
  if (table.names.size() != table.columns.size()) {
    throw InputError({.message = fmt::format("cannot write a table of {} names and {} columns",
                                             table.names.size(), table.columns.size()),
                      .file = table.file});
  }
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].size() == table.rows()) continue;
    throw InputError({.message = fmt::format("cannot write a ragged table: the column has {} rows",
                                             table.columns[i].size()),
                      .file = table.file,
                      .key = table.names[i],
                      .expected = fmt::format("{} rows", table.rows())});
  }
}

void append_number(fmt::memory_buffer& buffer, double value) {
  if (std::isnan(value)) {
    fmt::format_to(std::back_inserter(buffer), "null");
  } else {
    fmt::format_to(std::back_inserter(buffer), "{:.17g}", value);
  }
}

void flush(std::ostream& out, fmt::memory_buffer& buffer) {
  out.write(buffer.data(), static_cast<std::streamsize>(buffer.size()));
  buffer.clear();
}

}  // namespace

bool Table::has(std::string_view name) const {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const std::vector<double>& Table::at(std::string_view name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return columns.at(static_cast<std::size_t>(found - names.begin()));
  throw InputError({.message = "no such column",
                    .file = file,
                    .key = std::string(name),
                    .expected = names.empty() ? std::string() : one_of(names),
                    .nearest = nearest_name(name, names)});
}

Table parse_csv(std::string_view text, std::string file_name, const TextLayout& layout) {
  return CsvParser(text, std::move(file_name), layout).parse();
}

Table parse_csv(std::string_view text, std::string file_name) {
  return parse_csv(text, std::move(file_name), TextLayout{});
}

Table read_csv(const std::filesystem::path& path, const TextLayout& layout) {
  return parse_csv(read_input(path, limits::table_bytes), input_name(path), layout);
}

Table read_csv(const std::filesystem::path& path) { return read_csv(path, TextLayout{}); }

void write_csv(std::ostream& out, const Table& table) {
  require_rectangular(table);
  constexpr std::size_t chunk = 1u << 16;
  fmt::memory_buffer buffer;
  const std::size_t width = table.columns.size();
  const auto end_of_cell = [width](std::size_t i) { return i + 1 == width ? '\n' : ','; };
  for (std::size_t i = 0; i < width; ++i) {
    buffer.append(header_cell(table.names[i]));
    buffer.push_back(end_of_cell(i));
  }
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (std::size_t i = 0; i < width; ++i) {
      append_number(buffer, table.columns[i][row]);
      buffer.push_back(end_of_cell(i));
    }
    if (buffer.size() > chunk) flush(out, buffer);
  }
  flush(out, buffer);
  if (!out) throw InputError({.message = "cannot write the table", .file = table.file});
}

}  // namespace bristle
