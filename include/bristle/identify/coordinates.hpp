#pragma once

/// The coordinates a search works in: unbounded orders and scales become a box.
///
///   p = x            plain
///   p = e^x          logarithmic
///   p = p_smaller + s (e^x − 1)   for the greater of two that are ordered, s small
///   p = p_greater − s (e^x − 1)   for the smaller, where the greater leads
///
/// so that a step in x is a relative change, and no step can break an order.

#include <span>
#include <vector>

#include "bristle/identify/problem.hpp"

namespace bristle {

class Coordinates {
 public:
  explicit Coordinates(const Problem& problem);
  /// The same with parameter `lead` a coordinate of its own: those it is ordered with follow it.
  Coordinates(const Problem& problem, int lead);

  int size() const noexcept { return static_cast<int>(low_.size()); }
  std::span<const double> low() const noexcept { return low_; }
  std::span<const double> high() const noexcept { return high_; }
  /// Where starts are drawn from, inside [low, high].
  std::span<const double> usual_low() const noexcept { return usual_low_; }
  std::span<const double> usual_high() const noexcept { return usual_high_; }

  std::vector<double> parameters(std::span<const double> x) const;
  /// Of parameters inside their ranges; those outside are moved to the nearest.
  std::vector<double> coordinates(std::span<const double> p) const;
  /// ∂r/∂x from ∂r/∂p, in place, row-major.
  void pull_back(std::span<const double> x, std::span<double> by) const;

 private:
  enum class Kind { plain, log, above, below };
  void add(const std::vector<Unknown>& unknowns, std::size_t j, bool above);
  std::vector<Kind> kind_;
  std::vector<int> base_;      ///< the one of the order that it is counted from, −1: none
  std::vector<int> order_;     ///< so that a base comes before what is counted from it
  std::vector<double> scale_;  ///< s
  std::vector<double> low_, high_, usual_low_, usual_high_, top_, bottom_;
};

}  // namespace bristle
