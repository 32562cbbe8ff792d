#pragma once

/// From many starts to one estimate.
///
///   const Search search = find_minimum(problem, {.starts = 20});
///   search.p;                  // the best parameters
///   search.agreeing();         // how many starts came to the same minimum
///
/// Points of a Sobol sequence over the usual ranges are screened by their cost; least squares
/// starts from the best of them, and from the starts given. They see a rougher version of the
/// problem where there is one (the leading part of a long record, a simulation of less accuracy);
/// the best ends are polished on the whole. Where nothing confirms the best end, a further round
/// takes twice as many. Every start is independent and its points depend on the seed and its number
/// only, so that the answer does not depend on the number of threads.

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "bristle/identify/least_squares.hpp"

namespace bristle {

struct StartResult {
  std::vector<double> from, to;  ///< parameters
  /// Coordinates of the end, which parameters give back only to the last bit but one.
  std::vector<double> x;
  double cost_from = 0, cost = std::numeric_limits<double>::infinity();  ///< Σ r²
  double seen = std::numeric_limits<double>::infinity();  ///< of the rough version, where it ended
  int iterations = 0;
  bool converged = false, done = false;
};

struct SearchOptions {
  int starts = 20;        ///< least-squares runs
  int screen = 12;        ///< points looked at for each of them
  int rounds = 1;         ///< at most, until two starts agree or `target` is reached
  double target = 0;      ///< Σ r² that cannot be beaten, such as n σ² of known noise
  int first_look = 2500;  ///< residuals that the starts see of a long record; 0: no rough version
  std::uint64_t seed = 1;
  int threads = 0;                           ///< 0: as many as there are processors
  std::vector<std::vector<double>> given{};  ///< parameters to start from, before the others
  /// Of each start; the best few are polished with `polish` afterwards.
  LeastSquaresOptions least_squares{.iterations = 50, .tolerance = 1e-4};
  LeastSquaresOptions polish{};
  /// Smoothing continuation, for residuals with kinks or jumps: each start is first minimised with
  /// its residuals averaged over these shares of the usual ranges, one after the other. Sixteen
  /// times as dear.
  std::vector<double> smoothing{};
  /// A global search (identify/global_search.hpp) whose end is one more start; empty: none.
  std::string global{};
  int global_evaluations = 2000;
  /// Called after each start with the number done and the lowest cost so far; false stops.
  std::function<bool(int done, double lowest)> progress{};
  /// Starts done before, by number, and who keeps new ones: to stop a search and go on with it.
  std::vector<StartResult> known{};
  std::function<void(std::size_t number, const StartResult&)> keep{};
};

struct Search {
  std::vector<double> p, x;  ///< of the lowest cost: parameters and coordinates
  double cost = std::numeric_limits<double>::infinity();  ///< Σ r²
  double seen = std::numeric_limits<double>::infinity();  ///< of the rough version, at its end
  std::vector<StartResult> starts;
  bool stopped = false;

  /// Starts that ended within this share of the lowest cost, or of what the best one saw.
  int agreeing(double share = 1e-3) const;
};

/// std::runtime_error if the model cannot be evaluated at any start.
Search find_minimum(const Problem& problem, const SearchOptions& options = {});

}  // namespace bristle
