#pragma once

/// Measured data on its way into an identification.
///
///   data:
///     - file: rig3.csv              # .csv .txt …, .h5, .mat (versions 4, 5 and 7.3)
///       columns:
///         time:  {column: t, unit: ms}         # or time: {rate: 1 kHz}, the first sample at 0
///         slip:  {column: v, unit: mm/s}
///         load:  {column: N, unit: N}          # or load: 2.5 N
///         force: {column: u, unit: V, gain: 35.15 N/V}
///       window: [0.5 s, 12 s]                  # or windows: [[0 s, 2 s], [5 s, 9 s]]
///       prepare:
///         - {drift: force, rest: [0 s, 0.4 s]}            # takes out the mean of a rest
///         - {low_pass: force, cutoff: 80 Hz, order: 4}    # Butterworth, forwards and backwards
///         - {differentiate: position, to: slip, points: 21, degree: 3}   # Savitzky–Golay
///         - {resample: 500 Hz}
///         - {decimate: 10}
///         - {still: slip, below: 3 um/s}                  # noise about a rest is a rest
///
/// Files are found beside the one that names them. Text has its columns separated by comma,
/// semicolon, tab or blanks; without a header they are called 1, 2, …. A column of .h5 or .mat is
/// a dataset (group/v) or variable (log.v): a vector, or of a matrix the `index`-th column or
/// `row`-th row, counted from 1.
///
/// A column's unit stands in the file, or here; without either it is refused, and where both are
/// given they must agree. Everything is SI afterwards. Preparation (prepare.hpp) sees the whole
/// file; windows are cut afterwards, so that rests may lie outside of them and filters have their
/// ends there. Each step that changes the data leaves a line in `steps`, for the report.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bristle/core/error.hpp"
#include "bristle/core/unit.hpp"
#include "bristle/io/document.hpp"

namespace bristle {

/// What a column may stand for.
struct Role {
  std::string name{};
  std::vector<Dimension> dimensions{};  ///< it may have any of these
  bool must_vary = false;               ///< a column that never changes is a dead sensor
};

/// position, slip, acceleration, load, force, reference and command; positions and what follows
/// from them may be lengths or angles, forces may be torques.
const std::vector<Role>& common_roles();

struct Recording {
  std::string file{};
  bool text = true;                            ///< samples stand in lines; else in rows of an array
  std::vector<int> lines{};                    ///< source line (or row) of each sample
  std::vector<double> t{};                     ///< s, increasing
  std::vector<std::string> roles{};            ///< slip, load, force, position, …
  std::vector<std::vector<double>> columns{};  ///< of each role, SI
  std::vector<Dimension> dimensions{};         ///< of each role
  std::vector<std::string> steps{};            ///< what was done to the data, in words

  std::size_t size() const noexcept { return t.size(); }
  bool has(std::string_view role) const noexcept;
  /// InputError naming the file and the roles there are.
  const std::vector<double>& at(std::string_view role) const;
  std::vector<double>& at(std::string_view role);
  const Dimension& dimension(std::string_view role) const;
  /// Adds a column, or puts another in its place.
  void put(std::string_view role, std::vector<double> values, const Dimension& dimension);
  /// As above; the dimension stays what it was, none for a new column.
  void put(std::string_view role, std::vector<double> values);

  /// A fault of the file, or of one sample of it.
  Fault fault(std::string message, std::string_view role = {}) const;
  Fault fault_at(std::size_t sample, std::string message, std::string_view role = {}) const;
};

/// One entry of `data` as a whole; the first of its windows if it has several. InputError, with the
/// line or row where there is one, for: a missing file or column; a missing unit, one of the wrong
/// dimension or one that contradicts the file; columns of unequal lengths; what is not a finite
/// number; time that does not increase; and, in a window: fewer than three samples; a gap, that is
/// a step of more than ten times the median one (unless `gaps: true`); a column that must vary and
/// never does; a load that is nowhere above zero.
Recording read_recording(const Node& node, std::span<const Role> roles = common_roles());

/// All entries of a list, or a single one; each window is a recording of its own.
std::vector<Recording> read_recordings(const Node& node,
                                       std::span<const Role> roles = common_roles());

/// The checks of a window.
void check_recording(const Recording& recording, std::span<const Role> roles = common_roles(),
                     bool may_have_gaps = false);

/// For force matching. A slip that is zero all through is a dead sensor: InputError with its rows.
void check_slip(const Recording& recording);
/// For force matching, where laws have no friction without load. Bodies may part for a while, and
/// the force is then near zero too: a sentence for the report, with the first such row; empty if
/// there is none. A force of more than a tenth of the largest one under a load that is zero or
/// negative is no lift-off but a bad sample, and would be fitted all the same: InputError with its
/// row.
std::string check_load(const Recording& recording);

}  // namespace bristle
