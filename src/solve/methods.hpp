#pragma once

// What runs of rigs and of worlds share about methods.

#include <memory>
#include <string>
#include <type_traits>

#include "bristle/solve/integrator.hpp"
#include "bristle/solve/run.hpp"

namespace bristle::detail {

/// InputError for a method that there is none of.
void check_known(const std::string& method);
/// InputError for a duration that is none.
void check_duration(double duration);
/// Refuses a fixed step that would end after days (InputError).
void check_steps(const std::string& method, const RunOptions& options);
/// A result is of numbers: std::runtime_error with the column and the time where it is not.
void require_finite(const RunResult& result);
/// The methods that know nothing of what they integrate.
std::unique_ptr<Integrator> make_general(Equations& equations, const std::string& method,
                                         const RunOptions& options);
/// Of any method but `auto`. Two of them are made for rigs and for worlds.
template <class AnyDynamics>
std::unique_ptr<Integrator> make_integrator(AnyDynamics& dynamics, const std::string& method,
                                            const RunOptions& options) {
  if (method == "semi-implicit") return make_semi_implicit(dynamics, options.step);
  if (method != "bristle") return make_general(dynamics, method, options);
  if constexpr (std::is_same_v<AnyDynamics, Dynamics>) {
    return make_averaged(dynamics, options.step, options.budget.rig_sweeps);
  } else {
    return make_world_step(dynamics, options.step, options.budget);
  }
}

}  // namespace bristle::detail
