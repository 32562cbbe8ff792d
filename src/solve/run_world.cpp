#include <cmath>

#include <fmt/format.h>

#include "audit.hpp"
#include "bristle/core/index.hpp"
#include "bristle/solve/run.hpp"
#include "methods.hpp"
#include "world_recorder.hpp"

namespace bristle {
namespace {

std::string friction_with(const World& world, Capability capability) {
  for (const ContactPair& pair : world.pairs) {
    if (!pair.volumetric && pair.friction.info().can(capability))
      return std::string(pair.friction.name());
  }
  return "";
}

/// Bristles of the LuGre family relax with σ0 |v|/g, and g goes with the load: without bound at
/// touch-down and lift-off. Seen in the slope of the rate with the deflection while sliding.
bool stiffens_without_load(const AnyLaw& law) {
  const std::unique_ptr<Group<2>> group = law.plane(1);
  std::vector<double> state(detail::at(group->state_size())), still(state.size()),
      moved(state.size());
  if (state.empty()) return false;
  const auto slope = [&](double fn) {
    Slip<double, 2> slip;
    slip.v[0] = slip.v_lag[0] = 1;
    slip.fn = fn;
    group->reset(0, fn);
    group->advance({&slip, 1}, 1.0);  // sliding
    group->save(0, state);
    group->rate(0, slip, still);
    const double deflection = -1e-3 * state[0];
    state[0] += deflection;
    group->restore(0, state);
    group->rate(0, slip, moved);
    return deflection == 0 ? 0 : std::abs((moved[0] - still[0]) / deflection);
  };
  return slope(1e-8) > 1e3 * (1 + slope(1.0));
}

}  // namespace

/// Impacts and free flight are not stiff; laws that only a step can hold still get the step.
std::string default_method(const World& world) {
  for (const ContactPair& pair : world.pairs) {
    if (pair.volumetric) continue;
    const LawInfo& law = pair.friction.info();
    if (law.can(Capability::set_valued) || law.can(Capability::hybrid) ||
        law.can(Capability::random) || stiffens_without_load(pair.friction)) {
      return "bristle";
    }
  }
  return "event";
}

void check_method(const World& world, const std::string& method) {
  detail::check_known(method);
  if (method == "auto" || method == "bristle") return;
  // A random law is hybrid too: the word that tells more comes first.
  for (const Capability capability :
       {Capability::set_valued, Capability::random, Capability::hybrid}) {
    const std::string law = friction_with(world, capability);
    if (law.empty()) continue;
    throw InputError(
        {.message = fmt::format("between bodies, '{}' ({}) needs a step that finds its holding "
                                "force together with the motion",
                                law, to_string(capability)),
         .key = "solver.method",
         .value = method,
         .expected = "solver.method=bristle, or a smooth law such as gonthier or lugre"});
  }
}

RunResult run(const World& world, const RunOptions& options) {
  check_method(world, options.method);
  detail::check_duration(options.duration);
  RunResult result;
  result.method = options.method == "auto" ? default_method(world) : options.method;
  detail::check_steps(result.method, options);
  WorldDynamics dynamics(world);
  const std::unique_ptr<Integrator> integrator =
      detail::make_integrator(dynamics, result.method, options);
  detail::WorldRecorder recorder(dynamics, options);
  detail::EventLoop(dynamics, *integrator, recorder, options).go(result);
  recorder.finish(result);
  detail::require_finite(result);
  result.degraded = integrator->used_up();
  detail::audit(result, options, dynamics.patches().size() > 0);
  return result;
}

}  // namespace bristle
