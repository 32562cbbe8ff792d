#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "bristle/core/names.hpp"
#include "bristle/identify/prepare.hpp"
#include "bristle/identify/recording.hpp"
#include "bristle/io/csv.hpp"
#include "bristle/io/hdf5.hpp"
#include "bristle/io/mat.hpp"

namespace bristle {
namespace {

namespace fs = std::filesystem;

constexpr const char* time_name = "time";

[[noreturn]] void refuse(const Node& node, std::string message, std::string expected,
                         std::string nearest = {}) {
  Fault fault = node.fault(std::move(message));
  fault.expected = std::move(expected);
  fault.nearest = std::move(nearest);
  throw InputError(std::move(fault));
}

// ---- what is wanted -------------------------------------------------------------------------

/// One line of `columns`.
struct Wanted {
  Role role{};
  Node node{};
  std::string column{};  ///< empty: not from the file
  Part part{};
};

Wanted read_wanted(const Node& node, const Role& role) {
  Wanted wanted{.role = role, .node = node};
  if (node.is_scalar() || (role.name == time_name && node["rate"].exists())) return wanted;
  wanted.column = node["column"].text();
  wanted.part.column = node["index"].integer(0, at_least(1));
  wanted.part.row = node["row"].integer(0, at_least(1));
  return wanted;
}

const Role& find_role(const std::string& name, const Node& node, std::span<const Role> roles) {
  static const Role time{.name = time_name, .dimensions = {dim::time}};
  if (name == time_name) return time;
  for (const Role& role : roles) {
    if (role.name == name) return role;
  }
  std::vector<std::string> names = {time_name};
  for (const Role& role : roles) names.push_back(role.name);
  refuse(node, "no such kind of column", one_of(names), nearest_name(name, names));
}

std::vector<Wanted> read_all_wanted(const Node& columns, std::span<const Role> roles) {
  columns["time"].required("a column of times, as in {column: t, unit: s}, or {rate: 1 kHz}");
  std::vector<Wanted> all;
  for (const auto& [name, node] : columns.entries()) {
    all.push_back(read_wanted(node, find_role(name, node, roles)));
  }
  if (all.size() < 2) refuse(columns, "nothing but time", "columns such as 'slip' and 'force'");
  return all;
}

// ---- files ----------------------------------------------------------------------------------

enum class Format { text, hdf5, mat };

Format format_of(const fs::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (extension == ".mat") return Format::mat;
  const bool hdf5 = extension == ".h5" || extension == ".hdf5" || extension == ".hdf";
  return hdf5 ? Format::hdf5 : Format::text;
}

fs::path path_of(const Node& node) {
  fs::path path = fs::path(node.file()).parent_path() / node.text();
  std::error_code ignored;
  if (!fs::exists(path, ignored)) refuse(node, fmt::format("no file {}", quote(path.string())), "");
  return path;
}

class DataFile {
 public:
  DataFile(fs::path path, const std::vector<Wanted>& all)
      : path_(std::move(path)), format_(format_of(path_)) {
    if (format_ != Format::text) return;
    TextLayout layout{.blanks = true, .bare = true};
    for (const Wanted& wanted : all) {
      if (!wanted.column.empty()) layout.only.push_back(wanted.column);
    }
    if (layout.only.empty()) refuse(all.front().node, "no column of the file is named", "");
    table_ = read_csv(path_, layout);
  }

  const fs::path& path() const noexcept { return path_; }
  bool is_text() const noexcept { return format_ == Format::text; }
  const std::vector<int>& lines() const noexcept { return table_.lines; }

  /// In SI, where the file says which unit it is in.
  std::pair<std::vector<double>, std::optional<Unit>> read(const Wanted& wanted) const {
    if (format_ != Format::text) return read_array(wanted);
    if (wanted.part.column != 0 || wanted.part.row != 0) {
      refuse(wanted.node, "a text file has no matrices", "a column alone");
    }
    const auto found = std::find(table_.names.begin(), table_.names.end(), wanted.column);
    const auto i = static_cast<std::size_t>(found - table_.names.begin());
    const std::string& unit = table_.units[i];
    return {table_.columns[i], unit.empty() ? std::nullopt : std::optional(parse_unit(unit))};
  }

 private:
  std::pair<std::vector<double>, std::optional<Unit>> read_array(const Wanted& wanted) const {
    StoredColumn stored = format_ == Format::mat ? read_mat(path_, wanted.column, wanted.part)
                                                 : read_hdf5(path_, wanted.column, wanted.part);
    if (stored.unit.empty()) return {std::move(stored.values), std::nullopt};
    const Unit unit = parse_unit(stored.unit, {.file = path_.string(), .key = wanted.column});
    for (double& value : stored.values) value = unit.to_si(value);
    return {std::move(stored.values), unit};
  }

  fs::path path_;
  Format format_;
  Table table_{};
};

// ---- columns --------------------------------------------------------------------------------

struct Values {
  std::vector<double> values{};
  Dimension dimension{};
};

std::string names_of(const std::vector<Dimension>& dimensions) {
  std::string text;
  for (const Dimension& dimension : dimensions) {
    text += (text.empty() ? "" : " or ") + dimension_name(dimension);
  }
  return text;
}

bool allows(const Role& role, const Dimension& dimension) {
  return std::find(role.dimensions.begin(), role.dimensions.end(), dimension) !=
         role.dimensions.end();
}

/// A quantity of one of the dimensions; the fault is that of the first.
std::pair<double, Dimension> read_any(const Node& node, const std::vector<Dimension>& dimensions) {
  for (const Dimension& dimension : dimensions) {
    try {
      return {node.quantity(dimension), dimension};
    } catch (const InputError&) {
      continue;
    }
  }
  return {node.quantity(dimensions.front()), dimensions.front()};
}

Unit unit_of(const Wanted& wanted, const std::optional<Unit>& in_file) {
  const Node node = wanted.node["unit"];
  if (!node.exists()) {
    if (in_file) return *in_file;
    refuse(node,
           fmt::format("neither here nor in the file has column {} a unit", quote(wanted.column)),
           fmt::format("a unit of {}", names_of(wanted.role.dimensions)));
  }
  const Unit unit = parse_unit(node.text(), node.fault(""));
  if (in_file && (in_file->dimension != unit.dimension || in_file->scale() != unit.scale())) {
    refuse(node, fmt::format("the file has column {} in another unit", quote(wanted.column)),
           "the unit of the file, or none here");
  }
  return unit;
}

/// Multiplies by `gain`, if there is one, and gives the dimension that results.
Dimension apply_gain(const Wanted& wanted, const Dimension& measured, std::vector<double>& values) {
  const Role& role = wanted.role;
  const Node gain = wanted.node["gain"];
  const bool direct = allows(role, measured);
  if (!gain.exists()) {
    if (direct) return measured;
    const Node unit = wanted.node["unit"];
    refuse(unit, fmt::format("column {} is a {}", quote(wanted.column), dimension_name(measured)),
           fmt::format("a unit of {}, or a 'gain' that leads there", names_of(role.dimensions)));
  }
  std::vector<Dimension> possible;
  possible.reserve(role.dimensions.size());
  for (const Dimension& dimension : role.dimensions) possible.push_back(dimension / measured);
  const auto [factor, dimension] =
      direct ? std::pair(gain.number(), dim::none) : read_any(gain, possible);
  if (factor == 0.0) refuse(gain, "a gain of zero", "another number");
  for (double& value : values) value *= factor;
  return dimension * measured;
}

/// The unit as the first dimension of the role understands it that is the unit's.
Unit as_meant(const Unit& unit, const Role& role) {
  if (allows(role, unit.dimension)) return unit;
  for (const Dimension& dimension : role.dimensions) {
    const Unit meant = bristle::as_meant(unit, dimension);
    if (meant.dimension == dimension) return meant;
  }
  return unit;
}

Values read_values(const DataFile& file, const Wanted& wanted) {
  auto [values, in_file] = file.read(wanted);
  const Unit written = unit_of(wanted, in_file), unit = as_meant(written, wanted.role);
  if (!in_file) {
    for (double& value : values) value = unit.to_si(value);
  } else if (unit.dimension != written.dimension) {
    for (double& value : values) value *= unit.scale() / written.scale();
  }
  const Dimension dimension = apply_gain(wanted, unit.dimension, values);
  return {std::move(values), dimension};
}

void require_finite(const Recording& recording, const std::vector<double>& values,
                    const Wanted& wanted) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    Fault fault = recording.fault_at(i, "not a finite number", wanted.column);
    fault.value = fmt::format("{}", values[i]);
    throw InputError(std::move(fault));
  }
}

void require_increasing(const Recording& recording, const Wanted& wanted) {
  const std::vector<double>& t = recording.t;
  for (std::size_t i = 1; i < t.size(); ++i) {
    if (t[i] > t[i - 1]) continue;
    throw InputError(recording.fault_at(
        i, fmt::format("time does not increase: {:.9g} s after {:.9g} s", t[i], t[i - 1]),
        wanted.column));
  }
}

class Reader {
 public:
  Reader(const Node& node, std::span<const Role> roles)
      : all_(read_all_wanted(node["columns"].required("a map such as {time: …, slip: …}"), roles)),
        file_(path_of(node["file"]), all_) {
    recording_.file = file_.path().string();
    recording_.text = file_.is_text();
  }

  Recording read() {
    for (const Wanted& wanted : all_) {
      if (!wanted.column.empty()) read_column(wanted);
    }
    for (const Wanted& wanted : all_) {
      if (wanted.column.empty()) fill(wanted);
    }
    return std::move(recording_);
  }

 private:
  void read_column(const Wanted& wanted) {
    Values read = read_values(file_, wanted);
    if (recording_.lines.empty()) start(read.values.size(), wanted);
    if (read.values.size() != recording_.lines.size()) {
      throw InputError({.message = fmt::format("{} values", read.values.size()),
                        .file = recording_.file,
                        .key = wanted.column,
                        .expected = fmt::format("{}, as many as in {}", recording_.lines.size(),
                                                quote(first_))});
    }
    require_finite(recording_, read.values, wanted);
    if (wanted.role.name == time_name) {
      recording_.t = std::move(read.values);
      require_increasing(recording_, wanted);
    } else {
      recording_.put(wanted.role.name, std::move(read.values), read.dimension);
    }
  }

  void start(std::size_t size, const Wanted& wanted) {
    first_ = wanted.column;
    recording_.lines = file_.lines();
    if (file_.is_text()) return;
    recording_.lines.resize(size);
    std::iota(recording_.lines.begin(), recording_.lines.end(), 1);
  }

  /// A value of the YAML file for all samples, or times from a rate.
  void fill(const Wanted& wanted) {
    const std::size_t size = recording_.lines.size();
    if (wanted.role.name == time_name) {
      if (wanted.node.is_scalar())
        refuse(wanted.node, "one value", "{column: …, unit: …} or {rate: …}");
      const double rate = wanted.node["rate"].quantity(dim::frequency, above(0));
      for (std::size_t i = 0; i < size; ++i) recording_.t.push_back(static_cast<double>(i) / rate);
      return;
    }
    const auto [value, dimension] = read_any(wanted.node, wanted.role.dimensions);
    recording_.put(wanted.role.name, std::vector<double>(size, value), dimension);
  }

  std::vector<Wanted> all_;
  DataFile file_;
  Recording recording_{};
  std::string first_{};
};

// ---- windows --------------------------------------------------------------------------------

TimeSpan read_span(const Node& node) {
  const std::vector<double> ends = node.quantities(dim::time, 2);
  if (!(ends[0] < ends[1])) refuse(node, "the window ends before it starts", "[start, end]");
  return {ends[0], ends[1]};
}

std::vector<TimeSpan> read_spans(const Node& node) {
  const Node one = node["window"], several = node["windows"];
  if (one.exists() && several.exists()) refuse(several, "besides 'window'", "one of the two");
  if (one.exists()) return {read_span(one)};
  std::vector<TimeSpan> spans;
  for (const Node& item : several.items()) spans.push_back(read_span(item));
  if (several.exists() && spans.empty()) refuse(several, "no window", "a list of [start, end]");
  return spans;
}

/// Roles given as a value need not vary: the user said so.
std::vector<Role> checked_roles(const Node& columns, std::span<const Role> roles) {
  std::vector<Role> result(roles.begin(), roles.end());
  for (Role& role : result) role.must_vary = role.must_vary && !columns[role.name].is_scalar();
  return result;
}

std::vector<Recording> read_entry(const Node& node, std::span<const Role> roles) {
  Recording whole = Reader(node, roles).read();
  prepare(whole, node["prepare"]);
  const std::vector<TimeSpan> spans = read_spans(node);
  const bool may_have_gaps = node["gaps"].flag(false);
  std::vector<Recording> result;
  for (const TimeSpan& span : spans) {
    result.push_back(whole);
    crop(result.back(), span);
  }
  if (spans.empty()) result.push_back(std::move(whole));
  const std::vector<Role> checked = checked_roles(node["columns"], roles);
  for (const Recording& recording : result) check_recording(recording, checked, may_have_gaps);
  return result;
}

}  // namespace

Recording read_recording(const Node& node, std::span<const Role> roles) {
  return std::move(read_entry(node, roles).front());
}

std::vector<Recording> read_recordings(const Node& node, std::span<const Role> roles) {
  if (node.is_map()) return read_entry(node, roles);
  std::vector<Recording> result;
  for (const Node& item : node.required("a list of recordings").items()) {
    for (Recording& recording : read_entry(item, roles)) result.push_back(std::move(recording));
  }
  if (result.empty()) refuse(node, "no recording", "a list of recordings");
  return result;
}

}  // namespace bristle
