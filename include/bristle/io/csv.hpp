#pragma once

/// Tables of numbers with named columns, read from and written to text.
///
///   # rig 3, dry contact
///   t [ms], v [mm/s], F
///   0,      0.5,      1.25
///   1,      0.7,      1.31
///
///   const Table table = read_csv("rig3.csv");
///   table.at("v");         // {0.0005, 0.0007}: a unit in brackets is converted to SI
///   table.at("force");     // InputError, listing the columns there are
///   table.lines[1];        // 4: where the second row stands in the file
///
/// The first row names the columns and settles the separator: comma, semicolon or tab. Blank lines
/// and lines that start with '#' are skipped. '[-]' and '[]' mean dimensionless. Every cell must
/// hold a finite number with a decimal point; a fault is an InputError with file, line, column and
/// value.

#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bristle/core/unit.hpp"

namespace bristle {

struct Table {
  std::string file{};                          ///< named in errors
  std::vector<std::string> names{};            ///< without units
  std::vector<std::vector<double>> columns{};  ///< in SI
  /// Of each column that was read with a unit; a column without brackets has none.
  std::vector<std::optional<Dimension>> dimensions{};
  std::vector<std::string> units{};  ///< as written in the brackets of each column; empty: none
  std::vector<int> lines{};          ///< source line of each row

  bool has(std::string_view name) const;
  const std::vector<double>& at(std::string_view name) const;
  std::size_t rows() const { return columns.empty() ? 0 : columns.front().size(); }
};

/// What else a text may look like. Files from instruments need it; those we write do not.
struct TextLayout {
  /// Where the first row has no comma, semicolon or tab, blanks separate cells.
  bool blanks = false;
  /// The first row may hold numbers: the columns are then called "1", "2", …
  bool bare = false;
  /// The columns to read; nobody looks at the cells and units of others. Empty: all of them.
  std::vector<std::string> only{};
};

Table read_csv(const std::filesystem::path& path);
Table read_csv(const std::filesystem::path& path, const TextLayout& layout);

/// `file_name` is only named in errors. A header without rows is a table of no rows.
Table parse_csv(std::string_view text, std::string file_name);
Table parse_csv(std::string_view text, std::string file_name, const TextLayout& layout);

/// Commas, and 17 significant digits so that every number is read back unchanged. NaN becomes
/// "null", which read_csv refuses. A name is written as it is: "v [m/s]" is read back as "v".
void write_csv(std::ostream& out, const Table& table);

}  // namespace bristle
