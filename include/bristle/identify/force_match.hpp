#pragma once

/// Force matching: a friction law against a record of slip, load and friction.
///
///   ForceMatch problem(AnyLaw("lugre"), recordings, {.offset = true});
///   Search search = find_minimum(problem);
///
/// The residual is the law's force along the measured slip minus the measured force, sample by
/// sample, with exact derivatives (friction/replay.hpp). All real parameters of the law are sought
/// but those that are fixed; ranges, orders and starts come from the law's own description.

#include <optional>

#include "bristle/friction/replay.hpp"
#include "bristle/identify/law_match.hpp"
#include "bristle/identify/recording.hpp"

namespace bristle {

struct ForceMatchOptions {
  UnknownSettings parameters{};
  NamedOrders orders{};
  bool offset = false;           ///< a constant force is sought as well
  double share = 1;              ///< of each recording, from its start, that is fitted
  bool speed_sets_range = true;  ///< usual ranges of speeds and forces from the data
};

class ForceMatch final : public LawMatch {
 public:
  /// InputError for a recording without slip, load or force, no more samples than unknowns, and for
  /// settings that name no parameter of the law.
  ForceMatch(const AnyLaw& law, const std::vector<Recording>& recordings,
             const ForceMatchOptions& options = {});

  bool evaluate(std::span<const double> p, std::span<double> r) const override;
  bool derivatives(std::span<const double> p, std::span<double> r,
                   std::span<double> by) const override;

  /// The leading part of each recording.
  std::unique_ptr<Problem> rough(int residuals) const override;

  /// The law's force along all of each recording, what was not fitted too.
  std::vector<std::vector<double>> predict(std::span<const double> p) const;
  std::vector<Matched> match(std::span<const double> p) const override;
  std::vector<ForceLoop> loops(std::span<const double> p) const override;
  std::string unit() const override { return "N"; }
  double held_out(std::span<const double> p) const override;
  /// The designs of advice.hpp under the mean load of the data.
  std::vector<ProposedRecord> proposals(std::span<const double> p, double noise) const override;

 private:
  struct Part {
    std::string file{};
    std::vector<double> t{}, v{}, fn{}, force{};
    std::size_t first = 0, used = 0;
  };
  ForceMatch(const AnyLaw& law, const std::vector<Recording>& recordings,
             const ForceMatchOptions& options, std::vector<Part> parts);
  static std::vector<Part> parts_of(const std::vector<Recording>& recordings, double share);
  static DataScales scales_of(const std::vector<Part>& parts);
  void add_offset();
  void drop_idle();
  SlipSamples samples(const Part& part, std::size_t count) const;

  std::vector<Part> parts_;
  double fastest_ = 0;
  std::optional<Replay> replay_;
  bool offset_ = false;
};

}  // namespace bristle
