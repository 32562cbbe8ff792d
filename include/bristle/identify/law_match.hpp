#pragma once

/// What force matching and motion matching have in common: a friction law on trial.

#include <string>
#include <vector>

#include "bristle/identify/law_unknowns.hpp"

namespace bristle {

/// A measured signal and what the law makes of it, sample by sample.
struct Matched {
  std::string source{};         ///< file of the recording
  std::string label{}, unit{};  ///< of the signal
  std::vector<double> t{}, measured{}, fitted{};
  std::vector<double> slip{};  ///< m/s, where it was recorded
};

class LawMatch : public Problem {
 public:
  /// All of each recording, what was not fitted too.
  virtual std::vector<Matched> match(std::span<const double> p) const = 0;
  /// Unit of the residuals; "1" where they are weighed.
  virtual std::string unit() const = 0;
  /// The law with these parameters.
  AnyLaw law(std::span<const double> p) const { return law_.with(p); }
  /// Root mean square of what was not fitted; NaN if all was.
  virtual double held_out(std::span<const double> p) const = 0;
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
