#pragma once

/// A scenario as a step to embed.
///
///   RealTimeStep core = realtime_step(load_scenario("ball-incline"), 1000, {"x", "z", "fn"});
///   for (;;) core.step();

#include <string>
#include <vector>

#include "bristle/scenario/scenario.hpp"
#include "bristle/solve/realtime_step.hpp"

namespace bristle {

/// With the scenario's own method, budget and duration; its solver.step gives way to the rate.
RealTimeStep realtime_step(const Scenario& scenario, double rate,
                           const std::vector<std::string>& columns = {});
/// The columns that may be asked for.
std::vector<std::string> realtime_columns(const Scenario& scenario);

}  // namespace bristle
