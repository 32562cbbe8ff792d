#include "bristle/io/mat.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>

#include <matio.h>

#include "bristle/core/error.hpp"
#include "bristle/core/names.hpp"
#include "hdf5_handle.hpp"

namespace bristle {
namespace {

namespace fs = std::filesystem;
using detail::Refused;

struct CloseFile {
  void operator()(mat_t* file) const noexcept { Mat_Close(file); }
};
struct FreeVariable {
  void operator()(matvar_t* variable) const noexcept { Mat_VarFree(variable); }
};
using File = std::unique_ptr<mat_t, CloseFile>;
using Variable = std::unique_ptr<matvar_t, FreeVariable>;

// matio prints its faults unless told otherwise; ours are exceptions.
void say_nothing(int /*level*/, char* /*message*/) {}

File open_file(const fs::path& path) {
  Mat_LogInitFunc("bristle", say_nothing);
  File file(Mat_Open(path.c_str(), MAT_ACC_RDONLY));
  if (!file) throw Refused{"not a MATLAB file, or a damaged one"};
  return file;
}

bool holds_numbers(const matvar_t& variable) {
  switch (variable.class_type) {
    case MAT_C_DOUBLE:
    case MAT_C_SINGLE:
    case MAT_C_INT8:
    case MAT_C_UINT8:
    case MAT_C_INT16:
    case MAT_C_UINT16:
    case MAT_C_INT32:
    case MAT_C_UINT32:
    case MAT_C_INT64:
    case MAT_C_UINT64:
      return variable.isComplex == 0;
    default:
      return false;
  }
}

bool is_struct(const matvar_t& variable) {
  return variable.class_type == MAT_C_STRUCT && variable.rank == 2 && variable.dims != nullptr &&
         variable.dims[0] == 1 && variable.dims[1] == 1;
}

// ---- names ----------------------------------------------------------------------------------

void collect_names(matvar_t& variable, const std::string& name, std::vector<std::string>& names) {
  if (holds_numbers(variable)) names.push_back(name);
  if (!is_struct(variable)) return;
  const unsigned count = Mat_VarGetNumberOfFields(&variable);
  char* const* const fields = Mat_VarGetStructFieldnames(&variable);
  for (unsigned i = 0; fields != nullptr && i < count; ++i) {
    matvar_t* const field = Mat_VarGetStructFieldByIndex(&variable, i, 0);
    if (field == nullptr || fields[i] == nullptr) continue;
    collect_names(*field, name + '.' + fields[i], names);
  }
}

std::vector<std::string> names_in(mat_t* file) {
  std::vector<std::string> names;
  Mat_Rewind(file);
  for (Variable next(Mat_VarReadNextInfo(file)); next; next.reset(Mat_VarReadNextInfo(file))) {
    if (next->name != nullptr) collect_names(*next, next->name, names);
  }
  return names;
}

// ---- values ---------------------------------------------------------------------------------

template <class T>
std::vector<double> taken(const matvar_t& variable, const detail::Stretch& stretch) {
  const T* const data = static_cast<const T*>(variable.data);
  const std::size_t rows = variable.dims[0];  // values lie column by column
  const std::size_t step = stretch.axis == 0 ? 1 : rows;
  const std::size_t start = stretch.axis == 0 ? stretch.fixed * rows : stretch.fixed;
  std::vector<double> values(stretch.count);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<double>(data[start + i * step]);
  }
  return values;
}

std::vector<double> values_of(const matvar_t& variable, const Part& part) {
  if (!holds_numbers(variable))
    throw Refused{"not an array of real numbers", "a vector or a matrix"};
  if (variable.rank < 1 || variable.dims == nullptr) throw Refused{"the shape cannot be read"};
  const std::span shape(variable.dims, static_cast<std::size_t>(variable.rank));
  const detail::Stretch stretch = detail::stretch_of(shape, part);
  if (stretch.count == 0) return {};
  std::size_t cells = 1;
  for (const std::size_t size : shape) cells *= size;
  if (variable.data == nullptr || variable.data_size <= 0 ||
      variable.nbytes / static_cast<std::size_t>(variable.data_size) < cells) {
    throw Refused{"the values cannot be read: a damaged file?"};
  }
  switch (variable.data_type) {
    case MAT_T_DOUBLE:
      return taken<double>(variable, stretch);
    case MAT_T_SINGLE:
      return taken<float>(variable, stretch);
    case MAT_T_INT8:
      return taken<std::int8_t>(variable, stretch);
    case MAT_T_UINT8:
      return taken<std::uint8_t>(variable, stretch);
    case MAT_T_INT16:
      return taken<std::int16_t>(variable, stretch);
    case MAT_T_UINT16:
      return taken<std::uint16_t>(variable, stretch);
    case MAT_T_INT32:
      return taken<std::int32_t>(variable, stretch);
    case MAT_T_UINT32:
      return taken<std::uint32_t>(variable, stretch);
    case MAT_T_INT64:
      return taken<std::int64_t>(variable, stretch);
    case MAT_T_UINT64:
      return taken<std::uint64_t>(variable, stretch);
    default:
      throw Refused{"numbers of an unknown kind"};
  }
}

// "log.force": the field 'force' of the variable 'log'. Null if there is none.
matvar_t* find_field(matvar_t* variable, std::string_view path) {
  while (variable != nullptr && !path.empty()) {
    const std::size_t end = path.find('.');
    const std::string name(path.substr(0, end));
    path = end == std::string_view::npos ? std::string_view() : path.substr(end + 1);
    variable =
        is_struct(*variable) ? Mat_VarGetStructFieldByName(variable, name.c_str(), 0) : nullptr;
  }
  return variable;
}

/// Adds to `count`; a struct holds those of its fields. Throws Refused when it is too much to read.
void add_cells(matvar_t& variable, int depth, std::size_t& count) {
  constexpr int max_depth = 32;
  if (depth > max_depth) throw Refused{"structs nested too deeply"};
  std::size_t cells = 1;
  for (int i = 0; i < variable.rank && variable.dims != nullptr; ++i) {
    const std::size_t size = variable.dims[i];
    detail::require_count(size);
    detail::require_count(cells *= size);
  }
  detail::require_count(count += cells);
  if (variable.class_type != MAT_C_STRUCT) return;
  const unsigned fields = Mat_VarGetNumberOfFields(&variable);
  for (unsigned i = 0; i < fields && is_struct(variable); ++i) {
    matvar_t* const field = Mat_VarGetStructFieldByIndex(&variable, i, 0);
    if (field != nullptr) add_cells(*field, depth + 1, count);
  }
}

/// Null if there is none. The head tells the size, before memory is taken for the values.
Variable read_variable(mat_t* file, const std::string& name) {
  const Variable head(Mat_VarReadInfo(file, name.c_str()));
  if (!head) return nullptr;
  std::size_t count = 0;
  add_cells(*head, 0, count);
  Mat_Rewind(file);
  return Variable(Mat_VarRead(file, name.c_str()));
}

StoredColumn read(const fs::path& path, const std::string& name, const Part& part,
                  std::vector<std::string>& names) {
  const File file = open_file(path);
  const std::size_t dot = name.find('.');
  const Variable variable = read_variable(file.get(), name.substr(0, dot));
  const matvar_t* const found =
      find_field(variable.get(), dot == std::string::npos ? std::string_view()
                                                          : std::string_view(name).substr(dot + 1));
  if (found == nullptr) {
    names = names_in(file.get());
    throw Refused{"no such variable",
                  names.empty() ? "a file with arrays of numbers" : one_of(names)};
  }
  return {.values = values_of(*found, part)};
}

}  // namespace

StoredColumn read_mat(const fs::path& path, const std::string& name, const Part& part) {
  return detail::read_quietly(
      path, name, [&](std::vector<std::string>& names) { return read(path, name, part, names); });
}

std::vector<std::string> mat_names(const fs::path& path) {
  return detail::read_quietly(
      path, "", [&](std::vector<std::string>&) { return names_in(open_file(path).get()); });
}

}  // namespace bristle
