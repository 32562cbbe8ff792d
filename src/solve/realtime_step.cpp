#include "bristle/solve/realtime_step.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bristle/core/error.hpp"
#include "bristle/core/names.hpp"
#include "methods.hpp"
#include "realtime_core.hpp"

namespace bristle {
namespace {

[[noreturn]] void refuse(const std::string& method, const std::string& reason,
                         const std::string& instead) {
  throw InputError(
      {.message = reason, .key = "solver.method", .value = method, .expected = instead});
}

void check_adaptive(const std::string& method, const std::string& instead) {
  detail::check_known(method);
  if (method == "auto" || is_fixed_step(method)) return;
  refuse(method,
         fmt::format("'{}' chooses its own steps: how many it takes has no bound in real time",
                     method),
         instead);
}

void check_options(const RealTimeOptions& options) {
  if (!(options.rate > 0) || !std::isfinite(options.rate)) {
    throw InputError({.message = "a rate has to be more than 0",
                      .key = "rate",
                      .value = fmt::format("{:g}", options.rate),
                      .expected = "steps per second, for example 1000"});
  }
}

}  // namespace

void check_realtime(const Rig& rig, const std::string& method) {
  check_adaptive(method, "solver.method=bristle, or an explicit step such as rk4");
  if (!rig.stops.empty()) {
    throw InputError({.message = "a hard stop is an impact at a time that has to be sought, which "
                                 "no fixed step of a rig does",
                      .key = "stops",
                      .expected = "a gap with a stiffness, or bodies with shapes"});
  }
  check_method(rig, method == "auto" ? "bristle" : method);
}

void check_realtime(const World& world, const std::string& method) {
  const std::string instead = "solver.method=bristle";
  check_adaptive(method, instead);
  if (method != "auto" && method != "bristle") {
    refuse(method, "explicit steps find touch-downs of bodies as events, which have no bound",
           instead);
  }
  try {
    check_method(world, "bristle");
  } catch (const InputError& error) {
    Fault fault = error.fault();  // what other methods could do is of no use here
    fault.expected = "contacts that solver.method=bristle knows";
    throw InputError(fault);
  }
}

RealTimeStep::RealTimeStep(const World& world, const RealTimeOptions& options) {
  check_options(options);
  check_realtime(world, options.method);
  core_ = detail::make_realtime_core(world, options);
}
RealTimeStep::RealTimeStep(const Rig& rig, const RealTimeOptions& options) {
  check_options(options);
  check_realtime(rig, options.method);
  core_ = detail::make_realtime_core(rig, options);
}
RealTimeStep::RealTimeStep(RealTimeStep&&) noexcept = default;
RealTimeStep& RealTimeStep::operator=(RealTimeStep&&) noexcept = default;
RealTimeStep::~RealTimeStep() = default;

void RealTimeStep::step() noexcept { core_->step(); }
double RealTimeStep::time() const noexcept { return core_->time(); }
double RealTimeStep::period() const noexcept { return core_->period(); }
bool RealTimeStep::finite() const noexcept { return core_->finite(); }
const std::vector<RealTimeInput>& RealTimeStep::inputs() const noexcept { return core_->inputs(); }
std::size_t RealTimeStep::input(const std::string& name) const {
  std::vector<std::string> names;
  for (const RealTimeInput& input : inputs()) names.push_back(input.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  throw InputError({.message = "there is no such input",
                    .key = "input",
                    .value = name,
                    .expected = names.empty()
                                    ? "none: no signal of the scenario is an input"
                                    : fmt::format("one of '{}'", fmt::join(names, "', '")),
                    .nearest = nearest_name(name, names)});
}
bool RealTimeStep::set_input(std::size_t place, double value) noexcept {
  return core_->set_input(place, value);
}
std::span<const double> RealTimeStep::outputs() const noexcept { return core_->outputs(); }
const std::vector<Column>& RealTimeStep::columns() const noexcept { return core_->columns(); }
int RealTimeStep::state_size() const noexcept { return core_->state_size(); }
void RealTimeStep::save(std::span<double> numbers) const noexcept { core_->save(numbers); }
void RealTimeStep::restore(std::span<const double> numbers) noexcept { core_->restore(numbers); }
BudgetUse RealTimeStep::budget_used_up() const noexcept { return core_->used_up(); }
int RealTimeStep::most_substeps() const noexcept { return core_->most_substeps(); }

}  // namespace bristle
