#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <hdf5.h>

#include "bristle/core/error.hpp"
#include "bristle/core/names.hpp"
#include "bristle/io/hdf5.hpp"
#include "hdf5_handle.hpp"

namespace bristle {
namespace {

namespace fs = std::filesystem;
using detail::Handle;
using detail::Quiet;
using detail::Refused;
using detail::require;

Handle open_file(const fs::path& path) {
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose,
          "not an HDF5 file, or a damaged one"};
}

bool holds_numbers(hid_t dataset) {
  const Handle type(H5Dget_type(dataset), H5Tclose, "HDF5 knows no type of the dataset");
  const H5T_class_t kind = H5Tget_class(type);
  return kind == H5T_FLOAT || kind == H5T_INTEGER || kind == H5T_ENUM;  // h5py keeps bools as enums
}

// ---- names ----------------------------------------------------------------------------------

constexpr int max_depth = 16;                // groups may hold one another in a circle
constexpr std::size_t max_objects = 10'000;  // and in many circles at once

std::string link_name(hid_t group, hsize_t i) {
  const auto get = [&](char* name, std::size_t size) {
    return H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, size, H5P_DEFAULT);
  };
  const ssize_t length = get(nullptr, 0);
  if (length < 0) throw Refused{"the names of its datasets cannot be read"};
  std::string name(static_cast<std::size_t>(length) + 1, '\0');
  get(name.data(), name.size());
  name.pop_back();
  return name;
}

void collect_names(hid_t group, const std::string& prefix, int depth, std::size_t& left,
                   std::vector<std::string>& names) {
  H5G_info_t info{};
  require(H5Gget_info(group, &info), "the list of its datasets cannot be read");
  for (hsize_t i = 0; i < info.nlinks && left > 0; ++i) {
    --left;  // before the groups below, which may leave none
    const std::string name = link_name(group, i);
    const hid_t id = H5Oopen(group, name.c_str(), H5P_DEFAULT);
    if (id < 0) continue;  // a link to nowhere
    const Handle object(id, H5Oclose, "");
    const H5I_type_t kind = H5Iget_type(object);
    if (kind == H5I_GROUP && depth < max_depth) {
      collect_names(object, prefix + name + '/', depth + 1, left, names);
    } else if (kind == H5I_DATASET && holds_numbers(object)) {
      names.push_back(prefix + name);
    }
  }
}

std::vector<std::string> names_in(hid_t file) {
  std::vector<std::string> names;
  std::size_t left = max_objects;
  collect_names(file, "", 0, left, names);
  return names;
}

// ---- values ---------------------------------------------------------------------------------

std::vector<std::size_t> shape_of(hid_t space) {
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank < 0) throw Refused{"the shape cannot be read"};
  std::vector<hsize_t> sizes(static_cast<std::size_t>(rank));
  require(H5Sget_simple_extent_dims(space, sizes.data(), nullptr), "the shape cannot be read");
  return {sizes.begin(), sizes.end()};
}

std::vector<double> values_of(hid_t dataset, const Part& part) {
  constexpr const char* failure = "the values cannot be read";
  const Handle space(H5Dget_space(dataset), H5Sclose, failure);
  const std::vector<std::size_t> shape = shape_of(space);
  const detail::Stretch stretch = detail::stretch_of(shape, part);
  detail::require_count(stretch.count);
  std::vector<double> values(stretch.count);
  if (values.empty()) return values;
  if (!shape.empty()) {
    std::array<hsize_t, 2> start{}, count{1, 1};
    count[stretch.axis] = stretch.count;
    start[1 - stretch.axis] = stretch.fixed;
    require(
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
        failure);
  }
  const hsize_t length = values.size();
  const Handle memory(H5Screate_simple(1, &length, nullptr), H5Sclose, failure);
  require(H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values.data()), failure);
  return values;
}

std::string read_text(hid_t attribute, hid_t type) {
  constexpr const char* failure = "the unit cannot be read";
  if (H5Tis_variable_str(type) > 0) {
    char* held = nullptr;
    require(H5Aread(attribute, type, static_cast<void*>(&held)), failure);
    std::string text(held == nullptr ? "" : held);
    H5free_memory(held);
    return text;
  }
  std::string text(H5Tget_size(type), '\0');
  require(H5Aread(attribute, type, text.data()), failure);
  return text.substr(0, text.find('\0'));
}

std::string unit_of(hid_t dataset) {
  for (const char* const name : {"unit", "units"}) {
    if (H5Aexists(dataset, name) <= 0) continue;
    const Handle attribute(H5Aopen(dataset, name, H5P_DEFAULT), H5Aclose, "no unit");
    const Handle type(H5Aget_type(attribute), H5Tclose, "no unit");
    const Handle space(H5Aget_space(attribute), H5Sclose, "no unit");
    if (H5Tget_class(type) != H5T_STRING || H5Sget_simple_extent_npoints(space) != 1) continue;
    return std::string(trimmed(read_text(attribute, type)));
  }
  return {};
}

// H5Lexists wants every group on the way to be there.
bool is_dataset(hid_t file, const std::string& name) {
  for (std::size_t end = name.find('/', 1); end != std::string::npos;
       end = name.find('/', end + 1)) {
    if (H5Lexists(file, name.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
  }
  if (name.empty() || H5Lexists(file, name.c_str(), H5P_DEFAULT) <= 0) return false;
  const hid_t object = H5Oopen(file, name.c_str(), H5P_DEFAULT);
  const bool result = object >= 0 && H5Iget_type(object) == H5I_DATASET;
  if (object >= 0) H5Oclose(object);
  return result;
}

StoredColumn read(const fs::path& path, const std::string& name, const Part& part,
                  std::vector<std::string>& names) {
  const Handle file = open_file(path);
  if (!is_dataset(file, name)) {
    names = names_in(file);
    throw Refused{"no such dataset",
                  names.empty() ? "a file with datasets of numbers" : one_of(names)};
  }
  const Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, "cannot be opened");
  if (!holds_numbers(dataset)) throw Refused{"not a dataset of numbers", "a vector or a matrix"};
  return {.values = values_of(dataset, part), .unit = unit_of(dataset)};
}

}  // namespace

StoredColumn read_hdf5(const fs::path& path, const std::string& name, const Part& part) {
  return detail::read_quietly(
      path, name, [&](std::vector<std::string>& names) { return read(path, name, part, names); });
}

std::vector<std::string> hdf5_names(const fs::path& path) {
  return detail::read_quietly(path, "",
                              [&](std::vector<std::string>&) { return names_in(open_file(path)); });
}

}  // namespace bristle
