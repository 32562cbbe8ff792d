#pragma once

/// Parameters followed along recordings, as the recursive estimator would have followed them.
///
///   data: […]                    # see recording.hpp; each window is a recording of its own
///   law: coulomb-regularised
///   fixed: {eps: 1 mm/s}         # other parameters of the law
///   track:
///     mu_k:
///       start: 0.5
///       min: 0                   # within what the law allows
///       max: 1
///       walk: 0.01               # per √s
///       spread: 0.25             # standard deviation at the start; a quarter of the range
///       known: [{value: 0.2, until: 1.5 s}, {value: 0.3, from: 1.5 s}]   # to be judged by
///   noise: 0.1 N
///
/// `known` is a function of time as scenarios write them: what the parameter is, where that is
/// known, as in a record that a scenario has made.

#include <optional>

#include "bristle/identify/online.hpp"
#include "bristle/identify/recording.hpp"
#include "bristle/io/csv.hpp"
#include "bristle/report/page.hpp"
#include "bristle/system/signal.hpp"

namespace bristle {

struct TrackTask {
  std::string title{};
  std::vector<Recording> recordings{};
  AnyLaw law{"coulomb-regularised"};
  std::vector<Tracked> parameters{};
  std::vector<std::optional<Signal>> known{};  ///< of each parameter; may be empty
  OnlineOptions options{};
};

/// InputError with file and line.
TrackTask read_track(const Document& document);

/// What the estimator takes in, sample by sample.
struct TrackSample {
  double dt = 0, slip = 0, load = 0, force = 0;
  bool first = false;  ///< of a recording: the law is at rest before it
};
std::vector<TrackSample> track_samples(const TrackTask& task);
void take(OnlineEstimator& estimator, const TrackSample& sample) noexcept;

/// Columns t, each parameter and its standard deviation ("mu_k", "mu_k_sd"), measured force and
/// innovation; one recording after the other, each from the estimate of the last.
Table track(const TrackTask& task);

/// How well a known course was followed, from the start of a recording or from where the course
/// breaks, to the next such time.
struct Settled {
  static constexpr double within = 0.05;

  std::string parameter{};
  double from = 0, to = 0;  ///< s
  double known = 0;         ///< at `from`
  double after = 0;         ///< s from there until it is within 5 % and stays there; NaN: never
  double off = 0;           ///< largest error from then on, as a share of what is known
};
std::vector<Settled> settling(const TrackTask& task, const Table& result);

std::string track_text(const TrackTask& task, const Table& result);
/// {"title", "law", "noise", "samples", "parameters": [{"name", "unit", "value", "sd", …}],
/// "settled": […], "data": […]}
std::string track_json(const TrackTask& task, const Table& result);
/// The parameters over time, a panel each.
Figure track_figure(const TrackTask& task, const Table& result);
ReportPage track_page(const TrackTask& task, const Table& result);

}  // namespace bristle
