#pragma once

/// What force matching and motion matching have in common: a friction law on trial.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bristle/identify/law_unknowns.hpp"

namespace bristle {

/// A measured signal and what the law makes of it, sample by sample.
struct Matched {
  std::string source{};         ///< file of the recording
  std::string label{}, unit{};  ///< of the signal
  std::vector<double> t{}, measured{}, fitted{};
};

/// A force along a slip, in the order of time.
struct ForcePath {
  std::vector<double> slip{}, way{}, force{};  ///< m/s, m, N; empty: not known
};
/// ∫ slip dt, from 0 on.
std::vector<double> way_of(std::span<const double> t, std::span<const double> slip);

/// The loop that friction draws over speed and displacement: by the record, and by the fit.
struct ForceLoop {
  std::string source{};  ///< file of the recording, and contact where there are several
  std::string label{"Friction (N)"};  ///< of the force
  ForcePath measured{}, fitted{};
  bool derived = false;  ///< what is measured follows from the motion: it scatters
};

/// A record that could be taken next.
struct ProposedRecord {
  std::string text{};              ///< in words
  std::vector<double> relative{};  ///< standard error over estimate that would follow, per unknown
};

/// Friction over load along a recorded motion. NaN: the record does not show it.
struct FrictionLevels {
  double sliding, breaking;  ///< median while it slides; median of the peaks before slips
  int slips = 0;
};

/// What a simulated motion is like, and what its record says by itself.
struct FittedMotion {
  std::map<std::string, double> metrics{};
  double energy_error = 0;
  FrictionLevels levels{};
  std::string slopes{};  ///< how derivatives by the parameters were had
};

class LawMatch : public Problem {
 public:
  /// All of each recording, what was not fitted too.
  virtual std::vector<Matched> match(std::span<const double> p) const = 0;
  /// Of each recording, and of each contact where motions are simulated.
  virtual std::vector<ForceLoop> loops(std::span<const double> p) const = 0;
  /// Unit of the residuals; "1" where they are weighed.
  virtual std::string unit() const = 0;
  /// The law with these parameters.
  AnyLaw law(std::span<const double> p) const { return law_.with(p); }
  /// Root mean square of what was not fitted; NaN if all was.
  virtual double held_out(std::span<const double> p) const = 0;
  /// Records of the same kind that might tell more, in the order of what they ask for; at the noise
  /// of the present one.
  virtual std::vector<ProposedRecord> proposals(std::span<const double> p, double noise) const = 0;
  /// Of the first run, where motions are simulated.
  virtual std::optional<FittedMotion> motion(std::span<const double> p) const {
    static_cast<void>(p);
    return {};
  }
  /// Parameters that are not sought because nothing depends on them, such as those of another form
  /// of the law.
  const std::vector<std::string>& idle() const noexcept { return idle_; }
  const std::vector<double>& measured() const noexcept { return measured_; }
  int residuals() const noexcept override { return static_cast<int>(measured_.size()); }

 protected:
  explicit LawMatch(LawUnknowns law) : law_(std::move(law)) {}

  LawUnknowns law_;
  std::vector<double> measured_;
  std::vector<std::string> idle_;
};

}  // namespace bristle
