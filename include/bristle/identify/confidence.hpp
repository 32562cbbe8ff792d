#pragma once

/// How sure an estimate is, and what the data cannot tell.
///
/// Around the minimum the residuals are nearly linear in the coordinates x (logarithms where a
/// parameter is sought so): covariance s² (JᵀJ)⁻¹, s² = Σr²/(n − m). That gives the standard error
/// and Wald's interval. Where parameters hang together or bend, it is wrong, and the profile says
/// how things are: the parameter is held at values further and further out, all others are sought
/// anew, and the interval ends where Σr² has risen by s² t²(0.975, n − m). Where it never does
/// before the bound, the data set no limit. Residuals that follow one another
/// (lag-one autocorrelation ρ) are worth fewer samples: both intervals are then wider by
/// √((1+ρ)/(1−ρ)).
///
/// Records of motions have many minima that differ by less than an interval allows, and some are
/// crevices that follow the noise. Where residuals are smooth and white, the estimate is therefore
/// the minimum that outweighs the others, by Laplace: e^(−Σr²/2s²)/√det(JᵀJ), how likely times how
/// wide. Intervals are those about it.
///
///   determined       95 % interval within ±5 % of the estimate
///   weak             a limit on both sides, but wider
///   not determined   no limit on one side, or a factor of 7 between the limits

#include <string>
#include <vector>

#include <Eigen/Core>

#include "bristle/identify/search.hpp"

namespace bristle {

enum class Verdict { determined, weak, not_determined };
std::string_view to_string(Verdict verdict);

struct Interval {
  double low = 0, high = 0;
  bool open_low = false, open_high = false;  ///< the bound came before the limit
};

/// A point of a profile: the parameter, and Σr² with all others at their best.
struct ProfilePoint {
  double value, cost;
};

struct Estimate {
  std::string name{}, unit{};
  double value = 0, se = 0;
  Interval wald{}, profile{};
  std::vector<ProfilePoint> curve{};  ///< of the profile, ascending; empty if not asked for
  Verdict verdict = Verdict::determined;
  std::string reason{};  ///< in words
};

struct Confidence {
  std::vector<Estimate> parameters;
  Eigen::MatrixXd correlation;
  std::vector<double> singular_values;  ///< of J in coordinates, over s: largest first
  int rank = 0;                         ///< singular values above 1e-10 of the largest
  double sigma = 0;                     ///< s, or the noise given
  double widening = 1;                  ///< for residuals that are not white
  double per_square = 1;  ///< by how much `cost` rises where Σr² would by 1 (damped.hpp)
  double cost = 0;        ///< Σr²
  double lowest =
      0;  ///< Σr² of the lowest minimum met; less than `cost`: the estimate outweighs it
  int samples = 0;
  double whiteness = 0;     ///< lag-one autocorrelation of the residuals
  double whiteness_p = 1;   ///< probability of one as large if they were white
  double aic = 0, bic = 0;  ///< n ln(Σr²/n) + 2 m, and m ln n
};

struct ConfidenceOptions {
  bool profile = true;
  double noise = 0;  ///< standard deviation of the measurement, if known; 0: from the residuals
  int threads = 0;
  LeastSquaresOptions least_squares{};
};

/// Of a minimum. A better one found on the way replaces `search` (its p, x and cost), and the
/// profiles are taken anew from there.
Confidence confidence_of(const Problem& problem, Search& search,
                         const ConfidenceOptions& options = {});

}  // namespace bristle
