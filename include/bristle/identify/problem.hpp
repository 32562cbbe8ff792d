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
  /// Whether the residuals have so many kinks that least squares may stop short in them.
  bool is_kinked() const noexcept { return kinked_; }
  virtual int residuals() const noexcept = 0;

  /// Safe to call from several threads. False if the model cannot be evaluated there.
  virtual bool evaluate(std::span<const double> p, std::span<double> r) const = 0;
  /// The same with dr_k/dp_j, row-major residuals × unknowns; it succeeds where evaluate does. By
  /// central differences unless a problem knows better.
  virtual bool derivatives(std::span<const double> p, std::span<double> r,
                           std::span<double> by) const;
  /// A cheaper version of the same, for the first look at many starts: on about so many residuals,
  /// or less exact. Null if there is none that is worth it.
  virtual std::unique_ptr<Problem> rough(int residuals) const {
    static_cast<void>(residuals);
    return nullptr;
  }
  /// Where residuals are damped (identify/damped.hpp): turns those of `derivatives` into what
  /// intervals are made of, in place, and says how many times as much Σr² rises for that.
  virtual double undamp(std::span<double> r, std::span<double> by) const {
    static_cast<void>(r);
    static_cast<void>(by);
    return 1;
  }

 protected:
  /// Central differences about p, where the residuals are r, with steps of so much of the unknowns.
  void differences(std::span<const double> p, std::span<const double> r, double step,
                   std::span<double> by) const;

  bool kinked_ = false;
  std::vector<Unknown> unknowns_;
  std::vector<UnknownOrder> orders_;
};

}  // namespace bristle
