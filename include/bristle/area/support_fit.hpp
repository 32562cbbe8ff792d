#pragma once

/// The limit surface of an object whose supports are known, and the little that is not: where its
/// weight acts.
///
///   SupportModel model{.places = {{…}, {…}, {…}}, .shares = {1, 1, 1}};
///   const SupportFamily family(model);
///   const SupportLaw& law = family.prior();              // without any measurement
///
///   const SupportTable table(family, pairs, 0.05);       // and with some
///   const SupportPosterior belief = posterior(family, table, training);
///   family.laws()[belief.best];                          // the likeliest law, or
///   mean_motion(table, belief, i);                       // the mean of what all laws predict
///
/// Statics gives the shares of three supports from the centre of pressure c. For more, the given
/// shares b_i are tilted by as little as will do: p_i = b_i (1 + g·(r_i − m)), with g such that
/// Σ p_i r_i = c; for three supports this is statics. Flat objects may rest on their rim: shares
/// are then (1 − s) `shares` + s `rim`.
///
/// c is normal about the centre of mass with a spread `centre_sd`, s about `rim_share`. A law's fit
/// is judged by the angles e_i between measured and predicted motions,
///
///   J = Σ e_i/σ + ½|c − centre|²/centre_sd² + ½(s − rim_share)²/rim_sd²
///
/// with σ the mean angle of the prior's law, at least 2°; weights are e^{−J}. All laws are on a
/// grid of c and s: nothing to start from, nothing to get stuck in.
///
/// Limits: places must be known to millimetres; the same pressure in every push.

#include <optional>
#include <span>
#include <vector>

#include "bristle/area/push_fit.hpp"
#include "bristle/area/support_law.hpp"

namespace bristle {

struct SupportModel {
  std::vector<Point2> places{};
  std::vector<double> shares{};  ///< of the load, any sum
  std::vector<double> rim{};     ///< shares of a load on the rim; empty: none
  double torsion = 2e-3;         ///< torsional radius of a support, m
  Point2 centre = Point2::Zero();
  double centre_sd = 1.5e-3;  ///< m
  double centre_reach = 6e-3, centre_step = 0.5e-3;
  double rim_share = 0.34;  ///< 0.34: as far out on the mean as under a rigid flat triangle
  double rim_sd = 0.25;
  double rim_step = 0.1;
};

/// Shares with the given centre; none if some would be negative.
std::optional<std::vector<double>> tilted_shares(std::span<const Point2> places,
                                                 std::span<const double> shares,
                                                 const Point2& centre);

class SupportFamily {
 public:
  /// Throws InputError if the prior's centre is outside the supports, or as SupportLaw does.
  explicit SupportFamily(const SupportModel& model);

  const SupportLaw& prior() const noexcept { return prior_; }
  std::span<const SupportLaw> laws() const noexcept { return laws_; }
  std::span<const double> energies() const noexcept { return energies_; }  ///< J without pairs
  Point2 centre(std::size_t law) const noexcept { return centres_[law]; }
  double rim_share(std::size_t law) const noexcept { return rims_[law]; }

 private:
  SupportLaw prior_;
  std::vector<SupportLaw> laws_;
  std::vector<double> energies_, rims_;
  std::vector<Point2> centres_;
};

/// Unit motions of every law for every sample's wrench.
struct SupportTable {
  std::vector<std::vector<Planar>> motions{};  ///< [law][sample]
  std::vector<Planar> prior{}, measured{};     ///< [sample]

  SupportTable(const SupportFamily& family, std::span<const LimitSample> samples, double length);
};

struct SupportPosterior {
  std::size_t best = 0;
  std::vector<double> weights{};  ///< of the laws, 1 at the best
};
/// After the samples `training` of the table.
SupportPosterior posterior(const SupportFamily& family, const SupportTable& table,
                           std::span<const std::size_t> training);
/// The likeliest law after these samples.
SupportLaw fit_supports(const SupportFamily& family, std::span<const LimitSample> samples,
                        double length);
/// Of the laws' unit motions for a sample, again a unit motion.
Planar mean_motion(const SupportTable& table, const SupportPosterior& belief, std::size_t sample);

}  // namespace bristle
