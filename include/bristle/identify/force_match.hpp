#pragma once

/// Force matching: a friction law against a record of slip, load and friction.
///
///   ForceMatch problem(AnyLaw("lugre"), recordings, {.offset = true});
///   Search search = find_minimum(problem);
///
/// The residual is the law's force along the measured slip minus the measured force, sample by
/// sample, with exact derivatives (friction/replay.hpp). All real parameters of the law are sought
/// but those that are fixed; ranges, orders and starts come from the law's own description.

#include <map>
#include <optional>

#include "bristle/friction/replay.hpp"
#include "bristle/identify/problem.hpp"
#include "bristle/identify/recording.hpp"

namespace bristle {

/// What the user says of a parameter; the rest comes from the law's description.
struct UnknownSetting {
  std::optional<double> fixed{}, start{}, low{}, high{};
  std::optional<bool> log{};
};

struct ForceMatchOptions {
  std::map<std::string, UnknownSetting> parameters{};
  /// Pairs (greater, smaller) to keep besides those of the law itself.
  std::vector<std::pair<std::string, std::string>> orders{};
  bool offset = false;           ///< a constant force is sought as well
  double share = 1;              ///< of each recording, from its start, that is fitted
  bool speed_sets_range = true;  ///< usual ranges of speeds and forces from the data
};

class ForceMatch final : public Problem {
 public:
  /// InputError for a recording without slip, load or force, fewer samples than unknowns, and for
  /// settings that name no parameter of the law.
  ForceMatch(const AnyLaw& law, const std::vector<Recording>& recordings,
             const ForceMatchOptions& options = {});

  int residuals() const noexcept override { return static_cast<int>(measured_.size()); }
  bool evaluate(std::span<const double> p, std::span<double> r) const override;
  bool derivatives(std::span<const double> p, std::span<double> r,
                   std::span<double> by) const override;

  /// The leading part of each recording.
  std::unique_ptr<Problem> part(int residuals) const override;

  /// The law's force along all of each recording, what was not fitted too.
  std::vector<std::vector<double>> predict(std::span<const double> p) const;
  /// Root mean square of what was not fitted; NaN if all was.
  double held_out(std::span<const double> p) const;
  /// The law with these parameters.
  AnyLaw law(std::span<const double> p) const;
  const std::vector<double>& measured() const noexcept { return measured_; }
  /// The largest slip of the data, m/s.
  double largest_speed() const noexcept { return speed_.large; }
  /// Parameters that are not sought because nothing depends on them, such as those of another form
  /// of the law.
  const std::vector<std::string>& idle() const noexcept { return idle_; }

 private:
  struct Part {
    std::vector<double> t, v, fn, force;
    std::size_t first = 0, used = 0;
  };
  void add_unknowns(const ForceMatchOptions& options);
  void add_unknown(const Parameter& parameter, const UnknownSetting& setting, bool from_data);
  void add_orders(const ForceMatchOptions& options);
  void drop_idle();
  SlipSamples samples(const Part& part, std::size_t count) const;

  AnyLaw law_;
  std::vector<Part> parts_;
  std::vector<double> measured_;
  std::vector<std::string> sought_, idle_;
  struct Scale {
    double large = 0, small = 0;
  } speed_, ratio_;  ///< largest, and small but telling magnitudes in the data
  std::optional<Replay> replay_;
  bool offset_ = false;
};

}  // namespace bristle
