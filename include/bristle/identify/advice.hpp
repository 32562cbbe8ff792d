#pragma once

/// What to measure next: records of slip that would determine what the present one does not.
///
/// Each of a few designs (a slow sweep, small turns inside the break-away distance, a fast sweep,
/// rests of several lengths before a slide) is played through the law at its estimate, with the
/// noise of the present data; the standard errors that would follow (Cramér–Rao) say which of them
/// helps.

#include <string>
#include <vector>

#include "bristle/identify/confidence.hpp"
#include "bristle/identify/law_match.hpp"

namespace bristle {

struct DesignedRecord {
  std::string text;          ///< in words: "slip swept 0 … 0.6 mm/s and back in 20 s at 1 kHz"
  std::vector<double> t, v;  ///< s, m/s
  std::vector<double> relative;  ///< standard error over estimate, of each parameter of the law
};

/// The designs, each with what it would tell, for the law at its estimate under a load.
/// Nothing is proposed that slips faster than `fastest`.
std::vector<DesignedRecord> designed_records(const AnyLaw& law,
                                             const std::vector<std::string>& sought, double load,
                                             double noise, double fastest);

/// Standard errors over the values (Cramér–Rao) from slopes by each parameter, row-major, at a
/// noise. The slopes are scaled in place.
std::vector<double> relative_errors(std::span<double> by, std::span<const double> values,
                                    double noise);

/// For every parameter of `confidence` that is weak or not determined, as a sentence added to its
/// reason: the first of the problem's proposals that would limit it to ±10 %, or the best of them.
void advise(const LawMatch& problem, Confidence& confidence);

}  // namespace bristle
