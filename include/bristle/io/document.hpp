#pragma once

/// A YAML file as a tree in which every value knows its file and line, so that whatever is wrong
/// with it is said in one line that points there.
///
///   Document doc = Document::read("slide.yaml");
///   doc.set("body.mass", "2 kg");                                // from the command line
///   const double mass = doc["body"]["mass"].quantity(dim::mass, above(0));
///   const double rtol = doc["solver"]["rtol"].number(1e-6);      // 1e-6 if there is none
///   for (const Node& contact : doc["contacts"].items()) { … }
///   doc.finish();                                                // refuses what nobody asked for
///
///   slide.yaml:3: key 'body.mass' = '-1 kg': out of range; expected more than 0 kg
///   slide.yaml:2: key 'body.mass': missing; expected a mass, for example '1 kg', or …
///   slide.yaml:7: key 'sovler': unknown key; expected one of 'body', 'solver', 'contacts';
///       did you mean 'solver'?                                   (on the same line)
///
/// Any map may `include: base.yaml`, or a list of files: their keys are filled in below its own,
/// maps key by key, everything else as a whole; a later file wins over an earlier one, the map
/// itself over all. Names are relative to the file that includes them.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bristle/core/describe.hpp"
#include "bristle/core/setting.hpp"
#include "bristle/core/unit.hpp"

namespace bristle {

namespace detail {
struct Cell;
}

/// One map, list or scalar of a document, or the place where one is missing: `doc["a"]["b"]` needs
/// no checks on the way. Cheap to copy; it keeps its part of the tree alive. Reading notes which
/// keys were asked for, so one tree is read by one thread.
///
/// Every read without a fallback refuses a missing node; every read refuses a value that is of
/// another kind, out of `range` or empty ("key:"). Refusing is always an InputError.
class Node {
 public:
  Node() = default;  ///< missing

  bool exists() const noexcept { return cell_ != nullptr; }
  bool is_map() const noexcept;
  bool is_list() const noexcept;
  bool is_scalar() const noexcept;  ///< also a key without value, which every read refuses

  const std::string& path() const noexcept { return path_; }  ///< "contacts.0.friction.mu_s"
  std::string name() const { return path_.substr(name_at_); }
  std::string file() const;   ///< empty: given on the command line
  int line() const noexcept;  ///< of its key; of the enclosing map if it is missing
  /// A fault that points here.
  Fault fault(std::string message) const;
  /// This node, if it exists: `doc["contacts"].required("a list of contacts").items()`.
  Node required(std::string expected) const;

  /// Of a map; a missing node if there is no such key. Of a missing node: missing as well.
  Node operator[](std::string_view key) const;
  /// Of a list; none if it is missing.
  std::vector<Node> items() const;
  /// Of a map, in the order of the file; none if it is missing. Counts as asking for all of them.
  std::vector<std::pair<std::string, Node>> entries() const;

  /// In SI: '5 mm/s' or a plain number.
  double quantity(const Dimension& dimension, const Range& range = {}) const;
  double quantity(const Dimension& dimension, double fallback, const Range& range = {}) const;
  double number(const Range& range = {}) const { return quantity(dim::none, range); }
  double number(double fallback, const Range& range = {}) const;
  int integer(const Range& range = {}) const;
  int integer(int fallback, const Range& range = {}) const;
  /// true, yes, on or false, no, off.
  bool flag() const;
  bool flag(bool fallback) const;
  std::string text() const;
  std::string text(std::string_view fallback) const;
  /// A file, beside the one that names it unless its path is absolute.
  std::filesystem::path file_path() const;
  /// One of `choices`.
  std::string word(const std::vector<std::string>& choices) const;
  std::string word(const std::vector<std::string>& choices, std::string_view fallback) const;

  static constexpr std::size_t any_count = 0;
  /// A list of `count` quantities; a single one is a list of one.
  std::vector<double> quantities(const Dimension& dimension, std::size_t count = any_count,
                                 const Range& range = {}) const;
  std::vector<double> quantities(const Dimension& dimension, std::size_t count, const Range& range,
                                 std::vector<double> fallback) const;

  /// The scalars of a map, those of maps in it under keys joined with dots ("minus.mu_k"), as laws
  /// take them; without the keys `except` of this map. A list is one text, "[0, 1 mm/s]".
  std::vector<Setting> settings(std::initializer_list<std::string_view> except = {}) const;

  /// Refuses the first key in or below this node that nobody asked for.
  void finish() const;

 private:
  friend class Document;
  using CellPtr = std::shared_ptr<detail::Cell>;

  bool has_value() const noexcept;
  Node child(std::size_t i) const;
  Node child(std::string_view name, CellPtr cell) const;
  const std::string& scalar(const std::string& expected) const;
  void collect(std::size_t skip, std::vector<Setting>& settings) const;
  [[noreturn]] void refuse(std::string message, std::string expected = {},
                           std::string nearest = {}) const;
  [[noreturn]] void refuse_kind(std::string expected) const;

  CellPtr cell_;   // null: missing
  CellPtr place_;  // where faults point: the cell, or the map that lacks it
  std::string path_;
  std::size_t name_at_ = 0;  // keys may hold dots, so the name cannot be cut from the path
};

/// The text of a built-in document of that name, if there is one.
using FindInclude = std::function<std::optional<std::string>(std::string_view name)>;

/// A tree whose top level is a map. A copy is a tree of its own, in which nothing has been asked
/// for yet.
class Document {
 public:
  Document();  ///< without keys
  Document(const Document& other);
  Document& operator=(const Document& other);
  Document(Document&&) noexcept = default;
  Document& operator=(Document&&) noexcept = default;
  ~Document() = default;

  /// `path`, and whatever is included, is a file or else a name that `find_include` knows. Built-in
  /// documents include only one another. InputError for what cannot be read, is not a map in YAML
  /// and UTF-8, gives a key twice, includes itself or has more than a million values.
  static Document read(const std::filesystem::path& path, const FindInclude& find_include = {});
  /// As if `text` had been read from a file of that name.
  static Document parse(std::string_view text, const std::string& file_name,
                        const FindInclude& find_include = {});

  Node root() const;
  Node operator[](std::string_view key) const { return root()[key]; }
  void finish() const { root().finish(); }

  /// Puts `value` in place of whatever is at `path` ("contacts.0.friction.mu_s"), and makes the
  /// maps on the way there. A value that starts with '[' or '{' is a list or map in YAML. Comes
  /// before reading: nodes taken earlier stay with the tree as it was.
  void set(std::string_view path, std::string_view value);
  /// The same with one text, whatever it looks like.
  void set_text(std::string_view path, std::string_view text);
  /// Takes out the key at `path`, if it is there, and maps above it that are empty then.
  void remove(std::string_view path);
  /// Fills in what is missing here and given in `below`, as an include does.
  void merge(const Document& below);
  /// Puts in place of every scalar '$name' the scalar `section`.name, which keeps its own file and
  /// line only for the text: faults point to where it is used. InputError for a name that is not
  /// there.
  void fill_parameters(std::string_view section);
  /// YAML that reads back to the same tree, includes and all. Files that were asked for by
  /// file_path() are named so that they are found from anywhere.
  std::string dump() const;

 private:
  using MakeCell = std::function<std::shared_ptr<detail::Cell>(int depth)>;
  void put(std::string_view path, const Fault& where, const MakeCell& make);
  explicit Document(std::shared_ptr<detail::Cell> root) : root_(std::move(root)) {}

  std::shared_ptr<detail::Cell> root_;
};

}  // namespace bristle
