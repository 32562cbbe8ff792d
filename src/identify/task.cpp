#include "bristle/identify/task.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>

#include <fmt/format.h>

#include "bristle/identify/robust.hpp"
#include "bristle/io/atomic_file.hpp"

namespace bristle {
namespace {

std::unique_ptr<LawMatch> make_match(const LawTask& task,
                                     const std::vector<Recording>& recordings) {
  if (!task.runs.empty()) return std::make_unique<MotionMatch>(task.runs, task.motion);
  return std::make_unique<ForceMatch>(task.law, recordings, task.force);
}

/// What the user has given as a start for every parameter is one.
std::vector<std::vector<double>> given_starts(const LawMatch& problem, const LawTask& task) {
  std::vector<double> start;
  for (const Unknown& u : problem.unknowns()) {
    const auto find = [&](const UnknownSettings& settings) -> std::optional<double> {
      const auto found = settings.find(u.name);
      return found == settings.end() ? std::nullopt : found->second.start;
    };
    auto value = find(task.runs.empty() ? task.force.parameters : task.motion.parameters);
    if (!value) value = find(task.motion.quantities);
    if (!value) return {};
    start.push_back(*value);
  }
  return {start};
}

std::vector<double> residuals_at(const Problem& problem, std::span<const double> p) {
  std::vector<double> r(static_cast<std::size_t>(problem.residuals()));
  problem.evaluate(p, r);
  return r;
}

double rms_of(const std::vector<double>& r) {
  double sum = 0;
  for (const double value : r) sum += value * value;
  return std::sqrt(sum / static_cast<double>(r.size()));
}

/// Where the loss of a law begins to bend: by the spread of its residuals about the best squares,
/// then about the best of that loss, since squares follow the outliers.
double scale_for(const IdentifyTask& task, const LawTask& law, Watch& watch) {
  const std::unique_ptr<LawMatch> match = make_match(law, task.recordings);
  const WatchedProblem problem(*match, watch);
  watch.begin({.what = "scale of the loss, " + std::string(law.law.name()), .unit = match->unit()});
  SearchOptions options = task.search;
  options.progress = [&](int, double) { return watch.goes_on(); };
  options.given = given_starts(*match, law);
  std::vector<double> p = find_minimum(problem, options).p;
  double scale = 0;
  for (int i = 0; i < 3 && !watch.stopped(); ++i) {
    scale = usual_scale(task.loss.loss) * robust_deviation(residuals_at(*match, p));
    if (!(scale > 0)) break;
    const Damped damped(problem, {task.loss.loss, scale});
    const Coordinates c(damped);
    p = c.parameters(minimise(damped, c, c.coordinates(p), options.polish).x);
  }
  if (watch.stopped()) throw SearchStopped("stopped while the scale of the loss was sought");
  return scale;
}

/// One scale for all laws, or their costs could not be compared: that of the law which fits best.
LossOptions settled_loss(const IdentifyTask& task, Watch& watch) {
  LossOptions loss = task.loss;
  if (loss.loss == Loss::squares || loss.scale > 0) return loss;
  loss.scale = std::numeric_limits<double>::infinity();
  for (const LawTask& law : task.laws) {
    try {
      const double scale = scale_for(task, law, watch);
      if (scale > 0) loss.scale = std::min(loss.scale, scale);
    } catch (const SearchStopped&) {
      throw;
    } catch (const std::runtime_error&) {
      // Told where the law is fitted.
    }
  }
  // Residuals without any spread are fitted exactly; no loss does better.
  if (!std::isfinite(loss.scale)) loss.loss = Loss::squares;
  return loss;
}

std::vector<std::string> ended_at_bounds(const LawMatch& problem, const std::vector<double>& p) {
  constexpr double near = 1e-3;  // of the range, or of the value where it is sought by logarithm
  std::vector<std::string> names;
  for (std::size_t j = 0; j < p.size(); ++j) {
    const Unknown& u = problem.unknowns()[j];
    const double from_low = u.log ? std::log(p[j] / u.low) : (p[j] - u.low) / (u.high - u.low);
    const double from_high = u.log ? std::log(u.high / p[j]) : (u.high - p[j]) / (u.high - u.low);
    if (std::min(from_low, from_high) < near) names.push_back(u.name);
  }
  return names;
}

/// Starts up to the end of the round that is going on: each has twice as many as the one before.
int starts_in_sight(const SearchOptions& options, int done) {
  int all = std::max(1, options.starts);
  for (int round = 1; round < options.rounds && done > all; ++round) all += options.starts << round;
  return std::max(all, done);
}

/// The law that is on, for who looks on.
struct Turn {
  std::size_t number = 0, of = 1;
  /// Of all the work, when so much of the starts of this law is done.
  double share(double starts, bool profiles) const {
    return (static_cast<double>(number) + (profiles ? 0.5 : 1.0) * starts) /
           static_cast<double>(of);
  }
};

LawFit fit_law(const IdentifyTask& task, const LawTask& law, const LossOptions& loss,
               const Turn& turn, Watch& watch) {
  const std::unique_ptr<LawMatch> problem = make_match(law, task.recordings);
  const Damped damped(*problem, loss);
  const WatchedProblem watched(
      loss.loss == Loss::squares ? static_cast<const Problem&>(*problem) : damped, watch);
  const auto rms = [&](double cost) { return std::sqrt(cost / problem->residuals()); };
  LawFit fit{.law = std::string(law.law.name()), .unit = problem->unit()};
  fit.idle = problem->idle();
  SearchOptions options = task.search;
  options.given = given_starts(*problem, law);
  if (task.log) {
    options.known = task.log->starts(fit.law);
    options.keep = [&](std::size_t i, const StartResult& s) {
      // What ended because it was stopped has not come to its end.
      if (!watch.stopped()) task.log->add(fit.law, i, s);
    };
  }
  const bool profiles = task.confidence.profile;
  options.progress = [&](int done, double lowest) {
    const int of = starts_in_sight(options, done);
    watch.count(done, of, rms(lowest), turn.share(static_cast<double>(done) / of, profiles));
    if (task.search.progress && !task.search.progress(done, lowest)) return false;
    return watch.goes_on();
  };
  watch.begin({.what = fit.law,
               .of = starts_in_sight(options, 0),
               .unit = fit.unit,
               .share = turn.share(0, profiles)});
  fit.search = find_minimum(watched, options);
  const std::string so_far =
      std::isfinite(fit.search.cost)
          ? fmt::format(", lowest rms so far {:.4g} {}", rms(fit.search.cost), fit.unit)
          : "";
  if (fit.search.stopped || watch.stopped()) {
    throw SearchStopped(fmt::format("stopped in the search for '{}'{}", fit.law, so_far));
  }
  watch.begin({.what = (profiles ? "profiles of " : "intervals of ") + fit.law,
               .lowest = rms(fit.search.cost),
               .unit = fit.unit,
               .share = turn.share(1, profiles)});
  fit.confidence = confidence_of(watched, fit.search, task.confidence);
  if (watch.stopped()) {
    throw SearchStopped(fmt::format("stopped in the profiles of '{}'{}", fit.law, so_far));
  }
  advise(*problem, fit.confidence);
  fit.motion = problem->motion(fit.search.p);
  fit.matched = problem->match(fit.search.p);
  fit.loops = problem->loops(fit.search.p);
  fit.rms = rms_of(residuals_at(*problem, fit.search.p));
  fit.held_out = problem->held_out(fit.search.p);
  fit.at_bounds = ended_at_bounds(*problem, fit.search.p);
  return fit;
}

/// What cycles repeat to in all recordings; 0: one of them does not repeat.
double floor_of(const std::vector<std::optional<Repeatability>>& repeats) {
  double squares = 0;
  int cycles = 0;
  for (const auto& r : repeats) {
    if (!r) return 0;
    squares += r->cycles * r->rms * r->rms;
    cycles += r->cycles;
  }
  return cycles > 0 ? std::sqrt(squares / cycles) : 0;
}

double signal_of(const LawFit& fit) {
  double squares = 0, count = 0;
  for (const Matched& m : fit.matched) {
    for (const double y : m.measured) squares += y * y;
    count += static_cast<double>(m.measured.size());
  }
  return std::sqrt(squares / std::max(1.0, count));
}

void judge_shapes(Identification& result) {
  const LawFit* best = nullptr;
  for (const LawFit& fit : result.fits) {
    if (!fit.fault.empty()) continue;
    if (best == nullptr || fit.misses_by() < best->misses_by()) best = &fit;
  }
  const double floor = floor_of(result.repeats);
  constexpr double alike = 0.2;  // of the cost: a tenth of the rms; ends need not be polished
  for (LawFit& fit : result.fits) {
    if (!fit.fault.empty()) continue;
    fit.shape = judge_shape({.rms = fit.misses_by(),
                             .signal = signal_of(fit),
                             .whiteness = fit.confidence.whiteness,
                             .whiteness_p = fit.confidence.whiteness_p,
                             .agreeing = fit.search.agreeing(alike),
                             .at_bounds = fit.at_bounds},
                            best->law, best->misses_by(), floor);
  }
}

}  // namespace

Identification identify(const IdentifyTask& task) {
  std::exception_ptr first_fault;
  Watch watch(task.watcher);
  Identification result{.fits = {}, .loss = settled_loss(task, watch)};
  for (const LawTask& law : task.laws) {
    try {
      const Turn turn{.number = static_cast<std::size_t>(&law - task.laws.data()),
                      .of = task.laws.size()};
      result.fits.push_back(fit_law(task, law, result.loss, turn, watch));
    } catch (const SearchStopped&) {
      throw;
    } catch (const WriteError&) {
      throw;  // of the log: no law is to blame
    } catch (const std::runtime_error& error) {
      if (watch.stopped()) {
        throw SearchStopped(fmt::format("stopped in the search for '{}'", law.law.name()));
      }
      // One law that does not fit this data must not cost the others; where all fail, it is the
      // user's matter.
      if (!first_fault) first_fault = std::current_exception();
      result.fits.push_back({.law = std::string(law.law.name()), .fault = error.what()});
    }
  }
  if (std::all_of(result.fits.begin(), result.fits.end(),
                  [](const LawFit& fit) { return !fit.fault.empty(); })) {
    std::rethrow_exception(first_fault);
  }
  const auto score = [](const LawFit& fit) {
    if (!fit.fault.empty()) return std::numeric_limits<double>::infinity();
    return std::isfinite(fit.held_out) ? fit.held_out : fit.confidence.bic;
  };
  std::stable_sort(result.fits.begin(), result.fits.end(),
                   [&](const LawFit& a, const LawFit& b) { return score(a) < score(b); });
  const bool forces = task.laws.front().runs.empty();
  for (const Recording& r : task.recordings) {
    result.repeats.push_back(forces ? repeatability_of(r) : std::nullopt);
  }
  judge_shapes(result);
  return result;
}

}  // namespace bristle
