#include "bristle/solve/run.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "audit.hpp"
#include "event_loop.hpp"
#include "methods.hpp"
#include "recorder.hpp"
#include "samples.hpp"
#include "tighten.hpp"

namespace bristle {
namespace {

bool any_contact(const Rig& rig, Capability capability) {
  return std::any_of(rig.contacts.begin(), rig.contacts.end(),
                     [&](const Contact& contact) { return contact.law.info().can(capability); });
}

std::string law_with(const Rig& rig, Capability capability) {
  for (const Contact& contact : rig.contacts) {
    if (contact.law.info().can(capability)) return std::string(contact.law.name());
  }
  return "";
}

/// In the plane the direction of a slow slip turns at F/(m |v|). Without a drop from static to
/// kinetic friction slip starts so slowly that this is stiff.
bool turns_stiffly(const Rig& rig, const Contact& contact) {
  if (!contact.law.info().can(Capability::set_valued) || rig.axes(contact) == 1) return false;
  const StickSet set = contact.law.stick_set(1.0);
  return set.band == 0 && contact.law.steady(1e-12, 1.0) > 0.999 * set.max;
}

}  // namespace

const std::vector<double>& RunResult::column(std::string_view name) const {
  return columns[detail::column_at(columns, name)].values;
}
bool RunResult::has(std::string_view name) const {
  return std::any_of(columns.begin(), columns.end(),
                     [&](const Column& column) { return column.name == name; });
}

std::string default_method(const Rig& rig) {
  if (any_contact(rig, Capability::random)) return "semi-implicit";
  if (std::any_of(rig.contacts.begin(), rig.contacts.end(),
                  [&](const Contact& contact) { return turns_stiffly(rig, contact); })) {
    return "cvode";
  }
  if (any_contact(rig, Capability::set_valued) || any_contact(rig, Capability::hybrid) ||
      rig.contacts.empty() || !rig.drives.empty()) {
    return "event";
  }
  // A step of `rodas` solves with a full matrix anew, which only few unknowns repay.
  constexpr std::size_t few = 10;
  return rig.bodies.size() + rig.contacts.size() <= few ? "rodas" : "cvode";
}

void check_method(const Rig& rig, const std::string& method) {
  detail::check_known(method);
  if (method == "auto") return;
  const auto refuse = [&](const std::string& reason, const std::string& instead) {
    throw InputError(
        {.message = reason, .key = "solver.method", .value = method, .expected = instead});
  };
  if (any_contact(rig, Capability::random) && !is_fixed_step(method)) {
    refuse(
        fmt::format("law '{}' is random: its bonds snap at steps, which an adaptive method would "
                    "take again and again",
                    law_with(rig, Capability::random)),
        "solver.method=semi-implicit or bristle with a fixed solver.step");
  }
  if (any_contact(rig, Capability::random) && method != "semi-implicit" && method != "bristle") {
    refuse(fmt::format("law '{}' has no rate that '{}' could integrate: its bonds snap",
                       law_with(rig, Capability::random), method),
           "solver.method=semi-implicit or bristle");
  }
  const bool is_explicit = is_fixed_step(method) && method != "bristle";
  if (any_contact(rig, Capability::set_valued) && is_explicit) {
    refuse(fmt::format("law '{}' is set-valued: at rest its force is whatever holds the contact, "
                       "which an explicit step cannot find (it would chatter)",
                       law_with(rig, Capability::set_valued)),
           "solver.method=event, rodas, cvode or bristle, or a law without a jump at v = 0");
  }
  if (!rig.stops.empty() && is_fixed_step(method)) {
    refuse("a hard stop needs a method that finds the moment of impact",
           "solver.method=event, rodas or cvode");
  }
}

RunResult run(const Rig& rig, const RunOptions& options) {
  check_method(rig, options.method);
  const std::string method = options.method == "auto" ? default_method(rig) : options.method;
  detail::check_duration(options.duration);
  detail::check_steps(method, options);
  RunResult result;
  result.method = method;
  RunOptions used = options;
  if (!is_fixed_step(method)) {
    used.tolerance = detail::tightened(rig, options.tolerance, result.notes);
  }
  Dynamics dynamics(rig, options.break_away);
  const std::unique_ptr<Integrator> integrator = detail::make_integrator(dynamics, method, used);
  detail::Recorder recorder(dynamics, used);
  detail::EventLoop(dynamics, *integrator, recorder, used).go(result);
  recorder.finish(result);
  detail::require_finite(result);
  result.degraded = integrator->used_up();
  result.degraded.sweeps += dynamics.unsettled();
  detail::audit(result, used, false);
  return result;
}

}  // namespace bristle
