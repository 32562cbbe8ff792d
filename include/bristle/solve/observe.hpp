#pragma once

/// Columns of the motion of a rig or a world at given times, and nothing else: no books, no
/// metrics. For those who ask for it thousands of times, such as an identification.

#include <span>
#include <string>
#include <vector>

#include "bristle/solve/run.hpp"

namespace bristle {

/// values[k · columns + c] = column c at times[k]. Times ascend from 0 on; the last one ends the
/// run. Columns are named as in run(); energies are not among them. Of the options count method,
/// step, tolerance and break_away. Fails as run() does.
void observe(const Rig& rig, const RunOptions& options, std::span<const double> times,
             const std::vector<std::string>& columns, std::span<double> values);
void observe(const World& world, const RunOptions& options, std::span<const double> times,
             const std::vector<std::string>& columns, std::span<double> values);

/// A parameter of a rig: the rig with a little more of it, and with a little less.
struct NudgedRig {
  Rig up, down;
  double above = 0, below = 0;  ///< by how much; one of them may be 0, at the end of a range
  /// Where it is a parameter of friction laws and of nothing else: its name there. It is that of
  /// all contacts in which `up` and `down` differ.
  std::string law_parameter{};
};

/// The same with derivatives: by[(k · columns + c) · parameters + j] = d values/d p_j. The rigs are
/// compared at each point of one run and never run themselves, so that a dozen parameters cost a
/// few runs; changes of mode move with the parameters (src/solve/sensitivity.hpp). Between events
/// parameters of a law are seen in dual numbers. For all others, and at events, a
/// step of 1e-8 of the parameter is about right: rounding leaves one that hardly shows five
/// digits, and a kink of the law is hardly blurred.
///
/// False, with the values alone, if an event only touched its guard or a derivative is not finite.
/// InputError where insensitive_because() says why, or where a parameter moves a break of a
/// source.
bool observe(const Rig& rig, const RunOptions& options, std::span<const double> times,
             const std::vector<std::string>& columns, std::span<double> values,
             std::span<const NudgedRig> parameters, std::span<double> by);

/// Why derivatives of runs of this rig cannot be had this way: contacts in a plane, delays,
/// sampled controllers, fixed steps. Empty if they can.
std::string insensitive_because(const Rig& rig, const RunOptions& options);

}  // namespace bristle
