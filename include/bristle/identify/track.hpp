#pragma once

/// Parameters followed along recordings, as the recursive estimator would have followed them.
///
///   data: […]                    # see recording.hpp
///   law: coulomb-regularised
///   fixed: {eps: 1 mm/s}         # other parameters of the law
///   track:
///     mu_k: {start: 0.2, min: 0, max: 1, walk: 0.01}   # walk: per √s; spread: at the start
///   noise: 0.1 N

#include "bristle/identify/online.hpp"
#include "bristle/identify/recording.hpp"
#include "bristle/io/csv.hpp"
#include "bristle/report/page.hpp"

namespace bristle {

struct TrackTask {
  std::string title{};
  std::vector<Recording> recordings{};
  AnyLaw law{"coulomb-regularised"};
  std::vector<Tracked> parameters{};
  OnlineOptions options{};
};

TrackTask read_track(const Document& document);
/// Columns t, each parameter and its standard deviation ("mu_k", "mu_k_sd"), measured force and
/// innovation; one recording after the other, each from the estimate of the last.
Table track(const TrackTask& task);
ReportPage track_page(const TrackTask& task, const Table& result);

}  // namespace bristle
