#pragma once

/// Trust-region least squares inside bounds (Ceres), for one start.

#include <limits>
#include <span>
#include <vector>

#include "bristle/identify/coordinates.hpp"

namespace bristle {

/// How far residuals count: as squares, or less when they are large.
enum class Loss { squares, huber, cauchy };

struct LeastSquaresOptions {
  int iterations = 100;
  double tolerance = 1e-12;  ///< of cost and parameters
  Loss loss = Loss::squares;
  double loss_scale = 1;  ///< residuals above this count less
  double enough = 0;      ///< a cost at which there is nothing left to find
  /// A run that is still above this cost after `patience` iterations is given up.
  double hopeless = std::numeric_limits<double>::infinity();
  int patience = 15;
};

struct Minimum {
  std::vector<double> x;  ///< coordinates
  double cost = 0;        ///< Σ r², robust where asked
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
