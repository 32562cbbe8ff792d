#pragma once

/// Numbers out of MATLAB's .mat files, versions 4, 5 (also compressed) and 7.3.
///
///   read_mat("DATA_EMPS.mat", "qm").values;
///   read_mat("rig.mat", "log.force").values;               // the field of a struct
///   read_mat("rig.mat", "samples", {.column = 3}).values;
///
/// Any class of real numbers is read, as doubles; text, cells, sparse and complex arrays are not.
/// MATLAB stores no units.

#include <filesystem>
#include <string>
#include <vector>

#include "bristle/io/stored_column.hpp"

namespace bristle {

/// InputError naming the file and the variable when there is no such thing, with the names there
/// are; when it is not one column of numbers; when the file cannot be read.
StoredColumn read_mat(const std::filesystem::path& path, const std::string& name,
                      const Part& part = {});

/// The variables of numbers in a file, with the structs they lie in: "log.force".
std::vector<std::string> mat_names(const std::filesystem::path& path);

}  // namespace bristle
