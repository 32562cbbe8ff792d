#pragma once

/// Global searches of NLopt, over the usual ranges of a problem: a start for least squares where
/// screening finds none.
///
///   esch     evolution with Cauchy mutation
///   isres    evolution strategy with stochastic ranking
///   crs      controlled random search with local mutation
///   direct   dividing rectangles; no chance in it
///   mlsl     multi-level single linkage: local searches (Sbplx) from far points of a Sobol
///   sequence

#include <cstdint>
#include <string>
#include <vector>

#include "bristle/identify/coordinates.hpp"

namespace bristle {

const std::vector<std::string>& global_methods();

/// Coordinates of the lowest Σ r² met within so many evaluations. The same seed gives the same
/// answer. `method` is one of the above.
std::vector<double> search_globally(const Problem& problem, const Coordinates& coordinates,
                                    const std::string& method, int evaluations, std::uint64_t seed);

}  // namespace bristle
