#pragma once

/// Tables of numbers as HDF5 files, which h5py, MATLAB and Julia read without a converter.
///
///   const std::vector<Hdf5Column> columns = {{"t", "s", t}, {"v", "m/s", v}};
///   write_hdf5("run.h5", columns, {{"scenario", "rig 3"}, {"partial", false}, {"step", 1e-4}});
///
///   >>> f = h5py.File("run.h5"); f["v"][:], f["v"].attrs["unit"], f.attrs["scenario"]
///
/// Each column is a dataset of doubles with an attribute `unit`, in the order given; a name such as
/// "block/v" lies in the group "block". Long columns are compressed without loss. The same table
/// always gives the same bytes: no times are stored.
///
///   read_hdf5("run.h5", "block/v").values;                  // back again; .unit is "m/s"
///   read_hdf5("log.h5", "samples", {.column = 3}).values;   // of a matrix
///
/// Numbers of any type are read; text, complex numbers and records are not.

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "bristle/io/stored_column.hpp"

namespace bristle {

/// The values are in `unit`; "1" is the unit of a number without dimension.
struct Hdf5Column {
  std::string name{}, unit{};
  std::span<const double> values{};
};

/// What is known of the whole table, stored as attributes of the file. A bool becomes 0 or 1.
using Hdf5Attributes = std::map<std::string, std::variant<std::string, double, std::int64_t>>;

/// Written whole or not at all, as by write_file; the file is put together in memory. Throws
/// InputError when the path cannot be written or a name cannot be stored (empty or taken), and
/// std::invalid_argument when the columns differ in length.
void write_hdf5(const std::filesystem::path& path, std::span<const Hdf5Column> columns,
                const Hdf5Attributes& attributes = {});

/// The dataset `name`, or the part of it. Its unit is the text of its attribute `unit` or `units`.
/// InputError naming the file and the dataset when there is no such thing, with the names there
/// are; when it is not one column of numbers; when the file cannot be read.
StoredColumn read_hdf5(const std::filesystem::path& path, const std::string& name,
                       const Part& part = {});

/// The datasets of numbers in a file, with the groups they lie in: "block/v".
std::vector<std::string> hdf5_names(const std::filesystem::path& path);

}  // namespace bristle
