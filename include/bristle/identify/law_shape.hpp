#pragma once

/// Whether it is the shape of a law that does not fit, and not its parameters.
///
/// Least squares finds the best parameters of a wrong law too; what is left over then is no noise.
/// The shape of a law is called wrong if all of this holds:
///
/// - its rms e, of what was held out (of the fit where nothing was), is more than 2 times that of
///   the best law, or more than 3 times what the cycles of the record repeat to
///   (repeatability.hpp);
/// - its residuals follow one another: lag-one autocorrelation above 0.5, and no chance (p < 0.01);
/// - two starts ended within a tenth of its rms, so that it is not the search that failed;
/// - e is more than rounding leaves: 1e-6 of the signal.
///
/// It is said of the ranges in which parameters were sought; those that ended at a bound are named.

#include <span>
#include <string>
#include <vector>

namespace bristle {

/// A law's fit as far as its shape is concerned.
struct ShapeEvidence {
  double rms = 0;                         ///< e, in the unit of the residuals
  double signal = 0;                      ///< root mean square of what was measured
  double whiteness = 0, whiteness_p = 1;  ///< lag-one autocorrelation of the residuals
  int agreeing = 0;                       ///< starts that ended about there
  std::vector<std::string> at_bounds{};   ///< parameters that ended there
};

struct LawShape {
  bool wrong = false;
  double over_best = 1;   ///< e over that of the best law
  double over_floor = 0;  ///< e over what cycles repeat to; 0: not known
  std::string text{};     ///< in words, where it is wrong
};

/// `best` is the name and rms of the best law, `floor` what cycles repeat to, 0: they do not.
LawShape judge_shape(const ShapeEvidence& law, const std::string& best, double best_rms,
                     double floor);

}  // namespace bristle
