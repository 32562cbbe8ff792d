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
///   orders: [[v2, v1]]
///   offset: true
///   noise: 1 mN                        # of the force, if known
///   fit_share: 0.5                     # the rest is held out
///   search: {starts: 20, screen: 12, seed: 1, threads: 2, iterations: 100}
///   loss: huber                        # squares, huber, cauchy; with loss_scale: 1 N
///   profile: true

#include "bristle/identify/advice.hpp"
#include "bristle/report/page.hpp"

namespace bristle {

struct IdentifyTask {
  std::string title{};
  std::vector<Recording> recordings{};
  std::vector<AnyLaw> laws{};
  std::vector<ForceMatchOptions> options{};  ///< one per law
  SearchOptions search{};
  ConfidenceOptions confidence{};
};

struct LawFit {
  std::string law{};
  Search search{};
  Confidence confidence{};
  std::vector<std::vector<double>> predicted{};  ///< of each recording
  std::vector<std::string> idle{};
  double rms = 0, held_out = 0;  ///< N; NaN if nothing was held out
  std::string fault{};           ///< why the law could not be fitted, if so
};

struct Identification {
  std::vector<LawFit> fits;  ///< best first: by what was held out, else by BIC
  double load = 0;           ///< mean of the data
};

IdentifyTask read_task(const Document& document);
Identification identify(const IdentifyTask& task);

/// {"parameters": [{"name", "value", "se", "ci95", "verdict", "reason", …}], "cost", "rank", …} of
/// the best law, and "laws" with all of them.
std::string estimate_json(const IdentifyTask& task, const Identification& result);
ReportPage identification_page(const IdentifyTask& task, const Identification& result);
/// A few lines for a terminal.
std::string identification_text(const IdentifyTask& task, const Identification& result);

}  // namespace bristle
