#include "bristle/io/hdf5.hpp"

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <hdf5.h>

#include "bristle/core/error.hpp"
#include "bristle/core/names.hpp"
#include "bristle/io/atomic_file.hpp"
#include "hdf5_handle.hpp"

namespace bristle {
namespace {

namespace fs = std::filesystem;

constexpr hsize_t chunk_length = 16384;   // 128 kB: a reader of a short stretch unpacks little
constexpr hsize_t shortest_packed = 512;  // below, the index of the chunks outweighs the gain
constexpr unsigned deflate_level = 2;     // after shuffling, higher levels cost more than they save

using detail::Handle;
using detail::hdf5_mutex;
using detail::Quiet;
using detail::Refused;
using detail::require;

Handle property_list(hid_t kind) {
  return {H5Pcreate(kind), H5Pclose, "HDF5 made no property list"};
}

// ---- attributes -----------------------------------------------------------------------------

void put_attribute(hid_t owner, const std::string& name, hid_t type, const void* value) {
  const std::string failure = fmt::format("cannot store the attribute {}", quote(name));
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, failure);
  const Handle attribute(H5Acreate2(owner, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose, failure);
  require(H5Awrite(attribute, type, value), failure);
}

/// Of variable length: readers then get text, not an array of bytes, and it may be long.
void put_attribute(hid_t owner, const std::string& name, const std::string& text) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "HDF5 made no type of text");
  require(H5Tset_size(type, H5T_VARIABLE), "HDF5 made no type of text");
  require(H5Tset_cset(type, H5T_CSET_UTF8), "HDF5 made no type of text");
  const char* const begin = text.c_str();
  put_attribute(owner, name, type, &begin);
}

void put_attribute(hid_t owner, const std::string& name, double value) {
  put_attribute(owner, name, H5T_NATIVE_DOUBLE, &value);
}

void put_attribute(hid_t owner, const std::string& name, std::int64_t value) {
  put_attribute(owner, name, H5T_NATIVE_INT64, &value);
}

// ---- columns --------------------------------------------------------------------------------

void pack(hid_t properties, hsize_t length) {
  if (length < shortest_packed || H5Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0) return;
  const hsize_t chunk = std::min(length, chunk_length);
  require(H5Pset_chunk(properties, 1, &chunk), "HDF5 refused the size of the chunks");
  require(H5Pset_shuffle(properties), "HDF5 refused to shuffle");
  require(H5Pset_deflate(properties, deflate_level), "HDF5 refused to compress");
}

void put_column(hid_t file, const Hdf5Column& column) {
  const std::string failure = fmt::format("cannot store the column {}", quote(column.name));
  const hsize_t length = column.values.size();
  const Handle space(H5Screate_simple(1, &length, nullptr), H5Sclose, failure);
  const Handle links = property_list(H5P_LINK_CREATE),
               properties = property_list(H5P_DATASET_CREATE);
  require(H5Pset_create_intermediate_group(links, 1), failure);
  require(H5Pset_char_encoding(links, H5T_CSET_UTF8), failure);
  require(H5Pset_obj_track_times(properties, false), failure);
  pack(properties, length);
  const Handle dataset(
      H5Dcreate2(file, column.name.c_str(), H5T_IEEE_F64LE, space, links, properties, H5P_DEFAULT),
      H5Dclose, failure);
  require(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, column.values.data()),
          failure);
  put_attribute(dataset, "unit", column.unit);
}

// ---- file -----------------------------------------------------------------------------------

/// A file that lives in memory only; its name is never opened.
Handle memory_file() {
  constexpr std::size_t growth = std::size_t{1} << 22;
  const Handle access = property_list(H5P_FILE_ACCESS), creation = property_list(H5P_FILE_CREATE);
  require(H5Pset_fapl_core(access, growth, false), "HDF5 cannot write to memory");
  require(H5Pset_obj_track_times(creation, false), "HDF5 cannot leave out times");
  require(H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED),
          "HDF5 cannot keep the order of columns");
  return {H5Fcreate("bristle", H5F_ACC_TRUNC, creation, access), H5Fclose,
          "HDF5 made no file in memory"};
}

std::vector<char> image_of(hid_t file) {
  require(H5Fflush(file, H5F_SCOPE_LOCAL), "HDF5 did not finish the file");
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  if (size < 0) throw Refused{"HDF5 did not finish the file"};
  std::vector<char> image(static_cast<std::size_t>(size));
  if (H5Fget_file_image(file, image.data(), image.size()) != size) {
    throw Refused{"HDF5 did not finish the file"};
  }
  return image;
}

std::vector<char> build(std::span<const Hdf5Column> columns, const Hdf5Attributes& attributes) {
  const std::lock_guard lock(hdf5_mutex());
  const Quiet quiet;
  const Handle file = memory_file();
  for (const auto& [name, value] : attributes) {
    std::visit([&](const auto& held) { put_attribute(file, name, held); }, value);
  }
  for (const Hdf5Column& column : columns) put_column(file, column);
  return image_of(file);
}

void require_equal_lengths(std::span<const Hdf5Column> columns) {
  for (const Hdf5Column& column : columns) {
    if (column.values.size() == columns.front().values.size()) continue;
    throw std::invalid_argument(fmt::format("column '{}' has {} values but '{}' has {}",
                                            column.name, column.values.size(), columns.front().name,
                                            columns.front().values.size()));
  }
}

}  // namespace

std::mutex& detail::hdf5_mutex() {
  static std::mutex one_at_a_time;
  return one_at_a_time;
}

void write_hdf5(const fs::path& path, std::span<const Hdf5Column> columns,
                const Hdf5Attributes& attributes) {
  require_equal_lengths(columns);
  std::vector<char> image;
  errno = 0;
  try {
    image = build(columns, attributes);
  } catch (const Refused& refused) {
    detail::require_memory();
    throw InputError({.message = refused.message, .file = path.string()});
  }
  write_file(path, {image.data(), image.size()});
}

}  // namespace bristle
