#pragma once

/// One column of numbers out of a file that holds arrays by name (HDF5, MATLAB).
///
/// A vector is a column by itself, whether it stands or lies. Of a matrix one column or one row is
/// taken: `Part{.column = 2}` is its second column. Files that MATLAB writes with h5write have
/// rows where other programs see columns.

#include <string>
#include <vector>

namespace bristle {

struct Part {
  int column = 0;  ///< from 1; 0: none is named
  int row = 0;     ///< from 1; 0: none is named
};

struct StoredColumn {
  std::vector<double> values{};
  std::string unit{};  ///< as stored beside the values; empty: none is
};

}  // namespace bristle
