#include "bristle/identify/global_search.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include <nlopt.h>

#include "bristle/identify/least_squares.hpp"

namespace bristle {
namespace {

using Optimiser = std::unique_ptr<std::remove_pointer_t<nlopt_opt>, decltype(&nlopt_destroy)>;

struct Method {
  const char* name;
  nlopt_algorithm algorithm;
};
constexpr Method methods[] = {{"esch", NLOPT_GN_ESCH},
                              {"isres", NLOPT_GN_ISRES},
                              {"crs", NLOPT_GN_CRS2_LM},
                              {"direct", NLOPT_GN_DIRECT_L},
                              {"mlsl", NLOPT_G_MLSL_LDS}};

/// Σ r², and the best point so far: NLopt forgets it where a method stops early.
struct Objective {
  const Problem& problem;
  const Coordinates& coordinates;
  std::vector<double> best;
  double cost = HUGE_VAL;

  static double call(unsigned n, const double* x, double*, void* data) {
    auto& self = *static_cast<Objective*>(data);
    const double cost = sum_of_squares(self.problem, self.coordinates, {x, n});
    if (cost < self.cost) {
      self.cost = cost;
      self.best.assign(x, x + n);
    }
    return std::min(cost, 1e300);  // methods that compare costs need numbers
  }
};

Optimiser make(nlopt_algorithm algorithm, unsigned n) {
  Optimiser made(nlopt_create(algorithm, n), &nlopt_destroy);
  if (!made) throw std::runtime_error("NLopt cannot search so many unknowns");
  return made;
}

}  // namespace

const std::vector<std::string>& global_methods() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Method& method : methods) list.emplace_back(method.name);
    return list;
  }();
  return names;
}

std::vector<double> search_globally(const Problem& problem, const Coordinates& coordinates,
                                    const std::string& method, int evaluations,
                                    std::uint64_t seed) {
  const auto found = std::find_if(std::begin(methods), std::end(methods),
                                  [&](const Method& m) { return m.name == method; });
  if (found == std::end(methods)) throw std::invalid_argument("no global method " + method);
  const auto n = static_cast<unsigned>(coordinates.size());
  std::vector<double> low(coordinates.usual_low().begin(), coordinates.usual_low().end());
  std::vector<double> high(coordinates.usual_high().begin(), coordinates.usual_high().end());
  std::vector<double> x(n);
  for (std::size_t j = 0; j < n; ++j) {
    if (!(high[j] > low[j])) high[j] = low[j] + 1e-12 * std::max(1.0, std::abs(low[j]));
    x[j] = (low[j] + high[j]) / 2;
  }
  Objective objective{problem, coordinates, x};
  nlopt_srand(static_cast<unsigned long>(seed) + 1);  // of this thread
  const Optimiser search = make(found->algorithm, n), local = make(NLOPT_LN_SBPLX, n);
  nlopt_set_lower_bounds(search.get(), low.data());
  nlopt_set_upper_bounds(search.get(), high.data());
  nlopt_set_min_objective(search.get(), &Objective::call, &objective);
  nlopt_set_maxeval(search.get(), evaluations);
  nlopt_set_ftol_rel(local.get(), 1e-3);
  nlopt_set_local_optimizer(search.get(), local.get());
  double cost = 0;
  nlopt_optimize(search.get(), x.data(), &cost);  // whatever ends it, the best is known
  return objective.best;
}

}  // namespace bristle
