#pragma once

/// Inverse dynamics of a drive: which parameters explain the force that moved it. With position q,
/// v = q̇ and a = q̈,
///
///   τ = M a + Fv v + Fc sgn v + offset            symmetric_drive()
///   τ = M a + Fv± v + Fc± sgn v                   asymmetric_drive(): ± by the direction of motion
///
/// and further terms by name, each with one parameter that τ is linear in (drive_terms()):
///
///   acceleration  a                   viscous        v
///   accel_size    |a|                 quadratic      v |v|
///   jerk          da/dt               coulomb        sgn v
///   offset        1                   stribeck(s)    sgn v exp(−|v|/s), s in m/s
///   position      q                   stribeck2(s)   sgn v exp(−(v/s)²)
///   position2     q²                  position3      q³
///
/// A '+' or '-' after a name keeps the term where v > 0 or v < 0 only: "coulomb+".
///
///   const LinearProblem problem = drive_problem(recording, symmetric_drive());
///   const LinearFit fit = fit_linear(problem);     // M ± …, Fv ± …, relative error
///
/// The recipe (Gautier, Janot): the position is filtered (Butterworth, forwards and backwards) and
/// differentiated by central differences; the terms are formed at the full rate; terms and force
/// alike are then filtered once more and decimated, which takes out ripple that no term explains
/// and leaves samples that are nearly independent; the ends are cut off. The relative error depends
/// on the factor of the decimation, so state it with the error.

#include <span>
#include <string>
#include <vector>

#include "bristle/identify/filter.hpp"
#include "bristle/identify/linear.hpp"
#include "bristle/identify/recording.hpp"

namespace bristle {

struct DriveTerm {
  std::string name{}, formula{}, text{};
  std::string helps{};     ///< a motion that would tell more of its factor
  bool has_speed = false;  ///< takes a speed in parentheses
};
const std::vector<DriveTerm>& drive_terms();

std::vector<std::string> symmetric_drive();
std::vector<std::string> asymmetric_drive();

struct DriveOptions {
  double cutoff = 80;  ///< of the position, Hz; 0: not filtered
  int order = 5;
  int factor = 10;  ///< of the decimation; 1: none
  AntiAlias anti_alias = AntiAlias::iir;
  int trim = 10;  ///< samples cut off at either end, after decimation
};

/// `recording` has `force`, the one that moves the drive, and `position`, or else `slip` (terms of
/// the position are then refused). InputError for a term nobody knows, one given twice, sampling
/// that is not uniform, or a recording that is too short.
LinearProblem drive_problem(const Recording& recording, std::span<const std::string> terms,
                            const DriveOptions& options = {});

/// Terms that go together, such as both branches of one.
using TermGroup = std::vector<std::string>;

struct DriveChoice {
  TermGroup added{};                 ///< in this round; empty: the start
  std::vector<std::string> terms{};  ///< all of them
  double inner_error = 0;  ///< what the choice was made by: hold_out within the first half, mean
  double fit_error = 0;    ///< of the first half, which was fitted
  double test_error = 0;   ///< of the second half, which had no say
};

/// What each group would add to `start`, best first, by the inner error.
std::vector<DriveChoice> rank_drives(const Recording& recording,
                                     const std::vector<std::string>& start,
                                     const std::vector<TermGroup>& groups,
                                     const DriveOptions& options = {});

/// Adds the best group, again and again, while the inner error falls by more than 1 % of itself.
/// One choice per round, from the start on.
std::vector<DriveChoice> grow_drive(const Recording& recording,
                                    const std::vector<std::string>& start,
                                    const std::vector<TermGroup>& groups,
                                    const DriveOptions& options = {});

}  // namespace bristle
