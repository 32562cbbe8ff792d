#include "bristle/realtime/step.hpp"

namespace bristle {

RealTimeStep realtime_step(const Scenario& scenario, double rate,
                           const std::vector<std::string>& columns) {
  RealTimeOptions options;
  options.rate = rate;
  options.method = scenario.options.method;
  options.duration = scenario.options.duration;
  options.budget = scenario.options.budget;
  options.break_away = scenario.options.break_away;
  options.columns = columns;
  return scenario.world ? RealTimeStep(*scenario.world, options)
                        : RealTimeStep(scenario.rig, options);
}

std::vector<std::string> realtime_columns(const Scenario& scenario) {
  std::vector<std::string> names;
  const RealTimeStep core = realtime_step(scenario, 1000);
  for (const Column& column : core.columns()) names.push_back(column.name);
  return names;
}

}  // namespace bristle
