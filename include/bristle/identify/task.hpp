#pragma once

/// An identification from a file: data, laws, what is sought, and how.
///
///   title: Pre-sliding rig
///   data: […]                          # see recording.hpp
///   laws: [gonthier, reset-integrator]   # or law: lugre
///   parameters:                        # of all laws that have them
///     mu_s: {start: 0.3}
///     sigma2: {fixed: 0}
///   laws_parameters: {gonthier: {tau_dw: {fixed: 1 s}}}   # of one law
///   orders: [[v2, v1]]                 # of all laws that have both
///   offset: true
///   noise: 1 mN                        # of the force, if known
///   fit_share: 0.5                     # the rest is held out
///   search: {starts: 20, screen: 12, rounds: 1, seed: 1, threads: 2, iterations: 100,
///            smoothing: [0.2, 0.05],             # kinks rounded off first, see search.hpp
///            global: esch, evaluations: 2000}    # and a global search, see global_search.hpp
///   loss: huber                        # squares, huber, cauchy: see damped.hpp
///   loss_scale: 1 N                    # if not given, from the residuals about a first fit
///   profile: true
///
/// Where only the motion was recorded, the scenario that made it stands in for slip and force:
///
///   scenario: mass-spring              # a built-in one or a file beside this one
///   set: {v0: 2 mm/s}                  # as --set of `bristle run`
///   observe: {position: x}             # role in the data: column of the scenario;
///                                      # or {column: x, noise: 10 um} where there are several
///   quantities: {springs.0.stiffness: {start: 100 N/m}}   # of the scenario, sought as well
///   data: [{file: log.csv, columns: {…}, set: {v0: 0.5 mm/s}}]   # settings of one recording

#include <cmath>
#include <memory>

#include "bristle/identify/advice.hpp"
#include "bristle/identify/damped.hpp"
#include "bristle/identify/force_match.hpp"
#include "bristle/identify/law_shape.hpp"
#include "bristle/identify/motion_match.hpp"
#include "bristle/identify/repeatability.hpp"
#include "bristle/identify/search_log.hpp"
#include "bristle/identify/watch.hpp"
#include "bristle/report/page.hpp"

namespace bristle {

/// One law of a task.
struct LawTask {
  AnyLaw law;
  ForceMatchOptions force{};      ///< where friction was recorded
  MotionMatchOptions motion{};    ///< where the motion was: with the runs below
  std::vector<MotionRun> runs{};  ///< scenarios with this law; none: friction was recorded
};

struct IdentifyTask {
  std::string title{};
  std::vector<Recording> recordings{};
  std::vector<LawTask> laws{};
  SearchOptions search{};
  ConfidenceOptions confidence{};
  LossOptions loss{.scale = 0};         ///< a scale of 0: from the data
  std::string key{};                    ///< of what is sought in which data
  std::shared_ptr<SearchLog> log{};     ///< where starts are kept; none: nowhere
  Watcher watcher{};                    ///< who looks on, and may stop it
  std::vector<std::string> warnings{};  ///< of the data, for the report
};

struct LawFit {
  std::string law{};
  Search search{};
  Confidence confidence{};
  std::vector<Matched> matched{};  ///< measured and fitted signals
  std::vector<ForceLoop> loops{};  ///< of friction
  std::vector<std::string> idle{};
  std::string unit{"N"};         ///< of the residuals
  double rms = 0, held_out = 0;  ///< of all residuals alike; NaN if nothing was held out
  std::optional<FittedMotion> motion{};
  std::vector<std::string> at_bounds{};  ///< parameters that ended at a bound of their range
  LawShape shape{};                      ///< against the best law, and what cycles repeat to
  std::string fault{};                   ///< why the law could not be fitted, if so

  /// By which laws are compared: of what was held out, else of the fit.
  double misses_by() const noexcept { return std::isfinite(held_out) ? held_out : rms; }
};

struct Identification {
  std::vector<LawFit> fits;  ///< best first: by what was held out, else by BIC
  LossOptions loss{};        ///< that all of them had
  /// Of each recording, where friction was recorded under a motion that repeats.
  std::vector<std::optional<Repeatability>> repeats{};
};

IdentifyTask read_task(const Document& document);
/// SearchStopped if the watcher says so.
Identification identify(const IdentifyTask& task);

/// {"parameters": [{"name", "value", "se", "ci95", "verdict", "reason", …}], "cost", "rank", …} of
/// the best law, and "laws" with all of them.
std::string estimate_json(const IdentifyTask& task, const Identification& result);
ReportPage identification_page(const IdentifyTask& task, const Identification& result);
/// A few lines for a terminal.
std::string identification_text(const IdentifyTask& task, const Identification& result);

}  // namespace bristle
