#include "audit.hpp"

#include <cmath>

#include <fmt/format.h>

namespace bristle {

double energy_error(const EnergyBooks& books) {
  const double gain = books.largest > 0 ? books.gain / books.largest : 0;
  return std::max(books.relative_error, gain);
}

std::string to_string(const BudgetUse& use) {
  std::string text = std::to_string(use.steps);
  if (use.steps > 0) {
    text += fmt::format(" (touch-downs {}, sub-steps {}, sweeps {})", use.touches, use.substeps,
                        use.sweeps);
  }
  if (use.paid > 0) text += fmt::format("; {:.3g} J taken back", use.paid);
  return text;
}

namespace detail {
namespace {

/// A rise that the method explains, over the largest energy. The step for contact pays back what it
/// makes at points as far as anything moves, and follows patches by a model between its looks at
/// them; adaptive methods make errors of their tolerance in each of many steps; the other fixed
/// steps are of low order.
double explained_gain(const RunResult& result, const RunOptions& options, bool areas) {
  if (result.method == "bristle") return areas ? 1e-3 : 1e-5;
  if (is_fixed_step(result.method)) return 1e-3;
  return std::clamp(1e3 * options.tolerance.rtol, 1e-6, 1e-3);
}

/// More than this share of the steps.
constexpr double many = 0.01;
/// Of the largest energy, delivered by a law that takes some and stores none.
constexpr double next_to_nothing = 1e-6;
/// Steps that are too few to speak of.
constexpr long few = 10;
/// Energy taken back in all, or delivered by a law, over the largest.
constexpr double much = 0.01;

std::string percent(double part) { return fmt::format("{:.3g} %", 100 * part); }

void audit_energy(RunResult& result, double explained) {
  const EnergyBooks& books = result.energy;
  if (!(books.largest > 0)) return;
  const double gain = books.gain / books.largest;
  const double paid = result.degraded.paid / books.largest;
  if (gain > explained) {
    result.warnings.push_back(
        {"energy-gain",
         fmt::format("energy rose by {:.3g} J, {} of the largest, above an earlier low at t = "
                     "{:.6g} s, and nothing had put it in; a shorter solver.step, a smaller "
                     "solver.rtol or solver.method=bristle may help",
                     books.gain, percent(gain), books.gain_t)});
  } else if (paid > much) {
    result.warnings.push_back(
        {"energy-gain",
         fmt::format(
             "contacts made {:.3g} J from nowhere in all, {} of the largest energy; the step "
             "took it back; a shorter solver.step may help, and some friction laws do it by "
             "themselves when their load changes fast",
             result.degraded.paid, percent(paid))});
  }
  if (books.relative_error > doubtful_energy) {
    result.warnings.push_back(
        {"energy-balance",
         fmt::format(
             "the energy balance is off by {} of the largest energy; a shorter solver.step, "
             "a smaller solver.rtol or solver.method=bristle may help",
             percent(books.relative_error))});
  }
}

void audit_laws(RunResult& result) {
  const EnergyBooks& books = result.energy;
  int c = 0;
  for (const EnergyBooks::OfContact& contact : books.contacts) {
    ++c;
    // What bristles store may grow with the load and not by work: some of those laws are not
    // passive.
    const auto check = [&](const char* law, double dissipated, double let_pass) {
      if (!(dissipated < -let_pass * books.largest)) return;
      result.warnings.push_back(
          {"not-passive",
           fmt::format("contact {}: the {} law delivered {:.3g} J, {} of the largest "
                       "energy, instead of taking any",
                       c, law, -dissipated, percent(-dissipated / books.largest))});
    };
    check("friction", contact.by_friction, contact.bristles ? much : next_to_nothing);
    check("normal", contact.by_normal, next_to_nothing);
  }
}

void audit_budget(RunResult& result) {
  const BudgetUse& use = result.degraded;
  const auto steps = static_cast<double>(std::max(1L, result.steps));
  const long cut = use.touches + use.substeps;
  if (cut > few && static_cast<double>(cut) > many * steps) {
    result.warnings.push_back(
        {"budget",
         fmt::format("{} of {} steps ran into their budget (touch-downs {}, sub-steps {}); "
                     "a shorter solver.step or a larger solver.budget may help",
                     cut, result.steps, use.touches, use.substeps)});
  }
  if (use.sweeps > few && static_cast<double>(use.sweeps) > many * steps) {
    result.warnings.push_back(
        {"unsettled",
         fmt::format(
             "{} of {} steps took forces of several contacts that had not settled; a shorter "
             "solver.step or a larger solver.budget.sweeps may help",
             use.sweeps, result.steps)});
  }
}

}  // namespace

void audit(RunResult& result, const RunOptions& options, bool areas) {
  audit_energy(result, explained_gain(result, options, areas));
  audit_laws(result);
  audit_budget(result);
}

}  // namespace detail
}  // namespace bristle
