#pragma once

/// Measured data on its way into an identification.
///
///   data:
///     - file: rig3.csv              # .csv .txt, .h5, .mat (version 5 and 7.3)
///       columns:
///         time:  {column: t, unit: ms}
///         slip:  {column: v, unit: mm/s}
///         load:  {column: N, unit: N}          # or load: 2.5 N
///         force: {column: F, unit: N}
///       window: [0.5 s, 12 s]
///       prepare:
///         - {drift: force, rest: [0 s, 0.4 s]}            # takes out the mean of a rest
///         - {low_pass: force, cutoff: 80 Hz, order: 4}    # Butterworth, forwards and backwards
///         - {differentiate: position, to: slip, points: 21, degree: 3}   # Savitzky–Golay
///         - {resample: 500 Hz}
///         - {decimate: 10}
///
/// A column's unit stands in the file's header, or here; without either it is refused. Everything
/// is SI afterwards. Each step that changes the data leaves a line in `steps`, for the report.

#include <string>
#include <string_view>
#include <vector>

#include "bristle/io/document.hpp"

namespace bristle {

struct Recording {
  std::string file{};
  std::vector<int> lines{};                    ///< source line (or row) of each sample
  std::vector<double> t{};                     ///< s, increasing
  std::vector<std::string> roles{};            ///< slip, load, force, position, …
  std::vector<std::vector<double>> columns{};  ///< of each role, SI
  std::vector<std::string> steps{};            ///< what was done to the data, in words

  std::size_t size() const noexcept { return t.size(); }
  bool has(std::string_view role) const noexcept;
  /// InputError naming the file and the roles there are.
  const std::vector<double>& at(std::string_view role) const;
  std::vector<double>& at(std::string_view role);
  /// Adds a column, or puts another in its place.
  void put(std::string_view role, std::vector<double> values);
};

/// One entry of `data`. InputError with file and row for: a missing file or column, a missing unit
/// or one of the wrong dimension, NaN, time that does not increase, a column that never changes
/// (where it must), an empty window, fewer than three samples.
Recording read_recording(const Node& node);

}  // namespace bristle
