#pragma once

/// The tree behind Document and Node.

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bristle/core/error.hpp"
#include "bristle/io/document.hpp"

namespace bristle::detail {

using CellPtr = std::shared_ptr<Cell>;
using FileName = std::shared_ptr<const std::string>;  ///< shared by all cells; null: command line

enum class Form { null, scalar, list, map };

/// Deeper trees are refused, which keeps every recursion over them short.
inline constexpr int max_depth = 100;
inline constexpr std::size_t max_cells = 1'000'000;
/// yaml-cpp reads keys of up to 1024 characters, and an escaped one takes four.
inline constexpr std::size_t max_key = 200;

struct Keys {
  std::vector<std::string> names;  ///< one per child, in the order of the file
  std::map<std::string, std::size_t, std::less<>> places;
  std::vector<bool> asked;          ///< one per child
  std::vector<std::string> wanted;  ///< all names asked for, there or not, in that order
};

struct Cell {
  Form form = Form::null;
  int line = 0;
  FileName file;
  std::string text;               ///< of a scalar
  std::string found;              ///< of one that names a file: where that is from anywhere
  std::vector<CellPtr> children;  ///< of a list or map
  std::unique_ptr<Keys> keys;     ///< of a map

  /// The child of that key; null if there is none, or this is no map.
  CellPtr find(std::string_view key) const;
  /// The same, and notes that it was asked for.
  CellPtr ask(std::string_view key);
  void add(std::string name, CellPtr child);
  void remove(std::string_view key);
};

CellPtr make_cell(Form form, FileName file, int line);
/// A scalar, or null for what YAML takes for nothing.
CellPtr make_scalar(std::string_view text);
bool is_null_word(std::string_view text);

CellPtr clone(const Cell& cell);

/// Moves from `below` what `above` lacks.
void fill_in(Cell& above, const Cell& below);

struct Size {
  std::size_t cells = 0;  ///< a long text counts for more than one
  int height = 0;
};
Size measure(const Cell& cell);
Size measure_text(std::string_view text);

std::string joined(std::string_view path, std::string_view name);

CellPtr load_file(const std::filesystem::path& path, const FindInclude& find);
CellPtr load_text(std::string_view text, const std::string& file_name, const FindInclude& find);
/// A flow list or map of the command line, `depth` levels below the top. Faults complete `where`.
CellPtr load_value(std::string_view text, int depth, const Fault& where);
/// Refuses what is not UTF-8 or holds control characters, with its line.
void require_text(std::string_view text, Fault where);
void require_key(std::string_view key, const Fault& where);

std::string dump(const Cell& root);

}  // namespace bristle::detail
