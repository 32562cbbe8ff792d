#pragma once

/// What is sought, and how far a guess is from the data.
///
/// A Problem has unknowns p and residuals r(p): model minus measurement, one per sample, in the
/// unit of the measurement. Everything else (search, intervals, verdicts) works on any Problem.

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace bristle {

/// A parameter to be found.
struct Unknown {
  std::string name{}, unit{"1"};
  double low = 0, high = 1;              ///< it is sought in between, and never leaves them
  double usual_low = 0, usual_high = 1;  ///< where starts are drawn from
  bool log = false;                      ///< sought and spread logarithmically
  std::string text{};                    ///< what it is, in a few words
};

/// p[greater] ≥ p[smaller] at all times, but for the steps of differences.
struct UnknownOrder {
  int greater = 0, smaller = 0;
};

class Problem {
 public:
  virtual ~Problem() = default;

  const std::vector<Unknown>& unknowns() const noexcept { return unknowns_; }
  const std::vector<UnknownOrder>& orders() const noexcept { return orders_; }
  int size() const noexcept { return static_cast<int>(unknowns_.size()); }
  virtual int residuals() const noexcept = 0;

  /// Safe to call from several threads. False if the model cannot be evaluated there.
  virtual bool evaluate(std::span<const double> p, std::span<double> r) const = 0;
  /// The same with dr_k/dp_j, row-major residuals × unknowns; it succeeds where evaluate does. By
  /// central differences unless a problem knows better.
  virtual bool derivatives(std::span<const double> p, std::span<double> r,
                           std::span<double> by) const;
  /// The same problem on about so many residuals, for the first look at many starts; null if there
  /// is none.
  virtual std::unique_ptr<Problem> part(int residuals) const {
    static_cast<void>(residuals);
    return nullptr;
  }

 protected:
  std::vector<Unknown> unknowns_;
  std::vector<UnknownOrder> orders_;
};

}  // namespace bristle
