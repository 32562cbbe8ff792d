#pragma once

/// Trust-region least squares inside bounds (Ceres), for one start.

#include <limits>
#include <span>
#include <vector>

#include "bristle/identify/coordinates.hpp"

namespace bristle {

struct LeastSquaresOptions {
  int iterations = 100;
  double tolerance = 1e-12;  ///< of cost and parameters
  double enough = 0;         ///< a cost at which there is nothing left to find
  /// A run that is still above this cost after `patience` iterations is given up.
  double hopeless = std::numeric_limits<double>::infinity();
  int patience = 15;
  /// How far the first step trusts the slopes: 1e4 nearly all the way; 1 halfway, so that a run
  /// that starts in a bent valley stays in it.
  double trust = 1e4;
  /// Kinks are rounded off: residuals are means over so much of the usual ranges around each point.
  double blur = 0;
};

struct Minimum {
  std::vector<double> x;  ///< coordinates
  double cost = 0;        ///< Σ r²; of the residuals as they are, also after a blurred run
  int iterations = 0;
  bool converged = false;
};

/// From x; coordinates with held[j] stay. A start that cannot be evaluated has an infinite cost.
Minimum minimise(const Problem& problem, const Coordinates& coordinates, std::span<const double> x,
                 const LeastSquaresOptions& options = {}, const std::vector<bool>& held = {});

/// Σ r² at x; infinite where the model cannot be evaluated.
double sum_of_squares(const Problem& problem, const Coordinates& coordinates,
                      std::span<const double> x);

}  // namespace bristle
